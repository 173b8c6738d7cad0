"""What else lies on a table: drinks, phones, cash, discs, blocks of cards. A prop and its pose enter, a patch leaves.

Everything is built of a few solids in millimetres around the prop's own middle (walls of revolution, slabs, flat
pictures), laid on an easel in layers from back to front. `variant` chooses among looks and never runs out.
"""

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.chips import Chip, ChipSet
from vision.geometry import Camera, Floats
from vision.simulate.art.chips import Field, bgr, cast_shadow, paint_stack, shrink
from vision.simulate.film.light import Light
from vision.simulate.film.patch import Patch, Picture
from vision.simulate.scene import CARD_HEIGHT_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM, Pose, PropBody, StackBody

FINE = 3  # fine pixels to the side of a pixel
TEXTURE_PX_PER_MM = 4
NOTE_MM, PHONE_MM, CARD_MM = (152.0, 68.0), (73.0, 149.0), (CARD_WIDTH_MM, CARD_HEIGHT_MM)
BACKS = ("#a01c28", "#1f3f8f", "#1c6b45", "#27272c", "#5d2a7a", "#b0561c")
NOTES = ("#b9c3a4", "#c9b48c", "#a9bccb", "#cfa9a0", "#b4a9c6")
PLASTICS = ("#e0c21e", "#c4202c", "#1d56a8", "#e87422", "#17181a", "#2c9a5c", "#f0f0ec")
Profile = tuple[tuple[float, float], ...]  # radius and height, from the foot up


@dataclass(frozen=True, slots=True)
class Vessel:
    """Something to drink from: its outline, its skin, and what is in it; where several are named, `variant` chooses."""

    profile: Profile
    skins: tuple[str, ...]
    alpha: int  # of the skin: glass is thin, paper is not
    liquids: tuple[str, ...] = ()
    liquid_alpha: int = 235
    floor_mm: float = 4.0
    ice: int = 0
    lid: str | None = None  # on a full glass: foam
    label: str | None = None
    straw: bool = False


GLASS, BROWN, CANS = ("#e4ecee",), ("#4a2408", "#1d4a26", "#3a1c06"), ("#b8202a", "#c4c8cc", "#1d4f9c", "#2a7a3c")
WINES, SPIRITS = ("#4e0a18", "#d9c67a"), ("#8a4a12", "#c98a2c", "#7a1420", "#c8ccb8")
SOFT = ("#2a120a", "#d07a20", "#3a1a0c", "#b8c49a")
VESSELS = (
    Vessel(((33, 0), (41, 92)), GLASS, 44, SPIRITS, 225, 9, ice=3),
    Vessel(((28, 0), (33, 138)), GLASS, 44, SOFT, 245, 6, ice=3, straw=True),
    Vessel(((30, 0), (31, 128), (27, 150), (13.5, 196), (13.5, 232)), BROWN, 242, lid="#120903", label="#e6dcc0"),
    Vessel(((26, 0), (33, 8), (33, 112), (27, 121)), CANS, 255, lid="#b4b8bc"),
    Vessel(((29, 0), (41, 106)), ("#efeae0", "#c9a27a", "#2f5d4a"), 255, ("#3a2112", "#8a5c38"), 255),
    Vessel(((29, 0), (41, 106)), ("#f2efe8", "#8a5a36", "#30343a"), 255, lid="#f4f2ee", label="#8c5f3c"),
    Vessel(((30, 0), (38, 118)), GLASS, 46, ("#c4d2d4",), 110, 7, ice=3, straw=True),
    Vessel(((32, 0), (47, 118)), ("#b5202a", "#2358a8"), 255, ("#c99a34", "#2a120a"), 250),
    Vessel(((34, 0), (33, 2), (4, 6), (4, 78), (30, 98), (38, 124), (32, 172)), GLASS, 40, WINES, 240, 80),
    Vessel(((30, 0), (33, 60), (43, 150)), GLASS, 44, ("#d2921c", "#5a2a0c"), 235, 6, lid="#f2e8cc"),
)  # fmt: skip
FILLS = (0.62, 0.35, 0.85, 0.15)


