"""People from above. A random generator enters, a Person leaves; reliefs enter, patches of heads and limbs leave.

A limb is modelled once, seen straight from above, as a relief: where it is, how high its top is, what colour it has.
From that comes a `Sprite`, and a sprite is laid into the picture of any camera with the parallax of its heights.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Camera
from vision.simulate.film.light import Light
from vision.simulate.film.patch import Patch, Picture
from vision.simulate.scene import Pose

Field = NDArray[np.float32]
Colour = tuple[int, int, int]  # BGR

RES = 1.6  # pixels per millimetre in which reliefs are modelled: a little more than 4K shows
FAR = 1e3
NODE_PX = 8  # the way from picture to sprite is exact every so many pixels, and linear between
SKIN_RAMP = (
    (178, 200, 236),
    (150, 178, 224),
    (124, 156, 208),
    (98, 130, 186),
    (70, 98, 152),
    (52, 72, 116),
    (38, 50, 82),
)
HAIRS = (
    (22, 22, 24),
    (28, 34, 44),
    (34, 52, 80),
    (60, 96, 138),
    (110, 160, 200),
    (120, 124, 128),
    (205, 208, 210),
    (36, 64, 140),
)
SUITS = ((34, 30, 30), (62, 46, 36), (78, 74, 72), (50, 42, 40), (96, 104, 112), (40, 50, 66))
SHIRTS = (
    (240, 238, 236),
    (226, 206, 180),
    (206, 186, 226),
    (200, 170, 120),
    (40, 36, 36),
    (150, 196, 214),
    (120, 84, 58),
)
BRIGHTS = (
    (46, 44, 168),
    (160, 78, 34),
    (52, 110, 40),
    (40, 160, 214),
    (116, 46, 96),
    (30, 28, 28),
    (130, 128, 124),
    (70, 120, 196),
    (220, 220, 222),
    (96, 48, 26),
)
NAILS = ((40, 30, 170), (120, 70, 200), (50, 20, 70), (190, 170, 220), (28, 24, 26), (150, 110, 60), (225, 228, 232))
SLEEVES = ("bare", "shirt", "jacket", "hoodie", "patterned")
PATTERNS = ("stripes", "plaid", "floral", "dots", "camouflage")
HAIRCUTS = ("short", "long", "bald", "balding", "bun", "cap")


@dataclass(frozen=True, slots=True)
class Person:
    """How somebody at the table looks from above. Colours are BGR; `cuff_mm` is from the wrist to the sleeve."""

    skin: Colour = (124, 156, 208)
    hair: Colour = (28, 34, 44)
    haircut: str = "short"
    nails: Colour | None = None
    hand_size: float = 1.0
    build: float = 1.0  # thickness of fingers and arms
    sleeve: str = "shirt"
    cuff_mm: float = 2.0
    cloth: Colour = (226, 206, 180)
    trim: Colour = (240, 238, 236)
    pattern: str = "plain"
    watch: str = ""  # steel, gold or black, on the left wrist
    ring: str = ""
    bracelet: str = ""
    tattoo: bool = False
    age: float = 0.4  # 0 smooth, 1 wrinkled and veined
    hairy: float = 0.2
    elbow_deg: float = 4.0
    seed: int = 0


def random_person(rng: np.random.Generator, dealer: bool) -> Person:
    """Return somebody; a dealer wears the house's white shirt and black waistcoat, or its dark shirt."""
    woman = rng.random() < 0.45
    size = float(np.clip(rng.normal(0.93 if woman else 1.04, 0.045), 0.85, 1.15))
    tone = rng.random() * (len(SKIN_RAMP) - 1)
    skin = _jitter(rng, _between(SKIN_RAMP[int(tone)], SKIN_RAMP[int(tone) + 1], tone % 1), 3.5)
    hair = HAIRS[int(rng.integers(0, 3 if tone > 3 and rng.random() < 0.8 else len(HAIRS)))]
    sleeve, cuff, cloth, trim, pattern = _clothes(rng, dealer)
    return Person(
        skin=skin,
        hair=_jitter(rng, hair, 8),
        haircut=str(rng.choice(("short", "long", "bun") if woman else ("short", "short", "bald", "balding", "cap"))),
        nails=NAILS[int(rng.integers(len(NAILS)))] if woman and rng.random() < 0.5 else None,
        hand_size=size,
        build=float(np.clip(rng.normal(0.9 if woman else 1.04, 0.07), 0.78, 1.22)),
        sleeve=sleeve,
        cuff_mm=cuff,
        cloth=cloth,
        trim=trim,
        pattern=pattern,
        watch=_maybe(rng, ("steel", "gold", "black"), 0.45),
        ring=_maybe(rng, ("gold", "silver"), 0.35),
        bracelet=_maybe(rng, ("gold", "silver", "beads"), 0.3 if woman else 0.12),
        tattoo=bool(rng.random() < (0.05 if dealer else 0.18)),
        age=float(rng.random()),
        hairy=0.0 if woman else float(rng.random()),
        elbow_deg=float(rng.uniform(-2, 9)),
        seed=int(rng.integers(2**31)),
    )


