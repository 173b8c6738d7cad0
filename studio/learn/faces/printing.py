"""One printed card: a rank and suit enter; a face of a design, or of a mixture nobody has printed yet, leaves.

Mixtures take the middle of one design and set an index of another hand: other type, size, place, colour. That variety
is what makes a reader read decks that it has never seen.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.pips import PLACES
from studio.learn.faces.prints import PRINT_PX, PX_PER_MM, Prints
from studio.learn.faces.typecase import TypeCase
from vision.values.cards import DECK, SUITS, Card
from vision.values.picture import Picture
from vision.values.sizes import CARD_MM

Box = tuple[float, float, float, float]  # left, top, right, bottom in shares of the card
Ink = NDArray[np.float32]
WIDE, HIGH = PRINT_PX
COURTS: Final = "JQK"
REDS: Final = ((45, 22, 200), (40, 40, 175), (55, 10, 165), (70, 30, 190), (20, 20, 225), (60, 60, 215), (30, 30, 140))
BLACKS: Final = ((28, 24, 24), (45, 25, 25), (10, 10, 10), (60, 50, 45), (35, 45, 40))
GREENS: Final = ((50, 120, 12), (60, 110, 20), (20, 90, 10), (70, 150, 40))
BLUES: Final = ((185, 70, 15), (170, 95, 20), (200, 40, 20), (150, 60, 60), (210, 120, 30))
GOLDS: Final = ((90, 170, 215), (70, 150, 190), (120, 190, 225), (60, 120, 170))
SILVERS: Final = ((200, 200, 200), (170, 175, 180), (225, 220, 215), (140, 145, 150))
PAPERS: Final = ((250, 250, 250), (255, 255, 255), (226, 241, 247), (240, 248, 250), (235, 235, 238), (215, 232, 240))


@dataclass(frozen=True)
class Printed:
    """A face and where its index stands in the upper left corner (and, turned, in the lower right one)."""

    face: Picture
    index: Box


class Printer:
    """Prints cards at random."""

    def __init__(self, prints: Prints, case: TypeCase, rng: np.random.Generator) -> None:
        self._prints, self._case, self._rng = prints, case, rng

    def back(self) -> Picture:
        """Print a back."""
        found: Picture = self._prints.backs[self._rng.integers(len(self._prints.backs))]
        return found

    def any_face(self) -> Picture:
        """Print some face as a design has it, for cards that only lie around."""
        designs, cards = self._prints.faces.shape[:2]
        found: Picture = self._prints.faces[self._rng.integers(designs), self._rng.integers(cards)]
        return found

    def print(self, card: Card) -> Printed:
        """Print a card: as a design has it, with another index, or altogether new."""
        kind = self._rng.random()
        if kind < 0.38:
            return self._as_designed(card)
        return self._mixed(card) if kind < 0.80 else self._new(card)

    def _as_designed(self, card: Card) -> Printed:
        design = int(self._rng.integers(len(self._prints.names)))
        left, top, right, bottom = (float(value) for value in self._prints.boxes[design])
        face: Picture = self._prints.faces[design, DECK.index(card)]
        if self._rng.random() < 0.12:
            face = self._reinked(face, design, card)
        return Printed(face, (left / WIDE, top / HIGH, right / WIDE, bottom / HIGH))

    def _reinked(self, face: Picture, design: int, card: Card) -> Picture:
        """Print a face in one other ink on other paper; courts lose their colours as in a cheap print."""
        paper, ink = self._colours(card)
        away = np.abs(face.astype(np.float32) - self._prints.papers[design]).max(axis=2, keepdims=True)
        cover = np.clip(away / max(float(away.max()), 60.0), 0, 1)
        return np.asarray(paper + (ink - paper) * cover, np.uint8)

    def _mixed(self, card: Card) -> Printed:
        """Take the middle of a design and set another index."""
        design = int(self._rng.integers(len(self._prints.names)))
        paper = self._prints.papers[design].astype(np.float32)
        middle = self._without_index(design, card)
        _, ink = self._colours(card, is_white=True)
        face = middle.astype(np.float32)
        index = self._set_index(face, card, paper, ink)
        reach = max(index[2] * 1.05, index[3] * 0.55)
        if reach > 0.24 and self._rng.random() < 0.8:  # a large index pushes the art inwards
            face = self._shrunk(middle, paper, float(self._rng.uniform(0.55, 0.8)))
            index = self._set_index(face, card, paper, ink)
        if self._rng.random() < 0.10:
            return Printed(self._reinked(_bytes(face), design, card), index)
        return Printed(_bytes(face), index)

    def _without_index(self, design: int, card: Card) -> Picture:
        left, top, right, bottom = (int(value) for value in self._prints.boxes[design])
        face: Picture = self._prints.faces[design, DECK.index(self._model_of(card))].copy()
        paper = self._prints.papers[design]
        views = [face, face[::-1, ::-1]]
        if self._prints.corners[design] == 4:
            views += [face[:, ::-1], face[::-1]]
        for view in views:
            view[max(top - 2, 0) : bottom + 3, max(left - 2, 0) : right + 2] = paper
        return face

    def _model_of(self, card: Card) -> Card:
        """Return the card whose art is taken: often another court's, since every deck draws its courts differently."""
        if card.rank not in COURTS or self._rng.random() > 0.45:
            return card
        return Card(COURTS[self._rng.integers(len(COURTS))], SUITS[self._rng.integers(len(SUITS))])

    def _shrunk(self, face: Picture, paper: Ink, scale: float) -> Ink:
        """Shrink the art about the middle."""
        across = scale * float(self._rng.uniform(0.85, 1.05))
        place = np.array([[across, 0, WIDE / 2 * (1 - across)], [0, scale, HIGH / 2 * (1 - scale)]])
        edge = tuple(float(value) for value in paper)
        return np.asarray(
            cv2.warpAffine(
                face, place, (WIDE, HIGH), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=edge
            ),
            np.float32,
        )

    def _colours(self, card: Card, is_white: bool = False) -> tuple[Ink, Ink]:
        """Choose paper and ink: two or four colours, or gold and silver on black."""
        rng = self._rng
        if not is_white and rng.random() < 0.35:
            paper = np.float32(rng.uniform(8, 45)) * np.array([1, 1, 1], np.float32)
            is_red = card.suit in "dh"
            metal = GOLDS if is_red != (rng.random() < 0.15) else SILVERS
            return paper, _pick(rng, REDS if is_red and rng.random() < 0.3 else metal)
        four = rng.random() < 0.4
        inks = {"c": GREENS if four else BLACKS, "d": BLUES if four else REDS, "h": REDS, "s": BLACKS}[card.suit]
        ink = _pick(rng, inks)
        if rng.random() < 0.15:  # worn or pale print
            ink = ink + (235 - ink) * np.float32(rng.uniform(0.1, 0.45))
        return _pick(rng, PAPERS), ink

    def _set_index(self, face: Ink, card: Card, paper: Ink, ink: Ink) -> Box:
        """Set rank and suit into two or four corners; return the box of the upper left one."""
        rng = self._rng
        tall = float(np.exp(rng.uniform(np.log(7.0), np.log(26.0))))  # mm
        rank = self._slug(self._case.ranks[card.rank], tall, float(rng.uniform(0.8, 1.25)))
        suit_tall = tall * float(rng.uniform(0.45, 0.95))
        suit = self._slug(self._case.suits[card.suit], suit_tall, float(rng.uniform(0.85, 1.2)))
        gap = float(rng.uniform(0.4, 2.4))
        x, y = float(rng.uniform(2.0, 5.0)), float(rng.uniform(2.5, 6.0))
        if rng.random() < (0.15 if tall < 16 else 0.04):  # the suit beside the rank
            spots = [(x, y), (x + rank.shape[1] / PX_PER_MM + gap, y + (tall - suit_tall) * float(rng.uniform(0, 1)))]
        else:
            middle = x + max(rank.shape[1], suit.shape[1]) / PX_PER_MM / 2
            order = [(rank, y), (suit, y + tall + gap)]
            spots = [(middle - mask.shape[1] / PX_PER_MM / 2, down) for mask, down in order]
        views = [face, face[::-1, ::-1]]
        is_four = rng.random() < 0.2 and tall < 18
        for mask, (left, top) in zip((rank, suit), spots, strict=True):
            for view in views:
                _stamp(view, mask, ink, paper, (left, top))
            if is_four:  # upright at the right side too
                right = WIDE / PX_PER_MM - left - mask.shape[1] / PX_PER_MM
                for view in views:
                    _stamp(view, mask, ink, paper, (right, top))
        right = max(left + mask.shape[1] / PX_PER_MM for mask, (left, _) in zip((rank, suit), spots, strict=True))
        bottom = max(top + mask.shape[0] / PX_PER_MM for mask, (_, top) in zip((rank, suit), spots, strict=True))
        width, height = CARD_MM
        return x / width, y / height, right / width, bottom / height

    def _slug(self, glyphs: list[Picture], tall_mm: float, breadth: float) -> Picture:
        """Take a glyph at a size, a little slanted, lighter or bolder."""
        rng = self._rng
        glyph = glyphs[rng.integers(len(glyphs))]
        high = max(6, round(tall_mm * PX_PER_MM))
        wide = int(np.clip(glyph.shape[1] / glyph.shape[0] * high * breadth, 4, WIDE * 0.36))
        glyph = np.asarray(cv2.resize(glyph, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
        if rng.random() < 0.15:
            slant = float(rng.uniform(-0.2, 0.2))
            pad = int(abs(slant) * high) + 1
            place = np.array([[1, -slant, slant * high / 2 + pad / 2], [0, 1, 0]])
            glyph = np.asarray(cv2.warpAffine(glyph, place, (wide + pad, high)), np.uint8)
        if rng.random() < 0.2 and high > 18:
            grow = cv2.dilate if rng.random() < 0.6 else cv2.erode
            glyph = np.asarray(grow(glyph, np.ones((2, 2), np.uint8)), np.uint8)
        return glyph

    def _new(self, card: Card) -> Printed:
        """Print a card from the type case alone: pips or one large sign in the middle, or hardly anything."""
        rng = self._rng
        paper, ink = self._colours(card)
        face = np.empty((HIGH, WIDE, 3), np.float32)
        face[:] = paper
        kind = rng.random()
        if card.rank in PLACES and kind < 0.55:
            self._print_pips(face, card, (paper, ink))
        elif kind < 0.92:
            glyphs = self._case.ranks[card.rank] if rng.random() < 0.35 else self._case.suits[card.suit]
            sign = self._slug(glyphs, float(rng.uniform(14, 40)), 1.0)
            at = ((WIDE - sign.shape[1]) / 2 / PX_PER_MM, (HIGH - sign.shape[0]) / 2 / PX_PER_MM)
            _stamp(face, sign, ink, paper, at)
        index = self._set_index(face, card, paper, ink)
        return Printed(_bytes(face), index)

    def _print_pips(self, face: Ink, card: Card, colours: tuple[Ink, Ink]) -> None:
        rng = self._rng
        paper, ink = colours
        pip = self._slug(self._case.suits[card.suit], float(rng.uniform(8, 13)), float(rng.uniform(0.9, 1.1)))
        column, row = float(rng.uniform(7.5, 13)), float(rng.uniform(22, 31))
        half = (pip.shape[1] / PX_PER_MM / 2, pip.shape[0] / PX_PER_MM / 2)
        for across, down in PLACES[card.rank]:
            x, y = across * column, (2 * down - 1) * row
            view, sign = (face, 1) if y <= 0 else (face[::-1, ::-1], -1)
            _stamp(view, pip, ink, paper, (31.75 + sign * x - half[0], 44.45 + sign * y - half[1]))


def _pick(rng: np.random.Generator, inks: tuple[tuple[int, int, int], ...]) -> Ink:
    """Choose an ink, mixed a little differently each time."""
    ink = np.array(inks[rng.integers(len(inks))], np.float32)
    return np.asarray(np.clip(ink + rng.normal(0, 8, 3), 0, 255), np.float32)


def _stamp(face: Ink, mask: Picture, ink: Ink, paper: Ink, at_mm: tuple[float, float]) -> None:
    """Print a mask with its upper left corner at a place, on a narrow rim of bare paper."""
    high, wide = mask.shape
    left, top = max(round(at_mm[0] * PX_PER_MM), 2), max(round(at_mm[1] * PX_PER_MM), 2)
    wide, high = min(wide, WIDE - left - 2), min(high, HIGH - top - 2)
    face[top - 2 : top + high + 2, left - 2 : left + wide + 2] = paper
    cover = mask[:high, :wide, None].astype(np.float32) / 255
    face[top : top + high, left : left + wide] = paper + (ink - paper) * cover


def _bytes(face: Ink) -> Picture:
    return np.clip(face, 0, 255).astype(np.uint8)
