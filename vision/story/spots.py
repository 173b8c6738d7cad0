"""The chips of one wager at one seat: stacks enter; stakes, changes, payments and takings leave."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from vision.observe.tracks import StackTrack, Tracker
from vision.story.amounts import NOTHING, Amount, amount_of
from vision.table.zones import PAYOUT, Zone

CHIP: Final = 0.5  # how surely chips on a sensor are read that are no lamp
SURELY, LOOKS = 0.8, 3  # the same where no hand was seen to put them there, and how often
TRIP_NS: Final = 1_200_000_000  # between two stacks of one payment
SETTLES_NS: Final = 500_000_000  # a stack that stands so long is left there
UNDUE_NS: Final = 1_500_000_000  # the same where nothing is due: a passing hand may seem to leave chips
GLIMPSE: Final = 2  # looks from which on it was more than chips in motion
ALONE_NS: Final = 4_000_000_000  # the same where no hand was seen that could have put it there
MOVED_NS: Final = 3_000_000_000  # between the last sight of chips here and the first there: they were moved
OVERLAP_NS: Final = 300_000_000  # for which the old place may seem taken still


@dataclass
class Payment:
    """Stacks that the dealer put beside a wager in one go."""

    stacks: list[StackTrack]
    start_ns: int
    end_ns: int
    is_dealers: bool = True  # the dealer's hand was seen to put it there
    is_between: bool = False  # it lies between this spot and another that was being paid

    @property
    def amount(self) -> Amount:
        """Return what was paid."""
        return amount_of(self.stacks)


@dataclass
class Spot:
    """A wager's place at a seat, through one round."""

    seat: int
    wager: str
    stakes: list[StackTrack] = field(default_factory=list)  # when betting closed, or the decision was made
    closed_ns: int | None = None
    collected: Amount | None = None  # of a wager that is taken before the deal: what it was
    payments: list[Payment] = field(default_factory=list)
    taken_ns: int | None = None  # when the last stake was gone
    taken_by: str | None = None  # 'dealer' or 'player', where that was seen
    is_taking_told: bool = False
    told_contents: int = 1  # how many contents of the stakes are known
    late: list[StackTrack] = field(default_factory=list)  # put there after betting closed
    is_glimpsed: bool = False  # chips were seen here for a moment that nothing explains
    moved_ns: int | None = None  # when chips of it were last pushed elsewhere
    is_pushed: bool = False  # in a void round its chips were pushed towards the player
    former: set[int] = field(default_factory=set)  # tracks of chips that were moved, where they stood before
    is_sensor: bool = False  # it has a lamp or a lens that looks like a chip: only what a hand put there counts
    worths: tuple[int, ...] = ()  # what may be wagered here, where the house says so

    @cached_property
    def zones(self) -> tuple[Zone, Zone]:
        """Return the spot and what is around it."""
        return Zone(self.seat, self.wager), Zone(self.seat, PAYOUT + self.wager)

    def lying(self, tracker: Tracker) -> list[StackTrack]:
        """Return the stacks on the spot; where it is empty, those just beside it."""
        spot, beside = self.zones
        return self._stacks_on(tracker, [spot]) or self._stacks_on(tracker, [beside])

    def _stacks_on(self, tracker: Tracker, zones: Sequence[Zone]) -> list[StackTrack]:
        return [stack for stack in tracker.stacks_on(zones) if not self.is_sensor or self._is_chip(stack)]

    def _is_chip(self, stack: StackTrack) -> bool:
        """Say whether what is on a sensor is no lamp: a hand put it there, or it is surely read as what is wagered."""
        cents, p = stack.value
        is_read = stack.contents[-1].looks >= LOOKS and p >= SURELY and cents in self.worths
        return was_handled(stack) or is_read

    def close(self, tracker: Tracker, t_ns: int, since_ns: int = 0) -> None:
        """Fix the stakes; chips that were last seen before a time are gone, though an arm may hide where they stood."""
        self.stakes = [stack for stack in self.lying(tracker) if stack.seen_ns >= since_ns]
        self.closed_ns = t_ns
        self.told_contents = sum(len(stack.contents) for stack in self.stakes)

    @property
    def stake(self) -> Amount:
        """Return what was wagered: when betting closed, or before it was collected."""
        if self.collected is not None:
            return self.collected
        return amount_of(self.stakes, self.closed_ns) if self.stakes else NOTHING

    @property
    def is_made(self) -> bool:
        """Say whether there is a wager."""
        return bool(self.stakes) or self.collected is not None

    @property
    def may_be_lamp(self) -> bool:
        """Say whether what is taken for a wager may be the lamp of a sensor: hardly read, or no wager that there is."""
        is_odd = bool(self.worths) and self.stake.cents not in self.worths
        return self.is_sensor and (is_odd or self.stake.p < CHIP)

    @property
    def went_back(self) -> bool:
        """Say whether the player was seen to take the stake back."""
        return bool(self.stakes) and self.taken_by == "player"

    def unknown(self, tracker: Tracker, zones: Sequence[Zone], *, is_paying: bool = False) -> list[StackTrack]:
        """Return stacks that stand on some zones and are nothing that is known here; what was moved is known."""
        here = self._stacks_on(tracker, zones)
        if not here:
            return []
        known = self._known_ids()
        found = [stack for stack in here if stack.id not in known]
        return [stack for stack in found if not self._is_moved(stack, tracker, is_paying=is_paying)]

    def glimpse(self, tracker: Tracker, since_ns: int) -> None:
        """Note chips that were seen here and are not explained yet: something may have been put here unseen."""
        fresh = [s for s in tracker.stacks if s.first_ns > since_ns and s.zone in self.zones]
        if not fresh:
            return
        known = self._known_ids()
        passing = (stack for stack in fresh if stack.id not in known)
        loose = (s for s in passing if s.seen_ns == tracker.now_ns and not tracker.is_hidden(s))  # not in a hand
        self.is_glimpsed = self.is_glimpsed or any(stack.seen >= GLIMPSE for stack in loose)

    def forget_glimpses(self) -> None:
        """Take glimpses for the payment that came to stand here a moment later."""
        self.is_glimpsed = False

    def new_stacks(self, tracker: Tracker, *, is_paying: bool, is_due: bool) -> list[StackTrack]:
        """Return stacks that were put here, and stand: neither stakes nor payments known before."""
        found = self.unknown(tracker, self.zones, is_paying=is_paying)
        put_ns = SETTLES_NS if is_due else UNDUE_NS
        return [s for s in found if s.seen_ns - s.first_ns >= (put_ns if was_handled(s) else ALONE_NS)]

    def _is_moved(self, stack: StackTrack, tracker: Tracker, *, is_paying: bool) -> bool:
        """Say whether a stack is one that stood here before and was moved; then it is taken for that one from now on.

        While the dealer pays, a stake that is not seen may be under the hand that pays as much beside it.
        """
        alive = {track.id for track in tracker.stacks}
        for group in (self.stakes, self.late, *(payment.stacks for payment in self.payments)):
            for i, old in enumerate(group):
                gap = stack.first_ns - old.seen_ns
                is_lost = old.id not in alive or old.missed_ns is not None
                is_away = is_lost if is_paying and group is not self.late else old.seen_ns < tracker.now_ns
                is_after = -OVERLAP_NS <= gap <= MOVED_NS and is_away
                is_same = old.contents[-1].may_be(stack.contents[-1])
                if is_after and (is_same or not is_paying):
                    if is_same:
                        old.contents[-1].add(stack.contents[-1])
                    stack.contents[:] = old.contents if is_same else [*old.contents, *stack.contents]
                    self.former.add(old.id)
                    self.moved_ns = tracker.now_ns
                    group[i] = stack
                    return True
        return False

    def pay(self, stack: StackTrack, *, is_dealers: bool, is_between: bool = False) -> None:
        """Note a stack that was paid."""
        last = self.payments[-1] if self.payments else None
        if last is not None and stack.first_ns - last.end_ns <= TRIP_NS:
            last.stacks.append(stack)
            last.end_ns = max(stack.first_ns, last.end_ns)
            last.is_dealers = last.is_dealers and is_dealers
            last.is_between = last.is_between or is_between
        else:
            self.payments.append(Payment([stack], stack.first_ns, stack.first_ns, is_dealers, is_between))

    def is_standing(self, tracker: Tracker) -> bool:
        """Say whether chips of the stake still stand here."""
        return any(stack in tracker.stacks for stack in self.stakes) or bool(self.lying(tracker) and not self.payments)

    def _known_ids(self) -> set[int]:
        paid = {stack.id for payment in self.payments for stack in payment.stacks}
        return {stack.id for stack in (*self.stakes, *self.late)} | paid | self.former


def was_handled(stack: StackTrack) -> bool:
    """Say whether a hand was near when a stack came."""
    return stack.put_from is not None
