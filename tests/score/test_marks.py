"""What is right in a round, number by number."""

from collections.abc import Callable

import pytest
from stories import NS, Record, as_read, score, true_round, wager

from vision.score.clip import union_ns
from vision.score.marks import Mark, What, marks_of
from vision.score.measures import measures_of, quantile
from vision.score.records import Round, TrueRound
from vision.score.report import report

Spoil = Callable[[Record], object]


def values(true: list[Record], read: list[Record]) -> dict[str, float | None]:
    return {measure.key: measure.value for measure in measures_of([score(true, read)])}


def swap_card(read: Record) -> None:
    read["seats"][0]["cards"][0] = "4h"


def reorder(read: Record) -> None:
    read["seats"][0]["cards"].reverse()


def forget_wager(read: Record) -> None:
    del read["seats"][0]["wagers"]["aces_up"]


def invent_wager(read: Record) -> None:
    read["seats"][1]["wagers"]["six_card"] = wager(100)


def fold_both(read: Record) -> None:
    read["seats"][0]["decision"] = "fold"


def doubt(read: Record) -> None:
    read["seats"][0]["wagers"]["ante"] |= {"verdict": "unverifiable", "why": "hand over the spot"}


def forget_seat(read: Record) -> None:
    del read["seats"][1]


def mispay(read: Record) -> None:
    read["seats"][0]["wagers"]["ante"]["paid_cents"] = 400


def list_nothing(read: Record) -> None:
    read["seats"][1]["wagers"]["six_card"] = wager(0)


def lose_a_hidden_card(read: Record) -> None:
    read["seats"][1]["cards"].pop()


def guess_a_hidden_card(read: Record) -> None:
    read["seats"][1]["cards"][0] = "2c"


@pytest.mark.parametrize(
    ("spoil", "changed"),
    [
        (lambda _: None, {}),
        (reorder, {}),  # the order of the deal may be unknown
        (list_nothing, {}),  # nobody bet it
        (swap_card, {"cards": 10 / 11, "hands": 3 / 4, "rounds": 0.0}),
        (lose_a_hidden_card, {"hands": 3 / 4, "rounds": 0.0}),
        (guess_a_hidden_card, {"hands": 3 / 4, "rounds": 0.0}),
        (forget_wager, {"wagers": 2 / 3, "outcomes": 3 / 4, "paid": 3 / 4, "verdicts": 3 / 4, "rounds": 0.0}),
        (invent_wager, {"wagers": 3 / 4, "outcomes": 4 / 5, "verdicts": 4 / 5, "rounds": 0.0}),
        (fold_both, {"decisions": 1 / 2, "rounds": 0.0}),
        (mispay, {"paid": 3 / 4, "rounds": 0.0}),
        (doubt, {"unverifiable": 1 / 4, "verdicts": 3 / 4}),
        (
            forget_seat,
            {"hands": 3 / 4, "wagers": 2 / 3, "decisions": 1 / 2, "rounds": 0.0}
            | {"outcomes": 3 / 4, "paid": 3 / 4, "verdicts": 3 / 4},
        ),
    ],
)
def test_one_mistake(spoil: Spoil, changed: dict[str, float]) -> None:
    true = true_round()
    read = as_read(true)
    perfect = values([true], [as_read(true)])
    spoil(read)
    assert values([true], [read]) == perfect | changed


def test_a_perfect_run_is_perfect() -> None:
    found = values([true_round()], [as_read(true_round())])
    ones = ("cards", "wagers", "rounds", "play_wagers", "hands", "decisions", "outcomes", "paid", "verdicts")
    assert [found[key] for key in ones] == [1.0] * len(ones)
    assert (found["unverifiable"], found["false_alerts"]) == (0.0, 0.0)
    assert (found["recall"], found["delay_p95"], found["steep_bounded"]) == (None, None, None)


def marks(true: Record, read: Record, edges: dict[tuple[int, str], float] | None = None) -> list[Mark]:
    return marks_of(TrueRound.model_validate(true, strict=False), Round.model_validate(read, strict=False), edges or {})


@pytest.mark.parametrize(
    ("dealer_shown", "events", "bonus", "faces"),
    [
        (True, [{"kind": "bonus-turned", "t_ns": 5}], "Ad", 12),
        (True, [{"kind": "bets-closed", "t_ns": 5}], "Ad", 11),  # the bonus card stayed face down
        (False, [{"kind": "bets-closed", "t_ns": 5}], None, 6),  # only the up card of the dealer's
        (True, [], "Ad", 12),  # a truth without events knows what was seen
        (False, [{"kind": "dealt", "t_ns": 5, "seat": 5, "up": 2, "cards": ["Qs", "7h"]}], None, 8),
    ],
)
def test_only_shown_faces_are_asked(dealer_shown: bool, events: list[Record], bonus: str | None, faces: int) -> None:
    true = true_round(events=events, bonus_card=bonus)
    true["dealer"]["shown"] = dealer_shown
    assert sum(mark.what is What.CARD for mark in marks(true, as_read(true))) == faces


