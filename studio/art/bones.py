"""The bones of a hand: a person and a grip enter; joints, and the relief of the bare hand on them, leave.

In a hand's own space the fingers point to +y and the fingertip is the origin. Everything is modelled as a right hand,
palm down, thumb at -x. Heights count from the felt under the resting fingertip.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from studio.art.people import Person
from studio.art.relief import Relief
from vision.values.geometry import Floats

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

    fingers: tuple[tuple[Floats, tuple[float, ...]], ...]
    thumb: tuple[Floats, tuple[float, ...]]
    wrist: Floats
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


def _chain(start: Any, bones: Any, splay: float, pitches: Any) -> Floats:
    """Return the joints of a finger."""
    turn, down = np.radians(splay), np.radians(pitches)
    steps = np.stack([-np.sin(turn) * np.cos(down), np.cos(turn) * np.cos(down), np.sin(down)], axis=1)
    return np.vstack([start, np.array(start) + np.cumsum(steps * np.array(bones)[:, None], axis=0)])


def _origin(bare: Skeleton, grip: str) -> Floats:
    """Return the point of a hand that its pose names, on the felt."""
    lowest = min(float((points[:, 2] - radii).min()) for points, radii in bare.fingers)
    points, radii = bare.fingers[0 if grip in ("point", "pinch") else 1]
    front = points[int(points[:, 1].argmax())]
    reach = radii[int(points[:, 1].argmax())]
    if grip == "pinch":
        tip = (points[3] + bare.thumb[0][3]) / 2
        return np.array([tip[0], tip[1] + reach, lowest])
    return np.array([front[0], front[1] + reach, points[3, 2] - radii[3] if grip == "point" else lowest])


def _moved(bare: Skeleton, origin: Floats) -> Skeleton:
    fingers = tuple((points - origin, radii) for points, radii in bare.fingers)
    return replace(bare, fingers=fingers, thumb=(bare.thumb[0] - origin, bare.thumb[1]), wrist=bare.wrist - origin)


def _digit(relief: Relief, points: Floats, radii: tuple[float, ...]) -> None:
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
