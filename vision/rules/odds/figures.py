"""The texts' own figures, recomputed: house edges, hit frequencies and odds, printed against computed."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from vision.rules.book.game import Game, load_game
from vision.rules.odds.arrays import Spreads, all_hands, paid_rows
from vision.rules.odds.basegame import base_edge
from vision.rules.odds.pairs import DEALS, LowerHand, lower_hands
from vision.rules.text.gamefile import RankSpec, Row, Table
from vision.rules.text.pays import Kind
from vision.values.resources import GAMES

Measure = Literal["edge", "hit", "top", "lower_edge", "lower_hit", "base_edge", "advantage"]
CENTS = 100


class Figure(BaseModel):
    """One printed figure."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    cite: str
    game: str
    table: list[str]
    measure: Measure
    published: str
    remark: str | None = None
    meter_cents: int = 0
    envy_players: int = 0


@dataclass(frozen=True, slots=True)
class Computed:
    """A figure as it comes out, with the standard error where it was sampled."""

    figure: Figure
    value: float  # percent, or n of 'n to 1'
    error: float = 0.0

    @property
    def text(self) -> str:
        """Return the value with the decimals of the print, and one more."""
        if not self.figure.published.endswith("%"):
            return f"{self.value:,.0f} to 1"
        margin = f" ± {self.error:.2f}" if self.error else ""
        return f"{self.value:.{_decimals(self.figure) + 1}f}%{margin}"

    @property
    def agrees(self) -> bool:
        """Tell whether the print is the value rounded; a sampled value may be two standard errors off."""
        printed = float(self.figure.published.split("%")[0].split(" to ")[0].replace(",", ""))
        return abs(self.value - printed) <= 0.5 * 10.0 ** -_decimals(self.figure) + 2 * self.error + 1e-9


def read_figures() -> list[Figure]:
    """Return the figures that the texts print."""
    document = tomllib.loads((GAMES / "published.toml").read_text(encoding="utf-8"))
    return [Figure.model_validate(figure) for figure in document["figure"]]


def recompute(figures: list[Figure], report: Callable[[str], None]) -> Iterator[Computed]:
    """Recompute the figures one by one; `report` hears what is being done."""
    for figure in figures:
        report(f"{figure.cite}: {figure.measure}")
        yield _COMPUTE[figure.measure](figure)


def exact_edge(game: Game, group: str, letter: str) -> Fraction:
    """Return the house edge of a paytable that pays on one hand of five, per unit staked."""
    return 1 - sum((share * _returned(row) for share, row in _shares(game, group, letter)), start=Fraction(0))


def _returned(row: Row) -> Fraction:
    """Return what comes back per unit staked, the stake counted where it does."""
    if row.pay.kind is Kind.PUSH:
        return Fraction(1)
    return Fraction(row.pay.numerator, row.pay.denominator) + (row.pay.kind is Kind.TO)


def _edge(figure: Figure) -> Computed:
    game, table = load_game(figure.game), figure.table
    return Computed(figure, 100 * float(exact_edge(game, table[0], table[1])))


def _hit(figure: Figure) -> Computed:
    shares = _shares(load_game(figure.game), *figure.table)
    return Computed(figure, 100 * float(sum((share for share, _ in shares), start=Fraction(0))))


def _top(figure: Figure) -> Computed:
    share, _ = _shares(load_game(figure.game), *figure.table)[0]
    return Computed(figure, float(1 / share) - 1)


def _advantage(figure: Figure) -> Computed:
    """Return the edge of a progressive per $1 with the meter at its average and envy from other players."""
    game, letter = load_game(figure.game), figure.table[1]
    back = Fraction(0)
    for share, row in _shares(game, "progressive", letter):
        back += share * (Fraction(figure.meter_cents, CENTS) if row.pay.kind is Kind.SHARE else _returned(row))
    for share, row in _shares(game, "envy", letter):
        back += figure.envy_players * share * Fraction(row.pay.numerator, CENTS)
    return Computed(figure, 100 * float(1 - back))


def _lower_edge(figure: Figure) -> Computed:
    counts = _lower_counts(figure.game)
    rows = _table(load_game(figure.game), *figure.table).rows
    back = sum((Fraction(counts[row.cls].beaten, DEALS) * _returned(row) for row in rows), start=Fraction(0))
    return Computed(figure, 100 * float(1 - back))


def _lower_hit(figure: Figure) -> Computed:
    beaten = sum(count.beaten for count in _lower_counts(figure.game).values())
    return Computed(figure, 100 * beaten / DEALS)


def _base_edge(figure: Figure) -> Computed:
    game = load_game(figure.game)
    edge, error = base_edge(game.file.rank["four"], _table(game, *figure.table).rows)
    return Computed(figure, 100 * edge, 100 * error)


_COMPUTE: dict[Measure, Callable[[Figure], Computed]] = {
    "edge": _edge,
    "hit": _hit,
    "top": _top,
    "lower_edge": _lower_edge,
    "lower_hit": _lower_hit,
    "base_edge": _base_edge,
    "advantage": _advantage,
}


def _table(game: Game, group: str, letter: str) -> Table:
    return game.letters(group)[letter]


def _shares(game: Game, group: str, letter: str) -> list[tuple[Fraction, Row]]:
    """Return the exact share of all five-card hands that each row pays."""
    table = _table(game, group, letter)
    rank = game.file.rank[game.hand(table.hand or "best4").rank]
    paid = paid_rows(rank, table.rows, _five_cards())
    hands = len(paid)
    return [(Fraction(int(np.count_nonzero(paid == i)), hands), row) for i, row in enumerate(table.rows)]


@cache
def _five_cards() -> Spreads:
    return Spreads.of(all_hands(5))


@cache
def _lower_counts(game_id: str) -> dict[str, LowerHand]:
    spec: RankSpec = load_game(game_id).file.rank["four"]
    return lower_hands(spec, "two_pair")


def _decimals(figure: Figure) -> int:
    number = figure.published.split("%")[0]
    return len(number.split(".")[1]) if "." in number else 0
