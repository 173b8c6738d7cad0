"""Chip sets that no casino has: a seed enters; a random house's chips and their reference pictures leave."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.chip_art import chip_edge, chip_face
from vision.detect.references import EDGE_SIZE, FACE_SIDE
from vision.values.chips import Chip, ChipSet, EdgeSpots
from vision.values.picture import Picture
from vision.values.sizes import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

# What casinos use by custom: white, blue, pink, red, green, black, purple, yellow, orange, brown, grey.
CUSTOM = ("#ece8dc", "#3565b5", "#e79ab4", "#bf2530", "#17733f", "#26262a", "#6c3494", "#e8c22f", "#df6f2a", "#70452b",
          "#9aa0a6")  # fmt: skip
VALUES = (25, 50, 100, 200, 250, 300, 500, 1000, 2000, 2500, 5000, 10000, 25000, 50000, 100000)
ALIKE = 28.0  # two bases nearer than this in colour differ by their spots or not at all


@dataclass(frozen=True)
class House:
    """A chip set with its reference pictures: faces (k, 64, 64, 3) and edges (k, 16, 128, 3)."""

    chips: ChipSet
    faces: Picture
    edges: Picture


def random_house(rng: np.random.Generator) -> House:
    """Invent a house."""
    return drawn_house(random_set(rng))


def drawn_house(chips: ChipSet) -> House:
    """Draw the reference pictures of a chip set."""
    faces = [_reference_face(chip, chips) for chip in chips.chip]
    edges = [_reference_edge(chip, chips) for chip in chips.chip]
    return House(chips, np.stack(faces), np.stack(edges))


def _reference_face(chip: Chip, chips: ChipSet) -> Picture:
    face, mask = chip_face(chip, FACE_SIDE / chips.diameter_mm, chips.diameter_mm)
    grey = np.where(mask[..., None] > 127, face, np.uint8(128))
    return np.asarray(cv2.resize(grey, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def _reference_edge(chip: Chip, chips: ChipSet) -> Picture:
    edge = chip_edge(chip, 5.0, chips.diameter_mm, chips.thickness_mm)
    return np.asarray(cv2.resize(edge, EDGE_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def random_set(rng: np.random.Generator) -> ChipSet:
    """Invent the sheet of a house's chips."""
    number = int(rng.integers(3, 11))
    values = sorted(int(v) for v in rng.choice(VALUES, number, replace=False))
    bases = _bases(rng, number)
    house = _style(rng)
    chips = [_chip(rng, cents, base, house) for cents, base in zip(values, bases, strict=True)]
    return ChipSet(
        name=f"random-{int(rng.integers(1 << 30))}",
        diameter_mm=float(rng.uniform(38, 44)) if rng.random() < 0.4 else CHIP_DIAMETER_MM,
        thickness_mm=float(rng.uniform(2.9, 3.9)) if rng.random() < 0.5 else CHIP_THICKNESS_MM,
        chip=chips,
    )


def _bases(rng: np.random.Generator, number: int) -> list[str]:
    """Choose base colours that can be told apart, by custom or free."""
    by_custom = rng.random() < 0.5
    pool = [CUSTOM[i] for i in rng.permutation(len(CUSTOM))]
    chosen: list[NDArray[np.float64]] = []
    tries = 0
    while len(chosen) < number:
        tries += 1
        colour = _varied(rng, pool[len(chosen) % len(pool)], 14) if by_custom else _free(rng)
        near = min((float(np.linalg.norm(_lab(colour) - _lab(other))) for other in chosen), default=99.0)
        if near > ALIKE * (0.98**tries):
            chosen.append(colour)
    return [_hex(colour) for colour in chosen]


def _style(rng: np.random.Generator) -> dict[str, float]:
    """Choose what the chips of a house share."""
    return {
        "inlay_mm": float(rng.uniform(14, 35)),
        "spots": float(rng.choice([0, 1, 1, 1, 2, 2, 3])),
        "count": float(rng.choice([2, 3, 4, 4, 6, 6, 8, 8, 12, 16])),
        "width": float(rng.uniform(0.12, 0.6)),
        "ring": float(rng.random() < 0.4),
        "hot_stamp": float(rng.random() < 0.15),
        "own": float(rng.random() < 0.3),  # each chip has its own number of spots
    }


def _chip(rng: np.random.Generator, cents: int, base: str, house: dict[str, float]) -> Chip:
    count = int(house["count"] if not house["own"] else rng.choice([2, 3, 4, 6, 8, 12]))
    width = 360 / count * house["width"]
    spots = []
    for i in range(int(house["spots"])):
        aside = float(rng.uniform(-1, 1)) * 90 / count if i and rng.random() < 0.5 else 0.0
        colour = "#f4f2ea" if rng.random() < 0.35 else _hex(_free(rng))
        spots.append(EdgeSpots(colour=colour, count=count, width_deg=max(width * 0.45**i, 3.0), offset_deg=aside))
    inlay = base if house["hot_stamp"] else _hex(_varied(rng, "#f2efe6", 9) if rng.random() < 0.75 else _free(rng))
    return Chip(
        cents=cents,
        base=base,
        spots=spots,
        inlay=inlay,
        inlay_diameter_mm=house["inlay_mm"],
        ring=_hex(_free(rng)) if house["ring"] else None,
        text=_text(rng, cents),
        text_colour=_hex(_free(rng) * 0.6) if not house["hot_stamp"] else "#d9b45a",
    )


def _text(rng: np.random.Generator, cents: int) -> str:
    if cents < 100:
        return f"{cents}c"
    number = f"{cents / 100:.2f}" if cents % 100 else f"{cents // 100}"
    return str(rng.choice(["", "$", "E", ""])) + number


def _free(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return any colour, saturated more often than not."""
    hue, full, value = rng.uniform(0, 180), 255 * rng.uniform(0, 1) ** 0.7, rng.uniform(35, 250)
    pixel = np.array([[[hue, full, value]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0], float)


def _varied(rng: np.random.Generator, colour: str, spread: float) -> NDArray[np.float64]:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], float)
    return np.asarray(np.clip(rgb * rng.uniform(0.85, 1.1) + rng.normal(0, spread, 3), 0, 255))


def _lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    pixel = (rgb / 255).astype(np.float32).reshape(1, 1, 3)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_RGB2LAB)[0, 0], float)


def _hex(rgb: NDArray[np.float64]) -> str:
    return "#" + "".join(f"{int(np.clip(value, 0, 255)):02x}" for value in rgb)
