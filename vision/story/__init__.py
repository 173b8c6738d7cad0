"""Rounds: tracks enter; the story of each round leaves: bet, deal, decide, reveal, settle, clear."""
