"""The chips of one wager at one seat: stacks enter; stakes, changes, payments and takings leave."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from vision.calibrate.zones import PAYOUT, Zone
from vision.track.tracks import SURE_LOOKS, StackTrack, Tracker

TRIP_NS: Final = 1_200_000_000  # between two stacks of one payment
SURE: Final = 0.75  # of a stack's worth, from which on a change of it is believed
SETTLES_NS: Final = 500_000_000  # a stack that stands so long is left there


@dataclass(frozen=True, slots=True)
class Amount:
    """What chips are worth: the likeliest cents, how likely, and the bounds; None where it cannot be told."""

    cents: int | None
    p: float
    low: int
    high: int | None

    @property
    def is_sure(self) -> bool:
        """Say whether it may be relied on."""
        return self.cents is not None and self.p >= SURE


NOTHING: Final = Amount(0, 1.0, 0, 0)


def amount_of(stacks: Sequence[StackTrack], t_ns: int | None = None) -> Amount:
    """Return what some stacks are worth together, now or at a time."""
    cents, p, low, high = 0, 1.0, 0, 0
    for stack in stacks:
        value, chance = stack.value if t_ns is None else stack.value_at(t_ns)
        bounds = stack.bounds if t_ns is None else stack.bounds_at(t_ns)
        if value is None or bounds is None:
            return Amount(None, 0.0, low, None)
        cents, p, low, high = cents + value, p * chance, low + bounds[0], high + bounds[1]
    return Amount(cents, p, low, high)


@dataclass
class Payment:
    """Stacks that the dealer put beside a wager in one go."""

    stacks: list[StackTrack]
    start_ns: int
    end_ns: int

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
    is_taking_told: bool = False
    told_cents: int | None = None  # the worth of the stake that was last told
    ignored: set[int] = field(default_factory=set)  # stacks that are somebody's own

    @property
    def zones(self) -> tuple[Zone, Zone]:
        """Return the spot and what is around it."""
        return Zone(self.seat, self.wager), Zone(self.seat, PAYOUT + self.wager)

    def lying(self, tracker: Tracker) -> list[StackTrack]:
        """Return the stacks on the spot; where it is empty, those just beside it."""
        spot, beside = self.zones
        on_it = [stack for stack in tracker.stacks_on([spot]) if stack.id not in self.ignored]
        return on_it or [stack for stack in tracker.stacks_on([beside]) if stack.id not in self.ignored]

    def close(self, tracker: Tracker, t_ns: int) -> None:
        """Fix the stakes."""
        self.stakes, self.closed_ns = self.lying(tracker), t_ns
        amount = self.stake
        self.told_cents = amount.cents if self.stakes else 0

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

    def changed(self, tracker: Tracker) -> Amount | None:
        """Return the worth of what lies here now, if it is surely another than was last told."""
        here = [stack for stack in self.lying(tracker) if stack.id not in self._paid_ids()]
        if not here or any(stack.epochs[-1].looks < SURE_LOOKS for stack in here):
            return None
        now = amount_of(here)
        before = self.told_cents or 0
        if now.cents is None or not now.is_sure or now.cents == before or now.low <= before <= (now.high or before):
            return None
        return now

    def new_stacks(self, tracker: Tracker, t_ns: int) -> list[StackTrack]:
        """Return stacks that stand here now and are neither stakes nor payments known before."""
        known = {stack.id for stack in self.stakes} | self._paid_ids() | self.ignored
        stacks = tracker.stacks_on(self.zones)
        return [s for s in stacks if s.id not in known and t_ns - s.first_ns >= SETTLES_NS]

    def pay(self, stack: StackTrack) -> None:
        """Note a stack that was paid."""
        if self.payments and stack.first_ns - self.payments[-1].end_ns <= TRIP_NS:
            self.payments[-1].stacks.append(stack)
            self.payments[-1].end_ns = max(stack.first_ns, self.payments[-1].end_ns)
        else:
            self.payments.append(Payment([stack], stack.first_ns, stack.first_ns))

    def _paid_ids(self) -> set[int]:
        return {stack.id for payment in self.payments for stack in payment.stacks}
