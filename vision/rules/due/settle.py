"""Settlement: a house and a played round enter; what every wager is due leaves. No clock, no pixels, no I/O."""

from collections.abc import Iterator, Mapping, Sequence

from vision.rules.book.house import House
from vision.rules.due.cap import Lines, hold_to_limit
from vision.rules.due.decision import decide, missing_base
from vision.rules.due.envy import envy_of
from vision.rules.due.irregular import gravest, misdeal, repeated_cards
from vision.rules.due.lines import Box, settle_box
from vision.rules.due.meters import Meters
from vision.rules.due.notes import notes_on
from vision.rules.due.record import (
    Line,
    Outcome,
    PlayedRound,
    SeatDue,
    SeatPlay,
    Settlement,
    Status,
    Undecided,
    Violation,
    unresolved,
)
from vision.rules.due.seathands import SeatHands
from vision.rules.text.gamefile import Irregular


def settle(house: House, played: PlayedRound) -> Settlement:
    """Return what is due on every wager of a round, with the rule it rests on."""
    repeated = repeated_cards(played)
    if repeated:
        return invalid_cards(played, f"on the table twice: {' '.join(map(str, repeated))}")
    wrong = misdeal(house.game, played)
    if wrong is not None:
        return _interrupted(house, played, *wrong)
    grave = gravest(house.game, played.irregularities)
    if grave is not None and grave.effect in ("void", "supervisor"):
        return _interrupted(house, played, grave)
    return _settled(house, played, grave)


def invalid_cards(played: PlayedRound, why: str) -> Settlement:
    """Return the answer to cards that cannot lie on a table."""
    return Settlement(Status.INVALID_CARDS, notes=(why,), meters_after=played.meters)


def settlement_order(played: PlayedRound) -> list[SeatPlay]:
    """Return the seats from the dealer's right to the left: the last dealt first."""
    return sorted(played.seats, key=lambda play: play.seat, reverse=True)


def _settled(house: House, played: PlayedRound, irregular: Irregular | None) -> Settlement:
    boxes = _boxes(house, played)
    meters = Meters(played)
    lines: Lines = {box.play.seat: settle_box(house, box, meters) for box in boxes}
    held = hold_to_limit(house, boxes, lines)
    violations = [violation for box in reversed(boxes) for violation in _violations(house, box)]
    violations += _pay_envy(house, boxes, lines)
    after = meters.after()
    if house.options.get("meter_winners") == "house_procedure":
        shared = frozenset(meter for meter, winners in meters.winners.items() if winners > 1)
        lines = _left_to_house(lines, shared)
        after = {meter: played.meters[meter] if meter in shared else cents for meter, cents in after.items()}
    seats = {box.play.seat: _seat_due(house, box, lines[box.play.seat]) for box in boxes}
    return Settlement(
        Status.SETTLED,
        seats=tuple(seats[play.seat] for play in played.seats),
        violations=tuple(violations),
        notes=(*notes_on(house, played, lines, irregular), *held),
        dealer_hand=_dealer_hand(house, played),
        settle_order=tuple(box.play.seat for box in boxes),
        meters_after=after,
    )


def _interrupted(house: House, played: PlayedRound, entry: Irregular, detail: str | None = None) -> Settlement:
    """Answer a round that a rule voids, in whole or in part, or that no rule covers."""
    notes = () if detail is None else (detail,)
    if entry.effect == "supervisor":
        return Settlement(
            Status.SUPERVISOR, notes=notes, meters_after=played.meters, remedy=entry.remedy, cite=entry.cite
        )
    boxes = _boxes(house, played) if entry.still_settle else []
    live = {box.play.seat: settle_box(house, box, Meters(played), frozenset(entry.still_settle)) for box in boxes}
    held = hold_to_limit(house, boxes, live)
    seats = []
    for play in played.seats:
        refundable = [*entry.refund, *house.game.file.game.not_here]
        refunds = {wager: _refund(play, wager, entry) for wager in refundable if play.stake(wager)}
        seats.append(SeatDue(play.seat, None, None, _in_order(house, {**refunds, **live.get(play.seat, {})})))
    return Settlement(
        Status.VOID,
        seats=tuple(seats),
        notes=(*notes, *held),
        violations=tuple(_too_many(house, played.seats)),
        settle_order=tuple(box.play.seat for box in boxes),
        meters_after=played.meters,
        remedy=entry.remedy,
        cite=entry.cite,
    )


def _boxes(house: House, played: PlayedRound) -> list[Box]:
    """Return the seats in settlement order, each with its decision and hands."""
    dealer = _house_hands(house, played)
    boxes = []
    for play in settlement_order(played):
        hands = SeatHands(house.game, played, play, shared=dealer)
        boxes.append(Box(play, decide(house.game, play, hands), hands))
    return boxes


def _violations(house: House, box: Box) -> Iterator[Violation]:
    yield from _too_many(house, [box.play])
    yield from box.decision.violations
    yield from missing_base(house.game, box.play)


def _too_many(house: House, seats: Sequence[SeatPlay]) -> Iterator[Violation]:
    about = house.game.file.game
    for play in seats:
        if about.seats_max is not None and play.seat > about.seats_max:
            detail = f"seat {play.seat}: the table has {about.seats_max}"
            yield Violation("too-many-seats", play.seat, detail, about.cite)


def _pay_envy(house: House, boxes: Sequence[Box], lines: Lines) -> list[Violation]:
    """Add the envy lines; return the stakes for which the text has no amounts."""
    envy = envy_of(house, boxes)
    violations: list[Violation] = []
    for box in boxes if envy is not None else ():
        due = envy.line(box) if envy is not None else None
        if isinstance(due, Violation):
            violations.append(due)
        elif due is not None:
            lines[box.play.seat]["envy"] = due
    return violations


def _left_to_house(lines: Lines, shared: frozenset[str]) -> Lines:
    """Leave the meters that several players won to the house's own procedure."""
    why = "several meter winners: the house's own procedure decides (A-13)"
    return {
        seat: {
            wager: unresolved(line.stake, why, line.cite) if line.meter in shared else line
            for wager, line in own.items()
        }
        for seat, own in lines.items()
    }


def _seat_due(house: House, box: Box, lines: Mapping[str, Line]) -> SeatDue:
    game = house.game
    compared = bool(game.file.versus and game.decisions and box.play.stake(game.decisions[-1].id))
    versus = box.hands.versus() if compared and not box.decision.is_disputed else None
    return SeatDue(
        seat=box.play.seat,
        hand=box.hands.cls(game.file.main_hand),
        versus=None if isinstance(versus, Undecided) else versus,
        lines=lines,
    )


def _dealer_hand(house: House, played: PlayedRound) -> str | None:
    return _house_hands(house, played).cls("dealer") if "dealer" in house.game.file.hand else None


def _house_hands(house: House, played: PlayedRound) -> SeatHands:
    """Return the hands that no seat's cards belong to."""
    nobody = SeatPlay(0, (), {})
    return SeatHands(house.game, played, nobody)


def _refund(play: SeatPlay, wager: str, entry: Irregular) -> Line:
    return Line(Outcome.RETURNED, play.stake(wager), 0, play.stake(wager), entry.cite)


def _in_order(house: House, lines: Mapping[str, Line]) -> dict[str, Line]:
    names = [*house.game.wagers, *house.game.file.game.not_here]
    return {wager: lines[wager] for wager in names if wager in lines}
