"""Whose back it is: a picture, cards that lie face down and the backs of the table's decks enter, probabilities leave.

A card is set upright and compared with each deck's picture, cell by cell, as it is and upside down. Light makes a back
brighter or darker, gloss pales it, lamps and cameras tint it: each comparison first finds the light under which the
deck would look most like the card, and unlikely light counts against the deck. Cells that do not fit at all (under a
hand, a chip, another card) count little. Who fits none of the decks well is `OTHER`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.values.errors import InputError
from vision.values.picture import Picture, Quad, read_picture

OTHER: Final = "other"
Floats = NDArray[np.float64]
# Assumed where a comment names no measurement.
COLUMNS, ROWS = 16, 22  # cells of a card: of two to four pixels at 1080p
FINE: Final = 4  # samples of a cell, along and across
NUDGES: Final = ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2))  # quads are off by a cell now and then; (1, 1) is as given
SPREAD: Final = 0.06  # how far a cell that fits is off, of the full range
TAILS: Final = 2.0  # degrees of freedom: how readily a cell that does not fit is forgiven
WORTH: Final = 0.12  # of a cell against the light: neighbours say the same thing, and all are wrong together
TRUST: Final = 0.3  # in the whole comparison; set by its log loss on the simulator's training looks, as the next are
STEPS: Final = 3  # of finding the light
SOFT: Final = 0.35  # of a cell: how much a camera blurs a back
# The light: a card's colour is `gain` times the deck's plus `haze`, for blue, green and red. Usual values, how far all
# three move together, and how far each goes its own way.
GAIN, GAIN_ALL, GAIN_EACH = 0.8, 0.25, 0.07
HAZE, HAZE_ALL, HAZE_EACH = 0.05, 0.08, 0.03
SHOWING: Final = 0.6  # share of the cells by which strangers are known: the best ones, the rest may be covered
STRANGER, DOUBT = -1.0, 2.0  # how well those fit where a stranger is as likely as not; how quickly that changes


def read_backs(folder: Path, names: Sequence[str]) -> dict[str, Picture]:
    """Read the backs of a table's decks, `NAME.png` each."""
    return {name: read_picture(folder / f"{name}.png") for name in names}


class BackReader:
    """Tells the decks of one table apart."""

    def __init__(self, backs: Mapping[str, Picture]) -> None:
        if OTHER in backs:
            raise InputError(f"a deck cannot be named {OTHER!r}")
        self._names = tuple(backs)
        cells = [_reference(picture) for picture in backs.values()]
        both = [turned.reshape(-1, 3) for deck in cells for turned in (deck, deck[::-1, ::-1])]
        self._backs = np.array(both, float).reshape(len(both), ROWS * COLUMNS, 3)

    def read(self, picture: Picture, quads: Sequence[Quad]) -> list[dict[str, float]]:
        """Return for each card how likely it is each deck's, or another's."""
        return [self._read(_windows(picture, quad)) for quad in quads]

    def _read(self, windows: Floats) -> dict[str, float]:
        fits = [_fit(windows, back) for back in self._backs]
        decks = [max(turns) for turns in zip(fits[::2], fits[1::2], strict=True)]
        best, closeness = max(decks, default=(0.0, STRANGER))
        evidence = np.array([*(fit for fit, _ in decks), best + DOUBT * (STRANGER - closeness)])
        share = np.exp(evidence - evidence.max())
        return dict(zip((*self._names, OTHER), (share / share.sum()).tolist(), strict=True))


def upright(quad: Quad) -> NDArray[np.float32]:
    """Return a card's corners clockwise, the first two along a short side."""
    corners = np.array(quad, np.float32)
    sides = np.roll(corners, -1, axis=0) - corners
    if sides[0, 0] * sides[1, 1] < sides[0, 1] * sides[1, 0]:
        return upright(tuple(quad[i] for i in (3, 2, 1, 0)))  # type: ignore[arg-type]
    lengths = np.hypot(*sides.T)
    return np.roll(corners, -1, axis=0) if lengths[0] + lengths[2] > lengths[1] + lengths[3] else corners


def _windows(picture: Picture, quad: Quad) -> Floats:
    """Return the cells of a card, (nudges, cells, 3) in 0..1: as the quad says, and a cell to each side."""
    width, height = COLUMNS * FINE, ROWS * FINE
    place = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + (FINE - 0.5)
    matrix = cv2.getPerspectiveTransform(upright(quad), place)
    size = (width + 2 * FINE, height + 2 * FINE)
    card = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cells = cv2.resize(card.astype(np.float32) / 255, (COLUMNS + 2, ROWS + 2), interpolation=cv2.INTER_AREA)
    return np.array([cells[i : i + ROWS, j : j + COLUMNS].reshape(-1, 3) for i, j in NUDGES], float)


def _reference(picture: Picture) -> Floats:
    """Return a deck's back as a camera at the ceiling would see it, in cells."""
    soft = cv2.GaussianBlur(picture, (0, 0), SOFT * picture.shape[1] / COLUMNS)
    return np.asarray(cv2.resize(soft, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), float) / 255


def _moves(together: float, each: float) -> Floats:
    return together**2 * np.ones((3, 3)) + each**2 * np.eye(3)


def _light() -> tuple[Floats, Floats]:
    """Return the usual light, (gain, haze) for each colour, and how much it resists to differ from that."""
    varies = np.zeros((6, 6))
    varies[0::2, 0::2], varies[1::2, 1::2] = _moves(GAIN_ALL, GAIN_EACH), _moves(HAZE_ALL, HAZE_EACH)
    return np.array([GAIN, HAZE] * 3), np.asarray(np.linalg.inv(varies), float)


USUAL, RESISTS = _light()


def _fit(windows: Floats, back: Floats) -> tuple[float, float]:
    """Return how well a back explains the best window, and how well the cells that fit best do, each on average."""
    terms = np.stack([back, np.ones_like(back)], axis=2)  # cells, colours, what gain and haze multiply
    weights = np.ones(windows.shape[:2])
    for _ in range(STEPS):
        light = _suiting_light(windows, terms, weights)
        strange = ((windows - np.einsum("nck,wck->wnc", terms, light)) ** 2).sum(axis=2) / SPREAD**2
        weights = (TAILS + 3) / (TAILS + strange)
    cells = np.sort(-(TAILS + 3) / 2 * np.log1p(strange / TAILS), axis=1)
    unusual = light.reshape(-1, 6) - USUAL
    penalty = np.einsum("wi,ij,wj->w", unusual, RESISTS, unusual) / 2
    evidence = WORTH * cells.sum(axis=1) - penalty
    best = int(evidence.argmax())
    showing = cells[best, -int(SHOWING * cells.shape[1]) :].mean() - penalty[best] / (WORTH * cells.shape[1])
    return TRUST * float(evidence[best]), float(showing)


def _suiting_light(windows: Floats, terms: Floats, weights: Floats) -> Floats:
    """Return the light (windows, colours, gain and haze) under which the cells fit best, each by its weight."""
    squares = np.tensordot(weights, terms[..., :, None] * terms[..., None, :], axes=1)
    products = np.einsum("wnc,nck->wck", weights[..., None] * windows, terms).reshape(-1, 6)
    resists = RESISTS * SPREAD**2 / WORTH
    matrix = np.repeat(resists[None], len(windows), axis=0)
    for colour in range(3):
        part = slice(2 * colour, 2 * colour + 2)
        matrix[:, part, part] += squares[:, colour]
    found = np.linalg.solve(matrix, (products + resists @ USUAL)[..., None])
    return np.asarray(found.reshape(-1, 3, 2))
