"""Chips as a camera sees them: a chip set, a stack and its pose enter; patches of picture leave.

A denomination is drawn once, large: its face from above and its edge unrolled. A stack is then a lookup: for every
pixel (three to a side in each pixel of the frame) the chip that shows there, and where on its face or edge.
Angles on a chip count counter-clockwise from its +x, seen from above; the letters on the face read along +x.
"""

from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips import Chip, ChipSet, EdgeSpots
from vision.geometry import Camera, Floats
from vision.simulate.film.light import Light
from vision.simulate.film.patch import Patch, Picture
from vision.simulate.scene import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM, Pose, StackBody

Field = NDArray[np.float32]
DRAWN_PX_PER_MM = 10.0  # the resolution at which chips are drawn before they are shrunk
LEVELS_PX_PER_MM = (1.5, 2.5, 4.0, 6.0, 10.0)
HOUSES = {  # by the inlay's size, which the chips of one house share
    20: "LAKESHORE", 23: "RIVERLIGHT", 24: "BOULEVARD", 25: "ALDER CLUB",
    26: "COPPER HALL", 27: "DESERT PALM", 28: "BAY STREET", 32: "MERIDIAN",
}  # fmt: skip
MINOR_SPIN = 97.0  # turns a chip's own angle into its own shade of wear


def bgr(colour: str) -> Field:
    """Return '#rrggbb' as blue, green, red."""
    return np.array([int(colour[i : i + 2], 16) for i in (5, 3, 1)], np.float32)


def chip_face(chip: Chip, px_per_mm: float, diameter_mm: float = CHIP_DIAMETER_MM) -> tuple[Picture, Picture]:
    """Return a chip from above and the mask of its disc, +x to the right and +y up."""
    side = max(3, round(diameter_mm * px_per_mm))
    drawn = _drawn_face(chip.model_dump_json(), diameter_mm)
    how = cv2.INTER_AREA if side < drawn.shape[0] else cv2.INTER_CUBIC
    face = cv2.resize(drawn, (side, side), interpolation=how)
    mask = cv2.resize(_disc_mask(drawn.shape[0]), (side, side), interpolation=how)
    return np.asarray(face, np.uint8), np.asarray(mask, np.uint8)


def chip_edge(
    chip: Chip, px_per_mm: float, diameter_mm: float = CHIP_DIAMETER_MM, thickness_mm: float = CHIP_THICKNESS_MM
) -> Picture:
    """Return a chip's edge unrolled: one turn from left to right starting at +x, the upper rim in the first row."""
    width, height = round(np.pi * diameter_mm * DRAWN_PX_PER_MM), round(thickness_mm * DRAWN_PX_PER_MM)
    turn = (np.arange(width, dtype=np.float32) + 0.5)[None] * (2 * np.pi / width)
    paint = np.broadcast_to(bgr(chip.base), (height, width, 3)).copy()
    for spots in chip.spots:
        _lay(paint, np.repeat(_spot_cover(turn, np.float32(diameter_mm / 2), spots), height, 0), bgr(spots.colour))
    depth = (np.arange(height, dtype=np.float32) + 0.5)[:, None] / height
    bevel = (
        1
        - 0.62 * np.exp(-depth / 0.05)
        - 0.75 * np.exp(-(1 - depth) / 0.07)
        + 0.10 * np.exp(-(((depth - 0.2) / 0.1) ** 2))
    )
    paint *= (bevel * _dirt((height, width), crc32(chip.base.encode())))[..., None]
    size = (max(4, round(np.pi * diameter_mm * px_per_mm)), max(2, round(thickness_mm * px_per_mm)))
    return np.asarray(cv2.resize(_bytes(paint), size, interpolation=cv2.INTER_AREA), np.uint8)


# --- drawing one denomination


