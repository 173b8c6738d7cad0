"""What a decision is worth: a seat's cards and what is known besides enter; the expected return per choice leaves.

The cards that are not known are dealt many times over, from those that are left, and each deal is settled by the rule
book. A raise is settled once as one Ante: what it wins grows with it. Later raises, where a game has several, are taken
to be the smallest and never folded, which is a lower bound of what continuing is worth. Values are in Antes.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from statistics import fmean, pstdev

from vision.rules.book.game import Game
from vision.rules.book.house import House
from vision.rules.due.decision import raise_fits
from vision.rules.due.record import Outcome, PlayedRound, SeatPlay, Status
from vision.rules.due.settle import settle
from vision.rules.hands.spread import Spread
from vision.rules.text.gamefile import Threshold, TimesRow, WagerSpec
from vision.values.cards import DECK, Card, Hand
from vision.values.errors import InputError

ANTE_CENTS = 10_000
DEALER, COMMUNITY = "dealer.hand", "table.community"
MOST_TIMES = 10
FOLD = 0


@dataclass(frozen=True, slots=True)
class Known:
    """What somebody can know when deciding: own and shared cards, the dealer's, and cards seen elsewhere."""

    cards: Hand
    community: Hand = ()
    dealer: Hand = ()
    elsewhere: Hand = ()


@dataclass(frozen=True, slots=True)
class Value:
    """What a choice returns on average, in Antes, with its standard error; 0 times is a fold."""

    times: int
    mean: float
    error: float


@dataclass(frozen=True)
class Decision:
    """One decision of one seat: the raise asked for, and what was raised before (in Antes)."""

    house: House
    raised: str
    made: Mapping[str, int] = field(default_factory=dict)

    @property
    def spec(self) -> WagerSpec:
        """Return the raise."""
        return self.house.game.wagers[self.raised]


def values(decision: Decision, known: Known, samples: int, seed: int) -> tuple[Value, ...]:
    """Return what each choice is worth: a fold, and every whole multiple that the text allows."""
    rng = random.Random(seed)  # noqa: S311 - sampling, not secrets
    rest, raises = [], []
    for _ in range(samples):
        others, own = _played_out(decision, _completed(decision, known, rng))
        rest.append(others)
        raises.append(own)
    folded = Value(FOLD, _folded(decision, _completed(decision, known, rng)), 0.0)
    legal = legal_times(decision.house.game, decision.raised, known.cards + known.community)
    return (folded, *(_value(times, rest, raises) for times in legal))


def best(found: tuple[Value, ...]) -> Value:
    """Return the choice that returns most."""
    return max(found, key=lambda value: value.mean)


def _value(times: int, rest: list[float], raises: list[float]) -> Value:
    nets = [others + times * own for others, own in zip(rest, raises, strict=True)]
    return Value(times, fmean(nets), pstdev(nets) / sqrt(len(nets)))


def _completed(decision: Decision, known: Known, rng: random.Random) -> PlayedRound:
    """Deal the cards that nobody has seen."""
    counts = decision.house.game.file.counts
    gone = {*known.cards, *known.community, *known.dealer, *known.elsewhere}
    short = [(DEALER, known.dealer), (COMMUNITY, known.community)]
    missing = [max(counts.get(zone, 0) - len(seen), 0) for zone, seen in short]
    drawn = rng.sample([card for card in DECK if card not in gone], sum(missing))
    dealer, community = drawn[: missing[0]], drawn[missing[0] :]
    seat = SeatPlay(1, known.cards, {})
    return PlayedRound((seat,), (*known.dealer, *dealer), community=(*known.community, *community))


def _stakes(decision: Decision) -> dict[str, int]:
    base = decision.spec.of or ""
    twins = [wager.id for wager in decision.house.game.stakes.values() if wager.equal_to == base]
    before = {raised: times * ANTE_CENTS for raised, times in decision.made.items()}
    return {base: ANTE_CENTS, **dict.fromkeys(twins, ANTE_CENTS), **before}


def _settled(decision: Decision, deal: PlayedRound, stakes: dict[str, int], *, folded: bool) -> dict[str, float]:
    """Settle one seat; return what each wager gained, in Antes."""
    seat = SeatPlay(1, deal.seats[0].cards, stakes, folded)
    due = settle(decision.house, PlayedRound((seat,), deal.dealer, community=deal.community))
    lines = due.seats[0].lines if due.status is Status.SETTLED else {}
    undecided = next((line.why for line in lines.values() if line.outcome is Outcome.UNRESOLVED), None)
    if undecided is not None or not lines:
        raise InputError(f"{decision.house.game.id}: the rules do not settle this decision: {undecided or due.remedy}")
    return {wager: float(Fraction(line.net) / ANTE_CENTS) for wager, line in lines.items()}


def _played_out(decision: Decision, deal: PlayedRound) -> tuple[float, float]:
    """Return what everything else gains when this is raised, and what one Ante of this raise gains."""
    game = decision.house.game
    later = game.decisions[game.decisions.index(decision.spec) + 1 :]
    stakes = _stakes(decision) | dict.fromkeys([decision.raised, *(raised.id for raised in later)], ANTE_CENTS)
    gains = _settled(decision, deal, stakes, folded=False)
    own = gains.pop(decision.raised)
    return sum(gains.values()), own


def _folded(decision: Decision, deal: PlayedRound) -> float:
    return sum(_settled(decision, deal, _stakes(decision), folded=True).values())


def legal_times(game: Game, raised: str, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the whole multiples that the text allows with these cards."""
    row = legal_raise(game, raised, cards)
    return tuple(n for n in range(1, MOST_TIMES + 1) if row is not None and raise_fits(n, 1, row))


def legal_raise(game: Game, raised: str, cards: Hand) -> TimesRow | None:
    """Return how large the text lets a raise with these cards be; None where it does not say."""
    return next((row for row in game.wagers[raised].times if _holds(game, row, cards)), None)


def _holds(game: Game, row: TimesRow, cards: Hand) -> bool:
    """Tell whether a row about the player's own hand speaks of these cards."""
    least, below = row.at_least, row.below
    return (least is None or _reaches(game, least, cards)) and (below is None or not _reaches(game, below, cards))


def _reaches(game: Game, bound: Threshold, cards: Hand) -> bool:
    ranking = game.rankings[game.hand(bound.hand).rank]
    return ranking.standing(Spread.of(cards)).strength >= ranking.threshold(bound.cls, bound.rank)
