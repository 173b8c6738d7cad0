"""Golden cases under the judge: the one place that knows both the recorded form and the product's own values."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from golden_cases import Case, Finish, Frame, Line, Look, Mark, Signal, Step
from golden_checks import Said

from vision.alerts.judge import Judge
from vision.attention.trouble import Trouble
from vision.detect.detection import UNREADABLE, BackReading, Detection, FaceReading, Found, StackReading
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Belief, Corners, Placed
from vision.records import signal as records
from vision.rules.book.sheet import HouseSheet
from vision.table.layout import Layout, read_layout
from vision.table.zones import FELT, Zone
from vision.values.cards import DECK
from vision.values.codes import Code
from vision.values.resources import shipped

TABLE: Final = "t"
SCORE: Final = 0.9  # of an object of which the recording says nothing: so sure, or surer
LEAST_P: Final = 0.005  # of a zone, a back: what is less is not written down
LEAST_FACE_P: Final = 0.02  # of a face, which is more than an even share of the deck
LEAST_COVER: Final = 0.3
NO_QUAD: Final = ((0.0, 0.0),) * 4  # nobody asks for pixels here
NAMES: Final = [str(card) for card in DECK]


def sheet_of(table: Line) -> HouseSheet:
    """Return the house sheet of a case: a shipped one with some changes, or one that it brings along."""
    path = shipped("calibration") / "houses" / f"{table.get('house')}.toml"
    document = tomllib.loads(path.read_text(encoding="utf-8")) if "house" in table else {}
    return HouseSheet.model_validate_json(json.dumps({**document, **table.get("changes", {})}))


def layout_of(table: Line) -> Layout:
    """Return the layout of a case."""
    return read_layout(shipped("calibration") / "layouts" / table["layout"])


class Run:
    """A case on its way through the pipeline."""

    def __init__(self, table: Line) -> None:
        self.judge = Judge(TABLE, sheet_of(table), layout_of(table))
        self.records: dict[str, list[Mapping[str, Any]]] = {"events": [], "rounds": [], "alerts": [], "coverage": []}
        self._placed: dict[int, tuple[Look, Placed]] = {}  # by the identity of a look, which is kept alive here

    def take(self, step: Step) -> None:
        """Take one step."""
        if isinstance(step, Frame):
            messages = self.judge.update(self._observation(step))
        elif isinstance(step, Signal):
            messages = self.judge.signal(records.Signal(t_ns=step.t_ns, kind=step.kind, **step.fields))
        elif isinstance(step, Finish):
            messages = self.judge.finish(step.t_ns)
        else:
            messages = []
        for message in messages:
            self.records[message.topic].append(message.record.plain())

    def said(self) -> Said:
        """Return all that was said up to now."""
        return Said(**{topic: tuple(lines) for topic, lines in self.records.items()}, view=self.judge.view())

    def _observation(self, frame: Frame) -> FrameObservation:
        return FrameObservation(
            index=frame.index,
            t_ns=frame.t_ns,
            things=tuple(self._thing(look) for look in frame.looks),
            looked=None if frame.looked is None else frozenset(map(Zone.parse, frame.looked)),
            is_sure=frame.is_sure,
            bare=frame.bare,
            moved_px=frame.moved_px,
            trouble=None if frame.trouble is None else Trouble(Code(frame.trouble[0]), frame.trouble[1]),
        )

    def _thing(self, look: Look) -> Placed:
        if id(look) not in self._placed:
            self._placed[id(look)] = look, placed_of(look)
        return self._placed[id(look)][1]


def run(case: Case) -> dict[str | None, Said]:
    """Run a case; return what was said by each of its marks, and at the end (None)."""
    running = Run(case.table)
    said: dict[str | None, Said] = {}
    for step in case.steps():
        running.take(step)
        if isinstance(step, Mark):
            said[step.name] = running.said()
    return {**said, None: running.said()}


# ---- From the recorded form


def placed_of(look: Look) -> Placed:
    """Return an object as the product holds it."""
    kind, score = look["kind"].replace("-", "_"), look.get("score", SCORE)
    detection = Detection(
        found=Found(kind, score, NO_QUAD),
        face=_face(look["face"]) if "face" in look else None,
        stack=_stack(look["stack"]) if "stack" in look else None,
        back=BackReading(look["back"]) if "back" in look else None,
    )
    zones = [Belief(Zone.parse(name), p) for name, p in look.get("zones", {str(FELT): 1.0}).items()]
    corners = look.get("quad")
    x, y = look["at"] if corners is None else np.mean(corners, axis=0).tolist()
    return Placed(
        kind=kind,
        x=x,
        y=y,
        z=0.0,
        zone=zones[0].zone,
        p=zones[0].p,
        alternatives=tuple(zones[1:]),
        sigma_mm=2.0,
        detection=detection,
        angle=look.get("angle"),
        corners_mm=None if corners is None else _corners(corners),
        covers=tuple(Belief(Zone.parse(name), share) for name, share in look.get("covers", {}).items()),
    )


def _corners(quad: Sequence[Sequence[float]]) -> Corners:
    (a, b), (c, d), (e, f), (g, h) = quad
    return (a, b), (c, d), (e, f), (g, h)


def _face(told: Mapping[str, float]) -> FaceReading:
    """Return a reading of a face; what it does not name shares the rest evenly."""
    named = {NAMES.index(name): p for name, p in told.items() if name != "unreadable"}
    p = np.full(len(DECK) + 1, max(1 - sum(told.values()), 0.0) / (len(DECK) - len(named)))
    p[UNREADABLE] = told.get("unreadable", 0.0)
    for place, chance in named.items():
        p[place] = chance
    return FaceReading(p / p.sum())


def _stack(told: Mapping[str, Any]) -> StackReading:
    count, cents, bounds = told.get("count", [1, 1.0, 1, 1]), told["cents"], told["bounds"]
    best, p = cents[0] if cents else (None, 0.0)
    return StackReading(
        count=count[0],
        count_p=count[1],
        count_bounds=(count[2], count[3]),
        value_cents=best,
        value_p=p,
        value_bounds=None if bounds is None else (bounds[0], bounds[1]),
        worths=tuple((value, chance) for value, chance in cents),
    )


# ---- To the recorded form


def frame_of(sight: FrameObservation) -> Frame:
    """Return a frame as it is recorded."""
    return Frame(
        index=sight.index,
        t_ns=sight.t_ns,
        looks=tuple(look_of(thing) for thing in sight.things),
        looked=None if sight.looked is None else tuple(sorted(map(str, sight.looked))),
        is_sure=sight.is_sure,
        bare=tuple((round(x, 1), round(y, 1)) for x, y in sight.bare),
        moved_px=sight.moved_px,
        trouble=None if sight.trouble is None else (sight.trouble.code, sight.trouble.what),
    )


def look_of(thing: Placed) -> Line:
    """Return an object as it is recorded."""
    look: Line = {"kind": thing.kind.replace("_", "-"), **_where(thing)}
    if thing.detection.found.score < SCORE:
        look["score"] = round(thing.detection.found.score, 2)
    if thing.detection.face is not None:
        look["face"] = _told_face(thing.detection.face)
    if thing.detection.stack is not None:
        look["stack"] = _told_stack(thing.detection.stack)
    if thing.detection.back is not None:
        look["back"] = {deck: round(p, 4) for deck, p in thing.detection.back.decks.items() if p >= LEAST_P}
    return look


def _where(thing: Placed) -> Line:
    """Return where an object lies: hands by their corners, since they lie on no zone; others by middle and zones."""
    if thing.kind == "hand" and thing.corners_mm is not None:
        covers = {str(belief.zone): round(belief.p, 2) for belief in thing.covers if belief.p >= LEAST_COVER}
        quad = [[round(x), round(y)] for x, y in thing.corners_mm]
        return {"quad": quad, **({"covers": covers} if covers else {})}
    beliefs = (Belief(thing.zone, thing.p), *thing.alternatives)
    zones = {str(belief.zone): round(belief.p, 2) for belief in beliefs if belief.p >= LEAST_P}
    angle = {} if thing.angle is None else {"angle": round(thing.angle)}
    return {"at": [round(thing.x, 1), round(thing.y, 1)], **angle, "zones": zones}


def _told_face(face: FaceReading) -> dict[str, float]:
    names = [*NAMES, "unreadable"]
    order = sorted(range(len(names)), key=lambda i: -face.p[i])
    return {names[i]: round(float(face.p[i]), 4) for i in order if face.p[i] >= LEAST_FACE_P}


def _told_stack(stack: StackReading) -> Line:
    cents = stack.worths or (() if stack.value_cents is None else ((stack.value_cents, stack.value_p),))
    told: Line = {"cents": [[value, round(p, 3)] for value, p in cents]}
    told["bounds"] = None if stack.value_bounds is None else list(stack.value_bounds)
    if stack.count > 1 or stack.count_p < 1:
        told["count"] = [stack.count, round(stack.count_p, 3), *stack.count_bounds]
    return told
