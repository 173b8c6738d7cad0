"""Chips that no casino has, drawn fast: chance enters; a house's textures and its reference pictures leave.

Textures are what the painter looks up: faces from above, edges unrolled (one turn from left to right, the upper rim in
the first row). References are what somebody's photographs of them might be: other light, a little blurred and off.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.chips.sets import random_set
from vision.detect.references import EDGE_SIZE, FACE_SIDE, in_disc
from vision.values.chips import Chip, ChipSet
from vision.values.picture import Picture

FACE_PX = 128  # side of a face's texture
EDGE_PX = (512, 16)  # columns of one turn, rows
PHOTOGRAPHED = 3  # times that a house's references are taken
Field = NDArray[np.float32]


@dataclass(frozen=True)
class PaintedHouse:
    """An invented house: `faces` (k, side, side, 3), `edges` (k, rows, columns, 3), and takes of its references."""

    chips: ChipSet
    faces: Field
    edges: Field
    reference_faces: Picture  # (takes, k, 64, 64, 3)
    reference_edges: Picture  # (takes, k, 16, 128, 3)


@dataclass(frozen=True)
class _Style:
    """What the chips of a house share: how their edges are pressed and printed."""

    reach: float  # how far spots reach onto the face, radii from the rim
    groove: float  # how dark the rims are
    soft: float  # how wide that is, share of the thickness
    band: float  # strength of a line along the edge's middle
    halves: int  # how spots are drawn: whole, split along the edge, split across it
    rings: int
    art: int


def painted_house(rng: np.random.Generator) -> PaintedHouse:
    """Invent a house and draw it."""
    chips = random_set(rng)
    style = _Style(
        float(rng.uniform(0.1, 0.5)), float(rng.uniform(0.1, 0.85)), float(rng.uniform(0.03, 0.14)),
        float(rng.choice([0, 0, 0, 0.3, 0.7])), int(rng.choice([0, 0, 0, 1, 2])), int(rng.integers(0, 3)),
        int(rng.integers(0, 4)),
    )  # fmt: skip
    drawn = [_drawn(rng, chip, chips.diameter_mm, style) for chip in chips.chip]
    faces, edges = np.stack([face for face, _ in drawn]), np.stack([edge for _, edge in drawn])
    takes = [_photographed(rng, faces, edges) for _ in range(PHOTOGRAPHED)]
    return PaintedHouse(
        chips, faces, edges, np.stack([take[0] for take in takes]), np.stack([take[1] for take in takes])
    )


def _drawn(rng: np.random.Generator, chip: Chip, diameter_mm: float, style: _Style) -> tuple[Field, Field]:
    """Draw one chip: its face, its edge."""
    columns, rows = EDGE_PX
    turn = (np.arange(columns, dtype=np.float32) + 0.5) * np.float32(2 * np.pi / columns)
    edge = np.broadcast_to(_bgr(chip.base), (rows, columns, 3)).copy()
    steps = (np.arange(FACE_PX, dtype=np.float32) + 0.5) / (FACE_PX / 2) - 1
    x, y = np.meshgrid(steps, -steps)
    radius, around = np.hypot(x, y), np.arctan2(y, x)
    face = np.broadcast_to(_bgr(chip.base), (FACE_PX, FACE_PX, 3)).copy()
    inlay = chip.inlay_diameter_mm / diameter_mm
    inner = max(inlay, 1 - style.reach)
    for spots in chip.spots:
        place = (spots.count, spots.width_deg, spots.offset_deg)
        _lay(face, _in_spots(around, *place) * _soft(radius, inner, FACE_PX), _bgr(spots.colour))
        cover = np.repeat(_in_spots(turn, *place)[None], rows, 0)
        other = np.clip(_bgr(spots.colour) * rng.uniform(0.3, 1.2, 3).astype(np.float32), 0, 255)
        _lay(edge, cover, _bgr(spots.colour))
        if style.halves == 1:
            _lay(edge, cover * (np.arange(rows) >= rows / 2)[:, None], other)
        elif style.halves == 2:
            _lay(edge, np.repeat(_in_spots(turn, place[0], place[1] / 3, place[2])[None], rows, 0), other)
    _decorate(rng, face, chip, (radius, around, inlay), style)
    if style.band:
        middle = np.exp(-(((np.arange(rows) + 0.5) / rows - 0.5) ** 2) / 0.02)[:, None] * np.ones((1, columns))
        _lay(edge, np.asarray(middle * style.band, np.float32), _bgr(chip.text_colour))
    depth = (np.arange(rows, dtype=np.float32) + 0.5) / rows
    bevel = 1 - style.groove * (0.8 * np.exp(-depth / style.soft) + np.exp(-(1 - depth) / style.soft))
    edge *= (bevel[:, None] * _grime(rng, (rows, columns)))[..., None]
    face *= _grime(rng, (FACE_PX, FACE_PX))[..., None]
    return np.clip(face, 0, 255), np.clip(edge, 0, 255)


def _decorate(
    rng: np.random.Generator, face: Field, chip: Chip, places: tuple[Field, Field, float], style: _Style
) -> None:
    """Draw what stands in the middle of a face: inlay, rings, an ornament, the value."""
    radius, around, inlay = places
    ink, paper = _bgr(chip.text_colour), _bgr(chip.inlay)
    _lay(face, _soft(-radius, -inlay, FACE_PX), paper)
    if chip.ring:
        _lay(face, np.asarray(np.exp(-(((radius - inlay) / 0.04) ** 2)), np.float32), _bgr(chip.ring))
    for _ in range(style.rings):
        at = rng.uniform(0.3, 0.97)
        _lay(face, 0.7 * np.exp(-(((radius - at) / 0.02) ** 2)), ink)
    if style.art:
        waves = (np.sin(around * 12 + radius * 9), np.sin(radius * 60), np.sin(around * 40))[style.art - 1] > 0.3
        cover = waves * np.clip((inlay - radius) * 20, 0, 1) * rng.uniform(0.05, 0.3)
        _lay(face, np.asarray(cover, np.float32), ink)
    if len(chip.text) <= 6:
        cover = np.zeros((FACE_PX, FACE_PX), np.uint8)
        font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX]))
        (wide, _), _ = cv2.getTextSize(chip.text, font, 1.0, 2)
        scale = inlay * FACE_PX * float(rng.uniform(0.5, 0.85)) / max(wide, 24)
        (wide, tall), _ = cv2.getTextSize(chip.text, font, scale, 2)
        cv2.putText(
            cover, chip.text, ((FACE_PX - wide) // 2, (FACE_PX + tall) // 2), font, scale, (255,), 2, cv2.LINE_AA
        )
        _lay(face, np.asarray(cover / 255, np.float32), ink)


def _photographed(rng: np.random.Generator, faces: Field, edges: Field) -> tuple[Picture, Picture]:
    """Return references of all chips, as one sitting with a camera gives them."""
    warm = np.exp(rng.normal(0, 0.07, 3) + rng.normal(0, 0.1)).astype(np.float32)
    gamma, blur = float(rng.uniform(0.85, 1.2)), float(rng.uniform(0.01, 1.0))
    shots: list[tuple[Picture, Picture]] = []
    is_half = rng.random() < 0.5  # a picture from the side shows half a turn, which is repeated
    for face, edge in zip(faces, edges, strict=True):
        turned = np.rot90(face, int(rng.integers(4)))
        small = cv2.resize(turned, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA)
        rolled = np.roll(edge, int(rng.integers(EDGE_PX[0])), axis=1)
        if is_half:
            rolled = np.concatenate([rolled[:, : EDGE_PX[0] // 2]] * 2, axis=1)
        cut = rng.integers(0, 3, 2)
        part = rolled[cut[0] : EDGE_PX[1] - cut[1]]
        strip = cv2.resize(part, EDGE_SIZE, interpolation=cv2.INTER_AREA)
        from_light, to_light = rng.uniform(0.8, 1.1, 2)
        strip = strip * np.linspace(from_light, to_light, EDGE_SIZE[1]).astype(np.float32)[:, None, None]
        shots.append((in_disc(_taken(rng, small, warm, (gamma, blur))), _taken(rng, strip, warm, (gamma, blur))))
    return np.stack([face for face, _ in shots]), np.stack([edge for _, edge in shots])


def _taken(rng: np.random.Generator, picture: Field, warm: Field, look: tuple[float, float]) -> Picture:
    own = warm * np.float32(np.exp(rng.normal(0, 0.05)))
    soft = cv2.GaussianBlur(np.clip(picture * own, 0, 255), (0, 0), look[1])
    return np.asarray(np.clip(255 * cv2.pow(soft / 255, look[0]) + rng.normal(0, 2, soft.shape), 0, 255), np.uint8)


def _bgr(colour: str) -> Field:
    return np.array([int(colour[i : i + 2], 16) for i in (5, 3, 1)], np.float32)


def _lay(paint: Field, cover: Field, colour: Field) -> None:
    paint += (colour - paint) * cover[..., None].astype(np.float32)


def _soft(value: Field, limit: float, pixels: int) -> Field:
    """Return 1 where a value passes a limit, with a soft edge of a pixel."""
    return np.asarray(np.clip((value - limit) * pixels / 2 + 0.5, 0, 1), np.float32)


def _in_spots(turn: Field, count: int, width_deg: float, offset_deg: float) -> Field:
    pitch = 2 * np.pi / count
    off = np.abs((turn - np.radians(offset_deg) + pitch / 2) % pitch - pitch / 2)
    return np.asarray(np.clip((np.radians(width_deg / 2) - off) * 60 + 0.5, 0, 1), np.float32)


def _grime(rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    """Return wear around 1: stains and grain."""
    broad = cv2.resize(rng.normal(0, 1, (4, 12)).astype(np.float32), shape[::-1])
    fine = cv2.resize(rng.normal(0, 1, (shape[0], shape[1] // 4)).astype(np.float32), shape[::-1])
    strength = rng.uniform(0, 0.06, 2)
    return np.asarray(1 + strength[0] * broad + strength[1] * fine, np.float32)
