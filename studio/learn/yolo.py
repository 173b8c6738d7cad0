"""The baseline finder, as Ultralytics exports it: a picture enters, the same values as of our own finder leave.

The whole picture is shrunk into a square, grey beside it. The network answers with candidates: middle, width and height
in pixels of the square, a score for each of `KINDS`, and the angle by which the box is turned.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.decode import suppress_overlaps
from vision.detect.detection import KINDS, Found
from vision.detect.models import open_model
from vision.values.picture import Picture, Quad

BASELINE = "baseline-yolo11n-obb"
MODELS = Path(__file__).parents[1] / "models"  # not beside the product's: this network's licence stays in the studio
FILLING = 114  # grey, as in training
MOST = 1000  # candidates that are compared with each other


@dataclass(frozen=True, slots=True)
class Fit:
    """How a picture lies in the square: it was scaled, then moved to the right and down."""

    scale: float
    left: int
    top: int

    def back(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points of the square as points of the picture; there a pixel's middle, here its corner is whole."""
        return np.asarray((points - [self.left, self.top]) / self.scale - 0.5)


class YoloFinder:
    """Finds things with a network of Ultralytics' making."""

    def __init__(self, threads: int = 1, model: str = BASELINE) -> None:
        opened = open_model(model, threads, MODELS)
        self._side = round(opened.sheet.number("side"))
        self._least = opened.sheet.number("score")
        self._model = opened.expect([(1, 3, self._side, self._side)], [(1, 4 + len(KINDS) + 1, None)])

    def look(self, picture: Picture) -> list[Found]:
        """Find what a picture shows."""
        square, fit = letterboxed(picture, self._side)
        planes = square[None, :, :, ::-1].transpose(0, 3, 1, 2)
        (candidates,) = self._model.run(np.ascontiguousarray(planes, np.float32) / np.float32(255))
        return suppress_overlaps(decoded(candidates[0], fit, self._least))


def letterboxed(picture: Picture, side: int) -> tuple[Picture, Fit]:
    """Return the picture in the middle of a square, as large as fits, and how it lies there."""
    height, width = picture.shape[:2]
    scale = side / max(width, height)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    fit = Fit(scale, (side - size[0]) // 2, (side - size[1]) // 2)
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    square = np.full((side, side, 3), FILLING, np.uint8)
    square[fit.top : fit.top + size[1], fit.left : fit.left + size[0]] = cv2.resize(picture, size, interpolation=flags)
    return square, fit


def decoded(candidates: NDArray[np.float32], fit: Fit, least: float) -> list[Found]:
    """Return the candidates (4 + kinds + 1, n) with at least this score as things of the picture, best first."""
    scores = candidates[4:-1]
    kinds, best = scores.argmax(axis=0), scores.max(axis=0)
    chosen = np.argsort(-best, kind="stable")[:MOST]
    return [
        Found(KINDS[kinds[i]], float(best[i]), _quad(candidates[:4, i], float(candidates[-1, i]), fit))
        for i in chosen
        if best[i] >= least
    ]


def _quad(box: NDArray[np.float32], angle: float, fit: Fit) -> Quad:
    """Return a turned box's corners, clockwise, the first two along a short side."""
    u, v, width, height = map(float, box)
    across = np.array([np.cos(angle), np.sin(angle)]) * width / 2
    down = np.array([-np.sin(angle), np.cos(angle)]) * height / 2
    if width > height:
        across, down = down, -across
    corners = np.array([u, v]) + np.array([-across - down, across - down, across + down, down - across])
    first, second, third, fourth = fit.back(corners).tolist()
    return ((first[0], first[1]), (second[0], second[1]), (third[0], third[1]), (fourth[0], fourth[1]))
