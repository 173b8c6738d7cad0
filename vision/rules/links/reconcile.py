"""A shift of a link: counted wagers, jackpots and meter readings enter; where the meters part from the wagers leaves.

Every accepted wager raises each meter by its increment, a jackpot lowers it or starts it again at seed and reserve.
So two readings and what was counted between them must agree. A wager that was not counted exactly is a span, and the
meter must lie within what the span allows. After a parting the account goes on from the reading: one finding a fault.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from vision.rules.links.link import Link, Terms
from vision.values.codes import Code

WHOLE = 100  # percent


@dataclass(frozen=True, slots=True)
class Counted:
    """Progressive wagers of one round of one table, as they were counted; `most_cents` None: no bound is known."""

    t_ns: int
    table: str
    least_cents: int
    most_cents: int | None
    round_id: str = ""


@dataclass(frozen=True, slots=True)
class Jackpot:
    """A share of a meter that was won."""

    t_ns: int
    table: str
    meter: str
    percent: int
    round_id: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a meter showed."""

    t_ns: int
    meter: str
    cents: int


@dataclass(frozen=True, slots=True)
class Interval:
    """One meter between two readings: what it should have become, and what it showed."""

    meter: str
    start_ns: int
    end_ns: int
    start_cents: int
    end_cents: int
    least_cents: int
    most_cents: int | None
    rounds: tuple[str, ...]
    jackpots: tuple[str, ...]  # ids of the rounds that won a share
    code: Code | None  # None: the meter and the counted wagers agree

    @property
    def off_cents(self) -> int:
        """Return by how much the meter is beyond what the wagers allow; above 0: it shows too much."""
        if self.most_cents is not None and self.end_cents > self.most_cents:
            return self.end_cents - self.most_cents
        return min(self.end_cents - self.least_cents, 0)


@dataclass(frozen=True, slots=True)
class _Span:
    """What a meter and its reserve can be, from the least to the most that was counted."""

    cents: Fraction
    reserve: Fraction = Fraction()

    def after_wager(self, terms: Terms, cents: int) -> "_Span":
        return _Span(self.cents + terms.increment * cents, self.reserve + terms.reserve * cents)

    def after_jackpot(self, terms: Terms, percent: int) -> "_Span":
        if percent == WHOLE:
            return _Span(terms.seed_cents + self.reserve)
        return replace(self, cents=self.cents * (WHOLE - percent) / WHOLE)


@dataclass
class _Account:
    """One meter since its last reading."""

    terms: Terms
    tolerance_cents: int
    last: Reading | None = None
    low: _Span = _Span(Fraction())
    high: _Span | None = _Span(Fraction())
    rounds: tuple[str, ...] = ()
    jackpots: tuple[str, ...] = ()

    def count(self, wager: Counted) -> None:
        self.low = self.low.after_wager(self.terms, wager.least_cents)
        known = self.high is not None and wager.most_cents is not None
        self.high = self.high.after_wager(self.terms, wager.most_cents or 0) if known and self.high else None
        self.rounds += (wager.round_id,)

    def pay(self, jackpot: Jackpot) -> None:
        self.low = self.low.after_jackpot(self.terms, jackpot.percent)
        self.high = None if self.high is None else self.high.after_jackpot(self.terms, jackpot.percent)
        self.jackpots += (jackpot.round_id,)

    def read(self, reading: Reading) -> Interval | None:
        found = None if self.last is None else self._interval(self.last, reading)
        reserve = self.low.reserve if found is not None else Fraction()
        self.low = _Span(Fraction(reading.cents), reserve)
        self.high = _Span(Fraction(reading.cents), reserve if self.high is None else self.high.reserve)
        self.last, self.rounds, self.jackpots = reading, (), ()
        return found

    def _interval(self, last: Reading, reading: Reading) -> Interval:
        least = floor(self.low.cents) - self.tolerance_cents
        most = None if self.high is None else ceil(self.high.cents) + self.tolerance_cents
        agrees = least <= reading.cents and (most is None or reading.cents <= most)
        return Interval(
            meter=reading.meter,
            start_ns=last.t_ns,
            end_ns=reading.t_ns,
            start_cents=last.cents,
            end_cents=reading.cents,
            least_cents=least,
            most_cents=most,
            rounds=self.rounds,
            jackpots=self.jackpots,
            code=None if agrees else Code.PROGRESSIVE_METER,
        )


Entry = Counted | Jackpot | Reading
ORDER = (Counted, Jackpot, Reading)  # of what happened at one moment


class Accounts:
    """The accounts of a link, entry by entry in the order of time: for watching as it goes."""

    def __init__(self, link: Link) -> None:
        self._accounts = {name: _Account(terms, link.tolerance_cents) for name, terms in link.terms.items()}

    def update(self, entry: Entry) -> Interval | None:
        """Take what happened; a reading that is not a meter's first closes an interval."""
        match entry:
            case Counted():
                for account in self._accounts.values():
                    account.count(entry)
            case Jackpot() if entry.meter in self._accounts:
                self._accounts[entry.meter].pay(entry)
            case Reading() if entry.meter in self._accounts:
                return self._accounts[entry.meter].read(entry)
        return None


def reconcile(link: Link, entries: Iterable[Entry]) -> Iterator[Interval]:
    """Yield every meter's intervals in the order of their ends; a first reading opens the account."""
    accounts = Accounts(link)
    for entry in sorted(entries, key=lambda entry: (entry.t_ns, ORDER.index(type(entry)))):
        interval = accounts.update(entry)
        if interval is not None:
            yield interval
