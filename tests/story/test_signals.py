"""Signals of other systems: each kind with its own fields, and errors that name the line, the field and the value."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # the library has no types
from schemas import read_schema

from vision.records.signal import Signal
from vision.story.signals import KINDS, read_signal, read_signals
from vision.values.errors import InputError

WHOLE = {"seat": 3, "cents": 100, "number": 52, "name": "main", "since_ns": -5}
TIMES = st.integers(0, 10**15)


@st.composite
def signals(draw: st.DrawFn) -> Signal:
    kind = draw(st.sampled_from(sorted(KINDS)))
    needed, may_have = KINDS[kind]
    extra = draw(st.lists(st.sampled_from(may_have), unique=True)) if may_have else []
    return Signal.of({"t_ns": draw(TIMES), "kind": kind, **{field: WHOLE[field] for field in (*needed, *extra)}})


@given(signal=signals())
def test_a_signal_is_read_as_it_was_written(signal: Signal) -> None:
    assert read_signal(str(signal)) == signal
    Draft202012Validator(read_schema("signal")).validate(signal.plain())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "line 2: 'nonsense': want a JSON object"),
        ('{"t_ns": 1, "kind": "a"}', "line 2: kind: 'a': want one of no-more-bets, progressive"),
        ('{"kind": "no-more-bets"}', "line 2: t_ns: missing"),
        ('{"t_ns": -1, "kind": "no-more-bets"}', "line 2: t_ns: -1: "),  # before the stream began
        ('{"t_ns": 1, "kind": "no-more-bets", "sit": 2}', "line 2: sit: 2: unknown key"),
        ('{"t_ns": 1, "kind": "progressive", "seat": 2}', "line 2: cents: missing: a signal 'progressive' needs it"),
        ('{"t_ns": 1, "kind": "progressive", "seat": 0, "cents": 5}', "line 2: seat: 0: "),
        ('{"t_ns": 1, "kind": "meter", "name": "vast", "cents": 5}', "line 2: name: 'vast': want one of main, mega"),
        ('{"t_ns": 1, "kind": "stub-count", "number": "41"}', "line 2: number: '41': "),  # a number in quotes is none
        (
            '{"t_ns": 1, "kind": "stub-count", "number": 41, "seat": 2}',
            "line 2: seat: 2: a signal 'stub-count' has none",
        ),
        ('{"t_ns": 1, "kind": "deck", "since_ns": 2}', "line 2: since_ns: 2: want a time not after t_ns: 1"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "signals.jsonl"
    path.write_text(f'{{"t_ns": 5, "kind": "no-more-bets"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_signals(path)
    assert str(caught.value).startswith(f"{path}: {said}")


def test_empty_lines_are_nothing(tmp_path: Path) -> None:
    path = tmp_path / "signals.jsonl"
    path.write_text('\n{"t_ns": 5, "kind": "shuffler-count", "number": 52}\n\n', encoding="utf-8")
    assert read_signals(path) == [Signal(t_ns=5, kind="shuffler-count", number=52)]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_signals(tmp_path / "none.jsonl")
