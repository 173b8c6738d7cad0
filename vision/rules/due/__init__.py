"""What a round owes: every wager settled by the text, with its citation."""
