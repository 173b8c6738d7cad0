"""The finder: a picture enters, cards, stacks, hands and other things leave, in pixels of that picture.

The network knows things of a table filmed in 1080p. `look` takes a picture of a known table, made so small that things
have that size (`scale_of`); corners and faces are then read at the picture's own size. `search` tries several sizes,
for pictures of unknown origin.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.attention.tile_zones import USUAL_PX_PER_MM
from vision.detect.decode import Maps, found_in, hands_in, suppress_overlaps
from vision.detect.detection import Found
from vision.detect.models import open_model
from vision.detect.overlap import areas, shared_areas
from vision.values.geometry import Camera
from vision.values.picture import Picture, Quad
from vision.values.sizes import CARD_HEIGHT_MM, CARD_WIDTH_MM, CHIP_DIAMETER_MM

BLOCK = 32  # the network halves a picture five times
LONGEST, SHORTEST = 4096, 256  # longer side of the largest and the smallest picture that `search` looks at
ROUGH = 0.8  # overlap of cards that are one, while their corners are rough
UNLIKE = 2.3  # things of one picture do not differ in size by more, one way or the other
CARD_TO_CHIP = CARD_WIDTH_MM / CHIP_DIAMETER_MM  # how much wider than a chip a card is


class Finder:
    """Finds things with one network."""

    def __init__(self, threads: int = 1, model: str = "finder") -> None:
        self._model = open_model(model, threads)
        self._least = {kind: self._model.sheet.number(f"least_{kind}") for kind in ("card", "stack", "hand", "other")}

    def look(self, picture: Picture, scale: float = 1.0) -> list[Found]:
        """Find what a picture shows at its own size, or made smaller."""
        return suppress_overlaps(self._at(picture, scale), ROUGH)

    def hands(self, picture: Picture, scale: float) -> list[Found]:
        """Find the hands alone; they are large enough to be seen in a picture that is made smaller."""
        return suppress_overlaps(self._at(picture, scale, hands_in))

    def search(self, picture: Picture) -> list[Found]:
        """Find what a picture of unknown scale shows: look at several sizes, and keep the size that most agree on."""
        found = [thing for scale in scales(picture) for thing in self._at(picture, scale)]
        return suppress_overlaps(keep_consistent_scale(found), ROUGH)

    def _all_in(self, channels: Maps) -> list[Found]:
        return found_in(channels, min(self._least.values()))

    def _at(
        self, picture: Picture, scale: float, decode: Callable[[Maps], Iterable[Found]] | None = None
    ) -> list[Found]:
        height, width = picture.shape[:2]
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        seen = picture if scale == 1.0 else np.asarray(cv2.resize(picture, size, interpolation=flags), np.uint8)
        channels = self._model.run(letterboxed(seen))[0][0]
        found = (thing for thing in (decode or self._all_in)(channels) if self._is_sure(thing))
        shares = (width / size[0], height / size[1])
        return [rescale(thing, *shares) for thing in found if _is_inside(thing, size)]

    def _is_sure(self, thing: Found) -> bool:
        return thing.score >= self._least[thing.kind.partition("_")[0]]


def letterboxed(picture: Picture) -> NDArray[np.float32]:
    """Return a picture as the network wants it: RGB in 0..1, planes first, black below and to the right of it."""
    height, width = picture.shape[:2]
    batch = np.zeros((1, 3, -(-height // BLOCK) * BLOCK, -(-width // BLOCK) * BLOCK), np.float32)
    for place, plane in zip((2, 1, 0), cv2.split(picture), strict=True):
        np.multiply(plane, np.float32(1 / 255), out=batch[0, place, :height, :width])
    return batch


def scale_of(camera: Camera) -> float:
    """Return by how much a camera's pictures are made smaller to be searched: a half, a third …, or not at all."""
    lens = camera.lens
    middle = camera.place(np.array([lens.centre_u, lens.centre_v]))
    return 1 / max(round(camera.scale_px_per_mm(middle) / USUAL_PX_PER_MM), 1)


def scales(picture: Picture) -> Iterator[float]:
    """Yield the sizes at which a picture of unknown scale is looked at, largest first."""
    longer = max(picture.shape[:2])
    scale = 1.0
    while longer * scale > LONGEST:
        scale /= 2
    yield scale
    while longer * scale / 2 >= SHORTEST:
        scale /= 2
        yield scale


def rescale(thing: Found, wider: float, higher: float) -> Found:
    """Return a thing as the picture that was not scaled shows it."""

    def far(point: tuple[float, float]) -> tuple[float, float]:
        return ((point[0] + 0.5) * wider - 0.5, (point[1] + 0.5) * higher - 0.5)

    quad: Quad = (far(thing.quad[0]), far(thing.quad[1]), far(thing.quad[2]), far(thing.quad[3]))
    base = None if thing.base is None else far(thing.base)
    top = None if thing.top is None else far(thing.top)
    return replace(thing, quad=quad, base=base, top=top, radius_px=thing.radius_px * (wider + higher) / 2)


def width_as_card(thing: Found) -> float | None:
    """Return how wide a card would be beside this thing, in pixels; None for hands and things of any size."""
    if thing.kind.startswith("card"):
        has_area = np.ptp(np.array(thing.quad), axis=0).min() > 0
        return float(np.sqrt(areas(thing.quad)[0] * CARD_WIDTH_MM / CARD_HEIGHT_MM)) if has_area else 0.0
    return 2 * thing.radius_px * CARD_TO_CHIP if thing.kind == "stack" else None


def keep_consistent_scale(found: Sequence[Found]) -> list[Found]:
    """Return the things that fit the size which most of them agree on."""
    sizes = np.array([width_as_card(thing) or np.nan for thing in found])
    sized = np.flatnonzero(np.isfinite(sizes))
    if not len(sized):
        return list(found)
    scores = np.array([found[int(i)].score for i in sized])
    apart = np.abs(np.log(sizes[sized][:, None] / sizes[sized][None, :]))
    agreed = ((apart < np.log(UNLIKE)) * (scores * sizes[sized])[None, :]).sum(axis=1)
    usual = sizes[sized][int(agreed.argmax())]
    fits = [np.isnan(size) or abs(np.log(size / usual)) < np.log(UNLIKE) for size in sizes]
    return [thing for thing, good in zip(found, fits, strict=True) if good]


def drop_cards_inside_cards(found: list[Found]) -> list[Found]:
    """Drop cards that are printed on a larger card: most of their area lies in it.

    The larger one must be a card for sure, so the corner refiner comes first: the finder alone sees faint large
    "cards" around true ones.
    """
    cards = [thing.quad for thing in found if thing.kind == "card_up"]
    if not cards:
        return found
    small = areas([thing.quad for thing in found])
    inside = shared_areas([thing.quad for thing in found], cards) / np.maximum(small[:, None], 1e-9)
    larger = areas(cards)[None, :] > 2.0 * small[:, None]
    printed = np.flatnonzero(((inside > 0.9) & larger).any(axis=1))
    return [thing for i, thing in enumerate(found) if not (i in printed and thing.kind.startswith("card"))]


def _is_inside(thing: Found, size: tuple[int, int]) -> bool:
    """Say whether a thing's middle lies in the picture, not in what was added to it."""
    u, v = np.mean(thing.quad, axis=0)
    return bool(-0.5 <= u < size[0] and -0.5 <= v < size[1])
