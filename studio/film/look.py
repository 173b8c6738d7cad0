"""Looks: which felt, deck, chips, light, camera and sensor a clip is filmed with. Each varies on its own, and is split.

The splits: *train*; *test*, the last two of each kind, which training never sees and people may look at (validation);
*any* of both; and the drawers of reserved looks, *check* and *trial*, which only a closing measurement opens
(`film.ledger`).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from studio.art.backs import BACK_DESIGNS
from studio.art.drawers import DRAWERS, unreserved
from studio.art.faces import FACE_DESIGNS
from studio.art.felt_form import FOUR_CARD_POKER
from studio.art.felts import felt_names, make_layout
from studio.art.foreign import foreign_backs, foreign_decks, foreign_of_split
from studio.film.cameras import choose_view, class_camera, random_camera
from studio.film.card import FETCHED
from studio.film.ledger import drawn_from
from studio.film.rigs import RIGS
from studio.film.sensor import SensorLook
from vision.table.layout import Layout
from vision.table.mounting import SIZES
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera
from vision.values.resources import shipped

HELD_OUT = 2  # of each kind, the last ones are for validation
MOST_DRIFT = 0.06  # of exposure and white balance
FREELY_TURNED = 0.15  # share of cameras that do not hang level with the table
CODECS = ("h264", "h265")
H265 = 0.35  # share of slanted cameras that encode so
KBIT = {0.9: (2000, 3000), 2.1: (4000, 6000), 3.7: (6000, 10000), 5.1: (7000, 11000), 8.3: (8000, 16000)}


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
    codec: str = CODECS[0]
    preset: str = "veryfast"  # of the encoder
    truth_every: int = 1  # frames between two records of where all things are


def kinds() -> dict[str, tuple[str, ...]]:
    """Return what can be chosen, by kind."""
    chips = tuple(sorted(path.stem for path in (shipped("calibration") / "chips").glob("*.toml")))
    rigs = unreserved("rig", tuple(RIGS))
    return {"felt": felt_names(), "face": FACE_DESIGNS, "back": BACK_DESIGNS, "chips": chips, "rig": rigs}


def of_split(names: tuple[str, ...], split: str) -> tuple[str, ...]:
    """Return the names of one split."""
    if split == "any":
        return names
    return names[:-HELD_OUT] if split == "train" else names[-HELD_OUT:]


def choices(split: str, art: Path | None, opened_by: str | None = None) -> dict[str, tuple[str, ...]]:
    """Return what a split may choose from; `art` is a folder of fetched decks, which come on top of our own."""
    if split in DRAWERS:
        return drawn_from(split, opened_by)
    found = {kind: of_split(names, split) for kind, names in kinds().items()}
    if art is not None:
        for kind, names in (("face", foreign_decks(art)), ("back", foreign_backs(art))):
            found[kind] += tuple(f"{art}{FETCHED}{name}" for name in foreign_of_split(names, split))
    return found


def own_felts(game: str) -> dict[str, tuple[str, ...]]:
    """Return the felts of a game that has too few to be split: training sees none of them but by name."""
    return {} if game == FOUR_CARD_POKER else {"felt": felt_names(game)}


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked of a look; the rest is drawn. `size` counts where neither view nor camera is given."""

    split: str = "train"
    size: str = "1080p"
    view: str | None = None  # a view class, or 'mixed'
    camera: Camera | None = None
    wanted: tuple[tuple[str, str], ...] = ()  # kinds of look by name
    art: Path | None = None
    opened_by: str | None = None  # the command that may choose from a drawer of reserved looks
    game: str = FOUR_CARD_POKER  # whose felts these are


def choose_look(seed: int, choice: Choice) -> Look:
    """Choose a look at random, as far as the choice leaves it open."""
    wanted = dict(choice.wanted)
    known = choices(choice.split if choice.split in DRAWERS else "any", choice.art, choice.opened_by)
    _check_wanted(wanted, known | own_felts(choice.game))
    rng = np.random.default_rng([seed, 7])
    offered = choices(choice.split, choice.art, choice.opened_by) | own_felts(choice.game)
    pick = {kind: wanted.get(kind) or str(rng.choice(names)) for kind, names in offered.items()}
    other = str(rng.choice([name for name in offered["back"] if name != pick["back"]]))
    turning = np.random.default_rng([seed, 9])
    free_roll = float(turning.uniform(-180, 180)) if turning.random() < FREELY_TURNED else None
    layout = make_layout(pick["felt"])
    drawn = random_camera(rng, layout, SIZES[choice.size], free_roll)
    sensor = random_sensor(rng, np.random.default_rng([seed, 23]))
    shutter_s = float(turning.uniform(1 / 120, 1 / 40))
    camera, codec = _hung(seed, choice, layout, drawn)
    return Look(
        felt=pick["felt"],
        face=pick["face"],
        backs=(pick["back"], other),
        chips=pick["chips"],
        rig=pick["rig"],
        camera=camera,
        sensor=sensor,
        shutter_s=shutter_s,
        fps=15,
        kbit_per_second=_usual_kbit(camera, turning),
        codec=codec,
        seed=seed,
    )


def _check_wanted(wanted: dict[str, str], known: dict[str, tuple[str, ...]]) -> None:
    for kind, name in wanted.items():
        if kind not in known:
            raise InputError(f"--look: {shown(kind)}: want one of {', '.join(known)}")
        if name not in known[kind]:
            raise InputError(f"--look: {kind}: {shown(name)}: want one of {', '.join(known[kind])}")


def _hung(seed: int, choice: Choice, layout: Layout, drawn: Camera) -> tuple[Camera, str]:
    """Return the camera of a look and how it encodes: the given one, one of a view class, or the one drawn already."""
    hanging = np.random.default_rng([seed, 21])
    codec = CODECS[int(hanging.random() < H265)]
    if choice.camera is not None:
        return choice.camera, codec
    if choice.view is not None:
        return class_camera(hanging, layout, choose_view(choice.view, hanging)), codec
    return drawn, CODECS[0]


def _usual_kbit(camera: Camera, rng: np.random.Generator) -> int:
    """Return a bit rate that cameras of so many pixels are set to."""
    megapixels = camera.lens.width * camera.lens.height / 1e6
    nearest = min(KBIT, key=lambda known: abs(known - megapixels))
    return int(rng.integers(*KBIT[nearest]))


def random_sensor(rng: np.random.Generator, drifting: np.random.Generator) -> SensorLook:
    """Choose the settings of a camera; how they drift is a chance of its own."""
    return SensorLook(
        drift=float(drifting.uniform(0, MOST_DRIFT)),
        drift_s=float(drifting.uniform(15, 90)),
        exposure=float(rng.uniform(0.8, 1.25)),
        warmth=float(rng.normal(0, 0.06)),
        gamma=float(rng.uniform(0.85, 1.15)),
        blur_px=float(rng.uniform(0.3, 1.1)),
        sharpen=float(rng.uniform(0, 0.9)),
        noise=float(rng.uniform(0.8, 5.0)),
        overlay="CAM {t}" if rng.random() < 0.6 else "",
    )
