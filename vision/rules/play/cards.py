"""Rulings on cards that are dealt, turned, touched or cleared."""

from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play.dealscript import SEAT, place
from vision.rules.play.events import Clear, Deal, Hand, Touch, Turn
from vision.rules.play.faces import is_revealed_by_stage, legal_faces
from vision.rules.play.ruling import YES, Ruling
from vision.rules.play.tablestate import TableState

EXPOSED = "dealer-card-exposed"


def rule_deal(state: TableState, event: Deal) -> Ruling:
    """Rule on cards that leave the shoe, the hand or the shuffler."""
    target = (event.zone, event.seat if event.zone == SEAT else None)
    there = state.dealt.get(target, 0) + event.cards
    want = state.house.game.file.counts.get(event.zone, 0)
    if there > want:
        misdeal = effect_of(state.house.game, Irregularity("wrong-card-count"))
        return Ruling("wrong-card-count", f"{place(*target)} gets card {there} of {want}", misdeal.cite, misdeal.remedy)
    order = _deal_order(state, target)
    if not order:
        return order
    expected = next((step.face_up for step in state.script[state.position :]), 0)
    return YES if event.face_up <= expected else _faced(state, event)


def _deal_order(state: TableState, target: tuple[str, int | None]) -> Ruling:
    if target[0] == SEAT and target[1] not in state.seats:
        return Ruling("deal-order", f"seat {target[1]} has no wager", state.stage_doing("deal").cite)
    expected = state.script[state.position] if state.position < len(state.script) else None
    if expected is None or (expected.zone, expected.seat) == target:
        return YES
    if state.house.game.file.order.deal_force == "house":
        return YES
    return Ruling("deal-order", f"{place(*target)} is dealt to, want {expected}", expected.cite)


def _faced(state: TableState, event: Deal) -> Ruling:
    """A card came face up that should not have."""
    if event.zone == SEAT and state.house.options.get("cards_dealt_face_up"):
        return YES
    code = "card-faced-in-deck" if event.zone == SEAT else EXPOSED
    effect = effect_of(state.house.game, Irregularity(code, 1))
    return Ruling(code, f"a card of {place(event.zone, event.seat)} came face up", effect.cite, effect.remedy)


def rule_turn(state: TableState, event: Turn) -> Ruling:
    """Rule on faces that come to show."""
    if event.zone == SEAT:
        return YES  # a player may show the own hand; the dealer turns it at settlement
    if event.cards <= legal_faces(state, event.zone, state.stage):
        return YES
    why = f"{place(event.zone, None)}: {event.cards} faces shown during {state.stage.id}"
    if not is_revealed_by_stage(state, event.zone):  # a bonus card: no text voids for it
        return Ruling("settle-order", why, state.house.game.file.order.cite)
    decided = state.stage.does not in ("bet", "deal", "decide")
    effect = effect_of(state.house.game, Irregularity(EXPOSED, after_raises=decided))
    return Ruling(EXPOSED, why, effect.cite, effect.remedy)


def rule_touch(state: TableState, event: Touch) -> Ruling:
    """Rule on a hand on a player's cards."""
    rule = next((entry for entry in state.house.game.file.procedure if entry.id == "touch"), None)
    if rule is None or event.by is not Hand.STRANGER:
        return YES
    return Ruling("card-touched", f"a stranger's hand on the cards of seat {event.seat}", rule.cite)


def rule_clear(state: TableState, event: Clear) -> Ruling:
    """Rule on cards that leave the layout."""
    cite = state.stage_doing("clear").cite
    if state.void is not None:
        return YES
    if event.zone == SEAT and event.seat is not None:
        live = state.live(event.seat)
        why = f"seat {event.seat} cleared with {', '.join(live)} unsettled"
        return Ruling("cards-cleared-early", why, cite) if live else YES
    if event.zone in state.house.game.file.counts and any(state.live(seat) for seat in state.seats):
        why = f"{place(event.zone, None)} cleared before all seats are settled"
        return Ruling("cards-cleared-early", why, cite)
    return YES
