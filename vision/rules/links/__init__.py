"""Progressives as systems: meters that several tables feed, and their accounts."""
