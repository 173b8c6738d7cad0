"""How long it takes from a mistake being visible to the alert standing on an open page, with all parts running.

Footage is played at its own pace by a watcher process; a page is open, logged in. A frame is due so long after the
session began as its stream time says, so whatever is slow on the way counts, also decoding and falling behind.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from studio.bench.page import OpenPage, Visitor
from vision.capture.video import SECOND_NS
from vision.demo.samples import Sample, find_samples
from vision.demo.stage import HOST, Stage, WatcherProcess, open_home, open_stage
from vision.records.alert import Alert
from vision.score.records import Fault, read_truth
from vision.store import reading
from vision.web.serving import listen

PASSES: Final = 3
LOOK_S: Final = 0.25
EARLY_NS: Final = SECOND_NS  # an alert may come so long before the truth's moment: a card that is still being turned
NAME: Final = "bench"


@dataclass(frozen=True, slots=True)
class Raised:
    """A fault of the footage, and how long its alert took: from the picture, and from the frame that proved it."""

    code: str
    picture_s: float | None  # None: it was never raised
    frame_s: float | None


def measure(step: Callable[[str], None]) -> Iterator[dict[str, object]]:
    """Play the samples several times; yield the delays of each kind of alert, and of all."""
    found = [raised for many in _played(step) for raised in many]
    for code in sorted({raised.code for raised in found}):
        yield _summary(code, [raised for raised in found if raised.code == code])
    yield _summary("all", found)


def steps() -> int:
    """Return how often footage is played."""
    return PASSES * len(find_samples())


def _played(step: Callable[[str], None]) -> Iterator[list[Raised]]:
    with open_home(None) as home, open_stage(home, listen(HOST, 0)) as stage:
        password = secrets.token_urlsafe()
        stage.people.change(NAME, stage.people.add(NAME), password)
        visitor = Visitor(stage.address, NAME, password)
        for _ in range(PASSES):
            for sample in find_samples():
                step(sample.name)
                yield _watched(stage, sample, visitor)


def _watched(stage: Stage, sample: Sample, visitor: Visitor) -> list[Raised]:
    """Watch a sample until every fault in it was raised, or to its end."""
    faults = [fault for true in read_truth(sample.truth).rounds for fault in true.faults]
    before, page = stage.store.last_seq(sample.table), OpenPage(visitor, sample.table, stage.clock)
    found: list[Raised] = []
    with WatcherProcess(sample, stage.home) as watcher:
        while watcher.is_running and not (found and all(raised.picture_s is not None for raised in found)):
            page.wait(LOOK_S)
            found = _matched(stage, sample.table, before, faults, page.shown_ns())
    return found


def _matched(stage: Stage, table: str, before: int, faults: Sequence[Fault], shown_ns: dict[str, int]) -> list[Raised]:
    """Return what became of each fault in the session that began after an entry."""
    session = next((each for each in reading.sessions(stage.store, table, 1) if each.first_seq > before), None)
    alerts = [row for row in reading.alerts(stage.store, table=table, open_only=False) if row.first_seq > before]
    found = []
    for fault in faults:
        hits = [row.body for row in alerts if row.id in shown_ns and _is_of(row.body, fault)]
        first = min(hits, key=lambda alert: alert.t_ns, default=None)
        if session is None or first is None:
            found.append(Raised(fault.code, None, None))
            continue
        late_ns = shown_ns[first.id] - session.body.wall_ns
        delays = ((late_ns - t_ns) / SECOND_NS for t_ns in (fault.t_ns, first.t_ns))
        found.append(Raised(fault.code, *delays))
    return found


def _is_of(alert: Alert, fault: Fault) -> bool:
    """Return whether an alert means a fault: its code, its seat and wager where both name them, and not before it."""
    pairs = ((alert.seat, fault.seat), (alert.wager, fault.wager))
    is_there = all(said is None or true is None or said == true for said, true in pairs)
    return alert.code == fault.code and is_there and alert.t_ns >= fault.t_ns - EARLY_NS


def _summary(code: str, found: Sequence[Raised]) -> dict[str, object]:
    delays = [raised.picture_s for raised in found if raised.picture_s is not None]
    frames = [raised.frame_s for raised in found if raised.frame_s is not None]
    return {
        "bench": "live",
        "alert": code,
        "faults": len(found),
        "raised": len(delays),
        "picture_to_page_s": _spread(delays),
        "frame_to_page_s": _spread(frames),
    }


def _spread(delays: Sequence[float]) -> dict[str, float] | None:
    """Return the middle, the 95th percentile and the most of some delays."""
    if not delays:
        return None
    middle, late = np.percentile(delays, [50, 95])
    return {"p50": round(float(middle), 2), "p95": round(float(late), 2), "max": round(max(delays), 2)}
