"""Small pictures with one stack in the middle: chance and a house enter; a picture, its view and the truth leave.

Views follow the classes of `calibration/views.toml`, most of them slanted and large; felts, neighbours, covers, light
and sensors vary far more than the simulator's looks do.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.felts import make_artwork
from studio.film.look import kinds, of_split
from studio.learn.chips.contents import random_chips, random_shifts
from studio.learn.chips.houses import PaintedHouse
from studio.learn.chips.painter import Canvas, Lighting, Slant, Stack, random_lighting
from vision.detect.stack_crop import FACE_REACH
from vision.values.geometry import Floats
from vision.values.picture import Picture

Field = NDArray[np.float32]
FELTS_OPEN = 4  # printed felts that a painter keeps
NOISE_SIDE = 512
# Views: how often, px per mm, degrees off the vertical. A class's own spread over a table is in them.
VIEWS = {
    "reference": (0.42, (1.3, 2.2), (24.0, 50.0)),
    "good": (0.28, (0.85, 1.5), (22.0, 52.0)),
    "legacy": (0.24, (0.5, 1.05), (2.0, 42.0)),
    "any": (0.06, (0.4, 3.0), (0.0, 70.0)),
}


@dataclass(frozen=True)
class Scene:
    """A stack on a felt, before any sensor saw it; `top` is where the middle of its top appears."""

    ground: Field
    slant: Slant
    chips: tuple[int, ...]  # bottom to top, indices into the house's set
    base: Floats
    top: Floats
    visible: float
    origin: Floats  # where the origin of the felt appears
    tops: Floats  # (n, 2) where the middle of each chip's top appears, bottom to top


class Felts:
    """Pieces of felt to put stacks on: printed ones of the training looks, and plain ones of any colour with lines."""

    def __init__(self, rng: np.random.Generator, *, is_printed: bool = True) -> None:
        """Choose felts; printing one takes seconds."""
        self._rng = rng
        names = of_split(kinds()["felt"], "train")
        self._names = [names[int(i)] for i in rng.permutation(len(names))[: FELTS_OPEN * is_printed]]
        self._sheets: dict[str, Picture] = {}
        self._noise = rng.standard_normal((NOISE_SIDE, NOISE_SIDE, 3)).astype(np.float32)

    def piece(self, slant: Slant, size: tuple[int, int], origin: Floats, rng: np.random.Generator) -> Field:
        """Return the felt under a scene: width and height in pixels, and where its middle lies."""
        if not self._names or rng.random() < 0.45:
            return self._plain(slant, size, origin, rng)
        sheet = self._sheet(self._names[int(rng.integers(len(self._names)))])
        height, width = sheet.shape[:2]
        swing = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(swing), -np.sin(swing)], [np.sin(swing), np.cos(swing)]]) * rng.uniform(0.7, 1.4)
        turn = np.stack([slant.right, slant.near], axis=1) @ spin
        place = np.array([rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height])
        map_to = np.concatenate([turn, (origin - turn @ place)[:, None]], axis=1)
        piece = cv2.warpAffine(sheet, map_to, size, borderMode=cv2.BORDER_REFLECT)
        tint = np.exp(rng.normal(0, 0.25, 3) + rng.normal(0, 0.2)).astype(np.float32)
        return np.asarray(piece * tint, np.float32)

    def noise(self, shape: tuple[int, ...]) -> Field:
        """Return noise of unit spread for a picture (h, w, 3) of at most `NOISE_SIDE`."""
        down, across = (int(self._rng.integers(NOISE_SIDE - side + 1)) for side in shape[:2])
        return np.asarray(self._noise[down : down + shape[0], across : across + shape[1]])

    def _sheet(self, name: str) -> Picture:
        """Return a felt's artwork; it is printed when it is first asked for."""
        if name not in self._sheets:
            self._sheets[name] = make_artwork(name)
        return self._sheets[name]

    def _plain(self, slant: Slant, size: tuple[int, int], origin: Floats, rng: np.random.Generator) -> Field:
        colour = rng.uniform(5, 235, 3) if rng.random() < 0.5 else rng.uniform(5, 80, 3)
        blots = cv2.resize(rng.normal(0, rng.uniform(0, 18), (4, 4, 3)).astype(np.float32), size)
        ground = np.asarray(colour.astype(np.float32) + blots, np.float32)
        ground += self.noise(ground.shape)[..., :1] * np.float32(rng.uniform(0, 7))
        around = np.linspace(0, 2 * np.pi, 48)
        for _ in range(int(rng.integers(0, 4))):  # rings and boxes that are printed around spots
            reach, middle = rng.uniform(21, 45), rng.normal(0, 14, 2)
            step = 12 if rng.random() < 0.3 else 1
            ring = np.stack([np.cos(around[::step]), np.sin(around[::step])], axis=1) * reach + middle
            seen = origin + ring @ np.stack([slant.right, slant.near])
            ink = tuple(float(x) for x in rng.uniform(0, 255, 3))
            wide = max(1, round(slant.px_per_mm * rng.uniform(0.6, 4)))
            cv2.polylines(ground, [np.rint(seen * 16).astype(np.int32)], True, ink, wide, cv2.LINE_AA, 4)
        if rng.random() < 0.3:
            at = tuple(int(x) for x in origin + rng.normal(0, 18 * slant.px_per_mm, 2))
            word = str(rng.choice(["ANTE", "PLAY", "6", "ACES UP", "3X", "BONUS"]))
            ink = tuple(float(x) for x in rng.uniform(0, 255, 3))
            cover = np.zeros(ground.shape[:2], np.uint8)
            cv2.putText(cover, word, at, cv2.FONT_HERSHEY_DUPLEX, slant.px_per_mm * 0.5, (255,), 2, cv2.LINE_AA)
            ground += (np.array(ink, np.float32) - ground) * (cover[..., None] / np.float32(255))
        return ground


