"""Writes rounds by the rule book: a house sheet, a table and a generator enter; moves and the truth about them leave.

The author draws bets and cards, writes the round as a careful dealer would act it, lets the asked-for faults edit it,
and draws again where the cards do not offer what a fault needs. It knows no times and no places.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from vision.cards import DECK, Card, Hand
from vision.errors import InputError, shown
from vision.rules.book.game import load_game
from vision.rules.book.house import House
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Line, Outcome, PlayedRound, SeatPlay
from vision.rules.due.settle import settle
from vision.rules.hands.spread import Spread
from vision.rules.play.dealscript import SEAT, Delivery, deliveries
from vision.simulate.play.faults import FAULTS, INNOCENTS, Draft, Step, count_every
from vision.simulate.play.players import (
    Chips,
    Dice,
    Person,
    Rng,
    TableSession,
    Unsuited,
    fewest,
    newcomer,
    place_bets,
    play_cents,
    seed_of,
    stack,
)
from vision.simulate.play.script import Do, Move, Script
from vision.simulate.play.truth import BONUS, DEALER, Facts, Record, Slip, Spot, ledger_of, record

MOST_DRAWS = 1500
PATIENCE = 15  # draws after which players bet more boldly and a newcomer may sit down
MOST_CHIPS = 60  # in one payment; larger ones are paid by hand, away from the table
METER_SHARE = 4  # one part in so many of a progressive stake goes to each meter
INTERLUDES = ("opening", "deck-change", "idle")


@dataclass(frozen=True)
class WrittenRound:
    """A round to be acted out, and what is true about it."""

    script: Script
    truth: Record


@dataclass
class Box:
    """A betting position in the making."""

    seat: int
    person: Person
    bets: dict[str, Chips]
    cards: Hand = ()
    play: Chips = ()
    folded: bool = False

    def spec(self) -> SeatPlay:
        """Return the box as the rules see it."""
        wagers = {wager: sum(chips) for wager, chips in self.bets.items()}
        wagers |= {"play": sum(self.play)} if self.play else {}
        return SeatPlay(self.seat, self.cards, wagers, self.folded, self.person.name)


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
        case "deck-change":
            moves = [Move(Do.CHANGE_DECK, deck=other), Move(Do.OPEN, deck=other)]
            table.deck, table.rounds_since_count = other, 0
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

    def _decide(self) -> None:
        for box in self.boxes.values():
            ante = sum(box.bets.get("ante", ()))
            if ante:
                cents = play_cents(self.house, box.person, box.cards, ante, self.dice)
                box.folded = not cents
                box.play = stack(cents, self.sheet.chips_cents, self.dice, box.person.messy)

    def _draft(self) -> Draft:
        dealt, stub = self._deal()
        for box in self.boxes.values():
            box.cards = _hand(dealt, SEAT, box.seat)
        self._decide()
        played = PlayedRound(
            tuple(box.spec() for box in self.boxes.values()),
            _hand(dealt, DEALER),
            _hand(dealt, BONUS),
            meters=self.meters,
            seeds=self.table.seeds,
        )
        belief = believed(self.sheet, played)
        dealer = _hand(dealt, DEALER)
        due = self._is_count_due()
        counted = due or (count_every(self.sheet) is not None and self.dice.chance(0.15))
        pen = _Pen(self.sheet, self.boxes, belief, self._dice(1), self.deck)
        is_changed = self.deck != self.table.deck
        moves = [*pen.betting(is_changed), *pen.dealing(dealt, counted), *pen.deciding(), *pen.settling(dealer)]
        steps = [Step(move) for move in moves]
        return Draft(self.sheet, steps, belief, stub, self.deck, self.table.deck, self.table.rounds == 0, due)

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
        facts = Facts(f"{self.table.name}-{number:04d}", self.table.name, players, self.meters, self.table.seeds, slips)
        truth = record(self.sheet, moves, facts)
        self._move_on(draft, moves)
        face_up = bool(self.house.options.get("cards_dealt_face_up"))
        return WrittenRound(Script(moves, tuple(self.boxes), self.sheet.deal_method, face_up), truth)

    def _move_on(self, draft: Draft, moves: Sequence[Move]) -> None:
        """Leave the table as the next round finds it."""
        table, purses = self.table, ledger_of(moves).purses
        counted = any(move.do is Do.STUB and move.count for move in moves)
        table.people, table.deck, table.meters = self.people, draft.deck, self.meters
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


class _Pen:
    """Writes the moves of a clean round, part by part."""

    def __init__(
        self, sheet: HouseSheet, boxes: dict[int, Box], belief: Mapping[Spot, Line], dice: Dice, deck: int
    ) -> None:
        self.sheet, self.house, self.boxes, self.belief = sheet, sheet.house, boxes, belief
        self.dice, self.deck = dice, deck
        self._face_up = bool(self.house.options.get("cards_dealt_face_up"))
        self._mucked: set[int] = set()
        self._bonus_turned = False

    def betting(self, is_changed: bool) -> Iterator[Move]:
        """Chips come down in any order of people; then no more bets, and the progressive chips are collected."""
        if is_changed:
            yield Move(Do.CHANGE_DECK, deck=self.deck)
        for seat in self.dice.shuffled(list(self.boxes)):
            for wager, chips in self.boxes[seat].bets.items():
                yield from self._bet(seat, wager, chips)
            if self.dice.chance(0.06):
                yield Move(Do.PROP, seat, note=self.dice.pick(("drink", "phone", "cash")))
        yield Move(Do.CLOSE)
        if any("progressive" in box.bets for box in self.boxes.values()):
            yield Move(Do.COLLECT_PROGRESSIVE, wager="progressive")

    def _bet(self, seat: int, wager: str, chips: Chips) -> Iterator[Move]:
        cut = self.dice.between(1, len(chips) - 1) if len(chips) > 1 and self.dice.chance(0.12) else len(chips)
        yield Move(Do.BET, seat, wager, chips[:cut])
        if chips[cut:]:
            yield Move(Do.ADD, seat, wager, chips[cut:])
        if self.dice.chance(0.05) and wager != "progressive":
            yield Move(Do.STRAIGHTEN, seat, wager)

    def dealing(self, dealt: Sequence[tuple[Delivery, Hand]], counted: bool) -> Iterator[Move]:
        """Deal by the book; the last `up` cards of a delivery lie face up."""
        for delivery, cards in dealt:
            up = len(cards) if delivery.zone == SEAT and self._face_up else delivery.face_up
            yield Move(Do.DEAL, delivery.seat, zone=delivery.zone, cards=cards, up=up, deck=self.deck)
        yield Move(Do.STUB, count=int(counted), deck=self.deck)

    def deciding(self) -> Iterator[Move]:
        """Players look, most of them at once, some when it is their turn; then play or fold from the dealer's left."""
        early = [seat for seat in self.boxes if not self._face_up and self.dice.chance(0.75)]
        for seat in self.dice.shuffled(early):
            yield Move(Do.PEEK, seat)
        for seat, box in self.boxes.items():
            if "ante" in box.bets:
                if not self._face_up and (seat not in early or self.dice.chance(0.2)):
                    yield Move(Do.PEEK, seat)
                yield Move(Do.FOLD, seat) if box.folded else Move(Do.PLAY, seat, "play", box.play)

    def settling(self, dealer: Hand) -> Iterator[Move]:
        """Forfeits first, then the reveal, every seat from the dealer's right, envy, and the cards away."""
        yield from self._forfeits()
        if len(self._mucked) < len(self.boxes):
            yield Move(Do.REVEAL, cards=best_four(self.house, dealer))
        envy = [seat for seat in reversed(self.boxes) if (seat, "envy") in self.belief]
        stays = [seat for seat in reversed(self.boxes) if envy and self._is_envied(seat) and seat not in self._mucked]
        for seat in reversed(self.boxes):
            if seat not in self._mucked:
                yield from self._turn(seat)
                if seat not in stays:
                    yield Move(Do.MUCK, seat)
        yield from (self._pay(seat, "envy") for seat in envy)
        yield from (Move(Do.MUCK, seat) for seat in stays)
        yield Move(Do.MUCK_DEALER)

    def _is_envied(self, seat: int) -> bool:
        """Tell whether a hand earns others a bonus: it stays until they are paid."""
        spec, game = self.house.game.file.envy, self.house.game
        table = self.house.table(spec.table) if spec else None
        if spec is None or table is None:
            return False
        ranking = game.rankings[game.hand(self.house.hand_for(table, None, spec.hand_option)).rank]
        return ranking.first(Spread.of(self.boxes[seat].cards), table.by_class) is not None

    def _forfeits(self) -> Iterator[Move]:
        """Take what a fold lost; the cards go too, unless a wager that lives needs them."""
        for seat, box in self.boxes.items():
            if not box.folded:
                continue
            lost = [wager for wager in self.house.game.stakes if wager in box.bets and self._is_lost(wager)]
            for wager in lost:
                if self.house.game.stakes[wager].taken is None:
                    yield Move(Do.TAKE, seat, wager)
            if len(lost) == len(box.bets):
                self._mucked.add(seat)
                yield Move(Do.MUCK, seat)

    def _is_lost(self, wager: str) -> bool:
        fold = self.house.plans[wager].fold
        return fold is not None and fold.fate in ("forfeit", "lose")

    def _turn(self, seat: int) -> Iterator[Move]:
        """Show a seat's cards, then take or pay wager by wager in the game's order."""
        yield Move(Do.SHOW, seat)
        for wager, spec in self.house.game.wagers.items():
            line = self.belief.get((seat, wager))
            if line is None or line.outcome is Outcome.FORFEIT or (self.boxes[seat].folded and self._is_lost(wager)):
                continue
            if wager == "six_card" and not self._bonus_turned:
                self._bonus_turned = True
                yield Move(Do.TURN_BONUS)
            if line.outcome is Outcome.WIN:
                yield self._pay(seat, wager)
            elif spec.taken is None:
                yield Move(Do.TAKE, seat, wager)

    def _pay(self, seat: int, wager: str) -> Move:
        """Pay as dealers do: mostly the fewest chips, sometimes in the player's colours, large sums heaped."""
        line = self.belief[seat, wager]
        cents = self.house.rounding.apply(line.paid or 0, self.house.rounding_unit_cents)
        chips = fewest(cents, self.sheet.chips_cents)
        stake = self.boxes[seat].play if wager == "play" else self.boxes[seat].bets.get(wager, ())
        if sum(stake) == cents and self.dice.chance(0.4):
            chips = tuple(sorted(stake, reverse=True))
        if len(chips) > MOST_CHIPS or line.meter is not None:
            raise Unsuited("paid by hand, away from the table")
        return Move(Do.PAY, seat, wager, chips, count=int(len(chips) > 3 and self.dice.chance(0.4)))


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


def best_four(house: House, dealer: Hand) -> Hand:
    """Return the four cards that the dealer plays."""
    ranking = house.game.rankings["four"]
    return max(combinations(dealer, ranking.pick), key=lambda four: ranking.standing(Spread.of(four)).strength)


def _hand(dealt: Sequence[tuple[Delivery, Hand]], zone: str, seat: int | None = None) -> Hand:
    return tuple(card for delivery, cards in dealt if delivery.place == (zone, seat) for card in cards)


def _seat(box: tuple[int, Person]) -> int:
    return box[0]


def _filled(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Write into each move of chips which chips it moves."""
    ledger = ledger_of(())
    return tuple(replace(move, chips=ledger.apply(move)) for move in moves)
