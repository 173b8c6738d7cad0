"""Live: a source enters; what happened is stored and told, alerts get their clips, and the watcher says how it is."""
