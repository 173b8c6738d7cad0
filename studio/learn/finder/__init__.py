"""The finder: what it learns from, the network, and its training."""
