"""Settlement under doubt: what is due whatever the cards are, and how likely the rest is."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.film.production import house_sheet
from vision.rules.due.record import PlayedRound, SeatPlay, Status
from vision.rules.due.settle import settle
from vision.rules.play.dealscript import Place
from vision.story.hands import DEALER, seat_place
from vision.story.worlds import Dues, Hand, doubtful, dues
from vision.values.cards import DECK, UNSEEN, Card, DealtHand, parse_seen
from vision.values.geometry import Floats

HOUSE = house_sheet("maryland").house
KINGS = "Kc Kd 9h 7s 4c 2d"


def hand(text: str) -> DealtHand:
    return tuple(parse_seen(name) for name in text.split())


def seat(number: int, cards: str, *, folded: bool = False, **wagers: int) -> SeatPlay:
    return SeatPlay(number, hand(cards), wagers, folded=folded)


def face(card: object, others: Mapping[str, float] | None = None, looks: int = 20) -> Floats | None:
    """Return what looks say of a card: this face, but for some others."""
    if not isinstance(card, Card):
        return None
    belief = np.zeros(len(DECK))
    for name, chance in (others or {}).items():
        belief[DECK.index(Card.parse(name))] = chance
    belief[DECK.index(card)] = 1 - belief.sum()
    return looks * belief


def seen(played: PlayedRound) -> dict[Place, Hand]:
    """Return what is known of a round's cards: all faces for sure, but the unseen ones."""
    hands: dict[Place, Hand] = {seat_place(play.seat): [face(card) for card in play.cards] for play in played.seats}
    return {**hands, DEALER: [face(card) for card in played.dealer]}


def due(played: PlayedRound, doubts: Mapping[str, Mapping[str, float]] | None = None) -> Dues:
    """Return what a round is due; `doubts`: cards of the first seat that may be others."""
    hands = seen(played)
    for name, others in (doubts or {}).items():
        cards = [str(card) for card in played.seats[0].cards]
        hands[seat_place(played.seats[0].seat)][cards.index(name)] = face(Card.parse(name), others)
    return dues(HOUSE, played, hands)


def paid(found: Dues, number: int, wager: str) -> dict[object, float]:
    """Return what a wager is paid, with the chance of each answer."""
    chances: dict[object, float] = {}
    for lines, chance in found.lines(number):
        chances[lines[wager].paid] = chances.get(lines[wager].paid, 0.0) + chance
    return chances


@pytest.mark.parametrize(
    ("cards", "ante", "aces_up"),
    [
        ("As Ad 8s 6c 2h", {500}, {500}),  # all was seen
        ("As Ad 8s 6c ??", {500}, None),  # aces win whatever comes; three would pay Aces Up more
        ("Qh 8d 6s 3c ??", {0}, {0}),  # at best a pair of queens: that loses to kings
        ("Ah 8d 6s 3c ??", {0, 500}, {0, 500}),  # a second ace would win
        ("As Ad ?? 6c ??", {None}, {None}),  # two cards missing: nothing is said
    ],
)
def test_what_is_due_whatever_an_unseen_card_is(cards: str, ante: set[object], aces_up: set[object] | None) -> None:
    found = due(PlayedRound((seat(2, cards, ante=500, play=500, aces_up=500),), dealer=hand(KINGS)))
    assert set(paid(found, 2, "ante")) == ante
    if aces_up is not None:
        assert set(paid(found, 2, "aces_up")) == aces_up


def test_chances_are_those_of_the_cards() -> None:
    found = due(PlayedRound((seat(2, "Ah 8d 6s 3c ??", aces_up=500),), dealer=hand(KINGS)))
    chances = paid(found, 2, "aces_up")
    assert chances[500] == pytest.approx(3 / 42, abs=0.04)  # three aces among the 42 cards that were not seen
    assert sum(chances.values()) == pytest.approx(1.0)


def test_a_doubt_that_changes_nothing_is_none() -> None:
    played = PlayedRound((seat(2, "As Ad 8s 6c 2h", ante=500, play=500, aces_up=500),), dealer=hand(KINGS))
    found = due(played, {"6c": {"8c": 0.4}})  # a six or an eight: two pairs would pay Aces Up more
    assert set(paid(found, 2, "ante")) == {500}
    assert len(paid(found, 2, "aces_up")) == 2
    found = due(played, {"6c": {"5c": 0.4}})
    assert len(found.lines(2)) == 1


