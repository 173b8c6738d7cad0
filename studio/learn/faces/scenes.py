"""A card on a table, small: a printed face enters, a picture of it among other things and what of it is seen leave.

Places on a card are in card widths: x from 0 to 1, y from 0 to 1.4. A scene is as large as the card needs, at the
resolution a camera gives it.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.faces.printing import Printed, Printer
from studio.learn.faces.prints import PRINT_PX
from vision.values.picture import Picture

Floats = NDArray[np.float64]
ASPECT: Final = PRINT_PX[1] / PRINT_PX[0]
CORNERS: Final = np.array([[0, 0], [1, 0], [1, ASPECT], [0, ASPECT]])
WIDTHS: Final = ((28.0, 40.0), (36.0, 64.0), (60.0, 150.0))  # px: far, as usual at 1080p, near
WIDTH_ODDS: Final = (0.27, 0.43, 0.30)
SEEN_PX: Final = (40, 56)  # the map of what is seen of a card
SKINS: Final = ((140, 170, 215), (105, 140, 190), (70, 100, 150), (45, 65, 105), (160, 185, 225), (30, 40, 70))


@dataclass(frozen=True)
class Scene:
    """A picture, the card's true quad in it, and a map (0 to 1) of what of the card is seen."""

    picture: Picture
    quad: Floats
    seen: NDArray[np.float32]


