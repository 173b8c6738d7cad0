"""Cloth, and heads with shoulders from above: a person, a pose and a camera enter, a patch leaves.

A head is too steep for one sheet of heights, so it is a pile of level slices, right from any side.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from studio.art.paint import Field, nothing
from studio.art.people import Person, random_person
from studio.art.relief import RES, Relief, blur, noise, sampled
from studio.art.sprites import Sprite, finish, lay, resized
from studio.light import Light
from studio.patch import Patch
from studio.scene import Pose
from vision.values.geometry import Camera
from vision.values.picture import Picture

__all__ = ["noise", "paint_head", "random_person", "stacked", "weave"]  # mishaps takes its people from here

SLICE_MM = 7.0
CROWN_MM = 250.0  # from the shoulders' height to the top of the head


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
        return resized(np.dstack([albedo, cover * 255]), scale / RES)
    face = (np.abs(np.abs(relief.x) - 31) < (13 if level < SLICE_MM else 18)) & (relief.y > 40) & (relief.edge > -14)
    return resized(np.dstack([albedo * np.where(face, 0.45, 1)[..., None], cover * 255]), scale / RES)


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
