"""The chips of one seat: stacks enter; stakes, raises, changes, payments and what became of the stakes leave."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from math import exp, hypot, prod
from typing import Final

from vision.story.explain.board import DEALER_HAND, Board, Content, Thing
from vision.story.explain.cards import Cards
from vision.story.explain.chips import NONE, UNREAD, Chips, together
from vision.story.explain.context import TableContext, seat_place
from vision.story.explain.money import Binding, Fate, SpotSeen
from vision.table.zones import PAYOUT

SECOND: Final = 1_000_000_000
TRIP_NS: Final = 3 * SECOND // 2  # between two stacks of one payment
APART: Final = 0.15  # assumed: stacks set down so soon after each other belong to two payments
SEEN_NS: Final = SECOND // 2  # a moment that two facts of one event may lie apart
MOST_BINDINGS: Final = 12
PLAIN: Final = 0.9  # of a zone, from which on it is not doubted
LOOK_WEIGHT: Final = 0.5  # assumed: of a further reading, for a stack to be real
WIDTH_MM: Final = 25.0  # two stacks cannot stand nearer: a chip is 39 mm wide, and places are some millimetres off
CHANGES: Final = 0.0005  # assumed: a stake is altered after the close, and by just so much
SAME_MM: Final = 8.0  # assumed: nobody puts chips back so exactly
MISSED_NS: Final = 6 * SECOND  # assumed: for so long an arm may hide a stack
HIDDEN_NS: Final = 10 * SECOND  # assumed: for so long a dealing hand may hide a stake
BACK: Final = 0.02  # assumed: chips that were pushed towards their player are taken all the same
TOO_LATE: Final = 0.03  # assumed: a dealer takes a lost stake only after the hand was cleared
ALIKE: Final = 0.02  # likelihood that two readings are of the same chips, from which on they may be
UNKNOWN_HAND: Final = 0.5  # of chips whose hand nobody saw: the dealer's as likely as the player's


@dataclass(frozen=True)
class Late:
    """Chips of a stake that changed after betting closed."""

    wager: str
    t_ns: int
    more: bool
    p: float
    thing: Thing
    cents: int | None = None  # what lies there then


@dataclass(frozen=True)
class SpotChips:
    """One wager's chips."""

    stakes: tuple[Thing, ...] = ()
    stake_ns: int = 0  # when they counted
    paid: tuple[Thing, ...] = ()
    gone_ns: int | None = None  # when the last of the stake was gone
    by_dealer: float = 0.0  # that the dealer took it
    is_pushed: bool = False  # it was pushed towards its player
    was_collected: bool = False  # before the deal


@dataclass(frozen=True)
class SeatChips:
    """All chips of a seat."""

    seat: int
    spots: Mapping[str, SpotChips] = field(default_factory=dict)
    late: tuple[Late, ...] = ()

    def has(self, wager: str) -> bool:
        """Tell whether a wager was made."""
        return wager in self.spots and bool(self.spots[wager].stakes)


