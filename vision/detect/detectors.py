"""All detectors together: a picture enters, things found and read leave."""

from collections.abc import Callable, Sequence
from typing import Protocol

from vision.detect.corner_refiner import MODEL as CORNER_MODEL
from vision.detect.corner_refiner import CornerRefiner
from vision.detect.decode import suppress_overlaps
from vision.detect.detection import Detection, FaceReading, Found, StackReading
from vision.detect.faces import FaceReader
from vision.detect.finder import Finder, drop_cards_inside_cards, scale_of
from vision.detect.stacks import PLAIN, StackReader
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

WAGERS = "wagers"  # what stacks are usually like where people bet


class ObjectDetector(Protocol):
    """Finds and reads objects: `Detectors`, or a script."""

    def find(self, picture: Picture, scale: float | None, wanted: Callable[[Found], bool] | None = None) -> list[Found]:
        """Find the objects in a picture that are wanted; `scale` as `Detectors.find` has it."""

    def find_again(self, picture: Picture, card: Found) -> Found | None:
        """Look whether a card is still there."""

    def hands(self, picture: Picture, scale: float) -> list[Found]:
        """Find the hands in a picture, made smaller."""

    def read(
        self, picture: Picture, found: Sequence[Found], chips: ChipSet | None, camera: Camera | None, light: Floats
    ) -> list[Detection]:
        """Read objects that were found, in light that tints them."""


class Detectors:
    """A finder and its readers; `copy` says which copy of their networks, `is_watching` that more looks will follow."""

    def __init__(self, threads: int = 1, copy: str = "", *, is_watching: bool = False) -> None:
        self._finder = Finder(threads, f"finder{copy}")
        self._corner_refiner = CornerRefiner(threads, f"{CORNER_MODEL}{copy}", is_watching=is_watching)
        self._faces = FaceReader(threads, (f"faces-whole{copy}", f"faces-corner{copy}"))
        self._stacks = StackReader(threads, prior=WAGERS if is_watching else None)

    def detect(self, picture: Picture, chips: ChipSet | None = None, camera: Camera | None = None) -> list[Detection]:
        """Find and read all that a picture shows; with a camera at its scale, else at the size that fits."""
        scale = None if camera is None else scale_of(camera)
        return self.read(picture, self.find(picture, scale), chips, camera)

    def find(self, picture: Picture, scale: float | None, wanted: Callable[[Found], bool] | None = None) -> list[Found]:
        """Find things, keep those that are wanted, and look at each card again, at the picture's own size.

        A known table is searched at the scale of its camera; without a scale several sizes are tried.
        """
        is_table = scale is not None
        found = self._finder.search(picture) if scale is None else self._finder.look(picture, scale)
        asked = found if wanted is None else list(filter(wanted, found))
        squared = self._corner_refiner.refine(picture, asked, is_table=is_table)
        return suppress_overlaps(squared if is_table else drop_cards_inside_cards(squared))

    def hands(self, picture: Picture, scale: float) -> list[Found]:
        """Find the hands alone, at a smaller scale than the rest needs."""
        return self._finder.hands(picture, scale)

    def find_again(self, picture: Picture, card: Found) -> Found | None:
        """Look whether a card is still where it was found, and which side of it shows; None if it is not."""
        return next(iter(self._corner_refiner.refine(picture, [card])), None)

    def read(
        self,
        picture: Picture,
        found: Sequence[Found],
        chips: ChipSet | None = None,
        camera: Camera | None = None,
        light: Floats = PLAIN,
    ) -> list[Detection]:
        """Read things that were found; `light` makes the colours of chips what they are in plain light."""
        up = [i for i, thing in enumerate(found) if thing.kind == "card_up"]
        stacks = [i for i, thing in enumerate(found) if thing.kind == "stack"]
        faces: dict[int, FaceReading] = dict(
            zip(up, self._faces.read(picture, [found[i].quad for i in up]), strict=True)
        )
        contents: dict[int, StackReading] = dict(
            zip(stacks, self._stacks.read(picture, [found[i] for i in stacks], chips, camera, light), strict=True)
        )
        return [Detection(thing, faces.get(i), contents.get(i)) for i, thing in enumerate(found)]
