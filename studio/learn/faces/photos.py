"""Real photographs: labels and pictures enter; cards with quads that were found beyond doubt, and their split, leave.

The labels are boxes; a quad is looked for inside or around them as the outline of a bright or dark sheet of paper. A
card whose outline is not clear (overlapped, out of the picture) is left out: badly cut crops teach nothing.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.faces.crops import ASKEW, IGNORED, Crop, cut_crop, shaken, unreadable
from studio.learn.faces.lens import TOO_BLURRED, film
from vision.values.cards import RANKS, SUITS
from vision.values.picture import Picture

Floats = NDArray[np.float64]
HELD_OUT: Final = 4  # of ten groups of photographs: to choose by and to judge by, never trained on
LEVELS: Final = (70, 90, 110, 130, 150, 170, 190, 210)
FILLED: Final = 0.95  # of a quad by its outline, at least
SAME_BOX: Final = 0.86  # overlap of a quad's box with the labelled one, at least
LONG: Final = 1.3  # sides in this ratio: which one is the long one is beyond doubt, even in a stretched photograph


@dataclass(frozen=True)
class PhotoCard:
    """A card in a photograph: its label ('Ts', or 'T?' where only the rank is known) and its quad."""

    deck: str  # the source, and the deck where a source has several
    file: str
    label: str
    quad: Floats  # starts at a short side where that is known
    is_upright_known: bool


def group_of(entry: dict[str, Any]) -> str:
    """Return what a photograph was taken together with: ten minutes (one, of ccml), or ten numbers in a row."""
    digits = re.findall(r"\d+", entry["id"])
    if len(digits) == 1:
        return f"{entry['source']}-{digits[0][:-1]}"
    return f"{entry['source']}-{digits[0]}-{digits[1][: 4 if entry['source'] == 'ccml' else 3]}"


def is_held_out(entry: dict[str, Any]) -> bool:
    """Say whether a photograph is kept from training."""
    return int(hashlib.sha256(group_of(entry).encode()).hexdigest(), 16) % 10 < HELD_OUT


def read_labels(photos: Path) -> list[dict[str, Any]]:
    """Read the index of all photographs."""
    found: list[dict[str, Any]] = json.loads((photos / "labels.json").read_text(encoding="utf-8"))
    return found


def photo_cards(photos: Path, entry: dict[str, Any]) -> Iterator[PhotoCard]:
    """Yield the cards of a photograph whose quads are beyond doubt."""
    picture = cv2.imread(str(photos / entry["file"]), cv2.IMREAD_COLOR)
    cards = [card for card in entry["cards"] if card["face"] == "up" and card["label"] not in {None, "joker"}]
    if picture is None or not cards:
        return
    quads = outlines(np.asarray(picture, np.uint8))
    if cards[0]["part"] == "index":
        yield from _by_index(entry, cards, quads)
    else:
        yield from _by_box(entry, cards, quads)


def outlines(picture: Picture) -> list[Floats]:
    """Return the quads of everything in a picture that is bright or dark and has four straight sides."""
    smooth = cv2.medianBlur(picture, 5)
    planes = [cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY), smooth.min(axis=2)]
    found: list[Floats] = []
    for plane in planes:
        for level in LEVELS:
            for mask in (plane > level, plane <= level):
                found += _quads_of(mask.astype(np.uint8))
    return found


def _quads_of(mask: NDArray[np.uint8]) -> list[Floats]:
    closed = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = mask.size * 0.006
    quads = (_fit_quad(contour) for contour in contours if cv2.contourArea(contour) > least)
    return [quad for quad in quads if quad is not None]


def _fit_quad(contour: NDArray[Any]) -> Floats | None:
    """Return the four corners, unrounded, of an outline with four straight sides; None for any other."""
    hull = cv2.convexHull(contour)
    rough = cv2.approxPolyDP(hull, 0.045 * cv2.arcLength(hull, True), True)[:, 0].astype(float)
    if len(rough) != 4:
        return None
    points = contour[:, 0].astype(float)
    sides = [_side(points, rough[i], rough[(i + 1) % 4]) for i in range(4)]
    if any(side is None for side in sides):
        return None
    quad = np.array([_meet(sides[i - 1], sides[i]) for i in range(4)])  # type: ignore[arg-type]
    area = abs(cv2.contourArea(quad.astype(np.float32)))
    if not np.isfinite(quad).all() or cv2.contourArea(contour) < FILLED * area or area < 1:
        return None
    is_clockwise = cv2.contourArea(quad.astype(np.float32), True) > 0
    return quad if is_clockwise else quad[::-1]


def _side(points: Floats, start: Floats, end: Floats) -> tuple[Floats, Floats] | None:
    """Fit a line to the outline's points along the middle of a side."""
    way = end - start
    long = float(np.hypot(*way))
    along = (points - start) @ way / long**2
    away = np.abs((points - start) @ np.array([-way[1], way[0]])) / long
    near = points[(along > 0.15) & (along < 0.85) & (away < 0.06 * long)]
    if len(near) < 0.4 * long:
        return None
    middle = near.mean(axis=0)
    _, spread, axes = np.linalg.svd(near - middle, full_matrices=False)
    is_straight = spread[1] / np.sqrt(len(near)) < 0.012 * long + 0.8
    return (middle, axes[0]) if is_straight else None


