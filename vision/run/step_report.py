"""One frame of a replay to step through: a moment enters, what was searched, seen and concluded leaves."""

from dataclasses import asdict
from typing import Any

from vision.observe.placing import Placed
from vision.pipeline import Moment


def step_report(moment: Moment) -> dict[str, Any]:
    """Return a moment for people who step through a replay: what was looked at and why, seen, and made of it."""
    observation, look = moment.observation, moment.trace
    return {
        "index": observation.index,
        "t_ns": observation.t_ns,
        "camera": look.camera,
        "is_sure": observation.is_sure,
        "trouble": None if observation.trouble is None else asdict(observation.trouble),
        "moving_tiles": look.moving,
        "glances": [{"box": region.box, "why": region.why} for region in look.regions],
        "read": look.read,
        "looked": None if observation.looked is None else sorted(map(str, observation.looked)),
        "things": [_thing(placed) for placed in observation.things],
        "view": moment.belief,
        "messages": [{"topic": message.topic, **message.record.plain()} for message in moment.messages],
    }


def _thing(placed: Placed) -> dict[str, Any]:
    face, stack = placed.detection.face, placed.detection.stack
    record: dict[str, Any] = {"kind": placed.kind, "zone": str(placed.zone), "p": round(placed.p, 3)}
    record |= {"x": round(placed.x, 1), "y": round(placed.y, 1), "score": round(placed.detection.found.score, 3)}
    if face is not None:
        record |= {"card": str(face.card) if face.card else "??", "card_p": round(face.confidence, 3)}
    if stack is not None:
        record |= {"count": stack.count, "value_cents": stack.value_cents, "value_p": round(stack.value_p, 3)}
    if placed.covers:
        record["covers"] = {str(belief.zone): round(belief.p, 2) for belief in placed.covers}
    return record
