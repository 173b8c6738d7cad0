"""Facts: what each look at a table shows enters; what is proved by it leaves, with likelihoods.

A plain stage: no file, no clock, no thread; the same observations give the same facts.
"""

from typing import Final, Literal

from vision.attention.trouble import BLOCKED
from vision.observe.covers import Covers
from vision.observe.frame_observation import FrameObservation
from vision.observe.hands import Hands, trip_fact
from vision.observe.model import ObservationModel
from vision.observe.physics import SECOND_NS
from vision.observe.scene import Scene
from vision.records.fact import Ended, Fact, SignalFact, Tick, View
from vision.records.signal import Signal
from vision.table.layout import Layout
from vision.values.geometry import Camera

TICK_NS: Final = SECOND_NS // 4  # a story that waits for something to be believed notices that late at most
IDLE_TICK_NS: Final = SECOND_NS  # the same where nothing happened for a while
IDLE_NS: Final = 5 * SECOND_NS
GAP_NS: Final = 3 * SECOND_NS  # frames so far apart: anything may have happened between them
State = Literal["clear", "unsure", "blocked", "degraded", "moved", "gap"]


class FactObserver:
    """Tells the facts of one table."""

    def __init__(self, layout: Layout, model: ObservationModel | None = None, camera: Camera | None = None) -> None:
        self._hands = Hands(layout, None if camera is None else camera.position_mm)
        self._scene = Scene(model or ObservationModel(), self._hands)
        self._covers = Covers()
        self._state: State | None = None
        self._frame, self._now_ns = 0, 0
        self._told_ns, self._quiet_ns = 0, 0  # when anything was told last; and when anything but a tick or reading

    def update(self, seen: FrameObservation) -> list[Fact]:
        """Take in what one frame showed; return the facts that it proves."""
        facts = self._view(seen)
        passed_ns, self._frame, self._now_ns = seen.t_ns - self._now_ns, seen.index, seen.t_ns
        hands = [thing for thing in seen.things if thing.kind == "hand"]
        reaches = self._hands.update(seen.t_ns, hands)
        facts += [trip_fact(reach, seen.t_ns, seen.index) for reach in reaches if reach.end_ns is None]
        if seen.trouble is None:
            facts += self._scene.update(seen)
            self._hands.note_near(self._scene.places(), passed_ns)
        else:
            self._scene.hold(seen.t_ns)
        facts += [trip_fact(reach, seen.t_ns, seen.index) for reach in reaches if reach.end_ns is not None]
        facts += self._covers.update(seen, hands)
        return facts + self._tick(facts)

    def signal(self, signal: Signal) -> list[Fact]:
        """Pass on what another system says."""
        now_ns = max(self._now_ns, signal.t_ns)
        return [SignalFact(known_ns=now_ns, t_ns=signal.t_ns, signal=signal)]

    def finish(self, t_ns: int, why: str | None = None) -> list[Fact]:
        """End the stream."""
        facts: list[Fact] = [trip_fact(reach, t_ns, self._frame) for reach in self._hands.finish()]
        return [*facts, Ended(known_ns=t_ns, t_ns=t_ns, frames=(self._frame,), why=why)]

    def _view(self, seen: FrameObservation) -> list[Fact]:
        """Tell what changed of the camera's own state."""
        facts: list[Fact] = []
        if self._state is not None and seen.t_ns - self._now_ns > GAP_NS:
            facts.append(self._view_fact(seen, "gap"))
        if seen.moved_px is not None:
            facts.append(self._view_fact(seen, "moved"))
        state: State = "clear"
        if seen.trouble is not None:
            state = "blocked" if seen.trouble.code == BLOCKED else "degraded"
        elif not seen.is_sure:
            state = "unsure"
        if state != self._state or facts:
            self._state = state
            facts.append(self._view_fact(seen, state))
        return facts

    def _view_fact(self, seen: FrameObservation, state: State) -> View:
        what = seen.trouble.what if seen.trouble is not None and state in ("blocked", "degraded") else None
        moved_px = seen.moved_px if state == "moved" else None
        t_ns = self._now_ns if state == "gap" else seen.t_ns
        return View(known_ns=seen.t_ns, t_ns=t_ns, frames=(seen.index,), state=state, what=what, moved_px=moved_px)

    def _tick(self, facts: list[Fact]) -> list[Fact]:
        """Tell that time goes on, where nothing else does."""
        if any(fact.kind not in ("read", "present") for fact in facts):
            self._quiet_ns = self._now_ns
        quiet_ns = self._now_ns - self._quiet_ns
        if facts:
            self._told_ns = self._now_ns
        if self._now_ns - self._told_ns < (IDLE_TICK_NS if quiet_ns > IDLE_NS else TICK_NS):
            return []
        self._told_ns = self._now_ns
        return [
            Tick(
                known_ns=self._now_ns,
                t_ns=self._now_ns,
                frames=(self._frame,),
                quiet_ns=quiet_ns,
                hands=len(self._hands.now),
            )
        ]
