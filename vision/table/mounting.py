"""Where a camera hangs: a layout and a mounting in words of installers enter, a Camera leaves."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.table.layout import Layout
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera, Lens

SIZES: Final = {
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "1440p": (2560, 1440),
    "5mp": (2592, 1944),
    "4k": (3840, 2160),
}
FILL: Final = 0.94  # share of the picture that the table takes
AIMING_STEPS: Final = 4  # the picture's middle moves with the aim: a few steps settle it


@dataclass(frozen=True, slots=True)
class Mounting:
    """A camera by its place: how far from the felt's middle, how slanted, and from which side.

    `azimuth_deg` is 0 above the middle of the players' side, 90 at the dealer's left, 180 behind the dealer.
    """

    tilt_deg: float
    azimuth_deg: float
    distance_mm: float

    @property
    def height_mm(self) -> float:
        """Return how high above the felt the camera hangs."""
        return float(self.distance_mm * np.cos(np.radians(self.tilt_deg)))

    @classmethod
    def at_height(cls, tilt_deg: float, azimuth_deg: float, height_mm: float) -> "Mounting":
        """Return the mounting at a height above the felt."""
        return cls(tilt_deg, azimuth_deg, float(height_mm / np.cos(np.radians(tilt_deg))))


def picture_size(text: str) -> tuple[int, int]:
    """Read a resolution: a usual name, or WIDTHxHEIGHT."""
    if text.lower() in SIZES:
        return SIZES[text.lower()]
    wide, cross, high = text.lower().partition("x")
    if not (cross and wide.isdigit() and high.isdigit() and 64 <= int(wide) <= 16384 and 64 <= int(high) <= 16384):
        raise InputError(f"--resolution: {shown(text)}: want one of {', '.join(SIZES)}, or WIDTHxHEIGHT")
    return int(wide), int(high)


def felt_middle(layout: Layout) -> tuple[float, float, float]:
    """Return the point of the felt at which a camera is aimed."""
    return (0.0, layout.size_mm[1] / 2, 0.0)


def hang(mounting: Mounting, layout: Layout, size: tuple[int, int], lens: Lens | None = None) -> Camera:
    """Hang a camera as installers do: upright, the felt centred and level; without a lens it is zoomed to the felt."""
    camera = aimed(mounting, layout, lens or plain_lens(size))
    return camera if lens else fitted(camera, layout)


def aimed(mounting: Mounting, layout: Layout, lens: Lens, roll_deg: float = 0.0) -> Camera:
    """Aim a camera so that the felt is in the middle of the picture; `roll_deg` turns the picture away from level."""
    tilt, around = np.radians([mounting.tilt_deg, mounting.azimuth_deg])
    x, y, z = felt_middle(layout)
    out = mounting.distance_mm * np.sin(tilt)
    position = (float(x - out * np.sin(around)), float(y + out * np.cos(around)), mounting.height_mm)
    target = (x, y, z)
    for _ in range(AIMING_STEPS):
        camera = Camera.looking_at(lens, position, target, roll_deg)
        camera = Camera.looking_at(lens, position, target, roll_deg + level_roll(camera, (x, y, z)))
        target = _behind_middle(camera, layout)
    return camera


def _behind_middle(camera: Camera, layout: Layout) -> tuple[float, float, float]:
    """Return the point of the felt behind the middle of what the felt takes of the picture."""
    seen = camera.project([[x, y, 0.0] for x, y in layout.outline])
    x, y, _ = camera.place((seen.min(axis=0) + seen.max(axis=0)) / 2)
    return (float(x), float(y), 0.0)


def plain_lens(size: tuple[int, int], focal_px: float = 1000.0) -> Lens:
    """Return a lens that bends nothing."""
    width, height = size
    return Lens(width, height, focal_px, (width - 1) / 2, (height - 1) / 2)


def fitted(camera: Camera, layout: Layout) -> Camera:
    """Zoom a camera so that the felt fills the picture."""
    outline = np.array([[x, y, 0.0] for x, y in layout.outline])
    lens = camera.lens
    for _ in range(4):  # distortion bends the edges: a few steps settle it
        seen = np.abs(camera.project(outline) - [lens.centre_u, lens.centre_v])
        share = max(float(seen[:, 0].max()) / (lens.width / 2), float(seen[:, 1].max()) / (lens.height / 2))
        lens = replace(lens, focal_px=lens.focal_px * FILL / share)
        camera = replace(camera, lens=lens)
    return camera


def level_roll(camera: Camera, middle: tuple[float, float, float]) -> float:
    """Return the turn at which the table's long side lies along the picture's; up stays up."""
    x, y, _ = middle
    right = camera.project([[x + 100.0, y, 0.0]])[0] - camera.project([[x - 100.0, y, 0.0]])[0]
    return float((np.degrees(np.arctan2(right[1], right[0])) + 90) % 180 - 90)
