"""The registries of mistakes and innocent confusions: a name enters, the edit that makes it leaves.

Each edit takes a draft of a clean round and changes it as honestly as it would happen; where the cards do not offer the
situation, the generator draws again. What it means for verdicts is not said here: the truth is read off the moves.
"""

from collections.abc import Callable

from studio.play import card_faults as card
from studio.play import chip_faults as chip
from studio.play import innocents as innocent
from studio.play import procedure_faults as procedure
from studio.play.draft import Draft, Fault
from studio.play.players import BASE, Dice
from studio.play.replay import DEALER, MISCOUNT
from vision.rules.book.sheet import HouseSheet
from vision.rules.play.dealscript import SEAT


def _orders_deal(sheet: HouseSheet) -> bool:
    return sheet.house.game.file.order.deal_force == "must"


def _limits_play(sheet: HouseSheet) -> bool:
    return any(raised.times for raised in sheet.house.game.decisions)


def _has_dealer_hand(sheet: HouseSheet) -> bool:
    return DEALER in sheet.house.game.file.counts


def _has_based_side(sheet: HouseSheet) -> bool:
    return any(chip.can_stand_alone(sheet.house.game, wager) for wager in sheet.offered)


def _forbids_touch(sheet: HouseSheet) -> bool:
    return any(entry.id == "touch" for entry in sheet.house.game.file.procedure)


def _collects_progressive(sheet: HouseSheet) -> bool:
    stake = sheet.house.game.stakes.get(chip.PROGRESSIVE)
    return stake is not None and chip.PROGRESSIVE in sheet.offered and stake.taken is not None


def _counts_stub(sheet: HouseSheet) -> bool:
    return procedure.count_every(sheet) is not None


def _is_decided(sheet: HouseSheet, wager: str) -> bool:
    return all(rule.row.unresolved is None for rule in sheet.house.plans[wager].rules)


def _bonuses(sheet: HouseSheet) -> list[str]:
    """Return the bonuses without a stake of their own."""
    return [wager.id for wager in sheet.house.game.wagers.values() if wager.on is not None]


def _side_wager(sheet: HouseSheet) -> list[str]:
    """Return the side wager that most people make: the first that the text names after the raises."""
    wagers = sheet.house.game.stakes.values()
    sides = [w.id for w in wagers if w.of is None and w.equal_to is None and w.id != BASE and w.taken is None]
    return [wager for wager in sides if wager in sheet.house.offered][:1]


def _pays_by_rule(of: Callable[[HouseSheet], list[str]]) -> Callable[[HouseSheet], bool]:
    return lambda sheet: any(_is_decided(sheet, wager) for wager in of(sheet))


FAULTS: dict[str, Fault] = {
    "dealer-card-exposed:flash": Fault(card.flash((0.2, 0.7), "flash"), _has_dealer_hand),
    "dealer-card-exposed:flip": Fault(card.flash((2.0, 5.0), "flip"), _has_dealer_hand),
    "dealer-card-exposed:deal": Fault(card.expose_in_deal, _has_dealer_hand),
    "wrong-card-count:player-4": Fault(card.short_hand(SEAT)),
    "wrong-card-count:player-6": Fault(card.long_hand(SEAT)),
    "wrong-card-count:dealer-5": Fault(card.short_hand(DEALER), _has_dealer_hand),
    "wrong-card-count:dealer-7": Fault(card.long_hand(DEALER), _has_dealer_hand),
    "card-faced-in-deck:one": Fault(card.faced_cards(1)),
    "card-faced-in-deck:two": Fault(card.faced_cards(2)),
    "duplicate-card": Fault(card.duplicate_card),
    "late-wager:bet": Fault(chip.late_bet),
    "late-wager:cap": Fault(chip.late_cap),
    "wager-withdrawn": Fault(chip.pinch),
    "play-out-of-range:half": Fault(chip.play_of(1, 2), _limits_play),
    "play-out-of-range:four-times": Fault(chip.play_of(4, 1), _limits_play),
    "wager-not-allowed:side-without-base": Fault(chip.side_without_base, _has_based_side),
    "underpaid": Fault(chip.underpaid),
    "overpaid": Fault(chip.overpaid),
    "winner-not-paid:aces-up": Fault(chip.not_paid(_side_wager), _pays_by_rule(_side_wager)),
    "winner-not-paid:bonus": Fault(chip.not_paid(_bonuses), _pays_by_rule(_bonuses)),
    "loser-paid": Fault(chip.loser_paid),
    "loser-not-collected": Fault(chip.loser_not_collected),
    "winner-collected": Fault(chip.winner_collected),
    "progressive-count": Fault(chip.progressive_left, _collects_progressive),
    "void-not-honoured": Fault(procedure.void_not_honoured, lambda sheet: card.voids(sheet, MISCOUNT)),
    "deal-order": Fault(procedure.deal_order, _orders_deal),
    "settle-order": Fault(procedure.settle_order),
    "cards-cleared-early": Fault(procedure.cards_cleared_early),
    "card-touched": Fault(procedure.cards_touched, _forbids_touch),
    "stub-count-due": Fault(procedure.stub_count_due, _counts_stub),
    "stub-count-wrong:short": Fault(card.stub_count_wrong(-1), _counts_stub),
    "stub-count-wrong:long": Fault(card.stub_count_wrong(+1), _counts_stub),
    "deck-change-due": Fault(procedure.deck_change_due, lambda sheet: procedure.change_hours(sheet) is not None),
    "wrong-deck": Fault(card.wrong_deck),
}


def possible_faults(sheet: HouseSheet) -> list[str]:
    """Return the faults that can be made, and are faults, at a house's table."""
    return [name for name, fault in FAULTS.items() if fault.fits(sheet)]


INNOCENTS: dict[str, Callable[[Draft, Dice], None]] = {
    "straighten": innocent.straighten,
    "drink": innocent.put_prop("drink"),
    "phone": innocent.put_prop("phone"),
    "reserve": innocent.put_prop("reserve"),
    "colour-up": innocent.colour_up,
    "dropped-card": innocent.dropped_card,
    "change": innocent.change,
    "resting-hand": innocent.resting_hand,
}
