"""Small pictures with one stack in the middle: chance and a house enter; a picture, its camera and the truth leave.

Chips are painted by the simulator; cameras, felts, neighbours, covers and sensors vary far more than its looks do.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.chips import paint_stack, shadow_of_stack
from studio.art.felts import make_artwork
from studio.film.look import kinds, of_split
from studio.learn.chips.sets import House
from studio.light import Light
from studio.patch import Patch
from studio.scene import Pose, StackBody
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture

MOST = 24  # chips in a stack
COVERED = 128


@dataclass(frozen=True)
class Target:
    """A stack in a scene: chips (index into the set) bottom to top, and where base and top appear."""

    chips: tuple[int, ...]
    base: Floats
    top: Floats
    visible: float


@dataclass(frozen=True)
class Scene:
    """Stacks on a felt, before any sensor saw them."""

    canvas: NDArray[np.float32]
    camera: Camera
    targets: tuple[Target, ...]


class Felts:
    """Pieces of felt to put stacks on: printed ones of the training looks, and plain ones of any colour."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._names = of_split(kinds()["felt"], "train")
        self._sheets: dict[str, Picture] = {}

    def piece(self, side: int, zoom: float) -> Picture:
        """Return a square piece of felt; `zoom` is pixels by millimetre."""
        rng = self._rng
        if rng.random() < 0.3:
            return self._plain(side)
        sheet = self._sheet(self._names[int(rng.integers(len(self._names)))])
        height, width = sheet.shape[:2]
        turn, place = rng.uniform(0, 360), (rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height)
        map_to = np.asarray(cv2.getRotationMatrix2D(place, turn, zoom), np.float64)
        map_to[:, 2] += side / 2 - np.array(place)
        piece = cv2.warpAffine(sheet, map_to, (side, side), borderMode=cv2.BORDER_REFLECT)
        tint = np.exp(rng.normal(0, 0.25, 3))
        return np.asarray(np.clip(piece * tint, 0, 255), np.uint8)

    def _sheet(self, name: str) -> Picture:
        """Return a felt's artwork; it is printed when it is first asked for."""
        if name not in self._sheets:
            self._sheets[name] = make_artwork(name)
        return self._sheets[name]

    def _plain(self, side: int) -> Picture:
        rng = self._rng
        colour = rng.uniform(5, 235, 3).astype(np.float32)
        grain = rng.standard_normal((side, side, 1), np.float32) * np.float32(rng.uniform(1, 9))
        blots = cv2.resize(rng.normal(0, rng.uniform(0, 25), (5, 5, 3)).astype(np.float32), (side, side))
        return np.asarray(np.clip(colour + grain + blots, 0, 255), np.uint8)


def random_chips(rng: np.random.Generator, kinds_of_chip: int) -> tuple[int, ...]:
    """Return a stack, bottom to top: mostly one colour; mixed ones mostly with the dear chips at the bottom.

    This is the reader's prior: small stacks are common, every height up to `MOST` occurs.
    """
    number = int(rng.geometric(0.22)) if rng.random() < 0.72 else int(rng.integers(1, MOST + 1))
    number = min(number, MOST)
    how = rng.random()
    if how < 0.6 or number == 1:
        return (int(rng.integers(kinds_of_chip)),) * number
    if how < 0.9:
        runs = int(rng.integers(2, 5)) if rng.random() < 0.6 else number
        pool = rng.integers(kinds_of_chip, size=runs)
        chips = sorted((int(pool[i]) for i in rng.integers(runs, size=number)), reverse=rng.random() < 0.85)
        return tuple(chips)
    if how < 0.96:  # one chip that does not belong
        chips = [int(rng.integers(kinds_of_chip))] * number
        chips[int(rng.integers(number))] = int(rng.integers(kinds_of_chip))
        return tuple(chips)
    return tuple(int(i) for i in rng.integers(kinds_of_chip, size=number))


