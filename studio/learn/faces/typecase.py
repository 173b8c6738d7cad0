"""The type case: rank and suit glyphs of many hands; printed decks and fonts enter, cover masks of one height leave.

Glyphs come from three places: cut out of printed indices, drawn with random pens, and set in the fonts that
matplotlib brings. A mask is 255 where there is ink; a ten is one glyph.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.glyphs import Lettering, draw_serifs, draw_stroke, overshoot, rank_strokes
from studio.art.pips import CUTS, suit_mask
from studio.learn.faces.prints import large_face, training_designs
from vision.values.cards import DECK, RANKS, SUITS
from vision.values.picture import Picture

TALL: Final = 64  # px, of every glyph
PENS: Final = 50
GAP_PX: Final = 3  # of blank paper between rank and suit, at 10 px per mm
SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
FONTS: Final = (
    *("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSans-BoldOblique", "DejaVuSerif"),
    *("DejaVuSerif-Bold", "DejaVuSerif-Italic", "DejaVuSerif-BoldItalic", "DejaVuSansMono", "DejaVuSansMono-Bold"),
    *("STIXGeneral", "STIXGeneralBol", "STIXGeneralItalic", "STIXGeneralBolIta", "cmr10", "cmb10", "cmss10", "cmtt10"),
)
SYMBOL_FONTS: Final = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSansMono", "STIXGeneral")


@dataclass(frozen=True)
class TypeCase:
    """All glyphs by the rank or suit they mean."""

    ranks: dict[str, list[Picture]]
    suits: dict[str, list[Picture]]

    def save(self, path: Path) -> None:
        """Write every glyph into one file."""
        glyphs: dict[str, Any] = {
            f"{kind}-{i:03d}": mask for kind, masks in (self.ranks | self.suits).items() for i, mask in enumerate(masks)
        }
        np.savez_compressed(path, **glyphs)

    @classmethod
    def load(cls, path: Path) -> "TypeCase":
        """Read what `save` wrote."""
        found: dict[str, list[Picture]] = {kind: [] for kind in (*RANKS, *SUITS)}
        with np.load(path) as record:
            for name in sorted(record.files):
                found[name[0]].append(record[name])
        return cls({rank: found[rank] for rank in RANKS}, {suit: found[suit] for suit in SUITS})


def fill_case(art: Path | None, rng: np.random.Generator) -> TypeCase:
    """Collect glyphs from everywhere."""
    ranks: dict[str, list[Picture]] = {rank: [] for rank in RANKS}
    suits: dict[str, list[Picture]] = {suit: [suit_mask(suit, TALL, cut) for cut in CUTS] for suit in SUITS}
    for design in training_designs(art):
        for kind, mask in _from_deck(design, art):
            (ranks if kind in ranks else suits)[kind].append(mask)
    for _ in range(PENS):
        style = _random_pen(rng)
        for rank in RANKS:
            ranks[rank].append(_pen_glyph(rank, style))
    for kind, mask in _from_fonts():
        (ranks if kind in ranks else suits)[kind].append(mask)
    return TypeCase(ranks, suits)


def _from_deck(design: str, art: Path | None) -> Iterator[tuple[str, Picture]]:
    """Yield the glyphs of a deck's indices where rank and suit stand clearly apart."""
    for card in DECK:
        large = large_face(design, card, art)
        paper = np.median(large[20:-20, 8:18].reshape(-1, 3), axis=0)
        parts = _index_parts(np.abs(large.astype(np.float32) - paper).max(axis=2), card.rank == "T")
        if parts is not None:
            yield card.rank, _glyph(parts[0])
            if card.rank in "258":  # a deck's suits need not come 13 times
                yield card.suit, _glyph(parts[1])


