"""Maps of the finder's network enter, things found leave, in pixels of the picture that the network saw."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import maps
from vision.detect.detection import KINDS, Found
from vision.detect.overlap import suppress
from vision.values.picture import Quad

Maps = NDArray[np.float32]
MAX_OVERLAP = {"card_up": 0.6, "card_down": 0.6, "stack": 0.5, "hand": 0.6, "other": 0.5}  # of what repeats what
HAND, LEAST_HAND, SURE_HAND = "hand", 40, 0.8  # cells of a hand, and how sure the surest of them must be
# Assumed where a comment names no measurement.
WARM = 0.6  # of a peak's heat: cells around it that know the thing too
MAX_PER_KIND = 300  # things of a kind in one picture


def found_in(channels: Maps, least: float) -> list[Found]:
    """Return what the maps (channels, rows, columns) of one picture show with at least this score."""
    found: list[Found] = []
    for kind, name in enumerate(KINDS):
        if name != HAND:
            found += _of_kind(kind, 1 / (1 + np.exp(-channels[kind])), channels, least)
    return found + list(hands_in(channels))


def hands_in(channels: Maps) -> Iterator[Found]:
    """Yield hands, each with its arm: they have no middle worth the name, so they are taken from where hands show."""
    shown = channels[maps.SHOWN]
    likely = np.exp(shown - shown.max(axis=0))
    share = likely[1 + KINDS.index(HAND)] / likely.sum(axis=0)
    mask = cv2.morphologyEx((share >= 0.5).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    number, labels, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for i in range(1, number):
        u, v, width, height, cells = (int(n) for n in boxes[i])
        if cells < LEAST_HAND:
            continue
        sure = share[labels == i]
        if sure.max() >= SURE_HAND:
            low = np.array([u, v]) * maps.STEP - 0.5
            high = low + np.array([width, height]) * maps.STEP
            yield Found(HAND, float(sure.mean()), _box(low, high))


def _of_kind(kind: int, heat: Maps, channels: Maps, least: float) -> Iterator[Found]:
    rows, columns = np.nonzero(peaks(heat) & (heat >= least))
    best = np.argsort(-heat[rows, columns], kind="stable")[:MAX_PER_KIND]
    for row, column in zip(rows[best], columns[best], strict=True):
        cell = agreed(heat, channels, int(row), int(column))
        yield described(kind, float(heat[row, column]), cell, (int(column), int(row)))


def agreed(heat: Maps, channels: Maps, row: int, column: int) -> Maps:
    """Return what a cell and those around it say together, the hotter the louder: each alone is less exact."""
    rows, columns = heat.shape
    window = (slice(max(row - 1, 0), min(row + 2, rows)), slice(max(column - 1, 0), min(column + 2, columns)))
    loud = np.where(heat[window] >= WARM * heat[row, column], heat[window], 0.0) ** 2
    said = channels[:, window[0], window[1]].astype(np.float64)
    places = np.mgrid[window].astype(np.float64)
    shift = np.stack([places[1] - column, places[0] - row]) * (maps.STEP / maps.UNIT)
    said[maps.OFFSET] += shift  # as seen from the middle cell
    return np.asarray((said * loud).sum(axis=(1, 2)) / loud.sum(), np.float32)


def peaks(heat: Maps) -> NDArray[np.bool_]:
    """Return which cells are at least as hot as all around them."""
    return np.asarray(heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))


def described(kind: int, score: float, cell: Maps, place: tuple[int, int]) -> Found:
    """Return the thing that a cell describes."""
    middle = (np.array(place) + 0.5) * maps.STEP - 0.5 + cell[maps.OFFSET] * maps.UNIT
    name = KINDS[kind]
    if name.startswith("card"):
        return Found(name, score, card_quad(middle, halved(cell[maps.LONG]), halved(cell[maps.SHORT])))
    if name == "stack":
        base, top = middle + cell[maps.BASE] * maps.UNIT, middle + cell[maps.TOP] * maps.UNIT
        radius = float(np.exp(np.clip(cell[maps.RADIUS], -2, 5))) * maps.UNIT
        flatness = float(np.clip(cell[maps.FLATNESS], 0.05, 1.0))
        quad = stack_box(base, top, radius, flatness)
        return Found(name, score, quad, _pair(base), _pair(top), radius, flatness)
    half = np.exp(np.clip(cell[maps.HALF], -3, 5)) * maps.UNIT
    return Found(name, score, _box(middle - half, middle + half))


def halved(vector: Maps) -> NDArray[np.float64]:
    """Return one of the two vectors whose doubled angle this is, in pixels."""
    angle = np.arctan2(vector[1], vector[0]) / 2
    return np.array([np.cos(angle), np.sin(angle)]) * float(np.hypot(*vector)) * maps.UNIT


def card_quad(middle: NDArray[np.float64], long: NDArray[np.float64], short: NDArray[np.float64]) -> Quad:
    """Return a card's corners, clockwise in the picture, the first two along a short side."""
    if long[0] * short[1] - long[1] * short[0] < 0:
        short = -short
    return tuple(_pair(corner) for corner in (middle + s * long + t * short for s, t in _CORNERS))  # type: ignore[return-value]


_CORNERS = ((1, -1), (1, 1), (-1, 1), (-1, -1))


def stack_box(base: NDArray[np.float64], top: NDArray[np.float64], radius: float, flatness: float) -> Quad:
    """Return the upright box around a stack, from its lowest rim to its highest."""
    axis = top - base
    length = float(np.hypot(*axis))
    along = axis / length if length > 0.5 else np.array([0.0, -1.0])
    across = np.array([-along[1], along[0]])
    reach = radius * np.sqrt(across**2 + (flatness * along) ** 2)  # of the rim, an ellipse, along u and v
    return _box(np.minimum(base, top) - reach, np.maximum(base, top) + reach)


def suppress_overlaps(found: list[Found], cards: float = MAX_OVERLAP["card_up"]) -> list[Found]:
    """Return the things without those that repeat a better one: of the same kind, or the other side of a card.

    Cards that overlap by more than `cards` are one: before their corners are set, fanned cards overlap by much.
    """
    groups = [("card_up", "card_down"), ("stack",), ("hand",), ("other",)]
    kept: list[Found] = []
    for group in groups:
        members = [thing for thing in found if thing.kind in group]
        if members:
            limit = cards if group[0].startswith("card") else MAX_OVERLAP[group[0]]
            stay = suppress([thing.quad for thing in members], [thing.score for thing in members], limit)
            kept += [members[i] for i in stay]
    return kept


def _pair(point: NDArray[np.float64]) -> tuple[float, float]:
    return (float(point[0]), float(point[1]))


def _box(low: NDArray[np.float64], high: NDArray[np.float64]) -> Quad:
    (u0, v0), (u1, v1) = _pair(low), _pair(high)
    return ((u0, v0), (u1, v0), (u1, v1), (u0, v1))