class Stage:
    """Sets scenes at random; `backdrops` are pieces of pictures of tables."""

    def __init__(self, printer: Printer, backdrops: NDArray[np.uint8], rng: np.random.Generator) -> None:
        self._printer, self._backdrops, self._rng = printer, backdrops, rng

    def backdrop(self, side: int) -> Picture:
        """Return a square of table: cloth, wood, a plain colour, or a piece of a picture."""
        rng = self._rng
        if rng.random() < 0.55:
            piece = self._backdrops[rng.integers(len(self._backdrops))]
            turned = np.rot90(piece, int(rng.integers(4)))
            edge = min(side, piece.shape[0])
            left, top = rng.integers(0, piece.shape[0] - edge + 1, 2)
            part = np.ascontiguousarray(turned[top : top + edge, left : left + edge])
            return np.asarray(cv2.resize(part, (side, side)), np.uint8) if edge < side else part
        colour = rng.uniform(10, 235, 3) if rng.random() < 0.6 else rng.uniform(20, 220) + rng.normal(0, 8, 3)
        coarse = rng.normal(0, float(rng.uniform(0, 18)), (int(rng.integers(2, 9)), int(rng.integers(2, 24)), 1))
        cloth = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_LINEAR)[..., None]
        return np.clip(colour + cloth, 0, 255).astype(np.uint8)

    def place(self) -> tuple[Floats, int]:
        """Choose how a card lies before the camera; return the way from card to picture and the picture's side."""
        rng = self._rng
        low, high = WIDTHS[rng.choice(3, p=WIDTH_ODDS)]
        width = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        turn, lean = rng.uniform(0, 2 * np.pi, 2)
        squeeze = 1 - 0.42 * float(rng.random()) ** 1.7  # seen from the side: shorter along one direction
        flat = _rotation(lean) @ np.diag([1, squeeze]) @ _rotation(-lean) @ _rotation(turn) * width / np.sqrt(squeeze)
        side = int(width * 2.15) + 6
        centre = np.array([0.5, ASPECT / 2])
        quad = (CORNERS - centre) @ flat.T
        depth = 1 + (quad @ rng.normal(0, 0.05, 2) / width)[:, None]
        quad = quad / np.clip(depth, 0.8, 1.25) + side / 2 + rng.uniform(-0.5, 0.5, 2)
        return np.asarray(cv2.getPerspectiveTransform(CORNERS.astype(np.float32), quad.astype(np.float32)), float), side

    def set(self, printed: Printed | None) -> Scene:
        """Lay a card among others, things over it; without a printed face it is a back."""
        rng = self._rng
        to_picture, side = self.place()
        picture = self.backdrop(side)
        for _ in range(int(rng.choice(4, p=(0.55, 0.25, 0.15, 0.05)))):
            self._lay(picture, self._some_card(), to_picture @ self._beside())
        face = printed.face if printed else self._printer.back()
        own: NDArray[np.float32] = self._lay(picture, face, to_picture)
        for way in self._ways_over():
            own = own * (1 - self._lay(picture, self._some_card(), to_picture @ way))
        if rng.random() < 0.16:
            own = own * (1 - self._cover(picture, to_picture))
        return Scene(picture, _moved(CORNERS, to_picture), _seen(own, to_picture))

    def _some_card(self) -> Picture:
        return self._printer.any_face() if self._rng.random() < 0.75 else self._printer.back()

    def _beside(self) -> Floats:
        """Return how a card lies that is under this one or next to it."""
        rng = self._rng
        away = (
            rng.normal(0, (0.55, 0.5)) if rng.random() < 0.6 else rng.choice((-1.0, 1.0), 2) * rng.uniform(0.9, 1.2, 2)
        )
        return _turned(float(rng.normal(0, 12)), away[0], away[1])

    def _ways_over(self) -> list[Floats]:
        """Return how the cards lie that cover this one: the next of a fan or spread, or one thrown over it."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.50:
            return []
        if kind < 0.90:  # a spread to one side, a little turned, a little down
            step = float(rng.uniform(0.14, 0.75)) * (1 if rng.random() < 0.6 else -1)
            spin = float(rng.uniform(-2, 14)) * np.sign(step)
            down = float(rng.normal(0, 0.07)) if rng.random() < 0.75 else float(rng.uniform(0.1, 0.5))
            number = 1 + int(rng.random() < 0.5)
            return [_turned(spin * k, step * k, down * k) for k in range(1, number + 1)]
        if kind < 0.95:  # shifted along the card
            return [
                _turned(
                    float(rng.normal(0, 5)), float(rng.normal(0, 0.1)), float(rng.choice((-1, 1)) * rng.uniform(0.2, 1))
                )
            ]
        return [_turned(float(rng.uniform(-90, 90)), float(rng.normal(0, 0.6)), float(rng.normal(0, 0.7)))]

    def _lay(self, picture: Picture, face: Picture, to_picture: Floats) -> NDArray[np.float32]:
        """Draw a card into the picture; return where it covers."""
        side = picture.shape[0]
        quad = _moved(CORNERS, to_picture)
        width = float(np.linalg.norm(quad[1] - quad[0]))
        small = _shrunk_to(face, width * 1.35)
        high, wide = small.shape[:2]
        scale = np.diag([1 / wide, ASPECT / high, 1]) @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        drawn = cv2.warpPerspective(
            small, to_picture @ scale, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        cover = _rounded_cover(quad, side, width)
        picture[:] = (picture + (drawn.astype(np.float32) - picture) * cover[..., None] + 0.5).astype(np.uint8)
        return cover

    def _cover(self, picture: Picture, to_picture: Floats) -> NDArray[np.float32]:
        """Put fingers, a chip or something else over the card; return where it covers."""
        rng = self._rng
        side = picture.shape[0]
        cover = np.zeros((side, side), np.uint8)
        paint = picture.copy()
        if rng.random() < 0.6:
            self._draw_fingers(paint, cover, to_picture)
        else:
            at = _moved(rng.uniform((-0.1, -0.1), (1.1, ASPECT + 0.1))[None], to_picture)[0]
            radius = int(side / 2.15 * float(rng.uniform(0.2, 0.36)))
            colour = tuple(float(value) for value in rng.uniform(0, 255, 3))
            cv2.circle(cover, (int(at[0]), int(at[1])), radius, 255, -1, cv2.LINE_AA)
            paint = self.backdrop(side) if rng.random() < 0.5 else paint
            if rng.random() < 0.7:
                cv2.circle(paint, (int(at[0]), int(at[1])), radius, colour, -1, cv2.LINE_AA)
                cv2.circle(
                    paint, (int(at[0]), int(at[1])), int(radius * 0.7), (colour[2], 230.0, colour[0]), 2, cv2.LINE_AA
                )
        share = np.asarray(cv2.GaussianBlur(cover, (3, 3), 0), np.float32) / 255
        picture[:] = (picture + (paint.astype(np.float32) - picture) * share[..., None]).astype(np.uint8)
        return np.asarray(share, np.float32)

    def _draw_fingers(self, paint: Picture, cover: Picture, to_picture: Floats) -> None:
        rng = self._rng
        skin = np.array(SKINS[rng.integers(len(SKINS))], float) + rng.normal(0, 10, 3)
        thick = max(4, int(paint.shape[0] / 2.15 * float(rng.uniform(0.2, 0.3))))
        start, way = rng.uniform((-0.2, -0.2), (1.2, ASPECT + 0.2)), rng.normal(0, 1, 2)
        way = way / np.linalg.norm(way)
        for i in range(int(rng.integers(1, 4))):
            tip = start + np.array([-way[1], way[0]]) * 0.27 * i + rng.normal(0, 0.03, 2)
            ends = _moved(np.stack([tip, tip + way * 2.5]), to_picture)
            points = [tuple(int(value) for value in end) for end in ends]
            tone = tuple(float(value) for value in np.clip(skin * rng.uniform(0.85, 1.05), 0, 255))
            cv2.line(paint, points[0], points[1], tone, thick, cv2.LINE_AA)
            cv2.line(cover, points[0], points[1], 255, thick, cv2.LINE_AA)
            nail = tuple(float(value) for value in np.clip(skin * 1.12, 0, 255))
            cv2.circle(paint, points[0], thick // 4, nail, -1, cv2.LINE_AA)


def _rotation(angle: float) -> Floats:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _turned(degrees: float, across: float, down: float) -> Floats:
    """Return a turn about the middle of the card's lower edge, then a shift, in card widths."""
    about = np.array([0.5, ASPECT])
    turn = _rotation(np.radians(degrees))
    way = np.eye(3)
    way[:2, :2], way[:2, 2] = turn, about - turn @ about + (across, down)
    return way


