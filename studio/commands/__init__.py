"""The commands that `feltwatch` has where the studio is installed."""
