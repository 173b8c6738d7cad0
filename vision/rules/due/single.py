"""One wager by itself: what was seen enters as inputs, what the wager is due leaves as a line with its row.

The rows of the wager are tried in their order and the first that applies decides. What a row asks for and nobody saw
leaves the wager unresolved, with what is missing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from vision.rules.book.house import check_value
from vision.rules.book.wagers import BookWager, Rule, wager_book
from vision.rules.due.inputs import ANY_METER, read_input
from vision.rules.due.record import Undecided
from vision.rules.hands.vocabulary import WORDS, Unknown
from vision.rules.text.gamefile import OptionValue
from vision.rules.text.pays import Kind, Pay
from vision.rules.text.wagerfile import LOST, NOT_PAID
from vision.values.errors import InputError, shown
from vision.values.money import Cents, exact, portion

STAKE = "stake_cents"
NO_PAYTABLE = ("", "-", "–")  # how a line may say that the wager has no paytables


@dataclass(frozen=True, slots=True)
class SingleDue:
    """What one wager is due. Amounts are None where that is unresolved."""

    outcome: str
    cite: str
    paid: Cents | None = None
    stake_returned: bool | None = None
    pay: Pay | None = None
    row: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class Case:
    """The names of one wager while it is settled: inputs, options, the section's own values, definitions, words."""

    wager: BookWager
    values: Mapping[str, Any]
    known: dict[str, Any]  # definitions once computed

    def look_up(self, name: str) -> Any:
        """Return what a name means."""
        if name in self.values:
            return self._seen(name)
        family = self.wager.family
        if name in family.definitions:
            return self._defined(name)
        return family.rankings[name] if name in family.rankings else WORDS[name]

    def within(self, names: Mapping[str, Any]) -> "Case":
        """Return the case with further names."""
        return Case(self.wager, {**self.values, **names}, {})

    def _seen(self, name: str) -> Any:
        value = self.values[name]
        if isinstance(value, Undecided):
            raise Unknown(f"{name}: {value.why}")
        spec = self.wager.family.file.input.get(name)
        if value is not None or spec is None or spec.optional:
            return value
        if spec.absent is None:
            raise InputError(f"inputs.{name}: missing")
        raise Unknown(self.wager.words(spec.absent))

    def _defined(self, name: str) -> Any:
        definition = self.wager.family.definitions[name]
        if definition.arguments:
            return lambda *given: definition.compute(self.within(dict(zip(definition.arguments, given, strict=True))))
        if name not in self.known:
            self.known[name] = definition.compute(self)
        return self.known[name]


def settle_single(
    wager: BookWager, paytable: str | None, options: Mapping[str, OptionValue], inputs: Mapping[str, Any]
) -> SingleDue:
    """Settle one wager."""
    values = {**_options(wager, options), **wager.about.given, **_read(wager, inputs)}
    case = Case(wager, {**values, "paytable": None}, {})
    _check_inputs(wager, case)
    try:
        letter = _letter(wager, paytable, case)
        case = Case(wager, {**values, "paytable": letter}, {})
        if wager.each is None:
            return _by_rows(wager, letter, case)
        return _added(wager, [_by_rows(wager, letter, case.within({"it": it})) for it in wager.each(case)])
    except Unknown as unknown:
        return SingleDue("unresolved", wager.cite(wager.spec.settle[-1].cite), why=str(unknown))
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(f"inputs: {wager.name}: not understood: {error}") from error
    except IndexError:
        return SingleDue("unresolved", wager.cite(wager.spec.settle[-1].cite), why="fewer cards than the rule asks for")


