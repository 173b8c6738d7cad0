"""The game file: one jurisdiction's text as data, every entry with its citation. TOML enters, checked values leave.

The order of these models is the order of the texts: cards, rankings, wagers, dealing, the round, pays, irregularities.
What a file may say is fixed here; whether it makes sense as a whole is asked in `gamechecks`.
"""

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from vision.rules.text.pays import METERS, Pay
from vision.values.cards import SUITS, VALUE


def _one_of(names: tuple[str, ...] | dict[str, int], what: str) -> AfterValidator:
    def check(name: str) -> str:
        if name not in names:
            raise ValueError(f"not a {what}: want one of {' '.join(names)}")
        return name

    return AfterValidator(check)


Rank = Annotated[str, _one_of(VALUE, "rank")]
Suit = Annotated[str, _one_of(SUITS, "suit")]
Meter = Annotated[str, _one_of(METERS, "meter")]
Cite = Annotated[str, Field(min_length=2)]
PayText = Annotated[Pay, BeforeValidator(lambda text: Pay.parse(text) if isinstance(text, str) else text)]
OptionValue = bool | int | str


class Entry(BaseModel):
    """Anything in a game file: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)


class About(Entry):
    """Which game this is, where, by which text."""

    id: str
    name: str
    place: str
    source: str
    seats_max: int | None = None  # None: the text names no limit
    cite: Cite
    missing: str | None = None  # what of the game is not in the text
    not_here: dict[str, str] = {}  # wagers that the game has elsewhere, and why there are none here


class Equipment(Entry):
    """Cards and decks."""

    decks: int
    size: int
    two_decks: str | None = None  # under which conditions a second deck may alternate
    cite: Cite


class Clock(Entry):
    """A duty that falls due after hours or after rounds."""

    code: str
    hours: dict[str, int] = {}  # by dealing method
    rounds: int | None = None
    unless: str | None = None
    expect: int | None = None
    cite: Cite


class Procedure(Entry):
    """A thing the text asks for that is not settled with chips: opening, shuffling, cutting."""

    id: str
    steps: list[str]
    cite: Cite


class Zones(Entry):
    """What the layout must have: per seat, for the dealer, for the table."""

    seat: dict[str, Literal["cards", "chips", "sensor"]]
    dealer: dict[str, Literal["cards"]] = {}
    table: dict[str, Literal["cards", "chips"]]
    cite: Cite


class ClassSpec(Entry):
    """A pattern of cards by name. Exactly one kind of question, see `spread`."""

    id: str
    kinds: list[int] | None = None
    of: list[list[Rank]] | None = None  # for `kinds`: the ranks each group may have
    run: int | None = None
    suited: bool | int = False  # with `run`: of one suit; alone: so many cards of one suit
    top: Rank | None = None
    suit: list[Suit] | None = None
    colour: int | None = None
    has: list[list[Rank]] | None = None
    high: Rank | None = None  # nothing of the ranking, and this is the highest card
    any: bool = False  # every hand
    cite: Cite

    @model_validator(mode="after")
    def _one_question(self) -> Self:
        flush = self.suited is not False and self.run is None and self.has is None
        asked = [self.kinds, self.run, self.colour, self.has, self.high, self.any or None, flush or None]
        if sum(question is not None for question in asked) != 1:
            raise ValueError("want exactly one of kinds, run, suited, colour, has, high, any")
        if self.of is not None and len(self.of) != len(self.kinds or ()):
            raise ValueError("want one list of ranks in 'of' per group in 'kinds'")
        return self


class RankSpec(Entry):
    """A ranking: its classes strongest first, and further patterns that only paytables use."""

    pick: int
    order: list[ClassSpec]
    also: list[ClassSpec] = []
    cite: Cite


class HandSpec(Entry):
    """Which cards make a hand, and how it is ranked."""

    cards: list[Literal["seat.hand", "dealer.hand", "table.bonus", "table.community"]] = Field(alias="from")
    rank: str
    cite: Cite


class OptionSpec(Entry):
    """A point the text leaves open: what a house may choose, and the reading taken where it does not."""

    values: list[OptionValue] = []  # empty: any whole number of cents
    default: OptionValue | None = None  # None: unset, and what depends on it stays unresolved
    about: str
    cite: Cite


class Threshold(Entry):
    """A least hand: a class of the ranking, perhaps of a least rank."""

    hand: str
    cls: str = Field(alias="class")
    rank: Rank | None = None


class Guard(Entry):
    """When a row applies. All that is said must hold."""

    option: dict[str, OptionValue] = {}
    vs: Literal[">=", ">", "=", "<"] | None = None
    at_least: Threshold | None = None
    below: Threshold | None = None


class SettleRow(Guard):
    """The first row whose guard holds decides: a pay, a paytable, or nothing we may decide."""

    pay: PayText | None = None
    table: str | None = None
    hand: str | None = None  # None: the paytable names its hand
    hand_option: str | None = None  # the option that may name another hand
    unresolved: str | None = None
    cite: Cite

    @model_validator(mode="after")
    def _one_result(self) -> Self:
        if sum(result is not None for result in (self.pay, self.table, self.unresolved)) != 1:
            raise ValueError("want exactly one of pay, table, unresolved")
        return self


class FoldRow(Entry):
    """What folding does to a wager."""

    option: dict[str, OptionValue] = {}
    fate: Literal["forfeit", "lose", "keep", "unresolved"]
    why: str | None = None
    cite: Cite


class TimesRow(Guard):
    """How large a raise may be, in multiples of the wager it follows."""

    least: int | None = None
    most: int | None = None
    exactly: list[int] = []
    cite: Cite

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if bool(self.exactly) == (self.least is not None and self.most is not None):
            raise ValueError("want 'exactly', or both 'least' and 'most'")
        return self


class WagerSpec(Entry):
    """A wager with a stake, or (with `on`) a bonus on another wager's stake."""

    id: str
    name: str
    on: str | None = None
    optional: bool = False
    placed: str | None = None  # the stage at which it is made; None for a bonus
    taken: Literal["no_more_bets"] | None = None  # when its chips leave the layout, if before the end
    needs_all: list[str] = []
    needs_any: list[str] = []
    equal_to: str | None = None
    of: str | None = None
    times: list[TimesRow] = []
    denominations_cents: list[int] = []
    fold: list[FoldRow] = []
    settle: list[SettleRow]
    cite: Cite


