"""Crops to learn from: scenes and labelled stills enter; strips, faces and what they show leave, house by house.

A `Shard` is what one house gives. Strip and face are cut by the same code that runs at a table, from a found stack
that is off by as much as a finder may be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.learn.chips.houses import PaintedHouse, painted_house
from studio.learn.chips.scenes import Felts, Scene, developed, random_scene
from studio.learn.chips.sets import House, drawn_house
from studio.learn.pictures import Still
from vision.detect.detection import Found
from vision.detect.stack_crop import ABOVE, ROWS_PER_CHIP, StackView, cut_stack, view_of
from vision.values.chips import ChipSet, read_chip_set
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.resources import shipped

LAYERS = 20  # chips from the top that are told apart; higher stacks are `more`
UNSEEN = 0.35  # stacks that show less are not learned from
POSED = 0.88  # share of crops with a calibrated camera
LOW, LOW_CHIPS = (
    (ABOVE + 11) * ROWS_PER_CHIP,
    10,
)  # rows of strips that hold no more than so many chips: they learn faster
TALL_SHARE = 0.2  # share of batches of stacks of any height
TALL = "tall"  # begins the names of shards with whole strips
ARRAYS = ("strips", "faces", "numbers", "counts", "layers", "offsets", "levels")


@dataclass(frozen=True)
class Crop:
    """One stack as the network gets it, and the truth."""

    strip: Picture
    face: Picture
    numbers: NDArray[np.float32]
    chips: tuple[int, ...]  # bottom to top, indices into the house's set
    offset: float  # how many chips the strip hangs too low
    levels: NDArray[np.float32]  # where each chip's rim lies in the strip, top to bottom, in chips; NaN: not known


@dataclass(frozen=True)
class Shard:
    """Crops of one house, with takes of its reference pictures (takes, k, h, w, 3)."""

    arrays: dict[str, NDArray[Any]]
    faces: Picture
    edges: Picture

    def save(self, path: Path) -> None:
        """Write the shard; it appears when it is whole."""
        half = path.with_suffix(".half.npz")
        arrays: dict[str, Any] = {**self.arrays, "ref_faces": self.faces, "ref_edges": self.edges}
        np.savez(half, **arrays)
        half.rename(path)

    @classmethod
    def load(cls, path: Path) -> "Shard":
        """Read a shard."""
        with np.load(path) as found:
            arrays = {name: found[name] for name in ARRAYS if name in found}
            arrays.setdefault("levels", np.full(arrays["layers"].shape, np.nan, np.float32))
            return cls(arrays, found["ref_faces"], found["ref_edges"])


def shard_of(crops: Sequence[Crop], faces: Picture, edges: Picture, rows: int | None = None) -> Shard:
    """Put crops of a house together, their strips cut to so many rows, beside takes of its references."""
    layers = np.full((len(crops), LAYERS), -1, np.int8)
    for row, crop in zip(layers, crops, strict=True):
        seen = crop.chips[::-1][:LAYERS]
        row[: len(seen)] = seen
    arrays: dict[str, NDArray[Any]] = {
        "strips": np.stack([crop.strip[:rows] for crop in crops]),
        "faces": np.stack([crop.face for crop in crops]),
        "numbers": np.stack([crop.numbers for crop in crops]),
        "counts": np.array([len(crop.chips) for crop in crops], np.int16),
        "layers": layers,
        "offsets": np.array([crop.offset for crop in crops], np.float32),
        "levels": np.stack([crop.levels for crop in crops]),
    }
    return Shard(arrays, faces, edges)


def painted_shard(rng: np.random.Generator, felts: Felts, number: int, most: int = LOW_CHIPS) -> Shard:
    """Paint a shard of an invented house: stacks of at most so many chips."""
    house = painted_house(rng)
    crops: list[Crop] = []
    while len(crops) < number:
        scene = random_scene(rng, house, felts, most)
        if scene.visible >= UNSEEN:
            crops.append(_scene_crop(rng, scene, house, developed(rng, felts, scene.ground)))
    rows = LOW if most <= LOW_CHIPS else None
    return shard_of(crops, house.reference_faces, house.reference_edges, rows)


def _scene_crop(rng: np.random.Generator, scene: Scene, house: PaintedHouse, picture: Picture) -> Crop:
    """Cut a scene's stack as if a finder had found it, with the camera known or not."""
    size = (house.chips.diameter_mm, house.chips.thickness_mm)
    found = jittered(rng, scene_found(scene, house))
    if rng.random() < POSED:
        view = _misjudged(rng, scene.slant.view(np.array(found.top), size))
    else:
        view = view_of(found, size, None)
    return _cut_crop(picture, view, scene.top, scene.chips, scene.tops)


