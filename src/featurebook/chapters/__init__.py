"""One module a chapter: its data distribution, its network, its closed forms."""
