"""Is the artwork the right way up, and cropped where the layout says? A print and its layout enter, problems leave.

Betting spots are printed with an outline. Laid over the edges of the print, the layout's spots must fit best where they
are, not some centimetres beside it, nor on the print turned or mirrored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.table.artwork import Artwork
from vision.table.layout import Layout, Shape
from vision.values.geometry import Floats
from vision.values.picture import Picture

STEP_MM: Final = 2.0  # a pixel of the edges that are compared
REACH_MM: Final = 240.0  # how far beside their places spots are looked for
OFF_MM: Final = 10.0  # how far outlines may lie beside their places: layouts are measured by hand
STRONG: Final = 0.98  # quantile of the print's edges from which on one is as strong as any
BETTER: Final = 1.25  # times: so much better must spots fit elsewhere to be printed there
LEAST_FIT: Final = 1.5  # times what chance fits: less is no outline
TURNS: Final = {"upside down": (True, True), "mirrored from top to bottom": (True, False)}


@dataclass(frozen=True, slots=True)
class Fit:
    """How well outlines fit the edges of a print, and where: millimetres beside their places."""

    here: float  # share of the strongest edges, where the layout has the spots
    best: float
    off_mm: tuple[float, float]
    usual: float  # what chance gives

    @property
    def is_printed(self) -> bool:
        """Tell whether there are outlines at all."""
        return self.best >= LEAST_FIT * self.usual

    @property
    def is_elsewhere(self) -> bool:
        """Tell whether the spots are printed beside their places."""
        return float(np.hypot(*self.off_mm)) > OFF_MM and self.best > BETTER * self.here


def print_problem(artwork: Artwork, layout: Layout) -> str | None:
    """Return what is wrong with an artwork, as far as the outlines of its spots tell; None where they fit."""
    here = outline_fit(artwork.picture, artwork, layout)
    for name, (is_down, is_across) in TURNS.items():
        turned = artwork.picture[:: -1 if is_down else 1, :: -1 if is_across else 1]
        there = outline_fit(np.ascontiguousarray(turned), artwork, layout)
        if there.is_printed and there.best > BETTER * here.best:
            return f"the artwork is {name}: want the players' side at its top, as the dealer sees the table"
    if here.is_printed and here.is_elsewhere:
        across, along = here.off_mm
        return (
            f"the outlines of the spots are printed {across:+.0f} mm in x and {along:+.0f} mm in y beside where the"
            " layout has them: is the artwork cropped at the wrong end (its bottom row is the dealer's edge, y = 0),"
            " or are the layout's places still a guess?"
        )
    return None


def has_outlines(artwork: Artwork, layout: Layout) -> bool:
    """Tell whether the print has outlines of spots by which it can be checked."""
    return outline_fit(artwork.picture, artwork, layout).is_printed


def outline_fit(picture: Picture, artwork: Artwork, layout: Layout) -> Fit:
    """Lay the outlines of a layout's spots over the edges of a print, at their places and around them."""
    edges = _edges(picture, artwork.mm_per_px)
    reach = round(REACH_MM / STEP_MM)
    padded = cv2.copyMakeBorder(edges, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    total, points = np.zeros((2 * reach + 1, 2 * reach + 1)), 0
    for u, v in _outline_pixels(artwork, layout, edges.shape):
        total += padded[v : v + 2 * reach + 1, u : u + 2 * reach + 1]
        points += 1
    fits = total / max(points, 1)
    row, column = divmod(int(fits.argmax()), fits.shape[1])
    off = ((column - reach) * STEP_MM, (reach - row) * STEP_MM)
    return Fit(float(fits[reach, reach]), float(fits[row, column]), off, float(np.median(fits)))


def _edges(picture: Picture, mm_per_px: float) -> Floats:
    """Return how strong the print's edges are, from 0 to 1, at one size."""
    share = mm_per_px / STEP_MM
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA).astype(np.float32)
    slopes = np.hypot(cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)).max(axis=-1)
    strong = max(float(np.quantile(slopes, STRONG)), 1.0)
    return np.asarray(cv2.dilate(np.minimum(slopes / strong, 1.0), np.ones((3, 3), np.uint8)), float)


def _outline_pixels(artwork: Artwork, layout: Layout, shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the columns and rows that the outlines of all spots cross."""
    share = artwork.mm_per_px / STEP_MM
    spots = [spot for seat in layout.seat for spot in seat.spots.values()]
    places = np.concatenate([_around(spot) for spot in spots])
    pixels = np.rint((artwork.to_px(places) + 0.5) * share - 0.5).astype(int)
    inside = ((pixels >= 0) & (pixels < shape[1::-1])).all(axis=1)
    yield from np.unique(pixels[inside], axis=0).tolist()


def _around(spot: Shape) -> Floats:
    """Return points along an outline, a step apart."""
    corners = np.array(spot.corners)
    ends = np.roll(corners, -1, axis=0)
    sides = [
        np.linspace(one, other, max(int(np.hypot(*(other - one)) / STEP_MM), 1), endpoint=False)
        for one, other in zip(corners, ends, strict=True)
    ]
    return np.concatenate(sides)
