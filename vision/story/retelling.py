"""A round told back: what was seen of it enters; the round as the rule book settles it leaves."""

import numpy as np

from vision.observe.evidence import PLACES
from vision.observe.tracks import CardTrack
from vision.rules.due.record import PlayedRound, SeatPlay
from vision.rules.play.dealscript import Place
from vision.story.floor import Floor
from vision.story.hands import BONUS, DEALER, seat_place
from vision.story.onedeck import Decoded, decode
from vision.story.playing import RoundInPlay
from vision.story.stakes import legal_raise, stake_of
from vision.story.worlds import Hand
from vision.values.cards import UNSEEN, Card, DealtHand, Unseen
from vision.values.geometry import Floats

Faces = dict[int, tuple[Card, float]]
Seen = tuple[Card | Unseen, Floats | None]  # a card's likeliest face, and how likely each one is


def decoded(floor: Floor, played: RoundInPlay) -> Decoded:
    """Return the faces of all cards of the round."""
    tracks = [*played.hand(DEALER).dealt, *played.hand(BONUS).dealt, *played.shown_cards]
    if floor.sheet.house.options.get("cards_dealt_face_up"):
        tracks += [card for seat in played.seats() for card in played.hand(seat_place(seat)).dealt]
    owners = {track.id: hand.place for hand in played.hands.values() for track in (*hand.dealt, *hand.shown)}
    return decode(tracks, owners)


def played_round(floor: Floor, played: RoundInPlay) -> PlayedRound:
    """Return the round as the rule book settles it, with the likeliest faces."""
    cards = {place: tuple(face for face, _ in hand) for place, hand in _hands(floor, played).items()}
    return PlayedRound(
        seats=tuple(_seat_play(floor, played, seat, cards[seat_place(seat)]) for seat in played.seats()),
        dealer=cards[DEALER],
        bonus=cards.get(BONUS, ()),
        meters=played.meters,
        seeds=floor.sheet.seeds_cents,
        irregularities=played.state.irregularities,
    )


def up_card(floor: Floor, played: RoundInPlay) -> str | None:
    """Return the dealer's card that lay open before the reveal; a track that was left for a better one knows it too."""
    if played.up_card is None:
        return None
    faces = decoded(floor, played).faces
    face = faces[played.up_card.id][0] if played.up_card.id in faces else played.up_card.best()[0]
    return str(face) if face is not None else None


def hands_seen(floor: Floor, played: RoundInPlay) -> dict[Place, Hand]:
    """Return how likely each face is of each card, as the looks at it say on average: they err alike."""
    return {place: [belief for _, belief in hand] for place, hand in _hands(floor, played).items()}


def _hands(floor: Floor, played: RoundInPlay) -> dict[Place, list[Seen]]:
    faces = decoded(floor, played).faces
    seats = {seat_place(seat): played.hand(seat_place(seat)) for seat in played.seats()}
    counts = {place: floor.counts[place[0]] for place in (*seats, DEALER)} | played.miscounted
    hands = {place: _hand([*watch.shown, *watch.dealt], faces, counts[place]) for place, watch in seats.items()}
    hands[DEALER] = _hand(played.hand(DEALER).dealt, faces, counts[DEALER])
    if played.hand(BONUS).dealt:
        hands[BONUS] = _hand(played.hand(BONUS).dealt, faces, 1)
    return hands


def _seat_play(floor: Floor, played: RoundInPlay, seat: int, cards: DealtHand) -> SeatPlay:
    mine = [spot for spot in played.spots.values() if spot.seat == seat and spot.is_made]
    stakes = {spot.wager: stake_of(floor, played, spot) for spot in mine}
    wagers = {wager: stake.cents or max(stake.low, 1) for wager, stake in stakes.items()}
    for raised in floor.game.decisions:
        base = stakes.get(raised.of or "")
        if raised.id in stakes and base is not None and not (base.is_sure and stakes[raised.id].is_sure):
            wagers[raised.id] = legal_raise(wagers[raised.id], wagers[raised.of or ""], raised)
    return SeatPlay(seat, cards, wagers, folded=seat in played.state.folded)


def _hand(tracks: list[CardTrack], faces: Faces, count: int) -> list[Seen]:
    """Return the cards of a hand, those seen best where there are too many, and unseen ones up to its count."""
    looks: dict[Card, list[CardTrack]] = {}
    for track in tracks:
        if track.id in faces:
            looks.setdefault(faces[track.id][0], []).append(track)
    beliefs = {card: np.sum([track.belief for track in same], axis=0) for card, same in looks.items()}
    kept = sorted(looks, key=lambda card: -float(beliefs[card][PLACES[card]]))[:count]
    found: list[Seen] = [(card, beliefs[card]) for card in looks if card in kept]
    return [*found, *((UNSEEN, None) for _ in range(count - len(found)))]
