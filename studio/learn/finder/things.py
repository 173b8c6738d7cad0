"""What a picture holds, as the finder is to say it: truth of a still enters, things in pixels leave.

A thing can be moved: turned, scaled, mirrored and shifted with the tile that is cut around it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.film.export import class_of
from studio.learn.pictures import Still
from vision.detect.detection import KINDS
from vision.values.chips import ChipSet, read_chip_set
from vision.values.geometry import Camera, Floats, Lens
from vision.values.resources import shipped

CARDS, STACK = (0, 1), KINDS.index("stack")
PACKS = ("stub", "pile")
Move = NDArray[np.float64]  # 2 x 3: turn, scale, mirror, shift


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing in a picture; `spans` are vectors from its middle: sides of a card, base and top of a stack."""

    kind: int
    visible: float
    middle: Floats
    spans: Floats  # card: half long, half short; stack: base, top; hand and other: half width, half height
    radius: float = 0.0
    flatness: float = 1.0
    exact: bool = True  # False: only the middle is known
    is_pack: bool = False  # cards on top of each other: its top may well be called a card

    def moved(self, move: Move) -> "Thing":
        """Return the thing as the moved picture shows it."""
        turn = move[:, :2]
        scale = float(np.sqrt(abs(np.linalg.det(turn))))
        spans = self.spans @ turn.T
        if self.kind not in (*CARDS, STACK):
            spans = np.diag(np.abs(spans).sum(axis=0))  # a box stays upright
        return replace(self, middle=turn @ self.middle + move[:, 2], spans=spans, radius=self.radius * scale)

    @property
    def size(self) -> float:
        """Return about half its smaller extent, in pixels."""
        if self.kind == STACK:
            return self.radius
        return float(np.linalg.norm(self.spans, axis=1).min())


def things_of(still: Still) -> list[Thing]:
    """Return all things of a still."""
    return list(_things(still))


def _things(still: Still) -> Iterator[Thing]:
    camera = Camera.from_dict(still.camera)
    chips = chip_set(still.look["chips"])
    for entry in still.objects:
        kind = class_of(entry)
        if kind in CARDS:
            yield card_thing(kind, np.array(entry["quad"]), entry["visible"])
        elif kind == STACK:
            yield _stack(entry, camera, chips)
        else:
            yield _boxed(kind, entry, camera.lens)


def card_thing(kind: int, quad: Floats, visible: float) -> Thing:
    """Return a card by its corners: two along its top, two along its bottom."""
    top, bottom, right, left = quad[:2].mean(0), quad[2:].mean(0), quad[1:3].mean(0), quad[[0, 3]].mean(0)
    return Thing(kind, visible, quad.mean(0), np.array([top - bottom, right - left]) / 2)


def _stack(entry: dict[str, Any], camera: Camera, chips: ChipSet) -> Thing:
    x, y, z = entry["x"], entry["y"], entry["z"] + len(entry["cents"]) * chips.thickness_mm
    base, top = np.array(entry["base_px"]), camera.project([[x, y, z]])[0]
    around = np.linspace(0, np.pi, 12, endpoint=False)
    rim = np.stack([np.cos(around), np.sin(around)], axis=1) * chips.diameter_mm / 2 + [x, y]
    reach = np.linalg.norm(camera.project(np.c_[rim, np.full(len(rim), z)]) - top, axis=1)
    middle = (base + top) / 2
    spans = np.array([base - middle, top - middle])
    return Thing(STACK, entry["visible"], middle, spans, float(reach.max()), float(reach.min() / reach.max()))


def _boxed(kind: int, entry: dict[str, Any], lens: Lens) -> Thing:
    corners = np.clip(np.array(entry["quad"]), 0, [lens.width, lens.height])
    low, high = corners.min(axis=0), corners.max(axis=0)
    spans = np.diag(np.maximum((high - low) / 2, 1.0))
    return Thing(kind, entry["visible"], (low + high) / 2, spans, is_pack=entry.get("what") in PACKS)


@cache
def chip_set(name: str) -> ChipSet:
    """Return a shipped chip set."""
    return read_chip_set(shipped("calibration") / "chips" / f"{name}.toml")