class EnvySpec(Entry):
    """A bonus for holding a progressive wager while somebody else makes a great hand."""

    on: str
    table: str
    stakes_cents: list[int] = []  # empty: scaled to any stake
    hand_option: str | None = None
    paid: Literal["in_turn", "end_of_round"]
    hand_stays: bool = False  # whether the hand that earns it must lie face up until all are paid
    cite: Cite


class DealStep(Entry):
    """One step of a deal: `passes` times around `to`, `each` cards at a time."""

    to: list[str]  # 'seat.hand' stands for every seat that bet, in dealing order
    passes: int = 1
    each: int = 1
    face: Literal["down", "up"] = "down"
    turn: int = 0  # of a stack: how many are turned up at once
    if_bet: str | None = None
    cite: Cite


class Stage(Entry):
    """A stretch of the round, by what happens in it."""

    id: str
    does: Literal["bet", "deal", "decide", "reveal", "settle", "clear"]
    wager: str | None = None
    zone: str | None = None
    cards: int | None = None
    cite: Cite


class Orders(Entry):
    """Who comes first. `house` orders are reported, not enforced."""

    deal: Literal["left_to_right"]
    deal_force: Literal["must", "house"] = "must"
    decide: Literal["left_to_right"] = "left_to_right"
    forfeits: Literal["after_all", "at_once"] = "after_all"  # when the chips of a folded hand are collected
    settle: Literal["right_to_left"]
    settle_force: Literal["must", "house"] = "must"
    wagers: list[list[str]]  # a seat's wagers in turn; those in one list in any order
    wagers_force: Literal["must", "house"] = "must"
    cite: Cite


