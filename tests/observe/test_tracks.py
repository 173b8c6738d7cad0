"""Things that last: when something is there, when it is gone, and what is the same thing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from things import TICK_NS, Watch, card, chips, hand, placed

from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed
from vision.observe.tracks import GONE_ALONE_NS, GONE_NS, Track, Tracker
from vision.table.zones import FELT, Zone

ANTE, PLAY = Zone(3, "ante"), Zone(3, "play")
BESIDE = hand(80, 0)  # near (0, 0), not over it
FAR = hand(600, 600)


def everything(tracker: Tracker) -> list[Track]:
    return [*tracker.cards, *tracker.stacks]


@pytest.mark.parametrize(
    ("thing", "reaching", "seconds", "is_there"),
    [
        (card(0, 0), (), 0.2, False),  # two looks may be a passing error
        (card(0, 0), (), 0.3, True),  # cards are thrown: no hand need be near
        (chips(0, 0), (), 0.5, False),  # chips do not come by themselves
        (chips(0, 0), (), 1.4, False),
        (chips(0, 0), (), 1.7, True),  # unless they are told for long
        (chips(0, 0), (BESIDE,), 0.3, False),
        (chips(0, 0), (BESIDE,), 0.5, True),  # a hand put them there
        (chips(0, 0), (FAR,), 0.5, False),  # a hand elsewhere did not
    ],
)
def test_a_thing_comes(thing: Placed, reaching: tuple[Placed, ...], seconds: float, is_there: bool) -> None:
    tracker = Watch().see(thing, *reaching, seconds=seconds)
    (track,) = everything(tracker)
    assert track.is_there is is_there


@pytest.mark.parametrize(
    ("thing", "reaching", "seconds", "is_gone"),
    [
        (card(0, 0), (BESIDE,), 0.4, False),
        (card(0, 0), (BESIDE,), 0.7, True),  # after a hand was near, half a second is enough
        (card(0, 0), (), 2.0, False),  # nothing goes by itself
        (card(0, 0), (), 2.8, True),  # unless it is missed for long
        (chips(0, 0), (BESIDE,), 0.7, False),  # an arm behind the hand may hide chips for a moment longer
        (chips(0, 0), (BESIDE,), 1.2, True),
        (chips(0, 0), (), 2.0, False),
        (chips(0, 0), (), 2.8, True),
    ],
)
def test_a_thing_goes(thing: Placed, reaching: tuple[Placed, ...], seconds: float, is_gone: bool) -> None:
    watch = Watch()
    watch.see(thing, *reaching, seconds=2.0)
    tracker = watch.see(seconds=seconds)
    assert (everything(tracker) == []) is is_gone


def test_what_goes_is_told_once() -> None:
    watch = Watch()
    (track,) = watch.see(card(0, 0), seconds=1.0).cards
    told = [list(watch.see().gone) for _ in range(40)]
    assert [gone for gone in told if gone] == [[track]]


def test_what_was_never_sure_goes_at_once_and_untold() -> None:
    watch = Watch()
    watch.see(chips(0, 0), seconds=0.2)
    told = [list(watch.see().gone) for _ in range(5)]
    assert watch.tracker.stacks == []
    assert not any(told)


@pytest.mark.parametrize(
    ("things", "looked"),
    [
        ((hand(0, 0),), None),  # a hand lies over it
        ((hand(300, 0, covers=[ANTE]),), None),  # a hand hides its zone from the camera
        ((), frozenset({PLAY})),  # nobody looked there
    ],
)
def test_what_cannot_be_seen_is_not_missed(things: tuple[Placed, ...], looked: frozenset[Zone] | None) -> None:
    watch = Watch()
    (before,) = watch.see(chips(0, 0, zone=ANTE), seconds=2.0).stacks
    assert watch.see(*things, seconds=8.0, looked=looked).stacks == [before]
    assert before.missed_ns is None


def test_a_card_under_another_is_not_missed() -> None:
    watch = Watch()
    (under,) = watch.see(card(0, 0), seconds=1.0).cards
    tracker = watch.see(card(18, 0), seconds=5.0)
    assert under in tracker.cards
    assert len(tracker.cards) == 2


@settings(deadline=None)
@given(st.integers(1, GONE_ALONE_NS - 1), st.sampled_from([card(0, 0), chips(0, 0)]))
def test_a_thing_missed_for_less_than_the_patience_is_the_same(gap_ns: int, thing: Placed) -> None:
    watch = Watch()
    before = everything(watch.see(thing, seconds=2.0))
    missed_ns = watch.now_ns + TICK_NS
    for t_ns, things in ((missed_ns, ()), (missed_ns + gap_ns, ()), (missed_ns + gap_ns + 1, (thing,))):
        watch.tracker.update(FrameObservation(0, t_ns, things))
    assert everything(watch.tracker) == before
    assert watch.tracker.gone == []


@settings(deadline=None)
@given(st.integers(1, GONE_NS - 1))
def test_the_same_after_a_hand(gap_ns: int) -> None:
    watch = Watch()
    (before,) = watch.see(card(0, 0), BESIDE, seconds=2.0).cards
    missed_ns = watch.now_ns + TICK_NS
    for t_ns, things in ((missed_ns, ()), (missed_ns + gap_ns, ()), (missed_ns + gap_ns + 1, (card(0, 0),))):
        watch.tracker.update(FrameObservation(0, t_ns, things))
    assert watch.tracker.cards == [before]


@pytest.mark.parametrize(
    ("thing", "reaching", "away_s", "is_same"),
    [
        (chips(0, 0), (BESIDE,), 3.0, True),  # chips that come back to a place are those that stood there
        (card(0, 0), (), 4.0, True),  # a card that no hand took was only missed
        (card(0, 0), (BESIDE,), 3.0, False),  # a card that a hand took is gone: this is another
        (chips(0, 0), (BESIDE,), 9.0, False),  # too long ago
    ],
)
def test_a_thing_comes_back(thing: Placed, reaching: tuple[Placed, ...], away_s: float, is_same: bool) -> None:
    watch = Watch()
    watch.see(thing, *reaching, seconds=2.0)
    (before,) = everything(watch.tracker)
    watch.see(seconds=away_s)
    assert everything(watch.tracker) == []
    watch.see(thing)
    (after,) = everything(watch.tracker)
    assert (after is before) is is_same


def test_chips_that_come_back_are_read_afresh() -> None:
    watch = Watch()
    (stack,) = watch.see(chips(0, 0, 500), BESIDE, seconds=2.0).stacks
    watch.see(seconds=2.0)
    watch.see(chips(0, 0, 1000), seconds=1.0)
    assert [content.value[0] for content in stack.contents] == [500, 1000]


@pytest.mark.parametrize(
    ("before", "after", "is_another"),
    [
        ([card(0, 0, "As")] * 6, [card(0, 0, "Kd")], False),  # one look may be a slip
        ([card(0, 0, "As")] * 6, [card(0, 0, "Kd")] * 2, True),  # two in a row are another card
        ([card(0, 0, "As")] * 6, [card(0, 0, "Kd"), card(0, 0, "As")] * 3, False),  # slips now and then
        ([card(0, 0, "As")] * 6 + [card(0, 0)], [card(0, 0, "Kd")], True),  # it lay face down for a moment
        ([card(0, 0, "As")] * 6 + [hand(0, 0)] * 3, [card(0, 0, "Kd")], True),  # a hand was over it
        ([card(0, 0, "As")] * 6 + [hand(0, 0)] * 3, [card(0, 0, "As")], False),  # a hand proves nothing
    ],
)
def test_a_face_that_contradicts_is_another_card(before: list[Placed], after: list[Placed], is_another: bool) -> None:
    watch = Watch()
    for thing in before:
        watch.see(thing)
    (first,) = watch.tracker.cards
    for thing in after:
        watch.see(thing)
    (last,) = watch.tracker.cards
    assert (last is not first) is is_another
    assert str(first.best()[0]) == "As"
    assert str(last.best()[0]) == ("Kd" if is_another else "As")


@pytest.mark.parametrize(
    ("things", "number"),
    [
        ([card(0, 0), card(6, 0)], 1),  # told twice
        ([card(0, 0), card(18, 0)], 2),  # fanned
        ([card(0, 0, "As"), card(30, 0, "As")], 1),  # the same face a little aside: told twice
        ([card(0, 0, "As"), card(30, 0, "Ah")], 2),
        ([card(0, 0, "As"), card(60, 0, "As")], 2),  # far apart: that is for the deck to say
        ([chips(0, 0), chips(15, 0)], 1),  # one chip is wider than that
        ([chips(0, 0), chips(40, 0)], 2),
        ([card(0, 0), chips(0, 0)], 2),  # a chip on a card
    ],
)
def test_a_thing_told_twice_is_one(things: list[Placed], number: int) -> None:
    tracker = Watch().see(*things, seconds=2.0)
    assert len(everything(tracker)) == number


def test_the_surer_one_stays() -> None:
    (track,) = Watch().see(card(0, 0, "As", score=0.4), card(3, 0, "Kd", score=0.8)).cards
    assert str(track.best()[0]) == "Kd"


PLACES = st.floats(-60, 60, width=32)
KINDS = st.sampled_from(["card_up", "card_down", "stack", "hand"])


@st.composite
def scenes(draw: st.DrawFn) -> list[tuple[list[Placed], list[Placed]]]:
    """Return sights of a small crowded place, each in two orders; no two things are found equally surely."""
    sights = []
    for _ in range(draw(st.integers(1, 5))):
        scores = draw(st.lists(st.integers(1, 99), max_size=6, unique=True))
        things = [_thing(draw(KINDS), draw(PLACES), draw(PLACES), score / 100) for score in scores]
        sights.append((things, draw(st.permutations(things))))
    return sights


def _thing(kind: str, x: float, y: float, score: float) -> Placed:
    makers = {"card_up": card(x, y, "As", score=score), "stack": chips(x, y, score=score), "hand": hand(x, y, 10.0)}
    return makers.get(kind) or placed(kind, x, y, score=score)


def known(tracker: Tracker) -> list[tuple[object, ...]]:
    found = everything(tracker)
    return [(type(t), t.id, t.x, t.y, t.seen, t.is_there, t.missed_ns, t.hand_ns) for t in found]


@settings(deadline=None)
@given(scenes())
def test_the_order_of_things_in_a_sight_does_not_matter(sights: list[tuple[list[Placed], list[Placed]]]) -> None:
    one, other = Watch(), Watch()
    for things, shuffled in sights:
        one.see(*things)
        other.see(*shuffled)
    assert known(one.tracker) == known(other.tracker)


@settings(deadline=None)
@given(scenes())
def test_every_thing_has_its_own_number(sights: list[tuple[list[Placed], list[Placed]]]) -> None:
    watch = Watch()
    for things, _ in sights:
        watch.see(*things)
        numbers = [number for _, number, *_ in known(watch.tracker)]
        assert len(numbers) == len(set(numbers))


def test_a_thing_that_is_slid_is_the_same() -> None:
    watch = Watch()
    (before,) = watch.see(card(0, 0), seconds=1.0).cards
    for step in range(75):
        watch.see(card(4 * step, 0))  # by 4 cm a second: what is faster is carried, and known by its face
    assert watch.tracker.cards == [before]


@pytest.mark.parametrize(
    ("reaching", "side"),
    [
        ((hand(0, -80),), -1),  # from above
        ((hand(0, 80),), 1),  # from below
        ((hand(0, -80), hand(0, 80)), 0),  # two hands: from neither side
    ],
)
def test_from_which_side_a_hand_reached(reaching: tuple[Placed, ...], side: int) -> None:
    (stack,) = Watch().see(chips(0, 0), *reaching, seconds=1.0).stacks
    assert stack.hand_from == pytest.approx((0.0, 80.0 * side))


def test_a_thing_came_after_its_place_was_last_seen_without_it() -> None:
    watch = Watch()
    watch.see(seconds=1.0)
    bare_ns = watch.now_ns
    watch.see(hand(0, 0), seconds=0.5)
    (stack,) = watch.see(chips(0, 0)).stacks
    assert (stack.not_before_ns, stack.first_ns) == (bare_ns, watch.now_ns)


def test_things_are_found_by_their_zone_once_they_are_there() -> None:
    watch = Watch()
    here, there = chips(0, 0, zone=ANTE), chips(80, 0, zone=PLAY)
    assert list(watch.see(here, there, card(200, 0), BESIDE).stacks_on([ANTE, PLAY])) == []
    tracker = watch.see(here, there, card(200, 0), BESIDE, seconds=2.0)
    assert [stack.zone for stack in tracker.stacks_on([ANTE])] == [ANTE]
    assert len(list(tracker.stacks_on([ANTE, PLAY]))) == 2
    assert len(list(tracker.cards_on(FELT))) == 1


def test_absence_proves_something_where_still_things_are_never_missed() -> None:
    lying = [card(100.0 * i, 0.0) for i in range(20)]
    watch = Watch()
    assert not watch.see(*lying, seconds=3.0).misses_nothing  # too few looks
    assert watch.see(*lying, seconds=5.0).misses_nothing
    watch.see(*lying[1:])
    assert not watch.see(*lying, seconds=0.5).misses_nothing  # one that was only not found
