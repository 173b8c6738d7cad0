"""The bus: what is known of a table, published over ZeroMQ to whoever listens; `docs/bus.md` is its contract."""
