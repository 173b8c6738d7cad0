"""Decks and counts by signals: what is wrong, what is due, each told once; and nothing where nobody says anything."""

from typing import Any

import pytest
from scenes import DEALER_HAND, WINNER, Scene
from things import TICK_NS

from vision.rules.book.sheet import Shuffler
from vision.story.decks import HOUR_NS

BY_HAND = {"deal_method": "hand", "shuffler": Shuffler(automatic=True), "decks": 1}
LEFT = 52 - 5 - 6  # in the stub, with one player


def told(scene: Scene, *codes: str) -> list[dict[str, Any]]:
    return [alert for alert in scene.said["alerts"] if alert["code"] in codes]


def one_round(scene: Scene, count: int | None = None, seat: int = 3) -> None:
    """Play a round to its end; the stub may be counted after the deal."""
    scene.wait(3.0)
    scene.put(seat, "ante", 500)
    scene.wait(3.0)
    scene.deal(seat)
    if count is not None:
        scene.signal("stub-count", number=count)
    scene.put(seat, "play", 500)
    scene.wait(1.0)
    scene.reveal(DEALER_HAND)
    scene.show(seat, WINNER)
    for wager in ("ante", "play"):
        scene.put(seat, wager, 500, by="dealer", key="paid")
    scene.clear(("shown", seat))
    for (owner, wager), key in [name for name in scene.things if isinstance(name[1], str)]:
        scene.take(owner, wager, "player", str(key))
    scene.clear(("dealer.hand", None))
    scene.wait(4.0)


@pytest.mark.parametrize(
    ("house", "number", "code", "cite"),
    [
        ("maryland", LEFT, None, None),  # 52 with what was dealt
        ("maryland", LEFT - 1, "stub-count-wrong", "MD ch.8"),  # one is gone
        ("maryland", LEFT + 1, "stub-count-wrong", "MD ch.8"),  # one too many
        ("maryland", LEFT - 5, None, None),  # as many as a hand: rather one that was not seen
        ("south-dakota", LEFT - 1, "stub-count-wrong", "SD silent"),  # no rule: a supervisor decides
    ],
)
def test_a_count_of_the_stub(house: str, number: int, code: str | None, cite: str | None) -> None:
    scene = Scene(house, **BY_HAND)
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3)
    scene.signal("stub-count", number=number)
    found = told(scene, "stub-count-wrong")
    assert [alert["code"] for alert in found] == ([code] if code else [])
    if found:
        assert found[0]["cite"].startswith(cite)
        assert found[0]["remedy"]
        assert f"the deck has {52 + number - LEFT}" in found[0]["observed"]
        assert (scene.played.state.void is not None) == (house == "maryland")


def test_what_is_left_of_a_round_that_was_not_seen_is_no_deck() -> None:
    scene = Scene()
    scene.wait(1.0)
    scene.signal("stub-count", number=37)
    assert told(scene, "stub-count-wrong") == []


@pytest.mark.parametrize(("number", "codes"), [(52, []), (51, ["stub-count-wrong"]), (53, ["stub-count-wrong"])])
@pytest.mark.parametrize("kind", ["shuffler-count", "stub-count"])  # between rounds the stub is the whole deck
def test_a_deck_that_is_counted_between_rounds(kind: str, number: int, codes: list[str]) -> None:
    scene = Scene()
    scene.wait(1.0)
    scene.signal(kind, number=number)
    assert scene.codes() == codes
    assert all(alert["round"] == "t-idle" and alert["cite"].startswith("MD") for alert in scene.said["alerts"])


@pytest.mark.parametrize(
    ("first", "counts", "due"),
    [
        (52, [None] * 6, [5]),  # told in the fifth round, and once
        (None, [None] * 6, []),  # nobody ever said anything: silence proves nothing
        (52, [None, None, LEFT, None, None], []),  # counted in between
        (None, [LEFT, None, None, None, None, None], [6]),  # five rounds after a count
    ],
)
def test_a_count_that_is_due(first: int | None, counts: list[int | None], due: list[int]) -> None:
    scene = Scene("maryland", **BY_HAND)
    scene.wait(0.5)
    if first is not None:
        scene.signal("stub-count", number=first)
    for count in counts:
        one_round(scene, count)
    assert [alert["round"] for alert in told(scene, "stub-count-due")] == [f"t-{number:04d}" for number in due]
    assert all(alert["cite"].startswith("MD ch.8") for alert in told(scene, "stub-count-due"))


def test_a_shuffler_that_counts_makes_it_needless() -> None:
    scene = Scene("maryland", **{**BY_HAND, "shuffler": Shuffler(automatic=True, counting=True)})
    scene.signal("stub-count", number=52)
    for _ in range(5):
        one_round(scene)
    assert told(scene, "stub-count-due") == []


@pytest.mark.parametrize(
    ("age_h", "codes"),
    [
        (0.0, []),  # opened now
        (3.9, []),
        (4.1, ["deck-change-due"]),  # four hours where it is dealt by hand
    ],
)
def test_a_deck_whose_time_is_over(age_h: float, codes: list[str]) -> None:
    scene = Scene("maryland", **BY_HAND)
    scene.wait(0.5)
    scene.signal("deck", since_ns=-round(age_h * HOUR_NS))
    assert scene.codes() == []  # nothing is dealt from it yet
    one_round(scene)
    one_round(scene)
    found = told(scene, "deck-change-due")
    assert [alert["code"] for alert in found] == codes  # once, though it is dealt from again
    assert all(alert["cite"] == "MD ch.3 §C" for alert in found)


def test_a_new_deck_is_new() -> None:
    scene = Scene("maryland", **BY_HAND)
    scene.wait(0.5)
    scene.signal("deck", since_ns=-5 * HOUR_NS)
    scene.signal("deck")
    one_round(scene)
    assert told(scene, "deck-change-due") == []
    assert scene.now_ns > TICK_NS
