"""Enumeration: the texts' own figures, recomputed over all hands."""
