"""What else lies on a table: drinks, phones, cash, discs, blocks of cards. A prop and its pose enter, a patch leaves.

Everything is built of a few solids in millimetres around the prop's own middle (walls of revolution, slabs, flat
pictures), laid on an easel in layers from back to front. `variant` chooses among looks and never runs out.
"""

from functools import cache

import numpy as np

from studio.art.chips import paint_stack
from studio.art.drinks import draw_drink, vessel_of
from studio.art.easel import Easel, flat_corners, ring, round_outline, spun
from studio.art.flats import (
    NOTE_MM,
    PHONE_MM,
    PLASTICS,
    banknote,
    lattice_back,
    phone_side,
    plastic_card,
    rounded_picture,
)
from studio.art.shadows import cast_shadow
from studio.light import Light
from studio.patch import Patch
from studio.scene import Pose, PropBody, StackBody
from vision.values.chips import Chip, ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.sizes import CARD_MM, CARD_THICKNESS_MM


def paint_prop(body: PropBody, pose: Pose, camera: Camera, light: Light, back: Picture | None = None) -> Patch:
    """Paint a prop; `back` is the back of the cards (top row towards +y) for `stub` and `pile`."""
    if body.kind in ("lammer", "button"):
        return paint_stack(StackBody((1,), ((0.0, 0.0, 0.0),)), pose, camera, _disc_of(body), light)
    easel = Easel(camera, light, pose, _extent(body))
    match body.kind:
        case "drink":
            draw_drink(easel, body.variant)
        case "phone":
            _phone(easel, body.variant)
        case "cash":
            _cash(easel, body.variant)
        case "cutcard":
            _card_block(
                easel, [PLASTICS[body.variant % len(PLASTICS)]], plastic_card(body.variant), (0.0, 0.0, 0.0, 0.6)
            )
        case "ashtray":
            _ashtray(easel, body.variant)
        case _:
            _cards(easel, body, lattice_back(body.variant) if back is None else rounded_picture(back))
    return easel.patch()


