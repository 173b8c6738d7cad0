"""Alerts: the difference between what was done and what the rules say, with its evidence."""
