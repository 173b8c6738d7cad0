"""The house edge of every wager a house offers: its sheet enters, an edge per wager with how it was found leaves.

A wager that is read on one hand of cards dealt to it is enumerated over all such hands. What depends on the dealer or
on decisions is sampled through the settlement engine with the standard error beside it: every decision is then the one
that is best for hands of that class and highest rank. A whole meter counts as its seed.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, sqrt
from statistics import fmean, pstdev

import numpy as np

from vision.rules.book.house import House, Plan, Rule
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Line, PlayedRound, SeatPlay
from vision.rules.due.settle import settle
from vision.rules.hands.spread import Spread
from vision.rules.odds.arrays import Spreads, all_hands, hands_of_six, paid_rows
from vision.rules.odds.decisions import ANTE_CENTS, COMMUNITY, DEALER, Decision, Known, best, values
from vision.rules.text.gamefile import RankSpec, Table
from vision.rules.text.pays import Kind
from vision.values.cards import DECK, Hand

SEAT = "seat.hand"
SIX = 6  # cards: too many hands to hold at once
DEALS, TRIALS, SEED = 4000, 150, 7  # rounds sampled; deals on which a decision is weighed


@dataclass(frozen=True, slots=True)
class Edge:
    """What the house keeps of one wager, per unit staked."""

    wager: str
    edge: float | None  # None: the texts do not settle it
    error: float  # standard error; 0 where every hand was counted
    how: str
    note: str | None = None


def house_edges(sheet: HouseSheet, tell: Callable[[str], None], deals: int = DEALS) -> Iterator[Edge]:
    """Yield the edge of the game itself, all its wagers together, and of every side wager on offer."""
    house = sheet.house
    own = game_wagers(house)
    undecided = next((name for name in own if _silent(house.plans[name])), None)
    if undecided is not None:
        yield Edge(" + ".join(own), None, 0.0, "not settled by the texts", _silent(house.plans[undecided]))
    else:
        tell(" + ".join(own))
        yield _sampled(house, own, deals)
    for wager in house.game.stakes.values():
        if wager.id not in own and (wager.id in sheet.offered or not wager.optional):
            tell(wager.id)
            yield _side_edge(sheet, wager.id, deals)


def game_wagers(house: House) -> tuple[str, ...]:
    """Return the wagers of the game itself: the base, what must equal it, and the raises."""
    decisions = house.game.decisions
    base = decisions[0].of or ""
    twins = [wager.id for wager in house.game.stakes.values() if wager.equal_to == base]
    return (base, *twins, *(raised.id for raised in decisions))


def _silent(plan: Plan) -> str | None:
    return next((rule.row.unresolved for rule in plan.rules if rule.row.unresolved is not None), None)


def _side_edge(sheet: HouseSheet, wager: str, deals: int) -> Edge:
    plan = sheet.house.plans[wager]
    if _silent(plan) is not None:
        return Edge(wager, None, 0.0, "not settled by the texts", _silent(plan))
    back = _enumerated(sheet, plan)
    if back is None:
        return _sampled_side(sheet.house, wager, deals)
    return Edge(wager, float(1 - back), 0.0, "every hand counted", _note(plan))


def _sampled_side(house: House, wager: str, deals: int) -> Edge:
    """Play rounds to their end with a side wager that depends on the dealer's hand."""
    rng = random.Random(SEED)  # noqa: S311 - sampling, not secrets
    nets = []
    for _ in range(deals):
        own, dealer, shared = _deal(house, rng)
        seat = SeatPlay(1, own, dict.fromkeys((*game_wagers(house), wager), ANTE_CENTS))
        line = settle(house, PlayedRound((seat,), dealer, community=shared)).seats[0].lines[wager]
        nets.append(float(Fraction(line.net) / ANTE_CENTS))
    return Edge(wager, -fmean(nets), pstdev(nets) / sqrt(deals), f"{deals} rounds sampled", "if no hand is folded")


