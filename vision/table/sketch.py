"""A first layout for a new felt, to be completed by hand: a size enters; seats along an arc leave, or another's."""

from collections.abc import Iterable

import numpy as np

from vision.table.layout import DealerLayout, Layout, SeatLayout, Shape, check_layout
from vision.values.errors import InputError
from vision.values.geometry import Floats

CARDS_MM = (230.0, 120.0)  # a player's cards, across and inward: five in a fan and some room (assumed)
RAIL_TO_CARDS_MM = 75.0  # from the rail to their middle (assumed; our own felts have 76)
SPOT_MM, SENSOR_MM = 30.0, 15.0  # radii
SPOTS = {  # across, to the player's right, and inward from the rail
    "play": (0.0, 180.0),
    "ante": (0.0, 250.0),
    "aces_up": (0.0, 320.0),
    "six_card": (-95.0, 275.0),
    "bad_beat": (95.0, 275.0),
    "progressive": (0.0, 378.0),
}
TRAY_MM = 600.0  # width of a usual chip tray of twelve or so tubes
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
ENDS = 0.12  # share of the rail before the first and after the last seat
ROUNDNESS = 2.4  # of the rail: 2 is an ellipse, more has fuller corners


def sketch_layout(name: str, size_mm: tuple[float, float], seats: int) -> Layout:
    """Return a felt with seats along an arc, and the usual places; none of them is where the print has it."""
    rail = _rail(size_mm)
    anchors = [_anchor(rail, share) for share in np.linspace(ENDS, 1 - ENDS, seats)]
    layout = Layout(
        name=name,
        size_mm=list(size_mm),
        outline=np.round(rail[::4], 1).tolist(),
        artwork="artwork.png",
        seat=[_seat(number, *anchor) for number, anchor in enumerate(anchors, 1)],
        dealer=dealer_places(min(TRAY_MM, size_mm[0] * 0.28)),
    )
    try:
        check_layout(layout)
    except ValueError as error:
        raise InputError(
            f"--size, --seats: {seats} seats have no room on {size_mm[0]:g} x {size_mm[1]:g} mm ({error})"
        ) from error
    return layout


def layout_like(other: Layout, name: str, size_mm: tuple[float, float]) -> Layout:
    """Return another felt's places on one of a size: they move with it, and stay as large as they are."""
    grown = np.array(size_mm) / other.size_mm

    def moved(shape: Shape) -> Shape:
        x, y = shape.centre
        return shape.moved(float(x * (grown[0] - 1)), float(y * (grown[1] - 1)))

    def seat(one: SeatLayout) -> SeatLayout:
        spots, payouts = ({key: moved(s) for key, s in shapes.items()} for shapes in (one.spots, one.payouts))
        return one.model_copy(update={"cards": moved(one.cards), "spots": spots, "payouts": payouts})

    dealer = {zone: moved(shape) for zone, shape in other.dealer.zones().items()}
    return Layout(
        name=name,
        size_mm=list(size_mm),
        outline=np.round(np.array(other.outline) * grown, 1).tolist(),
        artwork="artwork.png",
        rail=[moved(shape) for shape in other.rail],
        seat=[seat(one) for one in other.seat],
        dealer=DealerLayout(**dealer),
    )


def _rail(size_mm: tuple[float, float]) -> Floats:
    """Return the edge of the felt, from the dealer's left over the players to the dealer's right, at even steps."""
    turns = np.linspace(np.pi, 0, 4001)
    x, y = np.cos(turns), np.sin(turns)
    fine = np.stack([np.sign(x) * np.abs(x) ** (2 / ROUNDNESS), np.abs(y) ** (2 / ROUNDNESS)], axis=1)
    fine *= (size_mm[0] / 2, size_mm[1])
    along = np.concatenate([[0.0], np.hypot(*np.diff(fine, axis=0).T).cumsum()])
    even = np.linspace(0, along[-1], 321)
    return np.stack([np.interp(even, along, fine[:, i]) for i in (0, 1)], axis=1)


def _anchor(rail: Floats, share: float) -> tuple[Floats, Floats]:
    """Return a place of the rail, and the way from there along it, towards the dealer's right."""
    i = round(share * (len(rail) - 1))
    way = rail[i + 3] - rail[i - 3]
    return rail[i], np.asarray(way / np.hypot(*way))


def _seat(number: int, rail: Floats, along: Floats) -> SeatLayout:
    inward = np.array([along[1], -along[0]])
    spots = {
        name: _circle(rail + along * across + inward * deep, SENSOR_MM if name == "progressive" else SPOT_MM)
        for name, (across, deep) in SPOTS.items()
    }
    angle = round(float(np.degrees(np.arctan2(along[1], along[0]))), 2)
    cards = card_area(rail + inward * RAIL_TO_CARDS_MM, along, inward)
    return SeatLayout(number=number, angle=angle, cards=cards, spots=spots)


def card_area(middle: Floats, across: Floats, inward: Floats) -> Shape:
    """Return where a player's cards lie, around a point."""
    wide, deep = across * CARDS_MM[0] / 2, inward * CARDS_MM[1] / 2
    return polygon(middle + wide * a + deep * b for a, b in CORNERS)


def polygon(corners: Iterable[Floats]) -> Shape:
    """Return a place with these corners, to a tenth of a millimetre."""
    return Shape(polygon=[[round(float(x), 1), round(float(y), 1)] for x, y in corners])


def dealer_places(tray_mm: float) -> DealerLayout:
    """Return the dealer's usual places around a chip tray of this width."""
    half = tray_mm / 2
    return DealerLayout(
        cards=_box(-250, 250, 215, 325),
        work=_box(-175, 175, 338, 488),
        tray=_box(-half, half, 20, 190),
        discard=_box(half + 45, half + 135, 30, 160),
        shoe=_box(-half - 225, -half - 35, 20, 260),
        bonus=_box(266, 356, 215, 325),
    )


def _circle(at: Floats, radius: float) -> Shape:
    return Shape(circle=[round(float(at[0]), 1), round(float(at[1]), 1), radius])


def _box(left: float, right: float, low: float, high: float) -> Shape:
    return Shape(polygon=[[left, low], [right, low], [right, high], [left, high]])
