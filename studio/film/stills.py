"""Single pictures for training: crowded, random, hard to read. A felt and a source of chance enter, things leave."""

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np

from studio.scene import CardBody, HandBody, Pose, PropBody, StackBody, Thing
from studio.stacking import as_left
from vision.table.layout import Layout, Shape
from vision.values.cards import DECK, Card
from vision.values.chips import ChipSet
from vision.values.sizes import CARD_THICKNESS_MM

GRIPS = ("flat", "pinch", "fist", "point", "spread")
PROPS = ("drink", "phone", "cash", "lammer", "cutcard", "ashtray", "stub", "pile", "button")
UP, DOWN = 0.0, 180.0
SLOPPY_MM = (0.3, 1.5)  # how far chips of a stack stand off its axis
CAST = 5  # hands per look: each new one costs as much as several pictures


def random_cast(rng: np.random.Generator, layout: Layout) -> tuple[HandBody, ...]:
    """Choose the hands that appear in the pictures of one look: a few people, each with one grip."""
    people = rng.permutation(len(layout.seat) + 1)[:CAST]
    return tuple(HandBody(int(person), str(rng.choice(GRIPS)), left=bool(rng.random() < 0.5)) for person in people)


def random_scene(
    rng: np.random.Generator, layout: Layout, chips: ChipSet, cast: Sequence[HandBody]
) -> tuple[Thing, ...]:
    """Return a table full of things: hands of cards, wagers, payouts, arms, props; now and then nearly empty."""
    deck = [DECK[i] for i in rng.permutation(len(DECK))]
    ids = count(1)
    things: list[Thing] = []
    busy = float(rng.choice([0.15, 0.6, 1.0]))
    for seat in layout.seat:
        if rng.random() < busy:
            things += _hand_of_cards(rng, ids, deck, seat.cards, seat.angle)
        for spot in seat.spots.values():
            if rng.random() < 0.5 * busy:
                things += _wager(rng, ids, spot, chips)
    things += _hand_of_cards(rng, ids, deck, layout.dealer.cards, 180.0)
    if rng.random() < busy:
        things += _hand_of_cards(rng, ids, deck, layout.dealer.work, 180.0)
    things += _scattered(rng, ids, layout, deck, chips, busy)
    things += _arms(rng, ids, layout, cast)
    return tuple(things)


def _hand_of_cards(
    rng: np.random.Generator, ids: Iterator[int], deck: list[Card], zone: Shape, angle: float
) -> Iterator[Thing]:
    """Yield some cards in a row, a fan, a loose pile or a squared packet."""
    number = int(rng.integers(1, 7))
    step = float(rng.choice([2.0, 14.0, 24.0, 40.0, 68.0]))  # from a packet to a row with gaps
    fan = float(rng.choice([0.0, 0.0, 4.0, 9.0]))
    turned = float(rng.choice([UP, DOWN]))
    x, y = zone.centre + rng.normal(0, 12, 2)
    heading = np.radians(angle + float(rng.normal(0, 8)))
    for i in range(min(number, len(deck))):
        along = (i - (number - 1) / 2) * step
        jitter = rng.normal(0, 1.5, 2)
        pose = Pose(
            float(x + along * np.cos(heading) + jitter[0]),
            float(y + along * np.sin(heading) + jitter[1]),
            z=(i + 1) * CARD_THICKNESS_MM,
            angle=float(np.degrees(heading) - (i - (number - 1) / 2) * fan + rng.normal(0, 2)),
            turn=turned if rng.random() < 0.93 else DOWN - turned,
        )
        yield Thing(next(ids), CardBody(deck.pop(), deck=0, curl_mm=float(rng.uniform(0, 3))), pose)