def _note(plan: Plan) -> str | None:
    tables = [rule.table for rule in plan.rules if rule.table is not None]
    has_meter = any(row.pay.kind is Kind.SHARE for table in tables for row in table.rows)
    lost = plan.fold is not None and plan.fold.fate in ("forfeit", "lose")
    said = ["meters at their seeds"] * has_meter + ["if the hand is not folded"] * lost
    return ", ".join(said) or None


def _enumerated(sheet: HouseSheet, plan: Plan) -> Fraction | None:
    """Return what comes back per unit of a wager that one paytable on one hand settles; None for others."""
    rule, game = plan.rules[0], sheet.house.game
    if not rule.is_free or rule.table is None or rule.hand is None:
        return None
    zones = game.zones[rule.hand]
    if DEALER in zones:
        return None
    size = sum(game.file.counts.get(zone, 1) for zone in zones)
    spec = game.file.rank[game.hand(rule.hand).rank]
    counts = _counts(spec.model_dump_json(), rule.table.model_dump_json(), size)
    return sum((Fraction(n, comb(len(DECK), size)) * _back(sheet, rule, i) for i, n in counts.items()), Fraction())


def _back(sheet: HouseSheet, rule: Rule, index: int) -> Fraction:
    """Return what a row gives back per unit, the stake counted where it comes back."""
    table = rule.table
    if table is None:
        return Fraction()
    pay, unit = table.rows[index].pay, _unit(sheet, rule)
    if pay.kind is Kind.SHARE:
        seeds: Mapping[str, int] = {**table.seeds_cents, **sheet.seeds_cents}
        return Fraction(seeds.get(pay.meter, 0) * pay.numerator, 100 * unit)
    if pay.kind is Kind.FIXED:
        returned = bool(sheet.house.options.get("fixed_prize_returns_stake"))
        return Fraction(pay.numerator, unit) + returned
    if pay.kind is Kind.PUSH:
        return Fraction(1)
    return Fraction(pay.numerator, pay.denominator) + (pay.kind is Kind.TO)


def _unit(sheet: HouseSheet, rule: Rule) -> int:
    """Return the stake for which sums of dollars are counted: the smallest that may be made."""
    wager = next(name for name, plan in sheet.house.plans.items() if rule in plan.rules)
    if wager == "progressive" and sheet.progressive_stakes_cents:
        return sheet.progressive_stakes_cents[0]
    return sheet.limits_cents.get(wager, [sheet.chips_cents[0]])[0]


@cache
def _counts(spec_json: str, table_json: str, size: int) -> dict[int, int]:
    """Count over all hands of a size how many each row pays."""
    spec, rows = RankSpec.model_validate_json(spec_json), Table.model_validate_json(table_json).rows
    found: dict[int, int] = {}
    for spreads in _hands(size):
        for index, count in zip(*np.unique(paid_rows(spec, rows, spreads), return_counts=True), strict=True):
            if index >= 0:
                found[int(index)] = found.get(int(index), 0) + int(count)
    return found


def _hands(size: int) -> Iterator[Spreads]:
    if size < SIX:
        yield _dealt(size)
        return
    yield from (_dealt(SIX - 1).with_card(last, rows) for last, rows in hands_of_six())


@cache
def _dealt(size: int) -> Spreads:
    return Spreads.of(all_hands(size))


def _sampled(house: House, own: tuple[str, ...], deals: int) -> Edge:
    """Play rounds with the game's own wagers; per unit bet, bonuses counted with what they are paid on."""
    rng = random.Random(SEED)  # noqa: S311 - sampling, not secrets
    choices: Choices = {}
    nets, bets = [], []
    for _ in range(deals):
        lines = _one_round(house, rng, choices)
        nets.append(float(sum(Fraction(line.net) for line in lines.values())) / ANTE_CENTS)
        bets.append(sum(line.stake for name, line in lines.items() if name in own) / ANTE_CENTS)
    bet, per_ante = fmean(bets), -fmean(nets)
    error = pstdev(nets) / sqrt(deals)
    note = f"{100 * per_ante:.1f} % ± {100 * error:.1f} of the Ante; best choice by class and highest rank"
    return Edge(" + ".join(own), per_ante / bet, error / bet, f"{deals} rounds sampled", note)


