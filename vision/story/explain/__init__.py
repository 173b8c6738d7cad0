"""The round as the best explanation of the facts: computed anew from frozen facts, never committed, never undone."""