class Easel:
    """A fine canvas over the part of the frame where a prop is; points are millimetres in the prop's own frame."""

    def __init__(self, camera: Camera, light: Light, pose: Pose, extent_mm: tuple[float, float, float]) -> None:
        self.camera, self.light, self.pose = camera, light, pose
        swing = np.radians(pose.angle)
        self.turned = np.array([[np.cos(swing), np.sin(swing), 0], [-np.sin(swing), np.cos(swing), 0], [0, 0, 1]])
        w, h, z = extent_mm
        box = camera.project(self.world([(a * w / 2, b * h / 2, c) for a in (-1, 1) for b in (-1, 1) for c in (0, z)]))
        self.low = np.floor(box.min(axis=0)).astype(int) - 2
        span = np.ceil(box.max(axis=0)).astype(int) + 3 - self.low
        self.paint = np.zeros((span[1] * FINE, span[0] * FINE, 4), np.float32)  # weighted by its last channel, 0 to 1
        self.layer = np.zeros(self.paint.shape, np.uint8)
        view = np.array(camera.position_mm) - self.world((0, 0, z / 2))
        self.view: Floats = view / np.linalg.norm(view)
        half = self.view + np.array(light.towards)
        self.half: Floats = half / np.linalg.norm(half)
        self.level = float(light.on(np.array([0.0, 0.0, 1.0])))  # how bright what lies flat is

    def world(self, points: ArrayLike) -> Floats:
        """Return points of the prop as points of the table."""
        placed: Floats = np.asarray(points, float) @ self.turned + (self.pose.x, self.pose.y, self.pose.z)
        return placed

    def fine(self, points: ArrayLike) -> Floats:
        """Return where points of the prop are on the canvas."""
        on_canvas: Floats = (self.camera.project(self.world(points)) - self.low + 0.5) * FINE - 0.5
        return on_canvas

    def fill(self, corners: Floats, colour: NDArray[np.floating], alpha: float) -> None:
        """Fill a convex outline, given on the canvas, on the current layer."""
        b, g, r = colour.tolist()  # the fill stops at 255 by itself
        cv2.fillConvexPoly(
            self.layer, np.rint(corners * 16).astype(np.int32), (b, g, r, min(alpha, 255)), cv2.LINE_8, 4
        )

    def flat(self, points: ArrayLike, colour: str, alpha: float = 255, lift: float = 1.0) -> None:
        """Fill a horizontal outline, lit from above."""
        self.fill(self.fine(points), bgr(colour) * (self.level * lift), alpha)

    def flush(self) -> None:
        """Lay the current layer over the painting and begin a new one."""
        u, v, wide, high = cv2.boundingRect(cv2.extractChannel(self.layer, 3))
        over, under = self.layer[v : v + high, u : u + wide], self.paint[v : v + high, u : u + wide]
        alpha = over[..., 3:] * np.float32(1 / 255)
        under *= 1 - alpha
        under[..., :3] += over[..., :3] * alpha
        under[..., 3:] += alpha
        over[:] = 0

    def picture(self, corners: ArrayLike, texture: Picture, lift: float = 1.0) -> None:
        """Put a flat picture (BGRA) on the layer: corners upper left, upper right, lower right, lower left."""
        high, wide = texture.shape[:2]
        frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        target = self.fine(corners)
        low = np.maximum(np.floor(target.min(axis=0)).astype(int), 0)
        span = np.minimum(np.ceil(target.max(axis=0)).astype(int) + 1, self.paint.shape[1::-1]) - low
        warp = cv2.getPerspectiveTransform(frame, (target - low).astype(np.float32))
        over = cv2.warpPerspective(texture, warp, (int(span[0]), int(span[1])))
        lit = np.ascontiguousarray(cv2.convertScaleAbs(over, alpha=self.level * lift))
        lit[..., 3] = 255
        window = self.layer[low[1] : low[1] + span[1], low[0] : low[0] + span[0]]
        where = over[..., 3:] > 127  # fine pixels are small enough to be all or nothing
        np.copyto(window.view(np.uint32), lit.view(np.uint32), where=where)  # four bytes at once

    def quads(self, rings: Floats, normals: Floats, colour: Field, alpha: float, gloss: float) -> None:
        """Fill the quads (n, 4, 3) that face the camera, each lit by its normal; thin skins thicken at their sides."""
        turned = normals @ self.turned
        facing = turned @ self.view
        lit = self.light.on(turned)
        glint = np.clip(turned @ self.half, 0, 1) ** 24 * gloss
        for quad, front, bright, shine in zip(self.fine(rings), facing, lit, glint, strict=True):
            if front > 0:
                cover = alpha if alpha > 250 else alpha * (0.6 + 1.6 * (1 - front) ** 3) + shine
                self.fill(quad, colour * bright + shine, cover)

    def revolve(self, profile: Profile, colour: str, alpha: float = 255, inside: bool = False, sides: int = 28) -> None:
        """Fill a wall of revolution, from outside or as seen on its far inner side."""
        around = np.linspace(0, 2 * np.pi, sides + 1) + np.pi / sides
        ring = np.stack([np.cos(around), np.sin(around), 0 * around], axis=1)
        middle = around[:-1] + np.pi / sides
        sign = -1.0 if inside else 1.0
        for (r0, z0), (r1, z1) in pairwise(profile):
            low, high = ring * (r0, r0, 0) + (0, 0, z0), ring * (r1, r1, 0) + (0, 0, z1)
            quads = np.stack([low[:-1], low[1:], high[1:], high[:-1]], axis=1)
            steep = np.hypot(z1 - z0, r1 - r0) + 1e-6
            out, up = sign * (z1 - z0) / steep, sign * (r0 - r1) / steep
            normals = np.stack([np.cos(middle) * out, np.sin(middle) * out, np.full(sides, up)], axis=1)
            self.quads(quads, normals, bgr(colour), alpha, 150 if alpha < 250 else 60)

    def slab(self, outline: Floats, low: float, high: float, colours: list[str]) -> None:
        """Fill the walls of a straight solid, in bands of the given colours from the foot up."""
        ends = np.roll(outline, -1, axis=0)
        along = (ends - outline) / (np.linalg.norm(ends - outline, axis=1, keepdims=True) + 1e-9)
        normals = np.stack([along[:, 1], -along[:, 0], 0 * along[:, 0]], axis=1)
        steps = np.linspace(low, high, len(colours) + 1)
        for colour, (z0, z1) in zip(colours, pairwise(steps), strict=True):
            stood = [np.column_stack([points, np.full(len(points), z)]) for points, z in
                     ((outline, z0), (ends, z0), (ends, z1), (outline, z1))]  # fmt: skip
            self.quads(np.stack(stood, axis=1), normals, bgr(colour), 255, 20)

    def patch(self) -> Patch:
        """Return what was painted."""
        self.flush()
        return shrink(self.paint[..., :3], self.paint[..., 3].copy(), FINE, (int(self.low[0]), int(self.low[1])))


