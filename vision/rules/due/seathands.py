"""The hands of one seat, read from the cards on the table when a rule asks for them."""

from vision.cards import Card, DealtHand
from vision.rules.book.game import Game
from vision.rules.due.record import PlayedRound, SeatPlay, Undecided
from vision.rules.hands.ranking import Standing
from vision.rules.hands.spread import Spread
from vision.rules.text.gamefile import Guard, Threshold

NOT_DEALT = {"table.bonus": "the bonus card was not dealt", "table.community": "the community cards were not dealt"}
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
        self._spreads: dict[str, Spread | Undecided] = {}
        self._standings: dict[str, Standing | Undecided] = {}

    def spread(self, name: str) -> Spread | Undecided:
        """Return a hand's cards laid out."""
        if name not in self._spreads:
            self._spreads[name] = self._lay_out(name)
        return self._spreads[name]

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

    def contains(self, name: str, cls: str) -> bool | Undecided:
        """Tell whether a hand contains a class."""
        spread = self.spread(name)
        if isinstance(spread, Undecided):
            return spread
        return self._game.rankings[self._game.hand(name).rank].contains(spread, cls)

    def versus(self) -> str | Undecided:
        """Compare the seat with the dealer: 'win', 'tie' or 'lose'."""
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
        for threshold, wanted in ((guard.at_least, True), (guard.below, False)):
            if threshold is not None:
                reached = self._reaches(threshold)
                if isinstance(reached, Undecided):
                    return reached
                if reached is not wanted:
                    return False
        return True

    def _reaches(self, threshold: Threshold) -> bool | Undecided:
        standing = self.standing(threshold.hand)
        if isinstance(standing, Undecided):
            return standing
        ranking = self._game.rankings[self._game.hand(threshold.hand).rank]
        return standing.strength >= ranking.threshold(threshold.cls, threshold.rank)

    def _lay_out(self, name: str) -> Spread | Undecided:
        cards: list[Card] = []
        for zone in self._game.hand(name).cards:
            if not self._zones[zone]:
                return Undecided(NOT_DEALT.get(zone, NOT_SEEN))
            for card in self._zones[zone]:
                if not isinstance(card, Card):
                    return Undecided(NOT_SEEN)
                cards.append(card)
        return Spread.of(tuple(cards))


FITTING = {">=": ("win", "tie"), ">": ("win",), "=": ("tie",), "<": ("lose",)}
