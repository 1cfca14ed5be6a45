"""What executes, checks, records and binds the book; knows notebooks and verdicts as files."""