class Row(Entry):
    """One row of a paytable."""

    cls: str
    pay: PayText
    clause: str = ""

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, row: Any) -> Any:
        if not isinstance(row, list):
            return row
        if len(row) not in (2, 3):
            raise ValueError("want [class, pay] or [class, pay, clause]")
        return dict(zip(("cls", "pay", "clause"), row, strict=False))


class Table(Entry):
    """A paytable: the first row found in the hand pays."""

    rows: list[Row]
    hand: str | None = None
    unit_cents: int = 100  # for envy: the stake the dollar amounts are printed for
    seeds_cents: dict[Meter, int] = {}  # initial and reset amounts
    seeds_cite: str | None = None
    seeds_minimum: bool = False  # whether the text forbids less
    increments_percent: dict[Meter, int] = {}
    reserve_percent: int = 0
    note: str | None = None
    cite: Cite

    @cached_property
    def by_class(self) -> dict[str, Row]:
        """Return the rows by the class they pay, in their order."""
        return {row.cls: row for row in self.rows}


class PayGroup(Entry):
    """The paytables a house may choose from for one wager."""

    same_letter_as: str | None = None
    printed_with: str | None = None  # the group whose table stands in the same print
    absent: str | None = None  # where tables stand that the texts lack
    absent_letters: list[str] = []  # their names; none: any name may be one
    tables: dict[str, Table]

    @model_validator(mode="before")
    @classmethod
    def _letters(cls, group: Any) -> Any:
        if not isinstance(group, dict) or "tables" in group:
            return group
        own = {
            key: group[key] for key in ("same_letter_as", "printed_with", "absent", "absent_letters") if key in group
        }
        return {**own, "tables": {letter: table for letter, table in group.items() if letter not in own}}


class Cap(Entry):
    """An aggregate limit on what one player is paid in a round, set by an option."""

    option: str
    counts: list[str]
    also: dict[str, str] = {}  # option -> wager that counts too where the option is true
    excludes: dict[str, list[str]] = {}  # wager -> classes whose pay is outside the limit
    least_cents: int
    cite: Cite


class Irregular(Entry):
    """What an irregularity does."""

    on: list[str]
    at_least: int | None = None  # for a counted irregularity: from this count on
    other_than: int | None = None  # for a counted irregularity: any number but this
    before_raises: bool = False  # the rule speaks only of the time before the players have raised
    zones: list[str] = []  # for wrong-card-count: the hands that matter
    effect: Literal["void", "supervisor", "continue", "alert"]
    refund: list[str] = []
    still_settle: list[str] = []
    remedy: str
    cite: Cite


class Disputes(Entry):
    """What stays unresolved at a seat whose raise broke a rule for which no text has a remedy."""

    wagers: list[str]
    why: str
    cite: Cite


class GameFile(Entry):
    """A whole game file."""

    schema_: Literal[1] = Field(alias="schema")
    game: About
    cards: Equipment
    clock: list[Clock] = []
    procedure: list[Procedure] = []
    zones: Zones
    rank: dict[str, RankSpec]
    hand: dict[str, HandSpec]
    versus: list[str] = Field(default=[], max_length=2)  # the two hands that are compared
    main_hand: str  # the hand a seat is described by
    option: dict[str, OptionSpec] = {}
    wager: list[WagerSpec]
    dispute: Disputes | None = None
    envy: EnvySpec | None = None
    counts: dict[str, int]  # cards per zone
    deal: dict[str, list[DealStep]]
    stage: list[Stage]
    order: Orders
    pay: dict[str, PayGroup]
    cap: Cap | None = None
    irregular: list[Irregular]
