"""The money of one seat, explained jointly: stakes, payments, what was taken, and what was due by every set of cards.

Stake and payment explain each other: a dealer who pays right pays what the stake and the hand ask for. So one sum runs
over all stakes, all payments and all cards that may have been, each with its likelihood; a right settlement and every
kind of wrong one are the terms of that sum, at their prior prices. What is told of a wager is a share of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import product
from math import prod
from typing import Final, NamedTuple

from vision.rules.due.record import Line, Outcome
from vision.story.explain.chips import NONE, Chips
from vision.values.codes import Code

LOST: Final = (Outcome.LOSE, Outcome.FORFEIT)
NEAR, BY_ODDS, HALF, ANY = 0.4, 0.25, 0.1, 0.25  # assumed: of wrong payments, a chip more or less; wrong odds; half or
# double; anything
ODDS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50)  # that paytables of the texts have
UNSEEN: Final = 0.0003  # assumed: a payment was made and no stack of it was ever seen
STRAY: Final = 0.001  # assumed: chips that the dealer set down beside a wager are no payment of it
ANY_AMOUNTS: Final = 200  # amounts that a payment may be, where nothing is known of it
NEGLIGIBLE: Final = 1e-6  # of the greatest term of a sum
ILLEGAL: Final = 0.01  # assumed: a raise or a stake that the rules forbid, against one that they allow


class Fate(Enum):
    """What became of a stake."""

    TAKEN = auto()  # by the dealer
    KEPT = auto()  # left to its player, who gathers it
    OPEN = auto()  # it stands there still, and the dealer is not done with the seat


@dataclass(frozen=True)
class SpotSeen:
    """What was seen of one spot: chips that were staked, chips that were paid, and what became of the stake."""

    stake: Chips
    paid: Chips | None = None  # None: no stack that was paid was seen
    fates: Mapping[Fate, float] = field(default_factory=lambda: {Fate.KEPT: 1.0, Fate.TAKEN: 1.0})
    ghost: float = 0.0  # how likely none of the stacks that were paid is real
    may_grow: bool = False  # the dealer is not done with it: more may be paid
    was_hidden: float = UNSEEN  # how likely a payment was made unseen


@dataclass(frozen=True)
class WagerSpec:
    """What a wager hangs on: its own stake, or that of another."""

    name: str
    base: str | None = None  # the wager that it is paid by (a bonus), or a multiple of (a raise)
    is_bonus: bool = False
    factors: tuple[int, ...] = ()  # of a raise: legal multiples
    limits: tuple[int, int] | None = None


@dataclass(frozen=True)
class Prices:
    """How likely each kind of wrong settlement is, for one wager of one round."""

    by_code: Mapping[Code, float]

    @property
    def right(self) -> float:
        """Return how likely a wager is settled right."""
        return 1.0 - sum(self.by_code.values())


@dataclass
class Tally:
    """Shares of the sum, by what they say of one wager."""

    stakes: dict[int, float] = field(default_factory=dict)
    paid: dict[int, float] = field(default_factory=dict)
    due: dict[int | None, float] = field(default_factory=dict)
    outcomes: dict[str, float] = field(default_factory=dict)
    codes: dict[Code | None, float] = field(default_factory=dict)
    taken: float = 0.0  # that the dealer took the stake
    broken: dict[Code, float] = field(default_factory=dict)  # rules of betting that the stake breaks
    best: tuple[float, Line | None] = (0.0, None)


@dataclass(frozen=True)
class _Way:
    """One way in which a spot may have been settled."""

    weight: float
    paid: int
    code: Code | None
    is_taken: bool = False


class _Entry(NamedTuple):
    """What one term of the sum says of one wager."""

    wager: str
    stake: int
    paid: int
    due: int | None
    line: Line | None
    code: Code | None
    is_taken: bool


Due = Callable[[Line, int], int | None]
Binding = tuple[Mapping[str, SpotSeen], float]  # which chips are whose, and how likely that is
World = tuple[Mapping[str, Line], float]  # what is due by a set of cards, and how likely it is


class SeatMoney:
    """Explains one seat."""

    def __init__(
        self, specs: Sequence[WagerSpec], prices: Prices, due: Due, chips: Sequence[int], disputed: Mapping[str, Line]
    ) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self._prices, self._due, self._chips = prices, due, tuple(chips)
        self._disputed = disputed  # what becomes of wagers where a raise was made that the rules forbid
        self.tallies: dict[str, Tally] = {}
        self.likelihood = 0.0  # of all that was seen of the seat's chips

    def explain(self, bindings: Sequence[Binding], worlds: Sequence[World]) -> dict[str, Tally]:
        """Return the shares of each wager, over all bindings of chips to wagers and all sets of cards."""
        self.tallies, self.likelihood = {}, 0.0
        for (seen, likelihood), (lines, chance) in product(bindings, worlds):
            found = [_kept(self._group(group, seen, lines)) for group in self._groups(seen)]
            totals = [sum(term[0] for term in terms) for terms in found]
            whole = likelihood * chance * prod(totals)
            self.likelihood += whole
            for terms, total in zip(found, totals, strict=True):
                self._add(terms, whole / total if total else 0.0)
        return {name: _shares(tally) for name, tally in self.tallies.items()}

    def _groups(self, seen: Mapping[str, SpotSeen]) -> list[list[str]]:
        """Return the wagers that hang together, the one that the others hang on first."""
        roots = [name for name in seen if self._specs[name].base not in seen]
        return [[root, *(name for name in seen if self._specs[name].base == root)] for root in roots]

    def _group(self, group: list[str], seen: Mapping[str, SpotSeen], lines: Mapping[str, Line]) -> list["_Term"]:
        """Return the terms of the sum for wagers that hang together."""
        root, *others = group
        raises = [name for name in others if not self._specs[name].is_bonus]
        bonuses = [name for name in others if self._specs[name].is_bonus]
        terms: list[_Term] = []
        for stake, p in self._stakes(root, seen, raises):
            for raised, price, is_legal in self._raised(raises, stake, seen):
                applied = lines if is_legal else {**lines, **self._disputed}
                parts = [self._spot_terms(root, stake, stake, seen[root], applied)]
                parts += [self._spot_terms(n, cents, cents, seen[n], applied) for n, cents in raised.items()]
                parts += [self._spot_terms(n, 0, stake, seen[n], applied) for n in bonuses]
                for combined in product(*parts):
                    weight = p * price * prod(part[0] for part in combined)
                    if weight > 0:
                        terms.append((weight, tuple(entry for part in combined for entry in part[1])))
        return terms

    def _raised(
        self, raises: Sequence[str], base: int, seen: Mapping[str, SpotSeen]
    ) -> Iterator[tuple[dict[str, int], float, bool]]:
        """Yield what the raises on a stake may have been, how likely, and whether the rules allow it."""
        choices: list[list[tuple[int, float, bool]]] = []
        for name in raises:
            legal = {base * k for k in self._specs[name].factors}
            values = sorted({cents for cents, _ in seen[name].stake.ranked} | legal)
            prices = {c: (1.0 / max(len(legal), 1) if c in legal else ILLEGAL) * seen[name].stake.p(c) for c in values}
            choices.append([(c, prices[c], c in legal) for c in values if prices[c] > 0])
        for chosen in product(*choices):
            cents = dict(zip(raises, (c for c, _, _ in chosen), strict=True))
            yield cents, prod(price for _, price, _ in chosen), all(legal for _, _, legal in chosen)

    def _stakes(self, root: str, seen: Mapping[str, SpotSeen], others: Sequence[str]) -> Iterator[tuple[int, float]]:
        """Yield what the first wager may have been: what was read there, and what the others ask for."""
        stake, limits = seen[root].stake, self._specs[root].limits
        values = {cents for cents, _ in stake.ranked}
        for name in others:
            factors = self._specs[name].factors
            values |= {c // k for c, _ in seen[name].stake.ranked for k in factors if c and c % k == 0}
        for cents in sorted(values):
            is_legal = limits is None or limits[0] <= cents <= limits[1]
            yield cents, stake.p(cents) * (1.0 if is_legal else ILLEGAL)

    def _spot_terms(self, name: str, stake: int, base: int, seen: SpotSeen, lines: Mapping[str, Line]) -> list["_Term"]:
        line = lines.get(name)
        due = None if line is None else self._due(line, base)
        if line is None and self._specs[name].is_bonus:
            ways = self._not_due(base, seen)
        else:
            ways = self._unruled(base, seen) if line is None or due is None else self._ways(line, due, base, seen)
        return [
            (way.weight, (_Entry(name, stake, way.paid, due, line, way.code, way.is_taken),))
            for way in ways
            if way.weight > 0
        ]

    def _not_due(self, base: int, seen: SpotSeen) -> Iterator[_Way]:
        """Yield what may have been paid of a bonus that the hand does not earn: nothing, but for an error."""
        yield _Way(_nothing(seen), 0, None)
        yield from self._other(Code.OVERPAID, 0, base, seen)

    def _unruled(self, base: int, seen: SpotSeen) -> Iterator[_Way]:
        """Yield what may have been paid where no rule says what is due: mostly even money, or what a paytable has."""
        if seen.paid is None:
            yield _Way(1.0, 0, None)
            return
        by_odds = {base * k for k in ODDS}
        for cents, p in seen.paid.ranked:
            share = BY_ODDS / len(ODDS) * (cents in by_odds) + ANY / ANY_AMOUNTS
            yield _Way(p * share, cents, None)

    # ---- Right and wrong

    def _ways(self, line: Line, due: int, base: int, seen: SpotSeen) -> Iterator[_Way]:
        """Yield the ways in which a wager may have been settled, each with its price and its likelihood."""
        is_lost, prices = line.outcome in LOST, self._prices.by_code
        right = Fate.TAKEN if is_lost else Fate.KEPT
        wrong = Fate.KEPT if is_lost else Fate.TAKEN
        none = _nothing(seen)
        yield _Way(self._prices.right * _amount(seen, due) * _fate(seen, right), due, None, is_lost)
        if seen.may_grow and due:
            yield from self._begun(due, seen)
        if is_lost:
            yield _Way(
                prices.get(Code.LOSER_NOT_COLLECTED, 0.0) * none * _fate(seen, wrong), 0, Code.LOSER_NOT_COLLECTED
            )
            yield from self._other(Code.LOSER_PAID, 0, base, seen)
            return
        yield _Way(prices.get(Code.WINNER_COLLECTED, 0.0) * none * _fate(seen, wrong), 0, Code.WINNER_COLLECTED, True)
        if due:
            yield _Way(prices.get(Code.WINNER_NOT_PAID, 0.0) * none * _fate(seen, right), 0, Code.WINNER_NOT_PAID)
            yield from self._other(Code.UNDERPAID, due, base, seen)
        yield from self._other(Code.OVERPAID, due, base, seen)

    def _begun(self, due: int, seen: SpotSeen) -> Iterator[_Way]:
        """Yield payments that are right so far: the dealer is not done."""
        chips = seen.paid or NONE
        share = sum(p for cents, p in chips.ranked if cents < due)
        yield _Way(self._prices.right * 0.5 * share / ANY_AMOUNTS * 4, due, None)

    def _other(self, code: Code, due: int, base: int, seen: SpotSeen) -> Iterator[_Way]:
        """Yield payments of another amount than was due."""
        if seen.paid is None:
            return
        price = self._prices.by_code.get(code, 0.0) * _fate(seen, Fate.KEPT)
        near = {due + sign * chip for chip in self._chips for sign in (1, -1)}
        half = {due // 2, 2 * due}
        by_odds = {base * k for k in ODDS}
        for cents, p in seen.paid.ranked:
            fits = cents > 0 and (cents < due if code is Code.UNDERPAID else cents > due)
            if fits:
                share = NEAR / max(len(near), 1) * (cents in near) + BY_ODDS / len(ODDS) * (cents in by_odds)
                share += HALF / 2 * (cents in half)
                yield _Way(price * p * (share + ANY / ANY_AMOUNTS), cents, code)

    # ---- The sum

    def _add(self, terms: Sequence["_Term"], factor: float) -> None:
        for weight, entries in terms:
            share = weight * factor
            broken = self._broken(entries)
            for entry in entries:
                tally = self.tallies.setdefault(entry.wager, Tally())
                _count(tally.stakes, entry.stake, share)
                _count(tally.paid, entry.paid, share)
                _count(tally.due, entry.due, share)
                _count(tally.outcomes, str(entry.line.outcome) if entry.line else "", share)
                _count(tally.codes, entry.code, share)
                tally.taken += share * entry.is_taken
                if entry.wager in broken:
                    _count(tally.broken, broken[entry.wager], share)
                if share > tally.best[0]:
                    tally.best = (share, entry.line)

    def _broken(self, entries: Sequence["_Entry"]) -> dict[str, Code]:
        """Return the wagers whose stake the rules forbid."""
        stakes = {entry.wager: entry.stake for entry in entries}
        found: dict[str, Code] = {}
        for name, stake in stakes.items():
            spec = self._specs[name]
            if spec.factors and spec.base in stakes and stake not in {stakes[spec.base] * k for k in spec.factors}:
                found[name] = Code.PLAY_OUT_OF_RANGE
            elif spec.limits is not None and not spec.is_bonus and not spec.limits[0] <= stake <= spec.limits[1]:
                found[name] = Code.WAGER_NOT_ALLOWED
        return found


_Term = tuple[float, tuple["_Entry", ...]]


def _kept(terms: list["_Term"]) -> list["_Term"]:
    """Return the terms that matter: thousands of others together change nothing that is told."""
    most = max((weight for weight, _ in terms), default=0.0)
    return [term for term in terms if term[0] >= NEGLIGIBLE * most]


def _nothing(seen: SpotSeen) -> float:
    """Return how likely what was seen is where nothing was paid."""
    return 1.0 if seen.paid is None else seen.ghost + STRAY / ANY_AMOUNTS


def _amount(seen: SpotSeen, cents: int) -> float:
    """Return how likely what was seen is where so much was paid."""
    if not cents:
        return _nothing(seen)
    return seen.was_hidden if seen.paid is None else seen.paid.p(cents)


def _fate(seen: SpotSeen, fate: Fate) -> float:
    return max(seen.fates.get(fate, 0.0), seen.fates.get(Fate.OPEN, 0.0))


def _count(shares: dict, key: object, share: float) -> None:  # type: ignore[type-arg]
    shares[key] = shares.get(key, 0.0) + share


def _shares(tally: Tally) -> Tally:
    """Return a tally whose shares sum to 1."""
    whole = sum(tally.codes.values()) or 1.0
    for shares in (tally.stakes, tally.paid, tally.due, tally.outcomes, tally.codes, tally.broken):
        for key in shares:
            shares[key] /= whole  # type: ignore[index]
    tally.taken /= whole
    return tally
