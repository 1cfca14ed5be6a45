"""One module per chapter: its data distribution, its network, its closed forms."""
