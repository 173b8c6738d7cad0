"""Hands with their arms from above. A hand body, its pose, its person and a camera enter; patches leave.

In a hand's own space the fingers point to +y and the fingertip is the origin. Everything is modelled as a right hand,
palm down, thumb at -x; a left hand is its mirror image. Heights count from the felt under the resting fingertip.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Camera
from vision.simulate.art.bodies import (
    RES,
    Colour,
    Field,
    Person,
    Relief,
    Sprite,
    blur,
    cast,
    dome,
    finish,
    lay,
    noise,
    random_person,
    sampled,
    weave,
)
from vision.simulate.film.light import Light
from vision.simulate.film.patch import Patch
from vision.simulate.scene import HandBody, Pose

__all__ = ["Person", "paint_hand", "random_person", "shadow_of_hand"]

Point = NDArray[np.float64]

KNUCKLES = ((-25.0, 87.0, 26.0), (-3.0, 93.0, 28.5), (18.0, 88.0, 27.0), (36.0, 77.0, 23.0))  # from the wrist's middle
BONES = ((46.0, 25.0, 16.5), (50.0, 29.0, 17.0), (46.0, 27.0, 17.0), (36.0, 20.0, 15.5))
THICK = ((10.8, 10.2, 9.0, 7.6), (11.0, 10.4, 9.2, 7.8), (10.4, 9.8, 8.7, 7.4), (9.4, 8.6, 7.7, 6.6))
THUMB_THICK = (14.0, 12.5, 11.0, 8.4)
BASE_OF_THUMB = (-20.0, 20.0, 22.0)

# Per finger, forefinger first: degrees to the thumb's side, then the pitch of each bone (down is negative).
GRIPS = {
    "flat": ((0, -6, -12, -16), (0, -5, -12, -16), (0, -6, -12, -16), (-2, -8, -12, -14)),
    "spread": ((15, -7, -12, -14), (2, -6, -12, -14), (-11, -7, -12, -14), (-27, -9, -12, -13)),
    "pinch": ((2, -14, -50, -58), (-1, -20, -54, -62), (-4, -32, -66, -78), (-9, -38, -72, -84)),
    "fist": ((3, -30, -125, -200), (0, -28, -125, -200), (-3, -30, -125, -200), (-6, -34, -125, -200)),
    "point": ((3, -18, -22, -26), (0, -36, -128, -200), (-3, -40, -130, -200), (-7, -44, -132, -200)),
}
THUMBS = {
    "flat": ((-44, 50, 17), (-53, 82, 13), (-52, 105, 9)),
    "spread": ((-50, 46, 17), (-74, 70, 13), (-92, 90, 9)),
    "pinch": ((-44, 52, 8), (-52, 92, -10), (-34, 130, -22)),
    "fist": ((-42, 50, 18), (-46, 82, 15), (-32, 101, 12)),
    "point": ((-42, 50, 18), (-45, 82, 15), (-26, 99, 12)),
}


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints of one hand: four points per finger and the thumb, radii beside them, and the wrist."""

    fingers: tuple[tuple[Point, tuple[float, ...]], ...]
    thumb: tuple[Point, tuple[float, ...]]
    wrist: Point
    scale: float


def skeleton(person: Person, grip: str) -> Skeleton:
    """Return the bones of a person's right hand in a grip, the fingertip at the origin."""
    rng = np.random.default_rng(person.seed)
    size, thick = person.hand_size, person.hand_size * (0.4 + 0.6 * person.build)
    fingers = []
    for knuckle, bones, radii, (splay, *pitches) in zip(KNUCKLES, BONES, THICK, GRIPS[grip], strict=True):
        loose = rng.normal(0, 1.6, 4)
        points = _chain(knuckle, bones, splay + loose[0] * 0.6, np.array(pitches) + loose[1:])
        fingers.append((points * size, tuple(r * thick for r in radii)))
    thumb = np.array([BASE_OF_THUMB, *THUMBS[grip]]) + np.vstack([np.zeros(3), rng.normal(0, 1.8, (3, 3))])
    if grip == "pinch":  # the thumb meets the forefinger, whose reach is the person's own
        thumb[3] = fingers[0][0][3] / size + (-12, -5, -1)
    bare = Skeleton(
        tuple(fingers), (thumb * size, tuple(r * thick for r in THUMB_THICK)), np.array([0, 0, 26 * size]), size
    )
    return _moved(bare, _origin(bare, grip))


