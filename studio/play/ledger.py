"""Where every chip is: moves enter one after the other; stakes, payments, the tray and the purses leave."""

from collections import defaultdict
from collections.abc import Iterable

from studio.play.players import Chips
from studio.play.script import Do, Move

Spot = tuple[int, str]  # seat, wager


class Ledger:
    """Where every chip is: on spots, paid beside them, in the tray, with the players."""

    def __init__(self) -> None:
        self.stakes: dict[Spot, Chips] = {}
        self.beside: dict[Spot, Chips] = {}
        self.tray = 0
        self.purses: dict[int, int] = defaultdict(int)  # by seat
        self.paid: dict[Spot, int] = defaultdict(int)
        self.taken: dict[Spot, int] = defaultdict(int)
        self.given_back: dict[Spot, int] = defaultdict(int)
        self.skipped: set[Spot] = set()  # stakes that were passed over when their kind was collected

    def apply(self, move: Move) -> Chips:
        """Move the chips of one move and return them."""
        spot = (move.seat or 0, move.wager or "")
        match move.do:
            case Do.BET | Do.ADD | Do.PLAY:
                return self._put(spot, move.chips)
            case Do.PINCH:
                return self._pinch(spot, move.chips)
            case Do.COLLECT_PROGRESSIVE:
                return self._collect(spot[1], move.skip)
            case Do.TAKE:
                self.taken[spot] += sum(self.stakes.get(spot, ()))
                return self._take(spot)
            case Do.PAY:
                self.tray -= sum(move.chips)
                self.paid[spot] += sum(move.chips)
                self.beside[spot] = (*self.beside.get(spot, ()), *move.chips)
                return move.chips
            case Do.GIVE_BACK:
                return self._give_back(spot, move.chips)
            case Do.GATHER:
                return self._gather(spot[0])
        return move.chips

    def lying(self, seat: int) -> int:
        """Return the cents on and beside a seat's spots."""
        return sum(sum(chips) for pile in (self.stakes, self.beside) for spot, chips in pile.items() if spot[0] == seat)

    def _put(self, spot: Spot, chips: Chips) -> Chips:
        self.stakes[spot] = (*self.stakes.get(spot, ()), *chips)
        self.purses[spot[0]] -= sum(chips)
        return chips

    def _pinch(self, spot: Spot, chips: Chips) -> Chips:
        left = list(reversed(self.stakes[spot]))
        for chip in chips:
            left.remove(chip)  # the topmost of its kind
        self.stakes[spot] = tuple(reversed(left))
        self.purses[spot[0]] += sum(chips)
        return chips

    def _take(self, spot: Spot) -> Chips:
        chips = self.stakes.pop(spot, ())
        self.tray += sum(chips)
        return chips

    def _collect(self, wager: str, skip: int | None) -> Chips:
        """Take one wager of every seat, or of all but one."""
        lying = sorted(spot for spot in self.stakes if spot[1] == wager)
        self.skipped |= {spot for spot in lying if spot[0] == skip}
        return tuple(chip for spot in lying if spot[0] != skip for chip in self._take(spot))

    def _give_back(self, spot: Spot, chips: Chips) -> Chips:
        """A wager goes back from its spot; one that was collected before the deal, from the tray."""
        if spot in self.stakes:
            chips = self.stakes.pop(spot)
        else:
            self.tray -= sum(chips)
        self.purses[spot[0]] += sum(chips)
        self.given_back[spot] += sum(chips)
        return chips

    def _gather(self, seat: int) -> Chips:
        chips: Chips = ()
        for pile in (self.stakes, self.beside):
            for spot in sorted(spot for spot in pile if spot[0] == seat):
                chips += pile.pop(spot)
        self.purses[seat] += sum(chips)
        return chips


def ledger_of(moves: Iterable[Move]) -> Ledger:
    """Return where the chips are after some moves."""
    ledger = Ledger()
    for move in moves:
        ledger.apply(move)
    return ledger
