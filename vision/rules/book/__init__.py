"""Games and houses, read from their files and checked as a whole."""
