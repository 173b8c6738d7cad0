"""Tables for other programs: rows enter, CSV leaves."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would carry out what begins so


def table_of(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV; no cell of text can be taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def _safe(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
