"""Footage: packets of a stream enter as they come; segments on disk, clips of alerts and single pictures leave."""
