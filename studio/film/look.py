"""Looks: which felt, deck, chips, light, camera and sensor a clip is filmed with. Each varies on its own, and is split.

Some of each kind are kept for testing and never appear in training footage.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from studio.art.backs import BACK_DESIGNS
from studio.art.faces import FACE_DESIGNS
from studio.art.felts import felt_names, make_layout
from studio.art.foreign import foreign_backs, foreign_decks, foreign_of_split
from studio.film.card import FETCHED
from studio.film.rigs import RIGS
from studio.film.sensor import SensorLook
from vision.table.layout import Layout
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera, Lens
from vision.values.resources import shipped

RESERVED = 2  # of each kind, the last ones are for testing
SIZES = {"720p": (1280, 720), "1080p": (1920, 1080), "1440p": (2560, 1440), "4k": (3840, 2160)}
FREELY_TURNED = 0.15  # share of cameras that do not hang level with the table
FILL = 0.94  # share of the picture that the table takes


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that decides how a clip looks, besides what happens in it."""

    felt: str
    face: str
    backs: tuple[str, str]
    chips: str
    rig: str
    camera: Camera
    sensor: SensorLook
    shutter_s: float
    fps: int
    kbit_per_second: int
    seed: int
    truth_every: int = 1  # frames between two records of where all things are


def kinds() -> dict[str, tuple[str, ...]]:
    """Return what can be chosen, by kind."""
    chips = tuple(sorted(path.stem for path in (shipped("calibration") / "chips").glob("*.toml")))
    return {"felt": felt_names(), "face": FACE_DESIGNS, "back": BACK_DESIGNS, "chips": chips, "rig": tuple(RIGS)}


def of_split(names: tuple[str, ...], split: str) -> tuple[str, ...]:
    """Return the names of one split."""
    if split == "any":
        return names
    return names[:-RESERVED] if split == "train" else names[-RESERVED:]


def choices(split: str, art: Path | None) -> dict[str, tuple[str, ...]]:
    """Return what a split may choose from; `art` is a folder of fetched decks, which come on top of our own."""
    found = {kind: of_split(names, split) for kind, names in kinds().items()}
    if art is not None:
        for kind, names in (("face", foreign_decks(art)), ("back", foreign_backs(art))):
            found[kind] += tuple(f"{art}{FETCHED}{name}" for name in foreign_of_split(names, split))
    return found


def choose_look(seed: int, split: str, size: str, wanted: dict[str, str], art: Path | None = None) -> Look:
    """Choose a look at random; `wanted` fixes some of its kinds by name."""
    known = choices("any", art)
    for kind, name in wanted.items():
        if kind not in known:
            raise InputError(f"--look: {shown(kind)}: want one of {', '.join(known)}")
        if name not in known[kind]:
            raise InputError(f"--look: {kind}: {shown(name)}: want one of {', '.join(known[kind])}")
    rng = np.random.default_rng([seed, 7])
    offered = choices(split, art)
    pick = {kind: wanted.get(kind) or str(rng.choice(names)) for kind, names in offered.items()}
    other = str(rng.choice([name for name in offered["back"] if name != pick["back"]]))
    turning = np.random.default_rng([seed, 9])
    free_roll = float(turning.uniform(-180, 180)) if turning.random() < FREELY_TURNED else None
    return Look(
        felt=pick["felt"],
        face=pick["face"],
        backs=(pick["back"], other),
        chips=pick["chips"],
        rig=pick["rig"],
        camera=random_camera(rng, make_layout(pick["felt"]), SIZES[size], free_roll),
        sensor=random_sensor(rng),
        shutter_s=float(turning.uniform(1 / 120, 1 / 40)),
        fps=15,
        kbit_per_second={"720p": 2500, "1080p": 5000, "1440p": 8000, "4k": 14000}[size],
        seed=seed,
    )


def random_camera(
    rng: np.random.Generator, layout: Layout, size: tuple[int, int], free_roll: float | None = None
) -> Camera:
    """Hang a camera above the table, 0 to 45 degrees off the vertical, level or turned, and zoom it to the felt."""
    width, height = size
    tilt = np.radians(rng.uniform(0, 45) * rng.uniform(0.3, 1))
    around = rng.uniform(0, 2 * np.pi)
    distance = rng.uniform(2000, 4000)
    middle = (0.0, layout.size_mm[1] / 2, 0.0)
    position = (
        float(distance * np.sin(tilt) * np.cos(around)),
        float(middle[1] + distance * np.sin(tilt) * np.sin(around)),
        float(distance * np.cos(tilt)),
    )
    level = _level_roll(Camera.looking_at(Lens(width, height, 1000, width / 2, height / 2), position, middle))
    roll = level + float(rng.normal(0, 6)) + (180 if rng.random() < 0.3 else 0)
    k1 = float(rng.uniform(-0.12, 0.04))
    lens = Lens(width, height, 1000.0, (width - 1) / 2, (height - 1) / 2, k1, float(rng.uniform(-0.01, 0.02)))
    return fitted(Camera.looking_at(lens, position, middle, roll if free_roll is None else free_roll), layout)


def _level_roll(camera: Camera) -> float:
    """Return the roll at which the table's long side lies along the picture's."""
    right = camera.project([[100.0, 500.0, 0.0]])[0] - camera.project([[-100.0, 500.0, 0.0]])[0]
    return float(np.degrees(np.arctan2(right[1], right[0])))


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


def random_sensor(rng: np.random.Generator) -> SensorLook:
    """Choose the settings of a camera."""
    return SensorLook(
        exposure=float(rng.uniform(0.8, 1.25)),
        warmth=float(rng.normal(0, 0.06)),
        gamma=float(rng.uniform(0.85, 1.15)),
        blur_px=float(rng.uniform(0.3, 1.1)),
        sharpen=float(rng.uniform(0, 0.9)),
        noise=float(rng.uniform(0.8, 5.0)),
        overlay="CAM {t}" if rng.random() < 0.6 else "",
    )
