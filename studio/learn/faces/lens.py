"""Light, lens, sensor and recorder: a clean scene enters, the picture that a camera would have kept of it leaves."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.values.picture import Picture

Floats = NDArray[np.float32]
TOO_BLURRED = 0.06  # of the card's width: nothing can be read any more
_GRAIN = np.random.default_rng(0).standard_normal(1 << 21, np.float32)  # drawn once: noise is the dearest thing here


def film(picture: Picture, width: float, rng: np.random.Generator) -> tuple[Picture, float]:
    """Film a scene of a card so wide; return the picture and the blur in shares of the card's width."""
    view = _lit(picture.astype(np.float32), rng)
    view, blur = _blurred(view, width, rng)
    if rng.random() < 0.55:
        soft = cv2.GaussianBlur(view, (0, 0), float(rng.uniform(0.7, 1.6)))
        view = view + (view - soft) * np.float32(rng.uniform(0.2, 1.4))
    start = int(rng.integers(len(_GRAIN) - view.size))
    view = view + _GRAIN[start : start + view.size].reshape(view.shape) * np.float32(rng.uniform(0.5, 7))
    if rng.random() < 0.03:
        view = np.repeat(view.mean(axis=2, keepdims=True), 3, axis=2)
    return _recorded(np.clip(view, 0, 255).astype(np.uint8), rng), blur / width


def _lit(view: Floats, rng: np.random.Generator) -> Floats:
    """Light a scene: dim or bright, warm or cool, with shadows and gloss across it."""
    gain = float(np.exp(rng.normal(-0.12, 0.25))) * np.exp(
        rng.normal(0, 0.09) * np.array([-1, 0, 1]) + rng.normal(0, 0.03, 3)
    )
    view = 255 * np.clip(view * (gain / 255).astype(np.float32), 0, 1.2) ** np.float32(rng.uniform(0.75, 1.35))
    side = view.shape[0]
    if rng.random() < 0.35:
        coarse = rng.uniform(float(rng.uniform(0.35, 0.9)), 1.05, (int(rng.integers(2, 5)), int(rng.integers(2, 5))))
        view = view * cv2.resize(coarse.astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)[..., None]
    if rng.random() < 0.18:
        view = view + _gloss(side, rng)[..., None] * np.float32(rng.uniform(40, 170))
    lift = np.float32(rng.uniform(0, 45)) if rng.random() < 0.25 else np.float32(0)
    return np.asarray(view * (1 - lift / 255) + lift, np.float32)


def _gloss(side: int, rng: np.random.Generator) -> Floats:
    """Return a bright streak: light mirrored in the card's coat."""
    angle, away, wide = rng.uniform(0, np.pi), rng.uniform(-0.35, 0.35) * side, rng.uniform(0.03, 0.15) * side
    rows, columns = np.mgrid[:side, :side].astype(np.float32) - side / 2
    across = columns * np.float32(np.cos(angle)) + rows * np.float32(np.sin(angle)) - np.float32(away)
    return np.asarray(np.exp(-((across / np.float32(wide)) ** 2)), np.float32)


def _blurred(view: Floats, width: float, rng: np.random.Generator) -> tuple[Floats, float]:
    """Blur a picture: out of focus, or moved while the shutter was open; return the blur's size in pixels too."""
    focus = float(rng.uniform(0.25, 0.95)) if rng.random() < 0.8 else float(rng.uniform(0.02, 0.05)) * width
    if rng.random() < 0.02:
        focus = float(rng.uniform(0.1, 0.2)) * width
    if rng.random() < 0.15:  # shot small and blown up again, as zoomed or shrunken footage is
        share = float(rng.uniform(0.55, 0.9))
        side = view.shape[0]
        small = cv2.resize(view, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        view = np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)
    view = np.asarray(cv2.GaussianBlur(view, (0, 0), max(focus, 0.2)), np.float32)
    if rng.random() > 0.15:
        return view, focus
    length = float(rng.uniform(1.5, 2.0 + 0.06 * width))
    return np.asarray(
        cv2.filter2D(view, -1, _motion(length, float(rng.uniform(0, np.pi)))), np.float32
    ), focus + length / 4


def _motion(length: float, angle: float) -> Floats:
    size = int(length) + 3
    kernel = np.zeros((size, size), np.float32)
    step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = [tuple(int(v) for v in np.round((size / 2 - 0.5 + sign * step) * 16)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / max(float(kernel.sum()), 1e-6), np.float32)


def _recorded(picture: Picture, rng: np.random.Generator) -> Picture:
    """Squeeze a picture as recorders do; a few are left as they are."""
    if rng.random() < 0.1:
        return picture
    quality = int(rng.uniform(35, 96))
    shift = rng.integers(0, 8, 2)  # blocks lie anywhere on a card
    padded = cv2.copyMakeBorder(picture, int(shift[0]), 0, int(shift[1]), 0, cv2.BORDER_REPLICATE)
    _, data = cv2.imencode(".jpg", padded, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return np.ascontiguousarray(back[shift[0] :, shift[1] :])
