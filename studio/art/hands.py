"""Hands with their arms from above. A hand body, its pose, its person and a camera enter; patches leave.

A hand is modelled once per person and grip, always as a right one: a left hand is its mirror image. Here the parts come
together: bones, skin, what is worn on it, and the sleeve.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from studio.art.bones import Skeleton, model_hand, skeleton
from studio.art.paint import Colour, Field
from studio.art.people import Person
from studio.art.relief import Relief, blur, dome
from studio.art.skin import add_gloss, skin
from studio.art.sleeves import Arm, dress, flatness, place_arm, tube
from studio.art.sprites import Sprite, cast, finish, lay
from studio.light import Light
from studio.patch import Patch
from studio.scene import HandBody, Pose
from vision.values.geometry import Camera

CANVAS = (-150.0, 150.0, -985.0, 15.0)  # long enough that an arm that reaches across the felt leaves it
METALS: dict[str, Colour] = {
    "steel": (182, 180, 176),
    "silver": (200, 198, 194),
    "gold": (84, 170, 214),
    "black": (34, 32, 32),
    "beads": (40, 52, 92),
}


def paint_hand(body: HandBody, pose: Pose, camera: Camera, person: Person, light: Light) -> Patch:
    """Return a hand with its arm as the camera sees it."""
    return lay(_sprite(person, body.grip, body.left, _is_close(pose, camera)), pose, camera, light)


def shadow_of_hand(body: HandBody, pose: Pose, camera: Camera, person: Person, light: Light) -> Patch:
    """Return the soft shadow of a hand and its arm on the felt."""
    return cast(_sprite(person, body.grip, body.left, _is_close(pose, camera)), pose, camera, light)


def _is_close(pose: Pose, camera: Camera) -> bool:
    """Return whether the camera sees more than a pixel per millimetre."""
    return camera.scale_px_per_mm((pose.x, pose.y, 0)) > 1.0


@lru_cache(maxsize=96)
def _sprite(person: Person, grip: str, left: bool, detailed: bool) -> Sprite:
    """Return a person's hand in a grip; `detailed` for pictures of more than a pixel per millimetre."""
    rng = np.random.default_rng(person.seed + 1)
    bones = skeleton(person, grip)
    relief = Relief(*CANVAS)
    hand = model_hand(bones, (*CANVAS[:2], -240.0, CANVAS[3]))
    rows = slice(0, hand.shape[0])
    relief.edge[rows], relief.top[rows] = hand.edge, hand.top
    arm = place_arm(relief, bones, person)
    relief.join(*tube(arm, arm.radius, -2.0), 12.0)
    _smooth_wrist(relief, arm)
    albedo = skin(relief, bones, arm, person, rng)
    add_gloss(relief, albedo)
    _adorn(relief, albedo, bones, arm, person, left)
    dress(relief, albedo, arm, person, rng)
    relief.edge = np.maximum(relief.edge, np.abs(arm.beside) * 0.15 - relief.y - 950).astype(np.float32)
    sprite = finish(relief, albedo, detailed)
    return _mirrored(sprite) if left else sprite


def _smooth_wrist(relief: Relief, arm: Arm) -> None:
    """Blend the heights of hand and arm where they were joined."""
    inside = (relief.edge < 0).astype(np.float32)
    even = blur(np.where(inside > 0, relief.top, 0), 8) / np.maximum(blur(inside, 8), 1e-3)
    share = np.exp(-((arm.back / 22) ** 2)) * np.clip(-relief.edge / 12, 0, 1) * 0.9
    relief.top = np.asarray(relief.top + (even - relief.top) * share, np.float32)


def _mirrored(sprite: Sprite) -> Sprite:
    """Return a right hand as a left one."""
    colour, facing = sprite.colour[:, ::-1], sprite.facing[:, ::-1].copy()
    facing[..., 0] = 256 - np.maximum(facing[..., 0].astype(int), 1)
    lift, shades = np.ascontiguousarray(sprite.lift[:, ::-1]), np.ascontiguousarray(sprite.shades[:, ::-1])
    hull = sprite.hull * np.array([-1, 1, 1], np.float32)
    return replace(sprite, colour=np.ascontiguousarray(colour), facing=facing, lift=lift, hull=hull, shades=shades)


def _adorn(relief: Relief, albedo: Field, bones: Skeleton, arm: Arm, person: Person, left: bool) -> None:
    """Put on what is worn at the wrist and the ring finger: the watch and the ring left, the bracelet right."""
    if left and person.watch and person.cuff_mm > 45:  # else the sleeve hides it
        _watch(relief, albedo, arm, METALS[person.watch], np.random.default_rng(person.seed + 2))
    if not left and person.bracelet:
        edge, top = tube(arm, arm.radius + 2.5, 8 + arm.beside * 0.12)
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
    edge, top = tube(arm, arm.radius + 3, middle - 9)
    shows = relief.put(np.maximum(edge, past - 9), top)
    albedo[shows] = (strap * (0.75 + 0.3 * np.sign(np.sin(past * 2.1)))[..., None] + 0 * albedo)[shows]
    away = np.hypot(past, arm.beside)
    crest = arm.axis_z + arm.radius * flatness(arm) + 6
    shows = relief.put(away - size, crest - np.maximum(away - size + 3, 0) * 0.9)
    dial = np.array((28, 26, 26) if rng.random() < 0.6 else (225, 228, 230))
    glint = np.exp(-((arm.beside + past - 6) ** 2) / 20)[..., None] * 90
    face = np.where((away < size - 4)[..., None], dial + glint, np.array(metal) * 1.1)
    albedo[shows] = np.clip(face, 0, 255)[shows]
