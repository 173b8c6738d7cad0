"""Does a game file make sense as a whole? Every name must lead somewhere, every row must be able to pay,
every void must say what becomes of each wager. A file that fails is refused with the field and the value.
"""

from collections.abc import Iterable, Iterator

from vision.rules.hands.ranking import Ranking, size_of
from vision.rules.hands.spread import Spread
from vision.rules.text.gamefile import ClassSpec, GameFile, Guard, Irregular, OptionValue, Table
from vision.rules.text.pays import Kind
from vision.values.cards import RANKS, SUITS, Card, Hand
from vision.values.codes import Code
from vision.values.errors import shown

WHOLE_ROUND = Code.WRONG_CARD_COUNT


def check_game(file: GameFile) -> None:
    """Raise ValueError at the first thing that does not make sense."""
    fault = next(_faults(file), None)
    if fault is not None:
        raise ValueError(fault)


def _faults(file: GameFile) -> Iterator[str]:
    yield from _ranking_faults(file)
    yield from _name_faults(file)
    yield from _option_faults(file)
    yield from _paytable_faults(file)
    yield from _deal_faults(file)
    for i, entry in enumerate(file.irregular):
        yield from _irregular_faults(file, f"irregular[{i}]", entry)


def _ranking_faults(file: GameFile) -> Iterator[str]:
    for name, rank in file.rank.items():
        where = f"rank.{name}"
        if not rank.order[-1].any:
            yield f"{where}.order: {shown(rank.order[-1].id)}: want a last class that takes any hand"
        ids = [cls.id for cls in [*rank.order, *rank.also]]
        yield from _repeats(where, ids)
        for i, cls in enumerate(rank.order):
            whole = cls.run or (cls.suited if not isinstance(cls.suited, bool) else None)
            if size_of(cls) > rank.pick or (whole is not None and whole != rank.pick):
                yield f"{where}.order[{i}]: {shown(cls.id)}: want a class of {rank.pick} cards, or groups within them"
            if cls.high is not None or cls.of is not None or (cls.top is not None and i):
                yield f"{where}.order[{i}]: {shown(cls.id)}: rank limits belong under 'also'"


def _name_faults(file: GameFile) -> Iterator[str]:
    """Names of wagers, hands, rankings, tables, stages and zones."""
    wagers = [wager.id for wager in file.wager]
    stages = [stage.id for stage in file.stage]
    yield from _repeats("wager", wagers)
    ordered = [wager for group in file.order.wagers for wager in group]
    yield from _unknown("order.wagers", ordered, wagers)
    yield from _unknown("wager", wagers, ordered)
    yield from _repeats("order.wagers", ordered)
    yield from _unknown("versus", file.versus, file.hand)
    yield from _unknown("main_hand", [file.main_hand], file.hand)
    for name, hand in file.hand.items():
        yield from _unknown(f"hand.{name}.rank", [hand.rank], file.rank)
        yield from _unknown(f"hand.{name}.from", hand.cards, file.counts)
    for wager in file.wager:
        where = f"wager.{wager.id}"
        named = [*wager.needs_all, *wager.needs_any, *filter(None, (wager.on, wager.of, wager.equal_to))]
        yield from _unknown(where, named, wagers)
        yield from _unknown(f"{where}.placed", filter(None, [wager.placed]), stages)
        for i, row in enumerate(wager.settle):
            yield from _unknown(f"{where}.settle[{i}].table", filter(None, [row.table]), file.pay)
            yield from _unknown(f"{where}.settle[{i}].hand", filter(None, [row.hand]), file.hand)
    for stage in file.stage:
        yield from _unknown(f"stage.{stage.id}.wager", filter(None, [stage.wager]), wagers)
        yield from _unknown(f"stage.{stage.id}.zone", filter(None, [stage.zone]), file.counts)
    if file.dispute:
        yield from _unknown("dispute.wagers", file.dispute.wagers, wagers)
    if file.envy:
        yield from _unknown("envy.on", [file.envy.on], wagers)
        yield from _unknown("envy.table", [file.envy.table], file.pay)
    if file.cap:
        yield from _unknown("cap.counts", [*file.cap.counts, *file.cap.also.values(), *file.cap.excludes], wagers)