class ChipReader:
    """Explains the chips of one table's rounds."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    def read(self, board: Board, cards: Cards, since_ns: int) -> dict[int, SeatChips]:
        """Return the chips of every seat that has some."""
        found: dict[int, list[Thing]] = {}
        for stack in _unbroken([*board.stacks(since_ns)]):
            if stack.zone.seat is not None:
                found.setdefault(stack.zone.seat, []).append(stack)
        return {seat: self._seat(board, cards, since_ns, seat, stacks) for seat, stacks in sorted(found.items())}

    def _seat(self, board: Board, cards: Cards, since_ns: int, seat: int, stacks: Sequence[Thing]) -> SeatChips:
        spots = {
            wager: self._spot(board, cards, since_ns, (seat, wager), stacks) for wager in self._context.game.stakes
        }
        late = [late for wager, spot in spots.items() for late in self._late(board, cards, wager, spot, stacks)]
        return SeatChips(seat, {w: spot for w, spot in spots.items() if spot.stakes or spot.paid}, tuple(late))

    def _spot(
        self, board: Board, cards: Cards, since_ns: int, place: tuple[int, str], seat_stacks: Sequence[Thing]
    ) -> SpotChips:
        seat, wager = place
        stacks = [stack for stack in seat_stacks if stack.spot() == place]
        close_ns = cards.first_ns if cards.first_ns is not None else board.now_ns
        spec = self._context.game.stakes[wager]
        settle_ns = cards.faces.reveal_ns
        if wager in self._context.raises:
            until_ns = settle_ns if settle_ns is not None else board.now_ns
            made = [s for s in stacks if close_ns < s.born_ns <= until_ns + SEEN_NS and _lasted(s)]
            stakes = [s for s in made if not _was_pushed(s, seat_stacks)]
            stake_ns = until_ns
        else:
            stakes = [s for s in stacks if _lay_at(s, close_ns)]
            stake_ns = close_ns
        if spec.taken is not None and not stakes:
            gone = [s for s in stacks if s.gone_ns is not None and since_ns <= s.gone_ns <= close_ns + SEEN_NS]
            taken = [s for s in gone if board.whose(s.gone_by).get(str(seat), 0.0) < 0.5]
            if taken:
                return SpotChips(
                    tuple(taken[-1:]), taken[-1].gone_ns or 0, (), taken[-1].gone_ns, 1.0, was_collected=True
                )
        on_spot = [s for s in stakes if s.zone.name == wager] or stakes
        paid = self._payments(board, cards, seat, [s for s in stacks if s not in stakes])
        gone_ns, by_dealer = _gone(board, on_spot)
        is_back = any(_goes_on(stack, seat_stacks) for stack in on_spot)
        return SpotChips(tuple(on_spot), stake_ns, tuple(_distinct([*paid])), gone_ns, by_dealer, is_back)

    def _payments(self, board: Board, cards: Cards, seat: int, stacks: Sequence[Thing]) -> Iterator[Thing]:
        """Yield stacks that the dealer put beside a wager after the reveal."""
        reveal_ns = cards.faces.reveal_ns
        if reveal_ns is None:
            return
        done_ns = _done_ns(cards, seat)
        for stack in stacks:
            who = board.whose(stack.put_by)
            is_dealers = who.get(DEALER_HAND, 0.0) >= who.get(str(seat), 0.0)
            in_time = stack.born_ns > reveal_ns and (done_ns is None or stack.born_ns <= done_ns + SECOND)
            if is_dealers and in_time and _lasted(stack):
                yield stack

    # ---- After the close

    def _late(self, board: Board, cards: Cards, wager: str, spot: SpotChips, stacks: Sequence[Thing]) -> Iterator[Late]:
        """Yield chips that were added or taken back after the close, with how likely that is."""
        if wager in self._context.raises or cards.first_ns is None or spot.was_collected:
            return
        end_ns = cards.faces.reveal_ns or board.now_ns
        seat_stacks = [s for s in stacks if s.spot() is not None and (s.spot() or (0, ""))[1] == wager]
        for stack in seat_stacks:
            is_new = stack not in spot.stakes and stack.after_ns > cards.first_ns and stack.born_ns < end_ns
            if is_new and _lasted(stack):
                laid = together(_worth(_content(s, stack.born_ns)) for s in (*spot.stakes, stack))
                p = self._player(board, stack.put_by) * _real(stack)
                yield Late(wager, stack.born_ns, True, p, stack, laid.likeliest)
        for stack in spot.stakes:
            yield from self._altered(cards.first_ns, end_ns, wager, stack)

    @staticmethod
    def _altered(close_ns: int, end_ns: int, wager: str, stack: Thing) -> Iterator[Late]:
        """Yield a stake that is another when it is last read than it was at the close."""
        until_ns = end_ns if stack.gone_ns is None else min(end_ns, stack.gone_ns - SEEN_NS)
        before, after = _content(stack, close_ns), _content(stack, until_ns)
        if after.start_ns <= close_ns or after is before or not (before.looks and after.looks):
            return
        old, new = _worth(before), _worth(after)
        same = sum(p * new.p(cents) for cents, p in old.ranked)
        p = CHANGES * (1 - same) / (CHANGES * (1 - same) + same)
        more = sum(p * q for a, p in old.ranked for b, q in new.ranked if b > a)
        less = sum(p * q for a, p in old.ranked for b, q in new.ranked if b < a)
        yield Late(wager, after.start_ns, more >= less, p * max(more, less), stack, new.likeliest)

    @staticmethod
    def _player(board: Board, trips: tuple[tuple[int, float], ...]) -> float:
        who = board.whose(trips)
        return 1.0 - who.get(DEALER_HAND, 0.0)

    # ---- What money needs

    def bindings(self, board: Board, cards: Cards, chips: SeatChips) -> list[Binding]:
        """Return which chips are which wager's, in every way that is likely enough."""
        done_ns = _done_ns(cards, chips.seat)
        seen = {w: self._seen(board, spot, done_ns) for w, spot in chips.spots.items() if spot.stakes}
        found: list[Binding] = []
        for paid, weight in self._shared_out(chips):
            whole = dict(seen)
            for wager, stacks in paid.items():
                base = whole.get(wager) or SpotSeen(NONE)
                worth = together(_worth(_standing(stack)) for stack in stacks) if stacks else None
                ghost = prod(1 - _real(stack) for stack in stacks)
                whole[wager] = SpotSeen(base.stake, worth, base.fates, ghost, base.may_grow)
            found.append((whole, weight))
        return found[:MOST_BINDINGS]

    def _seen(self, board: Board, spot: SpotChips, done_ns: int | None) -> SpotSeen:
        stake = together(_worth(_content(stack, spot.stake_ns)) for stack in spot.stakes)
        is_done = done_ns is not None and board.now_ns - done_ns > SEEN_NS
        if spot.was_collected:  # it is in the tray, lost or won
            return SpotSeen(stake, None, {Fate.KEPT: 1.0, Fate.TAKEN: 1.0}, may_grow=not is_done)
        if spot.gone_ns is None:
            fates = {Fate.KEPT: 1.0, Fate.TAKEN: 0.002} if is_done else {Fate.OPEN: 1.0}
        else:
            early = done_ns is None or spot.gone_ns <= done_ns + TRIP_NS
            p = min(max(spot.by_dealer, 0.01), 0.99)
            p = BACK if spot.is_pushed else p
            fates = {Fate.TAKEN: p * (1.0 if early else TOO_LATE), Fate.KEPT: (1 - p) * (0.5 if early else 1.0)}
        return SpotSeen(stake, None, fates, may_grow=not is_done)

    def _shared_out(self, chips: SeatChips) -> list[tuple[dict[str, tuple[Thing, ...]], float]]:
        """Return to which wagers payments may belong: by their zones, and between a wager and its bonus."""
        stacks = sorted((s for spot in chips.spots.values() for s in spot.paid), key=lambda s: (s.born_ns, s.id))
        bonuses = {spec.on: name for name, spec in self._context.game.wagers.items() if spec.on}
        choices: list[list[tuple[str, float]]] = []
        paying: list[Thing] = []
        for stack in stacks:
            own = {z.name.removeprefix(PAYOUT): 0.0 for z in stack.zones if z.seat == chips.seat}
            for zone, p in stack.zones.items():
                if zone.seat == chips.seat and zone.name.removeprefix(PAYOUT) in own:
                    own[zone.name.removeprefix(PAYOUT)] += p
            own = {w: max(p, 0.02) for w, p in own.items() if chips.has(w)}
            if not own:
                continue  # nobody bet there: chips that lie there pay nothing
            paying.append(stack)
            choices.append(sorted(own.items(), key=lambda entry: (-entry[1], entry[0]))[:3])
        found: list[tuple[dict[str, tuple[Thing, ...]], float]] = []
        for choice in _likeliest(choices):
            paid: dict[str, tuple[Thing, ...]] = {w: () for w in chips.spots if chips.spots[w].stakes}
            weight = 1.0
            for stack, (wager, p) in zip(paying, choice, strict=True):
                paid[wager] = (*paid.get(wager, ()), stack)
                weight *= p
            for (one, (mine, _)), (other, (theirs, _)) in pairwise(zip(paying, choice, strict=True)):
                weight *= APART if mine != theirs and other.born_ns - one.born_ns <= TRIP_NS else 1.0
            found += [(split, weight) for split in _splits(paid, bonuses)]
        return sorted(found, key=lambda entry: -entry[1])