def _chain(start: Any, bones: Any, splay: float, pitches: Any) -> Point:
    """Return the joints of a finger."""
    turn, down = np.radians(splay), np.radians(pitches)
    steps = np.stack([-np.sin(turn) * np.cos(down), np.cos(turn) * np.cos(down), np.sin(down)], axis=1)
    return np.vstack([start, np.array(start) + np.cumsum(steps * np.array(bones)[:, None], axis=0)])


def _origin(bare: Skeleton, grip: str) -> Point:
    """Return the point of a hand that its pose names, on the felt."""
    lowest = min(float((points[:, 2] - radii).min()) for points, radii in bare.fingers)
    points, radii = bare.fingers[0 if grip in ("point", "pinch") else 1]
    front = points[int(points[:, 1].argmax())]
    reach = radii[int(points[:, 1].argmax())]
    if grip == "pinch":
        tip = (points[3] + bare.thumb[0][3]) / 2
        return np.array([tip[0], tip[1] + reach, lowest])
    return np.array([front[0], front[1] + reach, points[3, 2] - radii[3] if grip == "point" else lowest])


def _moved(bare: Skeleton, origin: Point) -> Skeleton:
    fingers = tuple((points - origin, radii) for points, radii in bare.fingers)
    return replace(bare, fingers=fingers, thumb=(bare.thumb[0] - origin, bare.thumb[1]), wrist=bare.wrist - origin)


def _digit(relief: Relief, points: Point, radii: tuple[float, ...]) -> None:
    """Join a finger: every bone is a little slimmer in its middle than at its joints."""
    for a, b, ra, rb in zip(points[:-1], points[1:], radii[:-1], radii[1:], strict=True):
        middle, slim = (a + b) / 2, (ra + rb) / 2 * 0.955
        relief.add_capsule(a, middle, (ra, slim), 2.0, 0.86)
        relief.add_capsule(middle, b, (slim, rb), 2.0, 0.86)


def _palm(relief: Relief, bones: Skeleton) -> None:
    """Join the back of the hand: metacarpals, the ball of the thumb, the webs."""
    size, wrist = bones.scale, bones.wrist
    knuckles = [points[0] for points, _ in bones.fingers]
    for index, knuckle in enumerate(knuckles):
        root = wrist + np.array([(-13, -4, 5, 13)[index], 2, 0]) * size
        relief.add_capsule(root, knuckle - (0, 0, 2), (17 * size, bones.fingers[index][1][0] + 1.5), 9.0, 0.62)
    for one, two in pairwise(knuckles):
        web = np.array([0, 11, -7]) * size
        relief.add_capsule(one + web, two + web, (8 * size, 7 * size), 6.0, 0.6)
        relief.add_capsule(one - (0, 14, 4), two - (0, 14, 4), (13 * size, 13 * size), 9.0, 0.6)
    thumb, thick = bones.thumb
    relief.add_capsule(thumb[0], thumb[1], (thick[0] * 1.25, thick[1] * 1.05), 11.0, 0.8)
    relief.add_capsule(thumb[1] - (0, 0, 4), knuckles[0] - (0, 26 * size, 8), (9 * size, 10 * size), 9.0, 0.6)


def model_hand(bones: Skeleton, bounds: tuple[float, float, float, float]) -> Relief:
    """Return the relief of a hand without its arm."""
    palm, digits = Relief(*bounds), Relief(*bounds)
    _palm(palm, bones)
    for points, radii in (*bones.fingers, (bones.thumb[0][1:], bones.thumb[1][1:])):
        digit = Relief(*bounds)
        _digit(digit, points, radii)
        digits.join(digit.edge, digit.top, 0.8)  # hardly any fillet: fingers that touch stay apart
    palm.join(digits.edge, digits.top, 7.0)
    return palm


@dataclass(frozen=True, eq=False)
class Arm:
    """The arm behind a wrist: per row of the canvas how far back it is, and per pixel how far beside the arm's axis."""

    back: Field  # (h, 1)
    beside: Field  # (h, w)
    axis_z: Field  # (h, 1)
    radius: Field  # (h, 1)


def _arm(relief: Relief, bones: Skeleton, person: Person) -> Arm:
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


