"""What a house chose where its game lets it choose: paytables, options, rounding. Unknown choices are refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from vision.rules.book.game import Game
from vision.rules.text.gamefile import FoldRow, OptionSpec, OptionValue, PayGroup, SettleRow, Table, WagerSpec
from vision.values.errors import InputError, shown
from vision.values.money import Rounding

SINGLE = "only"  # the letter of a paytable that has no alternative
OWN = "own"  # the letter of a paytable that the house wrote itself


@dataclass(frozen=True, slots=True)
class Rule:
    """One settlement row as a house plays it: its paytable found, the hand it is read on named."""

    row: SettleRow
    table: Table | None
    hand: str
    is_free: bool  # no guard but options, and those are decided


@dataclass(frozen=True, slots=True)
class Plan:
    """How a house settles one wager, its options decided."""

    rules: tuple[Rule, ...]
    fold: FoldRow | None

    @property
    def groups(self) -> list[str]:
        """Return the paytables that the wager may be read on."""
        return list(dict.fromkeys(rule.row.table for rule in self.rules if rule.row.table))

    @property
    def is_offered(self) -> bool:
        """Tell whether the house named a paytable where the wager needs one."""
        return not self.groups or any(rule.table for rule in self.rules)


@dataclass(frozen=True)
class House:
    """A game as one house offers it."""

    game: Game
    letters: Mapping[str, str]  # paytable group -> letter; a group that is not there is not offered
    options: Mapping[str, OptionValue | None]
    rounding: Rounding = Rounding.DOWN
    rounding_unit_cents: int = 1
    own: Mapping[str, Table] = field(default_factory=dict)  # paytables that stand in no text

    @classmethod
    def choose(
        cls,
        game: Game,
        paytable: Mapping[str, str | None],
        options: Mapping[str, OptionValue],
        rounding: Rounding = Rounding.DOWN,
        rounding_unit_cents: int = 1,
        own: Mapping[str, Table] | None = None,
    ) -> "House":
        """Check a house's choices against its game."""
        chosen = {**{name: spec.default for name, spec in game.file.option.items()}, **_options(game, options)}
        written = dict(own or {})
        return cls(game, _letters(game, paytable, written), chosen, rounding, rounding_unit_cents, written)

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """Return how each wager is settled here, by its id."""
        return {wager.id: self._plan(wager) for wager in self.game.wagers.values()}

    @cached_property
    def offered(self) -> frozenset[str]:
        """Return the wagers that can be settled here."""
        return frozenset(wager for wager, plan in self.plans.items() if plan.is_offered)

    def table(self, group: str) -> Table | None:
        """Return the paytable the house plays, None where it names none or the text holds none."""
        letter = self.letters.get(group, "")
        return self.own.get(group) if letter == OWN else self.game.letters(group).get(letter)

    def hand_for(self, table: Table | None, hand: str | None, hand_option: str | None) -> str:
        """Return the name of the hand a paytable is read on."""
        chosen = self.options.get(hand_option) if hand_option else None
        return str(chosen or hand or (table and table.hand))

    def _plan(self, wager: WagerSpec) -> Plan:
        fold = next((row for row in wager.fold if self._takes(row.option)), None)
        return Plan(tuple(self._rule(row) for row in wager.settle if self._takes(row.option)), fold)

    def _rule(self, row: SettleRow) -> Rule:
        table = self.table(row.table) if row.table else None
        guarded = row.vs or row.at_least or row.below
        return Rule(row, table, self.hand_for(table, row.hand, row.hand_option), is_free=guarded is None)

    def _takes(self, option: Mapping[str, OptionValue]) -> bool:
        return all(self.options.get(name) == value for name, value in option.items())


def _letters(game: Game, paytable: Mapping[str, str | None], own: Mapping[str, Table]) -> dict[str, str]:
    letters = {name: SINGLE for name, group in game.file.pay.items() if SINGLE in group.tables}
    for name, letter in paytable.items():
        if letter is None:
            continue
        if name not in game.file.pay:
            raise InputError(f"paytable.{name}: {shown(letter)}: {game.id} has no such paytable")
        group = game.file.pay[name]
        is_own = letter == OWN and name in own
        if letter not in group.tables and not is_own and not _is_elsewhere(group, letter):
            raise InputError(f"paytable.{name}: {shown(letter)}: want one of {', '.join(group.tables)}")
        letters[name] = letter
    for name, group in game.file.pay.items():
        twin = letters.get(group.same_letter_as or "")
        if twin is not None and letters.setdefault(name, twin) != twin:
            raise InputError(
                f"paytable.{name}: {shown(letters[name])}: one pair with {group.same_letter_as}: want {twin!r}"
            )
    return letters


def _is_elsewhere(group: PayGroup, letter: str) -> bool:
    """Tell whether a letter names a table of a text that we do not have."""
    return letter in group.absent_letters or (group.absent is not None and not group.tables)


def _options(game: Game, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    for name, value in options.items():
        if name not in game.file.option:
            raise InputError(f"options.{name}: unknown option: want one of {', '.join(game.file.option)}")
        check_value(f"options.{name}", value, game.file.option[name])
        cap = game.file.cap
        if cap and name == cap.option and isinstance(value, int) and value < cap.least_cents:
            raise InputError(f"options.{name}: {value}: want {cap.least_cents} or more ({cap.cite})")
    return dict(options)


def check_value(where: str, value: OptionValue, spec: OptionSpec) -> None:
    """Refuse a value that the option does not have."""
    allowed = spec.values
    if not allowed:
        if type(value) is not int or value < 0:
            raise InputError(f"{where}: {shown(value)}: want a whole number of cents")
    elif not any(type(value) is type(choice) and value == choice for choice in allowed):
        wanted = ", ".join(
            str(choice).lower() if isinstance(choice, bool) else choice for choice in map(_plain, allowed)
        )
        raise InputError(f"{where}: {shown(value)}: want one of {wanted}")


def _plain(choice: OptionValue) -> bool | str:
    return choice if isinstance(choice, bool) else str(choice)