def _real(stack: Thing) -> float:
    """Return how likely a stack is real: it was found, and its chips were read again and again."""
    looks = max((content.looks for content in stack.contents), default=0)
    return 1 / (1 + exp(-stack.log_odds - LOOK_WEIGHT * looks))


def _distinct(stacks: Sequence[Thing]) -> list[Thing]:
    """Return stacks without those that stand in another's place: told twice while they were set down."""
    kept: list[Thing] = []
    for stack in sorted(stacks, key=lambda s: (s.gone_ns is not None, -(s.gone_ns or 0), s.id)):
        near = (one for one in kept if _apart_mm(one, stack) < WIDTH_MM)
        if next(near, None) is None:
            kept.append(stack)
    return sorted(kept, key=lambda s: (s.born_ns, s.id))


def _apart_mm(one: Thing, other: Thing) -> float:
    return hypot(one.place.x - other.place.x, one.place.y - other.place.y)


def _likeliest(choices: Sequence[Sequence[tuple[str, float]]]) -> list[tuple[tuple[str, float], ...]]:
    if not choices:
        return [()]
    clear = [c[:1] if c and c[0][1] >= PLAIN else c for c in choices]
    return list(product(*clear))[:64]


def _splits(
    paid: Mapping[str, tuple[Thing, ...]], bonuses: Mapping[str, str]
) -> Iterator[dict[str, tuple[Thing, ...]]]:
    """Yield ways to share what lies at a spot between its wager and the bonus that is paid there too."""
    yield dict(paid)
    for base, bonus in bonuses.items():
        mine = paid.get(base, ())
        for first in range(len(mine)):
            yield {**paid, base: mine[:first], bonus: mine[first:]}
            if first:
                yield {**paid, base: mine[first:], bonus: mine[:first]}


