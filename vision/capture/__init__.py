"""Capture: a camera, a stream or a file enters, frames with their stream time leave."""