def _option_faults(file: GameFile) -> Iterator[str]:
    """Guards name options that exist, with values they may have."""
    for name, option in file.option.items():
        if option.values and option.default is not None and option.default not in option.values:
            yield f"option.{name}.default: {shown(option.default)}: want one of {option.values}"
    for where, guard in _option_uses(file):
        for name, value in guard.items():
            if name not in file.option:
                yield f"{where}.option: {shown(name)}: no such option"
            elif value not in file.option[name].values:
                yield f"{where}.option.{name}: {shown(value)}: want one of {file.option[name].values}"
    for where, threshold_guard in _guards(file):
        for threshold in filter(None, (threshold_guard.at_least, threshold_guard.below)):
            yield from _unknown(f"{where}.hand", [threshold.hand], file.hand)
            order = [cls.id for cls in file.rank[file.hand[threshold.hand].rank].order]
            yield from _unknown(f"{where}.class", [threshold.cls], order)
    if file.cap:
        yield from _unknown("cap.option", [file.cap.option, *file.cap.also], file.option)


def _option_uses(file: GameFile) -> Iterator[tuple[str, dict[str, OptionValue]]]:
    for where, guard in _guards(file):
        yield where, guard.option
    for wager in file.wager:
        for i, fold in enumerate(wager.fold):
            yield f"wager.{wager.id}.fold[{i}]", fold.option


def _guards(file: GameFile) -> Iterator[tuple[str, Guard]]:
    for wager in file.wager:
        for i, row in enumerate(wager.settle):
            yield f"wager.{wager.id}.settle[{i}]", row
        for i, times in enumerate(wager.times):
            yield f"wager.{wager.id}.times[{i}]", times


def _paytable_faults(file: GameFile) -> Iterator[str]:
    rankings = {name: Ranking(spec) for name, spec in file.rank.items()}
    taken = {row.table for wager in file.wager if wager.taken for row in wager.settle if row.table}
    for group_name, group in file.pay.items():
        twins = filter(None, (group.same_letter_as, group.printed_with))
        yield from _unknown(f"pay.{group_name}", twins, file.pay)
        for letter, table in group.tables.items():
            where = f"pay.{group_name}.{letter}"
            yield from _unknown(f"{where}.hand", filter(None, [table.hand]), file.hand)
            ranks = {file.hand[hand].rank for hand in _hands_of(file, group_name, table)}
            yield from _row_faults(where, table, {name: rankings[name] for name in sorted(ranks)}, file)
            for i, row in enumerate(table.rows):
                if group_name in taken and row.pay.kind is Kind.TO:
                    yield f"{where}.rows[{i}]: {shown(str(row.pay))}: the stake is already taken; want 'for'"


def _hands_of(file: GameFile, group: str, table: Table) -> set[str]:
    """Return the hands a paytable is read on."""
    rows = [row for wager in file.wager for row in wager.settle if row.table == group]
    hands = {row.hand for row in rows if row.hand is not None} | ({table.hand} if table.hand else set())
    chosen = {row.hand_option for row in rows if row.hand_option}
    if file.envy and file.envy.table == group and file.envy.hand_option:
        chosen.add(file.envy.hand_option)
    return hands | {str(value) for name in chosen for value in file.option[name].values}


def _row_faults(where: str, table: Table, rankings: dict[str, Ranking], file: GameFile) -> Iterator[str]:
    known = frozenset[str]().union(*(ranking.names() for ranking in rankings.values()))
    for i, row in enumerate(table.rows):
        if row.cls not in known:
            yield f"{where}.rows[{i}]: {shown(row.cls)}: no such class in {', '.join(rankings) or 'any hand'}"
        for name, ranking in rankings.items():
            if row.cls not in ranking.names():
                continue
            weakest = Spread.of(specimen(_class_spec(file, name, row.cls)))
            earlier = [up.cls for up in table.rows[:i] if ranking.contains(weakest, up.cls)]
            if earlier and ranking.contains(weakest, row.cls):
                yield f"{where}.rows[{i}]: {shown(row.cls)}: never paid, {earlier[0]} above takes every such hand"