def _meet(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Return where two lines cross."""
    (a, u), (b, v) = one, other
    across = u[0] * v[1] - u[1] * v[0]
    if abs(across) < 1e-6:
        return np.full(2, np.nan)
    t = ((b - a)[0] * v[1] - (b - a)[1] * v[0]) / across
    return np.asarray(a + t * u)


def _by_box(entry: dict[str, Any], cards: list[dict[str, Any]], quads: list[Floats]) -> Iterator[PhotoCard]:
    """Give each box of a whole card the quad that fills it."""
    for card in cards:
        scored = [(_overlap(card["box"], quad), quad) for quad in quads]
        best = max(scored, key=lambda pair: pair[0], default=(0.0, np.zeros((4, 2))))
        if best[0] >= SAME_BOX:
            quad, is_known = _upright(best[1])
            yield PhotoCard(_deck(entry), entry["file"], card["label"], quad, is_known)


def _deck(entry: dict[str, Any]) -> str:
    return "-".join([entry["source"], *([entry["deck"]] if "deck" in entry else [])])


def _overlap(box: list[float], quad: Floats) -> float:
    low, high = quad.min(axis=0), quad.max(axis=0)
    inner = np.minimum(high, box[2:]) - np.maximum(low, box[:2])
    if (inner <= 0).any():
        return 0.0
    both = float(np.prod(inner))
    return both / (float(np.prod(high - low)) + (box[2] - box[0]) * (box[3] - box[1]) - both)


def _upright(quad: Floats) -> tuple[Floats, bool]:
    """Return the quad from a short side on, and whether the picture says clearly which sides are short."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    across, down = sides[0] + sides[2], sides[1] + sides[3]
    return (quad if across < down else np.roll(quad, -1, axis=0)), max(across / down, down / across) > LONG


def _by_index(entry: dict[str, Any], cards: list[dict[str, Any]], quads: list[Floats]) -> Iterator[PhotoCard]:
    """Give each pair of indices of one card the quad in whose opposite corners they stand."""
    for label in sorted({card["label"] for card in cards}):
        centres = np.array([_centre(card["box"]) for card in cards if card["label"] == label])
        others = np.array([_centre(card["box"]) for card in cards if card["label"] != label]).reshape(-1, 2)
        if len(centres) != 2:
            continue
        fits = [turned for quad in quads if (turned := _with_indices(quad, centres, others)) is not None]
        if fits:
            yield PhotoCard(_deck(entry), entry["file"], label, min(fits, key=_area), True)


def _centre(box: list[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _area(quad: Floats) -> float:
    return float(abs(cv2.contourArea(quad.astype(np.float32))))


def _with_indices(quad: Floats, centres: Floats, others: Floats) -> Floats | None:
    """Return the quad turned so that both indices stand in its upper left and lower right corners, if they do."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    for turn in range(2):
        turned = np.roll(quad, -turn, axis=0)
        to_card = cv2.getPerspectiveTransform(turned.astype(np.float32), unit)
        at = cv2.perspectiveTransform(centres[None].astype(np.float32), to_card)[0]
        at = at[np.argsort(at[:, 1])]
        is_inside = (
            0.04 < at[0, 0] < 0.24 and 0.05 < at[0, 1] < 0.28 and 0.76 < at[1, 0] < 0.96 and 0.72 < at[1, 1] < 0.95
        )
        if is_inside and not _any_inside(quad, others):
            return turned
    return None


def _any_inside(quad: Floats, points: Floats) -> bool:
    outline = quad.astype(np.float32)
    return any(cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in points)


def training_files(photos: Path) -> list[str]:
    """Return the photographs that may be trained on."""
    return sorted(entry["file"] for entry in read_labels(photos) if not is_held_out(entry))


def held_out_cards(photos: Path) -> Iterator[PhotoCard]:
    """Yield the cards, with clear outlines, of the photographs that are never trained on."""
    for entry in read_labels(photos):
        if is_held_out(entry):
            yield from photo_cards(photos, entry)


def photo_crops(photos: Path, card: PhotoCard, number: int, rng: np.random.Generator) -> Iterator[Crop]:
    """Cut a photographed card out several times: nearer and farther, in other light, the quad a little beside it."""
    picture = np.asarray(cv2.imread(str(photos / card.file), cv2.IMREAD_COLOR), np.uint8)
    labels = np.array([_label(card.label)] * 3)
    for _ in range(number):
        part, quad = _nearby(picture, card.quad, float(np.exp(rng.uniform(np.log(34), np.log(150)))))
        width = float(np.linalg.norm(quad[1] - quad[0]))
        filmed, blur = film(part, width, rng) if rng.random() < 0.75 else (part, 0.0)
        if blur < TOO_BLURRED:
            is_askew = rng.random() < ASKEW
            quad = shaken(np.roll(quad, 1, axis=0) if is_askew else quad, rng)
            yield cut_crop(filmed, quad, unreadable() if is_askew else labels, False)


def _label(label: str) -> tuple[int, int]:
    return RANKS.index(label[0]), SUITS.index(label[1]) if label[1] in SUITS else IGNORED


def _nearby(picture: Picture, quad: Floats, width: float) -> tuple[Picture, Floats]:
    """Return the square around a card, scaled so that the card is so wide, and the card's quad in it."""
    scale = min(1.0, width / float(np.linalg.norm(quad[1] - quad[0])))
    centre, side = quad.mean(axis=0), int(float(np.ptp(quad, axis=0).max()) * scale * 1.15) + 8
    place = np.array([[scale, 0, side / 2 - scale * centre[0]], [0, scale, side / 2 - scale * centre[1]]])
    soft = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale) if scale < 0.8 else picture
    part = cv2.warpAffine(soft, place, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(part, np.uint8), quad * scale + place[:, 2]
