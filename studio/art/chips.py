"""Stacks of chips as a camera sees them: a chip set, a stack and its pose enter; patches of picture leave.

A stack is a lookup: for every pixel (two or three to a side in each pixel of the frame) the chip that shows there, and
where on its face or edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.chip_art import chip_edge, chip_face
from studio.art.paint import Field, tight_patch
from studio.art.shadows import cast_shadow
from studio.light import Light, Pillar
from studio.patch import Patch
from studio.scene import Pose, StackBody
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.sizes import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

LEVELS_PX_PER_MM = (1.5, 2.5, 4.0, 6.0, 10.0)
MINOR_SPIN = 97.0  # turns a chip's own angle into its own shade of wear


def _scuffs(count: int = 512) -> Field:
    """Return marks around an edge, of unit spread: broad grime, short rubbed stretches."""
    rng = np.random.default_rng(5)
    marks = np.zeros(count)
    for cells in (24, 96):
        knots = rng.normal(0, 1, cells)
        marks += np.interp(np.arange(count) * cells / count, np.arange(cells + 1), [*knots, knots[0]])
    return np.asarray(np.clip(marks / marks.std(), -2.5, 2), np.float32)


SCUFFS = _scuffs()


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
    place: Field  # (h, w, 3) from the middle of the top, in millimetres


def paint_stack(
    body: StackBody, pose: Pose, camera: Camera, chips: ChipSet, light: Light, pillars: Sequence[Pillar] = ()
) -> Patch:
    """Paint a stack, bottom chip first; only what no higher chip hides remains. `pillars` stand in its light."""
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
    for cents, middle, turn, place in zip(body.cents, middles, turns, tops, strict=True):
        left, top = middle + look.corner - low * fine
        window = canvas[:, top : top + size[1], left : left + size[0]]
        shade = light.shaded(look.place + place, pillars) if pillars else None
        _put(window, look, atlas, values.index(cents), turn, _in_shade(look, light, shade))
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
    down = np.clip(down, 0, 1)
    turned = along + start
    radius = np.float32(chips.diameter_mm / 2)
    place = np.stack(
        [
            np.where(face, x, np.cos(turned)) * radius,
            np.where(face, y, np.sin(turned)) * radius,
            np.where(face, 0, -down) * np.float32(chips.thickness_mm),
        ],
        axis=-1,
    ).astype(np.float32)
    return _Outlook(low, face, whole, x, y, along, down, start, shade, gloss, below, place)


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


def _in_shade(look: _Outlook, light: Light, shade: Field | None) -> tuple[Field, Field]:
    """Return a chip's scattered and mirrored light where a share of the lamp is taken away."""
    if shade is None:
        return look.shade, look.gloss
    return look.shade - (look.shade - np.float32(light.ambient)) * shade, look.gloss * (1 - shade)


def _worn(look: _Outlook, turn: float) -> Field:
    """Return how wear changes a chip's brightness: its own age, and rubbed and grimy stretches along its edge."""
    age = np.float32(np.sin(turn * MINOR_SPIN))
    places = (((look.along + (look.start - turn)) % (2 * np.pi)) * (len(SCUFFS) / (2 * np.pi))).astype(np.int32)
    scuffs = SCUFFS[(places + int(turn * 977)) % len(SCUFFS)] * (0.05 + 0.06 * abs(age))
    return np.asarray(1 + np.float32(0.05) * age + np.where(look.face, 0, scuffs), np.float32)


def _put(window: Field, look: _Outlook, atlas: _Atlas, index: int, turn: float, light: tuple[Field, Field]) -> None:
    """Put one chip over what is in a window: which chip covers, where in the atlas it looks, its light."""
    cos, sin, half = float(np.cos(turn)), float(np.sin(turn)), atlas.side / 2
    worn = _worn(look, turn)
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
    for field, value in zip(window[1:], (columns, rows, light[0] * worn, light[1]), strict=True):
        np.copyto(field, value, where=look.whole)


def _develop(canvas: Field, atlas: _Atlas, fine: int, corner: tuple[int, int]) -> Patch:
    """Look up the colours, light them, and tight_patch the fine picture to the frame's pixels."""
    colour = cv2.remap(atlas.picture, canvas[1], canvas[2], cv2.INTER_LINEAR)
    lit = (colour * canvas[3][..., None] + canvas[4][..., None]) * canvas[0][..., None]
    return tight_patch(np.asarray(lit, np.float32), canvas[0], fine, corner)


def shadow_of_stack(body: StackBody, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return the shadow a stack throws on the felt."""
    tops, _ = _tops(body, pose, CHIP_THICKNESS_MM)
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = np.stack([np.cos(around), np.sin(around), 0 * around], axis=1) * (CHIP_DIAMETER_MM / 2)
    return cast_shadow(rim + tops[0] - (0, 0, CHIP_THICKNESS_MM), rim + tops[-1], camera, light)