@lru_cache(maxsize=128)
def _drawn_face(chip_json: str, diameter_mm: float) -> Picture:
    """Draw the face at full size; a chip is known by its text, which can be a key."""
    chip = Chip.model_validate_json(chip_json)
    side = round(diameter_mm * DRAWN_PX_PER_MM)
    across = (np.arange(side, dtype=np.float32) - (side - 1) / 2) / np.float32(DRAWN_PX_PER_MM)
    x, y = np.meshgrid(across, -across)
    radius, turn = np.hypot(x, y), np.arctan2(y, x)
    inlay_mm = chip.inlay_diameter_mm / 2
    paint = np.broadcast_to(bgr(chip.base), (side, side, 3)).copy()
    for spots in chip.spots:
        _lay(paint, _spot_cover(turn, radius, spots), bgr(spots.colour))
    paint *= _relief(_mould(radius, turn, chip, diameter_mm))[..., None]
    if chip.ring:
        _lay(paint, _within(radius, inlay_mm + 1.3), bgr(chip.ring))
    _lay(paint, _within(radius, inlay_mm), _inlay(chip, radius, turn))
    groove = 1 - 0.35 * np.exp(-(((radius - inlay_mm) / 0.22) ** 2))  # grime gathers where the inlay is sunk
    paint *= (groove * _dirt((side, side), crc32(chip_json.encode())))[..., None]
    return _bytes(paint)


def _inlay(chip: Chip, radius: Field, turn: Field) -> Field:
    """Draw the label: a faint rosette, a line around it, the house's name in an arc, the value in the middle."""
    inlay_mm, ink = chip.inlay_diameter_mm / 2, bgr(chip.text_colour)
    style = int(chip.inlay_diameter_mm)
    paint = np.broadcast_to(bgr(chip.inlay), (*radius.shape, 3)).copy()
    waves = np.sin((8 + style % 9) * turn + 3 * np.sin(radius * 1.1)) * np.sin(radius * (2.2 + style % 3))
    tint = ink if chip.inlay == chip.base else bgr(chip.base)
    _lay(paint, np.clip(waves * 1.5, 0, 1) * _within(radius, inlay_mm * 0.9) * 0.22, tint)
    line = np.clip(1.5 - np.abs(radius - inlay_mm * 0.93) * DRAWN_PX_PER_MM / 1.6, 0, 1)
    _lay(paint, line * (0.25 if chip.inlay == chip.base else 0.9), ink)
    if len(chip.text) <= 5:
        arc_mm = inlay_mm * 0.75
        _lay(paint, _arc_text(HOUSES.get(style, "CARD ROOM"), radius, turn, arc_mm, 0.19 * inlay_mm), ink * 0.9)
        _lay(paint, _arc_text("* CASINO *", radius, -turn, -arc_mm, 0.17 * inlay_mm), ink * 0.9)
    _lay(paint, _centre_text(chip.text, radius.shape[0], inlay_mm), ink)
    return paint


