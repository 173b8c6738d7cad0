"""The house sheet: what one casino chose for one table. A TOML file enters, a checked sheet leaves.

game = "four-card-poker/md"
offered = ["six_card", "progressive"]        # of the optional wagers
deal_method = "automated"
paytable = { aces_up = "D", six_card = "B", progressive = "C", envy = "D" }
"""

from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from vision.rules.book.game import Game, load_game
from vision.rules.book.house import OWN, SINGLE, House
from vision.rules.text.gamefile import Meter, OptionValue, Table
from vision.values.documents import read_document
from vision.values.errors import InputError, shown
from vision.values.money import Rounding

Cents = Annotated[int, Field(ge=0)]


class SheetEntry(BaseModel):
    """Anything in a house sheet: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Shuffler(SheetEntry):
    """The device that shuffles, if there is one."""

    automatic: bool = False
    counting: bool = False  # it counts the deck: the stub need not be counted


class RoundingRule(SheetEntry):
    """How the house pays what it cannot pay exactly."""

    mode: Annotated[Rounding, BeforeValidator(Rounding)] = Rounding.DOWN
    unit_cents: Annotated[int, Field(ge=1)] = 1


class OwnTable(SheetEntry):
    """A paytable that the house wrote itself."""

    rows: list[list[str]]  # [class, pay]
    cite: str = "the house's own paytable"

    @property
    def table(self) -> Table:
        """Return it in the form of the texts' tables."""
        return Table.model_validate({"rows": self.rows, "cite": self.cite})


class HouseSheet(SheetEntry):
    """A house's choices for one table."""

    game: str
    name: str = ""
    offered: list[str] = []
    paytable: dict[str, str] = {}
    own_paytable: dict[str, OwnTable] = {}  # rows that stand in no text; chosen by `paytable.GROUP = "own"`
    options: dict[str, OptionValue] = {}
    deal_method: str
    decks: Annotated[int, Field(ge=1, le=2)] = 1
    shuffler: Shuffler = Shuffler()
    boxes_per_player: Annotated[int, Field(ge=1)] = 1
    limits_cents: dict[str, list[Cents]] = {}
    chips_cents: list[Annotated[int, Field(gt=0)]]
    progressive_stakes_cents: list[Cents] = []
    seeds_cents: dict[Meter, Cents] = {}
    rounding: RoundingRule = RoundingRule()

    @cached_property
    def house(self) -> House:
        """Return the choices that settlement needs."""
        rounding, own = self.rounding, {group: table.table for group, table in self.own_paytable.items()}
        return House.choose(load_game(self.game), self.paytable, self.options, rounding.mode, rounding.unit_cents, own)


def read_sheet(path: Path) -> HouseSheet:
    """Read and check one house sheet."""
    return read_document(path, HouseSheet, _check_whole)


def _check_whole(sheet: HouseSheet) -> None:
    game = load_game(sheet.game)
    _check_own(sheet, game)
    _check_method(sheet, game)
    _check_offer(sheet, game)
    _check_limits(sheet, game)
    _check_letters(sheet)


def _check_own(sheet: HouseSheet, game: Game) -> None:
    """A house's own paytable stands for a group of the text, and its rows are classes of the game's rankings."""
    known = {name for ranking in game.rankings.values() for name in ranking.names()}
    for group, table in sheet.own_paytable.items():
        if group not in game.file.pay:
            raise InputError(f"own_paytable.{group}: {game.id} has no such paytable")
        if sheet.paytable.get(group) != OWN:
            raise InputError(f"paytable.{group}: {shown(sheet.paytable.get(group))}: want {OWN!r}, or no own paytable")
        for i, row in enumerate(table.table.rows):
            if row.cls not in known:
                raise InputError(f"own_paytable.{group}.rows[{i}]: {shown(row.cls)}: no such hand in {game.id}")


def _check_method(sheet: HouseSheet, game: Game) -> None:
    if sheet.deal_method not in game.file.deal:
        raise InputError(f"deal_method: {shown(sheet.deal_method)}: want one of {', '.join(game.file.deal)}")
    if sheet.decks > 1 and not (sheet.shuffler.automatic and game.file.cards.two_decks):
        raise InputError(f"decks: {sheet.decks}: two decks need an automatic shuffler ({game.file.cards.cite})")


def _check_offer(sheet: HouseSheet, game: Game) -> None:
    optional = [wager.id for wager in game.stakes.values() if wager.optional]
    for i, wager in enumerate(sheet.offered):
        if wager not in optional:
            raise InputError(f"offered[{i}]: {shown(wager)}: want one of {', '.join(optional)}")
    for wager in optional:
        if wager not in sheet.offered and wager in sheet.paytable:
            raise InputError(f"paytable.{wager}: {shown(sheet.paytable[wager])}: {wager} is not offered")


def _check_limits(sheet: HouseSheet, game: Game) -> None:
    for wager, limits in sheet.limits_cents.items():
        if wager not in game.stakes:
            raise InputError(f"limits_cents.{wager}: no such wager: want one of {', '.join(game.stakes)}")
        if len(limits) != 2 or limits[0] > limits[1]:
            raise InputError(f"limits_cents.{wager}: {limits}: want [least, most]")
    if sorted(set(sheet.chips_cents)) != sheet.chips_cents:
        raise InputError(f"chips_cents: {shown(sheet.chips_cents)}: want denominations in rising order, none twice")


def _check_letters(sheet: HouseSheet) -> None:
    """Every wager that can be made needs its paytable; what is printed as one is chosen as one."""
    house = sheet.house
    for wager in house.game.wagers.values():
        if wager.optional and wager.id not in sheet.offered:
            continue
        for group in house.plans[wager.id].groups:
            if group in house.letters:
                continue
            letters = [letter for letter in house.game.letters(group) if letter != SINGLE]
            raise InputError(f"paytable.{group}: missing: {wager.id} needs one of {', '.join(letters)}")
    for name, pay_group in house.game.file.pay.items():
        twin = house.letters.get(pay_group.printed_with or "")
        if twin is not None and house.letters.get(name) != twin:
            chosen = shown(house.letters.get(name))
            raise InputError(f"paytable.{name}: {chosen}: printed with {pay_group.printed_with}: want {twin!r}")
