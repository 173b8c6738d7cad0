"""What a table's other systems would say: true rounds enter; signals of decks and counts leave.

The pit's terminal knows since when a deck is in play, and what the dealer counted. Where the stub has to be counted,
the deck was counted before the first round.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from studio.play.procedure_faults import count_every
from vision.records.signal import Signal
from vision.rules.book.sheet import HouseSheet
from vision.values.cards import DECK


def signals_of(sheet: HouseSheet, rounds: Sequence[Mapping[str, Any]]) -> list[Signal]:
    """Return what is said while some rounds are played."""
    first = [Signal(t_ns=0, kind="stub-count", number=len(DECK))] if count_every(sheet) is not None else []
    return [*first, *(signal for played in rounds for signal in (*_deck(played), *_counts(played)))]


def _deck(played: Mapping[str, Any]) -> Iterator[Signal]:
    """Yield since when the deck is in play, where that is known."""
    if "deck" in played:
        yield Signal(t_ns=max(played["started_ns"], 0), kind="deck", since_ns=played["deck"]["opened_ns"])


def _counts(played: Mapping[str, Any]) -> Iterator[Signal]:
    """Yield what was counted in the stub."""
    events = played["events"]
    gone = sum(len(event["cards"]) for event in events if event["kind"] in ("dealt", "burned"))
    for event in (event for event in events if event["kind"] == "stub" and event["counted"]):
        yield Signal(t_ns=event["t_ns"], kind="stub-count", number=len(event.get("cards", DECK[gone:])))
