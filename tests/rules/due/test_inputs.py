"""What was seen, off the wire: each kind of input in the forms in which a table's devices may give it."""

from typing import Any

import pytest

from vision.rules.due.inputs import read_input
from vision.rules.due.record import Undecided
from vision.rules.hands.vocabulary import Joker, Spin
from vision.rules.text.wagerfile import InputKind
from vision.values.cards import parse_hand
from vision.values.errors import InputError

KING_NINE = parse_hand("Ks 9h")


@pytest.mark.parametrize(
    ("kind", "given", "read"),
    [
        ("cards", ["Ks", "9h"], KING_NINE),
        ("cards", "Ks 9h", KING_NINE),  # one text
        ("cards", [["Ks"], ["9h"]], KING_NINE),  # hand by hand
        ("cards", ["joker"], (Joker(),)),
        ("hands", [["Ks", "9h"], {"seat": 3, "cards": ["Ks", "9h"]}], (KING_NINE, KING_NINE)),
        ("hands", {"original": ["Ks"], "additional": ["9h"]}, (KING_NINE[:1], KING_NINE[1:])),
        ("combinations", {"3": "Ks9h"}, {"3": KING_NINE}),
        ("combinations", [["Ks", "9h"]], {"1": KING_NINE}),  # in order from position 1
        ("combinations", [{"position": 4, "king": "Ks", "nine": "9h"}], {"4": KING_NINE}),
        ("flag", 1, False),  # one linked game is not several
        ("flag", ["this one", "another"], True),
        ("points", [6, 7], {"player": 6, "banker": 7}),
        ("meters", 500, {"any": 500}),
        ("meters", {"Mega Jackpot": 500, "minor": None}, {"mega": 500}),
        ("dice", {"red": 6, "blue": [1, 2]}, (6, 1, 2)),
        ("tiles", ["4-2", [1, 2]], ((4, 2), (2, 1))),  # the higher half first
        ("spin", {"number": 17, "color": "Black"}, Spin("17", "black")),
        ("spins", ["0", 5], (Spin("0", ""), Spin("5", ""))),
        ("picks", "2 and 5", (2, 5)),
        ("picks", {"total": 9}, (9,)),
        ("picks", 4, (4,)),
        ("cents", None, None),
    ],
)
def test_an_input_is_read(kind: InputKind, given: Any, read: object) -> None:
    assert read_input("inputs.it", kind, given) == read


def test_a_card_that_nobody_read_leaves_it_undecided() -> None:
    assert isinstance(read_input("inputs.it", "cards", ["Ks", "??"]), Undecided)


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("cards", 7),
        ("cards", ["1s"]),
        ("cards", [7]),
        ("cents", True),  # not a number
        ("cents", 2.5),
        ("die", 7),
        ("dice", {"green": 1}),
        ("tiles", ["7-1"]),
        ("rolls", [[1, 2, 3]]),
        ("spin", "37"),
        ("hands", 3),
        ("points", {"player": "six"}),
    ],
)
def test_what_cannot_be_that_kind_of_thing_is_named(kind: InputKind, given: Any) -> None:
    with pytest.raises(InputError, match=r"inputs\.it"):
        read_input("inputs.it", kind, given)
