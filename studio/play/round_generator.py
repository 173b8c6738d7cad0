"""Writes rounds by the rule book: a house sheet, a table and a generator enter; moves and the truth about them leave.

It draws bets and cards, has the round written as a careful dealer would act it, lets the asked-for faults edit
it, and draws again where the cards do not offer what a fault needs. It knows no times and no places.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from studio.play.clean_round import Box, CleanRound
from studio.play.draft import Draft, Step
from studio.play.faults import FAULTS, INNOCENTS
from studio.play.ledger import Spot, ledger_of
from studio.play.players import (
    Dice,
    Person,
    Rng,
    TableSession,
    Unsuited,
    newcomer,
    place_bets,
    raise_cents,
    seed_of,
    stack,
)
from studio.play.procedure_faults import count_every, deck_record
from studio.play.replay import BONUS, COMMUNITY, DEALER, Facts, Slip
from studio.play.script import Do, Move, Script
from studio.play.truth import Record, record
from vision.rules.book.game import load_game
from vision.rules.book.house import House
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Line, PlayedRound
from vision.rules.due.settle import settle
from vision.rules.hands.spread import Spread
from vision.rules.play.dealscript import SEAT, Delivery, deliveries
from vision.values.cards import DECK, Card, Hand
from vision.values.errors import InputError, shown

MOST_DRAWS = 1500
PATIENCE = 15  # draws after which players bet more boldly and a newcomer may sit down
METER_SHARE = 4  # one part in so many of a progressive stake goes to each meter
INTERLUDES = ("opening", "deck-change", "idle")


@dataclass(frozen=True)
class WrittenRound:
    """A round to be acted out, and what is true about it."""

    script: Script
    truth: Record


def write_round(
    sheet: HouseSheet, table: TableSession, rng: Rng, faults: Sequence[str] = (), innocents: Sequence[str] = ()
) -> WrittenRound:
    """Write the table's next round with the faults and innocent confusions asked for; the table moves on."""
    _check_names(sheet, faults, innocents)
    seed = seed_of(rng)
    for attempt in range(MOST_DRAWS):
        try:
            return _Attempt(sheet, table, seed, attempt).write(faults, innocents)
        except Unsuited:
            continue
    raise InputError(f"faults: {shown([*faults, *innocents])}: cannot happen together at this table now")


def _check_names(sheet: HouseSheet, faults: Sequence[str], innocents: Sequence[str]) -> None:
    for what, names, known in (("fault", faults, FAULTS), ("innocent", innocents, INNOCENTS)):
        for name in names:
            if name not in known:
                raise InputError(f"{what}: {shown(name)}: want one of {', '.join(known)}")
    for name in faults:
        if not FAULTS[name].fits(sheet):
            raise InputError(f"fault: {shown(name)}: not a fault, or not possible, by {sheet.game} in {sheet.name!r}")


def write_interlude(sheet: HouseSheet, table: TableSession, rng: Rng, kind: str) -> Script:
    """Write what happens between rounds: opening a deck, changing it, waiting for players."""
    dice = Dice(seed_of(rng), 1)
    other = 1 - table.deck
    match kind:
        case "opening":
            moves = [Move(Do.OPEN, deck=table.deck)]
            table.deck_opened_ns, table.is_deck_new = None, True
        case "deck-change":
            moves = [Move(Do.CHANGE_DECK, deck=other), Move(Do.OPEN, deck=other)]
            table.deck, table.rounds_since_count = other, 0
            table.deck_opened_ns, table.is_deck_new = None, True
        case "idle":
            moves = [Move(Do.WAIT, seconds=dice.span(8, 40), note="idle")]
        case _:
            raise InputError(f"interlude: {shown(kind)}: want one of {', '.join(INTERLUDES)}")
    return Script(tuple(moves), (), sheet.deal_method, bool(sheet.house.options.get("cards_dealt_face_up")))