def _wager(rng: np.random.Generator, ids: Iterator[int], spot: Shape, chips: ChipSet) -> Iterator[Thing]:
    """Yield a wager, and perhaps its payout beside it."""
    x, y = spot.centre + rng.normal(0, 6, 2)
    yield Thing(next(ids), random_stack(rng, chips), Pose(float(x), float(y), angle=float(rng.uniform(0, 360))))
    if rng.random() < 0.3:
        around = rng.uniform(0, 2 * np.pi)
        reach = rng.uniform(40, 50)
        pose = Pose(
            float(x + reach * np.cos(around)), float(y + reach * np.sin(around)), angle=float(rng.uniform(0, 360))
        )
        yield Thing(next(ids), random_stack(rng, chips), pose)


def random_stack(rng: np.random.Generator, chips: ChipSet) -> StackBody:
    """Return a stack of one to twelve chips, of one colour or mixed."""
    number = min(int(rng.geometric(0.28)), 12)
    values = [chip.cents for chip in chips.chip]
    mixed = rng.random() < 0.35
    cents = sorted(rng.choice(values, number if mixed else 1), reverse=rng.random() < 0.8)
    body = tuple(int(value) for value in (cents if mixed else list(cents) * number))
    sloppy = float(rng.uniform(*SLOPPY_MM))
    shifts = [(float(dx), float(dy), float(rng.uniform(0, 360))) for dx, dy in rng.normal(0, sloppy, (number, 2))]
    return StackBody(body, as_left(shifts))


def _scattered(
    rng: np.random.Generator, ids: Iterator[int], layout: Layout, deck: list[Card], chips: ChipSet, busy: float
) -> Iterator[Thing]:
    """Yield things that lie anywhere: stray cards, loose chips, drinks, phones, cash."""
    for _ in range(int(rng.integers(0, 6) * busy)):
        if deck:
            turned = float(rng.choice([UP, DOWN]))
            pose = Pose(*_anywhere(rng, layout), z=3.0, angle=float(rng.uniform(0, 360)), turn=turned)
            yield Thing(next(ids), CardBody(deck.pop()), pose)
    for _ in range(int(rng.integers(0, 10) * busy)):
        yield Thing(
            next(ids), random_stack(rng, chips), Pose(*_anywhere(rng, layout), angle=float(rng.uniform(0, 360)))
        )
    for _ in range(int(rng.integers(0, 4))):
        kind = str(rng.choice(PROPS))
        size = float(rng.integers(5, 45)) if kind in ("stub", "pile") else 1.0
        body = PropBody(kind, int(rng.integers(0, 6)), size)
        yield Thing(next(ids), body, Pose(*_anywhere(rng, layout), angle=float(rng.uniform(0, 360))))


def _arms(rng: np.random.Generator, ids: Iterator[int], layout: Layout, cast: Sequence[HandBody]) -> Iterator[Thing]:
    """Yield hands that reach in from where people are."""
    for body in cast:
        if rng.random() < 0.5:
            origin = (float(rng.normal(0, 150)), -350.0) if body.person == 0 else _seat_edge(layout, body.person)
            x, y = _within_reach(rng, layout, origin)
            angle = np.degrees(np.arctan2(-(x - origin[0]), y - origin[1])) + rng.normal(0, 12)
            yield Thing(next(ids), body, Pose(x, y, z=float(rng.uniform(8, 60)), angle=float(angle)))


def _within_reach(rng: np.random.Generator, layout: Layout, origin: tuple[float, float]) -> tuple[float, float]:
    spots = [_anywhere(rng, layout) for _ in range(6)]
    return min(spots, key=lambda spot: np.hypot(spot[0] - origin[0], spot[1] - origin[1]))


def _seat_edge(layout: Layout, seat: int) -> tuple[float, float]:
    x, y = layout.seat_at(seat).cards.centre
    away = np.array([x, y - 200.0])
    away /= np.linalg.norm(away)
    return (float(x + 350 * away[0]), float(y + 350 * away[1]))


def _anywhere(rng: np.random.Generator, layout: Layout) -> tuple[float, float]:
    felt = Shape(polygon=[list(point) for point in layout.outline])
    width, height = layout.size_mm
    while True:
        x, y = float(rng.uniform(-width / 2, width / 2)), float(rng.uniform(150, height))
        if felt.contains(x, y):
            return x, y