@pytest.mark.parametrize(
    ("looks", "is_sure"),
    [
        (1, False),  # one look alone may be wrong, however sure it is of itself
        (20, True),
    ],
)
def test_a_face_that_was_read_but_once_may_be_another(looks: int, *, is_sure: bool) -> None:
    played = PlayedRound((seat(2, "As Ad 8s 6c 2h", ante=500, play=500),), dealer=hand(KINGS))
    known = seen(played)
    known[seat_place(2)][0] = face(Card.parse("As"), looks=looks)  # without it a pair of aces is a pair of nothing
    assert (len(paid(dues(HOUSE, played, known), 2, "ante")) == 1) == is_sure


def test_a_face_that_another_card_has_for_sure_is_none_of_a_doubtful_one() -> None:
    played = PlayedRound((seat(2, "Ah 8d 6s 3c 2h", ante=500, aces_up=500),), dealer=hand("As Kd 9h 7s 4c 2d"))
    found = due(played, {"3c": {"As": 0.45}})  # the dealer has the ace of spades
    assert set(paid(found, 2, "aces_up")) == {0}


def test_a_card_that_lies_there_twice_is_not_settled() -> None:
    played = PlayedRound((seat(2, "Kc 8d 6s 3c 2h", ante=500),), dealer=hand(KINGS))
    assert due(played).status is Status.INVALID_CARDS


def test_doubtful_cards_are_named_the_most_doubtful_first() -> None:
    hands: dict[Place, Hand] = {
        DEALER: [face(Card.parse("6c"), {"8c": 0.2}), face(Card.parse("As")), face(Card.parse("2d"), {"2h": 0.4})],
        seat_place(1): [None],
    }
    assert doubtful(hands) == ["??", "2d 2h", "6c 8c"]


@st.composite
def rounds(draw: st.DrawFn, players: int = 1) -> PlayedRound:
    """Return a round of which every card was seen."""
    deck = list(draw(st.permutations(DECK)))
    dealer = tuple(deck[:6])
    seats = []
    for i in range(players):
        wagers = {"ante": 500, "play": draw(st.sampled_from([500, 1000, 1500])), "aces_up": 500, "six_card": 100}
        folded = draw(st.booleans()) and draw(st.booleans())
        kept = {wager: cents for wager, cents in wagers.items() if not (folded and wager == "play")}
        seats.append(SeatPlay(i + 1, tuple(deck[6 + 5 * i : 11 + 5 * i]), kept, folded=folded))
    return PlayedRound(tuple(seats), dealer=dealer)


@settings(max_examples=40, deadline=None)
@given(rounds(players=2))
def test_where_all_was_seen_it_is_the_plain_settlement(played: PlayedRound) -> None:
    assert due(played).settled == ((settle(HOUSE, played), 1.0),)


def lacking(played: PlayedRound, at: int, index: int = 0) -> PlayedRound:
    """Return the round with one card of a seat unseen."""
    play = played.seats[index]
    cards = (*play.cards[:at], UNSEEN, *play.cards[at + 1 :])
    seats = list(played.seats)
    seats[index] = replace(play, cards=cards)
    return replace(played, seats=tuple(seats))


@settings(max_examples=25, deadline=None)
@given(rounds(), st.integers(0, 4))
def test_the_truth_is_among_the_answers(played: PlayedRound, at: int) -> None:
    true = settle(HOUSE, played).seats[0].lines
    answers = due(lacking(played, at)).lines(1)
    for wager, line in true.items():
        assert line.paid in {lines[wager].paid for lines, _ in answers if wager in lines} | {0}, wager
    assert sum(chance for _, chance in answers) == pytest.approx(1.0)


@settings(max_examples=25, deadline=None)
@given(rounds(players=2), st.integers(0, 4))
def test_the_other_seats_are_due_what_they_were(played: PlayedRound, at: int) -> None:
    ((lines, _),) = due(lacking(played, at)).lines(2)
    assert lines == settle(HOUSE, played).seats[1].lines
