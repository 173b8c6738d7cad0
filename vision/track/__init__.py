"""Tracks: what is seen frame by frame becomes things that last, each with the evidence for what it is."""
