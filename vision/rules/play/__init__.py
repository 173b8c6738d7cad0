"""What may happen when: the state of a round, and a ruling on each event."""
