"""What looks at one thing say together: faces, worths, and whether chips are still the same."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from things import TICK_NS, card, chips, face, reading

from vision.detect.detection import BackReading, FaceReading
from vision.observe.evidence import CardTrack, Content, StackTrack
from vision.table.zones import FELT
from vision.values.cards import Card

ACE = Card.parse("As")
WORTHS = st.sampled_from([100, 500, 1000, 2500])


def looked_at(*looks: FaceReading | None) -> CardTrack:
    """Return a card after some looks; None is a look at its back."""
    track = CardTrack(1, FELT, 0, 0, 0, 0)
    for i, look in enumerate(looks):
        track.look(card(0, 0, look), i * TICK_NS)
    return track


def content(*readings: tuple[int, float]) -> Content:
    """Return what readings say together, each of a worth and how likely it is."""
    found = Content(0)
    for cents, p in readings:
        found.look(chips(0, 0, reading(cents, p)))
    return found


@pytest.mark.parametrize(
    ("looks", "best"),
    [
        ([], None),  # nobody looked
        ([None, None], None),  # only its back was seen
        ([face(unreadable=0.9, As=0.1)] * 3, None),  # glare: looks of which little is readable do not count
        ([face(As=0.9)], "As"),
        ([face(As=0.55, Ah=0.45), face(As=0.2, Ah=0.75)], "Ah"),  # the sum decides, not the first
        ([face(As=0.9)] * 3 + [face(Ah=0.7, As=0.2)], "As"),  # one slip does not outweigh three looks
        ([face(As=0.9), None, None], "As"),  # a card that is turned back keeps what was read
    ],
)
def test_the_looks_together_say_the_face(looks: list[FaceReading | None], best: str | None) -> None:
    found, _ = looked_at(*looks).best()
    assert (str(found) if found else None) == best


def test_many_doubtful_looks_alike_make_a_face_likely_and_leave_it_doubtful() -> None:
    track = looked_at(*[face(As=0.6, Ah=0.4)] * 20)
    assert track.best()[0] == ACE
    assert track.best()[1] > 0.95
    assert track.mean_of(ACE) == pytest.approx(0.6, abs=0.01)


@pytest.mark.parametrize(
    ("looks", "known"),
    [
        ([(0.85, 0.0)] * 3, {"blue": (3, 1e-4)}),  # never surer than that
        ([(0.68, 0.17)] * 9, {"blue": (9, 0.2)}),  # doubtful looks alike stay doubtful
        ([(0.2, 0.2)] * 3, {}),  # a back that is none of the table's
        ([(0.8, 0.0), (0.1, 0.7), (0.8, 0.0)], {"blue": (2, 1e-4), "red": (1, 0.125)}),  # each look for its deck
    ],
)
def test_backs(looks: list[tuple[float, float]], known: dict[str, tuple[int, float]]) -> None:
    track = CardTrack(1, FELT, 0, 0, 0, 0)
    for blue, red in looks:
        lying = card(0, 0)
        back = BackReading({"blue": blue, "red": red})
        track.look(replace(lying, detection=replace(lying.detection, back=back)), 0)
    assert {deck: looks for deck, (looks, _) in track.backs.items()} == {deck: n for deck, (n, _) in known.items()}
    assert [track.doubt_of(deck) for deck in known] == pytest.approx([doubt for _, doubt in known.values()])
    assert track.doubt_of("green") == 1.0


def test_a_side_is_known_since_it_shows() -> None:
    track = looked_at(None, None, face(As=0.9), face(As=0.9))
    assert (track.is_up, track.up_looks, track.side_ns) == (True, 2, 2 * TICK_NS)


SURE = [face(As=0.99)] * 3


@pytest.mark.parametrize(
    ("known", "look", "denies"),
    [
        (SURE, face(Kd=0.9), True),  # surely one card, and now surely another
        (SURE[:2], face(Kd=0.9), False),  # two looks are too few to be sure of the first
        (SURE, face(Kd=0.7), False),  # a doubtful look denies nothing
        (SURE, face(As=0.99), False),  # the same face
        (SURE, None, False),  # a back says nothing of the face
        ([face(As=0.9, Ah=0.1)] * 3, face(Ah=0.9), False),  # that face was thought possible all along
        ([face(As=0.5, Ah=0.5)] * 3, face(Kd=0.9), False),  # it was never sure
    ],
)
def test_a_face_that_contradicts(known: list[FaceReading | None], look: FaceReading | None, denies: bool) -> None:
    track = looked_at(*known)
    assert track.denies(card(0, 0, look)) is denies


def test_what_contradicts_is_not_mixed_in() -> None:
    track = looked_at(*SURE)
    before = track.faces.copy()
    track.look(card(0, 0, "Kd"), 10**9)
    assert (track.denials, track.read) == (1, 3)
    assert (track.faces == before).all()
    track.look(card(0, 0, "As"), 2 * 10**9)
    assert (track.denials, track.read) == (0, 4)


@pytest.mark.parametrize(
    ("readings", "value", "bounds"),
    [
        ([(500, 0.9)], (500, 0.9), (500, 500)),
        ([(500, 0.9), (500, 0.7)], (500, 0.8), (500, 500)),  # on average, not more
        ([(500, 0.9), (1000, 0.9), (1000, 0.9)], (1000, 0.6), (1000, 1000)),  # one slip in three costs a third
        ([(500, 0.9), (1000, 0.9)], (500, 0.45), (1000, 1000)),  # of equals the smaller
    ],
)
def test_what_readings_of_chips_say(
    readings: list[tuple[int, float]], value: tuple[int, float], bounds: tuple[int, int]
) -> None:
    found = content(*readings)
    assert found.value[0] == value[0]
    assert found.value[1] == pytest.approx(value[1])
    assert found.bounds == bounds


def test_looks_that_disagree_settle_on_what_both_allow() -> None:
    found = Content(0)
    for worths in (((500, 0.4), (750, 0.3)), ((1000, 0.4), (750, 0.35))):
        told = replace(reading(*worths[0]), worths=worths)
        found.look(chips(0, 0, told))
    cents, p = found.value
    assert cents == 750
    assert p == pytest.approx(0.325)


def test_chips_that_were_counted_and_not_named_give_bounds_alone() -> None:
    found = Content(0)
    found.look(chips(0, 0, reading(None, bounds=(200, 900))))
    assert (found.value, found.bounds, found.looks) == ((None, 0.0), (200, 900), 1)


def test_chips_that_were_not_even_counted_give_nothing() -> None:
    found = Content(0)
    found.look(chips(0, 0, reading(None)))
    assert (found.value, found.bounds, found.looks) == ((None, 0.0), None, 0)


@st.composite
def contents(draw: st.DrawFn) -> Content:
    """Return what some readings say, none to many, of few worths so that they meet."""
    found = Content(0)
    for _ in range(draw(st.integers(0, 6))):
        cents = draw(st.none() | WORTHS)
        low, high = sorted((draw(WORTHS), draw(WORTHS)))
        bounds = (min(low, cents or low), max(high, cents or high))
        found.look(chips(0, 0, reading(cents, draw(st.floats(0.1, 1.0)), bounds)))
    return found


@settings(deadline=None)
@given(contents(), contents())
def test_being_the_same_is_mutual(one: Content, other: Content) -> None:
    assert one.may_be(other) == other.may_be(one)


@settings(deadline=None)
@given(contents())
def test_chips_are_the_same_as_themselves(one: Content) -> None:
    assert one.may_be(one)


@settings(deadline=None)
@given(contents(), contents())
def test_readings_add_up_in_any_order(one: Content, other: Content) -> None:
    ways = []
    for first, then in ((one, other), (other, one)):
        both = Content(0)
        both.add(first)
        both.add(then)
        ways.append(both)
    assert ways[0].looks == ways[1].looks == one.looks + other.looks
    assert ways[0].bounds == ways[1].bounds
    assert ways[0].votes == pytest.approx(ways[1].votes)


@settings(deadline=None)
@given(contents())
def test_a_worth_is_never_more_than_certain_and_bounds_are_in_order(found: Content) -> None:
    assert 0 <= found.value[1] <= 1 + 1e-9
    assert found.bounds is None or found.bounds[0] <= found.bounds[1]


def stack_after(*phases: list[int]) -> StackTrack:
    """Return chips that were read in phases, with a hand over them in between."""
    track = StackTrack(1, FELT, 0, 0, 0, 0)
    t_ns = 0
    for phase in phases:
        for cents in phase:
            track.look(chips(0, 0, cents), t_ns)
            t_ns += TICK_NS
        track.was_hidden = True
    return track


@pytest.mark.parametrize(
    ("phases", "worths"),
    [
        ([[500] * 4], [500]),
        ([[500] * 4, [500] * 4], [500]),  # a hand proves nothing
        ([[500] * 4, [1000] * 4], [500, 1000]),  # readings that exclude each other do
        ([[500] * 4, [1000] * 2], [500]),  # two readings are not enough to say so
        ([[500] * 4, [1000] * 4, [500] * 4], [500, 1000, 500]),  # added to, and taken from again
        ([[500], [1000] * 4], [1000]),  # it was not known well before: the same chips, read better
        ([[500, 500, 500, 1000]], [500]),  # without a hand a reading that differs is a slip
    ],
)
def test_chips_change_under_hands_alone(phases: list[list[int]], worths: list[int]) -> None:
    assert [found.value[0] for found in stack_after(*phases).contents] == worths


def test_what_chips_were_at_a_time() -> None:
    track = stack_after([500] * 4, [1000] * 4)
    assert [track.content_at(t * TICK_NS).value[0] for t in (0, 3, 4, 9)] == [500, 500, 1000, 1000]
    assert track.content_at(-1).value[0] == 500  # before it was seen: what it was first
