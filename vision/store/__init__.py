"""The store: an append-only log of all that is known of the tables, and an index to find rounds and alerts in it."""
