"""Edges, meters and decisions as tables in a terminal."""

from collections.abc import Sequence

from vision.draw.terminal import OUT, make_grid
from vision.rules.links.reconcile import Interval
from vision.rules.odds.advantage import SeatReport
from vision.rules.odds.houseedge import Edge, OwnPaytable
from vision.values.money import dollars

NS = 10**9


def edges(found: Sequence[Edge], own: Sequence[OwnPaytable]) -> None:
    """Print what the house keeps of every wager, and the paytables that no text prints."""
    grid = make_grid("House edges, per unit bet", "wager", "edge", "error", "how", "remark")
    for entry in found:
        edge = "?" if entry.edge is None else f"{100 * entry.edge:.2f} %"
        error = f"± {100 * entry.error:.2f}" if entry.error else ""
        grid.add_row(entry.wager, edge, error, entry.how, entry.note or "")
    OUT.print(grid)
    for table in own:
        OUT.print(f"[yellow]paytable.{table.group}: in no text[/]; nearest is {table.nearest or 'none'}")
        OUT.print(*(f"  {line}" for line in table.differs), sep="\n")


def meters(found: Sequence[Interval]) -> None:
    """Print every meter between its readings."""
    grid = make_grid("Progressive meters", "meter", "from s", "to s", "rounds", "showed", "should be", "off", "alert")
    for entry in found:
        most = "" if entry.most_cents is None else f" to {dollars(entry.most_cents)}"
        grid.add_row(
            entry.meter,
            f"{entry.start_ns / NS:.1f}",
            f"{entry.end_ns / NS:.1f}",
            str(len(entry.rounds)),
            dollars(entry.end_cents),
            f"{dollars(entry.least_cents)}{most or ' or more'}",
            dollars(entry.off_cents) if entry.off_cents else "",
            f"[red]{entry.code}[/]" if entry.code else "",
        )
    OUT.print(grid)


def decisions(found: Sequence[SeatReport]) -> None:
    """Print the figures of every seat; they accuse nobody."""
    names = (
        "table",
        "seat",
        "decisions",
        "by the book",
        "return",
        "with exposed cards",
        "telling",
        "followed",
        "chance",
    )
    grid = make_grid("Decisions, in Antes per decision", *names)
    for seat in found:
        chance = "" if seat.chance is None else f"{seat.chance:.3f}"
        returns = (f"{seat.return_open:+.2f}", f"{seat.return_informed:+.2f}")
        counts = (str(seat.decisions), str(seat.by_the_book))
        grid.add_row(seat.table, str(seat.seat), *counts, *returns, str(seat.telling), str(seat.followed), chance)
    OUT.print(grid)
    OUT.print(
        "Telling: the exposed cards call for another choice. Chance: that this seat's usual deviations follow so often."
    )
