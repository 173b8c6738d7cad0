"""Runs, live or replayed: frames enter one loop; its records are stored and published, or become files."""
