"""Claims, and what came out when they were run."""
