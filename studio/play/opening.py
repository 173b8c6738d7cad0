"""A new deck is opened: spread face up by suit, turned, washed, stacked.

A table and the move enter; fifty-two cards move, and the moments of effect and of free hands leave.
"""

from collections.abc import Sequence
from dataclasses import replace

from studio.play import gestures as do
from studio.play.deck import deck_body, put_away
from studio.play.gestures import Arm
from studio.play.register import Puppet
from studio.play.script import Move
from studio.play.table import DECK_SIZE, FACE_DOWN, FACE_UP, Done, Table
from studio.play.tempo import DEALER
from studio.scene import CardBody, Pose, moved
from vision.values.cards import DECK
from vision.values.sizes import CARD_THICKNESS_MM


def open_deck(table: Table, move: Move, t_s: float) -> Done:
    """Spread a new deck face up by suit, turn it, wash it, stack it."""
    table.deck = move.deck
    x, y = table.ground.dealer.work.centre
    arms = [table.troupe.arm(DEALER), table.troupe.arm(DEALER, left=True)]
    begin_s = max(arm.reach(t_s, (x + side, y), 20.0, "spread") for arm, side in zip(arms, (40, -40), strict=True))
    faces = move.cards or DECK
    cards = [
        table.troupe.enter(CardBody(card, move.deck), begin_s, Pose(x, y, i * CARD_THICKNESS_MM, 0.0, FACE_UP))
        for i, card in enumerate(faces)
    ]
    spread_s = _sweep_all(table, arms, cards, _by_suit(table, cards), begin_s + 0.2, 2.0)
    turned = [replace(card.pose, turn=FACE_DOWN, z=(len(cards) - i) * 0.3) for i, card in enumerate(cards)]
    turned_s = _sweep_all(table, arms, cards, turned, spread_s + 1.5, 1.5)
    for _ in range(3):
        turned_s = _sweep_all(table, arms, cards, _washed(table, cards), turned_s + 0.1, 1.0)
    stack = [Pose(x, y, i * CARD_THICKNESS_MM, 0.0, FACE_DOWN) for i in range(len(cards))]
    done_s = _sweep_all(table, arms, cards, stack, turned_s + 0.1, 1.4)
    for card in cards:
        card.gone_s = done_s
    table.cards_left = DECK_SIZE
    deck = table.troupe.enter(deck_body(table, "stub", len(cards)), done_s, Pose(x, y))
    done_s = put_away(table, deck, done_s)
    return done_s, done_s


def _by_suit(table: Table, cards: Sequence[Puppet]) -> list[Pose]:
    """Return the places of a deck spread face up in four rows."""
    (x, y), gap = table.ground.dealer.work.centre, 21.0
    rows = [(i % 13, i // 13) for i in range(len(cards))]
    return [
        Pose(
            x + (rank - 6) * gap,
            y + (3 - row) * 38.0 - 0.9 * abs(rank - 6),
            0.3 + i * 0.1,
            (6 - rank) * 0.8,
            FACE_UP,
        )
        for i, (rank, row) in enumerate(rows)
    ]


def _washed(table: Table, cards: Sequence[Puppet]) -> list[Pose]:
    """Return the places of a deck pushed about on the felt."""
    (x, y), rng = table.ground.dealer.work.centre, table.rng
    order = rng.sample(range(len(cards)), len(cards))
    return [
        Pose(
            x + table.stray(110, 240),
            y + 50 + table.stray(40, 90),
            0.3 + 0.1 * i,
            rng.uniform(0, 360),
            FACE_DOWN,
        )
        for i in order
    ]


def _sweep_all(
    table: Table, arms: list[Arm], cards: Sequence[Puppet], ends: list[Pose], t_s: float, lasts_s: float
) -> float:
    """Move a whole deck with both hands, one card after the other."""
    (x, y), share = table.ground.dealer.work.centre, 0.5
    for i, (card, end) in enumerate(zip(cards, ends, strict=True)):
        begin_s = t_s + lasts_s * share * i / len(cards)
        card.key(begin_s, card.pose)
        turns = card.pose.turn != end.turn
        start = card.pose
        if turns:
            for j in range(1, 5):
                mid = start.towards(end, j / 5)
                card.key(begin_s + lasts_s * share * j / 5, moved(mid, z=do.turned_z(mid.z, mid.turn)))
        card.key(begin_s + lasts_s * share, end)
    for i in range(5):
        dx = 150.0 * (i % 2)
        for arm, side in zip(arms, (1, -1), strict=True):
            arm.go(t_s + lasts_s * i / 4, (x + side * (40 + dx), y + 40.0 * (i % 3)), 18.0, "flat")
    return t_s + lasts_s
