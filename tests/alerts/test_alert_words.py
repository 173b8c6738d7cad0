"""The words of alerts: every reason has some, and no code reads them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import studio
import vision
from vision.alerts.codes import GAME, PROCEDURE, SYSTEM, TITLES, deadline_of, severity_of, title_of
from vision.alerts.words import FINDINGS, RULINGS, finding_words, ruling_words
from vision.rules.play.ruling import Reason, Ruling, numbers
from vision.story.verdict import Finding, Why
from vision.values.codes import Code

NAMES = {"six_card": "Six Card Bonus", "ante": "Ante", "aces_up": "Aces Up", "play": "Play"}
SENTENCES = {"why", "observed", "expected", "remedy", "notes"}  # fields that hold words for people
READERS = {"startswith", "endswith", "removeprefix", "removesuffix", "split", "partition", "find", "index"}


def refused(reason: Reason, **about: float | str | tuple[str, ...]) -> Ruling:
    return Ruling(Code.WAGER_NOT_ALLOWED, reason, seat=2, wager="six_card", numbers=numbers(**about))


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        (refused(Reason.NOT_OFFERED), "Six Card Bonus at seat 2: not offered by the house"),  # as the game calls it
        (
            refused(Reason.OUTSIDE_LIMITS, cents=250, least_cents=500, most_cents=10_000),  # cents are dollars
            "Six Card Bonus at seat 2: $2.50, table limits $5 to $100",
        ),
        (
            refused(Reason.OTHER_WAGER_MISSING, needed_wagers=("ante", "aces_up")),
            "Six Card Bonus at seat 2 without Ante or Aces Up",
        ),
        (refused(Reason.CLEARED_UNSETTLED, open_wagers=("ante", "envy")), "Seat 2 cleared with Ante, Envy unsettled"),
        (refused(Reason.WRONG_NUMBER_SHOWN, place="seat 2", cards=4, due_cards=5), "Seat 2: 4 cards, should be 5"),
        (
            refused(Reason.TOO_FEW_DEALT, place="dealer", cards=1, due_cards=6),
            "Dealer: 1 card at the end of the deal, should be 6",
        ),
        (
            refused(Reason.DEALT_OUT_OF_TURN, place="seat 3", due_place="seat 2"),
            "card dealt to seat 3; seat 2 was next",
        ),
        (refused(Reason.FACED_IN_DECK, cards=1, card="Td"), "1 card face up in the deck: T♦"),  # one is not many
        (refused(Reason.DECK_TOO_OLD, hours=4.04, most_hours=4), "deck in play for 4.0 hours, at most 4 allowed"),
    ],
)
def test_rulings(ruling: Ruling, said: str) -> None:
    assert ruling_words(ruling, NAMES) == said


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (None, None),  # nothing is amiss
        (Why(Finding.PAID_OTHER, numbers(paid_cents=500, due_cents=600)), "paid $5, due $6"),
        (
            Why(Finding.CARDS_UNCERTAIN, numbers(doubted_cards=("?? ??", "6c 8c"))),  # unseen cards, and a doubtful one
            "depends on cards not read reliably: 2 not seen, 6♣ or 8♣",
        ),
        (Why(Finding.VIEW_LOST, numbers(code="view-blocked", what="x")), "view blocked: x"),
        (Why(Finding.RULES_SILENT, numbers(text="a {brace} of the text")), "a {brace} of the text"),  # as it stands
    ],
)
def test_findings(why: Why | None, said: str | None) -> None:
    assert finding_words(why) == said


def test_every_reason_and_every_code_has_words() -> None:
    assert set(RULINGS) == set(Reason)
    assert set(FINDINGS) == set(Finding)
    assert list(TITLES) == list(Code)


def test_a_code_has_one_title() -> None:
    assert title_of("late-wager") == "Late bet"
    assert title_of("camera-on-fire") == "Camera on fire"  # written by another build


def test_severity_and_deadline_follow_the_kind() -> None:
    assert {severity_of(code) for code in GAME} == {"critical"}
    assert {severity_of(code) for code in PROCEDURE} == {"warning"}
    assert {(severity_of(code), deadline_of(code)) for code in SYSTEM} == {("info", None)}
    assert {deadline_of(code) for code in (*GAME, *PROCEDURE)} == {"next round's first card"}


def is_sentence(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and node.slice.value in SENTENCES
    return isinstance(node, ast.Attribute) and node.attr in SENTENCES


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def sentences_read(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that look into a sentence: compare it with a text, or take it apart."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(map(is_sentence, sides)) and any(map(is_text, sides)):
                yield node.lineno
        if isinstance(node, ast.Attribute) and node.attr in READERS and is_sentence(node.value):
            yield node.lineno


@pytest.mark.parametrize("line", ["x.why.startswith('a')", "'outside' in r.why", "m['observed'] == 'b'"])
def test_a_sentence_that_is_read_is_found(line: str) -> None:
    assert list(sentences_read(ast.parse(line))) == [1]


@pytest.mark.parametrize("package", [vision, studio], ids=lambda package: package.__name__)
def test_no_code_reads_a_sentence(package: object) -> None:
    root = Path(str(getattr(package, "__file__", ""))).parent
    found = [
        f"{path.relative_to(root)}:{line}"
        for path in sorted(root.rglob("*.py"))
        for line in sentences_read(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []
