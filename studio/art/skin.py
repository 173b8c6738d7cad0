"""Bare skin: a modelled hand with its arm enters; its colours leave, with creases, veins, hairs, ink and nails."""

from typing import Any

import cv2
import numpy as np

from studio.art.bones import Skeleton
from studio.art.paint import Field
from studio.art.people import Person
from studio.art.relief import RES, Relief, blur, noise
from studio.art.sleeves import Arm
from vision.values.geometry import Floats


def skin(relief: Relief, bones: Skeleton, arm: Arm, person: Person, rng: np.random.Generator) -> Field:
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


def add_gloss(relief: Relief, albedo: Field) -> None:
    """Add the faint shine that skin has where it faces the ceiling."""
    slope_x, slope_y = (
        cv2.Sobel(blur(np.maximum(relief.top, 0), 0.8), cv2.CV_32F, *way, ksize=3, scale=RES / 8)
        for way in ((1, 0), (0, 1))
    )
    shine = np.exp(-((slope_x - 0.12) ** 2 + (slope_y + 0.1) ** 2) * 14)
    albedo += (shine * 20)[..., None] * np.array((1, 1, 1.05), np.float32)


def _strokes(relief: Relief, lines: Any, width_mm: float, soft_mm: float = 0.35) -> Field:
    """Return thin lines, given in millimetres, as a mask of 0-1."""
    mask = np.zeros(relief.shape, np.uint8)
    for line in lines:
        columns, rows = relief.pixel(np.asarray(line)[:, 0], np.asarray(line)[:, 1])
        path = np.round(np.stack([columns, rows], axis=1) * 16).astype(np.int32)
        cv2.polylines(mask, [path], False, 255, max(1, round(width_mm * RES)), cv2.LINE_AA, 4)
    return blur(mask, soft_mm) / np.float32(255)


def _sees(relief: Relief, point: Floats, slack: float) -> bool:
    """Return whether a point of the hand is on its upper side."""
    column, row = (
        int(np.clip(round(p), 0, size - 1))
        for p, size in zip(relief.pixel(*point[:2]), relief.shape[::-1], strict=True)
    )
    return bool(point[2] + slack > relief.top[row, column])


def _creases(relief: Relief, bones: Skeleton, rng: np.random.Generator) -> list[Floats]:
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


def _veins(bones: Skeleton, arm: Arm, relief: Relief, rng: np.random.Generator) -> list[Floats]:
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


def _fuzz(bones: Skeleton, arm: Arm, relief: Relief, person: Person, rng: np.random.Generator) -> list[Floats]:
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