def _tube(arm: Arm, radius: Any, start: Any) -> tuple[Any, Any]:
    """Return edge and top of a tube around the arm that begins so far behind the wrist."""
    flat = _flatness(arm)
    edge = np.maximum(np.abs(arm.beside) - radius, start - arm.back)
    return edge, arm.axis_z + flat * dome(np.abs(arm.beside), radius) - 0.7 * np.maximum(start - arm.back, 0)


def _flatness(arm: Arm) -> Any:
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


CUT = {  # per sleeve: how far it stands off the arm at the cuff, behind it, and further up; depth of folds
    "bare": (11.0, 13.0, 14.0, 3.0),
    "shirt": (7.0, 12.0, 13.0, 4.2),
    "dealer": (7.0, 13.0, 14.0, 4.5),
    "patterned": (7.0, 12.0, 14.0, 4.2),
    "jacket": (13.0, 15.0, 18.0, 3.2),
    "hoodie": (4.0, 18.0, 19.0, 5.5),
}


def _dress(relief: Relief, albedo: Field, arm: Arm, person: Person, rng: np.random.Generator) -> None:
    """Put the sleeve on: first a shirt's cuff under a jacket, then the sleeve with its folds, hem and pattern."""
    start = person.cuff_mm + 1.5 * np.sin(arm.beside / 17 + 1) + 0.05 * arm.beside
    if person.sleeve == "jacket":
        edge, top = _tube(arm, arm.radius + 7, start - 15)
        shows = relief.put(edge, np.maximum(top, relief.top + 0.8))
        albedo[shows] = np.array(person.trim)
    stand = np.interp(arm.back - person.cuff_mm, [0, 46, 56, 90, 300], [CUT[person.sleeve][i] for i in (0, 0, 1, 1, 2)])
    folds = _folds(rng, arm, CUT[person.sleeve][3], person.cuff_mm)
    swell = np.take_along_axis(folds, np.clip(_edges(arm, stand), 0, folds.shape[1] - 1), axis=1)
    sides = np.where(arm.beside < 0, swell[:, :1], swell[:, 1:]) - 1
    radius = arm.radius + stand + blur(sides * (arm.back > person.cuff_mm + 20), 2.0) * 0.8
    edge, top = _tube(arm, radius, start)
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


def _strokes(relief: Relief, lines: Any, width_mm: float, soft_mm: float = 0.35) -> Field:
    """Return thin lines, given in millimetres, as a mask of 0-1."""
    mask = np.zeros(relief.shape, np.uint8)
    for line in lines:
        columns, rows = relief.pixel(np.asarray(line)[:, 0], np.asarray(line)[:, 1])
        path = np.round(np.stack([columns, rows], axis=1) * 16).astype(np.int32)
        cv2.polylines(mask, [path], False, 255, max(1, round(width_mm * RES)), cv2.LINE_AA, 4)
    return blur(mask, soft_mm) / np.float32(255)


def _sees(relief: Relief, point: Point, slack: float) -> bool:
    """Tell whether a point of the hand is on its upper side."""
    column, row = (
        int(np.clip(round(p), 0, size - 1))
        for p, size in zip(relief.pixel(*point[:2]), relief.shape[::-1], strict=True)
    )
    return bool(point[2] + slack > relief.top[row, column])


def _creases(relief: Relief, bones: Skeleton, rng: np.random.Generator) -> list[Point]:
    """Return the lines over the finger joints."""
    lines = []
    for points, radii in (*bones.fingers, bones.thumb):
        for joint, count in ((1, 3), (2, 2)):
            along = (points[joint + 1] - points[joint - 1])[:2]
            along /= max(float(np.hypot(*along)), 1e-6)
            side = np.array([along[1], -along[0]])
            if not _sees(relief, points[joint], radii[joint] + 3):
                continue
            for shift in (np.arange(count) - (count - 1) / 2) * 2.6 + rng.normal(0, 0.4, count):
                reach = radii[joint] * rng.uniform(0.5, 0.8)
                share = np.linspace(-1, 1, 7)[:, None]
                lines.append(points[joint][:2] + side * share * reach + along * (shift * (1.3 - 0.6 * share**2)))
    return lines