Choices = dict[tuple[str, tuple[int, ...], tuple[int, ...]], int]  # raise, raises before, what the hand is worth


def _one_round(house: House, rng: random.Random, choices: Choices) -> Mapping[str, Line]:
    game = house.game
    own, dealer, shared = _deal(house, rng)
    raises = _decided(house, own, shared, choices)
    raised = tuple(wager.id for wager in game.decisions)
    stakes = {wager: ANTE_CENTS for wager in game_wagers(house) if wager not in raised}
    stakes |= {wager: times * ANTE_CENTS for wager, times in raises.items()}
    folded = len(raises) < len(raised)
    due = settle(house, PlayedRound((SeatPlay(1, own, stakes, folded),), dealer, community=shared))
    return due.seats[0].lines


def _deal(house: House, rng: random.Random) -> tuple[Hand, Hand, Hand]:
    """Deal one seat, the dealer and the shared cards."""
    sizes = [house.game.file.counts.get(zone, 0) for zone in (SEAT, DEALER, COMMUNITY)]
    cards = tuple(rng.sample(DECK, sum(sizes)))
    own, rest = cards[: sizes[0]], cards[sizes[0] :]
    return own, rest[: sizes[1]], rest[sizes[1] :]


def _decided(house: House, own: Hand, shared: Hand, choices: Choices) -> dict[str, int]:
    """Decide raise by raise by what the open cards are worth; stop at a fold."""
    made: dict[str, int] = {}
    shown = 0
    for stage in house.game.file.stage:
        if stage.does == "reveal" and stage.zone == COMMUNITY:
            shown = stage.cards or len(shared)
        if stage.does == "decide" and stage.wager is not None:
            times = _choice(house, stage.wager, made, Known(own, shared[:shown]), choices)
            if times == 0:
                return made
            made[stage.wager] = times
    return made


def _choice(house: House, raised: str, made: Mapping[str, int], known: Known, choices: Choices) -> int:
    """Return the best choice for hands of this class and rank, weighed once."""
    game = house.game
    ranking = game.rankings[game.hand(game.file.main_hand).rank]
    worth = ranking.standing(Spread.of(known.cards + known.community)).strength[:2]
    key = (raised, tuple(made.values()), worth)
    if key not in choices:
        choices[key] = best(values(Decision(house, raised, made), known, TRIALS, SEED)).times
    return choices[key]


@dataclass(frozen=True, slots=True)
class OwnPaytable:
    """A house's paytable that stands in no text, and the printed one that is nearest to it."""

    group: str
    nearest: str  # the letter
    differs: tuple[str, ...]  # 'pair of aces: 1 to 1, printed 2 to 1'


def own_paytables(house: House) -> Iterator[OwnPaytable]:
    """Yield what a house pays that no text prints."""
    for group, table in house.own.items():
        ours = {row.cls: str(row.pay) for row in table.rows}
        printed = {
            letter: {row.cls: str(row.pay) for row in other.rows} for letter, other in house.game.letters(group).items()
        }
        apart = {letter: _differences(ours, theirs) for letter, theirs in printed.items()}
        nearest = min(apart, key=lambda letter: len(apart[letter]), default="")
        if apart.get(nearest) != ():
            yield OwnPaytable(group, nearest, apart.get(nearest, ()))


def _differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> tuple[str, ...]:
    names = dict.fromkeys((*ours, *theirs))
    return tuple(
        f"{name.replace('_', ' ')}: {ours.get(name, 'not paid')}, printed {theirs.get(name, 'not paid')}"
        for name in names
        if ours.get(name) != theirs.get(name)
    )
