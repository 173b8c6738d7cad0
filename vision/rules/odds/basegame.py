"""The edge of Ante, Play and automatic bonus, by sampling: every player hand once, the dealer's at random.

The texts name no strategy. The printed edges are matched per unit bet by the simple one taken here: fold below a
pair of threes, one times the Ante from there, three times from a pair of tens.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.rules.odds.arrays import NOT_PAID, Bools, Ints, Spreads, all_hands, class_shift, paid_rows, strengths
from vision.rules.text.gamefile import RankSpec, Row

SEED = 641
PASSES = 3  # dealer hands per player hand
DECK_SIZE, PLAYER, DEALER = 52, 5, 6
THREES, TENS = 3, 10


@dataclass(frozen=True, slots=True)
class Sample:
    """Every player hand against random dealer hands: the raise it makes and whether it won."""

    players: Spreads
    raised: Ints
    won: list[Bools]  # one entry per pass, for the hands that play


@cache
def _sample(rank_json: str) -> Sample:
    spec = RankSpec.model_validate_json(rank_json)
    hands = all_hands(PLAYER)
    players = Spreads.of(hands)
    codes = strengths(spec, players)
    raised = _raises(spec, codes)
    playing = raised > 0
    random = np.random.default_rng(SEED)
    dealt = (Spreads.of(_dealer_hands(hands[playing], random)) for _ in range(PASSES))
    return Sample(players, raised, [codes[playing] >= strengths(spec, dealers) for dealers in dealt])


def base_edge(spec: RankSpec, bonus: list[Row]) -> tuple[float, float]:
    """Return the house edge per unit bet and its standard error."""
    sample = _sample(spec.model_dump_json())
    playing = sample.raised > 0
    bonuses = _bonus_units(spec, bonus, sample.players)
    nets = []
    for won in sample.won:
        net = np.full(len(playing), -1.0)
        net[playing] = np.where(won, 1.0, -1.0) * (1 + sample.raised[playing]) + bonuses[playing]
        nets.append(net)
    all_nets = np.concatenate(nets)
    bet = 1 + sample.raised.mean()
    return float(-all_nets.mean() / bet), float(all_nets.std() / np.sqrt(len(all_nets)) / bet)


def _raises(spec: RankSpec, codes: Ints) -> Ints:
    """Return the Play wager of each hand in units of the Ante; 0 is a fold."""
    pair = next(len(spec.order) - i for i, cls in enumerate(spec.order) if cls.id == "pair")
    rank_bits = class_shift(spec) - 4
    level = codes >> rank_bits  # class and highest made rank
    return np.where(level >= pair << 4 | TENS, 3, np.where(level >= pair << 4 | THREES, 1, 0))


def _bonus_units(spec: RankSpec, rows: list[Row], players: Spreads) -> NDArray[Any]:
    pays = np.array([row.pay.numerator / row.pay.denominator for row in rows] + [0.0])
    paid = paid_rows(spec, rows, players)
    return pays[np.where(paid == NOT_PAID, len(rows), paid)]


def _dealer_hands(taken: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    """Draw six different cards for each row out of those not taken (Floyd's sampling, row by row at once)."""
    left = DECK_SIZE - PLAYER
    drawn = np.full((len(taken), DEALER), -1, np.int64)
    for i, last in enumerate(range(left - DEALER, left)):
        card = random.integers(0, last + 1, len(taken))
        repeated = (drawn[:, :i] == card[:, None]).any(axis=1)
        drawn[:, i] = np.where(repeated, last, card)
    for column in taken.T.astype(np.int64):  # ascending: step over each card that is taken
        drawn += drawn >= column[:, None]
    return drawn.astype(np.uint8)