def _read(wager: BookWager, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Read the wager's own inputs; others only have to belong to a wager of the section."""
    known = {name for other in wager_book()[wager.section].values() for name in other.spec.inputs}
    for name in inputs:
        if name not in known:
            raise InputError(f"inputs.{name}: unknown input: want one of {', '.join(sorted(known))}")
    specs = wager.family.file.input
    read: dict[str, Any] = dict.fromkeys(specs)  # what belongs to other wagers only was not seen
    for name in wager.spec.inputs:
        read[name] = read_input(f"inputs.{name}", specs[name].kind, inputs.get(name))
    if read.get(STAKE) is None:
        raise InputError(f"inputs.{STAKE}: missing")
    _check_shoe(wager, read)
    return read


def _check_inputs(wager: BookWager, case: Case) -> None:
    """Refuse what was given and cannot be."""
    for name, holds in wager.family.checks.items():
        value = case.values[name]
        if value is not None and not isinstance(value, Undecided) and not holds(case):
            raise InputError(f"inputs.{name}: {shown(str(value))}: want {wager.family.file.input[name].says}")


def _check_shoe(wager: BookWager, read: Mapping[str, Any]) -> None:
    """Refuse more cards of one face than the shoe holds."""
    piles = [read[name] for name in wager.spec.different if isinstance(read.get(name), tuple)]
    decks = read.get("decks") or wager.family.file.about.decks or len(piles) * 8
    for card, count in Counter(card for pile in piles for card in pile).items():
        if count > decks:
            raise InputError(f"inputs: {card}: {count} times in {decks} deck{'s' if decks > 1 else ''}")


def _options(wager: BookWager, options: Mapping[str, OptionValue]) -> dict[str, OptionValue | None]:
    specs = wager.family.file.option
    for name, value in options.items():
        if name not in specs:
            raise InputError(f"options.{name}: unknown option: want one of {', '.join(specs)}")
        check_value(f"options.{name}", value, specs[name])
    return {**{name: spec.default for name, spec in specs.items()}, **options}


def _letter(wager: BookWager, paytable: str | None, case: Case) -> str | None:
    """Return the paytable that counts; None where the wager has no paytables."""
    if paytable is not None and paytable not in NO_PAYTABLE:
        if paytable not in wager.letters:
            have = f"want one of {', '.join(wager.letters)}" if wager.letters else "the wager has no paytables"
            raise InputError(f"paytable: {shown(paytable)}: {have}")
        return wager.letters[paytable]
    if len(wager.letters) <= 1:
        return next(iter(wager.letters.values()), None)
    named = wager.letter_is(case) if wager.letter_is else None
    if named not in wager.letters:
        raise Unknown(f"the house names no paytable for {wager.name}")
    return wager.letters[str(named)]


def _by_rows(wager: BookWager, letter: str | None, case: Case) -> SingleDue:
    for rule in wager.rules:
        if not rule.when(case):
            continue
        if rule.spec.unresolved is not None:
            return SingleDue("unresolved", wager.cite(rule.spec.cite), why=wager.words(rule.spec.unresolved))
        row, pay = _pay_of(wager, letter, rule, case)
        if pay is not None:
            return _due(wager, rule, case, row, pay)
    raise AssertionError("the last row of a wager always applies")  # the loader sees to it


def _added(wager: BookWager, dues: Sequence[SingleDue]) -> SingleDue:
    """Add up what is due for each; the best of them names the odds."""
    open_end = next((due for due in dues if due.outcome == "unresolved"), None)
    wins = [due for due in dues if due.outcome == "win"]
    if open_end is not None or not wins:
        nothing = SingleDue("lose", wager.cite(wager.spec.settle[-1].cite), 0, stake_returned=False)
        return open_end or next(iter(dues), nothing)
    best = max(wins, key=lambda due: due.paid or 0)
    rows = dict.fromkeys(due.row for due in sorted(wins, key=lambda due: due.paid or 0, reverse=True) if due.row)
    return replace(best, paid=exact(sum((Fraction(due.paid or 0) for due in wins), Fraction())), row="; ".join(rows))


def _pay_of(wager: BookWager, letter: str | None, rule: Rule, case: Case) -> tuple[str | None, Pay | None]:
    """Return the row and its pay; no pay where the chosen paytable does not have the row."""
    if rule.spec.pay is not None:
        return rule.spec.row, rule.spec.pay
    row = str(rule.row_is(case)) if rule.row_is else str(rule.spec.row)
    matrix = wager.pay
    if matrix is None or letter is None or row not in matrix.rows:
        raise Unknown(f"{row}: no such row in the text")
    cell = matrix.tables[letter][matrix.rows.index(row)]
    if cell == LOST:
        raise Unknown(f"paytable {letter}, row {row!r}: not legible in the text ({wager.cite(rule.spec.cite)})")
    return row, None if cell == NOT_PAID or not isinstance(cell, Pay) else cell


def _due(wager: BookWager, rule: Rule, case: Case, row: str | None, pay: Pay) -> SingleDue:
    times = rule.times(case) if rule.times else 1
    before = wager.on_the_way(case) * case.values[STAKE] if wager.on_the_way else 0
    paid = exact(Fraction(_amount(case, pay, rule)) * times + before)
    outcome = {Kind.LOSE: "lose", Kind.PUSH: "push"}.get(pay.kind, "win")
    return SingleDue(
        outcome=outcome,
        cite=wager.cite(rule.spec.cite),
        paid=paid,
        stake_returned=wager.spec.has_stake and _returns_stake(pay, case),
        pay=pay if outcome == "win" else None,
        row=row if outcome == "win" else None,
        why=_breach(wager, case),
    )


def _amount(case: Case, pay: Pay, rule: Rule) -> Cents:
    stake, unit = case.values[STAKE], case.wager.pay.unit_cents if case.wager.pay else None
    if pay.kind is Kind.FIXED and unit is not None:
        return portion(pay.numerator, stake, unit)
    if pay.kind is not Kind.SHARE:
        return pay.on(stake)
    meters = case.look_up("meter_cents")
    cents = meters.get(pay.meter, meters.get(ANY_METER))
    if cents is None:
        raise Unknown(f"the {pay.meter} meter was not given")
    winners = rule.share(case) if rule.share else 1
    return exact(Fraction(pay.of_meter(cents)) / max(winners or 1, 1))


def _returns_stake(pay: Pay, case: Case) -> bool:
    if pay.kind is Kind.FIXED:
        return bool(case.values.get("fixed_prize_returns_stake"))
    return pay.kind in (Kind.TO, Kind.PUSH)


def _breach(wager: BookWager, case: Case) -> str | None:
    """Say what the text asked for before the wager was made, and did not get."""
    for condition, holds in wager.conditions:
        if not holds(case):
            return f"{wager.words(condition.says)} ({wager.cite(condition.cite)})"
    return None
