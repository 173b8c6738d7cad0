"""How much things in a picture overlap: convex quads enter, shares of area leave; the better of two stays."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Point = tuple[float, float]
NEXT = [1, 2, 3, 0]  # the corner after each


def areas(quads: ArrayLike) -> Floats:
    """Return the area of each quad (n, 4, 2)."""
    corners = np.asarray(quads, float).reshape(-1, 4, 2)
    x, y = corners[..., 0], corners[..., 1]
    return np.asarray(np.abs((x * y[:, NEXT] - y * x[:, NEXT]).sum(axis=1)) / 2)


def shared_areas(some: ArrayLike, others: ArrayLike) -> Floats:
    """Return the area that each of some quads (n, 4, 2) shares with each of others (m, 4, 2)."""
    first, second = (np.asarray(quads, float).reshape(-1, 4, 2) for quads in (some, others))
    shared = np.zeros((len(first), len(second)))
    for i, j in np.argwhere(_boxes_meet(first, second)):
        shared[i, j] = _shared(first[i], second[j])
    return shared


def iou_matrix(some: ArrayLike, others: ArrayLike) -> Floats:
    """Return the overlap of each of some quads with each of others: what they share of what they cover together."""
    shared = shared_areas(some, others)
    union = areas(some)[:, None] + areas(others)[None, :] - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def suppress(quads: ArrayLike, scores: Sequence[float], limit: float) -> list[int]:
    """Return which quads stay, best first: none overlaps a better one by more than the limit."""
    order = np.argsort(-np.asarray(scores, float), kind="stable")
    corners = np.asarray(quads, float).reshape(-1, 4, 2)
    meet, size = _boxes_meet(corners, corners), areas(corners)
    kept: list[int] = []
    for i in map(int, order):
        rivals = [j for j in kept if meet[i, j]]
        if all(_overlap(_shared(corners[i], corners[j]), size[i] + size[j]) <= limit for j in rivals):
            kept.append(i)
    return kept


def _overlap(shared: float, both: float) -> float:
    return shared / (both - shared) if both > shared else 0.0


def _shared(one: Floats, other: Floats) -> float:
    """Return the area two convex quads share: one is cut along each side of the other.

    OpenCV's `intersectConvexConvex` does this too, but errs by several percent where sides nearly coincide.
    """
    piece: list[Point] = [(float(u), float(v)) for u, v in one]
    sides = _turning_left(other)
    for i, start in enumerate(sides):
        piece = _cut(piece, sides[i - 1], start)
        if not piece:
            return 0.0
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(piece, [*piece[1:], piece[0]], strict=True))) / 2


def _turning_left(quad: Floats) -> list[Point]:
    corners = [(float(u), float(v)) for u, v in quad]
    twice = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))
    return corners if twice >= 0 else corners[::-1]


def _cut(piece: list[Point], start: Point, end: Point) -> list[Point]:
    """Return what of a convex piece lies to the left of a line."""
    du, dv = end[0] - start[0], end[1] - start[1]
    depth = [du * (v - start[1]) - dv * (u - start[0]) for u, v in piece]
    kept: list[Point] = []
    for i, (corner, here) in enumerate(zip(piece, depth, strict=True)):
        before, there = piece[i - 1], depth[i - 1]
        if (here >= 0) != (there >= 0):
            share = there / (there - here)
            kept.append((before[0] + share * (corner[0] - before[0]), before[1] + share * (corner[1] - before[1])))
        if here >= 0:
            kept.append(corner)
    return kept


def _boxes_meet(first: Floats, second: Floats) -> NDArray[np.bool_]:
    low1, high1, low2, high2 = first.min(1), first.max(1), second.min(1), second.max(1)
    apart = (low1[:, None] >= high2[None]).any(-1) | (low2[None] >= high1[:, None]).any(-1)
    return np.asarray(~apart)
