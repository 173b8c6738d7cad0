"""The hands of one seat, read from the cards on the table when a rule asks for them."""

from vision.rules.book.game import Game
from vision.rules.due.record import PlayedRound, SeatPlay, Undecided
from vision.rules.hands.ranking import Standing
from vision.rules.hands.spread import Spread
from vision.rules.text.gamefile import Guard, Row, Table, Threshold
from vision.values.cards import Card, DealtHand

NOT_SEEN = "a card of the hand was not seen"


class SeatHands:
    """Answers questions about one seat's hands; every hand is laid out and ranked at most once."""

    def __init__(self, game: Game, played: PlayedRound, seat: SeatPlay, shared: "SeatHands | None" = None) -> None:
        self._game = game
        self._zones: dict[str, DealtHand] = {
            "seat.hand": seat.cards,
            "dealer.hand": played.dealer,
            "table.bonus": played.bonus,
            "table.community": played.community,
        }
        self._shared = shared  # hands without seat cards are the same for every seat
        self._spreads: dict[tuple[str, ...], Spread | Undecided] = {}  # by zones: several hands share cards
        self._standings: dict[str, Standing | Undecided] = {}
        self._versus: str | Undecided | None = None

    def spread(self, name: str) -> Spread | Undecided:
        """Return a hand's cards laid out."""
        zones = self._game.zones[name]
        if zones not in self._spreads:
            self._spreads[zones] = self._lay_out(zones)
        return self._spreads[zones]

    def standing(self, name: str) -> Standing | Undecided:
        """Return a hand's class and strength."""
        if self._shared is not None and "seat.hand" not in self._game.hand(name).cards:
            return self._shared.standing(name)
        if name not in self._standings:
            spread = self.spread(name)
            ranking = self._game.rankings[self._game.hand(name).rank]
            self._standings[name] = spread if isinstance(spread, Undecided) else ranking.standing(spread)
        return self._standings[name]

    def cls(self, name: str) -> str | None:
        """Return a hand's class, None where it is not known."""
        standing = self.standing(name)
        return None if isinstance(standing, Undecided) else standing.cls

    def first_row(self, name: str, table: Table) -> Row | Undecided | None:
        """Return the first row of a paytable that a hand contains."""
        spread = self.spread(name)
        if isinstance(spread, Undecided):
            return spread
        cls = self._game.rankings[self._game.hand(name).rank].first(spread, table.by_class)
        return None if cls is None else table.by_class[cls]

    def versus(self) -> str | Undecided:
        """Compare the seat with the dealer: 'win', 'tie' or 'lose'."""
        if self._versus is None:
            self._versus = self._compare()
        return self._versus

    def _compare(self) -> str | Undecided:
        first, second = (self.standing(name) for name in self._game.file.versus)
        if isinstance(first, Undecided):
            return first
        if isinstance(second, Undecided):
            return Undecided("the dealer's hand was not seen whole")
        if first.strength == second.strength:
            return "tie"
        return "win" if first.strength > second.strength else "lose"

    def holds(self, guard: Guard) -> bool | Undecided:
        """Tell whether a row's guard holds; options are the house's business and already dealt with."""
        if guard.vs is not None:
            versus = self.versus()
            if isinstance(versus, Undecided):
                return versus
            if versus not in FITTING[guard.vs]:
                return False
        if guard.at_least is not None and (reached := self._reaches(guard.at_least)) is not True:
            return reached
        if guard.below is not None:
            reached = self._reaches(guard.below)
            return reached if isinstance(reached, Undecided) else not reached
        return True

    def _reaches(self, threshold: Threshold) -> bool | Undecided:
        standing = self.standing(threshold.hand)
        if isinstance(standing, Undecided):
            return standing
        ranking = self._game.rankings[self._game.hand(threshold.hand).rank]
        return standing.strength >= ranking.threshold(threshold.cls, threshold.rank)

    def _lay_out(self, zones: tuple[str, ...]) -> Spread | Undecided:
        cards: list[Card] = []
        for zone in zones:
            if len(self._zones[zone]) != self._game.file.counts[zone]:
                return Undecided(_wrong_number(zone, len(self._zones[zone]), self._game.file.counts[zone]))
            for card in self._zones[zone]:
                if not isinstance(card, Card):
                    return Undecided(NOT_SEEN)
                cards.append(card)
        return Spread.of(tuple(cards))


def _wrong_number(zone: str, found: int, want: int) -> str:
    what = zone.split(".")[1]
    return f"{found} {what} cards lie on the table, should be {want}" if found else f"no {what} cards were dealt"


FITTING = {">=": ("win", "tie"), ">": ("win",), "=": ("tie",), "<": ("lose",)}
