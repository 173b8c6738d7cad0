"""Reading stacks of chips: a picture, found stacks, a chip set and a camera enter; counts and values leave.

Two networks: one turns the chip set's reference pictures into tokens, once; the other reads a stack beside them.
Without a chip set stacks are counted; without a camera the finder's measures stand in for its pose.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import Found, StackReading, Wall
from vision.detect.models import open_model
from vision.detect.references import reference_pictures
from vision.detect.stack_compare import Weights
from vision.detect.stack_crop import ABOVE, StackView, cut_stack, view_of
from vision.detect.stack_prior import StackPrior, odds_of, read_prior
from vision.detect.stack_value import count_reading, softmax, value_reading
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.sizes import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

REFERENCES, STACKS = "chips-references", "chips-stacks"
PLACES_PER_CHIP = 4  # where a wall may begin or end
TOGETHER = 32  # stacks in one run
PLAIN: Final[Floats] = np.ones(3)  # light that tints nothing
Floats32 = NDArray[np.float32]


class StackReader:
    """Reads stacks; keeps the tokens of the chip sets it has met."""

    def __init__(self, threads: int = 1, folder: Path | None = None, prior: str | None = None) -> None:
        """Open the networks, those that ship or those of a folder; `prior` names what stacks are usually like."""
        self._references = open_model(REFERENCES, threads, folder)
        self._stacks = open_model(STACKS, threads, folder)
        self._odds = None if prior is None else odds_of(read_prior(prior), self._learned())
        self._tokens: dict[int, tuple[ChipSet, Floats32]] = {}

    def read(
        self,
        picture: Picture,
        stacks: Sequence[Found],
        chips: ChipSet | None,
        camera: Camera | None,
        light: Floats = PLAIN,
    ) -> list[StackReading]:
        """Return a reading for each found stack, in their order; `light` makes colours what they are in plain light."""
        size = (CHIP_DIAMETER_MM, CHIP_THICKNESS_MM) if chips is None else (chips.diameter_mm, chips.thickness_mm)
        return self.read_views(picture, [view_of(found, size, camera) for found in stacks], chips, light)

    def read_views(
        self, picture: Picture, views: Sequence[StackView], chips: ChipSet | None, light: Floats = PLAIN
    ) -> list[StackReading]:
        """Return a reading for each stack whose place in the picture is known."""
        tokens = self._tokens_of(chips)
        values = None if chips is None or tokens is None else np.array([chip.cents for chip in chips.chip], np.int64)
        readings: list[StackReading] = []
        for start in range(0, len(views), TOGETHER):
            some = views[start : start + TOGETHER]
            strips, faces = zip(*(cut_stack(picture, view) for view in some), strict=True)
            crops = (_seen(np.stack(strips), light), _seen(np.stack(faces), light))
            numbers = np.stack([view.numbers() for view in some])
            blank = np.zeros((1, self._width), np.float32)
            scores = self._stacks.run(*crops, numbers, blank if tokens is None else tokens)
            for view, count, layers, steps, borders in zip(some, *(part.astype(float) for part in scores), strict=True):
                reading = self._reading(count, layers, steps, values)
                readings.append(replace(reading, wall=_wall(view, borders)))
        return readings

    @property
    def _width(self) -> int:
        return int(self._stacks.sheet.number("token_width"))

    def comparison(self, in_place: bool) -> Weights:
        """Return how readings are compared: of one place at two times, or of two places."""
        return Weights.of(self._stacks.sheet.numbers("compare_in_place" if in_place else "compare_beside"))

    def _reading(
        self,
        count: NDArray[np.float64],
        layers: NDArray[np.float64],
        steps: NDArray[np.float64],
        values: NDArray[np.int64] | None,
    ) -> StackReading:
        """Return one stack's reading; the temperatures make stated probabilities honest."""
        sheet = self._stacks.sheet
        counted = softmax(count / sheet.number("count_temperature"))
        if values is None:
            return count_reading(counted)
        warmth = sheet.number("chain_temperature")
        return value_reading(counted, layers / warmth, steps / warmth, values, self._odds)

    def _learned(self) -> StackPrior:
        """Return what the stacks were like that these weights come of."""
        sheet = self._stacks.sheet
        counts, steps = sheet.numbers("learned_counts"), sheet.numbers("learned_steps")
        return StackPrior(name="learned", about=sheet.reads, stacks=1, counts=counts, steps=steps)

    def _tokens_of(self, chips: ChipSet | None) -> Floats32 | None:
        """Return the tokens of a chip set, None where there is no set, or it has no pictures."""
        if chips is None:
            return None
        known = self._tokens.get(id(chips))
        if known is None or known[0] is not chips:
            pictures = reference_pictures(chips)
            if pictures is None:
                return None
            faces, edges = (_seen(part) for part in pictures)
            known = (chips, self._references.run(faces, edges)[0])
            self._tokens[id(chips)] = known
        return known[1]


def _wall(view: StackView, borders: Floats) -> Wall:
    """Return where a wall is, from scores of where in its strip it begins and ends (2, places)."""
    rim, foot = (_middle(softmax(scores)) / PLACES_PER_CHIP - ABOVE for scores in borders)
    top, fall = view.top + view.strip_fall * rim, view.strip_fall
    chips = (foot - rim) * float(np.hypot(*fall)) / max(view.fall_px, 1e-6)
    return Wall((float(top[0]), float(top[1])), (float(view.fall[0]), float(view.fall[1])), float(chips))


def _middle(shares: Floats) -> float:
    """Return the mean place around the likeliest one."""
    best = int(shares.argmax())
    near = slice(max(best - PLACES_PER_CHIP, 0), best + PLACES_PER_CHIP + 1)
    return float(np.average(np.arange(len(shares))[near], weights=shares[near]))


def _seen(pictures: Picture, light: Floats = PLAIN) -> Floats32:
    """Return bytes (n, h, w, BGR) as the networks want them; the learning side's `seen_as` does the same."""
    shares = np.minimum(pictures.astype(np.float32) * (light / 255).astype(np.float32), 1.0)
    return np.ascontiguousarray((shares - 0.5).transpose(0, 3, 1, 2) * 4)
