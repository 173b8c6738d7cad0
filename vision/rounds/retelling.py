"""A round told back: what was seen of it enters; the round as the rule book settles it leaves."""

from typing import Final

from vision.cards import UNSEEN, Card, DealtHand
from vision.rounds.floor import Floor
from vision.rounds.hands import BONUS, DEALER, seat_place
from vision.rounds.onedeck import Decoded, decode
from vision.rounds.playing import RoundInPlay
from vision.rounds.stakes import stake_of
from vision.rules.due.record import PlayedRound, SeatPlay
from vision.rules.play.dealscript import SEAT
from vision.track.tracks import CardTrack

Faces = dict[int, tuple[Card, float]]
READ_WELL: Final = 0.72  # of a face on average over its looks, from which on money may be judged by it


def decoded(floor: Floor, played: RoundInPlay) -> Decoded:
    """Return the faces of all cards of the round."""
    tracks = [*played.hand(DEALER).dealt, *played.hand(BONUS).dealt, *played.shown_cards]
    if floor.sheet.house.options.get("cards_dealt_face_up"):
        tracks += [card for seat in played.seats() for card in played.hand(seat_place(seat)).dealt]
    owners = {track.id: hand.place for hand in played.hands.values() for track in (*hand.dealt, *hand.shown)}
    return decode(tracks, owners)


def played_round(floor: Floor, played: RoundInPlay, *, is_strict: bool = False) -> PlayedRound:
    """Return the round as the rule book settles it; `is_strict`: faces that were not read well are left unseen."""
    everything = [track for hand in played.hands.values() for track in (*hand.dealt, *hand.shown)]
    faces = decoded(floor, played).faces
    if is_strict:
        well = {
            track.id for track in everything if track.id in faces and track.mean_of(faces[track.id][0]) >= READ_WELL
        }
        good = {faces[track_id][0] for track_id in well}
        faces = {track_id: face for track_id, face in faces.items() if face[0] in good}
    return PlayedRound(
        seats=tuple(_seat_play(floor, played, seat, faces) for seat in played.seats()),
        dealer=_hand(played.hand(DEALER).dealt, faces, floor.counts[DEALER[0]]),
        bonus=_hand(played.hand(BONUS).dealt, faces, 1) if played.hand(BONUS).dealt else (),
        irregularities=played.state.irregularities,
    )


def _seat_play(floor: Floor, played: RoundInPlay, seat: int, faces: Faces) -> SeatPlay:
    watch = played.hand(seat_place(seat))
    mine = [spot for spot in played.spots.values() if spot.seat == seat and spot.is_made]
    stakes = {spot.wager: stake_of(floor, played, spot) for spot in mine}
    wagers = {wager: stake.cents or max(stake.low, 1) for wager, stake in stakes.items()}
    hand = _hand(watch.shown or watch.dealt, faces, floor.counts[SEAT])
    return SeatPlay(seat, hand, wagers, folded=seat in played.state.folded)


def _hand(tracks: list[CardTrack], faces: Faces, count: int) -> DealtHand:
    """Return the cards of a hand, those looked at most where there are too many, and unseen ones up to its count."""
    looks: dict[Card, int] = {}
    for track in tracks:
        if track.id in faces:
            card = faces[track.id][0]
            looks[card] = looks.get(card, 0) + track.read
    kept = sorted(looks, key=lambda card: -looks[card])[:count]
    found = [card for card in looks if card in kept]
    return (*found, *(UNSEEN for _ in range(count - len(found))))
