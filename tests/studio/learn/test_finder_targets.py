"""What the finder is taught is what the decoder reads: things become maps, maps become the same things."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.learn.finder.targets import targets_of
from studio.learn.finder.things import STACK, Thing, card_thing
from vision.detect import maps
from vision.detect.decode import found_in, suppress_overlaps
from vision.detect.detection import KINDS, Found
from vision.detect.finder import ROUGH
from vision.detect.overlap import iou_matrix

SIDE = 320


def decoded(things: list[Thing]) -> list[Found]:
    """Read the targets as if a perfect network had written them."""
    goal = targets_of(things, SIDE)
    channels = np.zeros((maps.CHANNELS, *goal.heat.shape[1:]), np.float32)
    channels[: maps.SHOWN.start] = goal.shape
    channels[maps.SHOWN.start] = 9.0  # the table shows everywhere
    heat = np.clip(goal.heat, 1e-6, 1 - 1e-6)
    channels[: maps.HEATS] = np.log(heat / (1 - heat))
    return suppress_overlaps(found_in(channels, 0.9), ROUGH)


def card(kind: int, middle: tuple[float, float], width: float, angle: float, lean: float) -> Thing:
    """Return a card seen under a slant: a parallelogram."""
    long = np.array([np.sin(angle), -np.cos(angle)]) * width * 0.7
    short = np.array([np.cos(angle), np.sin(angle)]) * width * 0.5
    short = short + lean * long * 0.2
    corners = [long - short, long + short, -long + short, -long - short]
    return card_thing(kind, np.array(middle) + np.array(corners), 1.0)


@settings(max_examples=60)
@given(
    st.sampled_from([0, 1]),
    st.tuples(st.floats(60, 260), st.floats(60, 260)),
    st.floats(24, 120),
    st.floats(0, 6.28),
    st.floats(-1, 1),
)
def test_a_card_survives(kind: int, middle: tuple[float, float], width: float, angle: float, lean: float) -> None:
    thing = card(kind, middle, width, angle, lean)
    (found,) = decoded([thing])
    half_long, half_short = thing.spans
    quad = [thing.middle + s * half_long + t * half_short for s, t in ((1, -1), (1, 1), (-1, 1), (-1, -1))]
    assert found.kind == KINDS[kind]
    assert iou_matrix([found.quad], [quad])[0, 0] > 0.999
    top = np.subtract(found.quad[1], found.quad[0])
    assert np.hypot(*top) == pytest.approx(2 * np.hypot(*half_short), rel=1e-3)  # begins along a short side


@given(st.floats(40, 200), st.floats(8, 60), st.floats(0.2, 1.0), st.floats(0, 6.28), st.floats(0, 60))
def test_a_stack_survives(where: float, radius: float, flatness: float, angle: float, height: float) -> None:
    rise = np.array([np.cos(angle), np.sin(angle)]) * height / 2
    (found,) = decoded([Thing(STACK, 1.0, np.array([where, where]), np.array([-rise, rise]), radius, flatness)])
    assert found.base is not None
    assert found.top is not None
    assert np.array(found.base) == pytest.approx(np.array([where, where]) - rise, abs=0.01)
    assert np.array(found.top) == pytest.approx(np.array([where, where]) + rise, abs=0.01)
    assert found.radius_px == pytest.approx(radius, rel=1e-3)
    assert found.flatness == pytest.approx(flatness, abs=1e-3)


def test_hands_are_where_they_show() -> None:
    channels = np.zeros((maps.CHANNELS, 80, 80), np.float32)
    channels[: maps.HEATS], channels[maps.SHOWN.start] = -9.0, 9.0
    channels[maps.SHOWN.start + 1 + KINDS.index("hand"), 10:40, 20:30] = 20.0
    channels[maps.SHOWN.start + 1 + KINDS.index("hand"), 60:62, 60:62] = 20.0  # too small for a hand
    (hand,) = found_in(channels, 0.3)
    assert hand.kind == "hand"
    assert hand.quad == ((79.5, 39.5), (119.5, 39.5), (119.5, 159.5), (79.5, 159.5))


def test_cards_of_a_fan_are_told_apart() -> None:
    fan = [card(0, (100 + 12 * i, 160), 55, 0.05 * i, 0.0) for i in range(5)]
    assert len(decoded(fan)) == 5


@pytest.mark.parametrize("middle", [(1.0, 1.0), (318.0, 1.0), (318.0, 318.0), (1.0, 160.0)])
def test_a_card_on_the_border_is_found(middle: tuple[float, float]) -> None:
    (found,) = decoded([card(0, middle, 55, 0.3, 0.0)])
    assert np.mean(found.quad, axis=0) == pytest.approx(middle, abs=0.01)


def test_what_hardly_shows_is_not_asked_for() -> None:
    shy = card(0, (100, 100), 55, 0.0, 0.0)
    hidden = Thing(shy.kind, 0.15, shy.middle, shy.spans)
    goal = targets_of([hidden], SIDE)
    assert goal.heat.max() == 0
    assert goal.judged[0, 25, 25] == 0  # nor is it wrong to find it
    assert goal.judged[[1, 2, 4]].all()
    assert not goal.judged[3].any()  # hands are taught by where they show


def test_a_hand_stays_an_upright_box_when_the_tile_is_turned() -> None:
    hand = Thing(3, 1.0, np.array([100.0, 100.0]), np.diag([30.0, 10.0]))
    moved = hand.moved(np.array([[0.0, -1.0, 200.0], [1.0, 0.0, 0.0]]))
    assert moved.spans.sum(axis=0) == pytest.approx([10.0, 30.0])
    assert moved.middle == pytest.approx([100.0, 100.0])
