"""The cards of one round: things enter; what was dealt where, which faces showed when, whose hand was shown leave."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

import numpy as np

from vision.rules.play.dealscript import Delivery, Place, deliveries
from vision.story.explain.board import Board, Thing
from vision.story.explain.context import DEALER, WORK, TableContext, seat_place
from vision.values.cards import DECK
from vision.values.geometry import Floats

SECOND: Final = 1_000_000_000
FOLLOWS_NS: Final = 5 * SECOND  # assumed: the slowest dealer's pitch from one place to the next
DEAL_GAP_NS: Final = 3 * SECOND  # assumed: a deal that rests for so long is over
EXPOSED: Final = 0.02  # assumed: of first faces that show, those that begin no reveal
FOLLOWED_NS: Final = 4 * SECOND // 10  # assumed: the mean time until a dealer who turns the hand turns the next card
TURNED_BACK: Final = 0.97  # assumed: a card that showed for a moment was seen as it was
REAL: Final = 0.8  # log-odds of a card, from which on it begins a deal, and keeps a round open
LONG_GAP_NS: Final = 8 * SECOND  # assumed: the same until the dealer has cards, where packets come from a machine
SHOW_GAP_NS: Final = 2 * SECOND  # assumed: cards of one hand come to the work area within this of each other
BEFORE_NS: Final = 5 * SECOND // 2  # assumed: a card that was moved is seen again within this
BURN_NS: Final = 8 * SECOND  # assumed: a card faced in the deck is put aside so soon before the first is dealt
BROUGHT_NS: Final = 5 * SECOND  # assumed: a hand takes no longer from its place to the work area
SAME: Final = 0.5  # likelihood from which on two things are taken for one card
OUT_OF_TURN: Final = 0.05  # assumed: a hand is shown that is not next
PLACES: Final = {str(card): i for i, card in enumerate(DECK)}


@dataclass(frozen=True)
class CardChain:
    """One card: the things that it was, one after the other."""

    things: tuple[Thing, ...]

    @property
    def id(self) -> int:
        """Return the number of its first thing."""
        return self.things[0].id

    @property
    def born_ns(self) -> int:
        """Return when it came."""
        return self.things[0].born_ns

    @property
    def gone_ns(self) -> int | None:
        """Return when it went."""
        return self.things[-1].gone_ns

    def faces(self) -> Floats | None:
        """Return how likely each face is by all that was read of it; None where it never was."""
        read = [thing for thing in self.things if thing.face is not None]
        if not read:
            return None
        logs = np.sum([np.log(_spread(thing.faces)) for thing in read], axis=0)
        p = np.exp(logs - logs.max())
        return np.asarray(p / p.sum())

    def is_up(self, t_ns: int) -> bool:
        """Tell whether it lay there at a time with its face up."""
        return any(thing.is_there(t_ns) and thing.is_up(t_ns) for thing in self.things)


def _spread(faces: Mapping[str, float]) -> Floats:
    """Return the probabilities of all faces; what lacks to 1 is shared by those not named."""
    p = np.full(len(DECK), max(1.0 - sum(faces.values()), 1e-6) / len(DECK))
    for name, chance in faces.items():
        p[PLACES[name]] += chance
    return np.asarray(p / p.sum())


@dataclass(frozen=True)
class Show:
    """A hand that lay open in the work area."""

    things: tuple[Thing, ...]
    start_ns: int
    end_ns: int | None  # None: it lies there still
    seat: int | None = None
    p: float = 0.0  # that it is this seat's


@dataclass(frozen=True)
class Faces:
    """The dealer's cards as they came to show: exposures, and the reveal."""

    up_card: CardChain | None
    reveal_ns: int | None
    exposed: tuple[tuple[int, int | None, CardChain], ...]  # from, until, which card showed too early
    p_exposed: float = 0.0  # that it did, and the dealer has not begun to turn the hand


@dataclass(frozen=True)
class Cards:
    """All cards of a round."""

    hands: Mapping[Place, tuple[CardChain, ...]]  # as dealt
    first_ns: int | None  # when the first was dealt
    deal_over_ns: int | None
    faces: Faces
    shows: tuple[Show, ...]
    faced: tuple[Thing, ...]  # cards that came face up out of the deck, and were put aside
    last_gone_ns: int | None  # when the last card left; None while some lie there


