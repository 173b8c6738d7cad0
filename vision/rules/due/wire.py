"""`feltwatch settle` on the wire: one JSON object per line in, one per line out."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from vision.rules.book.game import load_game
from vision.rules.book.house import House
from vision.rules.due.documents import Choice, Document
from vision.rules.due.irregular import CODES, COUNTED_DECK
from vision.rules.due.record import (
    Irregularity,
    Line,
    Outcome,
    PlayedRound,
    SeatDue,
    SeatPlay,
    Settlement,
)
from vision.rules.due.settle import invalid_cards, settle
from vision.rules.due.singlewire import answer_wager
from vision.rules.due.wagerround import SeatInputs, round_spec, settle_wager_round
from vision.rules.text.gamefile import Meter
from vision.rules.text.wagerfile import RoundSpec
from vision.values.cards import DealtHand, parse_seen
from vision.values.codes import Code
from vision.values.errors import InputError, VisionError, complaint, shown
from vision.values.money import Cents, Rounding, cents_json

LINE_LIMIT = 1_000_000  # characters; a round is a few thousand
Money = Annotated[int, Field(ge=0)]


class HouseIn(Document):
    """The `house` of a line."""

    game: str
    paytable: dict[str, str | None] = {}
    options: dict[str, Choice | None] = {}  # null: unset
    rounding: Annotated[Rounding, BeforeValidator(Rounding)] = Rounding.DOWN
    rounding_unit_cents: Annotated[int, Field(ge=1)] = 1


class SeatIn(Document):
    """One of the `seats` of a round."""

    seat: Annotated[int, Field(ge=1)]
    player: str | None = None
    cards: list[str]
    folded: bool = False
    wagers: dict[str, Money] = {}
    inputs: dict[
        str, Any
    ] = {}  # what else the wagers of a game of the wager files need to know: was the hand switched?


class IrregularityIn(Document):
    """One of the `irregularities` of a round."""

    code: str
    count: Annotated[int, Field(ge=1)] | None = None
    deck_total: Money | None = None
    after_raises: bool = False


def _irregularity(entry: Any) -> Any:
    return {"code": entry} if isinstance(entry, str) else entry


class RoundIn(Document):
    """The `round` of a line."""

    dealer: list[str] = []
    up_card: str | None = None
    bonus_card: str | list[str] | None = None
    community: list[str] = []
    seats: list[SeatIn]
    meters: dict[Meter, Money] = {}
    seeds: dict[Meter, Money] = {}
    reserve: dict[Meter, Money] = {}
    irregularities: list[Annotated[IrregularityIn, BeforeValidator(_irregularity)]] = []


class LineIn(Document):
    """One line."""

    id: str | int | None = None
    house: HouseIn
    round: RoundIn


class Settler:
    """Answers lines; houses are compiled once, because a file repeats the same few."""

    def __init__(self) -> None:
        self._houses: dict[str, House] = {}

    def answers(self, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Answer every line that has text; a bad one with its error."""
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield self.answer(line, number)

    def answer(self, line: str, number: int) -> dict[str, Any]:
        """Answer one line."""
        document: Any = None
        try:
            document = _parse_json(line)
            if isinstance(document, dict) and "wager" in document:
                return answer_wager(document)
            asked = LineIn.model_validate(document)
            whole = round_spec(asked.house.game)
            if whole is not None:
                return {"id": asked.id, **_wager_round(whole, asked)}
            house = self._compiled(asked.house)
            played = _played(house, asked.round)
            due = invalid_cards(*played) if isinstance(played, tuple) else settle(house, played)
            return {"id": asked.id, **settlement_json(due, house)}
        except ValidationError as error:
            return _error(document, number, complaint(error))
        except (VisionError, ValueError) as error:
            return _error(document, number, str(error))

    def _compiled(self, chosen: HouseIn) -> House:
        key = chosen.model_dump_json()
        if key not in self._houses:
            self._houses[key] = _house(chosen)
        return self._houses[key]


def read_round(document: Any) -> tuple[str, House, PlayedRound]:
    """Turn one good document into its id, its house and its round."""
    try:
        asked = LineIn.model_validate(document)
    except ValidationError as error:
        raise InputError(complaint(error)) from error
    house = _house(asked.house)
    played = _played(house, asked.round)
    if isinstance(played, tuple):
        raise InputError(played[1])
    return str(asked.id), house, played


def _wager_round(whole: RoundSpec, asked: LineIn) -> dict[str, Any]:
    options = {name: value for name, value in asked.house.options.items() if value is not None}
    seats = [SeatInputs(seat.seat, seat.cards, seat.wagers, seat.inputs) for seat in asked.round.seats]
    return settle_wager_round(whole, options, asked.round.dealer, seats)


def _house(chosen: HouseIn) -> House:
    game = load_game(chosen.game)
    options = {name: value for name, value in chosen.options.items() if value is not None}
    return House.choose(game, chosen.paytable, options, chosen.rounding, chosen.rounding_unit_cents)


