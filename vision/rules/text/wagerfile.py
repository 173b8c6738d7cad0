"""The wager file: the single wagers of one family, section by section of the text, every row with its citation.

Many texts give a side wager without its base game. Such a wager needs no deal and no stages: what was seen enters as
named inputs, the first row whose condition holds decides. Conditions are expressions (`expression.py`) over the inputs,
the file's own definitions and the words of `vision.rules.hands.vocabulary`.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from vision.rules.text.gamefile import Cite, Entry, OptionSpec, PayText, RankSpec
from vision.rules.text.pays import Pay

InputKind = Literal[
    "cards", "card", "hands", "combinations", "cents", "count", "flag", "text", "points", "meters",
    "die", "dice", "rolls", "numbers", "tiles", "spin", "spins", "picks", "anything",
]  # fmt: skip
NOT_PAID, LOST = "n/a", "lost"  # cells of a paytable: no such prize there; not legible in the text
Cell = Annotated[
    Pay | Literal["n/a", "lost"],
    BeforeValidator(lambda cell: Pay.parse(cell) if isinstance(cell, str) and cell not in (NOT_PAID, LOST) else cell),
]


class About(Entry):
    """Which family of games this is, and by which text."""

    family: str
    name: str
    place: str
    source: str
    missing: str  # what of the games is not in the text
    decks: int | None = None  # how many the games are played with where a line does not say


class SectionSpec(Entry):
    """A section of the text that has wagers."""

    title: str
    game: str
    chapter: str  # the base chapter, which is not in the texts
    cite: str | None = None  # how it is cited, where that is not 'PA § ' and its number
    given: dict[str, int | str] = {}  # what differs between sections that print the same wager
    called: dict[str, str] = {}  # a wager of the file -> its name in this section
    letters: dict[str, str] = {}  # the name of a paytable in this section -> its name in the file


class InputSpec(Entry):
    """Something that was seen, or that the table's own devices know."""

    kind: InputKind = Field(alias="is")
    absent: str | None = None  # why the wager is unresolved without it; None: a missing one is an error
    optional: bool = False  # absent is a value of its own: None
    holds: str | None = None  # an expression: what is true of every such input; another one is an error
    says: str = ""  # what the error asks for
    about: str = ""


class RuleRow(Entry):
    """The first row whose condition holds decides: a paytable's row, a pay, or nothing we may decide."""

    when: str = "True"
    row: str | None = None  # a row of the paytable, or with `pay` what to call it
    row_is: str | None = None  # an expression that names the row
    pay: PayText | None = None
    times: str | None = None  # an expression: how often it is paid
    share: str | None = None  # an expression: among how many a share of a meter is split
    unresolved: str | None = None
    cite: Cite

    @model_validator(mode="after")
    def _one_result(self) -> Self:
        results = (self.pay or self.row, self.row_is, self.unresolved)
        if sum(result is not None for result in results) != 1:
            raise ValueError("want exactly one of row, row_is, pay, unresolved")
        return self


class Condition(Entry):
    """What the text asks of a wager before it may be made. A breach is reported; the wager is settled all the same."""

    holds: str
    says: str
    cite: Cite


class SingleWager(Entry):
    """One wager that a text settles by itself."""

    name: str
    sections: list[str]
    paytable: str | None = None  # the group of paytables
    letters: dict[str, str] = {}  # the name of a paytable in the wager format -> its name here
    letter_is: str | None = None  # an expression: the paytable where none is named
    inputs: list[str]
    different: list[str] = []  # inputs that are different cards of one shoe
    needs: list[Condition] = []
    each: str | None = None  # an expression: the rows are asked of each of these, as `it`, and the pays added up
    on_the_way: str | None = None  # an expression: how many more times the stake was paid on the way
    has_stake: bool = True
    watched: str = "settled only"  # what a camera can witness of it
    settle: list[RuleRow]


class PayMatrix(Entry):
    """Paytables side by side, as the texts print them."""

    rows: list[str]
    tables: dict[str, list[Cell]]
    cite: Cite
    unit_cents: int | None = None  # the stake that dollar amounts are printed for; None: they do not grow with it
    seeds_cents: dict[str, dict[str, int]] = {}  # paytable -> meter -> initial and reset amount
    increments_percent: dict[str, dict[str, float]] = {}
    note: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _letters(cls, matrix: Any) -> Any:
        if not isinstance(matrix, dict) or "tables" in matrix:
            return matrix
        own = {key: value for key, value in matrix.items() if key in cls.model_fields}
        return {**own, "tables": {key: value for key, value in matrix.items() if key not in own}}

    @model_validator(mode="after")
    def _square(self) -> Self:
        for letter, cells in self.tables.items():
            if len(cells) != len(self.rows):
                raise ValueError(f"{letter}: want {len(self.rows)} pays, one per row")
        return self


class ProcedureSpec(Entry):
    """A section that settles nothing: what is to be done, and what of it a camera could witness."""

    sections: list[str]
    title: str
    steps: list[str]
    witness: list[str] = []
    cite: Cite


class RoundSpec(Entry):
    """A text that gives a whole game wager by wager: the game's id, and the names of its wagers in a round."""

    game: str
    name: str
    section: str
    wagers: dict[str, str]  # name in a round -> the wager of the section
    stakes: dict[str, str] = {}  # input -> the wager of the seat whose stake it is
    given: dict[str, bool | int | str] = {}
    cite: Cite


class Example(Entry):
    """A case that the text itself works out, and what it says is due."""

    section: str
    wager: str
    paytable: str | None = None
    inputs: dict[str, Any]
    says: str  # the row it is paid by, or 'lose'
    cite: Cite


class WagerFile(Entry):
    """A whole wager file."""

    schema_: Literal[1] = Field(alias="schema")
    about: About
    section: dict[str, SectionSpec] = {}
    input: dict[str, InputSpec] = {}
    option: dict[str, OptionSpec] = {}
    rank: dict[str, RankSpec] = {}
    define: dict[str, str] = {}  # 'name' or 'name(a, b)' -> expression
    wager: list[SingleWager] = []
    pay: dict[str, PayMatrix] = {}
    procedure: list[ProcedureSpec] = []
    example: list[Example] = []
    round: list[RoundSpec] = []