def shadow_of_prop(body: PropBody, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return the shadow a prop throws on the felt; glass throws half of one, paper hardly lifts off."""
    high = _extent(body)[2]
    easel = Easel(camera, light, pose, (1.0, 1.0, 1.0))
    base, top = (easel.world(np.column_stack([points, np.zeros(len(points))])) for points in _outlines(body))
    is_clear = body.kind == "drink" and vessel_of(body.variant).alpha < 200
    return cast_shadow(
        base, top + np.array([0, 0, high]), camera, light, 0.6 if is_clear or body.kind == "cash" else 1.0
    )


def _outlines(body: PropBody) -> tuple[Floats, Floats]:
    """Return what a prop stands on, and its widest outline."""
    wide, long, _ = _extent(body)
    match body.kind:
        case "drink":
            radii = [radius for radius, _ in vessel_of(body.variant).profile]
            return ring(radii[0], 0)[:, :2], ring(max(radii[-1], radii[len(radii) // 2]), 0)[:, :2]
        case "ashtray":
            return ring(46, 0, _sides(body.variant))[:, :2], ring(51, 0, _sides(body.variant))[:, :2]
        case "cash":
            hull = np.concatenate([corners[:, :2] for corners, _ in _notes(body.variant)])
        case "pile":
            hull = np.concatenate([spun(round_outline(*CARD_MM, 3), turn) + at for *at, turn in _blocks(body)])
        case _:
            hull = round_outline(wide, long, 8 if body.kind in ("phone", "stub", "cutcard") else wide)
    return hull, hull


def _extent(body: PropBody) -> tuple[float, float, float]:
    """Return the box a prop stands in: along x, along y, and its height."""
    match body.kind:
        case "drink":
            vessel = vessel_of(body.variant)
            wide = 2.6 * max(radius for radius, _ in vessel.profile) + 2
            return wide, wide, vessel.profile[-1][1] + 4
        case "phone":
            return *PHONE_MM, 9.0
        case "cash":
            return NOTE_MM[0] + 60, NOTE_MM[1] + 70, 12.0
        case "cutcard":
            return *CARD_MM, 0.6
        case "ashtray":
            return 102.0, 102.0, 29.0
        case "stub":
            return *CARD_MM, body.size * CARD_THICKNESS_MM
        case "pile":
            return CARD_MM[0] + 44, CARD_MM[1] + 44, body.size * CARD_THICKNESS_MM * 1.4
        case "lammer" | "button":
            discs = _disc_of(body)
            return discs.diameter_mm, discs.diameter_mm, discs.thickness_mm
    raise ValueError(f"prop: {body.kind!r}: want drink, phone, cash, lammer, cutcard, ashtray, stub, pile or button")


def _sides(variant: int) -> int:
    """Return how many sides an ashtray has; many are a circle."""
    return (28, 4, 6, 28, 4)[variant % 5]


def _ashtray(easel: Easel, variant: int) -> None:
    colour = ("#1c1c1e", "#7a4a1c", "#c9cdd0", "#3a2a22")[variant % 4]
    sides, alpha = _sides(variant), 255 if variant % 4 != 2 else 170
    easel.flat(ring(36, 6, sides), colour, 255, 0.7)
    easel.revolve(((34, 6), (44, 28)), colour, alpha, inside=True, sides=sides)
    random = np.random.default_rng(variant)
    for _ in range(variant % 7 * 3):
        spread = np.array([*random.normal(0, 11, 2), 0])
        easel.flat(
            ring(random.uniform(2, 7), 6.2, 7) + spread, ("#6e6b67", "#4f4c49", "#82807b")[int(random.integers(3))]
        )
    for _ in range(variant % 4):
        turn, off = random.uniform(0, 2 * np.pi), random.uniform(-14, 14, 2)
        long = np.array([np.cos(turn), np.sin(turn)])
        for start, end, tone in ((-13, 2, "#eceae4"), (2, 12, "#c98a3c"), (-16, -13, "#3a3836")):
            side = np.array([-long[1], long[0]]) * 4
            spots = [
                off + long * start + side,
                off + long * end + side,
                off + long * end - side,
                off + long * start - side,
            ]
            easel.flat([(*spot, 11.0) for spot in spots], tone)
    easel.flush()
    easel.revolve(((46, 0), (51, 28), (43, 29)), colour, alpha, sides=sides)


def _phone(easel: Easel, variant: int) -> None:
    outline = round_outline(*PHONE_MM, 10)
    body = ("#1a1b1e", "#c8c9cc", "#2b3a52", "#7c2f3a")[variant % 4]
    easel.slab(outline, 0, 8.5, [body, "#55585c"])
    easel.flat(np.column_stack([outline, np.full(len(outline), 8.5)]), body)
    easel.picture(flat_corners(PHONE_MM[0] - 4, PHONE_MM[1] - 4, 8.6), phone_side(variant))


def _cash(easel: Easel, variant: int) -> None:
    """Lay banknotes: strewn, fanned or strapped in a bundle."""
    if variant % 3 == 2:
        easel.slab(round_outline(*NOTE_MM, 1), 0, 9, ["#d5d6c8", "#a9ad98"] * 6)
        easel.picture(flat_corners(*NOTE_MM, 9), banknote(variant))
        easel.flat(flat_corners(30, NOTE_MM[1], 9.4), "#e9e2cf")
        return
    for corners, lift in _notes(variant):
        easel.picture(corners, banknote(variant), lift)


@cache
def _notes(variant: int) -> list[tuple[Floats, float]]:
    """Return the corners of each note, bottom first, and how bright it is; worn notes do not lie flat."""
    random = np.random.default_rng(variant)
    is_fan, count = variant % 3 == 1, 1 if variant % 3 == 2 else 1 + int(random.integers(1, 6))
    notes = []
    for index in range(count):
        turn = (index - count / 2) * 7 if is_fan else random.uniform(-16, 16)
        off = (index * 3.0 - 8, index * 1.5) if is_fan else tuple(random.uniform(-14, 14, 2))
        lift = np.column_stack([np.zeros((4, 2)), random.uniform(0, 5, 4)])
        place = np.array([*off, 0]) * (count > 1)
        notes.append(
            (
                flat_corners(*NOTE_MM, 0.4 + index * 0.5, turn * (count > 1)) + place + lift,
                0.88 + 0.12 * random.random(),
            )
        )
    return notes


@cache
def _blocks(body: PropBody) -> list[tuple[float, float, float]]:
    """Return how each block of a pile lies, bottom first: x, y, turn; a stub is one square block."""
    if body.kind == "stub":
        return [(0.0, 0.0, 0.0)]
    random = np.random.default_rng(body.variant)
    wild = random.normal(0, 1, (max(1, min(round(body.size), 12)), 3)).clip(-2, 2) * (4, 4, 7)
    return [(float(x), float(y), float(turn)) for x, y, turn in wild]


def _cards(easel: Easel, body: PropBody, back: Picture) -> None:
    """Stack cards: a squared stub in one block, a pile in many that do not lie square."""
    random, blocks = np.random.default_rng(body.variant), _blocks(body)
    thick = _extent(body)[2] / len(blocks)
    lines = max(1, min(body.size / len(blocks), 16 if body.kind == "stub" else 3))
    for index, (x, y, turn) in enumerate(blocks):
        tones = [("#f1efe8", "#d2d0c8", "#e4e2da")[int(random.integers(3))] for _ in range(round(lines))]
        _card_block(easel, tones, back, (x, y, turn, thick), index * thick)


def _card_block(
    easel: Easel, tones: list[str], top: Picture, place: tuple[float, float, float, float], low: float = 0.0
) -> None:
    """Lay a block of cards at (x, y, turn, thickness) and cover it with a picture."""
    x, y, turn, thick = place
    easel.slab(spun(round_outline(*CARD_MM, 3.2), turn) + np.array([x, y]), low, low + thick, tones)
    easel.picture(flat_corners(*CARD_MM, low + thick, turn) + np.array([x, y, 0]), top)


@cache
def _disc_of(body: PropBody) -> ChipSet:
    """Return a lammer or a dealer button as a chip set of one chip."""
    base = PLASTICS[body.variant % len(PLASTICS)]
    if body.kind == "lammer":
        word = ("RESERVED", "ALL IN", "MISSED", "VOID 1", "NO BET 2")[body.variant % 5]
        disc = Chip(
            cents=1,
            base=base,
            inlay=base,
            inlay_diameter_mm=26,
            text=word,
            text_colour="#f4f4f0" if body.variant % 7 in (1, 2, 4, 5) else "#181818",
        )
        return ChipSet(name="lammer", diameter_mm=28 + body.variant % 3 * 2, thickness_mm=2.4, chip=[disc])
    inlay_mm = 40 + body.variant % 2 * 6
    disc = Chip(cents=1, base=base, inlay="#f7f5ee", inlay_diameter_mm=inlay_mm, text="DEALER")
    return ChipSet(name="button", diameter_mm=50 + body.variant % 3 * 4, thickness_mm=5.0, chip=[disc])
