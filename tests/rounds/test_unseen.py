"""Settlement with a card missing: what is due whatever it is, and never more than that."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cards import DECK, UNSEEN, Card, DealtHand, parse_seen
from vision.rounds.unseen import settled
from vision.rules.due.record import PlayedRound, SeatPlay
from vision.rules.due.settle import settle
from vision.simulate.studio import house_sheet

HOUSE = house_sheet("maryland").house
DEALER = "Kc Kd 9h 7s 4c 2d"  # a pair of kings


def hand(text: str) -> DealtHand:
    return tuple(parse_seen(name) for name in text.split())


def seat(number: int, cards: str, *, folded: bool = False, **wagers: int) -> SeatPlay:
    return SeatPlay(number, hand(cards), wagers, folded=folded)


@pytest.mark.parametrize(
    ("cards", "ante", "aces_up"),
    [
        ("As Ad 8s 6c ??", ("win", 500), None),  # aces win whatever comes; three would pay Aces Up more
        ("Ah As Ad 6c ??", ("win", 500), None),  # a fourth ace would pay another row
        ("Qh 8d 6s 3c ??", ("lose", 0), ("lose", 0)),  # at best a pair of queens: that loses to kings
        ("3h 5d 6s 8c ??", None, None),  # a seven would make a straight
        ("Ah 8d 6s 3c ??", None, None),  # a second ace would win
        ("As Ad ?? 6c ??", None, None),  # two cards missing: nobody asks
    ],
)
def test_what_is_due_whatever_the_card_is(
    cards: str, ante: tuple[str, int] | None, aces_up: tuple[str, int] | None
) -> None:
    played = PlayedRound((seat(2, cards, ante=500, play=500, aces_up=500),), dealer=hand(DEALER))
    lines = settled(HOUSE, played).seats[0].lines
    for wager, want in (("ante", ante), ("aces_up", aces_up)):
        known = None if lines[wager].paid is None else (str(lines[wager].outcome), lines[wager].paid)
        assert known == want, wager


def test_without_the_dealers_whole_hand_nothing_is_completed() -> None:
    played = PlayedRound((seat(2, "As Ad 8s 6c ??", ante=500, play=500),), dealer=hand("Kc Kd 9h 7s 4c ??"))
    assert settled(HOUSE, played) == settle(HOUSE, played)


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
    assert settled(HOUSE, played) == settle(HOUSE, played)


def lacking(played: PlayedRound, at: int, index: int = 0) -> PlayedRound:
    """Return the round with one card of a seat unseen."""
    play = played.seats[index]
    cards = (*play.cards[:at], UNSEEN, *play.cards[at + 1 :])
    seats = list(played.seats)
    seats[index] = replace(play, cards=cards)
    return replace(played, seats=tuple(seats))


@settings(max_examples=25, deadline=None)
@given(rounds(), st.integers(0, 4), st.data())
def test_what_is_said_to_be_due_contradicts_no_possible_card(played: PlayedRound, at: int, data: st.DataObject) -> None:
    unseen = lacking(played, at)
    lines = settled(HOUSE, unseen).seats[0].lines
    seen = {card for cards in (unseen.dealer, unseen.seats[0].cards) for card in cards if isinstance(card, Card)}
    card = data.draw(st.sampled_from([card for card in DECK if card not in seen]))
    cards = tuple(card if known is UNSEEN else known for known in unseen.seats[0].cards)
    true = settle(HOUSE, replace(unseen, seats=(replace(unseen.seats[0], cards=cards),))).seats[0].lines
    for wager, line in lines.items():
        if line.paid is not None:
            assert (line.outcome, line.paid) == (true[wager].outcome, true[wager].paid), wager


@settings(max_examples=25, deadline=None)
@given(rounds(players=2), st.integers(0, 4))
def test_the_other_seats_are_due_what_they_were(played: PlayedRound, at: int) -> None:
    assert settled(HOUSE, lacking(played, at)).seats[1] == settle(HOUSE, played).seats[1]


@settings(max_examples=25, deadline=None)
@given(rounds(), st.integers(0, 4))
def test_an_unseen_card_takes_nothing_back_that_is_known_without_it(played: PlayedRound, at: int) -> None:
    plain = settle(HOUSE, lacking(played, at)).seats[0].lines
    found = settled(HOUSE, lacking(played, at)).seats[0].lines
    known = {wager: line for wager, line in plain.items() if line.paid is not None}
    assert {wager: (found[wager].outcome, found[wager].paid) for wager in known} == {
        wager: (line.outcome, line.paid) for wager, line in known.items()
    }
