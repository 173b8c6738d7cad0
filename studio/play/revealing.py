"""What the dealer does with hands that were dealt: flash, reveal, show, muck.

A table and moves enter; cards move, and the moments of effect and of free hands leave.
"""

from dataclasses import replace

from studio.play import gestures as do
from studio.play.dealing import turn_card
from studio.play.deck import discard
from studio.play.gestures import carry
from studio.play.handling import square_up
from studio.play.places import step
from studio.play.script import Move
from studio.play.table import FACE_DOWN, FACE_UP, Done, Table, seat_of
from studio.play.tempo import DEALER
from studio.scene import CardBody, Pose
from vision.values.sizes import CARD_THICKNESS_MM, CARD_WIDTH_MM


def flash(table: Table, move: Move, t_s: float) -> Done:
    """Let the face of one of the dealer's cards be seen for a moment."""
    hidden = [card for card in table.cards_of(None) if card.pose.turn == FACE_DOWN]
    cards = table.cards_of(None)
    if not hidden:
        return t_s, t_s
    card = cards[min(move.count, len(cards) - 1)]
    card = card if card in hidden else hidden[-1]
    start, arm = card.pose, table.arm_to(card.pose)
    tip = do.hold_point(arm, [start], 40.0)
    begin_s = max(arm.reach(t_s, tip, 12.0, "pinch"), card.ready_s)
    shown, lift_s = table.rng.uniform(25, 50), 0.28
    for share, moment in [(i / 6, begin_s + lift_s * i / 6) for i in range(7)]:
        turn = FACE_DOWN + (shown - FACE_DOWN) * share
        card.key(moment, replace(start, turn=turn, z=do.turned_z(start.z + 1, turn)))
    up_s = begin_s + lift_s
    for share, moment in [(i / 6, up_s + move.seconds + lift_s * i / 6) for i in range(7)]:
        turn = shown + (FACE_DOWN - shown) * share
        card.key(moment, replace(start, turn=turn, z=do.turned_z(start.z + (0 if share == 1 else 1), turn)))
    free_s = arm.go(card.ready_s, tip, 12.0)
    return up_s, free_s


def reveal(table: Table, move: Move, t_s: float) -> Done:
    """Turn cards of the house: the next of those that all share, or the dealer's whole hand."""
    if move.zone.startswith("table."):
        done_s = _turn_shared(table, move.zone.removeprefix("table."), move.count, t_s)
        return done_s, done_s + table.tempo.read_s
    return _reveal_hand(table, move, t_s)


def _turn_shared(table: Table, owner: str, count: int, t_s: float) -> float:
    """Turn shared cards, from the dealer's left, until so many show."""
    done_s = t_s
    for card in table.register.hand(owner)[:count]:
        done_s = turn_card(table, card, done_s, FACE_UP) if card.pose.turn != FACE_UP else done_s
    return done_s


def _reveal_hand(table: Table, move: Move, t_s: float) -> Done:
    """Turn the dealer's cards one after another, then lay out the best four and set the others aside."""
    cards, done_s = list(table.cards_of(None)), t_s
    for card in cards:
        if card.pose.turn != FACE_UP:
            done_s = turn_card(table, card, done_s, FACE_UP)
    best = [card for card in cards if isinstance(card.body, CardBody) and card.body.card in move.cards][:4]
    best.sort(key=lambda card: move.cards.index(card.body.card) if isinstance(card.body, CardBody) else 0)
    rest = [card for card in cards if card not in best]
    row, behind = table.ground.revealed(len(rest))
    order = list(zip(rest, behind, strict=True)) + list(zip(best, row, strict=False))
    done_s += table.tempo.read_s
    ends = [done_s]
    for i, (card, place) in enumerate(order):
        arm = table.arm_to(place) if table.is_deck_held else table.troupe.arm(DEALER, left=place[0] < row[2][0] - 1)
        end = Pose(*place, (i + 1) * CARD_THICKNESS_MM, table.rng.gauss(0, 1.5), FACE_UP)
        ends.append(carry(arm, [(card, end)], max(done_s + 0.12 * i, arm.ready_s)))
    return max(ends), max(ends)


def turn_bonus(table: Table, _: Move, t_s: float) -> Done:
    """Turn the bonus cards face up."""
    done_s = _turn_shared(table, "bonus", len(table.register.hand("bonus")), t_s)
    return done_s, done_s


def show(table: Table, move: Move, t_s: float) -> Done:
    """Bring a seat's hand to the work area, turn it, and fan it so that every index is seen."""
    cards = list(table.cards_of(seat_of(move)))
    if not cards:
        return t_s, t_s
    (x, y), turn = table.ground.dealer.work.centre, cards[0].pose.turn
    low = table.register.card_z((x, y), cards)
    to = Pose(x, y, low, table.rng.gauss(0, 3), turn)
    arm = table.arm_to(cards[0].pose)
    done_s = carry(arm, square_up(cards, 1.0), t_s, "flat", 1.0)
    done_s = carry(arm, square_up(cards, 1.0, to), done_s)
    if turn != FACE_UP:
        done_s = do.turn_together(arm, cards, done_s, FACE_UP)
    order = sorted(cards, key=lambda card: card.pose.z)
    places = table.ground.fan(len(order))
    bend = table.rng.uniform(0, 7)
    loads = [
        (card, Pose(*place, card.pose.z, to.angle - bend * (i - (len(order) - 1) / 2), FACE_UP))
        for i, (card, place) in enumerate(zip(order, places, strict=True))
    ]
    done_s = carry(arm, loads, done_s, "spread", 1.5)
    arm.go(done_s + 0.18, step(places[-1], (0.35, -0.9), CARD_WIDTH_MM), 20.0)
    return done_s, done_s + table.tempo.read_s


def muck(table: Table, move: Move, t_s: float) -> Done:
    """Put a seat's hand into the discard rack."""
    done_s = muck_cards(table, f"seat.{seat_of(move)}", t_s)
    return done_s, done_s


def muck_dealer(table: Table, _: Move, t_s: float) -> Done:
    """Put the dealer's hand and the shared cards into the discard rack."""
    done_s = t_s
    for owner in ("dealer", "bonus", "community"):
        done_s = muck_cards(table, owner, done_s)
    return done_s, done_s


def muck_cards(table: Table, owner: str, t_s: float) -> float:
    """Gather cards into a packet and carry it to the discard rack."""
    cards = table.register.cards.pop(owner, [])
    if not cards:
        return t_s
    arm = table.arm_to(do.middle([card.pose for card in cards]))
    loads = square_up(cards, 1.0)
    done_s = carry(arm, loads, t_s, "flat", 1.0) if len(cards) > 1 else t_s
    rack = Pose(*table.ground.dealer.discard.centre, 6.0, 0.0, FACE_DOWN)
    done_s = carry(arm, square_up(cards, 1.0, rack), done_s, lift_mm=16.0)
    for card in cards:
        card.gone_s = done_s
    discard(table, done_s, len(cards))
    return done_s
