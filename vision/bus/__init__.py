"""The bus: what is known of a table, told over ZeroMQ to whoever listens; `docs/bus.md` is its contract."""
