"""Writes clean rounds as a careful dealer would act them: bets, cards and what is due enter; moves leave."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from studio.play.ledger import Spot
from studio.play.players import (
    Chips,
    Dice,
    Person,
    Unsuited,
    fewest,
)
from studio.play.replay import BONUS, DEALER
from studio.play.script import Do, Move
from vision.rules.book.house import House
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Line, Outcome, SeatPlay
from vision.rules.hands.spread import Spread
from vision.rules.play.dealscript import SEAT, Delivery
from vision.values.cards import Hand

MOST_CHIPS = 60  # in one payment; larger ones are paid by hand, away from the table


@dataclass
class Box:
    """A betting position in the making."""

    seat: int
    person: Person
    bets: dict[str, Chips]
    cards: Hand = ()
    raises: dict[str, Chips] = field(default_factory=dict)
    folded_at: str | None = None  # the raise that was not made

    @property
    def folded(self) -> bool:
        """Tell whether the player gave the hand up."""
        return self.folded_at is not None

    def spec(self) -> SeatPlay:
        """Return the box as the rules see it."""
        wagers = {wager: sum(chips) for wager, chips in (self.bets | self.raises).items()}
        return SeatPlay(self.seat, self.cards, wagers, self.folded, self.person.name)


def bonus_wagers(house: House) -> frozenset[str]:
    """Return the wagers that are read with the bonus cards."""
    zones, plans = house.game.zones, house.plans
    return frozenset(w for w, plan in plans.items() if any(BONUS in zones.get(r.hand or "", ()) for r in plan.rules))


class CleanRound:
    """Writes the moves of a clean round, part by part."""

    def __init__(
        self, sheet: HouseSheet, boxes: dict[int, Box], belief: Mapping[Spot, Line], dice: Dice, deck: int
    ) -> None:
        self.sheet, self.house, self.boxes, self.belief = sheet, sheet.house, boxes, belief
        self.dice, self.deck = dice, deck
        self._face_up = bool(self.house.options.get("cards_dealt_face_up"))
        self._mucked: set[int] = set()
        self._bonus_turned = False
        self._bonus_wagers = bonus_wagers(self.house)
        self._early: list[int] = []  # seats whose players looked at once

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

    def deciding(self, best: Hand) -> Iterator[Move]:
        """Raise by raise: players look, raise or fold from the dealer's left; forfeits go, and cards are revealed."""
        yield from self._peeks()
        for stage in self.house.game.file.stage:
            if stage.does == "decide" and stage.wager is not None:
                yield from self._decisions(stage.wager)
                yield from self._forfeits(stage.wager)
            elif stage.does == "reveal" and len(self._mucked) < len(self.boxes):
                zone = stage.zone or ""
                count = stage.cards or self.house.game.file.counts[zone]
                yield Move(Do.REVEAL, zone=zone, count=count, cards=best if zone == DEALER else ())

    def _peeks(self) -> Iterator[Move]:
        """Most players look at their cards at once."""
        self._early = [seat for seat in self.boxes if not self._face_up and self.dice.chance(0.75)]
        yield from (Move(Do.PEEK, seat) for seat in self.dice.shuffled(self._early))

    def _decisions(self, raised: str) -> Iterator[Move]:
        """Raise or fold from the dealer's left; some look only when it is their turn."""
        spec = self.house.game.wagers[raised]
        for seat, box in self.boxes.items():
            if spec.of not in box.bets or not (raised in box.raises or raised == box.folded_at):
                continue
            if not self._face_up and (seat not in self._early or self.dice.chance(0.2)):
                yield Move(Do.PEEK, seat)
            yield Move(Do.FOLD, seat) if raised == box.folded_at else Move(Do.PLAY, seat, raised, box.raises[raised])

    def settling(self) -> Iterator[Move]:
        """Every seat from the dealer's right, envy, and the cards away."""
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
        """Return whether a hand earns others a bonus: it stays until they are paid."""
        spec, game = self.house.game.file.envy, self.house.game
        table = self.house.table(spec.table) if spec else None
        if spec is None or table is None:
            return False
        ranking = game.rankings[game.hand(self.house.hand_for(table, None, spec.hand_option)).rank]
        return ranking.first(Spread.of(self.boxes[seat].cards), table.by_class) is not None

    def _forfeits(self, raised: str) -> Iterator[Move]:
        """Take what the folds of a decision lost; the cards go too, unless a wager that lives needs them."""
        for seat, box in self.boxes.items():
            if box.folded_at != raised:
                continue
            made = box.bets | box.raises
            lost = [wager for wager in self.house.game.stakes if wager in made and self._is_lost(wager)]
            for wager in lost:
                if self.house.game.stakes[wager].taken is None:
                    yield Move(Do.TAKE, seat, wager)
            if len(lost) == len(made):
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
            if wager in self._bonus_wagers and not self._bonus_turned:
                self._bonus_turned = True
                yield Move(Do.TURN_BONUS)
            if line.outcome is Outcome.WIN:
                yield self._pay(seat, wager)
            elif spec.taken is None:
                yield Move(Do.GIVE_BACK if line.outcome is Outcome.RETURNED else Do.TAKE, seat, wager)

    def _pay(self, seat: int, wager: str) -> Move:
        """Pay as dealers do: mostly the fewest chips, sometimes in the player's colours, large sums heaped."""
        line = self.belief[seat, wager]
        cents = self.house.rounding.apply(line.paid or 0, self.house.rounding_unit_cents)
        chips = fewest(cents, self.sheet.chips_cents)
        stake = (self.boxes[seat].bets | self.boxes[seat].raises).get(wager, ())
        if sum(stake) == cents and self.dice.chance(0.4):
            chips = tuple(sorted(stake, reverse=True))
        if len(chips) > MOST_CHIPS or line.meter is not None:
            raise Unsuited("paid by hand, away from the table")
        return Move(Do.PAY, seat, wager, chips, count=int(len(chips) > 3 and self.dice.chance(0.4)))