def _nails(relief: Relief, bones: Skeleton) -> Field:
    """Return where nails are, 0-1."""
    mask = np.zeros(relief.shape, np.uint8)
    for index, (points, radii) in enumerate((*bones.fingers, bones.thumb)):
        bone = points[3] - points[2]
        flat = float(np.hypot(bone[0], bone[1]) / np.linalg.norm(bone))
        up = np.array([*(-bone[2] * bone[:2] / max(float(np.hypot(bone[0], bone[1])), 1e-6)), 0]) / np.linalg.norm(bone)
        centre = points[3] + up * radii[3] * 0.8 + bone * 0.1
        if bone[2] < 0 and flat > 0.2 and points[3][1] > points[2][1] and _sees(relief, points[3], radii[3] + 3):
            column, row = relief.pixel(*centre[:2])
            axes = (radii[3] * (0.78 if index == 4 else 0.72) * RES, max(6.2 * bones.scale * flat, 2.0) * RES)
            box = (
                (float(column), float(row)),
                (2 * axes[0], 2 * axes[1]),
                float(np.degrees(np.arctan2(bone[0], bone[1]))),
            )
            cv2.ellipse(mask, box, 255, -1, cv2.LINE_AA)
    return blur(mask, 0.3) / np.float32(255)


def _skin(relief: Relief, bones: Skeleton, arm: Arm, person: Person, rng: np.random.Generator) -> Field:
    """Return the colours of bare skin, and press creases, veins and nails into the relief."""
    shape = relief.shape
    tone = 1 + 0.05 * noise(rng, shape, 22, 22) + 0.04 * noise(rng, shape, 6, 6) + 0.025 * noise(rng, shape, 1.5, 1.5)
    albedo = np.array(person.skin, np.float32) * tone[..., None]
    joints = [(p, r) for points, radii in (*bones.fingers, bones.thumb) for p, r in zip(points, radii, strict=True)]
    flush = sum(np.exp(-((relief.x - p[0]) ** 2 + (relief.y - p[1]) ** 2) / (1.1 * r) ** 2) for p, r in joints)
    albedo *= 1 - np.clip(flush, 0, 1)[..., None] * np.array((0.13, 0.11, 0.02), np.float32)
    lines = _strokes(relief, _creases(relief, bones, rng), 0.7) * (0.6 + 0.6 * person.age)
    veins = _strokes(relief, _veins(bones, arm, relief, rng), 2.2, 1.1) * (0.25 + person.age)
    albedo *= 1 - lines[..., None] * np.array((0.34, 0.32, 0.24), np.float32)
    albedo *= 1 - veins[..., None] * np.array((0.02, 0.06, 0.12), np.float32)
    relief.top += 0.9 * veins - 0.7 * lines
    if person.hairy > 0.25:
        fuzz = _strokes(relief, _fuzz(bones, arm, relief, person, rng), 0.5, 0.25)[..., None] * 0.55 * person.hairy
        albedo = albedo * (1 - fuzz) + np.array(person.hair, np.float32) * fuzz
    if person.tattoo:
        albedo = _tattooed(albedo, arm, rng)
    nails = _nails(relief, bones)[..., None]
    paint = np.array(person.nails or tuple(np.array(person.skin) * (0.98, 0.96, 1.04) + 16), np.float32)
    albedo *= 1 - 0.8 * nails * (1 - nails)  # the fold of skin around a nail
    return np.asarray(albedo * (1 - nails) + paint * nails, np.float32)


def _veins(bones: Skeleton, arm: Arm, relief: Relief, rng: np.random.Generator) -> list[Point]:
    """Return crooked lines over the back of the hand and down the forearm."""
    lines = []
    for index in range(3):
        ends = [(bones.fingers[i][0][0] - (0, 8, 0))[:2] for i in (index, index + 1)]
        start, aside = (ends[0] + ends[1]) / 2, ((-14, 2, 16)[index], -30 + rng.normal(0, 10))
        end = bones.wrist[:2] + np.array(aside)
        path = start + np.linspace(0, 1, 12)[:, None] * (end - start)
        path[:, 0] += np.cumsum(rng.normal(0, 1.3, 12))
        lines.append(path)
    for offset in (-16, 8):
        rows = np.linspace(20, 230, 24)
        axis = np.interp(rows, arm.back[:, 0], relief.x[0, np.abs(arm.beside).argmin(axis=1)])
        lines.append(np.stack([axis + offset + np.cumsum(rng.normal(0, 1.6, 24)), bones.wrist[1] - rows], axis=1))
    return lines


