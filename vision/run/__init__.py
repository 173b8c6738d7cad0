"""Live: a source enters; what happened is stored and published, alerts get clips, the watcher reports its state."""