@pytest.mark.parametrize(
    ("cents", "bounds", "is_exact", "is_bounded"),
    [
        (500, None, True, True),
        (400, [300, 600], False, True),
        (None, [300, None], False, True),  # "at least $3"
        (None, [600, None], False, False),
        (None, None, False, False),
        (400, None, False, False),
    ],
)
def test_steep_stakes_are_held_to_their_bounds(
    cents: int | None, bounds: list[int | None] | None, is_exact: bool, is_bounded: bool
) -> None:
    true = true_round()
    read = as_read(true)
    read["seats"][0]["wagers"]["ante"] |= {"cents": cents, "bounds": bounds}
    found = {
        m.what: m.is_right for m in marks(true, read, {(2, "ante"): 1.1}) if (m.place, m.wager) == ("seat.2", "ante")
    }
    assert (found[What.STEEP], found[What.STEEP_BOUNDED]) == (is_exact, is_bounded)
    assert found.get(What.BOUNDS) == (is_bounded if bounds else None)
    assert What.WAGER not in found


def test_rounds_are_matched_by_time_not_by_name() -> None:
    first, second = true_round(1), true_round(2, 60)
    second["seats"][0]["decision"] = "fold"
    swapped = [as_read(second, id="t-1"), as_read(first, id="t-2")]
    assert values([first, second], swapped)["rounds"] == 1.0


def test_missed_and_invented_rounds_are_counted() -> None:
    true = [true_round(1), true_round(2, 60), true_round(3, 120)]
    late = as_read(true[2], started_ns=121 * NS, ended_ns=200 * NS)
    invented = as_read(true[0], 9, started_ns=300 * NS, ended_ns=310 * NS)
    document = report([score(true, [as_read(true[0], 1), late, invented])])
    assert document["rounds"] == {"true": 3, "read": 3, "missed": 1, "invented": 1, "exact": 2}
    assert document["verdicts"]["rounds"] == {"none": {"right": 1}, "right": {"none": 1, "right": 2}}
    assert [(entry["what"], entry["round"], entry["read"]) for entry in document["worst"]] == [
        ("missed", "t-2", None),
        ("invented", None, "r-9"),
    ]


def test_the_best_assignment_wins_over_the_first() -> None:
    """A record that reaches a little into the round before belongs to its own."""
    true = [true_round(1), true_round(2, 60)]
    read = [as_read(true[1], 1, started_ns=55 * NS), as_read(true[0], 2, ended_ns=54 * NS)]
    assert values(true, read)["rounds"] == 1.0


def test_the_worst_round_says_where_to_look() -> None:
    read = as_read(true_round())
    mispay(read)
    (entry,) = report([score([true_round()], [read])])["worst"]
    (mistake,) = entry["mistakes"]
    assert (entry["start_ns"], entry["end_ns"], entry["frames"]) == (0, 60 * NS, [0, 600])
    assert (mistake["what"], mistake["place"], mistake["wager"]) == ("paid", "seat.2", "ante")
    assert (mistake["want"], mistake["got"], mistake["frames"]) == (500, 400, [390, 410])


def test_reasons_and_coverage_are_added_up() -> None:
    read = as_read(true_round())
    for name, why in (("ante", "at least $15"), ("play", "at least $5"), ("aces_up", "hand over the spot")):
        read["seats"][0]["wagers"][name] |= {"verdict": "unverifiable", "why": why}
    ledger = [
        {"start_ns": 0, "end_ns": 40 * NS, "state": "watched", "why": None},
        {"start_ns": 40 * NS, "end_ns": 50 * NS, "state": "not observed", "why": "frames lost"},
        {"start_ns": 60 * NS, "end_ns": 90 * NS, "state": "closed", "why": None},
    ]
    document = report([score([true_round()], [read], coverage=ledger)])
    assert document["unverifiable"] == {"at least …": 2, "hand over the spot": 1}
    assert document["coverage"] == {
        "watched_s": 40.0,
        "closed_s": 30.0,
        "unaccounted_s": 10.0,
        "not_observed_s": {"frames lost": 10.0},
    }
    assert next(entry["value"] for entry in document["measures"] if entry["measure"] == "coverage") == round(2 / 3, 6)


@pytest.mark.parametrize(
    ("spans", "total"),
    [([], 0), ([(0, 5)], 5), ([(0, 5), (3, 8)], 8), ([(6, 8), (0, 5)], 7), ([(0, 9), (2, 3)], 9), ([(5, 4)], 0)],
)
def test_union(spans: list[tuple[int, int]], total: int) -> None:
    assert union_ns(spans) == total


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.95, 4.0), (0.0, 1.0), (1.0, 4.0)])
def test_quantile(share: float, value: float) -> None:
    assert quantile([1.0, 2.0, 3.0, 4.0], share) == value
    assert quantile([], share) is None
