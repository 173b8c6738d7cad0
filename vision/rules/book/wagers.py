"""The wager book: every single wager of every wager file, compiled and found by its section and its name."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from vision.rules.hands.ranking import Ranking
from vision.rules.hands.vocabulary import WORDS
from vision.rules.text.expression import Compute, compile_expression
from vision.rules.text.wagerfile import Condition, PayMatrix, RoundSpec, RuleRow, SectionSpec, SingleWager, WagerFile
from vision.values.documents import read_document
from vision.values.errors import InputError, shown
from vision.values.resources import WAGERS

BUILT_IN = ("stake_cents", "paytable", "it")  # names that every expression may use
DEFINITION = re.compile(r"(\w+)(?:\(([\w, ]+)\))?")


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a file gives to an expression, perhaps of arguments."""

    arguments: tuple[str, ...]
    compute: Compute


@dataclass(frozen=True, slots=True)
class Rule:
    """One settlement row with its expressions compiled."""

    spec: RuleRow
    when: Compute
    row_is: Compute | None
    times: Compute | None
    share: Compute | None


class Family:
    """One wager file, ready to be asked: its names collected, its definitions and rankings compiled."""

    def __init__(self, file: WagerFile, name: str = "") -> None:
        self.file, self.name = file, name
        self.rankings = {name: Ranking(spec) for name, spec in file.rank.items()}
        headers = {key: _header(key) for key in file.define}
        defined = {name for name, _ in headers.values()}
        given = {name for section in file.section.values() for name in section.given}
        self._names = frozenset({*file.input, *file.option, *given, *defined, *self.rankings, *WORDS, *BUILT_IN})
        self.definitions = {
            name: Definition(arguments, compile_expression(file.define[key], self._names | set(arguments)))
            for key, (name, arguments) in headers.items()
        }

        checks = {name: spec.holds for name, spec in file.input.items() if spec.holds is not None}
        self.checks = {name: self.compile(text) for name, text in checks.items()}

    def compile(self, text: str) -> Compute:
        """Compile an expression over this file's names."""
        return compile_expression(text, self._names)

    def compile_any(self, text: str | None) -> Compute | None:
        """Compile an expression where there is one."""
        return None if text is None else self.compile(text)


@dataclass(frozen=True)
class BookWager:
    """A single wager as one section prints it."""

    family: Family
    section: str
    spec: SingleWager

    @property
    def name(self) -> str:
        """Return its name in this section."""
        return self.about.called.get(self.spec.name, self.spec.name)

    @property
    def about(self) -> SectionSpec:
        """Return the section it stands in."""
        return self.family.file.section[self.section]

    @property
    def is_unresolved(self) -> bool:
        """Tell whether the text never decides it: every row waits for a chapter that is not in the texts."""
        return all(row.unresolved is not None for row in self.spec.settle)

    @property
    def pay(self) -> PayMatrix | None:
        """Return its paytables."""
        return self.family.file.pay[self.spec.paytable] if self.spec.paytable else None

    @property
    def letters(self) -> dict[str, str]:
        """Return the names by which a paytable may be chosen, and its name in the file."""
        if self.spec.letters or not self.pay:
            return self.spec.letters
        return self.about.letters or {letter: letter for letter in self.pay.tables}

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Return its settlement rows, compiled."""
        return tuple(self._rule(row) for row in self.spec.settle)

    @cached_property
    def conditions(self) -> tuple[tuple[Condition, Compute], ...]:
        """Return what the text asks before the wager may be made."""
        return tuple((condition, self.family.compile(condition.holds)) for condition in self.spec.needs)

    @cached_property
    def letter_is(self) -> Compute | None:
        """Return what names the paytable where the house does not."""
        return self.family.compile_any(self.spec.letter_is)

    @cached_property
    def each(self) -> Compute | None:
        """Return what its rows are asked of, one by one."""
        return self.family.compile_any(self.spec.each)

    @cached_property
    def on_the_way(self) -> Compute | None:
        """Return how often the stake was paid on the way."""
        return self.family.compile_any(self.spec.on_the_way)

    def cite(self, clause: str) -> str:
        """Write a citation: a clause of the section, or what the file writes out."""
        own = self.about.cite or f"PA § {self.section}"
        return (own if clause.startswith("(") else "") + self.words(clause)

    def words(self, text: str) -> str:
        """Fill the section's own numbers into a text of the file."""
        return text.format(section=self.section, chapter=self.about.chapter, game=self.about.game, **self.about.given)

    def _rule(self, row: RuleRow) -> Rule:
        compiled = self.family.compile_any
        when = self.family.compile(row.when)
        return Rule(row, when, compiled(row.row_is), compiled(row.times), compiled(row.share))