def random_scene(rng: np.random.Generator, house: House, felts: Felts, is_level: bool) -> Scene:
    """Paint one scene."""
    wide = float(np.exp(rng.uniform(np.log(22), np.log(90)))) if rng.random() < 0.5 else float(rng.uniform(24, 46))
    camera = _camera(rng, house.chips, wide, is_level)
    light = _light(rng)
    felt = felts.piece(camera.lens.width, wide / house.chips.diameter_mm * rng.uniform(0.7, 1.4))
    canvas = felt.astype(np.float32)
    stacks = _stacks(rng, house.chips)
    owner = np.zeros(canvas.shape[:2], np.uint8)
    depths = [camera.to_camera([pose.x, pose.y, 0.0])[2] for _, pose in stacks]
    if rng.random() < 0.25:
        _lay_card(rng, canvas, wide)
    for i in np.argsort(depths)[::-1]:
        body, pose = stacks[i]
        _lay(canvas, None, shadow_of_stack(body, pose, camera, light), 0)
    whole = [1] * len(stacks)
    for i in np.argsort(depths)[::-1]:
        body, pose = stacks[i]
        patch = paint_stack(body, pose, camera, house.chips, light)
        whole[i] = int((patch.cover >= COVERED).sum())
        _lay(canvas, owner, patch, int(i) + 1)
    if rng.random() < 0.15:
        _cover(rng, canvas, owner, wide)
    shown = [float((owner == i + 1).sum()) / max(whole[i], 1) for i in range(len(stacks))]
    targets = [_target(*stack, camera, house.chips, seen) for stack, seen in zip(stacks, shown, strict=True)]
    return Scene(canvas, camera, tuple(targets))


def _target(body: StackBody, pose: Pose, camera: Camera, chips: ChipSet, visible: float) -> Target:
    base, top = camera.project([[pose.x, pose.y, 0.0], _top_of(body, pose, chips)])
    order = [chip.cents for chip in chips.chip]
    return Target(tuple(order.index(cents) for cents in body.cents), base, top, visible)


def _camera(rng: np.random.Generator, chips: ChipSet, wide: float, is_level: bool) -> Camera:
    tilt = rng.uniform(0, 45) * rng.uniform(0.3, 1) if rng.random() < 0.55 else rng.uniform(12, 66)
    distance, around = rng.uniform(900, 3800), rng.uniform(0, 2 * np.pi)
    flat = np.sin(np.radians(tilt)) * distance
    position = (flat * np.cos(around), flat * np.sin(around), np.cos(np.radians(tilt)) * distance)
    roll = rng.normal(0, 10) if is_level and rng.random() < 0.9 else rng.uniform(-180, 180)
    side = int(np.clip(wide * 4.6, 130, 400))
    middle = side / 2 + rng.uniform(-3, 3, 2)
    lens = Lens(side, side, wide / chips.diameter_mm * distance, float(middle[0]), float(middle[1]))
    target = (rng.uniform(-8, 8), rng.uniform(-8, 8), rng.uniform(0, 40))
    return Camera.looking_at(lens, position, target, float(roll))


def _light(rng: np.random.Generator) -> Light:
    lean, around = np.radians(rng.uniform(0, 62)), rng.uniform(0, 2 * np.pi)
    towards = (np.sin(lean) * np.cos(around), np.sin(lean) * np.sin(around), np.cos(lean))
    return Light((float(towards[0]), float(towards[1]), float(towards[2])), float(rng.uniform(0.25, 0.92)))


def _stacks(rng: np.random.Generator, chips: ChipSet) -> list[tuple[StackBody, Pose]]:
    """Return the stack that is asked for, at the origin, and up to three more around it."""
    stacks = [(_body(rng, chips), Pose(0.0, 0.0, angle=float(rng.uniform(0, 360))))]
    for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2, 3]))):
        away, reach = rng.uniform(0, 2 * np.pi), chips.diameter_mm * (1.02 + abs(rng.normal(0, 0.25)))
        pose = Pose(float(reach * np.cos(away)), float(reach * np.sin(away)), angle=float(rng.uniform(0, 360)))
        others = stacks[1:]
        if all(np.hypot(pose.x - other.x, pose.y - other.y) > chips.diameter_mm for _, other in others):
            stacks.append((_body(rng, chips), pose))
    return stacks


def _body(rng: np.random.Generator, chips: ChipSet) -> StackBody:
    order = random_chips(rng, len(chips.chip))
    sloppy = float(rng.choice([0.0, 0.3, 0.8, 2.0]))
    lean = rng.normal(0, 0.25, 2) if rng.random() < 0.2 else np.zeros(2)
    shifts = rng.normal(0, sloppy, (len(order), 2)) + lean * np.arange(len(order))[:, None]
    turns = rng.uniform(0, 360, len(order))
    cents = tuple(chips.chip[i].cents for i in order)
    places = [(float(dx), float(dy), float(turn)) for (dx, dy), turn in zip(shifts, turns, strict=True)]
    return StackBody(cents, tuple(places))


def _top_of(body: StackBody, pose: Pose, chips: ChipSet) -> list[float]:
    dx, dy, _ = body.shifts[-1]
    cos, sin = np.cos(np.radians(pose.angle)), np.sin(np.radians(pose.angle))
    return [pose.x + cos * dx - sin * dy, pose.y + sin * dx + cos * dy, len(body.cents) * chips.thickness_mm]


