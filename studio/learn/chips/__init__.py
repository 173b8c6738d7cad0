"""The chip stack reader's learning side: random chips and stacks, the network, its training and its judge."""