class CardReader:
    """Explains the cards of one table's rounds."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    def read(self, board: Board, since_ns: int, strays: frozenset[int]) -> Cards:
        """Return the cards of the round that began then; strays lay there before and are none of it."""
        things = [thing for thing in board.cards(since_ns) if thing.id not in strays]
        placed = [thing for thing in things if self._place(thing) is not None]
        first_ns = _first_deal(placed)
        if first_ns is None:
            return Cards({}, None, None, Faces(None, None, ()), (), (), None)
        placed = [thing for thing in placed if thing.born_ns >= first_ns - SECOND]
        work = [thing for thing in things if thing.zone == WORK and thing.born_ns >= first_ns - BURN_NS]
        dealer_ns = [thing.born_ns for thing in placed if self._place(thing) == DEALER]
        over_ns = _deal_over(_arrivals(placed), board.now_ns, min(dealer_ns, default=board.now_ns))
        chains = self._chains(placed)
        faces = self._faces(chains.get(DEALER, ()), board.now_ns)
        dealing = [thing for thing in work if over_ns is None or thing.born_ns <= over_ns + SECOND]
        shows = self._owned(_shows([thing for thing in work if thing not in dealing]), chains)
        return Cards(chains, first_ns, over_ns, faces, shows, _faced(dealing), _last_gone([*placed, *work]))

    def _place(self, thing: Thing) -> Place | None:
        return self._context.zones.get(thing.zone)

    def _chains(self, placed: Sequence[Thing]) -> dict[Place, tuple[CardChain, ...]]:
        """Return each place's cards; a thing that another one became is the same card."""
        known: dict[int, list[Thing]] = {}
        found: dict[Place, list[list[Thing]]] = {}
        for thing in placed:
            was = max(thing.came_from, key=lambda entry: entry[1], default=(0, 0.0))
            chain = known.get(was[0]) if was[1] >= SAME else None
            if chain is None or chain[0].zone != thing.zone:
                chain = []
                found.setdefault(self._context.zones[thing.zone], []).append(chain)
            chain.append(thing)
            known[thing.id] = chain
        return {place: tuple(CardChain(tuple(chain)) for chain in chains) for place, chains in found.items()}

    # ---- The dealer's faces

    def _faces(self, chains: Sequence[CardChain], now_ns: int) -> Faces:
        """Tell exposures from the reveal: a card that shows too early is turned back, or stays alone."""
        legal = sum(d.face_up for d in self._script() if d.zone == DEALER[0])
        want = self._context.game.file.counts.get(DEALER[0], 0)
        turned = sorted((t, chain.id) for chain in chains for t in _turned_up(chain))
        by_id = {chain.id: chain for chain in chains}
        up_card = by_id[turned[0][1]] if legal and turned else None
        hidden = [chain for chain in chains if chain is not up_card]
        known = [(start, end, chain.id) for chain in hidden for start, end in _up_spans(chain)]
        spans = sorted(known, key=lambda span: (span[0], span[2]))
        most = [sum(s <= start and (e is None or e > start) for s, e, _ in spans) for start, _, _ in spans]
        reveal_ns = None
        for (start, _, _), count in zip(spans, most, strict=True):
            if count >= min(2, want - legal):
                reveal_ns = _run_start(spans, start)
                break
        early = [(s, e, by_id[i]) for s, e, i in spans if reveal_ns is None or s < reveal_ns]
        return Faces(up_card, reveal_ns, tuple(early), _p_exposed(early, reveal_ns, now_ns))

    def _script(self) -> Iterable[Delivery]:
        file = self._context.game.file
        return deliveries(file.deal[self._context.sheet.deal_method], (1,), frozenset())

    # ---- Hands that are shown

    def _owned(self, shows: Sequence[Show], chains: Mapping[Place, Sequence[CardChain]]) -> tuple[Show, ...]:
        """Return the shows with their owners: the likeliest assignment, no seat twice."""
        seats = [seat for seat in reversed(self._context.seats) if chains.get(seat_place(seat))]
        beams: list[tuple[float, tuple[int | None, ...]]] = [(0.0, ())]
        scores: list[dict[int, float]] = []
        for show in shows:
            own = {seat: self._match(show, chains[seat_place(seat)]) for seat in seats}
            scores.append(own)
            grown = []
            for log_p, taken in beams:
                left = [seat for seat in seats if seat not in taken]
                for rank, seat in enumerate(left):
                    order = log(1 - OUT_OF_TURN) if rank == 0 else log(OUT_OF_TURN / max(len(left) - 1, 1)) * 0.5
                    grown.append((log_p + own[seat] + order, (*taken, seat)))
                grown.append((log_p - 12.0, (*taken, None)))
            beams = sorted(grown, key=lambda entry: -entry[0])[:24]
        whole = sum(exp(log_p - beams[0][0]) for log_p, _ in beams)
        best = beams[0][1]
        chances = [
            sum(exp(log_p - beams[0][0]) for log_p, taken in beams if taken[i] == best[i]) / whole
            for i in range(len(shows))
        ]
        return tuple(
            Show(show.things, show.start_ns, show.end_ns, seat, p)
            for show, seat, p in zip(shows, best, chances, strict=True)
        )

    @staticmethod
    def _match(show: Show, chains: Sequence[CardChain]) -> float:
        """Return the log-likelihood that a show is a seat's hand: its cards left, and became these."""
        ids = {thing.id for chain in chains for thing in chain.things}
        came = [p for thing in show.things for was, p in thing.came_from if was in ids]
        score = 2.0 * sum(came)
        gone = [chain.gone_ns for chain in chains]
        left = [t for t in gone if t is not None and show.start_ns - BROUGHT_NS <= t <= show.start_ns + SECOND]
        if left:
            score += 3.0
        elif any(t is None or t > show.start_ns + SECOND for t in gone):
            score -= 4.0  # they lie there still
        else:
            score -= 6.0  # they were taken away long before
        return score