def _index_parts(ink: NDArray[np.float32], is_ten: bool) -> tuple[Picture, Picture] | None:
    """Return the rank and the suit of the index in the upper left corner; None where they are not clearly apart."""
    corner = ink[12:480, 12:230]
    boxes = _blobs(corner)
    tall = [i for i, (_, top, wide, high, _) in enumerate(boxes) if i and high >= 40 and wide >= 10 and top < 140]
    if not tall:
        return None
    first = min(tall, key=lambda i: boxes[i][0] + boxes[i][1])
    left, top, wide, high, _ = (int(value) for value in boxes[first])
    if is_ten:  # the nought stands to the right of the one
        right = max(int(box[0] + box[2]) for box in boxes[1:] if abs(box[1] - top) < 12 and box[0] < left + wide + 40)
        wide = right - left
    below = [box for box in boxes[1:] if box[1] >= top + high + GAP_PX and box[1] < top + high + 50 and box[3] >= 30]
    below = [box for box in below if abs((box[0] + box[2] / 2) - (left + wide / 2)) < 25 and box[2] < 140]
    if wide > 140 or high > 220 or not below:
        return None
    suit = below[0]
    return _piece(corner, (left, top, wide, high)), _piece(
        corner, (int(suit[0]), int(suit[1]), int(suit[2]), int(suit[3]))
    )


def _blobs(corner: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return left, top, width, height and area of each piece of ink; the first is the paper."""
    solid = (corner > 60).astype(np.uint8)
    return np.asarray(cv2.connectedComponentsWithStats(solid, connectivity=8)[2], np.int32)


def _piece(ink: NDArray[np.float32], box: tuple[int, int, int, int]) -> Picture:
    left, top, wide, high = box
    part = ink[top : top + high, left : left + wide]
    return np.clip(part / max(float(np.percentile(part, 95)), 60.0) * 255, 0, 255).astype(np.uint8)


def _glyph(mask: Picture) -> Picture:
    """Return a mask at the case's height, its empty margins cut off."""
    rows, columns = np.flatnonzero((mask > 100).any(axis=1)), np.flatnonzero((mask > 100).any(axis=0))
    tight = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    wide = max(8, round(tight.shape[1] * TALL / tight.shape[0]))
    return np.asarray(cv2.resize(tight, (wide, TALL), interpolation=cv2.INTER_AREA), np.uint8)


def _random_pen(rng: np.random.Generator) -> Lettering:
    """Draw a lettering: light to black, narrow to broad, with serifs or without."""
    thick = float(rng.uniform(0.08, 0.23))
    return Lettering(
        breadth=float(rng.uniform(0.38, 0.72)),
        thick=thick,
        thin=thick * float(rng.uniform(0.25, 1.0)),
        serif=float(rng.uniform(0.18, 0.32)) if rng.random() < 0.45 else 0.0,
        is_round=bool(rng.random() < 0.25),
        is_flat_three=bool(rng.random() < 0.4),
        ten_breadth=float(rng.uniform(1.3, 1.6)),
    )


def _pen_glyph(rank: str, style: Lettering) -> Picture:
    high = TALL * 4
    breadth = style.breadth * (style.ten_breadth if rank == "T" else 0.86 if rank == "J" else 1.0)
    margin = style.thick * high / 2 + style.serif * high * 0.3
    rise = style.thick * high / 2 if style.is_round else style.thin * high / 2
    mask = np.zeros((high, int(breadth * high + margin)), np.uint8)
    scale, shift = np.array([mask.shape[1] - 2 * margin, high - 2 * rise]), np.array([margin, rise])
    for stroke in rank_strokes(rank, style):
        draw_stroke(mask, overshoot(np.array(stroke) * scale + shift, high, style), style, high)
    if style.serif:
        draw_serifs(mask, rank, style, (scale, shift))
    return _glyph(mask)


def _from_fonts() -> Iterator[tuple[str, Picture]]:
    """Yield the glyphs of the fonts that come with the learning environment; none where it is missing."""
    try:
        from matplotlib import ft2font, get_data_path
    except ImportError:
        return
    folder = Path(get_data_path()) / "fonts" / "ttf"
    for name in FONTS:
        font = ft2font.FT2Font(str(folder / f"{name}.ttf"))
        font.set_size(160, 72)
        for rank in RANKS:
            yield rank, _typeset(font, "10" if rank == "T" else rank)
        if name in SYMBOL_FONTS:
            for suit, symbol in SYMBOLS.items():
                yield suit, _typeset(font, symbol)


def _typeset(font: Any, text: str) -> Picture:
    font.set_text(text)
    font.draw_glyphs_to_bitmap(antialiased=True)
    return _glyph(np.array(font.get_image(), np.uint8))
