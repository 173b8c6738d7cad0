"""What goes wrong because of what we were given. Each message names the file, the field, the value and the wish."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import ValidationError

VALUE_SHOWN = 60  # characters of an offending value; the rest would bury the message


class VisionError(Exception):
    """Any error of ours; the commands print it and end with exit code 1."""


class InputError(VisionError):
    """A file, a line or an argument that cannot be used as it is."""


def shown(value: object) -> str:
    """Return the value as it was written, cut to a length a person can read."""
    text = repr(value)
    return text if len(text) <= VALUE_SHOWN else text[: VALUE_SHOWN - 1] + "…"


def field_path(parts: "Sequence[int | str]") -> str:
    """Write a path into a document the way a person would: `spots[3].polygon`."""
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def complaint(error: "ValidationError") -> str:
    """Say the first thing that is wrong with a document: field, value, wish."""
    first = error.errors(include_url=False)[0]
    where = field_path([part for part in first["loc"] if not str(part).startswith("function-")])
    wish = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        wish = "unknown key"
    if first["type"] == "missing":
        return f"{where}: missing"
    return f"{where}: {shown(first['input'])}: {wish}" if where else f"{shown(first['input'])}: {wish}"