def paint_prop(body: PropBody, pose: Pose, camera: Camera, light: Light, back: Picture | None = None) -> Patch:
    """Paint a prop; `back` is the back of the cards (top row towards +y) for `stub` and `pile`."""
    if body.kind in ("lammer", "button"):
        return paint_stack(StackBody((1,), ((0.0, 0.0, 0.0),)), pose, camera, _disc_of(body), light)
    easel = Easel(camera, light, pose, _extent(body))
    match body.kind:
        case "drink":
            _drink(easel, body.variant)
        case "phone":
            _phone(easel, body.variant)
        case "cash":
            _cash(easel, body.variant)
        case "cutcard":
            _card_block(easel, [PLASTICS[body.variant % len(PLASTICS)]], _plastic(body.variant), (0.0, 0.0, 0.0, 0.6))
        case "ashtray":
            _ashtray(easel, body.variant)
        case _:
            _cards(easel, body, _back(body.variant) if back is None else _rounded_picture(back))
    return easel.patch()


def shadow_of_prop(body: PropBody, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return the shadow a prop throws on the felt; glass throws half of one, paper hardly lifts off."""
    high = _extent(body)[2]
    easel = Easel(camera, light, pose, (1.0, 1.0, 1.0))
    base, top = (easel.world(np.column_stack([points, np.zeros(len(points))])) for points in _outlines(body))
    is_clear = body.kind == "drink" and _vessel(body.variant).alpha < 200
    return cast_shadow(
        base, top + np.array([0, 0, high]), camera, light, 0.6 if is_clear or body.kind == "cash" else 1.0
    )


def _outlines(body: PropBody) -> tuple[Floats, Floats]:
    """Return what a prop stands on, and its widest outline."""
    wide, long, _ = _extent(body)
    match body.kind:
        case "drink":
            radii = [radius for radius, _ in _vessel(body.variant).profile]
            return _ring(radii[0], 0)[:, :2], _ring(max(radii[-1], radii[len(radii) // 2]), 0)[:, :2]
        case "ashtray":
            return _ring(46, 0, _sides(body.variant))[:, :2], _ring(51, 0, _sides(body.variant))[:, :2]
        case "cash":
            hull = np.concatenate([corners[:, :2] for corners, _ in _notes(body.variant)])
        case "pile":
            hull = np.concatenate([_spun(_round_outline(*CARD_MM, 3), turn) + at for *at, turn in _blocks(body)])
        case _:
            hull = _round_outline(wide, long, 8 if body.kind in ("phone", "stub", "cutcard") else wide)
    return hull, hull


def _extent(body: PropBody) -> tuple[float, float, float]:
    """Return the box a prop stands in: along x, along y, and its height."""
    match body.kind:
        case "drink":
            vessel = _vessel(body.variant)
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


# --- things with height


@cache
def _vessel(variant: int) -> Vessel:
    """Return a drink's vessel: one kind, skin and liquid each, and a size of its own."""
    kind, again = VESSELS[variant % len(VESSELS)], variant // len(VESSELS)
    grown = 1 + 0.06 * (again * 2 % 5 - 2)
    return replace(
        kind,
        profile=tuple((radius * grown, height * grown) for radius, height in kind.profile),
        skins=kind.skins[again % len(kind.skins) :],
        liquids=kind.liquids[again % max(len(kind.liquids), 1) :],
    )


def _drink(easel: Easel, variant: int) -> None:
    vessel, again = _vessel(variant), variant // len(VESSELS)
    rim_r, rim_z = vessel.profile[-1]
    skin, is_glass = vessel.skins[0], vessel.alpha < 200
    if again % 3 == 1:  # a coaster or a napkin
        widest, sides = max(radius for radius, _ in vessel.profile), 4 if again % 2 else 28
        colour = ("#ece8de", "#23201e", "#8c2a2a")[variant % 3]
        easel.flat(_ring(widest * (1.5 if sides == 4 else 1.2), 0.5, sides), colour)
    if is_glass:
        easel.flat(_ring(vessel.profile[0][0], 0), skin, 70, 0.8)  # the thick foot of a glass
    easel.revolve(vessel.profile, "#f6f3ec" if vessel.alpha == 255 else skin, vessel.alpha, inside=True)
    easel.flush()
    if vessel.liquids:
        _fill(easel, vessel, FILLS[again % len(FILLS)], again)
    easel.revolve(vessel.profile, skin, vessel.alpha)
    easel.flush()
    if vessel.label:
        easel.revolve(_between(vessel.profile, rim_z * 0.22, rim_z * 0.55), vessel.label)
    if vessel.lid and not vessel.liquids:
        _lid(easel, vessel, vessel.lid)
    easel.flush()
    lip = "#ffffff" if vessel.liquids else skin
    easel.revolve(((rim_r, rim_z), (rim_r - (1.0 if is_glass else 1.8), rim_z)), lip, 150 if is_glass else 230)


def _fill(easel: Easel, vessel: Vessel, full: float, seed: int) -> None:
    """Fill a vessel: the body of the drink, its surface, foam, ice and a straw."""
    random = np.random.default_rng(seed + 7)
    rim_z, liquid = vessel.profile[-1][1], vessel.liquids[0]
    level = vessel.floor_mm + (rim_z - vessel.floor_mm) * full
    body = _between(vessel.profile, vessel.floor_mm, level)
    radius = body[-1][0] * 0.96
    easel.revolve(body, liquid, vessel.liquid_alpha)
    for share, lift in ((1.0, 0.8), (0.93, 1.0), (0.6, 1.08)):  # darker where it climbs the glass
        easel.flat(_ring(radius * share, level), vessel.lid or liquid, vessel.liquid_alpha, lift)
    easel.flush()
    for _ in range(vessel.ice):
        x, y, turn = *random.uniform(-0.42, 0.42, 2) * radius, random.uniform(0, np.pi)
        for size, tone, alpha in ((0.36, "#b9c4c6", 120), (0.26, "#eef4f5", 130)):
            easel.flat(_ring(radius * size, level + 3, 4, turn) + np.array([x, y, 0]), tone, alpha)
        easel.flush()
    if vessel.straw:
        lean = np.array([radius * 0.75, radius * 0.5, 0])
        foot, tip = np.array([0, 0, level]) - lean, np.array([0, 0, rim_z + 4]) + lean * 0.8
        for side, lift in ((2.6, 0.7), (1.4, 1.1)):
            aside = np.array([side, 0, 0])
            stick = [foot - aside, foot + aside, tip + aside, tip - aside]
            easel.flat(stick, PLASTICS[seed % len(PLASTICS)], 255, lift)
        easel.flush()


def _lid(easel: Easel, vessel: Vessel, colour: str) -> None:
    """Close a vessel: the end of a can, the lid of a cup, the mouth of a bottle."""
    radius, height = vessel.profile[-1]
    easel.flat(_ring(radius, height), colour)
    easel.revolve(((radius * 0.86, height + 2), (radius * 0.80, height - 1)), colour, inside=True)
    if radius > 20:
        easel.flat(_ring(radius * 0.78, height), colour, 255, 0.86)
        easel.flat(_ring(radius * 0.24, height, 12) + np.array([0, radius * 0.45, 0]), "#1c1a18")
        easel.flat(_ring(radius * 0.22, height + 1, 12), colour, 255, 1.1)


def _sides(variant: int) -> int:
    """Return how many sides an ashtray has; many are a circle."""
    return (28, 4, 6, 28, 4)[variant % 5]


def _ashtray(easel: Easel, variant: int) -> None:
    colour = ("#1c1c1e", "#7a4a1c", "#c9cdd0", "#3a2a22")[variant % 4]
    sides, alpha = _sides(variant), 255 if variant % 4 != 2 else 170
    easel.flat(_ring(36, 6, sides), colour, 255, 0.7)
    easel.revolve(((34, 6), (44, 28)), colour, alpha, inside=True, sides=sides)
    random = np.random.default_rng(variant)
    for _ in range(variant % 7 * 3):
        spread = np.array([*random.normal(0, 11, 2), 0])
        easel.flat(
            _ring(random.uniform(2, 7), 6.2, 7) + spread, ("#6e6b67", "#4f4c49", "#82807b")[int(random.integers(3))]
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
    outline = _round_outline(*PHONE_MM, 10)
    body = ("#1a1b1e", "#c8c9cc", "#2b3a52", "#7c2f3a")[variant % 4]
    easel.slab(outline, 0, 8.5, [body, "#55585c"])
    easel.flat(np.column_stack([outline, np.full(len(outline), 8.5)]), body)
    easel.picture(_corners(PHONE_MM[0] - 4, PHONE_MM[1] - 4, 8.6), _phone_side(variant))


def _cash(easel: Easel, variant: int) -> None:
    """Lay banknotes: strewn, fanned or strapped in a bundle."""
    if variant % 3 == 2:
        easel.slab(_round_outline(*NOTE_MM, 1), 0, 9, ["#d5d6c8", "#a9ad98"] * 6)
        easel.picture(_corners(*NOTE_MM, 9), _note(variant))
        easel.flat(_corners(30, NOTE_MM[1], 9.4), "#e9e2cf")
        return
    for corners, lift in _notes(variant):
        easel.picture(corners, _note(variant), lift)


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
            (_corners(*NOTE_MM, 0.4 + index * 0.5, turn * (count > 1)) + place + lift, 0.88 + 0.12 * random.random())
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
    easel.slab(_spun(_round_outline(*CARD_MM, 3.2), turn) + np.array([x, y]), low, low + thick, tones)
    easel.picture(_corners(*CARD_MM, low + thick, turn) + np.array([x, y, 0]), top)


# --- flat pictures and outlines


def _ring(radius: float, height: float, sides: int = 28, turn: float = 0.0) -> Floats:
    around = np.linspace(0, 2 * np.pi, sides, endpoint=False) + np.pi / sides + turn
    return np.stack([np.cos(around) * radius, np.sin(around) * radius, np.full(sides, height)], axis=1)


def _round_outline(wide: float, long: float, corner: float) -> Floats:
    """Return a rectangle with round corners, counter-clockwise."""
    corner = min(corner, wide / 2, long / 2)
    turns = np.radians(np.arange(0, 91, 18))
    arcs = [
        np.column_stack([np.cos(turns + k * np.pi / 2), np.sin(turns + k * np.pi / 2)]) * corner
        + (a * (wide / 2 - corner), b * (long / 2 - corner))
        for k, (a, b) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)))
    ]
    return np.concatenate(arcs)


