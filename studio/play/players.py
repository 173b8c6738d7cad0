"""Plausible players at a table: what they bet, in which chips, and what they do with their cards.

A house sheet and a generator enter; a `TableSession` leaves: people, decks and meters from round to round.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from studio.play.habits import usual_times
from vision.rules.book.house import House
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.decision import raise_fits
from vision.rules.odds.decisions import legal_raise
from vision.rules.text.gamefile import TimesRow
from vision.rules.text.pays import Kind
from vision.values.cards import Hand
from vision.values.errors import InputError, shown

Rng = random.Random | np.random.Generator
Chips = tuple[int, ...]  # cents each, bottom first
T = TypeVar("T")

SEATS = tuple(range(1, 8))
TALLEST = 20  # chips in a stack that a player pushes out
COUNTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)
LIKES = {"aces_up": (0.25, 0.95), "six_card": (0.1, 0.7), "bad_beat": (0.1, 0.6), "progressive": (0.1, 0.9)}
HABITS = ("flat", "flat", "varies", "presses")
BASE = "ante"  # of every game of this family: what raises and bonuses are multiples of
SEED_CENTS = 500_000  # a meter for which neither sheet nor paytable names a seed


class Unsuited(Exception):  # noqa: N818  a wish, not an error: the generator draws again
    """These cards, bets or moves do not offer what is wanted."""


class Dice:
    """Chance in plain values, from a key of numbers: the same key, the same throws."""

    def __init__(self, *key: int) -> None:
        self._rng = np.random.default_rng(key)

    def chance(self, share: float) -> bool:
        """Return whether something that happens in a share of cases happens now."""
        return bool(self._rng.random() < share)

    def between(self, least: int, most: int) -> int:
        """Return a whole number, both ends included."""
        return int(self._rng.integers(least, most + 1))

    def span(self, least: float, most: float) -> float:
        """Return a number between two, to the hundredth."""
        return round(float(self._rng.uniform(least, most)), 2)

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of several; draw again where there is none."""
        if not choices:
            raise Unsuited("nothing to choose from")
        return choices[self.between(0, len(choices) - 1)]

    def some(self, choices: Sequence[T], count: int) -> list[T]:
        """Return several, none twice, in any order."""
        return self.shuffled(choices)[:count]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        """Return all in any order."""
        return [choices[int(i)] for i in self._rng.permutation(len(choices))]


def seed_of(rng: Rng) -> int:
    """Take one number off the caller's generator, whichever of the two kinds it is."""
    return rng.getrandbits(62) if isinstance(rng, random.Random) else int(rng.integers(1 << 62))


@dataclass
class Person:
    """Somebody who plays on one box or two."""

    name: str
    seats: tuple[int, ...]
    unit_cents: int  # the usual Ante
    habit: str  # flat, varies, presses
    likes: dict[str, float]  # side wager -> in which share of the rounds
    slips: float  # share of decisions that are not by the book
    messy: float  # how untidy the stacks are, 0 to 1
    bankroll_cents: int
    bought_in_cents: int = 0
    won_last: bool = False


@dataclass
class TableSession:
    """A table between rounds: who plays, which deck is in use, what the meters show, since when nobody counted."""

    name: str
    people: list[Person]
    meters: dict[str, int] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)
    deck: int = 0  # the deck of the last round
    rounds: int = 0
    rounds_since_count: int = 0
    boxes: tuple[int, ...] = SEATS  # that the felt has
    deck_opened_ns: int | None = None  # stream time, negative: before the film began; None: nobody says
    is_deck_new: bool = False  # it was opened on film

    @property
    def taken(self) -> set[int]:
        """Return the seats that are somebody's."""
        return {seat for person in self.people for seat in person.seats}


