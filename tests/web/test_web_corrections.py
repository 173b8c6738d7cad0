"""Corrections: kept beside the record, settled anew, and given to `feltwatch score` as truth."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bodies import alert, event, played
from web_room import SEAT, WebRoom, open_room, token_in

from studio.bench import recorded
from vision.bus.topics import Topic
from vision.cli import main
from vision.records.correction import Correction
from vision.records.round import Round
from vision.web.correcting import corrected, parts, read_value

FIVE = {"2": "cdhs", "4": "dhsc", "7": "hscd", "9": "scdh", "J": "dhsc"}  # ranks that make nothing, suits in turn


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRoom]:
    with open_room(tmp_path) as room:
        yield room


@pytest.fixture
def record() -> Round:
    """The recorded round in which $240 were due on Aces Up, and nothing was paid."""
    each = next(each for each in recorded.read() if "winner-not-paid" in str(each["messages"]))
    return next(Round.of(message["body"]) for message in each["messages"] if message["topic"] == "round")


def fix(part: str, value: Any) -> Correction:
    return Correction(round="t-0001", part=part, value=value, was=None, by="ada", wall_ns=1)


def correct(web: WebRoom, part: str, value: str, name: str = "ada", role: str = "operator") -> tuple[int, str]:
    browser = web.browser(name, role)
    form = {"form_token": token_in(browser.get("/rounds").text), "part": part, "value": value}
    answer = browser.post("/rounds/t-0001/corrections", data=form)
    return answer.status_code, answer.text


def test_a_corrected_payment_changes_the_verdict(record: Round) -> None:
    assert record.verdict == "wrong"
    really = corrected(record, [fix("seats.1.wagers.aces_up.paid_cents", 24_000)])
    assert really.seats[1].wagers["aces_up"].verdict == "right"
    assert really.verdict != "wrong"
    assert corrected(record, []) is record


def test_a_corrected_stake_changes_what_was_due(record: Round) -> None:
    really = corrected(record, [fix("seats.1.wagers.aces_up.cents", 2_000)])
    assert really.seats[1].wagers["aces_up"].due_cents == 12_000


def test_corrected_cards_change_the_hand(record: Round) -> None:
    """Without its flush the hand wins nothing on Aces Up."""
    used = {record.bonus_card, *record.dealer.cards, *(card for seat in record.seats for card in seat.cards)}
    free = [next(rank + suit for suit in suits if rank + suit not in used) for rank, suits in FIVE.items()]
    really = corrected(record, [fix(f"seats.1.cards.{i}", card) for i, card in enumerate(free)])
    assert really.seats[1].wagers["aces_up"].due_cents == 0


def test_every_part_of_a_record_can_be_read_back(record: Round) -> None:
    found = list(parts(record))
    assert len({part.name for part in found}) == len(found) > 30
    for part in found:
        if part.value not in (None, "??"):
            text = f"{part.value / 100:.2f}" if isinstance(part.value, int) else part.value
            assert read_value(part, str(text)) == part.value


@pytest.mark.parametrize(
    ("part", "value", "status"),
    [
        ("seats.0.cards.2", "10d", 303),
        ("seats.0.cards.2", "Xd", 400),
        ("seats.0.cards.9", "Td", 400),
        ("seats.0.wagers.ante.cents", "$12.50", 303),
        ("seats.0.wagers.ante.cents", "-3", 400),
        ("seats.0.wagers.ante.paid_cents", "some", 400),
        ("seats.0.decision", "fold", 303),
        ("seats.0.decision", "ran away", 400),
        ("events.0.seat", "3", 303),
        ("events.0.seat", "8", 400),
        ("id", "t-0002", 400),
        ("__class__", "x", 400),
    ],
)
def test_only_what_can_be_is_kept(web: WebRoom, part: str, value: str, status: int) -> None:
    bet = event(1, kind="bet", seat=2, wager="ante", cents=600)
    web.put(Topic.ROUND, played(1, verdict="wrong", seats=[SEAT], events=[bet]))
    assert correct(web, part, value)[0] == status
    kept = [envelope for envelope in web.store.since("t", 0) if envelope.topic is Topic.CORRECTION]
    assert len(kept) == (status == 303)


def test_a_correction_is_shown_with_who_and_what_it_was(web: WebRoom) -> None:
    web.tell_round()
    assert correct(web, "seats.0.cards.2", "td")[0] == 303
    text = web.browser("bob").get("/rounds/t-0001").text
    assert "<b>Seat 2, card 3</b>: ?? → <b>Td</b>" in text
    assert correct(web, "seats.0.cards.2", "5d", "vic", "viewer")[0] == 403


def test_reviewed_rounds_are_truth_that_score_reads(
    web: WebRoom, record: Round, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A true alert is a fault of the truth, and a card that was set right is one that was read wrong."""
    plain = record.plain() | {"id": "t-0001", "table": "t", "events": [], "alerts": []}
    about: dict[str, Any] = {"seat": 4, "wager": "aces_up", "t_ns": record.ended_ns}
    proof = {"start_ns": record.ended_ns - 10**9, "end_ns": record.ended_ns, "frames": []}
    web.put(Topic.ALERT, alert(1, code="winner-not-paid", evidence=proof, **about))
    web.put(Topic.ROUND, plain)
    web.put(Topic.ROUND, played(2))  # nobody looked at it
    card = record.seats[0].cards[0]
    correct(web, "seats.0.cards.0", "2c" if card != "2c" else "3c")
    browser = web.browser("ada")
    form = {"form_token": token_in(browser.get("/rounds").text), "finding": "dealer-error"}
    assert browser.post("/rounds/t-0001/dispositions", data=form).status_code == 303
    out = tmp_path / "labelled"
    assert main(["dataset", "export", "t", str(out), "--home", str(web.home.folder)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["rounds"], said["corrections"], said["faults"]) == (1, 1, 1)
    assert main(["score", str(out), str(out)]) == 0
    report = (out / "score.json").read_text(encoding="utf-8")
    assert '"rounds"' in report
    assert main(["dataset", "export", "u", str(out), "--home", str(web.home.folder)]) == 1
