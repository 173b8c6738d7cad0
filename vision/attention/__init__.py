"""Where to look: frames enter; changed regions, view quality and light leave."""
