"""Outages: what is in the way for some seconds is one, told once and once more when over; and the ledger says so."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.alerts.coverage import GAP_NS, CoverageLedger
from vision.alerts.outage import CLEAR_NS, LASTS_NS, Outage, OutageWatch
from vision.attention.trouble import BLOCKED, DEGRADED, Trouble
from vision.records.coverage import Coverage
from vision.records.message import Message

TICK_NS = 100_000_000
SOMEBODY, DARK = Trouble(BLOCKED, "40% of the open print is hidden"), Trouble(DEGRADED, "the picture is too dark")
WORDS = {".": None, "b": SOMEBODY, "d": DARK}


def outages(story: str) -> list[tuple[str, float, float, bool]]:
    """Return what is told of a story, a letter for each half second: code, start, end, and whether it is over."""
    watch = OutageWatch()
    looks = [WORDS[letter] for letter in story for _ in range(5)]
    told = [watch.update(i * TICK_NS, trouble) for i, trouble in enumerate(looks)]
    return [(o.code, o.start_ns / 1e9, o.end_ns / 1e9, o.is_over) for o in told if o is not None]


@pytest.mark.parametrize(
    ("story", "told"),
    [
        ("........", []),
        ("..bbb...", []),  # a second and a half: a hand, a flash
        ("..bbbbbb....", [(BLOCKED, 1.0, 3.0, False), (BLOCKED, 1.0, 3.9, True)]),
        ("..bbbb.bbbb....", [(BLOCKED, 1.0, 3.5, False), (BLOCKED, 1.0, 5.4, True)]),  # free for a moment: one outage
        ("..ddbbbbbb....", [(BLOCKED, 1.0, 3.0, False), (BLOCKED, 1.0, 4.9, True)]),  # what was seen most names it
        ("..dddddbbb....", [(DEGRADED, 1.0, 3.0, False), (DEGRADED, 1.0, 4.9, True)]),  # and it keeps its name
        ("bbbbbb", [(BLOCKED, 0.0, 2.0, False)]),  # from the first, and to the end
        (
            "bbbbbb...dddddd...",
            [
                (BLOCKED, 0, 2.0, False),
                (BLOCKED, 0, 2.9, True),
                (DEGRADED, 4.5, 6.5, False),
                (DEGRADED, 4.5, 7.4, True),
            ],
        ),
    ],
)
def test_outages(story: str, told: list[tuple[str, float, float, bool]]) -> None:
    assert outages(story) == told


@given(story=st.text(alphabet=".bd", max_size=60))
def test_every_outage_is_told_once_and_ends_once(story: str) -> None:
    told = outages(story)
    assert [over for *_, over in told] == [bool(i % 2) for i in range(len(told))]
    for code, start, end, is_over in told:
        assert code in (BLOCKED, DEGRADED)
        assert end - start >= LASTS_NS / 1e9 - 0.11 or not is_over
    starts = [start for _, start, _, is_over in told if not is_over]
    ends = [end for _, _, end, is_over in told if is_over]
    assert all(later - end >= CLEAR_NS / 1e9 for end, later in zip(ends, starts[1:], strict=False))


def ledger(steps: Sequence[int | Outage], end_ns: int) -> list[tuple[int, int, str, str | None]]:
    coverage = CoverageLedger("t")
    messages: list[Message] = []
    for step in steps:
        messages += coverage.unseen(step) if isinstance(step, Outage) else coverage.seen(step)
    messages += coverage.end(end_ns)
    lines = [message.record for message in messages if isinstance(message.record, Coverage)]
    return [(line.start_ns, line.end_ns, line.state, line.why) for line in lines]


S = 10**9
WHY = "view blocked: dark"


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        ([0, S, 2 * S], [(0, 2, "watched", None)]),
        ([0, S, 4 * S], [(0, 1, "watched", None), (1, 4, "not observed", "frames lost"), (4, 4, "watched", None)]),
        (
            [0, S, 2 * S, Outage(BLOCKED, "dark", S, 2 * S), 3 * S, Outage(BLOCKED, "dark", S, 2 * S, is_over=True)],
            [(0, 1, "watched", None), (1, 2, "not observed", WHY), (2, 3, "watched", None)],
        ),
        (  # it lasts until the end
            [0, S, 2 * S, Outage(BLOCKED, "dark", S, 2 * S), 3 * S],
            [(0, 1, "watched", None), (1, 3, "not observed", WHY)],
        ),
        (  # from the first picture on: nothing was watched
            [0, S, 2 * S, Outage(BLOCKED, "dark", 0, 2 * S)],
            [(0, 2, "not observed", WHY)],
        ),
        (  # frames are lost while it lasts
            [0, S, Outage(BLOCKED, "dark", 0, S), 9 * S, Outage(BLOCKED, "dark", 0, S, is_over=True), 10 * S],
            [(0, 1, "not observed", WHY), (1, 9, "not observed", "frames lost"), (9, 10, "watched", None)],
        ),
    ],
)
def test_the_ledger(steps: list[int | Outage], lines: list[tuple[int, int, str, str | None]]) -> None:
    end_ns = max(step if isinstance(step, int) else step.end_ns for step in steps)
    assert ledger(steps, end_ns) == [(start * S, end * S, state, why) for start, end, state, why in lines]
    assert GAP_NS == S


@given(story=st.text(alphabet=".bd-", min_size=1, max_size=60))
def test_every_moment_is_in_one_line(story: str) -> None:
    coverage, watch = CoverageLedger("t"), OutageWatch()
    messages: list[Message] = []
    times = [i * S // 2 for i, letter in enumerate(story) if letter != "-"] or [0]  # '-': no frame
    for t_ns in times:
        messages += coverage.seen(t_ns)
        outage = watch.update(t_ns, WORDS.get(story[t_ns * 2 // S]))
        messages += coverage.unseen(outage) if outage is not None else ()
    messages += coverage.end(times[-1])
    lines = [message.record for message in messages if isinstance(message.record, Coverage)]
    spans = [(line.start_ns, line.end_ns) for line in lines]
    assert (spans[0][0], spans[-1][1]) == (times[0], times[-1])
    assert all(one[1] == two[0] for one, two in itertools.pairwise(spans))
