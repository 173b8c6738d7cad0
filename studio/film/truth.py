"""What really is in a frame: every object, where it lies, where it appears, and how much of it shows."""

from typing import Any

import numpy as np

from studio.film.card import card_corners, shows_face
from studio.film.frame import FrameMaker
from studio.scene import CardBody, HandBody, Pose, PropBody, StackBody, Thing
from vision.values.geometry import Camera


def frame_truth(
    number: int, t_ns: int, things: tuple[Thing, ...], frames: FrameMaker, camera: Camera
) -> dict[str, Any]:
    """Return the truth of one frame as a record."""
    drawn = [thing for thing in things if frames.patch_of(thing.id).cover.any()]  # a hand may wait outside the picture
    objects = [object_truth(thing, frames, camera) for thing in drawn]
    return {"frame": number, "t_ns": t_ns, "objects": objects}


def object_truth(thing: Thing, frames: FrameMaker, camera: Camera) -> dict[str, Any]:
    """Return one object as a record: millimetres on the table, pixels in the picture, the share that shows."""
    seen = round(frames.visible.get(thing.id, 0.0), 3)
    common = {"id": thing.id, **_pose(thing.pose), "visible": seen, "hidden_by": frames.hidden_by.get(thing.id, [])}
    match thing.body:
        case CardBody():
            quad = camera.project(card_corners(thing.pose))
            face = "up" if shows_face(thing.pose, camera) else "down"
            return {"kind": "card", "card": str(thing.body.card), "face": face, "quad": _points(quad), **common}
        case StackBody():
            base = camera.project([[thing.pose.x, thing.pose.y, thing.pose.z]])
            return {
                "kind": "stack",
                "cents": list(thing.body.cents),
                "base_px": _points(base)[0],
                "quad": _box(thing, frames),
                **common,
            }
        case HandBody():
            return {"kind": "hand", "person": thing.body.person, "quad": _box(thing, frames), **common}
        case PropBody():
            return {"kind": "other", "what": thing.body.kind, "quad": _box(thing, frames), **common}


def _pose(pose: Pose) -> dict[str, float]:
    return {name: round(getattr(pose, name), 2) for name in ("x", "y", "z", "angle", "turn", "tilt")}


def _points(points: Any) -> list[list[float]]:
    return [[round(float(u), 2), round(float(v), 2)] for u, v in points]


def _box(thing: Thing, frames: FrameMaker) -> list[list[float]]:
    """Return the tight box around what a thing covers, as four corners."""
    patch = frames.patch_of(thing.id)
    rows, columns = np.flatnonzero(patch.cover.max(axis=1) > 127), np.flatnonzero(patch.cover.max(axis=0) > 127)
    if not len(rows):
        return _points([[patch.u, patch.v]] * 4)
    u0, u1 = patch.u + columns[0], patch.u + columns[-1] + 1
    v0, v1 = patch.v + rows[0], patch.v + rows[-1] + 1
    return _points([[u0, v0], [u1, v0], [u1, v1], [u0, v1]])
