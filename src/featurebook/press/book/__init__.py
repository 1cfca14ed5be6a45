"""Where the book's files are, and writing them whole."""