def _lay(canvas: NDArray[np.float32], owner: Picture | None, patch: Patch, name: int) -> None:
    """Lay a patch over the canvas, as far as it reaches."""
    side = canvas.shape[0]
    tall, wide = patch.cover.shape
    u0, v0, u1, v1 = max(patch.u, 0), max(patch.v, 0), min(patch.u + wide, side), min(patch.v + tall, side)
    if u0 >= u1 or v0 >= v1:
        return
    part = np.s_[v0 - patch.v : v1 - patch.v, u0 - patch.u : u1 - patch.u]
    cover = patch.cover[part]
    target = canvas[v0:v1, u0:u1]
    target += (patch.colour[part] - target) * (cover[..., None] / np.float32(255))
    if owner is not None:
        owner[v0:v1, u0:u1][cover >= COVERED] = name


def _lay_card(rng: np.random.Generator, canvas: NDArray[np.float32], wide: float) -> None:
    """Lay a card under or beside the stack: white, or a coloured back."""
    side = canvas.shape[0]
    place = rng.uniform(0.2, 0.8, 2) * side
    box = cv2.boxPoints((tuple(place.tolist()), (wide * 1.63, wide * 2.28), float(rng.uniform(0, 360))))
    colour = (238, 240, 242) if rng.random() < 0.6 else rng.uniform(20, 220, 3).tolist()
    cv2.fillConvexPoly(canvas, np.rint(box * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def _cover(rng: np.random.Generator, canvas: NDArray[np.float32], owner: Picture, wide: float) -> None:
    """Put something over a part of the stack: fingers of any skin, a sleeve, or a card."""
    side = canvas.shape[0]
    mask = np.zeros(owner.shape, np.uint8)
    away = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(away), np.sin(away)])
    tip = side / 2 + way * wide * rng.uniform(0.1, 0.9)
    for finger in range(int(rng.integers(1, 4))):
        aside = np.array([-way[1], way[0]]) * wide * 0.5 * (finger - 1)
        start, end = tip + aside + rng.normal(0, wide * 0.1, 2), tip + aside + way * side
        line = [tuple(int(x) for x in np.rint(point)) for point in (start, end)]
        cv2.line(mask, line[0], line[1], (255,), max(3, int(wide * rng.uniform(0.35, 0.6))), cv2.LINE_AA)
    tone = np.array([90.0, 125.0, 180.0]) * rng.uniform(0.3, 1.25) + rng.normal(0, 12, 3)
    if rng.random() < 0.35:
        tone = rng.uniform(5, 240, 3)
    shade = cv2.GaussianBlur(mask, (0, 0), wide * 0.12)[..., None] / np.float32(255)
    canvas += (tone * (0.6 + 0.5 * shade) - canvas) * (mask[..., None] / np.float32(255))
    owner[mask >= COVERED] = 0


def developed(rng: np.random.Generator, canvas: NDArray[np.float32]) -> Picture:
    """Return the picture as some camera delivers it: light and its colour, lens, tone, noise, compression."""
    warmth = rng.normal(0, 0.14)
    gains = np.array([1 - warmth, 1 + rng.normal(0, 0.03), 1 + warmth * 0.8], np.float32)
    gains *= np.float32(np.exp(rng.normal(-0.06, 0.24)))
    lit = np.clip(canvas * gains, 0, 255) if rng.random() < 0.8 else 255 * (1 - np.exp(-canvas * gains / 180))
    blur = rng.uniform(0.25, 1.2)
    soft = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), blur)
    if rng.random() < 0.06:
        reach = int(rng.integers(2, 6))
        kernel = np.zeros((reach, reach), np.float32)
        cv2.line(kernel, (0, int(rng.integers(reach))), (reach - 1, int(rng.integers(reach))), (1.0,), 1)
        soft = cv2.filter2D(soft, -1, kernel / kernel.sum())
    if rng.random() < 0.6:
        soft = soft + rng.uniform(0, 1.0) * (soft - cv2.GaussianBlur(soft, (0, 0), 1.5))
    tone = 255 * cv2.pow(np.clip(soft / 255, 0, 1), rng.uniform(0.75, 1.3))
    noisy = tone + rng.standard_normal(tone.shape, np.float32) * np.float32(rng.uniform(0.5, 7))
    picture = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.9:
        quality = int(rng.integers(45, 96))
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(picture, np.uint8)