def _centre_text(text: str, side: int, inlay_mm: float) -> Field:
    """Return the cover of the value in the middle, as large as the inlay allows."""
    font, unit = cv2.FONT_HERSHEY_DUPLEX, 4.0
    (width, height), _ = cv2.getTextSize(text, font, unit, 8)
    scale = unit * min(1.3 * inlay_mm / max(width, 1), 0.58 * inlay_mm / max(height, 1)) * DRAWN_PX_PER_MM
    pen = max(2, round(scale * 2))
    (width, height), _ = cv2.getTextSize(text, font, scale, pen)
    cover = np.zeros((side, side), np.uint8)
    cv2.putText(cover, text, ((side - width) // 2, (side + height) // 2), font, scale, (255,), pen, cv2.LINE_AA)
    return np.asarray(cover / np.float32(255), np.float32)


def _arc_text(text: str, radius: Field, turn: Field, arc_mm: float, tall_mm: float) -> Field:
    """Return the cover of words bent around the centre: above it, or below it where `arc_mm` is negative."""
    font, pen = cv2.FONT_HERSHEY_SIMPLEX, 3
    (width, height), _ = cv2.getTextSize(text, font, 2.0, pen)
    strip = np.zeros((height + 20, width + 20), np.uint8)
    cv2.putText(strip, text, (10, height + 10), font, 2.0, (255,), pen, cv2.LINE_AA)
    dots = height / tall_mm
    along = (np.pi / 2 - turn) * abs(arc_mm) * dots + strip.shape[1] / 2
    up = (radius - arc_mm) if arc_mm > 0 else (-radius - arc_mm)
    rows = strip.shape[0] / 2 - up * dots
    bent = cv2.remap(strip, along.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(bent / np.float32(255), np.float32)


def _mould(radius: Field, turn: Field, chip: Chip, diameter_mm: float) -> Field:
    """Return the height of the pressed pattern between inlay and rim; chips of one house share the inlay's size."""
    inner, outer = chip.inlay_diameter_mm / 2, diameter_mm / 2
    rise = (radius - inner) / max(outer - inner, 0.5)
    band = np.clip(np.minimum(rise - 0.25, 0.8 - rise) * 12, 0, 1)
    style = int(chip.inlay_diameter_mm) % 5
    patterns = (
        lambda: np.clip(np.sin(turn * 24) * np.sin(rise * 9) * 3, 0, 1),  # pearls
        lambda: np.abs(rise - 0.5) * 2,  # one groove
        lambda: np.clip(np.sin(turn * 60) * 2, 0, 1),  # reeding
        lambda: np.clip(2 - 6 * np.abs(np.abs((turn * 8 / np.pi) % 2 - 1) - rise), 0, 1),  # zigzag
        lambda: np.clip(np.cos(turn * 16) * 5 - 2, 0, 1) * np.clip(np.cos((rise - 0.5) * 8) * 3, 0, 1),  # studs
    )
    rim = np.clip((radius - outer + 1.4) * 3, 0, 1)
    height: Field = (patterns[style]() * band + rim).astype(np.float32)
    return height


def _relief(height: Field) -> Field:
    """Return how light falls on a pressed surface: brighter on one side of each step, darker on the other."""
    smooth = cv2.GaussianBlur(height, (0, 0), 1.5)
    slope = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) - cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return np.asarray(1 + np.clip(slope * 0.12, -0.2, 0.2) - 0.05 * smooth, np.float32)


def _spot_cover(turn: Field, radius: Field | np.float32, spots: EdgeSpots) -> Field:
    """Return how much of each place lies in an edge spot, soft at its two sides."""
    pitch = np.float32(2 * np.pi / spots.count)
    off = np.abs((turn - np.radians(spots.offset_deg) + pitch / 2) % pitch - pitch / 2)
    return np.asarray(
        np.clip((np.radians(spots.width_deg / 2) - off) * radius * DRAWN_PX_PER_MM + 0.5, 0, 1), np.float32
    )


def _within(radius: Field, limit_mm: float) -> Field:
    return np.asarray(np.clip((limit_mm - radius) * DRAWN_PX_PER_MM + 0.5, 0, 1), np.float32)


def _lay(paint: Field, cover: Field, colour: Field) -> None:
    """Lay a colour over a painting in place."""
    paint += (colour - paint) * cover[..., None]


def _dirt(shape: tuple[int, int], seed: int) -> Field:
    """Return wear: broad stains, fine grain and a few scuffs, around 1; a seed always gives the same."""
    random = np.random.default_rng(seed)
    broad = cv2.resize(random.normal(0, 1, (6, 6)).astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(random.normal(0, 1, (shape[0] // 3 + 1, shape[1] // 3 + 1)).astype(np.float32), shape[::-1])
    return np.asarray(0.97 + 0.02 * broad + 0.025 * fine, np.float32)


def _bytes(paint: NDArray[np.floating]) -> Picture:
    return np.asarray(np.clip(paint, 0, 255), np.uint8)


def _disc_mask(side: int) -> Picture:
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, ((side - 1) * 8, (side - 1) * 8), side * 8, (255,), -1, cv2.LINE_AA, 4)
    return mask


# --- painting a stack


@dataclass(frozen=True, slots=True)
class _Atlas:
    """All faces and edges of a set in one picture: faces side by side, then one row of 1.5 turns for each edge."""

    picture: Picture
    side: int  # of a face
    turn_px: float  # length of one turn of an edge
    tall: int  # of an edge

    def row(self, index: int) -> int:
        """Return the first row of a chip's edge."""
        return self.side + 2 + index * (self.tall + 2)


@lru_cache(maxsize=64)
def _atlas(set_json: str, px_per_mm: float) -> _Atlas:
    chips = ChipSet.model_validate_json(set_json)
    size = (chips.diameter_mm, chips.thickness_mm)
    faces = [chip_face(chip, px_per_mm, size[0])[0] for chip in chips.chip]
    edges = [chip_edge(chip, px_per_mm, *size) for chip in chips.chip]
    side, (tall, turn) = faces[0].shape[0], edges[0].shape[:2]
    long = turn + turn // 2 + 2
    atlas = _Atlas(
        np.zeros((side + 2 + len(edges) * (tall + 2), max(long, side * len(faces)), 3), np.uint8), side, turn, tall
    )
    for index, (face, edge) in enumerate(zip(faces, edges, strict=True)):
        atlas.picture[:side, index * side : (index + 1) * side] = face
        rows = np.pad(np.concatenate([edge, edge], axis=1)[:, :long], ((1, 1), (0, 0), (0, 0)), mode="edge")
        atlas.picture[atlas.row(index) - 1 : atlas.row(index) + tall + 1, :long] = rows
    return atlas


@dataclass(frozen=True, slots=True)
class _Outlook:
    """How any chip of a stack looks from here: fields over the fine pixels around the middle of its top."""

    corner: NDArray[np.int64]  # the first fine pixel, from the middle
    face: NDArray[np.bool_]
    whole: NDArray[np.bool_]  # face or wall
    x: Field  # on the face, in radii
    y: Field
    along: Field  # on the wall, radians past `start`
    down: Field  # on the wall, 0 at the upper rim, 1 at the lower
    start: float
    shade: Field
    gloss: Field
    below: Field  # how the chip darkens what it lies on


def paint_stack(body: StackBody, pose: Pose, camera: Camera, chips: ChipSet, light: Light) -> Patch:
    """Paint a stack, bottom chip first; only what no higher chip hides remains."""
    tops, turns = _tops(body, pose, chips.thickness_mm)
    scale = camera.scale_px_per_mm(tops[-1])
    fine = 3 if scale * chips.diameter_mm < 45 else 2
    atlas = _atlas(chips.model_dump_json(), next((at for at in LEVELS_PX_PER_MM if at >= scale * fine), 10.0))
    exact = (camera.project(tops) + 0.5) * fine - 0.5
    phase = exact[-1] - np.rint(exact[-1])  # the top chip lies exactly, the others to the nearest fine pixel
    middles = np.rint(exact - phase).astype(int)
    look = _outlook(camera, light, tops, chips, (fine, phase))
    size = np.array(look.face.shape[::-1])
    low = (middles.min(axis=0) + look.corner) // fine
    span = -(-(middles.max(axis=0) + look.corner + size) // fine) - low
    canvas = np.zeros((5, *(span[::-1] * fine)), np.float32)
    values = [chip.cents for chip in chips.chip]
    for cents, middle, turn in zip(body.cents, middles, turns, strict=True):
        left, top = middle + look.corner - low * fine
        window = canvas[:, top : top + size[1], left : left + size[0]]
        _put(window, look, atlas, values.index(cents), turn)
    return _develop(canvas, atlas, fine, (int(low[0]), int(low[1])))


def _tops(body: StackBody, pose: Pose, thickness_mm: float) -> tuple[Floats, list[float]]:
    """Return the middle of each chip's top, and each chip's turn in radians."""
    shifts = np.array(body.shifts, float)
    swing = np.radians(pose.angle)
    cos, sin = np.cos(swing), np.sin(swing)
    x = pose.x + cos * shifts[:, 0] - sin * shifts[:, 1]
    y = pose.y + sin * shifts[:, 0] + cos * shifts[:, 1]
    z = pose.z + thickness_mm * np.arange(1, len(shifts) + 1)
    return np.stack([x, y, z], axis=1), [float(turn) for turn in np.radians(shifts[:, 2]) + swing]


def _outlook(camera: Camera, light: Light, tops: Floats, chips: ChipSet, grid: tuple[int, Floats]) -> _Outlook:
    """Work out where on a chip each fine pixel looks; a chip is small, so the camera's map is taken as linear."""
    fine, phase = grid
    middle = tops.mean(axis=0)
    flat, rise = _slopes(camera, middle, chips.diameter_mm / 2)
    fall = -rise * chips.thickness_mm * fine
    reach = np.hypot(flat[:, 0], flat[:, 1]) * fine + 2
    low, high = np.floor(np.minimum(fall, 0) - reach).astype(int), np.ceil(np.maximum(fall, 0) + reach).astype(int)
    u, v = np.arange(low[0], high[0] + 1) - phase[0], np.arange(low[1], high[1] + 1) - phase[1]
    back = np.linalg.inv(flat * fine)
    x, y = ((row[0] * u[None] + row[1] * v[:, None]).astype(np.float32) for row in back)
    away = (-(back @ fall)).astype(np.float32)  # from a point at the lower rim to the point of the top that hides it
    slide = np.hypot(*away) + np.float32(1e-5)
    ex, ey = away / slide
    across = ex * y - ey * x
    bulge = np.sqrt(np.clip(1 - across**2, 0, 1))
    down = -(bulge + ex * x + ey * y) / slide
    face = x * x + y * y < 1
    whole = face | ((down > 0) & (down < 1) & (np.abs(across) < 1))
    tip = np.where(face, 0.03 + 0.9 * np.clip((np.hypot(x, y) - 0.93) / 0.07, 0, 1), 1)  # dished, rounded at the rim
    nx, ny = np.where(face, x, -ey * across - ex * bulge) * tip, np.where(face, y, ex * across - ey * bulge) * tip
    normals = np.stack([nx, ny, np.where(face, 1, 0.02)], axis=-1).astype(np.float32)
    shade, gloss = _lit(normals, light, np.array(camera.position_mm) - middle)
    below = 1 - 0.45 * np.exp(-np.clip(np.hypot(x + away[0], y + away[1]) - 1, 0, 9) / 0.07)
    along = np.pi / 2 - np.arcsin(np.clip(across, -1, 1))
    start = float(np.arctan2(ey, ex)) + np.pi / 2
    return _Outlook(low, face, whole, x, y, along, np.clip(down, 0, 1), start, shade, gloss, below)


def _slopes(camera: Camera, middle: Floats, radius_mm: float) -> tuple[Floats, Floats]:
    """Return how a radius along x and along y, and a millimetre up, move a point in the picture."""
    steps = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) * radius_mm
    seen = camera.project(middle + steps)
    return np.stack([seen[0] - seen[1], seen[2] - seen[3]], axis=1) / 2, (seen[4] - seen[5]) / (2 * radius_mm)


def _lit(normals: Field, light: Light, view: Floats) -> tuple[Field, Field]:
    """Return how much light comes back from surfaces: scattered (a factor), and mirrored (to be added)."""
    normals = normals / np.sqrt(np.einsum("...i,...i->...", normals, normals))[..., None]
    half = np.array(light.towards) + view / np.linalg.norm(view)
    facing = np.clip(normals @ (half / np.linalg.norm(half)).astype(np.float32), 0, 1)
    mirrored = facing**50 * 48
    return np.asarray(light.on(normals), np.float32), np.asarray(mirrored, np.float32)


def _put(window: Field, look: _Outlook, atlas: _Atlas, index: int, turn: float) -> None:
    """Put one chip over what is in a window: which chip covers, where in the atlas it looks, its light."""
    cos, sin, half = float(np.cos(turn)), float(np.sin(turn)), atlas.side / 2
    worn = 1 + 0.05 * float(np.sin(turn * MINOR_SPIN))
    start = (look.start - turn) % (2 * np.pi)
    per_turn = atlas.turn_px / (2 * np.pi)
    columns = np.where(
        look.face,
        half * (1 + cos * look.x + sin * look.y) - 0.5 + index * atlas.side,
        (look.along + start) * per_turn - 0.5,
    )
    rows = np.where(
        look.face, half * (1 + sin * look.x - cos * look.y) - 0.5, atlas.row(index) - 0.5 + look.down * atlas.tall
    )
    window[3] *= look.below
    np.copyto(window[0], 1, where=look.whole)
    for field, value in zip(window[1:], (columns, rows, look.shade * worn, look.gloss), strict=True):
        np.copyto(field, value, where=look.whole)


def _develop(canvas: Field, atlas: _Atlas, fine: int, corner: tuple[int, int]) -> Patch:
    """Look up the colours, light them, and shrink the fine picture to the frame's pixels."""
    colour = cv2.remap(atlas.picture, canvas[1], canvas[2], cv2.INTER_LINEAR)
    lit = (colour * canvas[3][..., None] + canvas[4][..., None]) * canvas[0][..., None]
    return shrink(np.asarray(lit, np.float32), canvas[0], fine, corner)


def shrink(paint: Field, cover: Field, fine: int, corner: tuple[int, int]) -> Patch:
    """Shrink a fine painting, weighted by its cover, to a patch without the empty rows and columns around it."""
    size = (cover.shape[1] // fine, cover.shape[0] // fine)
    small = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
    mean = cv2.resize(paint, size, interpolation=cv2.INTER_AREA) / np.maximum(small, 1e-3)[..., None]
    rows, columns = np.flatnonzero(small.max(axis=1)), np.flatnonzero(small.max(axis=0))
    if not len(rows):
        return Patch(*corner, np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.uint8))
    tight = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    u, v = corner[0] + int(columns[0]), corner[1] + int(rows[0])
    return Patch(u, v, _bytes(mean[tight]), _bytes(small[tight] * 255 + 0.5))


# --- shadows


def shadow_of_stack(body: StackBody, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return the shadow a stack throws on the felt."""
    tops, _ = _tops(body, pose, CHIP_THICKNESS_MM)
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = np.stack([np.cos(around), np.sin(around), 0 * around], axis=1) * (CHIP_DIAMETER_MM / 2)
    return cast_shadow(rim + tops[0] - (0, 0, CHIP_THICKNESS_MM), rim + tops[-1], camera, light)


def cast_shadow(base: Floats, top: Floats, camera: Camera, light: Light, strength: float = 1.0) -> Patch:
    """Return the shadow on the felt of what lies between two outlines: dark where it stands, soft where it falls."""
    towards = np.array(light.towards)
    body = np.concatenate([base, top])
    fallen = body - body[:, 2:] * (towards / max(towards[2], 0.2))
    foot = base * (1, 1, 0)
    scale = camera.scale_px_per_mm(foot.mean(axis=0))
    height = float(body[:, 2].max())
    soft = (0.8 + 0.13 * height * scale, 0.6 + 2.2 * scale)
    shapes = [camera.project(points * (1, 1, 0)) for points in (fallen, foot)]
    margin = int(3 * max(soft)) + 2
    low = np.floor(np.concatenate(shapes).min(axis=0)).astype(int) - margin
    span = np.ceil(np.concatenate(shapes).max(axis=0)).astype(int) + margin + 1 - low
    thrown = (1 - light.ambient / float(light.on(np.array([0.0, 0.0, 1.0])))) * strength
    touch = 0.5 * np.exp(-float(base[:, 2].min()) / 12) * strength
    clear = np.ones((span[1], span[0]), np.float32)
    for shape, blur, dark in zip(shapes, soft, (thrown, touch), strict=True):
        blot = np.zeros(clear.shape, np.uint8)
        hull = cv2.convexHull(((shape - low) * 16).astype(np.int32))
        cv2.fillConvexPoly(blot, hull, (255,), cv2.LINE_AA, 4)
        clear *= 1 - np.float32(dark / 255) * cv2.GaussianBlur(blot, (0, 0), blur)
    return Patch(int(low[0]), int(low[1]), np.zeros((*clear.shape, 3), np.uint8), _bytes((1 - clear) * 255))
