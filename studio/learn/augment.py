"""What light, lenses and recorders do to a picture, at random: the same things for every network that learns here."""

from functools import cache

import cv2
import numpy as np

from vision.values.picture import Picture

GRAIN_SPARE = 256  # pixels that noise can be shifted by


def weathered(picture: Picture, rng: np.random.Generator) -> Picture:
    """Return the picture under another light, through another lens and recorder."""
    steps = (
        (0.35, _other_hue),
        (0.8, _other_light),
        (0.3, _shaded),
        (0.35, _blurred),
        (0.2, _sharpened),
        (0.5, _noisy),
        (0.5, _squeezed),
        (0.04, _grey),
    )
    for share, step in steps:
        if rng.random() < share:
            picture = step(picture, rng)
    return picture


def _other_hue(picture: Picture, rng: np.random.Generator) -> Picture:
    """Turn all colours: felts, backs and chips come in any."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(np.int16) + int(rng.integers(180))) % 180
    hsv[..., 1] = cv2.convertScaleAbs(hsv[..., 1], alpha=float(rng.uniform(0.4, 1.3)))
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def _other_light(picture: Picture, rng: np.random.Generator) -> Picture:
    """Change exposure, contrast and the colour of the light."""
    levels = np.linspace(0, 1, 256) ** float(np.exp(rng.normal(0, 0.25)))
    gains = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.2))
    lift = float(rng.uniform(-0.06, 0.08))
    curve = np.clip((levels[:, None] * gains[None, :] + lift) * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, curve.reshape(1, 256, 3)), np.uint8)


def _shaded(picture: Picture, rng: np.random.Generator) -> Picture:
    """Lay a slope of light over the picture, or a soft shadow."""
    height, width = picture.shape[:2]
    coarse = rng.uniform(0.55, 1.2, (int(rng.integers(2, 5)), int(rng.integers(2, 5)))).astype(np.float32)
    shade = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.multiply(picture, cv2.merge([shade] * 3), dtype=cv2.CV_8U), np.uint8)


def _blurred(picture: Picture, rng: np.random.Generator) -> Picture:
    """Put the lens out of focus, or move the camera."""
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.6))), np.uint8)
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    angle = float(rng.uniform(0, np.pi))
    reach = np.array([np.cos(angle), np.sin(angle)]) * length
    middle = np.array([length - 1, length - 1]) / 2
    ends = [tuple(int(n) for n in np.round(middle + side * reach / 2)) for side in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def _sharpened(picture: Picture, rng: np.random.Generator) -> Picture:
    halo = cv2.GaussianBlur(picture, (0, 0), 1.3)
    amount = float(rng.uniform(0.3, 1.5))
    return np.asarray(cv2.addWeighted(picture, 1 + amount, halo, -amount, 0), np.uint8)


def _noisy(picture: Picture, rng: np.random.Generator) -> Picture:
    height, width = picture.shape[:2]
    plane = _grain(max(height, width))
    v, u = (int(n) for n in rng.integers(0, GRAIN_SPARE, 2))
    strength = float(rng.uniform(2, 10))
    return np.asarray(
        cv2.addWeighted(picture, 1.0, plane[v : v + height, u : u + width], strength / 32, -4 * strength), np.uint8
    )


@cache
def _grain(side: int) -> Picture:
    """Return noise to cut from, made once: 128 is none, 32 is its spread."""
    grain = np.random.default_rng(side).normal(128, 32, (side + GRAIN_SPARE, side + GRAIN_SPARE, 3))
    return np.clip(grain, 0, 255).astype(np.uint8)


def _squeezed(picture: Picture, rng: np.random.Generator) -> Picture:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _grey(picture: Picture, rng: np.random.Generator) -> Picture:  # noqa: ARG001 - a step like the others
    return np.asarray(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