def _fuzz(bones: Skeleton, arm: Arm, relief: Relief, person: Person, rng: np.random.Generator) -> list[Point]:
    """Return the hairs of a forearm."""
    count = int(1500 * person.hairy)
    back, share = rng.uniform(-35, 300, count), np.clip(rng.normal(0.15, 0.5, count), -0.95, 0.95)
    axis = np.interp(back, arm.back[:, 0], relief.x[0, np.abs(arm.beside).argmin(axis=1)])
    half = np.interp(back, arm.back[:, 0], arm.radius[:, 0])
    keep = rng.random(count) < np.interp(back, [-35, 40, 120], [0.12, 0.5, 1])
    starts = np.stack([axis + share * half, bones.wrist[1] - back], axis=1)[keep]
    leans = rng.normal((2.5, 2.5), 1.8, (len(starts), 2))
    return [np.stack([start, start + lean]) for start, lean in zip(starts, leans, strict=True)]


def _tattooed(albedo: Field, arm: Arm, rng: np.random.Generator) -> Field:
    """Return the skin with ink along the forearm: bands, leaves and outlines."""
    shape = arm.beside.shape
    shapes = noise(rng, shape, 20, 20) + 0.4 * noise(rng, shape, 6, 6)
    ink = np.clip(2.2 - np.abs(shapes) * 16, 0, 1) * 0.8 + np.clip(shapes * 8 - 4.5, 0, 1) * 0.6
    first, last = rng.uniform(10, 80), rng.uniform(150, 330)
    where = np.clip((arm.back - first) / 8, 0, 1) * np.clip((last - arm.back) / 8, 0, 1)
    share = blur(np.clip(ink, 0, 0.85) * where, 0.5)[..., None] * 0.8
    return np.asarray(albedo * (1 - share) + np.array((64, 56, 44), np.float32) * share, np.float32)


METALS: dict[str, Colour] = {
    "steel": (182, 180, 176),
    "silver": (200, 198, 194),
    "gold": (84, 170, 214),
    "black": (34, 32, 32),
    "beads": (40, 52, 92),
}


def _adorn(relief: Relief, albedo: Field, bones: Skeleton, arm: Arm, person: Person, left: bool) -> None:
    """Put on what is worn at the wrist and the ring finger: the watch and the ring left, the bracelet right."""
    if left and person.watch and person.cuff_mm > 45:  # else the sleeve hides it
        _watch(relief, albedo, arm, METALS[person.watch], np.random.default_rng(person.seed + 2))
    if not left and person.bracelet:
        edge, top = _tube(arm, arm.radius + 2.5, 8 + arm.beside * 0.12)
        edge = np.maximum(edge, arm.back - 13 - arm.beside * 0.12)
        beads = np.abs(np.sin(arm.beside * 0.55))
        shows = relief.put(edge, top + beads)
        albedo[shows] = (np.array(METALS[person.bracelet]) * (0.45 + 0.7 * beads[..., None] ** 2))[shows]
    if left and person.ring:
        points, radii = bones.fingers[2]
        middle, along = points[0] * 0.42 + points[1] * 0.58, points[1] - points[0]
        along = along[:2] / np.hypot(along[0], along[1])
        past = (relief.x - middle[0]) * along[0] + (relief.y - middle[1]) * along[1]
        side = (relief.x - middle[0]) * along[1] - (relief.y - middle[1]) * along[0]
        edge = np.maximum(np.abs(past) - 2.2, np.abs(side) - radii[1] - 1)
        shows = relief.put(edge, middle[2] + 1.2 + 0.9 * dome(np.abs(side), radii[1] + 1.5))
        shine = 0.55 + 0.8 * np.exp(-(((side + 3) / 2.5) ** 2))
        albedo[shows] = (np.array(METALS[person.ring]) * shine[..., None])[shows]


def _watch(relief: Relief, albedo: Field, arm: Arm, metal: Colour, rng: np.random.Generator) -> None:
    """Put a watch on the wrist: strap, case and dial."""
    strap = np.array(metal if rng.random() < 0.5 else (30, 34, 48))
    middle, size = 22.0, rng.uniform(17, 21)
    past = arm.back - middle
    edge, top = _tube(arm, arm.radius + 3, middle - 9)
    shows = relief.put(np.maximum(edge, past - 9), top)
    albedo[shows] = (strap * (0.75 + 0.3 * np.sign(np.sin(past * 2.1)))[..., None] + 0 * albedo)[shows]
    away = np.hypot(past, arm.beside)
    crest = arm.axis_z + arm.radius * _flatness(arm) + 6
    shows = relief.put(away - size, crest - np.maximum(away - size + 3, 0) * 0.9)
    dial = np.array((28, 26, 26) if rng.random() < 0.6 else (225, 228, 230))
    glint = np.exp(-((arm.beside + past - 6) ** 2) / 20)[..., None] * 90
    face = np.where((away < size - 4)[..., None], dial + glint, np.array(metal) * 1.1)
    albedo[shows] = np.clip(face, 0, 255)[shows]