def _clothes(rng: np.random.Generator, dealer: bool) -> tuple[str, float, Colour, Colour, str]:
    """Return sleeve, where it begins, its colour, the colour of what it is worn with, and its pattern."""
    if dealer:
        white = rng.random() < 0.7
        cloth = _jitter(rng, (238, 237, 236) if white else (34, 30, 30), 6)
        return "dealer", float(rng.uniform(-4, 8)), cloth, (30, 27, 27), "plain"
    sleeve = str(rng.choice(SLEEVES, p=(0.28, 0.22, 0.18, 0.14, 0.18)))
    palette = {"shirt": SHIRTS, "jacket": SUITS}.get(sleeve, BRIGHTS)
    cloth = _jitter(rng, palette[int(rng.integers(len(palette)))], 10)
    others = SHIRTS if sleeve in ("shirt", "jacket") else BRIGHTS + SHIRTS
    trim = _jitter(rng, others[int(rng.integers(len(others)))], 10)
    short = {"bare": (185, 285), "jacket": (6, 20), "hoodie": (-6, 6)}.get(sleeve, (-3, 10))
    rolled = sleeve in ("shirt", "patterned") and rng.random() < 0.35
    cuff = float(rng.uniform(90, 230) if rolled else rng.uniform(*short))
    pattern = str(rng.choice(PATTERNS)) if sleeve == "patterned" else "plain"
    if sleeve in ("shirt", "jacket") and rng.random() < 0.25:
        pattern = "stripes" if sleeve == "shirt" else "plaid"
    return sleeve, cuff, cloth, trim, pattern


def _maybe(rng: np.random.Generator, choices: tuple[str, ...], chance: float) -> str:
    return str(rng.choice(choices)) if rng.random() < chance else ""


def _between(one: Colour, two: Colour, share: float) -> Colour:
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(one, two, strict=True))
    return blue, green, red