class _Attempt:
    """One try at a round: everything is drawn anew from the seed and the number of the try."""

    def __init__(self, sheet: HouseSheet, table: TableSession, seed: int, attempt: int) -> None:
        self.sheet, self.table, self.house = sheet, table, sheet.house
        self._key, self._is_eager = (seed, attempt), attempt >= PATIENCE
        self.dice = self._dice(0)
        self.people = list(table.people)
        self.boxes = self._bet()
        self.deck = 1 - table.deck if sheet.decks > 1 and table.rounds else table.deck
        self.meters = self._meters()

    def _dice(self, stream: int) -> Dice:
        return Dice(*self._key, stream)

    def write(self, faults: Sequence[str], innocents: Sequence[str]) -> WrittenRound:
        """Write the round, or find it unsuited."""
        draft = self._draft()
        for name in faults:
            draft.name = name
            FAULTS[name].edit(draft, self._dice(2))
        if any(mark.step not in draft.steps for mark in draft.marks):
            raise Unsuited("one fault undid another")
        self._gather(draft)
        for name in innocents:
            INNOCENTS[name](draft, self._dice(3))
        return self._finish(draft)

    # ---- Drawing

    def _bet(self) -> dict[int, Box]:
        if self._is_eager and len(self.table.taken) == 1:
            self.people.append(newcomer(self.sheet, self.table, self.dice))
        present = [person for person in self.people if self._is_eager or self.dice.chance(0.93)] or self.people[:1]
        boxes = [(seat, person) for person in present for seat in person.seats]
        return {s: Box(s, p, place_bets(self.sheet, p, self.dice, self._is_eager)) for s, p in sorted(boxes, key=_seat)}

    def _meters(self) -> dict[str, int]:
        added = sum(sum(box.bets.get("progressive", ())) for box in self.boxes.values()) // METER_SHARE
        return {meter: cents + added for meter, cents in self.table.meters.items()}

    def _deal(self) -> tuple[list[tuple[Delivery, Hand]], list[Card]]:
        """Shuffle and deal; return what went where, and the stub."""
        made = frozenset(wager for box in self.boxes.values() for wager in box.bets)
        stub = self.dice.shuffled(DECK)
        script = deliveries(self.house.game.file.deal[self.sheet.deal_method], self.boxes, made)
        return [(delivery, tuple(stub.pop() for _ in range(delivery.cards))) for delivery in script], stub

    def _decide(self, shared: Hand) -> None:
        """Let every box decide raise by raise, with as many of the shared cards as show by then."""
        shown = 0
        for stage in self.house.game.file.stage:
            if stage.does == "reveal" and stage.zone == COMMUNITY:
                shown = stage.cards or len(shared)
            if stage.does == "decide" and stage.wager is not None:
                for box in self.boxes.values():
                    self._raise(box, stage.wager, (*box.cards, *shared[:shown]))

    def _raise(self, box: Box, raised: str, known: Hand) -> None:
        ante = sum(box.bets.get(self.house.game.wagers[raised].of or "", ()))
        if not ante or box.folded:
            return
        cents = raise_cents(self.sheet, box.person, raised, known, ante, self.dice)
        chips = stack(cents, self.sheet.chips_cents, self.dice, box.person.messy)
        if cents:
            box.raises[raised] = chips
        else:
            box.folded_at = raised

    def _draft(self) -> Draft:
        dealt, stub = self._deal()
        for box in self.boxes.values():
            box.cards = _hand(dealt, SEAT, box.seat)
        self._decide(_hand(dealt, COMMUNITY))
        played = PlayedRound(
            tuple(box.spec() for box in self.boxes.values()),
            _hand(dealt, DEALER),
            _hand(dealt, BONUS),
            _hand(dealt, COMMUNITY),
            meters=self.meters,
            seeds=self.table.seeds,
        )
        belief = believed(self.sheet, played)
        dealer = _hand(dealt, DEALER)
        due = self._is_count_due()
        counted = due or (count_every(self.sheet) is not None and self.dice.chance(0.15))
        clean = CleanRound(self.sheet, self.boxes, belief, self._dice(1), self.deck)
        is_changed = self.deck != self.table.deck
        moves = [
            *clean.betting(is_changed),
            *clean.dealing(dealt, counted),
            *clean.deciding(best_hand(self.house, dealer)),
            *clean.settling(),
        ]
        return Draft(
            sheet=self.sheet,
            steps=[Step(move) for move in moves],
            stub=stub,
            deck=self.deck,
            last_deck=self.table.deck,
            is_first=self.table.rounds == 0,
            is_count_due=due,
            deck_opened_ns=self.table.deck_opened_ns,
            is_deck_new=self.table.is_deck_new,
        )

    def _is_count_due(self) -> bool:
        every = count_every(self.sheet)
        return every is not None and self.table.rounds_since_count >= every - 1

    # ---- Finishing

    def _gather(self, draft: Draft) -> None:
        """Let players take back what lies on their spots, some time after the dealer is done with them."""
        ledger = ledger_of(draft.moves)
        dice = self._dice(4)
        for seat in [seat for seat in self.boxes if ledger.lying(seat)]:
            done = [i for i, step in enumerate(draft.steps) if step.move.seat == seat]
            at = min(done[-1] + 1 + dice.between(0, 4), len(draft.steps))
            draft.steps.insert(at, Step(Move(Do.GATHER, seat)))

    def _finish(self, draft: Draft) -> WrittenRound:
        moves = _filled(draft.moves)
        number = self.table.rounds + 1
        slips = [Slip(m.name, m.code, m.seat, m.wager, draft.steps.index(m.step)) for m in draft.marks]
        players = {box.seat: box.person.name for box in self.boxes.values()}
        facts = Facts(
            round_id=f"{self.table.name}-{number:04d}",
            table=self.table.name,
            players=players,
            meters=self.meters,
            seeds=self.table.seeds,
            slips=slips,
            deck=deck_record(self.sheet, draft.deck_opened_ns),
        )
        truth = record(self.sheet, moves, facts)
        self._move_on(draft, moves)
        face_up = bool(self.house.options.get("cards_dealt_face_up"))
        paid_at = {wager.id: wager.on for wager in self.house.game.wagers.values() if wager.on is not None}
        return WrittenRound(Script(moves, tuple(self.boxes), self.sheet.deal_method, face_up, paid_at), truth)

    def _move_on(self, draft: Draft, moves: Sequence[Move]) -> None:
        """Leave the table as the next round finds it."""
        table, purses = self.table, ledger_of(moves).purses
        counted = any(move.do is Do.STUB and move.count for move in moves)
        table.people, table.deck, table.meters = self.people, draft.deck, self.meters
        table.deck_opened_ns, table.is_deck_new = draft.deck_opened_ns, draft.is_deck_new
        table.rounds += 1
        table.rounds_since_count = 0 if counted else table.rounds_since_count + 1
        for person in self.people:
            gain = sum(purses[seat] for seat in person.seats)
            person.bankroll_cents += gain
            person.won_last = gain > 0
            if person.bankroll_cents < 10 * person.unit_cents:
                again = person.unit_cents * self._dice(5).between(15, 40)
                person.bankroll_cents += again
                person.bought_in_cents += again