def random_slant(rng: np.random.Generator, view: str | None = None) -> Slant:
    """Return how some camera sees some place; of a class where one is named."""
    names = list(VIEWS)
    name = view or names[int(rng.choice(len(names), p=[VIEWS[name][0] for name in names]))]
    _, scale, tilt = VIEWS[name]
    roll = rng.normal(0, 12) if rng.random() < 0.75 else rng.uniform(-180, 180)
    return Slant(
        float(np.exp(rng.uniform(*np.log(scale)))), float(np.radians(rng.uniform(*tilt))), float(np.radians(roll))
    )


@dataclass(frozen=True)
class Setting:
    """What stays when chips come and go: the view, the light, what stands around, and the chance of the rest."""

    slant: Slant
    lighting: Lighting
    others: tuple[Stack, ...]
    seed: int


def random_setting(rng: np.random.Generator, house: PaintedHouse, view: str | None = None) -> Setting:
    """Return somewhere for a stack to stand, seen by a camera of a class where one is named."""
    others = tuple(_neighbours(rng, house))
    return Setting(random_slant(rng, view), random_lighting(rng), others, int(rng.integers(1 << 30)))


def random_scene(rng: np.random.Generator, house: PaintedHouse, felts: Felts, most: int) -> Scene:
    """Paint one scene; its stack has at most so many chips."""
    setting = random_setting(rng, house)
    stack = random_stack(rng, house, random_chips(rng, len(house.chips.chip), most))
    return scene_of(setting, stack, house, felts)


def scene_of(setting: Setting, stack: Stack, house: PaintedHouse, felts: Felts) -> Scene:
    """Paint a stack where it stands."""
    rng = np.random.default_rng(setting.seed)
    slant, lighting = setting.slant, setting.lighting
    size, origin = _frame(slant, house, stack)
    ground = felts.piece(slant, size, origin, rng)
    if rng.random() < 0.2:
        _lay_card(rng, ground, slant, origin)
    for one in (stack, *setting.others):
        _cast(rng, ground, one, (slant, lighting), house, origin)
    canvas = Canvas(size, _fineness(slant))
    stacks = [(stack, 1), *((other, i + 2) for i, other in enumerate(setting.others))]
    whole = 1
    for one, owner in sorted(stacks, key=lambda entry: -entry[0].tops[0, 1]):
        covered = canvas.put(one, owner, house, slant, lighting, origin, rng)
        whole = covered if owner == 1 else whole
    shown = min(1.0, float((canvas.owner == 1).sum()) / max(whole, 1))
    picture = canvas.over(ground)
    _shade(rng, picture)
    if rng.random() < 0.08:
        shown *= _cover(rng, picture, slant, origin)
    foot = np.array([*stack.tops[0, :2], 0.0])
    base, top = origin + slant.seen(foot), origin + slant.seen(stack.tops[-1])
    return Scene(picture, slant, stack.chips, base, top, shown, origin, origin + slant.seen(stack.tops))


