"""Pictures for people: overlays, annotated frames, stills, terminal output."""
