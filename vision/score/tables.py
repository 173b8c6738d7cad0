"""The accuracy report as tables in a terminal."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

PIPED_WIDTH: Final = 140
NS: Final = 1_000_000_000
SHOWN: Final = 4  # mistakes of a round; the report has them all
COUNTS: Final = ("faults", "hit", "missed", "false", "explained", "withdrawn", "late")
MOST_CLIPS: Final = 40  # that are listed one by one


def show_report(document: dict[str, Any]) -> None:
    """Print a report on stderr; stdout is for data."""
    out = Console(stderr=True, highlight=False, width=None if sys.stderr.isatty() else PIPED_WIDTH)
    counts = document["rounds"]
    out.print(
        f"[bold]{counts['true']} rounds[/]: {counts['exact']} exactly right, {counts['missed']} missed, "
        f"{counts['invented']} invented"
    )
    for grid in _grids(document):
        if grid.row_count:
            out.print(grid)
    for text in (*document["warnings"], *(f"{name}: no run of this clip" for name in document["unscored"])):
        out.print(f"[yellow]{text}[/]")


def _grids(document: dict[str, Any]) -> Iterator[Grid]:
    yield _measures(document["measures"])
    yield _alerts("Alerts", "code", {**document["alerts"], **_all(document)})
    yield _alerts("Faults with variants", "fault", _variants(document["faults"]), COUNTS[:3])
    for what in ("rounds", "wagers"):
        yield _verdicts(what, document["verdicts"][what])
    yield _pairs("Unverifiable, by reason", ("reason", "wagers"), document["unverifiable"])
    yield _pairs("Not observed", ("reason", "seconds"), document["coverage"]["not_observed_s"])
    yield _worst(document["worst"])
    if document["groups"]:
        yield _clips("Group by group", "group", document["groups"])
    if 1 < len(document["clips"]) <= MOST_CLIPS:
        yield _clips("Clip by clip", "clip", document["clips"])


def _measures(entries: list[dict[str, Any]]) -> Grid:
    grid = _grid("How right", "measure", "reached", "of", "floor", "aim", "")
    for entry in entries:
        unit = entry["unit"]
        met = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[entry["met"]]
        numbers = [_number(entry[key], unit) for key in ("value", "floor", "aim")]
        grid.add_row(
            entry["name"], numbers[0], str(entry["samples"]), *(n if n != "-" else "" for n in numbers[1:]), met
        )
    return grid


def _all(document: dict[str, Any]) -> dict[str, Any]:
    return {"all": document["all_alerts"]} if document["alerts"] else {}


def _variants(faults: dict[str, Any]) -> dict[str, Any]:
    return {name: entry for name, entry in faults.items() if ":" in name}


def _alerts(title: str, what: str, rows: dict[str, Any], counts: Sequence[str] = COUNTS) -> Grid:
    kinds = ("precision", "recall") if counts == COUNTS else ("recall",)
    grid = _grid(title, what, *counts, *kinds, "median", "95 %")
    for code, entry in rows.items():
        shares = [_number(entry[key], "%") for key in kinds]
        delays = [_number(entry[key], "s") for key in ("delay_p50_s", "delay_p95_s")]
        grid.add_row(code, *(str(entry[key]) for key in counts), *shares, *delays)
    return grid


def _verdicts(what: str, table: dict[str, dict[str, int]]) -> Grid:
    columns = list(dict.fromkeys(read for row in table.values() for read in row))
    grid = _grid(f"Verdicts on {what}", "true", *(f"read {read}" for read in columns))
    for true, row in table.items():
        grid.add_row(true, *(str(row.get(read, "")) for read in columns))
    return grid


def _pairs(title: str, columns: tuple[str, str], rows: dict[str, Any]) -> Grid:
    grid = _grid(title, *columns)
    for name, number in rows.items():
        grid.add_row(name, str(number))
    return grid


def _worst(entries: list[dict[str, Any]]) -> Grid:
    grid = _grid("Rounds to look at", "clip", "round", "seconds", "frames", "what")
    for entry in entries:
        name = entry["round"] or entry["read"]
        told = [_mistake(mistake) for mistake in entry["mistakes"][:SHOWN]]
        more = len(entry["mistakes"]) - SHOWN
        told += [f"and {more} more"] if more > 0 else []
        is_lost = entry["what"] != "mistaken"
        grid.add_row(entry["clip"], name, _seconds(entry), _frames(entry), "\n".join([entry["what"]] * is_lost + told))
    return grid


def _mistake(entry: dict[str, Any]) -> str:
    when = f"({_seconds(entry)} s)"
    if "code" in entry:
        spot = " ".join(f"{key} {entry[key]}" for key in ("seat", "wager") if entry[key] is not None)
        return " ".join(word for word in (f"{entry['what']}: {entry['code']}", spot, when) if word)
    place = " ".join(word for word in (entry["place"], entry["wager"]) if word)
    return f"{place}: {entry['what']}: want {_value(entry['want'])}, got {_value(entry['got'])} {when}"


def _clips(title: str, what: str, entries: list[dict[str, Any]]) -> Grid:
    keys = list(entries[0]["measures"])
    grid = _grid(title, what, "rounds", *(key.replace("_", " ") for key in keys))
    units = {"false_alerts": "", "delay_p95": "s"}
    for entry in entries:
        values = [_number(entry["measures"][key], units.get(key, "%")) for key in keys]
        grid.add_row(entry["clip"], str(entry["rounds"]["true"]), *values)
    return grid


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return f"{100 * value:.2f} %" if unit == "%" else f"{value:.2f} s" if unit == "s" else f"{value:.4g}"


def _value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return " ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)


def _seconds(entry: dict[str, Any]) -> str:
    return f"{entry['start_ns'] / NS:.1f} to {entry['end_ns'] / NS:.1f}"


def _frames(entry: dict[str, Any]) -> str:
    return "{} to {}".format(*entry["frames"]) if entry["frames"] else ""


def _grid(title: str, *columns: str) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", header_style="dim", box=SIMPLE_HEAD)
    words = ("measure", "code", "fault", "true", "reason", "clip", "group", "round", "what", "seconds", "frames", "")
    for column in columns:
        grid.add_column(column, justify="left" if column in words else "right")
    return grid
