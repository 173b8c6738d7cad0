"""One table as it is now: its print, its house and the things on it; what every part of a round looks at."""

from math import hypot

from vision.observe.frame_observation import FrameObservation
from vision.observe.tracks import CardTrack, StackTrack, Tracker
from vision.rules.book.sheet import HouseSheet
from vision.rules.play.dealscript import Place
from vision.story.hands import BONUS, DEALER, WORK, seat_place, zone_of
from vision.table.layout import Layout, SeatLayout
from vision.table.zones import Zone

CLEARLY_MM = 25.0
REACH_MM = 60.0  # how far to one side a hand must reach from, to be known by it
TOUCH_NS = 1_200_000_000
COVERED = 0.3  # share of a zone under a hand from which on it is not in plain view
MOST_FACED = 4  # cards that lie open in the work area by mistake; more are a deck, or a hand
DEALS = 3  # deals in a row that must be seen in order, until one that is not is believed


class Floor:
    """A table with a tracker over it."""

    def __init__(self, sheet: HouseSheet, layout: Layout) -> None:
        self.sheet, self.layout = sheet, layout
        self.game = sheet.house.game
        self.counts = self.game.file.counts
        self._raises = {raised.id for raised in self.game.decisions}
        self.tracker = Tracker()
        self.seats = [seat.number for seat in layout.seat]
        self.inward = {seat.number: inward(seat) for seat in layout.seat}
        self.meters: dict[str, int] = {}  # as last told, in cents
        self.now_ns = 0
        self.spread_ns = 0  # when the deck, or a hand, was last seen spread out, face up
        self.deals: list[bool] = []  # of the last deals, whether each was seen in its right order

    def see(self, sight: FrameObservation) -> None:
        """Take in one sight."""
        self.now_ns = sight.t_ns
        self.tracker.update(sight)
        if len(self.shown_cards()) > MOST_FACED:
            self.spread_ns = sight.t_ns

    @property
    def sees_deals(self) -> bool:
        """Say whether at this table cards are found as they are dealt: then what is not seen was not there."""
        return len(self.deals) >= DEALS and all(self.deals[-DEALS:])

    def spots(self) -> list[tuple[int, str]]:
        """Return the betting spots that are printed and used."""
        stakes = self.game.stakes
        return [(seat, wager) for seat in self.seats for wager in stakes if wager in self.layout.seat_at(seat).spots]

    def is_raise(self, wager: str) -> bool:
        """Say whether a wager is made as a decision, after the deal."""
        return wager in self._raises

    def places(self) -> list[Place]:
        """Return where hands may lie in this game."""
        return [*self.table_places(), *(seat_place(seat) for seat in self.seats)]

    def table_places(self) -> list[Place]:
        """Return where the house's own cards lie."""
        return [place for place in (DEALER, BONUS) if place[0] in self.counts]

    def place_of(self, card: CardTrack) -> Place:
        """Return the hand's place on which a card lies."""
        if card.zone.seat is not None:
            return seat_place(card.zone.seat)
        return BONUS if card.zone == zone_of(BONUS) else DEALER

    def cards_at_places(self) -> list[CardTrack]:
        """Return the cards that lie where hands are dealt."""
        zones = {zone_of(place) for place in self.places()}
        return [card for card in self.tracker.cards if card.is_there and card.zone in zones]

    def shown_cards(self) -> list[CardTrack]:
        """Return the cards that lie open in the work area."""
        return [card for card in self.tracker.cards_on(WORK) if card.is_up]

    def away_mm(self, stack: StackTrack, seat: int, wager: str) -> float:
        """Return how far chips lie from the middle of a spot."""
        x, y = self.layout.seat_at(seat).spots[wager].centre
        return hypot(stack.x - x, stack.y - y)

    def is_clearly_at(self, stack: StackTrack, seat: int, wager: str) -> bool:
        """Say whether chips lie so much nearer to a spot than to the seat's other ones that they belong to it."""
        others = [w for owner, w in self.spots() if owner == seat and w != wager]
        return all(self.is_clearly_off(stack, seat, wager, other) for other in others)

    def is_clearly_off(self, stack: StackTrack, seat: int, wager: str, other: str) -> bool:
        """Say whether chips lie much nearer to one spot than to another."""
        return self.away_mm(stack, seat, other) >= self.away_mm(stack, seat, wager) + CLEARLY_MM

    def is_before(self, stack: StackTrack, seat: int, wager: str, reach_mm: float) -> bool:
        """Say whether chips lie between a spot and its player, or beside that way."""
        (x, y), (along, across) = self.layout.seat_at(seat).spots[wager].centre, self.inward[seat]
        is_outward = (stack.x - x) * along + (stack.y - y) * across < 0
        return is_outward and self.away_mm(stack, seat, wager) <= reach_mm

    def taker(self, stack: StackTrack, seat: int) -> str | None:
        """Return whose hand was last at a stack: the dealer's, which reaches from inside, or the player's."""
        was_there = stack.hand_ns is not None and stack.hand_ns >= stack.seen_ns - TOUCH_NS
        return self._reaching(stack.hand_from, seat) if was_there else None

    def putter(self, stack: StackTrack, seat: int) -> str | None:
        """Return whose hand put a stack there, the dealer's or the player's."""
        return self._reaching(stack.put_from, seat) if stack.put_from is not None else None

    def _reaching(self, hand_from: tuple[float, float], seat: int) -> str | None:
        x, y = self.inward[seat]
        reach = hand_from[0] * x + hand_from[1] * y
        if abs(reach) < REACH_MM:
            return None
        return "dealer" if reach > 0 else "player"

    def is_covered(self, *zones: Zone) -> bool:
        """Say whether a hand is over one of some zones."""
        beliefs = (belief for hand in self.tracker.hands for belief in hand.covers)
        return any(belief.zone in zones and belief.p > COVERED for belief in beliefs)


def inward(seat: SeatLayout) -> tuple[float, float]:
    """Return the direction from a seat's cards to its spots, which is away from the player."""
    spots = [shape.centre for shape in seat.spots.values()]
    x = sum(spot[0] for spot in spots) / len(spots) - seat.cards.centre[0]
    y = sum(spot[1] for spot in spots) / len(spots) - seat.cards.centre[1]
    far = hypot(x, y) or 1.0
    return x / far, y / far
