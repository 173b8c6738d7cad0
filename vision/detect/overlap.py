"""How much things in a picture overlap: convex quads enter, shares of area leave; the better of two stays."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def areas(quads: ArrayLike) -> Floats:
    """Return the area of each quad (n, 4, 2)."""
    corners = np.asarray(quads, float).reshape(-1, 4, 2)
    x, y = corners[..., 0], corners[..., 1]
    return np.asarray(np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)) / 2)


def shared_areas(some: ArrayLike, others: ArrayLike) -> Floats:
    """Return the area that each of some quads (n, 4, 2) shares with each of others (m, 4, 2)."""
    first, second = (np.asarray(quads, float).reshape(-1, 4, 2) for quads in (some, others))
    shared = np.zeros((len(first), len(second)))
    for i, j in np.argwhere(_boxes_meet(first, second)):
        # around a corner of its own: OpenCV works in single precision
        origin = first[i, 0]
        one, two = ((quad - origin).astype(np.float32) for quad in (first[i], second[j]))
        shared[i, j] = cv2.intersectConvexConvex(one, two)[0]
    return np.maximum(shared, 0.0)


def iou_matrix(some: ArrayLike, others: ArrayLike) -> Floats:
    """Return the overlap of each of some quads with each of others: what they share of what they cover together."""
    shared = shared_areas(some, others)
    union = areas(some)[:, None] + areas(others)[None, :] - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def suppress(quads: ArrayLike, scores: Sequence[float], limit: float) -> list[int]:
    """Return which quads stay, best first: none overlaps a better one by more than the limit."""
    order = np.argsort(-np.asarray(scores, float), kind="stable")
    overlap = iou_matrix(quads, quads)
    kept: list[int] = []
    for i in map(int, order):
        if not kept or overlap[i, kept].max() <= limit:
            kept.append(i)
    return kept


def _boxes_meet(first: Floats, second: Floats) -> NDArray[np.bool_]:
    low1, high1, low2, high2 = first.min(1), first.max(1), second.min(1), second.max(1)
    apart = (low1[:, None] >= high2[None]).any(-1) | (low2[None] >= high1[:, None]).any(-1)
    return np.asarray(~apart)