def _corners(wide: float, long: float, height: float, turn: float = 0.0) -> Floats:
    """Return the corners of a flat picture: upper left, upper right, lower right, lower left."""
    flat = np.array([[-wide, long], [wide, long], [wide, -long], [-wide, -long]]) / 2
    return np.column_stack([_spun(flat, turn), np.full(4, height)])


def _spun(points: Floats, turn_deg: float) -> Floats:
    """Turn flat points counter-clockwise about the middle."""
    swing = np.radians(turn_deg)
    turned: Floats = points @ np.array([[np.cos(swing), np.sin(swing)], [-np.sin(swing), np.cos(swing)]])
    return turned


def _between(profile: Profile, low: float, high: float) -> Profile:
    """Cut a profile to the heights between two."""
    radii, heights = zip(*profile, strict=True)
    cuts = sorted({low, high, *(z for z in heights if low < z < high)})
    return tuple((float(np.interp(z, heights, radii)), z) for z in cuts)


def _sheet(size_mm: tuple[float, float], colour: str) -> tuple[Picture, Floats, Floats]:
    """Return an empty sheet with the places of its pixels in mm from its middle, y up."""
    wide, high = (round(side * TEXTURE_PX_PER_MM) for side in size_mm)
    x, y = np.meshgrid(np.arange(wide) - (wide - 1) / 2, (high - 1) / 2 - np.arange(high))
    sheet = np.empty((high, wide, 3), np.uint8)
    sheet[:] = bgr(colour)
    return sheet, x / TEXTURE_PX_PER_MM, y / TEXTURE_PX_PER_MM


