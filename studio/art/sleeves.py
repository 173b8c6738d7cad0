"""Arms and their sleeves: the bones of a hand and a person enter; the arm's tube and the sleeve over it leave."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.art.bodies import weave
from studio.art.bones import Skeleton
from studio.art.paint import Field
from studio.art.people import Person
from studio.art.relief import RES, Relief, blur, dome, noise, sampled

CUT = {  # per sleeve: how far it stands off the arm at the cuff, behind it, and further up; depth of folds
    "bare": (11.0, 13.0, 14.0, 3.0),
    "shirt": (7.0, 12.0, 13.0, 4.2),
    "dealer": (7.0, 13.0, 14.0, 4.5),
    "patterned": (7.0, 12.0, 14.0, 4.2),
    "jacket": (13.0, 15.0, 18.0, 3.2),
    "hoodie": (4.0, 18.0, 19.0, 5.5),
}


@dataclass(frozen=True, eq=False)
class Arm:
    """The arm behind a wrist: per row of the canvas how far back it is, and per pixel how far beside the arm's axis."""

    back: Field  # (h, 1)
    beside: Field  # (h, w)
    axis_z: Field  # (h, 1)
    radius: Field  # (h, 1)


def place_arm(relief: Relief, bones: Skeleton, person: Person) -> Arm:
    """Lay the arm's axis: outwards to the elbow, then inwards and up to the shoulder."""
    back = bones.wrist[1] - relief.y
    bend = np.tanh((back - 255) / 45)
    slope = np.tan(np.radians(person.elbow_deg * -bend - 2 * (bend + 1)))
    axis_x = bones.wrist[0] + np.cumsum(np.where(back > 0, slope, 0), axis=0) / RES
    rise = np.interp(back, [0, 255, 420, 640], [0, max(26.0, 62 - bones.wrist[2]), 95, 190])
    girth = np.interp(back, [0, 25, 110, 200, 260, 330, 430], [29, 30, 40, 46.5, 46, 49, 55])
    rise, girth = blur(rise, 12)[:, :1], blur(girth, 8)[:, :1] * bones.scale * (0.3 + 0.7 * person.build)
    return Arm(
        back, np.asarray((relief.x - axis_x) * np.cos(np.arctan(slope)), np.float32), bones.wrist[2] + rise, girth
    )


def tube(arm: Arm, radius: Any, start: Any) -> tuple[Any, Any]:
    """Return edge and top of a tube around the arm that begins so far behind the wrist."""
    flat = flatness(arm)
    edge = np.maximum(np.abs(arm.beside) - radius, start - arm.back)
    return edge, arm.axis_z + flat * dome(np.abs(arm.beside), radius) - 0.7 * np.maximum(start - arm.back, 0)


def flatness(arm: Arm) -> Any:
    """Return how round the arm is along its length: a wrist is flat, an upper arm is not."""
    return np.interp(arm.back, [-10, 50, 140, 300], [0.42, 0.66, 0.78, 0.84]).astype(np.float32)


def _folds(rng: np.random.Generator, arm: Arm, depth_mm: float, start: float) -> Field:
    """Return creases of a sleeve: slanting ridges, most at the elbow and where the cloth meets the cuff."""
    shape = arm.beside.shape
    rows, cols = np.indices(shape)
    slant = 0.9 * noise(rng, shape, 300, 90) * arm.beside + 9 * noise(rng, shape, 45, 40)
    ridges = np.zeros(shape, np.float32)
    for along, weight in ((30.0, 1.0), (13.0, 0.45)):
        wave = noise(rng, (shape[0] + 200, shape[1]), 75, along)
        drawn = sampled(wave, cols, rows + slant * RES + 100)
        ridges += weight * (1 - np.minimum(np.abs(drawn) * 1.5, 1)) ** 2
    where = np.interp(arm.back - start, [-5, 4, 50, 110, 170, 240, 330, 450], [0.1, 0.25, 0.9, 0.5, 0.9, 1.2, 0.8, 0.8])
    return np.asarray(depth_mm * ridges * where, np.float32)


def dress(relief: Relief, albedo: Field, arm: Arm, person: Person, rng: np.random.Generator) -> None:
    """Put the sleeve on: first a shirt's cuff under a jacket, then the sleeve with its folds, hem and pattern."""
    start = person.cuff_mm + 1.5 * np.sin(arm.beside / 17 + 1) + 0.05 * arm.beside
    if person.sleeve == "jacket":
        edge, top = tube(arm, arm.radius + 7, start - 15)
        shows = relief.put(edge, np.maximum(top, relief.top + 0.8))
        albedo[shows] = np.array(person.trim)
    stand = np.interp(arm.back - person.cuff_mm, [0, 46, 56, 90, 300], [CUT[person.sleeve][i] for i in (0, 0, 1, 1, 2)])
    folds = _folds(rng, arm, CUT[person.sleeve][3], person.cuff_mm)
    swell = np.take_along_axis(folds, np.clip(_edges(arm, stand), 0, folds.shape[1] - 1), axis=1)
    sides = np.where(arm.beside < 0, swell[:, :1], swell[:, 1:]) - 1
    radius = arm.radius + stand + blur(sides * (arm.back > person.cuff_mm + 20), 2.0) * 0.8
    edge, top = tube(arm, radius, start)
    top = np.maximum(top + folds * np.clip((radius - np.abs(arm.beside)) / 14, 0, 1), relief.top + 0.8)
    shows = relief.put(edge, top)
    around = np.arcsin(np.clip(arm.beside / radius, -0.98, 0.98)) * arm.radius
    cloth = weave(person, around, arm.back + 0.12 * arm.beside, rng)
    cloth *= _hem(person, arm, start, around)[..., None]
    albedo[shows] = cloth[shows]


def _edges(arm: Arm, stand: Any) -> NDArray[np.int64]:
    """Return the columns of a sleeve's left and right side."""
    axis = np.abs(arm.beside).argmin(axis=1, keepdims=True)
    half = ((arm.radius + stand) * RES * 0.8).astype(np.int64)
    return np.hstack([axis - half, axis + half])


def _hem(person: Person, arm: Arm, start: Any, around: Any) -> Any:
    """Return the darkening by seams, stitches and ribs."""
    past = arm.back - start
    dark = 0.25 * np.exp(-(((past - 1) / 1.2) ** 2)) + 0.12 * np.exp(-(((past - 6) / 0.8) ** 2))
    if person.sleeve in ("shirt", "dealer", "patterned"):
        dark = dark + 0.3 * np.exp(-(((past - 55) / 1.3) ** 2)) + 0.5 * (np.hypot(past - 28, around - 24) < 4.5)
    if person.sleeve == "hoodie":
        dark = dark + (past < 46) * (0.12 + 0.12 * np.cos(around * 6.28 / 4.5))
    if person.sleeve == "jacket":
        for button in (14, 30, 46):
            dark = dark + 0.4 * (np.hypot(past - button, around - 30) < 5)
    return 1 - np.clip(dark + 0.15 * np.exp(-(((around - 38) / 1.0) ** 2)), 0, 0.8)