def _unbroken(stacks: Sequence[Thing]) -> list[Thing]:
    """Return stacks, those that were only missed for a while in one piece: the same chips at the same place."""
    whole: list[Thing] = []
    for stack in stacks:
        same = next((i for i, one in enumerate(whole) if _is_same(one, stack)), None)
        if same is None:
            whole.append(stack)
            continue
        before = whole.pop(same)
        contents = (*before.contents, *(replace(content) for content in stack.contents))
        whole.append(
            replace(stack, born_ns=before.born_ns, after_ns=before.after_ns, put_by=before.put_by, contents=contents)
        )
    return whole


def _is_same(before: Thing, after: Thing) -> bool:
    """Tell whether chips that appear are those that vanished from there."""
    if before.gone_ns is None or not -SEEN_NS <= after.born_ns - before.gone_ns <= MISSED_NS:
        return False
    is_here = abs(before.place.x - after.place.x) + abs(before.place.y - after.place.y) <= SAME_MM
    old, new = _worth(before.contents[-1]), _worth(after.contents[0])
    return is_here and (not old.ranked or not new.ranked or sum(p * new.p(cents) for cents, p in old.ranked) >= ALIKE)


def _lay_at(stack: Thing, t_ns: int) -> bool:
    """Tell whether a stack may have lain there at a time: it came before, or was not seen to be missing then."""
    came = stack.born_ns <= t_ns or (stack.after_ns < t_ns and stack.born_ns - t_ns <= HIDDEN_NS)
    return came and (stack.gone_ns is None or stack.gone_ns > t_ns - SEEN_NS) and _lasted(stack)


def _lasted(stack: Thing) -> bool:
    """Tell whether a stack stood there for more than a moment; what stands there still may yet go."""
    return stack.gone_ns is None or stack.gone_ns - stack.born_ns >= SEEN_NS


def _gone(board: Board, stakes: Sequence[Thing]) -> tuple[int | None, float]:
    """Return when the last of a stake was gone, and how likely the dealer took it."""
    gone = [(s.gone_ns, s) for s in stakes if s.gone_ns is not None]
    if not stakes or len(gone) < len(stakes):
        return None, 0.0
    last = max(gone, key=lambda entry: entry[0])[1]
    who = board.whose(last.gone_by)
    p = who.get(DEALER_HAND, 0.0) + UNKNOWN_HAND * who.get("", 0.0)
    return last.gone_ns, p


def _done_ns(cards: Cards, seat: int) -> int | None:
    """Return when the dealer was done with a seat: its cards were taken away after they were shown, or all were."""
    show = next((s for s in cards.shows if s.seat == seat), None)
    if show is not None:
        return show.end_ns
    gone = [chain.gone_ns for chain in cards.hands.get(seat_place(seat), ())]
    if gone and None not in gone:
        return max(t for t in gone if t is not None)
    return cards.last_gone_ns


def _content(stack: Thing, t_ns: int) -> Content:
    """Return a stack's chips at a time; where they were not read then, as they were read next."""
    at = stack.content_at(t_ns)
    return at if at.looks else next((c for c in stack.contents if c.looks and c.start_ns >= at.start_ns), at)


def _standing(stack: Thing) -> Content:
    """Return a stack's chips as they stood in the end, before a hand gathered them."""
    end_ns = None if stack.gone_ns is None else stack.gone_ns - SEEN_NS
    kept = [c for c in stack.contents if c.looks and (end_ns is None or c.start_ns <= end_ns)]
    return kept[-1] if kept else stack.contents[-1]


def _was_pushed(stack: Thing, others: Sequence[Thing]) -> bool:
    """Tell whether chips are those of another spot of the seat, which vanished as they came: they were given back."""
    spots = [other for other in others if not other.zone.is_bare]
    return any(_becomes(other, stack) for other in spots if other is not stack)


def _goes_on(stack: Thing, others: Sequence[Thing]) -> bool:
    """Tell whether chips that vanished from a spot came to be seen elsewhere at their seat."""
    return any(_becomes(stack, other) for other in others if other is not stack)


def _becomes(old: Thing, new: Thing) -> bool:
    """Tell whether chips that vanished may be those that appeared at that moment."""
    if old.gone_ns is None or abs(new.born_ns - old.gone_ns) > TRIP_NS:
        return False
    worths = [{cents for content in one.contents for cents, _ in content.amounts[:1]} for one in (old, new)]
    return bool(worths[0] & worths[1])


def _worth(content: Content) -> Chips:
    return Chips.of(content.amounts) if content.amounts else UNREAD