def open_table(
    sheet: HouseSheet,
    rng: Rng,
    seats: Sequence[int] | None = None,
    name: str = "table-1",
    boxes: Sequence[int] = SEATS,
) -> TableSession:
    """Seat players: on the seats named, or on any of the boxes that the felt has."""
    dice = Dice(seed_of(rng), 0)
    taken = sorted(set(seats)) if seats else sorted(dice.some(boxes, dice.between(1, len(boxes))))
    if not set(taken) <= set(boxes):
        raise InputError(f"seats: {shown(list(seats or ()))}: want boxes of the felt: {shown(list(boxes))}")
    people = [_sit_down(sheet, own, dice) for own in _shared_out(taken, sheet.boxes_per_player, dice)]
    seeds = _seeds(sheet)
    meters = {meter: cents + 100 * dice.between(0, cents // 150) for meter, cents in seeds.items()}
    deck = dice.between(0, sheet.decks - 1)
    return TableSession(name, people, meters, seeds, deck, boxes=tuple(boxes))


def newcomer(sheet: HouseSheet, table: TableSession, dice: Dice) -> Person:
    """Seat one more player on a free box of the felt."""
    return _sit_down(sheet, (dice.pick([seat for seat in table.boxes if seat not in table.taken]),), dice)


def _shared_out(free: list[int], boxes_most: int, dice: Dice) -> list[tuple[int, ...]]:
    """Give out boxes; now and then two neighbouring ones go to one person."""
    out: list[tuple[int, ...]] = []
    for seat in free:
        is_next = bool(out) and out[-1][-1] == seat - 1 and len(out[-1]) < boxes_most
        if is_next and dice.chance(0.3):
            out[-1] = (*out[-1], seat)
        else:
            out.append((seat,))
    return out


def _sit_down(sheet: HouseSheet, boxes: tuple[int, ...], dice: Dice) -> Person:
    amounts = _amounts(sheet, BASE)
    wealth = dice.pick((0.15, 0.3, 0.3, 0.6, 1.0))
    unit = amounts[dice.between(0, max(int((len(amounts) - 1) * wealth), 0))]
    cash = unit * dice.between(15, 60)
    return Person(
        name=f"player-{boxes[0]}",
        seats=boxes,
        unit_cents=unit,
        habit=dice.pick(HABITS),
        likes={wager: dice.span(*LIKES.get(wager, (0.1, 0.5))) for wager in _side_wagers(sheet)},
        slips=dice.span(0.0, 0.12),
        messy=dice.span(0.0, 0.8),
        bankroll_cents=cash,
        bought_in_cents=cash,
    )


def _side_wagers(sheet: HouseSheet) -> list[str]:
    stakes = sheet.house.game.stakes.values()
    free = [w for w in stakes if w.of is None and w.equal_to is None and w.id != BASE]
    return [w.id for w in free if w.id in sheet.offered or not w.optional]


def _seeds(sheet: HouseSheet) -> dict[str, int]:
    """Return what each meter of the house's progressive starts at."""
    table = sheet.house.table("progressive") if "progressive" in sheet.offered else None
    if table is None:
        return {}
    meters = {row.pay.meter for row in table.rows if row.pay.kind is Kind.SHARE}
    named: dict[str, int] = {**table.seeds_cents, **sheet.seeds_cents}
    return {meter: named.get(meter, SEED_CENTS) for meter in sorted(meters)}


def limits(sheet: HouseSheet, wager: str) -> tuple[int, int]:
    """Return the least and the most that may lie on a wager."""
    smallest = sheet.chips_cents[0]
    least, most = sheet.limits_cents.get(wager, [smallest, 50 * smallest])
    return least, most


def _amounts(sheet: HouseSheet, wager: str) -> list[int]:
    """Return the round sums people bet, the smallest first."""
    if wager == "progressive" and sheet.progressive_stakes_cents:
        return sheet.progressive_stakes_cents
    least, most = limits(sheet, wager)
    return sorted({chip * n for chip in sheet.chips_cents for n in COUNTS if least <= chip * n <= most})


def place_bets(sheet: HouseSheet, person: Person, dice: Dice, eager: bool = False) -> dict[str, Chips]:
    """Return the wagers a person makes on one box; an eager one bets any sum and many sides."""
    wanted = {BASE: _ante(sheet, person, dice, eager)}
    for wager, share in person.likes.items():
        if dice.chance(0.7 if eager else share):
            wanted[wager] = _side_cents(sheet, wager, wanted[BASE], dice)
    if set(wanted) & set(sheet.house.game.entering) - {BASE} and dice.chance(0.03):
        del wanted[BASE]
    kept = _standing(sheet.house, wanted)
    kept |= {twin: kept[base] for twin, base in _twins(sheet.house).items() if base in kept}
    return {wager: stack(cents, sheet.chips_cents, dice, person.messy) for wager, cents in kept.items()}


def _twins(house: House) -> dict[str, str]:
    """Return the wagers that must equal another one."""
    return {wager.id: wager.equal_to for wager in house.game.stakes.values() if wager.equal_to is not None}


def _ante(sheet: HouseSheet, person: Person, dice: Dice, eager: bool) -> int:
    amounts = _amounts(sheet, BASE)
    if eager:
        return dice.pick(amounts)
    here = amounts.index(person.unit_cents)
    if person.habit == "presses" and person.won_last:
        here += dice.between(1, 2)
    if person.habit == "varies":
        here += dice.between(-2, 2)
    return amounts[min(max(here, 0), len(amounts) - 1)]


def _side_cents(sheet: HouseSheet, wager: str, ante_cents: int, dice: Dice) -> int:
    amounts = _amounts(sheet, wager)
    modest = [cents for cents in amounts if cents <= ante_cents] or amounts[:1]
    return dice.pick(modest[-6:])


def _standing(house: House, wanted: dict[str, int]) -> dict[str, int]:
    """Drop the wagers that lack what they need."""
    kept = dict(wanted)
    for _ in wanted:
        for wager in list(kept):
            spec = house.game.stakes[wager]
            is_based = not spec.needs_any or any(needed in kept for needed in spec.needs_any)
            if not is_based or not all(needed in kept for needed in spec.needs_all):
                del kept[wager]
    return {wager: kept[wager] for wager in wanted if wager in kept}


def fewest(cents: int, denominations: Sequence[int]) -> Chips:
    """Return the fewest chips that make an amount, largest at the bottom."""
    chips: list[int] = []
    for chip in sorted(denominations, reverse=True):
        count, cents = divmod(cents, chip)
        chips += [chip] * count
    if cents:
        raise Unsuited(f"{cents} cents are left over")
    return tuple(chips)


def stack(cents: int, denominations: Sequence[int], dice: Dice, messy: float) -> Chips:
    """Return chips for an amount as people stack them: often a chip broken into smaller ones, sometimes untidy."""
    chips = fewest(cents, denominations)
    for _ in range(2):
        if dice.chance(0.25 + messy / 2):
            chips = _one_broken(chips, denominations, dice)
    return tuple(dice.shuffled(chips)) if dice.chance(messy / 3) else tuple(sorted(chips, reverse=True))


def _one_broken(chips: Chips, denominations: Sequence[int], dice: Dice) -> Chips:
    fitting = [
        (big, small)
        for big in sorted(set(chips))
        for small in denominations
        if small < big and big % small == 0 and len(chips) + big // small <= TALLEST
    ]
    if not fitting:
        return chips
    big, small = dice.pick(fitting)
    left = list(chips)
    left.remove(big)
    return (*left, *[small] * (big // small))


def raise_cents(sheet: HouseSheet, person: Person, raised: str, cards: Hand, ante_cents: int, dice: Dice) -> int:
    """Return what a person raises by with the cards that show so far, 0 for a fold: as people do, with slips."""
    game = sheet.house.game
    legal = legal_raise(game, raised, cards)
    times = _with_slips(usual_times(game, raised, cards), legal, person, dice)
    half = ante_cents // 2
    is_broken_legal = legal is None or not legal.exactly
    if is_broken_legal and times in (1, 2) and half % sheet.chips_cents[0] == 0 and dice.chance(person.slips):
        return times * ante_cents + half  # broken multiples are legal
    return times * ante_cents


def _with_slips(times: int, legal: TimesRow | None, person: Person, dice: Dice) -> int:
    """Let people be timid, hopeful or wrong now and then, but within what the text allows."""
    if not dice.chance(person.slips):
        return times
    if times == 0:
        return 1
    tempting = (0, 2, 3) if times == 1 else (1, 2)
    return dice.pick([n for n in tempting if n == 0 or legal is None or raise_fits(n, 1, legal)])
