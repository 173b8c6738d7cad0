"""Observations without pixels: simulated rounds enter, what detectors would report of them leaves."""
