"""Up to where the log of each table was told to a page; written `table=seq&table=seq`."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from vision.store.log import Store


def present(store: Store) -> dict[str, int]:
    """Return where the logs end now."""
    return {table: store.last_seq(table) for table in store.tables()}


def parse(text: str) -> dict[str, int]:
    """Read what was written; what is not a number is as if nothing was told of that table."""
    return {table: int(seq) for table, seq in parse_qsl(text) if seq.isascii() and seq.isdecimal()}


def text(after: Mapping[str, int]) -> str:
    """Write where the logs were told up to; the inverse of `parse`."""
    return "&".join(f"{table}={seq}" for table, seq in after.items())
