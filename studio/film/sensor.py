"""What a surveillance camera does to a picture: exposure, white balance, lens, sharpening, noise, a clock on top."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from studio.film.frame import Rect
from vision.values.picture import Picture

Optics = Callable[[Picture], Picture]
DRIFT_STEP = 0.01
REACH = 6  # pixels around a change that lens and sharpening spread it


@dataclass(frozen=True, slots=True)
class SensorLook:
    """The settings of one camera."""

    exposure: float = 1.0
    warmth: float = 0.0  # -0.2 blue … 0.2 yellow
    gamma: float = 1.0
    blur_px: float = 0.6
    sharpen: float = 0.4
    noise: float = 2.5
    drift: float = 0.0  # how far exposure and white balance wander, as a share
    drift_s: float = 40.0  # how long they take to come back
    overlay: str = ""  # text in the corner; {t} is the time

    def at(self, t_s: float) -> "SensorLook":
        """Return the settings at a moment, in the small steps in which cameras follow the light."""
        swing, sway = np.sin(2 * np.pi * t_s / self.drift_s), np.sin(2 * np.pi * t_s / (1.7 * self.drift_s) + 1)
        brighter, warmer = (round(self.drift * float(by) / DRIFT_STEP) * DRIFT_STEP for by in (swing, sway))
        return replace(self, exposure=self.exposure * (1 + brighter), warmth=self.warmth + warmer / 3)


class Sensor:
    """Develops frames; keeps the developed picture so that only changes cost."""

    def __init__(self, look: SensorLook, size: tuple[int, int], rng: np.random.Generator) -> None:
        self._look = self._now = look
        self._curve = _curve(look)
        self._exposed: Picture | None = None  # behind the lens, before the tone curve
        self._developed: Picture | None = None
        self._random = rng
        shape = (size[1] + 64, size[0] + 64, 3)
        planes = [rng.normal(0, look.noise, shape) for _ in range(2)]
        self._bright = [np.clip(plane, 0, 40).astype(np.uint8) for plane in planes]
        self._dark = [np.clip(-plane, 0, 40).astype(np.uint8) for plane in planes]

    def develop_whole(self, picture: Picture, t_s: float) -> Picture:
        """Return a picture that has nothing to do with the one before."""
        self._developed = None
        return self.develop(picture, [], t_s)

    def develop(self, picture: Picture, changed: list[Rect], t_s: float, through: Optics | None = None) -> Picture:
        """Return the picture as the camera delivers it; `through` changes it before noise and clock come on."""
        if self._developed is None or self._exposed is None:
            self._exposed = self._optics(picture)
            self._developed = self._toned(self._exposed)
        else:
            for rect in changed:
                self._develop_part(picture, rect, self._exposed, self._developed)
        if self._look.at(t_s) != self._now:
            self._now = self._look.at(t_s)
            self._curve = _curve(self._now)
            self._developed = self._toned(self._exposed)
        frame = self._noisy(self._developed if through is None else through(self._developed))
        if self._look.overlay:
            _write(frame, self._look.overlay.format(t=_clock(t_s)))
        return frame

    def _develop_part(self, picture: Picture, rect: Rect, exposed: Picture, developed: Picture) -> None:
        height, width = picture.shape[:2]
        u0, v0, u1, v1 = (
            max(rect[0] - REACH, 0),
            max(rect[1] - REACH, 0),
            min(rect[2] + REACH, width),
            min(rect[3] + REACH, height),
        )
        a0, b0, a1, b1 = max(u0 - REACH, 0), max(v0 - REACH, 0), min(u1 + REACH, width), min(v1 + REACH, height)
        part = self._optics(picture[b0:b1, a0:a1])
        exposed[v0:v1, u0:u1] = part[v0 - b0 : v1 - b0, u0 - a0 : u1 - a0]
        developed[v0:v1, u0:u1] = self._toned(exposed[v0:v1, u0:u1])

    def _optics(self, picture: Picture) -> Picture:
        soft = cv2.GaussianBlur(picture, (0, 0), self._look.blur_px) if self._look.blur_px > 0.05 else picture.copy()
        if self._look.sharpen > 0:
            halo = cv2.GaussianBlur(soft, (0, 0), 1.5)
            soft = cv2.addWeighted(soft, 1 + self._look.sharpen, halo, -self._look.sharpen, 0)
        return np.asarray(soft, np.uint8)

    def _toned(self, picture: Picture) -> Picture:
        return np.asarray(cv2.LUT(picture, self._curve), np.uint8)

    def _noisy(self, picture: Picture) -> Picture:
        height, width = picture.shape[:2]
        which = int(self._random.integers(len(self._bright)))
        du, dv = (int(n) for n in self._random.integers(0, 64, 2))
        window = (slice(dv, dv + height), slice(du, du + width))
        brighter = cv2.add(picture, self._bright[which][window])
        return np.asarray(cv2.subtract(brighter, self._dark[which][window]), np.uint8)


def _curve(look: SensorLook) -> Picture:
    """Return the tone curve per channel (BGR)."""
    levels = np.linspace(0, 1, 256) ** look.gamma * look.exposure
    gains = np.array([1 - look.warmth, 1.0, 1 + look.warmth])
    curve = np.clip(levels[:, None] * gains[None, :] * 255, 0, 255)
    return np.asarray(curve.astype(np.uint8).reshape(1, 256, 3))


def _clock(t_s: float) -> str:
    minutes, seconds = divmod(t_s, 60)
    return f"{int(minutes):02d}:{seconds:05.2f}"


def _write(frame: Picture, text: str) -> None:
    """Print the clock as recorders do: light digits on a darkened band."""
    size = frame.shape[0] / 1080
    band = frame[int(14 * size) : int(60 * size), int(16 * size) : int(300 * size)]
    band //= 3
    place = (int(24 * size), int(48 * size))
    cv2.putText(
        frame, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.9 * size, (235, 235, 235), max(round(size), 1), cv2.LINE_AA
    )
