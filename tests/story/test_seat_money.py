"""The money of a seat: what was seen of its chips enters; how likely each settlement is leaves."""

from fractions import Fraction

import pytest

from vision.rules.due.record import Line, Outcome
from vision.story.explain.chips import NONE, Chips, together
from vision.story.explain.money import Fate, Prices, SeatMoney, SpotSeen, WagerSpec
from vision.values.codes import Code

SPECS = (
    WagerSpec("ante", limits=(500, 50000)),
    WagerSpec("play", base="ante", factors=(1, 2, 3)),
    WagerSpec("ante_bonus", base="ante", is_bonus=True),
    WagerSpec("aces_up", limits=(100, 50000)),
)
PRICES = Prices(
    dict.fromkeys(
        (
            Code.UNDERPAID,
            Code.OVERPAID,
            Code.LOSER_PAID,
            Code.LOSER_NOT_COLLECTED,
            Code.WINNER_COLLECTED,
            Code.WINNER_NOT_PAID,
        ),
        0.003,
    )
)
CHIPS = (100, 500, 2500, 10000)
KEPT = {Fate.KEPT: 0.999, Fate.TAKEN: 0.001}
TAKEN = {Fate.KEPT: 0.001, Fate.TAKEN: 0.999}
WON = Line(Outcome.WIN, 500, Fraction(500), 500, "§1")
LOST = Line(Outcome.LOSE, 500, 0, 0, "§1")


def due(line: Line, stake: int) -> int:
    return stake * int(Fraction(line.paid or 0) / line.stake) if line.outcome is Outcome.WIN else 0


def money(seen: dict[str, SpotSeen], *lines: tuple[dict[str, Line], float]) -> SeatMoney:
    seat = SeatMoney(SPECS, PRICES, due, CHIPS, {})
    seat.explain([(seen, 1.0)], list(lines))
    return seat


def sure(cents: int) -> Chips:
    return Chips.of([(cents, 1.0)])


@pytest.mark.parametrize(
    ("line", "paid", "fates", "code"),
    [
        (WON, sure(500), KEPT, None),  # one to one
        (WON, sure(400), KEPT, Code.UNDERPAID),  # a chip short
        (WON, sure(600), KEPT, Code.OVERPAID),  # a chip too many
        (WON, None, KEPT, Code.WINNER_NOT_PAID),  # nothing came
        (WON, None, TAKEN, Code.WINNER_COLLECTED),  # and the stake went
        (LOST, None, TAKEN, None),  # as it should be
        (LOST, None, KEPT, Code.LOSER_NOT_COLLECTED),  # its player took it back
        (LOST, sure(500), KEPT, Code.LOSER_PAID),  # paid as if it had won
    ],
)
def test_what_was_read_surely_is_settled_surely(
    line: Line, paid: Chips | None, fates: dict[Fate, float], code: Code | None
) -> None:
    tally = money({"aces_up": SpotSeen(sure(500), paid, fates)}, ({"aces_up": line}, 1.0)).tallies["aces_up"]
    assert tally.codes[code] > 0.7


def test_a_doubtful_payment_is_right_rather_than_wrong() -> None:
    paid = Chips.of(
        [(400, 0.7), (500, 0.25)]
    )  # read one chip short, and a right payment is far likelier than a wrong one
    tally = money({"aces_up": SpotSeen(sure(500), paid, KEPT)}, ({"aces_up": WON}, 1.0)).tallies["aces_up"]
    assert tally.codes[None] > 0.9
    assert max(tally.paid, key=lambda cents: tally.paid[cents]) == 500


def test_a_payment_tells_the_stake() -> None:
    stake = Chips.of([(400, 0.6), (500, 0.4)])
    tally = money({"aces_up": SpotSeen(stake, sure(500), KEPT)}, ({"aces_up": WON}, 1.0)).tallies["aces_up"]
    assert tally.stakes[500] > 0.95


def test_a_raise_tells_its_base() -> None:
    seen = {
        "ante": SpotSeen(Chips.of([(400, 0.55), (500, 0.45)]), None, KEPT),
        "play": SpotSeen(sure(1500), None, KEPT),
    }
    tally = money(seen, ({}, 1.0)).tallies["ante"]
    assert tally.stakes[500] > 0.9  # three times 500; of 400 it is no legal multiple


def test_cards_in_doubt_leave_the_wager_in_doubt() -> None:
    seen = {"aces_up": SpotSeen(sure(500), None, {Fate.KEPT: 1.0, Fate.TAKEN: 1.0})}
    tally = money(seen, ({"aces_up": LOST}, 0.5), ({"aces_up": WON}, 0.5)).tallies["aces_up"]
    assert tally.outcomes["lose"] > 0.9  # nothing was paid, and dealers pay what is due


def test_an_illegal_raise_is_believed_where_both_stakes_are_sure() -> None:
    seen = {"ante": SpotSeen(sure(500), None, KEPT), "play": SpotSeen(sure(2500), None, KEPT)}
    tally = money(seen, ({}, 1.0)).tallies["play"]
    assert tally.broken[Code.PLAY_OUT_OF_RANGE] > 0.9


def test_shares_sum_to_one() -> None:
    seat = money({"aces_up": SpotSeen(Chips.of([(400, 0.6), (500, 0.3)]), sure(500), KEPT)}, ({"aces_up": WON}, 1.0))
    for shares in (seat.tallies["aces_up"].stakes, seat.tallies["aces_up"].paid, seat.tallies["aces_up"].codes):
        assert sum(shares.values()) == pytest.approx(1.0)


def test_amounts_add_up_whole() -> None:
    half = Chips.of([(100, 0.5), (200, 0.5)])
    assert together([half, half, NONE]).p(300) == pytest.approx(0.5, abs=1e-4)
