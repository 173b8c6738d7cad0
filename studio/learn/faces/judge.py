"""Judging the face readers: stills with truth or photographs with quads enter, shares of right answers leave.

Quads are the true ones, shaken about as a finder errs, so that the numbers speak of reading, not of finding.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.faces.crops import shaken
from studio.learn.faces.photos import PhotoCard
from studio.learn.faces.tables import WHOLE_SHARE, TableCard, table_cards
from studio.learn.pictures import Still
from vision.detect.detection import FaceReading
from vision.detect.faces import FaceReader
from vision.values.cards import Card

SHAKE: Final = 0.6  # of what training does
BINS: Final = 15
LEAST_SEEN: Final = 0.4  # cards of which less is seen are not judged
SIZES: Final = ((0, 30), (30, 40), (40, 50), (50, 70), (70, 10_000))  # px of width


@dataclass(frozen=True)
class Verdict:
    """One card read."""

    truth: Card
    reading: FaceReading
    width_px: float
    visible: float
    has_index: bool
    deck: str

    @property
    def is_right(self) -> bool:
        """Say whether the card was named right; not to name it is not right."""
        return self.reading.card == self.truth


def read_stills(stills: Iterable[Still], reader: FaceReader, seed: int = 0) -> Iterator[Verdict]:
    """Read every face-up card of the stills of which enough is seen."""
    rng = np.random.default_rng(seed)
    for still in stills:
        cards = [card for card in table_cards(still) if card.card and card.visible >= LEAST_SEEN]
        quads = [shaken(card.quad, rng, SHAKE) for card in cards]
        readings = reader.read(still.picture(), [_points(quad) for quad in quads]) if cards else []
        for card, reading in zip(cards, readings, strict=True):
            yield _verdict(card, reading, still)


def judge_photos(photos: Path, cards: Iterable[PhotoCard], reader: FaceReader) -> dict[str, dict[str, float]]:
    """Return by source how many photographed cards are named right; by rank where only that is known."""
    right: dict[str, list[bool]] = {}
    for card in cards:
        picture = np.asarray(cv2.imread(str(photos / card.file), cv2.IMREAD_COLOR), np.uint8)
        named = str(reader.read(picture, [_points(card.quad)])[0].card)
        is_right = named[0] == card.label[0] if card.label.endswith("?") else named == card.label
        right.setdefault(card.deck, []).append(is_right)
    return {source: {"right": float(np.mean(found)), "of": len(found)} for source, found in sorted(right.items())}


def _points(quad: NDArray[np.float64]) -> Any:
    return tuple((float(x), float(y)) for x, y in quad)


def _verdict(card: TableCard, reading: FaceReading, still: Still) -> Verdict:
    if card.card is None:
        raise ValueError("want a card that lies face up")
    return Verdict(card.card, reading, card.width_px, card.visible, card.has_index, still.look["face"])


def judge(stills: list[Still], reader: FaceReader) -> dict[str, Any]:
    """Return identity by condition, the calibration error and its curve."""
    return summary(list(read_stills(stills, reader)))


def summary(verdicts: list[Verdict]) -> dict[str, Any]:
    """Return all numbers of some verdicts."""
    index = [verdict for verdict in verdicts if verdict.has_index]
    whole = [verdict for verdict in verdicts if verdict.visible >= WHOLE_SHARE]
    error, curve = calibration(verdicts)
    return {
        "index seen, 50 px or wider": _share(verdict for verdict in index if verdict.width_px >= 50),
        "index seen": _share(index),
        "wholly seen, 30 to 40 px": _share(verdict for verdict in whole if 30 <= verdict.width_px < 40),
        "wholly seen": _share(whole),
        "no index surely seen": _share(verdict for verdict in verdicts if not verdict.has_index),
        "by width, index seen": {
            f"{low}-{high}": _share(verdict for verdict in index if low <= verdict.width_px < high)
            for low, high in SIZES
        },
        "by deck, index seen": {
            deck: _share(verdict for verdict in index if verdict.deck == deck)
            for deck in sorted({verdict.deck for verdict in index})
        },
        "rank, index seen": _part(index, "rank"),
        "suit, index seen": _part(index, "suit"),
        "expected calibration error": error,
        "reliability": curve,
    }


def _share(verdicts: Iterable[Verdict]) -> dict[str, float]:
    found = list(verdicts)
    return {"right": float(np.mean([verdict.is_right for verdict in found])) if found else 0.0, "of": len(found)}


def _part(verdicts: list[Verdict], part: str) -> dict[str, float]:
    """Return how often the rank or the suit alone is right."""
    same = [
        verdict.reading.card is not None and getattr(verdict.reading.card, part) == getattr(verdict.truth, part)
        for verdict in verdicts
    ]
    return {"right": float(np.mean(same)) if same else 0.0, "of": len(same)}


def calibration(verdicts: list[Verdict]) -> tuple[float, list[dict[str, float]]]:
    """Return the expected calibration error of named cards, and stated against true shares bin by bin."""
    named = [verdict for verdict in verdicts if verdict.reading.card is not None]
    stated = np.array([verdict.reading.confidence for verdict in named])
    right = np.array([verdict.is_right for verdict in named], float)
    bins = np.minimum((stated * BINS).astype(int), BINS - 1)
    curve = [
        {
            "stated": float(stated[bins == i].mean()),
            "right": float(right[bins == i].mean()),
            "of": int((bins == i).sum()),
        }
        for i in range(BINS)
        if (bins == i).any()
    ]
    error = sum(abs(entry["stated"] - entry["right"]) * entry["of"] for entry in curve) / max(len(named), 1)
    return float(error), curve