def _p_exposed(early: Sequence[tuple[int, int | None, CardChain]], reveal_ns: int | None, now_ns: int) -> float:
    """Return how likely a card was exposed: one that was turned back was; one that lies open may begin the reveal."""
    if not early:
        return 0.0
    if reveal_ns is not None or any(end is not None for _, end, _ in early):
        return TURNED_BACK
    alone_ns = now_ns - early[0][0]
    return EXPOSED / (EXPOSED + (1 - EXPOSED) * exp(-alone_ns / FOLLOWED_NS))


def _faced(dealing: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the cards that were laid open beside the deal, each face once."""
    open_ones = [thing for thing in dealing if any(up for _, up in thing.sides)]
    by_face = {thing.face or str(thing.id): thing for thing in reversed(open_ones)}
    return tuple(sorted(by_face.values(), key=lambda thing: (thing.born_ns, thing.id)))


def _first_deal(placed: Sequence[Thing]) -> int | None:
    """Return when the first card was dealt: cards follow it at another place; a ghost is followed by none."""
    births = [(thing.born_ns, thing.zone) for thing in placed if thing.log_odds >= REAL]
    for born_ns, zone in births:
        after = [other for later, other in births if 0 <= later - born_ns <= FOLLOWS_NS and other != zone]
        if after:
            return born_ns
    return None


def _arrivals(placed: Sequence[Thing]) -> list[int]:
    """Return when cards came that took no other's place: what a player moves or turns is no delivery."""
    gone = [(thing.zone, thing.gone_ns) for thing in placed if thing.gone_ns is not None]
    return sorted(
        thing.born_ns
        for thing in placed
        if not any(zone == thing.zone and -BEFORE_NS <= t - thing.born_ns <= SECOND for zone, t in gone)
    )


def _deal_over(births: Sequence[int], now_ns: int, dealer_ns: int) -> int | None:
    """Return when the last card of the deal came, None while more may come; the dealer has cards in every deal."""
    for this, following in zip(births, [*births[1:], now_ns], strict=True):
        rest_ns = DEAL_GAP_NS if this >= dealer_ns else LONG_GAP_NS
        if following - this > rest_ns:
            return this
    return None


def _turned_up(chain: CardChain) -> list[int]:
    return [start for start, _ in _up_spans(chain)]


def _up_spans(chain: CardChain) -> list[tuple[int, int | None]]:
    """Return when a card showed its face, from and until."""
    spans: list[tuple[int, int | None]] = []
    for thing in chain.things:
        start: int | None = None
        for t_ns, is_up in thing.sides:
            if is_up and start is None:
                start = t_ns
            elif not is_up and start is not None:
                spans.append((start, t_ns))
                start = None
        if start is not None:
            spans.append((start, thing.gone_ns))
    joined: list[tuple[int, int | None]] = []
    for start, end in spans:
        if joined and joined[-1][1] is not None and start - joined[-1][1] <= SECOND // 2:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _run_start(spans: Sequence[tuple[int, int | None, int]], t_ns: int) -> int:
    """Return when the run of open faces that is there at a time began."""
    start_ns = t_ns
    for start, end, _ in sorted(spans, key=lambda span: -span[0]):
        if start < start_ns and (end is None or end >= start_ns):
            start_ns = start
    return start_ns


def _shows(work: Sequence[Thing]) -> list[Show]:
    """Return the hands that lay open in the work area: packets that are fanned, and squared again."""
    groups: list[list[Thing]] = []
    for thing in work:
        if groups and _belongs(thing, groups[-1]):
            groups[-1].append(thing)
        else:
            groups.append([thing])
    return [_show(group) for group in groups if any(up for thing in group for _, up in thing.sides)]


def _belongs(thing: Thing, group: Sequence[Thing]) -> bool:
    """Tell whether a card is one of the hand that lies there: it came with it, or shows a face of it again."""
    if thing.face is not None and thing.face in {one.face for one in group}:
        return True
    lasting = [one for one in group if one.gone_ns is None or one.gone_ns > thing.born_ns - SECOND // 2]
    return bool(lasting) and thing.born_ns - max(one.born_ns for one in group) <= SHOW_GAP_NS


def _show(group: Sequence[Thing]) -> Show:
    ends = [thing.gone_ns for thing in group]
    end_ns = None if None in ends else max(end for end in ends if end is not None)
    return Show(tuple(group), min(thing.born_ns for thing in group), end_ns)


def _last_gone(things: Sequence[Thing]) -> int | None:
    gone = [thing.gone_ns for thing in things if thing.log_odds >= REAL]
    return None if not gone or None in gone else max(t for t in gone if t is not None)
