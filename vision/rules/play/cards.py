"""Rulings on cards that are dealt, turned, touched or cleared."""

from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play.dealscript import SEAT, Place, name_of
from vision.rules.play.events import Clear, Deal, Hand, NoMoreBets, Touch, Turn
from vision.rules.play.faces import is_revealed_by_stage, legal_faces
from vision.rules.play.ruling import YES, Ruling
from vision.rules.play.tablestate import TableState, after

EXPOSED = "dealer-card-exposed"
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
        return _miscount(state, event.zone, f"{name_of(target)} gets card {there} of {want}")
    return _deal_order(state, target, event) and _faces(state, target, event)


def rule_deal_over(state: TableState) -> Ruling:
    """Rule on the end of a deal: every hand must have its cards."""
    missing = state.deal.expected()
    if missing is None:
        return YES
    short = state.dealt.get(missing.place, 0)
    want = state.house.game.file.counts[missing.zone]
    return _miscount(state, missing.zone, f"{missing} has {short} cards of {want} when the deal ends")


def _miscount(state: TableState, zone: str, why: str) -> Ruling:
    misdeal = effect_of(state.house.game, Irregularity("wrong-card-count"))
    if misdeal.zones and zone not in misdeal.zones:  # the rule speaks of other hands
        return Ruling("wrong-card-count", why, state.stage_doing("deal").cite)
    return Ruling("wrong-card-count", why, misdeal.cite, misdeal.remedy)


def _deal_order(state: TableState, target: Place, event: Deal) -> Ruling:
    cite = state.stage_doing("deal").cite
    if event.zone == SEAT and event.seat not in state.seats:
        return Ruling("deal-order", f"seat {event.seat} has no wager", cite)
    expected = state.deal.expected()
    if expected is None or state.house.game.file.order.deal_force == "house":
        return YES
    if not state.deal.is_in_turn(target):
        return Ruling("deal-order", f"{name_of(target)} is dealt to, want {expected}", expected.cite)
    if expected.place == target and event.cards != expected.cards:
        why = f"{event.cards} cards at once to {name_of(target)}, want {expected.cards}"
        return Ruling("deal-order", why, expected.cite)
    return YES


def _faces(state: TableState, target: Place, event: Deal) -> Ruling:
    """Rule on a card that comes face up: the up-card, or one that should not."""
    legal = _legal_up(state, target, event)
    if legal == event.cards and not event.face_up and state.house.game.file.order.deal_force == "must":
        return Ruling("deal-order", f"the up-card of {name_of(target)} lies face down", state.stage_doing("deal").cite)
    if event.face_up <= legal or (event.zone == SEAT and state.house.options.get("cards_dealt_face_up")):
        return YES
    exposed = is_revealed_by_stage(state, event.zone)
    code = EXPOSED if exposed else "card-faced-in-deck"
    effect = effect_of(state.house.game, Irregularity(code, None if exposed else state.faced + event.face_up - legal))
    return Ruling(code, f"a card of {name_of(target)} came face up", effect.cite, effect.remedy)


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
    why = f"{name_of((event.zone, None))}: {event.cards} faces shown during {state.stage.id}"
    if not is_revealed_by_stage(state, event.zone):  # a bonus card: no text voids for it
        rule = next((entry for entry in state.house.game.file.procedure if entry.id == "bonus-card"), None)
        return Ruling("settle-order", why, rule.cite if rule else state.stage_doing("settle").cite)
    effect = effect_of(state.house.game, Irregularity(EXPOSED, after_raises=state.is_past_decisions))
    return Ruling(EXPOSED, why, effect.cite, effect.remedy)


def rule_touch(state: TableState, event: Touch) -> Ruling:
    """Rule on a hand on a player's cards."""
    rule = next((entry for entry in state.house.game.file.procedure if entry.id == "touch"), None)
    if rule is None or event.by is not Hand.STRANGER:
        return YES
    return Ruling("card-touched", f"a stranger's hand on the cards of seat {event.seat}", rule.cite)


def rule_clear(state: TableState, event: Clear) -> Ruling:
    """Rule on cards that leave the layout."""
    if state.void is not None:
        return YES
    cite = state.stage_doing("clear").cite
    if event.zone == SEAT and event.seat is not None:
        unsettled = _holding(state, event.seat)
        why = f"seat {event.seat} cleared with {', '.join(unsettled)} unsettled"
        return Ruling("cards-cleared-early", why, cite) if unsettled else YES
    if event.zone in state.house.game.file.counts and any(state.live(seat) for seat in state.seats):
        why = f"{name_of((event.zone, None))} cleared before all seats are settled"
        return Ruling("cards-cleared-early", why, cite)
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
