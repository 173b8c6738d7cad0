"""Rulings on cards that are dealt, turned, touched or cleared."""

from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play.dealscript import SEAT, Place, name_of
from vision.rules.play.events import Clear, Deal, Hand, NoMoreBets, Touch, Turn
from vision.rules.play.faces import is_revealed_by_stage, legal_faces
from vision.rules.play.ruling import YES, Reason, Ruling, numbers
from vision.rules.play.tablestate import TableState, after
from vision.values.codes import Code

EXPOSED = Code.DEALER_CARD_EXPOSED
DISCARD = "table.discard"


def rule_deal(state: TableState, event: Deal) -> Ruling:
    """Rule on cards that leave the shoe, the hand or the shuffler."""
    if event.zone == DISCARD:
        return YES  # the stub, and cards that may not be used
    target: Place = (event.zone, event.seat if event.zone == SEAT else None)
    state = after(state, NoMoreBets())
    there = state.dealt.get(target, 0) + event.cards
    want = state.house.game.file.counts.get(event.zone, 0)
    if there > want:
        return _miscount(state, Reason.TOO_MANY_DEALT, target, there)
    return _deal_order(state, target, event) and _faces(state, target, event)


def rule_deal_over(state: TableState) -> Ruling:
    """Rule on the end of a deal: every hand must have its cards."""
    missing = state.deal.expected()
    if missing is None:
        return YES
    short = state.dealt.get(missing.place, 0)
    return _miscount(state, Reason.TOO_FEW_DEALT, missing.place, short)


def _miscount(state: TableState, reason: Reason, place: Place, cards: int) -> Ruling:
    zone, seat = place
    due = state.house.game.file.counts.get(zone, 0)
    about = numbers(place=name_of(place), cards=cards, due_cards=due)
    misdeal = effect_of(state.house.game, Irregularity(Code.WRONG_CARD_COUNT))
    is_covered = not misdeal.zones or zone in misdeal.zones  # else the rule speaks of other hands
    cite, remedy = (misdeal.cite, misdeal.remedy) if is_covered else (state.stage_doing("deal").cite, None)
    return Ruling(Code.WRONG_CARD_COUNT, reason, cite, remedy, seat=seat, numbers=about)


def _deal_order(state: TableState, target: Place, event: Deal) -> Ruling:
    cite = state.stage_doing("deal").cite
    if event.zone == SEAT and event.seat not in state.seats:
        return Ruling(Code.DEAL_ORDER, Reason.DEALT_WITHOUT_WAGER, cite, seat=event.seat)
    expected = state.deal.expected()
    if expected is None or state.house.game.file.order.deal_force == "house":
        return YES
    if not state.deal.is_in_turn(target):
        about = numbers(place=name_of(target), due_place=str(expected))
        return Ruling(Code.DEAL_ORDER, Reason.DEALT_OUT_OF_TURN, expected.cite, seat=target[1], numbers=about)
    if expected.place == target and event.cards != expected.cards:
        about = numbers(place=name_of(target), cards=event.cards, due_cards=expected.cards)
        return Ruling(Code.DEAL_ORDER, Reason.WRONG_PACKET, expected.cite, seat=target[1], numbers=about)
    return YES


def _faces(state: TableState, target: Place, event: Deal) -> Ruling:
    """Rule on a card that comes face up: the up-card, or one that should not."""
    legal, about = _legal_up(state, target, event), numbers(place=name_of(target))
    if legal == event.cards and not event.face_up and state.house.game.file.order.deal_force == "must":
        cite = state.stage_doing("deal").cite
        return Ruling(Code.DEAL_ORDER, Reason.UP_CARD_FACE_DOWN, cite, seat=target[1], numbers=about)
    if event.face_up <= legal or (event.zone == SEAT and state.house.options.get("cards_dealt_face_up")):
        return YES
    exposed = is_revealed_by_stage(state, event.zone)
    code = EXPOSED if exposed else Code.CARD_FACED_IN_DECK
    effect = effect_of(state.house.game, Irregularity(code, None if exposed else state.faced + event.face_up - legal))
    return Ruling(code, Reason.DEALT_FACE_UP, effect.cite, effect.remedy, seat=target[1], numbers=about)


def _legal_up(state: TableState, target: Place, event: Deal) -> int:
    if state.house.game.file.order.deal_force == "house":
        return sum(delivery.face_up for delivery in state.deal.script if delivery.place == target)
    index = state.deal.taken_by(target, event.face_up)
    return 0 if index is None else state.deal.script[index].face_up


def rule_turn(state: TableState, event: Turn) -> Ruling:
    """Rule on faces that come to show."""
    if event.zone == SEAT:
        return YES  # a player may show the own hand; the dealer turns it at settlement
    if event.cards <= legal_faces(state, event.zone):
        return YES
    about = numbers(place=name_of((event.zone, None)), cards=event.cards, stage=state.stage.id)
    if not is_revealed_by_stage(state, event.zone):  # a bonus card: no text voids for it
        rule = next((entry for entry in state.house.game.file.procedure if entry.id == "bonus-card"), None)
        cite = rule.cite if rule else state.stage_doing("settle").cite
        return Ruling(Code.SETTLE_ORDER, Reason.TURNED_EARLY, cite, seat=event.seat, numbers=about)
    effect = effect_of(state.house.game, Irregularity(EXPOSED, after_raises=state.is_past_decisions))
    return Ruling(EXPOSED, Reason.EXPOSED_EARLY, effect.cite, effect.remedy, seat=event.seat, numbers=about)


def rule_touch(state: TableState, event: Touch) -> Ruling:
    """Rule on a hand on a player's cards."""
    rule = next((entry for entry in state.house.game.file.procedure if entry.id == "touch"), None)
    if rule is None or event.by is not Hand.STRANGER:
        return YES
    return Ruling(Code.CARD_TOUCHED, Reason.STRANGERS_HAND, rule.cite, seat=event.seat)


def rule_clear(state: TableState, event: Clear) -> Ruling:
    """Rule on cards that leave the layout."""
    if state.void is not None:
        return YES
    cite = state.stage_doing("clear").cite
    if event.zone == SEAT and event.seat is not None:
        unsettled = tuple(_holding(state, event.seat))
        about = numbers(open_wagers=unsettled)
        no = Ruling(Code.CARDS_CLEARED_EARLY, Reason.CLEARED_UNSETTLED, cite, seat=event.seat, numbers=about)
        return no if unsettled else YES
    if event.zone in state.house.game.file.counts and any(state.live(seat) for seat in state.seats):
        about = numbers(place=name_of((event.zone, None)))
        return Ruling(Code.CARDS_CLEARED_EARLY, Reason.CLEARED_BEFORE_SEATS, cite, seat=event.seat, numbers=about)
    return YES


def _holding(state: TableState, seat: int) -> list[str]:
    """Return the wagers for which a hand must stay: those with chips, and before settling those in the tray too."""
    unsettled = state.live(seat)
    if seat in state.folded and state.stage.does not in ("settle", "clear"):
        plans = state.house.plans
        for wager in state.house.game.stakes.values():
            fold = plans[wager.id].fold
            if wager.taken and state.stake(seat, wager.id) and fold is not None and fold.fate == "keep":
                unsettled.append(wager.id)
    return unsettled
