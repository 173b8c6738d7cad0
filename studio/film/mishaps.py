"""What befalls camera, light and stream: developed pictures enter, pictures as the monitor gets them leave, or none.

A plan says what happens when. `Mishaps` acts it on every picture, keeps the truth exact where the picture moves or is
hidden, and lists what a monitor should have noticed. The order of `MISHAPS` is the way of the light: where the camera
points, the lamps, what comes before the lens, the glass, the sensor's readout, the stream.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from studio.film.camera_mishaps import Bump, Dim, Flicker, HardBump
from studio.film.mishap import Effect, Mishap
from studio.film.stream_mishaps import Damage, Dropped, Frozen
from studio.film.view_mishaps import Blocked, Smear
from vision.capture.video import SECOND_NS
from vision.values.codes import Code
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture

SPOTS = 8  # samples along each side of a quad that measure how much of it shows


@dataclass(frozen=True, slots=True)
class MishapKind:
    """A kind of mishap: the alert it deserves, how long it lasts, and what it does."""

    code: str
    seconds: tuple[float, float]  # infinite: for good
    effect: type[Effect]
    in_stream: bool = False  # after the camera has put its clock on the picture


FOR_GOOD = (float("inf"), float("inf"))
MISHAPS: dict[str, MishapKind] = {
    "bump-small": MishapKind(Code.CAMERA_MOVED, FOR_GOOD, Bump),
    "bump-large": MishapKind(Code.CAMERA_MOVED, FOR_GOOD, HardBump),
    "dim": MishapKind(Code.PICTURE_DEGRADED, (5, 15), Dim),
    "flicker": MishapKind(Code.PICTURE_DEGRADED, (5, 12), Flicker),
    "blocked": MishapKind(Code.VIEW_BLOCKED, (2, 6), Blocked),
    "smear": MishapKind(Code.PICTURE_DEGRADED, (8, 25), Smear),
    "damage": MishapKind(Code.PICTURE_DEGRADED, (4, 10), Damage, in_stream=True),
    "frozen": MishapKind(Code.CAMERA_FROZEN, (4, 12), Frozen, in_stream=True),
    "dropped": MishapKind(Code.CAMERA_LOST, (4, 12), Dropped, in_stream=True),
}


def known(kind: str) -> MishapKind:
    """Return a kind of mishap by its name."""
    if kind not in MISHAPS:
        raise InputError(f"mishap: {shown(kind)}: want one of {', '.join(MISHAPS)}")
    return MISHAPS[kind]


def plan_mishaps(kinds: Sequence[str], duration_s: float, rng: np.random.Generator) -> list[Mishap]:
    """Plan mishaps in the order given, one after the other over the clip, each after some undisturbed seconds."""
    plan, slot = [], duration_s / max(len(kinds), 1)
    for number, kind in enumerate(kinds):
        entry = known(kind)
        lasting = min(float(rng.uniform(*entry.seconds)) if entry.seconds != FOR_GOOD else slot, 0.6 * slot)
        start = round((number + 0.2) * slot + float(rng.uniform(0, 0.75 * slot - lasting)), 3)
        end = duration_s if entry.seconds == FOR_GOOD else round(start + lasting, 3)
        plan.append(Mishap(entry.code, kind, start, end, round(float(rng.random()), 3)))
    return plan


class Mishaps:
    """Acts a plan on the pictures of a clip, in the order of their times. Without a lens, a usual one is taken."""

    def __init__(
        self, plan: Sequence[Mishap], size: tuple[int, int], rng: np.random.Generator, lens: Lens | None = None
    ) -> None:
        lens = lens or Lens(*size, 0.9 * size[0], (size[0] - 1) / 2, (size[1] - 1) / 2)
        self._plan = sorted(plan, key=lambda mishap: mishap.start_s)
        ordered = sorted(self._plan, key=lambda mishap: list(MISHAPS).index(mishap.kind))
        self._effects = [
            MISHAPS[m.kind].effect(m, lens, chance) for m, chance in zip(ordered, rng.spawn(len(plan)), strict=True)
        ]
        self._size = np.array(size)
        self._objects: list[dict[str, Any]] = []

    def frame(self, picture: Picture, t_s: float) -> Picture | None:
        """Return the picture as it arrives at the monitor; None: it does not."""
        return self.stream(self.optics(picture, t_s), t_s)

    def optics(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture as it comes through the lens, before the sensor's noise and the clock in the corner."""
        for effect in self._on(t_s, in_stream=False):
            changed = effect.change(picture, t_s)
            picture = picture if changed is None else changed
        return picture

    def stream(self, picture: Picture, t_s: float) -> Picture | None:
        """Return what becomes of a finished picture on its way; None: it does not arrive."""
        arriving: Picture | None = picture
        for effect in self._on(t_s, in_stream=True):
            arriving = arriving if arriving is None else effect.change(arriving, t_s)
        return arriving

    def quad(self, points: ArrayLike, t_s: float) -> Floats:
        """Return where pixels of the unbumped camera are in the picture of a moment."""
        moved = np.asarray(points, float)
        for bump in self._bumps():
            moved = bump.move(moved, t_s)
        return moved

    def camera(self, camera: Camera, t_s: float) -> Camera:
        """Return the camera as it really hangs at a moment; exact if `Mishaps` was given its lens."""
        rotation = np.array(camera.rotation)
        for bump in self._bumps():
            rotation = bump.rotation(t_s) @ rotation if bump.is_on(t_s) else rotation
        return replace(camera, rotation=tuple(map(tuple, rotation.tolist())))

    def truth(self, record: dict[str, Any], t_s: float) -> dict[str, Any]:
        """Return the truth of the picture that was made last: moved, hidden, or still that of a frozen one."""
        on = [effect for effect in self._effects if effect.is_on(t_s)]
        if not any(isinstance(effect, Frozen) and effect.kept_s < t_s for effect in on):
            self._objects = self._changed(record["objects"], t_s) if on else record["objects"]
        return {**record, "objects": self._objects}

    def record(self) -> list[dict[str, Any]]:
        """Return what a monitor should have noticed, in the order of time."""
        spans = [(m, round(m.start_s * SECOND_NS), round(m.end_s * SECOND_NS)) for m in self._plan]
        return [{"code": m.code, "kind": m.kind, "start_ns": start, "end_ns": end} for m, start, end in spans]

    def shows(self, quads: ArrayLike, t_s: float) -> Floats:
        """Return which share of quads (…, 4, 2) of the unbumped picture shows, as it is, in the picture made last."""
        corners, (a, b) = np.asarray(quads, float)[..., None, :], (np.mgrid[:SPOTS, :SPOTS] + 0.5) / SPOTS
        weights = np.stack([(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b]).reshape(4, -1, 1)
        spots = (corners * weights).sum(axis=-3)
        moved, before = self.quad(spots, t_s), self._inside(spots)
        seen = before & self._inside(moved)
        for effect in self._effects:
            seen &= ~effect.hides(moved) if effect.is_on(t_s) else True
        return np.asarray(seen.sum(axis=-1) / np.maximum(before.sum(axis=-1), 1), float)

    def _changed(self, objects: list[dict[str, Any]], t_s: float) -> list[dict[str, Any]]:
        """Return objects where they are in the picture, and how much of them shows."""
        quads = np.array([entry["quad"] for entry in objects], float).reshape(-1, 4, 2)
        bases = self.quad([entry.get("base_px", (0, 0)) for entry in objects] or np.empty((0, 2)), t_s)
        places = zip(objects, self.quad(quads, t_s), bases, self.shows(quads, t_s), strict=True)
        return [
            {
                **entry,
                "quad": quad.round(2).tolist(),
                **({"base_px": base.round(2).tolist()} if "base_px" in entry else {}),
                "visible": round(entry["visible"] * float(share), 3),
            }
            for entry, quad, base, share in places
        ]

    def _inside(self, points: Floats) -> NDArray[np.bool_]:
        return np.asarray(((points >= -0.5) & (points < self._size - 0.5)).all(axis=-1))

    def _bumps(self) -> list[Bump]:
        return [effect for effect in self._effects if isinstance(effect, Bump)]

    def _on(self, t_s: float, *, in_stream: bool) -> list[Effect]:
        return [e for e in self._effects if e.is_on(t_s) and MISHAPS[e.mishap.kind].in_stream == in_stream]
