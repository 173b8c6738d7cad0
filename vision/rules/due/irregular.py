"""Irregularities: what the text does to a round when a card or a device went wrong."""

from collections import Counter
from collections.abc import Iterator

from vision.rules.book.game import Game
from vision.rules.due.record import Irregularity, PlayedRound
from vision.rules.text.gamefile import Irregular
from vision.values.cards import Card
from vision.values.codes import Code
from vision.values.errors import InputError, shown

WRONG_COUNT = Code.WRONG_CARD_COUNT
SEVERITY = ("continue", "alert", "supervisor", "void")
COUNTED_DECK = ("stub-count", "shuffler-count")  # they come with the number of cards in the deck
CODES = (
    Code.DEALER_CARD_EXPOSED,
    "community-card-exposed",
    Code.CARD_FACED_IN_DECK,
    "card-drawn-unexposed",
    "shoe-jam",
    "shuffler-jam",
    "stub-count",
    "shuffler-count",
    "device-out-of-use",
    "player-left",
)
NO_RULE = "the text has no rule for {code}: a supervisor decides (A-19)"


def repeated_cards(played: PlayedRound) -> list[Card]:
    """Return the cards that lie on the table more than once."""
    hands = [played.dealer, played.bonus, played.community, *(seat.cards for seat in played.seats)]
    seen = [card for hand in hands for card in hand if isinstance(card, Card)]
    return [card for card, times in Counter(seen).items() if times > 1] if len(set(seen)) < len(seen) else []


def wrong_counts(game: Game, played: PlayedRound) -> Iterator[tuple[str, str]]:
    """Yield the hands with a wrong number of cards: zone, and what is wrong."""
    for seat in played.seats:
        want = game.file.counts["seat.hand"]
        if len(seat.cards) != want and (seat.cards or any(map(seat.stake, game.entering))):
            yield "seat.hand", f"Seat {seat.seat}: {len(seat.cards)} cards, should be {want}"
    for zone, cards in (("dealer.hand", played.dealer), ("table.community", played.community)):
        expected = game.file.counts.get(zone)
        if expected is not None and len(cards) != expected:
            yield zone, f"{zone.split('.')[0]} has {len(cards)} cards, should be {expected}"


def effect_of(game: Game, irregularity: Irregularity) -> Irregular:
    """Return what the text says; where it says nothing, that a supervisor decides."""
    for entry in game.irregularities(irregularity.code):
        if _applies(entry, irregularity):
            return entry
    if irregularity.code not in CODES and irregularity.code != WRONG_COUNT:
        raise InputError(f"irregularities: {shown(irregularity.code)}: want one of {', '.join(CODES)}")
    silent = NO_RULE.format(code=irregularity.code)
    return Irregular(on=[irregularity.code], effect="supervisor", remedy=silent, cite=f"{game.id}: silent")


def gravest(game: Game, irregularities: tuple[Irregularity, ...]) -> Irregular | None:
    """Return the gravest effect of a round's irregularities, the first of equals."""
    effects = [effect_of(game, irregularity) for irregularity in _merged(irregularities)]
    if not effects:
        return None
    return max(effects, key=lambda entry: (SEVERITY.index(entry.effect), len(entry.refund)))


def misdeal(game: Game, played: PlayedRound) -> tuple[Irregular, str] | None:
    """Return what a wrong number of cards does, and which hand has it."""
    for zone, what in wrong_counts(game, played):
        entry = effect_of(game, Irregularity(WRONG_COUNT))
        if not entry.zones or zone in entry.zones:
            return entry, what
    return None


def _applies(entry: Irregular, irregularity: Irregularity) -> bool:
    if entry.before_raises and irregularity.after_raises:
        return False
    number = irregularity.number
    if entry.at_least is not None:
        return number is not None and number >= entry.at_least
    return entry.other_than is None or number != entry.other_than


def _merged(irregularities: tuple[Irregularity, ...]) -> Iterator[Irregularity]:
    """Cards faced at different moments of one deal add up: the second one voids as two at once would."""
    faced = [entry.number or 0 for entry in irregularities if entry.code == Code.CARD_FACED_IN_DECK]
    if faced:
        yield Irregularity(Code.CARD_FACED_IN_DECK, sum(faced))
    yield from (entry for entry in irregularities if entry.code != Code.CARD_FACED_IN_DECK)
