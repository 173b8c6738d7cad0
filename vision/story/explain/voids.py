"""Rounds that end otherwise: what may void them, what the dealer made of it, and what then became of each wager.

A cause that was seen is not yet believed: whether the dealer went on or gave everything back is evidence about it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from vision.records.signal import Signal
from vision.rules.due.record import Irregularity, Outcome
from vision.rules.play.dealscript import Place
from vision.story.explain.cards import Cards
from vision.story.explain.context import TableContext, seat_place
from vision.story.explain.faces import ReadCard
from vision.story.explain.money import Tally
from vision.values.codes import Code

CALLED_OFF: Final = 0.005  # assumed: a round is called off for a cause that no camera sees
NOT_HONOURED: Final = 0.1  # assumed: a dealer goes on in a round that is void
SETTLED_UNREVEALED: Final = 0.02  # assumed: and does so without having turned the own hand
UNREVEALED: Final = 1e-6  # assumed: a dealer settles without turning the hand, while somebody plays


@dataclass(frozen=True)
class Cause:
    """Something that may void a round."""

    irregularity: Irregularity
    t_ns: int
    p: float  # that it really was
    seat: int | None = None
    cards: int = 0


def causes(
    context: TableContext,
    cards: Cards,
    hands: Mapping[Place, tuple[ReadCard, ...]],
    signals: list[Signal],
    since_ns: int,
) -> tuple[Cause, ...]:
    """Return what may void a round, in the order in which it happened."""
    found = [
        Cause(Irregularity(Code.DEALER_CARD_EXPOSED, after_raises=False), start, cards.faces.p_exposed)
        for start, _, _ in cards.faces.exposed[:1]
    ]
    if cards.faced:
        number = len(cards.faced)
        found.append(Cause(Irregularity(Code.CARD_FACED_IN_DECK, number), cards.faced[-1].born_ns, 0.97, None, number))
    counts = context.game.file.counts
    for place, hand in hands.items():
        if len(hand) != counts.get(place[0], len(hand)):
            t_ns = _shown_ns(cards, place)
            found.append(Cause(Irregularity(Code.WRONG_CARD_COUNT), t_ns, 0.97, place[1], len(hand)))
    found += _counted(context, cards, signals, since_ns)
    return tuple(sorted(found, key=lambda cause: cause.t_ns))


def _shown_ns(cards: Cards, place: Place) -> int:
    show = next((show for show in cards.shows if show.seat is not None and seat_place(show.seat) == place), None)
    return show.start_ns if show is not None else cards.faces.reveal_ns or cards.first_ns or 0


def _counted(context: TableContext, cards: Cards, signals: list[Signal], since_ns: int) -> list[Cause]:
    """Return counts of other systems that do not make a deck."""
    size = context.game.file.cards.size
    found = []
    for signal in signals:
        if signal.t_ns < since_ns or signal.number is None:
            continue
        if signal.kind == "shuffler-count" and signal.number != size:
            found.append(Cause(Irregularity("shuffler-count", signal.number), signal.t_ns, 1.0, None, signal.number))
        if signal.kind == "stub-count" and cards.first_ns is not None and signal.t_ns >= cards.first_ns:
            counts = context.game.file.counts
            dealt = sum(counts.get(place[0], 0) for place in cards.hands)
            deck = signal.number + dealt + len(cards.faced)
            if deck != size and (deck - size) % counts.get("seat.hand", size):
                found.append(Cause(Irregularity("stub-count", deck), signal.t_ns, 1.0, None, deck))
    return found


def as_unresolved(tallies: Mapping[str, Tally]) -> dict[str, Tally]:
    """Return what is told of wagers that a supervisor decides: what was done with them, and nothing that was due."""
    return {
        wager: replace(tally, due={None: 1.0}, outcomes={str(Outcome.UNRESOLVED): 1.0}, codes={None: 1.0})
        for wager, tally in tallies.items()
        if tally.outcomes.get("", 0.0) < 0.5
    }


def as_not_honoured(tallies: Mapping[str, Tally]) -> dict[str, Tally]:
    """Return what is told of wagers that were settled in a void round: what was paid or taken is wrong."""
    return {wager: _not_honoured(tally) for wager, tally in tallies.items() if tally.outcomes.get("", 0.0) < 0.5}


def _not_honoured(tally: Tally) -> Tally:
    settled = min(1.0, tally.taken + 1.0 - tally.paid.get(0, 0.0))
    codes: dict[Code | None, float] = {None: 1 - settled, Code.VOID_NOT_HONOURED: settled}
    return replace(tally, due={0: 1.0}, outcomes={str(Outcome.RETURNED): 1.0}, codes=codes)
