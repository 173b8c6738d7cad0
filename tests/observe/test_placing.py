"""Placing against facts it does not make itself: things put down in millimetres, projected, and found again there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.detect.detection import Detection, Found, StackReading
from vision.observe.placing import Placed, Placer
from vision.table.layout import DealerLayout, Layout, SeatLayout, Shape, check_layout
from vision.table.zones import Zone, ZoneMap
from vision.values.geometry import Camera, Lens
from vision.values.picture import Quad

THICK_MM = 3.3
LENS = Lens(1920, 1080, 1500.0, 959.5, 539.5, -0.08, 0.01)
ABOVE = Camera.looking_at(LENS, (0.0, 500.0, 2800.0), (0.0, 500.0, 0.0))
ASLANT = Camera.looking_at(LENS, (300.0, -1500.0, 2400.0), (0.0, 500.0, 0.0), 8.0)


def box(left: float, right: float, low: float, high: float) -> Shape:
    return Shape(polygon=[[left, low], [right, low], [right, high], [left, high]])


def seat(number: int, x: float) -> SeatLayout:
    """Play above ante above aces up, 70 mm apart; the progressive sensor is smaller than a chip."""
    spots = {
        "play": Shape(circle=[x, 760, 30]),
        "ante": Shape(circle=[x, 690, 30]),
        "aces_up": Shape(circle=[x, 620, 30]),
        "progressive": Shape(circle=[x, 540, 15]),
    }
    return SeatLayout(number=number, angle=0, cards=box(x - 115, x + 115, 810, 930), spots=spots)


LAYOUT = Layout(
    name="plain",
    size_mm=[2000, 1000],
    outline=[[-1000, 0], [1000, 0], [1000, 1000], [-1000, 1000]],
    seat=[seat(1, -500), seat(2, 0), seat(3, 500)],
    dealer=DealerLayout(
        cards=box(-250, 250, 215, 325),
        work=box(-175, 175, 338, 488),
        tray=box(-300, 300, 20, 190),
        discard=box(345, 435, 30, 160),
        shoe=box(-525, -335, 20, 260),
        bonus=box(266, 356, 215, 325),
    ),
)
MAP = ZoneMap(LAYOUT)


def at(camera: Camera, *places: tuple[float, float, float]) -> list[tuple[float, float]]:
    return [(u, v) for u, v in camera.project(np.array(places)).tolist()]


def stack(camera: Camera, x: float, y: float, count: int = 1, z: float = 0.0, *, is_read: bool = True) -> Detection:
    base, top = at(camera, (x, y, z), (x, y, z + count * THICK_MM))
    found = Found("stack", 0.9, (base, base, base, base), base, top, 17.0, 0.9)
    return Detection(found, stack=StackReading(count, 1.0, (count, count)) if is_read else None)


def card(camera: Camera, x: float, y: float, angle: float = 0.0) -> Detection:
    return Detection(Found("card_up", 0.9, quad(camera, x, y, 31.75, 44.45, angle)))


def quad(camera: Camera, x: float, y: float, half_width: float, half_height: float, angle: float = 0.0) -> Quad:
    turn = np.radians(angle)
    corners = [(-half_width, half_height), (half_width, half_height), (half_width, -half_height)]
    corners += [(-half_width, -half_height)]
    turned = [
        (x + a * np.cos(turn) - b * np.sin(turn), y + a * np.sin(turn) + b * np.cos(turn), 0.0) for a, b in corners
    ]
    one, two, three, four = at(camera, *turned)
    return one, two, three, four


def place(*detections: Detection, camera: Camera = ASLANT, sigma_mm: float | None = None) -> list[Placed]:
    return Placer(camera, MAP).place(detections, sigma_mm)


def chances(placed: Placed) -> dict[str, float]:
    return {str(belief.zone): belief.p for belief in placed.alternatives} | {str(placed.zone): placed.p}


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    tilt, around = np.radians(draw(st.floats(0, 50))), np.radians(draw(st.floats(0, 360)))
    distance = draw(st.floats(1800, 4500))
    position = (
        float(distance * np.sin(tilt) * np.cos(around)),
        float(500 + distance * np.sin(tilt) * np.sin(around)),
        float(distance * np.cos(tilt)),
    )
    lens = replace(
        LENS, k1=draw(st.floats(-0.12, 0.06)), k2=draw(st.floats(-0.01, 0.02)), focal_px=draw(st.floats(900, 2200))
    )
    return Camera.looking_at(lens, position, (0.0, 500.0, 0.0), draw(st.floats(-180, 180)))


PLACES = {"x": st.floats(-950, 950), "y": st.floats(10, 990)}


@given(camera=cameras(), z=st.floats(0, 200), **PLACES)
def test_pixels_and_millimetres_are_inverse_at_any_height(camera: Camera, x: float, y: float, z: float) -> None:
    pixel = camera.project([x, y, z])
    assert np.allclose(camera.place(pixel, z), [x, y, z], atol=0.01)
    assert np.allclose(camera.project(camera.place(pixel, z)), pixel, atol=0.01)


@settings(max_examples=40, deadline=None)
@given(camera=cameras(), count=st.integers(1, 25), **PLACES)
def test_a_stack_is_found_where_it_stands(camera: Camera, count: int, x: float, y: float) -> None:
    (placed,) = place(stack(camera, x, y, count), camera=camera)
    assert (placed.x, placed.y, placed.z) == pytest.approx((x, y, 0), abs=0.02)
    assert placed.height_mm == pytest.approx(count * THICK_MM)
    assert placed.detection.found.top is not None
    assert placed.top_px == pytest.approx(placed.detection.found.top, abs=0.02)
    assert 0 < placed.p <= 1
    assert placed.p + sum(other.p for other in placed.alternatives) <= 1 + 1e-9


@settings(max_examples=40, deadline=None)
@given(camera=cameras(), angle=st.floats(-89, 89), **PLACES)
def test_a_card_is_found_where_it_lies(camera: Camera, angle: float, x: float, y: float) -> None:
    (placed,) = place(card(camera, x, y, angle), camera=camera)
    assert (placed.x, placed.y) == pytest.approx((x, y), abs=0.05)
    assert placed.angle == pytest.approx(angle, abs=0.1)
    assert placed.corners_mm is not None
    sides = np.linalg.norm(np.diff(placed.corners_mm, axis=0), axis=1)
    assert sides == pytest.approx([63.5, 88.9, 63.5], abs=0.1)


@pytest.mark.parametrize(
    ("x", "y", "zone"),
    [
        (-500, 690, "seat.1.ante"),
        (0, 764, "seat.2.play"),
        (512, 626, "seat.3.aces_up"),
        (0, 540, "seat.2.progressive"),  # smaller than the chip that lies on it
        (44, 690, "seat.2.payout:ante"),  # beside the stake
        (-44, 690, "seat.2.payout:ante"),
        (60, 770, "seat.2.payout:play"),  # nearer to play than to ante
        (60, 640, "seat.2.payout:aces_up"),
        (0, 500, "seat.2.payout:progressive"),
        (-500, 805, "seat.1.payout:play"),  # towards the cards
        (-500, 880, "seat.1.cards"),  # a chip that holds the cards down
        (-380, 720, "seat.1.felt"),
        (-900, 100, "felt"),
        (0, 100, "tray"),
        (390, 95, "discard"),
        (-430, 140, "shoe"),
        (0, 400, "work"),
        (500, 1070, "rail"),
        (-1070, 500, "rail"),
        (0, -60, "off"),  # the dealer has no rail
        (0, 1300, "off"),
        (5000, 5000, "off"),
    ],
)
@pytest.mark.parametrize("camera", [ABOVE, ASLANT], ids=["above", "aslant"])
def test_where_chips_belong(camera: Camera, x: float, y: float, zone: str) -> None:
    (placed,) = place(stack(camera, x, y, 5), camera=camera)
    assert str(placed.zone) == zone
    assert placed.seat == Zone.parse(zone).seat


@pytest.mark.parametrize(
    ("x", "y", "zone"),
    [
        (-560, 870, "seat.1.cards"),
        (60, 870, "seat.2.cards"),
        (0, 790, "seat.2.cards"),  # pushed half out of its area, over the play spot
        (500, 630, "seat.3.aces_up"),  # on a spot, where no card belongs
        (590, 640, "seat.3.felt"),
        (0, 270, "dealer.cards"),
        (-220, 270, "dealer.cards"),
        (311, 270, "bonus"),
        (0, 420, "work"),
        (390, 95, "discard"),
        (-430, 140, "shoe"),
        (700, 300, "felt"),
        (0, 1080, "rail"),
        (0, -100, "off"),
    ],
)
def test_where_cards_belong(x: float, y: float, zone: str) -> None:
    assert str(place(card(ASLANT, x, y, 20))[0].zone) == zone


def test_a_chip_between_two_spots_may_belong_to_both() -> None:
    (middle,) = place(stack(ASLANT, 0, 725), sigma_mm=3)
    found = chances(middle)
    assert found["seat.2.ante"] == pytest.approx(found["seat.2.play"], abs=0.05)
    assert 0.2 < found["seat.2.ante"] < 0.5
    nearer = chances(place(stack(ASLANT, 0, 715), sigma_mm=3)[0])
    assert nearer["seat.2.ante"] > 0.55 > 0.2 > nearer["seat.2.play"]


def test_probability_falls_evenly_as_a_chip_leaves_its_spot() -> None:
    steps = place(*(stack(ASLANT, x, 690) for x in range(0, 60, 4)), sigma_mm=3)
    ante = [chances(placed).get("seat.2.ante", 0.0) for placed in steps]
    assert ante == sorted(ante, reverse=True)
    assert ante[0] > 0.99
    assert ante[-1] < 0.02
    assert ante[7] == pytest.approx(0.5, abs=0.1)  # half over the line


def test_the_less_certain_the_place_the_less_certain_the_zone() -> None:
    ps = [place(stack(ASLANT, 0, 690), sigma_mm=sigma)[0].p for sigma in (0.0, 5.0, 15.0, 40.0)]
    assert ps[0] == 1.0
    assert ps == sorted(ps, reverse=True)
    assert ps[-1] < 0.5


def test_uncertainty_grows_with_the_distance() -> None:
    far = Camera.looking_at(LENS, (0.0, 500.0, 5600.0), (0.0, 500.0, 0.0))
    near_mm, far_mm = (place(stack(camera, 0, 690), camera=camera)[0].sigma_mm for camera in (ABOVE, far))
    assert 2 < near_mm < far_mm
    assert place(stack(ABOVE, 0, 690), sigma_mm=1.5)[0].sigma_mm == 1.5


def test_a_stack_upon_a_stack_is_lifted() -> None:
    lower, upper = place(stack(ASLANT, 0, 690, 6), stack(ASLANT, 2, 691, 3, z=6 * THICK_MM))
    assert (upper.x, upper.y, upper.z) == pytest.approx((2, 691, 6 * THICK_MM), abs=0.1)
    assert lower.z == 0
    assert str(upper.zone) == "seat.2.ante"


def test_stacks_side_by_side_stand_on_the_felt() -> None:
    both = place(stack(ASLANT, 0, 690, 12), stack(ASLANT, 40, 690, 12), stack(ASLANT, 0, 730, 12))
    assert [placed.z for placed in both] == [0, 0, 0]


@pytest.mark.parametrize("count", [1, 4, 15])
def test_a_stack_nobody_counted_is_measured(count: int) -> None:
    (placed,) = place(stack(ASLANT, 300, 600, count, is_read=False))
    assert placed.height_mm == pytest.approx(count * THICK_MM, rel=0.02)


def test_a_hand_covers_zones() -> None:
    hand = Detection(Found("hand", 0.8, quad(ASLANT, 0, 735, 45, 95)))
    (placed,) = place(hand)
    covered = {str(belief.zone): belief.p for belief in placed.covers}
    assert covered["seat.2.ante"] == covered["seat.2.play"] == pytest.approx(1, abs=0.05)
    assert 0 < covered["seat.2.cards"] < 0.2
    assert "seat.1.ante" not in covered
    assert "off" not in covered
    assert placed.angle is None


def test_an_arm_from_outside_the_picture_is_cut_there() -> None:
    arm = Detection(Found("hand", 0.8, ((-400.0, -300.0), (960.0, -300.0), (960.0, 540.0), (-400.0, 540.0))))
    (placed,) = place(arm, camera=ABOVE)
    assert {belief.zone.seat for belief in placed.covers} >= {1}
    assert all(belief.p <= 1 for belief in placed.covers)


def test_the_order_is_kept() -> None:
    things = [card(ASLANT, 0, 270), stack(ASLANT, 0, 690), card(ASLANT, 60, 870), stack(ASLANT, -500, 620)]
    assert [placed.detection for placed in place(*things)] == things
    assert place() == []


def test_a_camera_that_was_bumped_keeps_the_felt() -> None:
    moved = Placer(ABOVE, MAP).under(ASLANT)
    assert moved.map is MAP
    assert str(moved.place([stack(ASLANT, 0, 690)])[0].zone) == "seat.2.ante"


def test_a_drawn_payout_replaces_the_one_around() -> None:
    drawn = LAYOUT.seat[1].model_copy(update={"payouts": {"ante": box(90, 150, 660, 720)}})
    layout = LAYOUT.model_copy(update={"seat": [LAYOUT.seat[0], drawn, LAYOUT.seat[2]]})
    check_layout(layout)
    beside, drawn_one = Placer(ABOVE, layout).place([stack(ABOVE, 55, 690), stack(ABOVE, 120, 690)])
    assert str(beside.zone) == "seat.2.felt"
    assert str(drawn_one.zone) == "seat.2.payout:ante"


def test_a_drawn_rail_replaces_the_band() -> None:
    layout = LAYOUT.model_copy(update={"rail": [box(-1000, 1000, 1000, 1080)]})
    zones = [
        str(placed.zone) for placed in Placer(ABOVE, layout).place([stack(ABOVE, 0, 1040), stack(ABOVE, -1070, 500)])
    ]
    assert zones == ["rail", "off"]


@pytest.mark.parametrize("zone", MAP.zones, ids=str)
def test_zones_survive_their_text(zone: Zone) -> None:
    assert Zone.parse(str(zone)) == zone