@cache
def _custom() -> House:
    """Return how dealers settle where a text leaves the base game out: as Maryland does."""
    return House.choose(load_game("four-card-poker/md"), {"aces_up": "D"}, {})


def believed(sheet: HouseSheet, played: PlayedRound) -> dict[Spot, Line]:
    """Return what an attentive dealer pays and takes: what is due, and where the text is silent, what is customary."""
    due = {(seat.seat, wager): line for seat in settle(sheet.house, played).seats for wager, line in seat.lines.items()}
    if all(line.paid is not None for line in due.values()):
        return due
    usual = {(s.seat, w): line for s in settle(_custom(), played).seats for w, line in s.lines.items()}
    merged = {spot: usual[spot] if line.paid is None and spot in usual else line for spot, line in due.items()}
    if any(line.paid is None for line in merged.values()):
        raise Unsuited("nobody could settle this")
    return merged


def best_hand(house: House, dealer: Hand) -> Hand:
    """Return the cards that the dealer plays; none where the dealer has no hand."""
    if not dealer:
        return ()
    ranking = house.game.rankings[house.game.hand(house.game.file.main_hand).rank]
    return max(combinations(dealer, ranking.pick), key=lambda part: ranking.standing(Spread.of(part)).strength)


def _hand(dealt: Sequence[tuple[Delivery, Hand]], zone: str, seat: int | None = None) -> Hand:
    return tuple(card for delivery, cards in dealt if delivery.place == (zone, seat) for card in cards)


def _seat(box: tuple[int, Person]) -> int:
    return box[0]


def _filled(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Write into each move of chips which chips it moves."""
    ledger = ledger_of(())
    return tuple(replace(move, chips=ledger.apply(move)) for move in moves)