def _fineness(slant: Slant) -> int:
    return 2 if slant.px_per_mm > 1.25 else 3


def _frame(slant: Slant, house: PaintedHouse, stack: Stack) -> tuple[tuple[int, int], Floats]:
    """Return the size of a picture that holds a stack's crops, and where the origin of its felt appears."""
    radius = house.chips.diameter_mm / 2 * FACE_REACH
    top, foot = slant.seen(stack.tops[-1]), slant.seen(stack.tops[0] * (1, 1, 0))
    reach = np.hypot(slant.right, slant.near) * radius + 6
    fall = slant.down * house.chips.thickness_mm * 2.5
    corners = np.stack([top - reach, top + reach, foot - reach, foot + reach, foot + reach + fall, foot - reach + fall])
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    size = np.minimum(high - low, NOISE_SIDE).astype(int)
    return (int(size[0]), int(size[1])), np.asarray(-low)


def random_stack(
    rng: np.random.Generator, house: PaintedHouse, chips: tuple[int, ...], place: tuple[float, float] = (0.0, 0.0)
) -> Stack:
    """Return chips as somebody stacks them, at a place."""
    shifts = random_shifts(rng, len(chips)) + place
    heights = house.chips.thickness_mm * np.arange(1, len(chips) + 1)
    return Stack(chips, np.concatenate([shifts, heights[:, None]], axis=1), rng.uniform(0, 2 * np.pi, len(chips)))


def _neighbours(rng: np.random.Generator, house: PaintedHouse) -> list[Stack]:
    """Return up to three stacks beside the one that is asked for: touching it, or near."""
    found: list[Stack] = []
    for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2, 3]))):
        away, reach = rng.uniform(0, 2 * np.pi), house.chips.diameter_mm * (1.03 + abs(rng.normal(0, 0.3)))
        place = (float(reach * np.cos(away)), float(reach * np.sin(away)))
        if all(np.hypot(*(other.tops[0, :2] - place)) > house.chips.diameter_mm for other in found):
            found.append(random_stack(rng, house, random_chips(rng, len(house.chips.chip), 12), place))
    return found


def _cast(
    rng: np.random.Generator, ground: Field, stack: Stack, seen_in: tuple[Slant, Lighting], house: PaintedHouse,
    origin: Floats,
) -> None:  # fmt: skip
    """Darken the felt where a stack takes light away: towards its far side from each lamp, and around its foot."""
    slant, lighting = seen_in
    around = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    rim = np.stack([np.cos(around), np.sin(around), 0 * around], axis=1) * house.chips.diameter_mm / 2
    foot = rim + stack.tops[0] * (1, 1, 0)
    shadows = [(foot, 0.5 + slant.px_per_mm * 1.5, float(rng.uniform(0.1, 0.6)))]
    height = float(stack.tops[-1, 2])
    for lamp, strength in zip(lighting.lamps, lighting.strengths, strict=True):
        thrown = rim + stack.tops[-1] * (1, 1, 0) - np.append(lamp[:2] / max(lamp[2], 0.25) * height, 0)
        outline = np.concatenate([foot, thrown])
        shadows.append((outline, 0.6 + 0.12 * height * slant.px_per_mm, float((1 - lighting.ambient) * strength)))
    for outline, soft, dark in shadows:
        blot = np.zeros(ground.shape[:2], np.float32)
        hull = cv2.convexHull(np.rint((origin + slant.seen(outline)) * 16).astype(np.int32))
        cv2.fillConvexPoly(blot, hull, (dark,), cv2.LINE_AA, 4)
        ground *= (1 - cv2.GaussianBlur(blot, (0, 0), soft))[..., None]