def _moved(points: Floats, way: Floats) -> Floats:
    far = np.c_[points, np.ones(len(points))] @ way.T
    return np.asarray(far[:, :2] / far[:, 2:])


def _shrunk_to(face: Picture, width: float) -> Picture:
    """Average a face down to about the size at which it is seen, so that fine print does not flicker."""
    if width >= PRINT_PX[0]:
        return face
    size = (max(8, int(width)), max(10, int(width * ASPECT)))
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)


def _rounded_cover(quad: Floats, side: int, width: float) -> NDArray[np.float32]:
    """Return where a card covers the picture: its quad, the corners a little rounded."""
    inward = (
        quad + (quad.mean(axis=0) - quad) / np.linalg.norm(quad.mean(axis=0) - quad, axis=1)[:, None] * width * 0.065
    )
    cover = np.zeros((side, side), np.uint8)
    thick = max(1, round(width * 0.1))
    points = [np.round(inward * 16).astype(np.int32)]
    cv2.fillPoly(cover, points, 255, cv2.LINE_AA, 4)
    cv2.polylines(cover, points, True, 255, thick, cv2.LINE_AA, 4)
    return np.asarray(cover / np.float32(255), np.float32)


def _seen(own: NDArray[np.float32], to_picture: Floats) -> NDArray[np.float32]:
    """Return the map of what is seen of a card, upright."""
    wide, high = SEEN_PX
    scale = np.diag([1 / wide, ASPECT / high, 1]) @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    flags = cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(own, to_picture @ scale, SEEN_PX, flags=flags), np.float32)
