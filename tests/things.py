"""Things on a felt as detectors tell them, made by hand: cards, chips and hands, and a tracker that is shown them."""

from collections.abc import Iterable

import numpy as np

from vision.detect.detection import Detection, FaceReading, Found, StackReading
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Belief, Placed
from vision.observe.tracks import Tracker
from vision.table.zones import FELT, Zone
from vision.values.cards import DECK, Card

FPS = 10
TICK_NS = 1_000_000_000 // FPS
QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))  # nobody asks for pixels here


def face(unreadable: float = 0.0, **named_as: float) -> FaceReading:
    """Return a reading of a face: `face(As=0.6, Ah=0.4)`; what is left over is spread over the whole deck."""
    named = {DECK.index(Card.parse(name)): chance for name, chance in named_as.items()}
    spread = np.full(len(DECK) + 1, (1 - unreadable - sum(named.values())) / len(DECK) if named else 0.0)
    for i, chance in named.items():
        spread[i] += chance
    spread[len(DECK)] = unreadable
    return FaceReading(spread / spread.sum())


def reading(cents: int | None, p: float = 0.95, bounds: tuple[int, int] | None = None) -> StackReading:
    """Return a reading of chips; without bounds it is certain of its cents."""
    certain = None if cents is None else (cents, cents)
    return StackReading(1, 1.0, (1, 1), (), cents, p, bounds or certain)


def placed(kind: str, x: float, y: float, zone: Zone = FELT, score: float = 0.9, **read: object) -> Placed:
    """Return a thing at a place."""
    detection = Detection(Found(kind, score, QUAD), **read)  # type: ignore[arg-type]
    return Placed(kind, x, y, 0.0, zone, 1.0, (), 2.0, detection)


def card(x: float, y: float, shows: str | FaceReading | None = None, zone: Zone = FELT, score: float = 0.9) -> Placed:
    """Return a card, face down unless it shows something."""
    if shows is None:
        return placed("card_down", x, y, zone, score)
    return placed("card_up", x, y, zone, score, face=face(**{shows: 0.99}) if isinstance(shows, str) else shows)


def chips(x: float, y: float, worth: int | StackReading = 500, zone: Zone = FELT, score: float = 0.9) -> Placed:
    """Return a stack of chips."""
    return placed("stack", x, y, zone, score, stack=worth if isinstance(worth, StackReading) else reading(worth))


def hand(x: float, y: float, half_mm: float = 40.0, covers: Iterable[Zone] = ()) -> Placed:
    """Return a hand as the box around it, by its middle."""
    left, right, top, bottom = x - half_mm, x + half_mm, y - half_mm, y + half_mm
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    beliefs = tuple(Belief(zone, 0.9) for zone in covers)
    detection = Detection(Found("hand", 0.9, QUAD))
    return Placed("hand", x, y, 0.0, FELT, 1.0, (), 2.0, detection, corners_mm=corners, covers=beliefs)


class Watch:
    """A tracker that is shown things, ten times a second."""

    def __init__(self) -> None:
        self.tracker = Tracker()
        self.index = 0

    @property
    def now_ns(self) -> int:
        """Return the time of the last sight."""
        return self.tracker.now_ns

    def see(self, *things: Placed, seconds: float = 0.1, looked: frozenset[Zone] | None = None) -> Tracker:
        """Show things for a time."""
        for _ in range(max(round(seconds * FPS), 1)):
            self.tracker.update(FrameObservation(self.index, self.index * TICK_NS, things, looked))
            self.index += 1
        return self.tracker