def _shade(rng: np.random.Generator, picture: Field) -> None:
    """Let light fall off over a picture, or a shadow lie across it."""
    if rng.random() < 0.6:
        ends = np.exp(rng.normal(0, 0.2, (2, 2))).astype(np.float32)
        picture *= cv2.resize(ends, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)[..., None]
    if rng.random() < 0.12:
        height, width = picture.shape[:2]
        way, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        u, v = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        side = np.cos(way) * u + np.sin(way) * v - at
        shadow = rng.uniform(0.1, 0.5) / (1 + np.exp(-side / rng.uniform(0.02, 0.2)))
        picture *= np.asarray(1 - shadow, np.float32)[..., None]


def _lay_card(rng: np.random.Generator, ground: Field, slant: Slant, origin: Floats) -> None:
    """Lay a card under or beside the stack: white, or a coloured back."""
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (31.75, 44.45)
    swing = rng.uniform(0, np.pi)
    turn = np.array([[np.cos(swing), -np.sin(swing)], [np.sin(swing), np.cos(swing)]])
    places = box @ turn.T + rng.normal(0, 40, 2)
    seen = origin + places @ np.stack([slant.right, slant.near])
    colour = (238.0, 240.0, 242.0) if rng.random() < 0.6 else tuple(float(x) for x in rng.uniform(20, 220, 3))
    cv2.fillConvexPoly(ground, np.rint(seen * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def _cover(rng: np.random.Generator, picture: Field, slant: Slant, origin: Floats) -> float:
    """Put fingers of any skin, or a sleeve, over a part of a picture; return what share of its middle is left."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    wide = slant.px_per_mm * 39
    away = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(away), np.sin(away)])
    tip = origin + way * wide * rng.uniform(0.2, 0.9)
    for finger in range(int(rng.integers(1, 4))):
        aside = np.array([-way[1], way[0]]) * wide * 0.5 * (finger - 1)
        line = [tuple(int(x) for x in np.rint(point)) for point in (tip + aside, tip + aside + way * wide * 4)]
        cv2.line(mask, line[0], line[1], (255,), max(3, int(wide * rng.uniform(0.35, 0.6))), cv2.LINE_AA)
    tone = np.array([90.0, 125.0, 180.0]) * rng.uniform(0.3, 1.25) + rng.normal(0, 12, 3)
    if rng.random() < 0.35:
        tone = rng.uniform(5, 240, 3)
    shade = cv2.GaussianBlur(mask, (0, 0), max(wide * 0.12, 0.5))[..., None] / np.float32(255)
    picture += ((tone * (0.6 + 0.5 * shade) - picture) * (mask[..., None] / np.float32(255))).astype(np.float32)
    low = np.maximum((origin - wide * 0.6).astype(int), 0)
    part = mask[low[1] : int(origin[1] + wide * 0.6), low[0] : int(origin[0] + wide * 0.6)]
    return 1 - float((part > 127).mean()) if part.size else 1.0


def developed(rng: np.random.Generator, felts: Felts, scene: Field) -> Picture:
    """Return the picture as some camera delivers it: light and its colour, lens, tone, noise, compression."""
    warmth = rng.normal(0, 0.13)
    gains = np.array([1 - warmth, 1 + rng.normal(0, 0.03), 1 + warmth * 0.8], np.float32)
    lit = scene * (gains * np.float32(np.exp(rng.normal(0.0, 0.28))))
    if rng.random() < 0.3:
        lit = 255 * (1 - np.exp(lit * np.float32(-1 / 180)))
    soft = cv2.GaussianBlur(np.clip(lit, 0, 255), (0, 0), float(rng.uniform(0.2, 1.1)))
    if rng.random() < 0.5:
        soft = soft + np.float32(rng.uniform(0, 1.2)) * (soft - cv2.GaussianBlur(soft, (0, 0), 1.5))
    tone = 255 * cv2.pow(np.clip(soft * np.float32(1 / 255), 0, 1), float(rng.uniform(0.75, 1.3)))
    noisy = tone + felts.noise(tone.shape) * np.float32(np.exp(rng.uniform(np.log(0.4), np.log(7))))
    picture = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:  # what a codec leaves of fine detail
        picture = np.asarray(cv2.bilateralFilter(picture, 5, float(rng.uniform(8, 25)), 2.0), np.uint8)
    if rng.random() < 0.9:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(picture, np.uint8)
