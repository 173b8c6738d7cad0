"""Hearing other systems: what is appended is heard once, stamped, written down; what is wrong is left out."""

import json
import logging
from pathlib import Path

import pytest

from vision.records.signal import Signal
from vision.run.signal_tail import SignalTail
from vision.story.signals import read_signals

S = 10**9


def say(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "said.jsonl"


def test_what_is_appended_is_heard_once_with_the_time_of_its_frame(path: Path, tmp_path: Path) -> None:
    say(path, '{"kind": "no-more-bets"}\n')  # before the session: old
    signal_tail = SignalTail(path, tmp_path / "heard.jsonl")
    assert signal_tail.take(S) == []
    say(path, '{"kind": "stub-count", "number": 41}\n{"kind": "deck", "since_ns": -5}\n')
    said = [Signal(t_ns=2 * S, kind="stub-count", number=41), Signal(t_ns=2 * S, kind="deck", since_ns=2 * S - 5)]
    assert signal_tail.take(2 * S) == said
    assert signal_tail.take(3 * S) == []
    assert read_signals(tmp_path / "heard.jsonl") == said  # a replay hears the same


def test_a_line_that_is_still_written_waits(path: Path, tmp_path: Path) -> None:
    signal_tail = SignalTail(path, tmp_path / "heard.jsonl")  # nobody has said anything yet: no file
    say(path, '{"kind": "no-mo')
    assert signal_tail.take(S) == []
    say(path, 're-bets"}\n')
    assert signal_tail.take(2 * S) == [Signal(t_ns=2 * S, kind="no-more-bets")]


def test_a_file_that_begins_anew_is_read_from_its_beginning(path: Path, tmp_path: Path) -> None:
    say(path, "\n" * 200)
    signal_tail = SignalTail(path, tmp_path / "heard.jsonl")
    path.write_text('{"kind": "no-more-bets"}\n', encoding="utf-8")
    assert signal_tail.take(S) == [Signal(t_ns=S, kind="no-more-bets")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "Expecting value"),
        ("[1]", "valid dictionary"),
        (json.dumps({"kind": "bell"}), "kind: 'bell'"),
        (json.dumps({"kind": "progressive", "seat": 3}), "cents: missing"),
    ],
)
def test_a_line_that_is_wrong_is_left_out(
    path: Path, tmp_path: Path, line: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    signal_tail = SignalTail(path, tmp_path / "heard.jsonl")
    say(path, f'{line}\n{{"kind": "no-more-bets"}}\n')
    with caplog.at_level(logging.WARNING):
        assert [signal.kind for signal in signal_tail.take(S)] == ["no-more-bets"]
    assert said in caplog.text