def _rounded_picture(picture: Picture, corner: float = 0.05) -> Picture:
    """Give a picture round corners, their radius a share of its width."""
    high, wide = picture.shape[:2]
    outline = _round_outline(wide, high, corner * wide) + np.array([wide - 1, high - 1]) / 2
    mask = np.zeros((high, wide), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(outline * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    return np.dstack([picture, mask])


@cache
def _plastic(variant: int) -> Picture:
    """Draw a cut card: plain, with the sheen and scratches of plastic."""
    sheet, x, y = _sheet(CARD_MM, PLASTICS[variant % len(PLASTICS)])
    sheen = 22 * np.exp(-(((x + y * 0.5 - 12) / 14) ** 2)) + np.random.default_rng(variant).normal(0, 3, x.shape)
    return _rounded_picture(np.asarray(np.clip(sheet + sheen[..., None], 0, 255), np.uint8))


@cache
def _back(variant: int) -> Picture:
    """Draw a card's back: a lattice with a medallion in a white border."""
    sheet, x, y = _sheet(CARD_MM, "#f3f1ea")
    colour, pitch = bgr(BACKS[variant % len(BACKS)]), 2.6 + variant % 3
    lattice = (np.cos((x + y) * np.pi / pitch) * np.cos((x - y) * np.pi / pitch) > 0.2 + 0.1 * (variant % 4)).astype(
        float
    )
    around = np.hypot(x, y * 0.8)
    lattice = np.where(around < 13, np.cos(around * 2.2 + np.cos(8 * np.arctan2(y, x))) > 0.2, lattice)
    inside = (np.abs(x) < CARD_MM[0] / 2 - 4) & (np.abs(y) < CARD_MM[1] / 2 - 4)
    ink = inside * (0.97 - 0.7 * lattice)
    return _rounded_picture(np.asarray(sheet + (colour - sheet) * ink[..., None], np.uint8))


@lru_cache(maxsize=64)
def _note(variant: int) -> Picture:
    """Draw a banknote of no country: engraved waves, a frame, an oval, numbers in the corners, folds."""
    sheet, x, y = _sheet(NOTE_MM, NOTES[variant % len(NOTES)])
    paper, ink = sheet.astype(float), bgr(NOTES[variant % len(NOTES)]) * (0.34, 0.42, 0.34)
    waves = np.sin(y * 2.4 + 5 * np.sin(x * 0.11)) * np.sin(x * 1.3 + 3 * np.sin(y * 0.2)) > 0.25
    frame = (np.abs(x) > NOTE_MM[0] / 2 - 9) | (np.abs(y) > NOTE_MM[1] / 2 - 8)
    border = (np.abs(x) > NOTE_MM[0] / 2 - 3) | (np.abs(y) > NOTE_MM[1] / 2 - 3)
    off = 22.0 * (variant % 3 - 1)
    oval = np.hypot((x - off) / 17, y / 24)
    busy = np.random.default_rng(variant).normal(0, 1, (17, 38))
    shape = np.asarray(cv2.resize(busy, x.shape[::-1], interpolation=cv2.INTER_CUBIC))
    cover = np.where(frame, 0.62 - 0.3 * waves, 0.25 * waves)
    cover = np.where(oval < 1, np.clip(0.45 + 0.25 * shape, 0.05, 0.9), cover) + 0.5 * (np.abs(oval - 1) < 0.06)
    cover = np.clip(np.where(border, 0.04, cover), 0, 0.95)
    paper += (ink - paper) * cover[..., None]
    paper *= (1 + 0.05 * np.sin(x * 0.08 + variant) - 0.12 * np.exp(-((x / 0.8) ** 2)))[
        ..., None
    ]  # a fold in the middle
    drawn = np.asarray(np.clip(paper, 0, 255), np.uint8)
    value = ("5", "10", "20", "50", "100")[variant % 5]
    for u, v in ((0.035, 0.25), (0.8, 0.25), (0.035, 0.93), (0.8, 0.93)):
        where = (round(u * drawn.shape[1]), round(v * drawn.shape[0]))
        cv2.putText(drawn, value, where, cv2.FONT_HERSHEY_DUPLEX, 1.5, (225, 235, 225), 4, cv2.LINE_AA)
    return _rounded_picture(drawn, 0.004)


@cache
def _phone_side(variant: int) -> Picture:
    """Draw the side of a phone that shows: a dark screen, a lit one, or its back with the cameras."""
    size = (PHONE_MM[0] - 4, PHONE_MM[1] - 4)
    sheet, x, y = _sheet(size, ("#08090b", "#dfe6ee", "#26303c")[variant % 3])
    paint = sheet.astype(float)
    random = np.random.default_rng(variant)
    if variant % 3 == 1:  # a page of something, light or dark
        paint *= 1.0 if variant % 2 else 0.15
        paint[y > size[1] / 2 - 12] = random.uniform(20, 200) + random.uniform(-40, 40, 3)
        for _ in range(int(random.integers(3, 12))):
            left, top, wide, tall = random.uniform((-30, -65, 12, 4), (5, 50, 45, 20))
            paint[(x > left) & (x < left + wide) & (y > top) & (y < top + tall)] = random.uniform(
                40, 210
            ) + random.uniform(-40, 40, 3)
    if variant % 3 == 2:
        for spot in (50.0, 62.0):
            paint[np.hypot(x + 22, y - spot) < 5.5] = (12, 12, 14)
            paint[np.hypot(x + 20.5, y - spot - 1.5) < 1.2] = (200, 190, 180)
    glare = 70 * np.clip(1 - np.abs(x * 0.9 + y * 0.45 - 18) / 13, 0, 1) ** 0.5 + 26 * (x + y * 0.4 > 34)
    return _rounded_picture(np.asarray(np.clip(paint + glare[..., None] * 0.6, 0, 255), np.uint8), 0.11)


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