def _parse_json(line: str) -> Any:
    if len(line) > LINE_LIMIT:
        raise InputError(f"a line of {len(line)} characters: want at most {LINE_LIMIT}")
    try:
        return json.loads(line, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} at character {error.pos}: {shown(line[error.pos :][:40])}") from error
    except RecursionError as error:
        raise InputError("not a round: nested too deeply") from error


def _no_constant(name: str) -> Any:
    raise InputError(f"not JSON: {name} is not a number")


def _error(document: Any, number: int, what: str) -> dict[str, Any]:
    known = document.get("id") if isinstance(document, dict) else None
    return {"id": known if isinstance(known, str | int) else None, "line": number, "error": what}


def _played(house: House, given: RoundIn) -> PlayedRound | tuple[PlayedRound, str]:
    """Turn the document into a round; with cards that do not exist, into what is left and the reason."""
    _check_round(house, given)
    meters: Mapping[str, Cents] = dict(given.meters)
    try:
        bonus = [given.bonus_card] if isinstance(given.bonus_card, str) else given.bonus_card or []
        return PlayedRound(
            seats=tuple(_seat(seat) for seat in given.seats),
            dealer=_cards(given.dealer),
            bonus=_cards(bonus),
            community=_cards(given.community),
            up_card=None if given.up_card is None else parse_seen(given.up_card),
            meters=meters,
            seeds=given.seeds,
            reserve=given.reserve,
            irregularities=tuple(_counted(i, entry) for i, entry in enumerate(given.irregularities)),
        )
    except InputError:
        raise
    except ValueError as error:
        return PlayedRound(seats=(), meters=meters), str(error)


def _check_round(house: House, given: RoundIn) -> None:
    """Refuse what the game does not know."""
    zones = house.game.file.counts
    for zone, name in (("table.community", "community"), ("dealer.hand", "dealer")):
        if zone not in zones and getattr(given, name):
            raise InputError(f"round.{name}: {shown(getattr(given, name))}: {house.game.id} has no such cards")
    numbers = [seat.seat for seat in given.seats]
    for i, seat in enumerate(given.seats):
        if seat.seat in numbers[:i]:
            raise InputError(f"round.seats[{i}].seat: {seat.seat}: a seat number twice")
        for wager in seat.wagers:
            if not house.game.knows(wager):
                known = ", ".join(house.game.stakes)
                raise InputError(f"round.seats[{i}].wagers.{wager}: no such wager: want one of {known}")


def _seat(seat: SeatIn) -> SeatPlay:
    return SeatPlay(seat.seat, _cards(seat.cards), seat.wagers, seat.folded, seat.player)


def _cards(texts: list[str]) -> DealtHand:
    return tuple(parse_seen(text) for text in texts)


def _counted(i: int, entry: IrregularityIn) -> Irregularity:
    where = f"round.irregularities[{i}]"
    if entry.code not in CODES:
        raise InputError(f"{where}.code: {shown(entry.code)}: want one of {', '.join(CODES)}")
    number = entry.deck_total if entry.code in COUNTED_DECK else entry.count
    if entry.code in COUNTED_DECK and number is None:
        raise InputError(f"{where}.deck_total: missing: want the number of cards counted in the whole deck")
    if entry.code == Code.CARD_FACED_IN_DECK and number is None:
        number = 1  # a faced card is one unless more are counted
    return Irregularity(entry.code, number, entry.after_raises)


def settlement_json(due: Settlement, house: House) -> dict[str, Any]:
    """Return a settlement as the format writes it."""
    return {
        "status": str(due.status),
        "violations": [{"code": v.code, "seat": v.seat, "detail": v.detail, "cite": v.cite} for v in due.violations],
        "notes": list(due.notes),
        "dealer_hand": due.dealer_hand,
        "seats": [_seat_json(seat, house) for seat in due.seats],
        "settle_order": list(due.settle_order),
        "meters_after": {name: cents_json(cents) for name, cents in due.meters_after.items()},
        "remedy": due.remedy,
        "cite": due.cite,
    }


def _seat_json(seat: SeatDue, house: House) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "hand": seat.hand,
        "versus": seat.versus,
        "net": cents_json(seat.net),
        "wagers": {wager: _line_json(line, house) for wager, line in seat.lines.items()},
    }


def _line_json(line: Line, house: House) -> dict[str, Any]:
    total = line.total_return
    body: dict[str, Any] = {
        "outcome": str(line.outcome),
        "stake": line.stake,
        "paid": None if line.paid is None else cents_json(line.paid),
        "stake_returned": line.stake_returned,
        "total_return": None if total is None else cents_json(total),
        "odds": None if line.pay is None else str(line.pay),
        "cite": line.cite,
    }
    if line.paid is not None and not isinstance(line.paid, int):
        body["paid_rounded"] = house.rounding.apply(line.paid, house.rounding_unit_cents)
    if line.outcome is Outcome.UNRESOLVED or line.why:
        body["why"] = line.why
    return body