CANVAS = (-150.0, 150.0, -985.0, 15.0)  # long enough that an arm that reaches across the felt leaves it


@lru_cache(maxsize=96)
def _sprite(person: Person, grip: str, left: bool, detailed: bool) -> Sprite:
    """Return a person's hand in a grip; `detailed` for pictures of more than a pixel per millimetre."""
    rng = np.random.default_rng(person.seed + 1)
    bones = skeleton(person, grip)
    relief = Relief(*CANVAS)
    hand = model_hand(bones, (*CANVAS[:2], -240.0, CANVAS[3]))
    rows = slice(0, hand.shape[0])
    relief.edge[rows], relief.top[rows] = hand.edge, hand.top
    arm = _arm(relief, bones, person)
    relief.join(*_tube(arm, arm.radius, -2.0), 12.0)
    _smooth_wrist(relief, arm)
    albedo = _skin(relief, bones, arm, person, rng)
    _gloss(relief, albedo)
    _adorn(relief, albedo, bones, arm, person, left)
    _dress(relief, albedo, arm, person, rng)
    relief.edge = np.maximum(relief.edge, np.abs(arm.beside) * 0.15 - relief.y - 950).astype(np.float32)
    sprite = finish(relief, albedo, detailed)
    return _mirrored(sprite) if left else sprite


def _smooth_wrist(relief: Relief, arm: Arm) -> None:
    """Blend the heights of hand and arm where they were joined."""
    inside = (relief.edge < 0).astype(np.float32)
    even = blur(np.where(inside > 0, relief.top, 0), 8) / np.maximum(blur(inside, 8), 1e-3)
    share = np.exp(-((arm.back / 22) ** 2)) * np.clip(-relief.edge / 12, 0, 1) * 0.9
    relief.top = np.asarray(relief.top + (even - relief.top) * share, np.float32)


def _gloss(relief: Relief, albedo: Field) -> None:
    """Add the faint shine that skin has where it faces the ceiling."""
    slope_x, slope_y = (
        cv2.Sobel(blur(np.maximum(relief.top, 0), 0.8), cv2.CV_32F, *way, ksize=3, scale=RES / 8)
        for way in ((1, 0), (0, 1))
    )
    shine = np.exp(-((slope_x - 0.12) ** 2 + (slope_y + 0.1) ** 2) * 14)
    albedo += (shine * 20)[..., None] * np.array((1, 1, 1.05), np.float32)


def _mirrored(sprite: Sprite) -> Sprite:
    """Return a right hand as a left one."""
    colour, facing = sprite.colour[:, ::-1], sprite.facing[:, ::-1].copy()
    facing[..., 0] = 256 - np.maximum(facing[..., 0].astype(int), 1)
    lift, shades = np.ascontiguousarray(sprite.lift[:, ::-1]), np.ascontiguousarray(sprite.shades[:, ::-1])
    hull = sprite.hull * np.array([-1, 1, 1], np.float32)
    return replace(sprite, colour=np.ascontiguousarray(colour), facing=facing, lift=lift, hull=hull, shades=shades)


def paint_hand(body: HandBody, pose: Pose, camera: Camera, person: Person, light: Light) -> Patch:
    """Return a hand with its arm as the camera sees it."""
    return lay(_sprite(person, body.grip, body.left, _is_close(pose, camera)), pose, camera, light)


def shadow_of_hand(body: HandBody, pose: Pose, camera: Camera, person: Person, light: Light) -> Patch:
    """Return the soft shadow of a hand and its arm on the felt."""
    return cast(_sprite(person, body.grip, body.left, _is_close(pose, camera)), pose, camera, light)


def _is_close(pose: Pose, camera: Camera) -> bool:
    """Tell whether the camera sees more than a pixel per millimetre."""
    return camera.scale_px_per_mm((pose.x, pose.y, 0)) > 1.0
