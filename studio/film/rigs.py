"""Light rigs: lamps over the table, and how bright each pixel of a view is under them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.light import Light
from vision.values.geometry import Camera

GRID_PX = 40  # light changes slowly: it is computed on a coarse grid and spread


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp: where it hangs (mm), how strong it is, how warm (-1 cold … 1 warm)."""

    x: float
    y: float
    z: float
    strength: float
    warmth: float = 0.0


@dataclass(frozen=True, slots=True)
class Rig:
    """The lamps of a room."""

    lamps: tuple[Lamp, ...]
    ambient: float

    def main_light(self) -> Light:
        """Return the direction from which most light comes, for shading and shadows."""
        towards = np.sum([lamp.strength * _unit(lamp.x, lamp.y - 500, lamp.z) for lamp in self.lamps], axis=0)
        towards /= np.linalg.norm(towards)
        return Light((float(towards[0]), float(towards[1]), float(towards[2])), self.ambient)


RIGS: dict[str, Rig] = {
    "pit": Rig((Lamp(0, 500, 2200, 1.0, 0.3),), 0.55),  # one lamp over the table
    "warm-pair": Rig((Lamp(-900, 300, 1800, 0.7, 0.8), Lamp(900, 600, 1900, 0.6, 0.6)), 0.45),
    "office": Rig(
        (Lamp(-1500, 1500, 2600, 0.6, -0.3), Lamp(1500, 1500, 2600, 0.6, -0.3), Lamp(0, -1500, 2600, 0.5)), 0.7
    ),
    "spot": Rig((Lamp(300, 900, 1400, 1.0, 0.5),), 0.3),  # hard shadows, dark corners
    "side": Rig((Lamp(-2200, 700, 1500, 1.0, 0.1), Lamp(0, 500, 2500, 0.3)), 0.4),
    "cold": Rig((Lamp(700, -400, 2300, 0.9, -0.7), Lamp(-600, 900, 2300, 0.5, -0.5)), 0.5),
    "dim": Rig((Lamp(-500, 200, 2600, 0.8, 0.4),), 0.75),
    # reserved, see art.drawers
    "tracks": Rig(
        (Lamp(-1000, 900, 1700, 0.5, 0.5), Lamp(0, 1000, 1700, 0.5, 0.5), Lamp(1000, 900, 1700, 0.5, 0.5)), 0.4
    ),
    "window": Rig((Lamp(2600, 1400, 1900, 1.1, -0.9), Lamp(0, 400, 2300, 0.4, 0.5)), 0.5),
    "chandelier": Rig((Lamp(-350, 450, 1500, 0.6, 1.0), Lamp(350, 550, 1500, 0.6, 1.0)), 0.35),
    "neon": Rig((Lamp(-1400, -600, 2100, 0.7, -1.0), Lamp(1400, 1300, 2100, 0.6, 0.9)), 0.55),
    "corners": Rig(tuple(Lamp(x, y, 2400, 0.4, -0.2) for x in (-1600, 1600) for y in (-500, 1700)), 0.6),
    "low-sun": Rig((Lamp(-2800, 1800, 1300, 1.2, 0.9), Lamp(300, 300, 2600, 0.4)), 0.45),
}


def light_map(rig: Rig, camera: Camera) -> NDArray[np.float32]:
    """Return how bright and in what tint the felt is at every pixel (h, w, 3; BGR); 1 is the middle of the table."""
    lens = camera.lens
    us, vs = np.arange(0, lens.width + GRID_PX, GRID_PX), np.arange(0, lens.height + GRID_PX, GRID_PX)
    grid = np.stack(np.meshgrid(us, vs), axis=-1).astype(float)
    coarse = _brightness(rig, camera.place(grid)) / _brightness(rig, np.array([[0.0, 500.0, 0.0]]))[0].mean()
    full = cv2.resize(coarse.astype(np.float32), (len(us) * GRID_PX, len(vs) * GRID_PX), interpolation=cv2.INTER_CUBIC)
    half = GRID_PX // 2
    return np.asarray(full[half : half + lens.height, half : half + lens.width], np.float32)


def _brightness(rig: Rig, places: NDArray[np.float64]) -> NDArray[np.float64]:
    total = np.full((*places.shape[:-1], 3), rig.ambient)
    for lamp in rig.lamps:
        to_lamp = np.array([lamp.x, lamp.y, lamp.z]) - places
        distance = np.linalg.norm(to_lamp, axis=-1)
        fall = lamp.z**3 / np.maximum(distance, 1.0) ** 3  # cosine and the square of the distance
        tint = np.array([1 - 0.18 * lamp.warmth, 1.0 - 0.02 * abs(lamp.warmth), 1 + 0.12 * lamp.warmth])
        total = total + (1 - rig.ambient) * lamp.strength * fall[..., None] * tint
    return np.asarray(total)


def _unit(x: float, y: float, z: float) -> NDArray[np.float64]:
    vector = np.array([x, y, z])
    return np.asarray(vector / np.linalg.norm(vector))
