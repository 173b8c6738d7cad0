"""Score: what a run wrote is held against what really happened; numbers with floors, and where to look, come out."""