def _class_spec(file: GameFile, rank: str, class_id: str) -> ClassSpec:
    spec = file.rank[rank]
    return next(cls for cls in [*spec.order, *spec.also] if cls.id == class_id)


def specimen(spec: ClassSpec) -> Hand:
    """Return the least hand of a class: what it asks for, in low ranks, and nothing more."""
    suits = spec.suit or list(SUITS)
    if spec.kinds is not None:
        ranks = _group_ranks(spec)
        return tuple(Card(rank, suit) for rank, size in zip(ranks, spec.kinds, strict=True) for suit in SUITS[:size])
    if spec.run is not None:
        top = RANKS.index(spec.top) + 1 if spec.top else spec.run
        suits = suits[-1:] if spec.suited else ["c", "d", "h", "s"]
        return tuple(Card(RANKS[top - 1 - i], suits[i % len(suits)]) for i in range(spec.run))
    if spec.has is not None:
        return tuple(Card(group[0], "c" if spec.suited else SUITS[i]) for i, group in enumerate(spec.has))
    if spec.high is not None:
        low = [rank for rank in ("2", "3", "4", "5") if rank != spec.high]
        return tuple(Card(rank, suit) for rank, suit in zip([spec.high, *low], "cdhsc", strict=False))
    if spec.colour is not None:
        return tuple(Card(RANKS[2 * i], "cs"[i % 2]) for i in range(spec.colour))
    return tuple(Card(RANKS[2 * i], "c") for i in range(int(spec.suited)))


def _group_ranks(spec: ClassSpec) -> list[str]:
    """Choose the lowest rank for each group, no rank twice."""
    ranks: list[str] = []
    for allowed in spec.of or [list(RANKS)] * len(spec.kinds or ()):
        ranks.append(next(rank for rank in RANKS if rank in allowed and rank not in ranks))
    return ranks


def _deal_faults(file: GameFile) -> Iterator[str]:
    for method, steps in file.deal.items():
        dealt = dict.fromkeys(file.counts, 0)
        for i, step in enumerate(steps):
            yield from _unknown(f"deal.{method}[{i}].to", step.to, file.counts)
            yield from _unknown(
                f"deal.{method}[{i}].if_bet", filter(None, [step.if_bet]), [wager.id for wager in file.wager]
            )
            for zone in step.to:
                dealt[zone] = dealt.get(zone, 0) + step.passes * step.each
        for zone, count in dealt.items():
            if count != file.counts.get(zone, count):
                yield f"deal.{method}: {count} cards to {zone}: want {file.counts[zone]}"


def _irregular_faults(file: GameFile, where: str, entry: Irregular) -> Iterator[str]:
    wagers = [wager.id for wager in file.wager if wager.on is None]
    yield from _unknown(f"{where}.zones", entry.zones, file.counts)
    if WHOLE_ROUND in entry.on and not entry.zones:
        yield f"{where}.zones: []: want the hands whose number of cards matters"
    if entry.effect != "void":
        return
    yield from _unknown(f"{where}.refund", [*entry.refund, *entry.still_settle], wagers)
    for wager in wagers:
        if (wager in entry.refund) == (wager in entry.still_settle):
            yield f"{where}: {shown(entry.on[0])}: the void must refund or still settle {wager}, one of the two"


def _unknown(where: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    known = list(known)
    for name in names:
        if name not in known:
            yield f"{where}: {shown(name)}: want one of {', '.join(known)}"


def _repeats(where: str, ids: list[str]) -> Iterator[str]:
    for i, name in enumerate(ids):
        if name in ids[:i]:
            yield f"{where}: {shown(name)}: named twice"
