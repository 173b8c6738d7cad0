import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.values.cards import DECK, UNSEEN, Card, parse_hand, parse_seen


@given(card=st.sampled_from(DECK))
def test_text_form_is_the_inverse_of_parse(card: Card) -> None:
    assert Card.parse(str(card)) == card


@pytest.mark.parametrize(
    "text",
    [
        "1s",  # there is no one
        "10s",  # the ten is T
        "AS",  # suits are small letters
        "as",  # ranks are capitals
        "A",  # no suit
        "",  # nothing
        "Ah ",  # a blank is not part of a card
        "??",  # unseen is not a card
    ],
)
def test_what_is_not_a_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        Card.parse(text)


def test_an_unseen_card_is_a_value_of_its_own() -> None:
    assert parse_seen("??") == UNSEEN
    assert parse_seen("Td") == Card("T", "d")


def test_a_deck_has_52_different_cards() -> None:
    assert len(set(DECK)) == 52
    assert parse_hand("As Kd") == (Card("A", "s"), Card("K", "d"))