def still_crops(rng: np.random.Generator, still: Still, chips: ChipSet) -> Iterator[Crop]:
    """Cut all stacks of a labelled still that show enough."""
    picture = still.picture()
    camera = Camera.from_dict(still.camera)
    order = [chip.cents for chip in chips.chip]
    for thing in still.objects:
        if thing["kind"] == "stack" and thing["visible"] >= UNSEEN:
            known = camera if rng.random() < POSED else None
            truth = found_of(thing, camera, chips)
            stack = tuple(order.index(cents) for cents in thing["cents"])
            yield _crop(rng, picture, truth, chips, known, stack)


def _crop(
    rng: np.random.Generator, picture: Picture, truth: Found, chips: ChipSet, camera: Camera | None,
    stack: tuple[int, ...],
) -> Crop:  # fmt: skip
    size = (chips.diameter_mm, chips.thickness_mm)
    view = _misjudged(rng, view_of(jittered(rng, truth), size, camera))
    return _cut_crop(picture, view, np.array(truth.top), stack)


def scene_found(scene: Scene, house: PaintedHouse) -> Found:
    """Return what a perfect finder would say of a scene's stack."""
    radius = scene.slant.px_per_mm * house.chips.diameter_mm / 2
    flat = float(np.cos(scene.slant.tilt))
    return Found("stack", 1.0, ((0.0, 0.0),) * 4, _pair(scene.base), _pair(scene.top), radius, flat)


def _cut_crop(
    picture: Picture, view: StackView, top: Floats, chips: tuple[int, ...], tops: Floats | None = None
) -> Crop:
    """Cut a stack; `tops` is where each chip's top appears, bottom to top, where that is known."""
    strip, face = cut_stack(picture, view)
    fall = view.strip_fall / (view.strip_fall @ view.strip_fall)
    levels = np.full(LAYERS, np.nan, np.float32)
    if tops is not None:
        seen = ((tops - view.top) @ fall)[::-1][:LAYERS]
        levels[: len(seen)] = seen
    return Crop(strip, face, view.numbers(), chips, float((view.top - top) @ fall), levels)


def jittered(rng: np.random.Generator, truth: Found, spread_px: tuple[float, float] = (0.2, 2.0)) -> Found:
    """Return a found stack as a finder might have it: off by some pixels."""
    spread = float(np.exp(rng.uniform(*np.log(spread_px)))) * max(truth.radius_px / 18, 0.8)
    top = np.array(truth.top) + rng.normal(0, spread, 2)
    base = np.array(truth.base) + rng.normal(0, spread * 1.4, 2)
    return Found(
        "stack",
        truth.score,
        truth.quad,
        (float(base[0]), float(base[1])),
        (float(top[0]), float(top[1])),
        truth.radius_px * float(np.exp(rng.normal(0, 0.04))),
        float(np.clip(truth.flatness + rng.normal(0, 0.04), 0.1, 1)),
    )


def _misjudged(rng: np.random.Generator, view: StackView) -> StackView:
    """Return a view whose pose is off a little, as calibrations are."""
    if not view.is_posed:
        return view
    radius = float(np.hypot(*view.across))
    fall = view.fall * np.exp(rng.normal(0, 0.02)) + rng.normal(0, 0.015 * radius * view.slimness, 2)
    return StackView(view.top, view.across, view.ahead, fall, True, view.slimness)


def true_found(camera: Camera, chips: ChipSet, base: Floats, top: Floats) -> Found:
    """Return what a perfect finder would say of a stack."""
    plain = Found("stack", 1.0, ((0.0, 0.0),) * 4, _pair(base), _pair(top), 1.0, 1.0)
    view = view_of(plain, (chips.diameter_mm, chips.thickness_mm), camera)
    axes = np.linalg.svd(np.stack([view.across, view.ahead], axis=1))[1]
    return Found("stack", 1.0, plain.quad, plain.base, plain.top, float(axes[0]), float(axes[1] / axes[0]))


def found_of(thing: dict[str, Any], camera: Camera, chips: ChipSet) -> Found:
    """Return what a perfect finder would say of a stack in a still's truth; its top is taken to be over its base."""
    foot = np.array([thing["x"], thing["y"], thing["z"]])
    base, top = camera.project([foot, foot + np.array([0, 0, len(thing["cents"]) * chips.thickness_mm])])
    found = true_found(camera, chips, base, top)
    corners = [tuple(float(x) for x in corner) for corner in thing["quad"]]
    return Found("stack", 1.0, tuple(corners), found.base, found.top, found.radius_px, found.flatness)  # type: ignore[arg-type]


def known_house(name: str) -> House:
    """Return a shipped house with pictures drawn from its sheet."""
    return drawn_house(read_chip_set(shipped("calibration") / "chips" / f"{name}.toml"))


def _pair(point: Floats) -> tuple[float, float]:
    return (float(point[0]), float(point[1]))
