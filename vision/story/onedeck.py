"""One deck: cards with doubtful faces enter; the faces that are likeliest together, none twice, leave.

A card that would have to be in two places with certainty is not a misread: it is told as a duplicate. A track whose
faces are all taken by tracks that were looked at better is the ghost of one of these, seen on its way: it gets none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.observe.tracks import CardTrack
from vision.rules.play.dealscript import Place
from vision.values.cards import DECK, Card
from vision.values.geometry import Floats

CERTAIN: Final = 0.995  # of a face, on its own, from which on it is not given up for another card's sake
PLAIN: Final = 0.9  # and what its looks say of it on average
LOOKS: Final = 4  # and looks that it rests on
SAME: Final = 0.4  # of a face, from which on a card that vanished here and one that appears there may be one
BOTH_NS: Final = 400_000_000  # two places that show a face at the same time, but for this, are two cards
UNLIKELY: Final = 1e-6
GHOST: Final = 0.02  # as likely as a face must be, or the track is the ghost of another
MANY: Final = 25  # looks from which on more of them do not weigh more


@dataclass(frozen=True)
class Decoded:
    """Faces by track id with their probability; the cards that lie in two places, with the tracks that show them."""

    faces: dict[int, tuple[Card, float]]
    duplicates: tuple[tuple[Card, int, int], ...]


def decode(tracks: Sequence[CardTrack], owners: Mapping[int, Place] | None = None) -> Decoded:
    """Return the likeliest faces of all cards whose face was read; a card that was moved within a hand is one card."""
    groups = _groups([track for track in tracks if track.read], owners or {})
    decoded = _decode([_together(group) for group in groups])
    known = [group for group in groups if group[0].id in decoded.faces]
    faces = {track.id: decoded.faces[group[0].id] for group in known for track in group}
    return Decoded(faces, decoded.duplicates)


def _groups(read: Sequence[CardTrack], owners: Mapping[int, Place]) -> list[list[CardTrack]]:
    """Put tracks together that are one card on its way: the same face, one after the other, in the same hand."""
    groups: list[list[CardTrack]] = []
    alike: dict[tuple[Card | None, Place | None], list[list[CardTrack]]] = {}  # by the face of the last, and the hand
    for track in sorted(read, key=lambda track: (track.first_ns, track.id)):
        card, p = track.likeliest()
        mine = alike.setdefault((card, owners.get(track.id)), [])
        known = (g for g in mine if all(track.together_ns(other) <= BOTH_NS for other in g))
        group = next(known, None) if p >= SAME else None
        if group is None:
            groups.append([track])
            mine.append(groups[-1])
        else:
            group.append(track)
    return groups


def _together(group: Sequence[CardTrack]) -> CardTrack:
    """Return the evidence of several tracks as one."""
    if len(group) == 1:
        return group[0]
    first, faces = group[0], np.sum([track.faces for track in group], axis=0)
    belief = np.sum([track.belief for track in group], axis=0)
    read = sum(track.read for track in group)
    place = (first.id, first.zone, first.x, first.y, first.first_ns, group[-1].seen_ns)
    return CardTrack(*place, faces=faces, belief=belief, read=read, read_ns=group[-1].read_ns)


def _decode(read: Sequence[CardTrack]) -> Decoded:
    """Return the likeliest faces of cards that are all different things."""
    duplicates, kept = _duplicates(read)
    free = [track for track in read if track.id not in kept]
    faces = {
        track.id: (card, p) for track in read if track.id in kept for card, p in [track.best()] if card is not None
    }
    taken = {card for card, _ in faces.values()}
    columns = [i for i, card in enumerate(DECK) if card not in taken]
    if free:
        chances = np.array([track.belief[columns] / track.read for track in free])
        for row, column in enumerate(assigned(_costs(chances, [track.read for track in free]))):
            if column < len(columns):
                faces[free[row].id] = (DECK[columns[column]], float(chances[row, column]))
    return Decoded(faces, duplicates)


def _costs(chances: Floats, looks: Sequence[int]) -> Floats:
    """Return what each face costs each track, and behind them what it costs to be a ghost; many looks weigh more."""
    ghosts = np.where(np.eye(len(looks), dtype=bool), GHOST, UNLIKELY * UNLIKELY)
    weights = np.sqrt(np.minimum(looks, MANY))
    return np.asarray(-np.log(np.hstack([np.maximum(chances, UNLIKELY), ghosts])) * weights[:, None])


def _duplicates(read: Sequence[CardTrack]) -> tuple[tuple[tuple[Card, int, int], ...], set[int]]:
    """Return the cards that two tracks show beyond doubt."""
    first: dict[Card, int] = {}
    found: list[tuple[Card, int, int]] = []
    kept: set[int] = set()
    for track in read:
        card, p = track.best()
        if card is None or p < CERTAIN or track.read < LOOKS or track.mean_of(card) < PLAIN:
            continue
        if card in first:
            found.append((card, first[card], track.id))
            kept |= {first[card], track.id}
        else:
            first[card] = track.id
    return tuple(found), kept


def assigned(costs: Floats) -> list[int]:
    """Return the column of each row so that the costs sum to the least, no column twice (Kuhn and Munkres)."""
    rows, columns = costs.shape
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, int)  # of a column: the row that has it, counted from 1; 0 nobody
    for row in range(1, rows + 1):
        owner[0] = row
        at, least = 0, np.full(columns + 1, np.inf)
        came_from, used = np.zeros(columns + 1, int), np.zeros(columns + 1, bool)
        while owner[at]:
            used[at] = True
            slack = costs[owner[at] - 1] - row_price[owner[at]] - column_price[1:]
            better = ~used[1:] & (slack < least[1:])
            least[1:][better], came_from[1:][better] = slack[better], at
            open_columns = np.flatnonzero(~used[1:]) + 1
            following = int(open_columns[least[open_columns].argmin()])
            step = least[following]
            row_price[owner[used]] += step
            column_price[used] -= step
            least[1:][~used[1:]] -= step
            at = following
        while at:
            owner[at] = owner[came_from[at]]
            at = int(came_from[at])
    found = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            found[owner[column] - 1] = column - 1
    return found