def read_family(path: Path) -> Family:
    """Read, compile and check one wager file."""
    file = read_document(path, WagerFile, check_wagers)
    return Family(file, path.stem)


def check_wagers(file: WagerFile) -> None:
    """Raise ValueError at the first thing that does not make sense: a name, an expression, a row that nothing pays."""
    family = Family(file)
    for wager in wagers_of(family):
        _ = wager.rules, wager.conditions, wager.letter_is, wager.each, wager.on_the_way
    fault = next(_faults(file), None)
    if fault is not None:
        raise ValueError(fault)


def wagers_of(family: Family) -> Iterator[BookWager]:
    """Yield the wagers of a file, once per section that prints them."""
    for spec in family.file.wager:
        for section in spec.sections:
            if section not in family.file.section:
                raise ValueError(f"wager.{spec.name}.sections: {shown(section)}: no such section in the file")
            yield BookWager(family, section, spec)


def _faults(file: WagerFile) -> Iterator[str]:
    for spec in file.wager:
        where = f"wager.{spec.name}"
        for name in [*spec.inputs, *spec.different]:
            if name not in file.input and name != "stake_cents":
                yield f"{where}.inputs: {shown(name)}: no such input"
        if spec.paytable is not None and spec.paytable not in file.pay:
            yield f"{where}.paytable: {shown(spec.paytable)}: no such paytable"
        matrix = file.pay[spec.paytable] if spec.paytable else None
        for i, row in enumerate(spec.settle):
            if row.row is not None and row.pay is None and (matrix is None or row.row not in matrix.rows):
                yield f"{where}.settle[{i}].row: {shown(row.row)}: no such row in the paytable"
        if spec.settle[-1].when != "True":
            yield f"{where}.settle: want a last row that always applies"


def _header(key: str) -> tuple[str, tuple[str, ...]]:
    found = DEFINITION.fullmatch(key)
    if found is None:
        raise ValueError(f"define: {shown(key)}: want 'name' or 'name(a, b)'")
    return found[1], tuple(part.strip() for part in (found[2] or "").split(",") if part.strip())


@cache
def families() -> tuple[Family, ...]:
    """Return the wager files that ship with the program."""
    return tuple(read_family(path) for path in sorted(WAGERS.glob("*.toml")))


@cache
def wager_book() -> Mapping[str, Mapping[str, BookWager]]:
    """Return every single wager by its section and its name."""
    book: dict[str, dict[str, BookWager]] = {}
    for family in families():
        for wager in wagers_of(family):
            book.setdefault(wager.section, {})[wager.name] = wager
    return book


@cache
def wager_rounds() -> Mapping[str, RoundSpec]:
    """Return the whole games among the wager files, by their ids."""
    return {spec.game: spec for family in families() for spec in family.file.round}


def find_wager(section: str, name: str) -> BookWager:
    """Return one wager."""
    book = wager_book()
    if section not in book:
        raise InputError(f"section: {shown(section)}: want one of {', '.join(book)}")
    if name not in book[section]:
        raise InputError(f"wager: {shown(name)}: section {section} has {', '.join(book[section])}")
    return book[section][name]