def _jitter(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    brightness = 1 + rng.normal(0, spread) / 60
    blue, green, red = (int(np.clip(c * brightness + rng.normal(0, spread) * c / 200, 12, 248)) for c in colour)
    return blue, green, red


class Relief:
    """A canvas in millimetres, y upwards: `edge` is the distance to the outline (inside negative), `top` the height.

    Its sides are whole numbers of the cells of `lift`: multiples of 5 mm.
    """

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self.bounds = (left, right, low, high)
        self.left, self.high = left, high
        self.shape = (round((high - low) * RES), round((right - left) * RES))
        self.edge: Field = np.full(self.shape, FAR, np.float32)
        self.top: Field = np.full(self.shape, -FAR, np.float32)

    @cached_property
    def x(self) -> Field:
        """Return the x of every column, as a row."""
        return np.asarray(self.left + (np.arange(self.shape[1])[None, :] + 0.5) / RES, np.float32)

    @cached_property
    def y(self) -> Field:
        """Return the y of every row, as a column."""
        return np.asarray(self.high - (np.arange(self.shape[0])[:, None] + 0.5) / RES, np.float32)

    def pixel(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return column and row of a place."""
        return (x - self.left) * RES - 0.5, (self.high - y) * RES - 0.5

    def add_capsule(
        self, start: Any, end: Any, radii: tuple[float, float], soft: float = 3.0, flat: float = 1.0
    ) -> None:
        """Join a rod with round ends: `soft` millimetres of fillet where it meets what is there already."""
        (ax, ay, az), (bx, by, bz) = start, end
        reach = max(radii) + soft + 2
        (left, high), (right, low) = (
            self.pixel(min(ax, bx) - reach, max(ay, by) + reach),
            self.pixel(max(ax, bx) + reach, min(ay, by) - reach),
        )
        rows, cols = slice(max(int(high), 0), max(int(low), 0)), slice(max(int(left), 0), max(int(right), 0))
        x, y = self.x[:, cols], self.y[rows]
        length = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-6)
        share = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1)
        away = np.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))
        radius = radii[0] + share * (radii[1] - radii[0])
        top = az + share * (bz - az) + flat * dome(away, radius)
        self.join(away - radius, top, soft, (rows, cols))

    def add_egg(self, centre: Any, size: tuple[float, float, float], soft: float, taper: float = 0.0) -> None:
        """Join the upper half of an egg: half width, half length and height; `taper` narrows it towards +y."""
        x, y = self.x - centre[0], (self.y - centre[1]) / size[1]
        out = np.hypot(x / (size[0] * np.clip(1 - taper * y, 0.4, 2)), y)
        low = np.maximum(out - 1, 0) * min(size[:2])
        top = centre[2] + size[2] * np.sqrt(1 - np.minimum(out, 1) ** 2.2) - 4 * low
        self.join((out - 1) * min(size[:2]), top, soft)

    def join(self, edge: Any, top: Any, soft: float, box: tuple[slice, slice] = (slice(None), slice(None))) -> None:
        """Join another relief over a part of the canvas."""
        self.edge[box] = -_soft_max(-self.edge[box], -edge, min(soft, 12.0))
        self.top[box] = _soft_max(self.top[box], top, soft)

    def put(self, edge: Any, top: Any) -> NDArray[np.bool_]:
        """Lay another relief on top, without fillet; return where it is what one sees."""
        shows: NDArray[np.bool_] = (edge < 0) & (top > self.top)
        self.top = np.where(shows, top, self.top).astype(np.float32)
        self.edge = np.minimum(self.edge, edge).astype(np.float32)
        return shows


def dome(away: Any, radius: Any) -> Any:
    """Return how high a round cross-section stands above its axis; it falls off steeply outside."""
    share, off = np.clip(away / radius, 0, 1), np.maximum(away - radius, 0)
    return radius * np.sqrt(1 - share**2.3) - 1.2 * off - 7 * np.maximum(off - 4, 0)  # gently first, for fillets


def _soft_max(one: Any, two: Any, soft: float) -> Any:
    share = np.clip(0.5 + 0.5 * (one - two) / soft, 0, 1)
    return one * share + two * (1 - share) + soft * share * (1 - share)


def blur(field: Any, sigma_mm: float) -> Field:
    """Blur a field of the modelling canvas."""
    return np.asarray(cv2.GaussianBlur(np.asarray(field, np.float32), (0, 0), sigma_mm * RES), np.float32)


def noise(rng: np.random.Generator, shape: tuple[int, ...], across_mm: float, along_mm: float) -> Field:
    """Return smooth noise of deviation about one half, with cells of this size."""
    cells = (int(shape[0] / RES / along_mm) + 3, int(shape[1] / RES / across_mm) + 3)
    wide = cv2.resize(rng.normal(0, 0.6, cells).astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(wide, np.float32)


def sampled(field: Field, columns: Any, rows: Any, border: int = cv2.BORDER_REFLECT) -> Field:
    """Return a field's values between its pixels."""
    x, y = np.ascontiguousarray(columns, np.float32), np.ascontiguousarray(rows, np.float32)
    return np.asarray(cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=border), np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class Sprite:
    """A body from above: colour and cover, facing (normal and openness to the sky), `lift` its smoothed height."""

    colour: Picture  # (h, w, 4)
    facing: Picture  # (h, w, 4)
    lift: Field
    scale: float  # px per mm of colour and facing
    left: float
    high: float
    hull: Field  # (n, 3) points that enclose the body
    shades: Picture  # (h, w, 3) cover at SHADE_SCALE, blurred by each of SHADE_BLURS_MM


LIFT_STEP = 8  # pixels of the modelling canvas per cell of `lift`
SHADE_SCALE = RES / 4
SHADE_BLURS_MM = (2.5, 7.0, 18.0)


def finish(relief: Relief, albedo: Field, detailed: bool) -> Sprite:
    """Return the sprite of a relief with its colours (h, w, 3; 0-255)."""
    cover = np.clip(0.5 - relief.edge * RES, 0, 1).astype(np.float32)
    inside = cover > 0.02
    top = np.where(inside, relief.top, 0)
    facing = _facing(relief.top, top)
    spread = blur(albedo * cover[..., None], 1.5) / np.maximum(blur(cover, 1.5), 1e-3)[..., None]
    colour = np.dstack([np.where(inside[..., None], albedo, spread), cover * 255])
    shrink = 1.0 if detailed else 0.5
    lift, hull = _lift(relief, top, cover)
    return Sprite(
        colour=_shrunk(colour, shrink),
        facing=_shrunk(facing, shrink),
        lift=lift,
        scale=RES * shrink,
        left=relief.left,
        high=relief.high,
        hull=hull,
        shades=_shades(cover),
    )


def _shades(cover: Field) -> Picture:
    """Return the outline with three widths of penumbra."""
    small = _shrunk(cover * 255, 0.25)
    soft = np.dstack([cv2.GaussianBlur(small, (0, 0), s * SHADE_SCALE) for s in SHADE_BLURS_MM])
    ends = [np.minimum(np.arange(size), np.arange(size)[::-1]) / 8 for size in small.shape]
    fade = np.minimum(np.minimum(ends[0][:, None], ends[1][None, :]), 1)  # a penumbra has no edge where the canvas ends
    return (soft * fade[..., None]).astype(np.uint8)


def _facing(sheet: Field, top: Any) -> Field:
    """Return normals and openness, each in 0-255, of the tops and of the steep sheet that joins them to the felt."""
    smooth = blur(np.maximum(sheet, -20), 0.5)
    slope_x, slope_down = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=3, scale=RES / 8) for way in ((1, 0), (0, 1)))
    steep = np.minimum(1, 2.4 / np.maximum(np.hypot(slope_x, slope_down), 1e-3))
    normal = np.dstack([-slope_x * steep, slope_down * steep, np.ones_like(smooth)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    deep = sum(np.clip((blur(top, s) - top) / (2.2 * s), -0.15, 1) for s in (1.6, 4.0, 9.0))
    sky = np.clip(1 - 0.75 * np.asarray(deep), 0.25, 1) * (0.55 + 0.45 * normal[..., 2])
    return np.asarray(np.dstack([normal * 127 + 128, sky * 255]), np.float32)


def _shrunk(picture: Any, share: float) -> Picture:
    size = (round(picture.shape[1] * share), round(picture.shape[0] * share))
    small = cv2.resize(np.asarray(picture, np.float32), size, interpolation=cv2.INTER_AREA) if share < 1 else picture
    return np.clip(small, 0, 255).round().astype(np.uint8)


def _lift(relief: Relief, top: Any, cover: Field) -> tuple[Field, Field]:
    """Return the height as a smooth sheet that goes on beyond the outline, and points around the body."""
    size = (relief.shape[1] // LIFT_STEP, relief.shape[0] // LIFT_STEP)
    mass = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
    load = cv2.resize(np.asarray(top * cover, np.float32), size, interpolation=cv2.INTER_AREA)
    sums = [np.full(mass.shape, 1e-9), np.full(mass.shape, 1e-9 * float(load.sum() / mass.sum()))]
    for sigma, weight in ((1.6, 1.0), (7.0, 1e-2), (25.0, 1e-4)):
        sums[0] = sums[0] + weight * cv2.GaussianBlur(mass, (0, 0), sigma)
        sums[1] = sums[1] + weight * cv2.GaussianBlur(load, (0, 0), sigma)
    lift = (sums[1] / sums[0]).astype(np.float32)
    around = cv2.dilate(mass, np.ones((3, 3), np.uint8)) > 0
    rows, cols = np.nonzero(around & (cv2.erode(mass, np.ones((3, 3), np.uint8)) < 1))
    step = LIFT_STEP / RES
    hull = np.stack([relief.left + (cols + 0.5) * step, relief.high - (rows + 0.5) * step, lift[rows, cols]], axis=1)
    return lift, np.asarray(hull, np.float32)


def lay(sprite: Sprite, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return a sprite as the camera sees it, its origin at the pose."""
    turned = _turned(pose)
    ground = sprite.hull[:, :2] @ turned.T + (pose.x, pose.y)
    box = _box(camera, np.column_stack([ground, sprite.hull[:, 2] + pose.z]))
    if box[2] <= 0 or box[3] <= 0:
        return nothing()
    felt = camera.place(_nodes(box))[..., :2]
    drift = (np.array(camera.position_mm[:2]) - felt) / camera.position_mm[2]
    place, _ = _met(sprite, pose, felt, drift)
    x, y = _ways(place, sprite.scale, box)
    lamp = (*(np.array(light.towards[:2]) @ turned).tolist(), light.towards[2])
    lit = cv2.remap(_lit(sprite, lamp, light.ambient), x, y, cv2.INTER_LINEAR)
    colour, cover = cv2.cvtColor(lit, cv2.COLOR_BGRA2BGR), cv2.extractChannel(lit, 3)
    return Patch(box[0], box[1], np.asarray(colour, np.uint8), np.asarray(cover, np.uint8))


def cast(sprite: Sprite, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return the shadow of a sprite on the felt: black, as dense as it takes light away, softer under higher parts."""
    lean = np.array(light.towards[:2]) / light.towards[2]
    height = sprite.hull[:, 2:] + pose.z
    ground = sprite.hull[:, :2] @ _turned(pose).T + (pose.x, pose.y) - lean * height
    box = _box(camera, np.column_stack([ground, np.zeros(len(ground))]), margin=16)
    if box[2] <= 0 or box[3] <= 0:
        return nothing()
    felt = camera.place(_nodes(box))[..., :2]
    place, height_mm = _met(sprite, pose, felt, np.broadcast_to(lean, felt.shape))
    shades = cv2.remap(sprite.shades, *_ways(place, SHADE_SCALE, box), cv2.INTER_LINEAR)
    cover = (shades * _penumbra(height_mm, light.ambient, box)).sum(axis=2)
    return Patch(box[0], box[1], np.zeros((*cover.shape, 3), np.uint8), cover.round().astype(np.uint8))


def _penumbra(height_mm: Field, ambient: float, box: tuple[int, int, int, int]) -> Field:
    """Return how much each of a sprite's shades counts: a ceiling lamp blurs by about an eighth of the height."""
    sharp, middle, wide = SHADE_BLURS_MM
    blur_mm = 2 + 0.13 * np.maximum(height_mm, 0)
    one, two = np.clip((blur_mm - sharp) / (middle - sharp), 0, 1), np.clip((blur_mm - middle) / (wide - middle), 0, 1)
    dense = (1 - ambient) * 0.92 + ambient * 0.4 * np.exp(-np.maximum(height_mm, 0) / 45)
    return _spread(np.dstack([1 - one, one - two, two]) * dense[..., None], box)


def _turned(pose: Pose) -> Any:
    """Return the matrix that turns a body's own directions into the table's."""
    turn = np.radians(pose.angle)
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def nothing() -> Patch:
    """Return the patch of what the camera does not see."""
    return Patch(0, 0, np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0), np.uint8))


def _box(camera: Camera, points: Any, margin: int = 2) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the part of the frame in which points appear."""
    pixels = camera.project(points)
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + margin + 1, (camera.lens.width, camera.lens.height))
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _nodes(box: tuple[int, int, int, int]) -> Any:
    """Return the pixels at which the way to the sprite is worked out, one row and column beyond the box."""
    u, v, width, height = box
    columns, rows = ((np.arange(-1, size // NODE_PX + 2) + 0.5) * NODE_PX - 0.5 for size in (width, height))
    return np.stack(np.meshgrid(columns + u, rows + v), axis=-1)


def _spread(nodes: Any, box: tuple[int, int, int, int]) -> Field:
    """Return values at the nodes as values at every pixel of the box."""
    wide = cv2.resize(np.asarray(nodes, np.float32), None, fx=NODE_PX, fy=NODE_PX)
    return np.asarray(wide[NODE_PX : NODE_PX + box[3], NODE_PX : NODE_PX + box[2]])


def _met(sprite: Sprite, pose: Pose, felt: Any, drift: Any) -> tuple[Any, Field]:
    """Return where lines from the felt, with their drift per millimetre of height, meet a sprite, and how high."""
    turned, step = _turned(pose), LIFT_STEP / RES
    corner = np.array([sprite.left, sprite.high])
    start = (((felt - (pose.x, pose.y)) @ turned - corner) * (1 / step, -1 / step)).astype(np.float32)
    go = ((drift @ turned) * (1 / step, -1 / step)).astype(np.float32)
    height_mm = np.full(felt.shape[:2], pose.z + float(sprite.lift.mean()), np.float32)
    for _ in range(7):  # a line meets the sheet where both agree on the height
        at = start + go * height_mm[..., None] - np.float32(0.5)
        height_mm = sampled(sprite.lift, at[..., 0], at[..., 1], cv2.BORDER_REPLICATE) + np.float32(pose.z)
    return (start + go * height_mm[..., None]) * step, height_mm


def _ways(place: Any, scale: float, box: tuple[int, int, int, int]) -> tuple[Field, Field]:
    """Return for every pixel of the box the column and row of the sprite that it shows."""
    wide = _spread(place * scale - 0.5, box)
    x, y = cv2.split(wide)
    return np.asarray(x), np.asarray(y)


def _lit(sprite: Sprite, lamp: tuple[float, float, float], ambient: float) -> Picture:
    """Return the sprite's colours under the light; the lamp is given as the body has it."""
    direct = np.array(lamp) * (1 - ambient) * 255 / 127
    weights = np.array([[*direct, ambient, -128 * direct.sum()]])
    shade = cv2.transform(sprite.facing, weights)
    return np.asarray(
        cv2.multiply(sprite.colour, cv2.merge([shade, shade, shade, np.full_like(shade, 255)]), scale=1 / 255)
    )


def weave(person: Person, across: Any, along: Any, rng: np.random.Generator) -> Field:
    """Return the colours of a person's cloth over two coordinates in millimetres."""
    shape = np.broadcast_shapes(np.shape(across), np.shape(along))
    share = np.clip(_pattern(person.pattern, across, along, shape, rng), 0, 1)[..., None]
    cloth, trim = np.array(person.cloth, np.float32), np.array(person.trim, np.float32)
    grain = 1 + 0.035 * rng.normal(0, 1, shape)[..., None] + 0.05 * noise(rng, shape, 30, 30)[..., None]
    return np.asarray((cloth * (1 - share) + trim * share) * grain, np.float32)


def _pattern(kind: str, across: Any, along: Any, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Return how much of the second colour shows."""
    wave = rng.uniform(9, 26)
    if kind == "stripes":
        return np.broadcast_to(np.cos(across * 6.28 / wave) * 4 - rng.uniform(0, 3), shape)
    if kind == "plaid":
        bands = [np.cos(way * 6.28 / (wave * 1.6)) > 0.3 for way in (across, along)]
        thin = [np.cos(way * 6.28 / (wave * 1.6) + 2) > 0.97 for way in (across, along)]
        return (0.45 * bands[0] + 0.45 * bands[1] + 0.5 * (thin[0] | thin[1])) * (0.35 if wave < 14 else 1)
    if kind == "dots":
        return 3 - np.hypot((across + wave / 2) % wave - wave / 2, (along + wave / 2) % wave - wave / 2) * 1.2
    if kind in ("floral", "camouflage"):
        size = 16 if kind == "floral" else 34
        patches = noise(rng, shape, size, size) + 0.5 * noise(rng, shape, size / 3, size / 3)
        return np.clip(patches * 9 - 2, 0, 1) * 0.9 + np.clip(-patches * 9 - 4, 0, 1) * 0.45
    return np.zeros(shape)


def stacked(patches: list[Patch]) -> Patch:
    """Return patches, the lowest first, as one."""
    seen = [patch for patch in patches if patch.cover.size]
    if not seen:
        return nothing()
    u, v = min(p.u for p in seen), min(p.v for p in seen)
    size = (max(p.v + p.cover.shape[0] for p in seen) - v, max(p.u + p.cover.shape[1] for p in seen) - u)
    colour, cover = np.zeros((*size, 3), np.float32), np.zeros((*size, 1), np.float32)
    for patch in seen:
        (rows, columns), row, column = patch.cover.shape, patch.v - v, patch.u - u
        box = (slice(row, row + rows), slice(column, column + columns))
        share = patch.cover[..., None] / np.float32(255)
        colour[box] += (patch.colour - colour[box]) * share
        cover[box] += (1 - cover[box]) * share
    colour *= np.minimum(1 / np.maximum(cover, 1 / 255), 255) * (cover > 0)
    bgr, hides = np.clip(colour, 0, 255).astype(np.uint8), (cover[..., 0] * 255).round().astype(np.uint8)
    bgr.setflags(write=False)
    hides.setflags(write=False)
    return Patch(u, v, bgr, hides)


SLICE_MM = 7.0
CROWN_MM = 250.0  # from the shoulders' height to the top of the head


@lru_cache(maxsize=16)  # somebody who leans keeps still most of the time
def paint_head(person: Person, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return head and shoulders of somebody who leans over the table and faces along the pose's angle.

    The pose is the middle of the head, at the height of the shoulders.
    """
    detailed = camera.scale_px_per_mm((pose.x, pose.y, 0)) > 1.0
    return stacked(
        [lay(sprite, pose, camera, light) for sprite in (_shoulders(person, detailed), *_head(person, detailed))]
    )


@lru_cache(maxsize=32)
def _shoulders(person: Person, detailed: bool) -> Sprite:
    """Return neck, shoulders and back; they are behind the head of somebody who leans."""
    rng = np.random.default_rng(person.seed + 3)
    relief = Relief(-290, 290, -330, 60)
    wide = (150 + 40 * (person.hand_size - 1) * 4) * (0.6 + 0.4 * person.build)
    relief.add_egg((0, -135, -45), (wide + 52, 105, 55), 40)
    relief.add_egg((0, -270, -60), (wide + 14, 200, 60), 40, 0.1)
    folds = noise(rng, relief.shape, 60, 60) + 0.6 * (1 - np.abs(noise(rng, relief.shape, 90, 26)) * 1.6)
    relief.top += blur(folds * 3.5, 1.2)
    albedo = _garment(relief, person, rng)
    sprite = finish(relief, albedo, detailed)
    return replace(sprite, lift=sprite.lift * np.float32(0.3))  # flattened: its sides are too steep for a sheet


def _garment(relief: Relief, person: Person, rng: np.random.Generator) -> Field:
    """Return the colours of a back: cloth, collar, and the waistcoat of a dealer."""
    albedo = weave(person, relief.x, relief.y, rng)
    away = np.hypot(relief.x, relief.y + 75)
    if person.sleeve == "dealer":
        vest = (np.abs(relief.x) < 118 - 0.1 * (relief.y + 120)) & (away > 78)
        albedo[vest] = np.array(person.trim) * (1 + 0.03 * rng.normal(0, 1, (int(vest.sum()), 1)))
    armhole = np.hypot(np.abs(relief.x) - 205, relief.y + 130)
    collar = np.exp(-(((away - 84) / 3) ** 2)) + 0.25 * np.exp(-(((armhole - 78) / 1.5) ** 2))
    albedo *= 1 - 0.45 * np.clip(collar, 0, 1)[..., None]
    if person.sleeve == "hoodie":
        albedo *= 1 - 0.35 * np.exp(-(((np.hypot(relief.x, (relief.y + 130) * 1.4) - 80) / 7) ** 2))[..., None]
    if person.sleeve == "jacket":
        albedo[(away < 84)] = person.trim
    return albedo


@lru_cache(maxsize=32)
def _head(person: Person, detailed: bool) -> tuple[Sprite, ...]:
    """Return neck and head in level slices, the lowest first: too steep for one sheet, they are right from any side."""
    relief, albedo = _model_head(person)
    sprite = finish(relief, albedo, detailed)
    crown = CROWN_MM - 74 * (0.6 + 0.4 * person.hand_size)
    neck = Relief(*relief.bounds)
    neck.add_egg((0, -45, 0), (54, 60, 12), 4)
    skin = np.broadcast_to(np.array(person.skin, np.float32) * 0.8, albedo.shape)
    stump = finish(neck, np.asarray(skin, np.float32), detailed)
    low = [_level(stump, stump.colour, height) for height in np.arange(0, crown - 70, SLICE_MM)]
    heights = np.arange(crown - 95, float(relief.top.max()) - 2, SLICE_MM)
    return (*low, *(_level(sprite, _cut(relief, albedo, crown, height, sprite.scale), height) for height in heights))


def _cut(relief: Relief, albedo: Field, crown: float, height: float, scale: float) -> Picture:
    """Return colour and cover of a head at one height; brows and eyes are on a level of their own."""
    jaw = np.clip(0.5 - (relief.edge + max(crown - 45 - height, 0) * 0.3) * RES, 0, 1)  # narrower than the skull
    skull = np.clip((relief.top - height) / 2 + 0.5, 0, 1) * np.clip(0.5 - relief.edge * RES, 0, 1)
    cover = jaw if height < crown - 40 else skull
    level = height - crown + 40
    if not 0 <= level < 2 * SLICE_MM:
        return _shrunk(np.dstack([albedo, cover * 255]), scale / RES)
    face = (np.abs(np.abs(relief.x) - 31) < (13 if level < SLICE_MM else 18)) & (relief.y > 40) & (relief.edge > -14)
    return _shrunk(np.dstack([albedo * np.where(face, 0.45, 1)[..., None], cover * 255]), scale / RES)


def _level(sprite: Sprite, colour: Picture, height: float) -> Sprite:
    """Return one level slice of a sprite."""
    hull = np.column_stack([sprite.hull[:, :2], np.full(len(sprite.hull), height)]).astype(np.float32)
    return replace(sprite, colour=colour, lift=np.full_like(sprite.lift, height), hull=hull)


def _model_head(person: Person) -> tuple[Relief, Field]:
    """Return a head with nose, ears and hair or cap: relief and colours."""
    rng = np.random.default_rng(person.seed + 4)
    relief = Relief(-150, 150, -160, 150)
    size = 0.6 + 0.4 * person.hand_size
    crown = CROWN_MM - 74 * size
    for side in (-1, 1):
        relief.add_capsule((side * 76 * size, -6, crown - 50), (side * 82 * size, -16, crown - 50), (12, 10), 3, 0.7)
    relief.add_capsule((0, 84 * size, crown - 60), (0, 98 * size, crown - 68), (13, 10), 8, 0.8)  # the nose
    relief.add_egg((0, 0, crown - 4), (76 * size, 97 * size, 76 * size), 10, 0.1)
    albedo = np.array(person.skin, np.float32) * (1 + 0.04 * noise(rng, relief.shape, 20, 20))[..., None]
    shine = np.exp(-((relief.x + 12) ** 2 + (relief.y - 8) ** 2) / 900)
    albedo += 40 * shine[..., None]
    if person.haircut == "cap":
        _put_cap(relief, albedo, person, crown, size, rng)
    elif person.haircut != "bald":
        _put_hair(relief, albedo, person, crown, size, rng)
    return relief, np.asarray(albedo, np.float32)


def _put_hair(
    relief: Relief, albedo: Field, person: Person, crown: float, size: float, rng: np.random.Generator
) -> None:
    """Lay hair over a head: strands that run out from the whorl, a hairline, and length or a bun behind."""
    full = {"short": 5.0, "balding": 3.0, "long": 13.0, "bun": 5.0}[person.haircut]
    hair = Relief(*relief.bounds)
    hair.add_egg((0, -4, crown - 3), (76 * size + full, 96 * size + full, 76 * size + full), 8, 0.1)
    if person.haircut == "long":
        for side in (-1, 0, 1):
            hair.add_capsule((side * 45, -40, crown - 10), (side * 62, -105, crown - 110), (48, 34), 14)
    if person.haircut == "bun":
        hair.add_capsule((0, -92 * size, crown - 20), (0, -104 * size, crown - 24), (34, 32), 3)
    out_x, out_y = relief.x - 6, relief.y + 38
    turn, away = np.arctan2(out_y, out_x) + 0.004 * out_x, np.hypot(out_x, out_y)
    strand = _strands(rng, turn, away)
    line = 66 * size + 7 * noise(rng, relief.shape, 18, 18) - relief.x**2 / 190
    hair.edge = np.maximum(hair.edge + 3 * strand, relief.y - line)
    if person.haircut == "balding":
        hair.edge = np.maximum(hair.edge, 52 * size + 8 * strand - np.hypot(relief.x, (relief.y - 20) * 0.8))
    shows = relief.put(hair.edge, hair.top + 1.4 * strand)
    parting = np.exp(-(((relief.x - 24 - 0.1 * relief.y) / 1.6) ** 2)) * (relief.y > -40) * (person.seed % 2)
    sheen = 0.55 * np.exp(-(((away - 52) / 16) ** 2)) * (1 + strand)
    colour = np.array(person.hair) * (1 + 0.3 * strand + sheen)[..., None] + 14 * sheen[..., None]
    colour = colour * (1 - 0.5 * parting[..., None]) + np.array(person.skin) * 0.5 * parting[..., None]
    albedo[shows] = np.clip(colour, 0, 255)[shows]


def _strands(rng: np.random.Generator, turn: Any, away: Any) -> Field:
    """Return the light and dark of hair that radiates from a whorl, about -1 to 1."""
    table = noise(rng, (400, 1200), 5.0, 40) + 0.7 * noise(rng, (400, 1200), 2.0, 25)
    at = ((turn / (2 * np.pi) + 0.5) * 1190 + 12 * np.sin(away / 21)).astype(np.float32)
    return sampled(table, at, away * 1.8)


def _put_cap(
    relief: Relief, albedo: Field, person: Person, crown: float, size: float, rng: np.random.Generator
) -> None:
    """Put a baseball cap on: panels, button and brim."""
    cap = Relief(*relief.bounds)
    cap.add_capsule((-26, 88 * size, crown - 38), (26, 88 * size, crown - 38), (50, 50), 10, 0.15)
    cap.edge = np.maximum(cap.edge, relief.x**2 / 220 + relief.y - 137).astype(np.float32)
    cap.add_egg((0, -3, crown + 2), (82 * size, 100 * size, 84 * size), 4, 0.06)
    shows = relief.put(cap.edge, cap.top)
    turn, away = np.arctan2(relief.x, relief.y), np.hypot(relief.x, relief.y)
    dome_part = np.hypot(relief.x * 1.2, relief.y + 3) < 99 * size
    seams = np.clip(np.exp(-((np.sin(turn * 3) * away / 2.2) ** 2)) * dome_part + (away < 6), 0, 1)
    brim = np.exp(-(((np.hypot(relief.x * 1.2, relief.y + 3) - 99 * size) / 3) ** 2)) * (relief.y > 20)
    grain = 1 + 0.04 * rng.normal(0, 1, relief.shape)
    colour = np.array(person.trim)[None, None] * (grain * (1 - 0.35 * seams) * (1 - 0.4 * brim))[..., None]
    albedo[shows] = colour[shows]
