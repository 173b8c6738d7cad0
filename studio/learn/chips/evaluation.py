"""The stack reader's numbers by view class: a recipe and a folder enter; drawn stills, scores and a model card leave.

Stacks are those of the simulator's test looks, found by the finder; pairs are painted of houses that nobody met.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from studio.learn.chips.classes import ReadStack, class_rows
from studio.learn.chips.pairs import judged_pairs, painted_pairs
from studio.learn.chips.scenes import Felts
from studio.learn.galleries import write_stack_gallery
from studio.learn.pictures import Still
from studio.learn.recipes import RECIPES, TestRecipe, drawn
from studio.learn.samples import StackSample, look_at_stacks
from vision.detect.detectors import Detectors
from vision.detect.stacks import StackReader
from vision.values.documents import read_document

PAIRS, PAIRS_SEED = 150, 9_000  # of each class and kind; houses of other seeds than those that anything is fitted on
CLASSES = ("reference", "good", "legacy")
Tell = Callable[[int, int], None]


def evaluate_stacks(out: Path, art: Path | None, galleries: Path, tell: Tell) -> dict[str, Any]:
    """Draw the test stills of each view class, read their stacks, compare painted pairs; return all numbers."""
    recipe = read_document(RECIPES / "test.toml", TestRecipe)
    seen = list(looked_at(drawn(recipe.classes, out / "classes", art), tell))
    write_stack_gallery(seen, galleries)
    return {"classes": class_rows(map(read_stack, seen)), "comparisons": compared(StackReader())}


def looked_at(stills: list[Still], tell: Tell) -> Iterator[StackSample]:
    """Find and read the stacks of stills."""
    eyes = Detectors()
    for number, still in enumerate(stills, start=1):
        yield from look_at_stacks(still, eyes)
        tell(number, len(stills))


def read_stack(one: StackSample) -> ReadStack:
    """Return a sample as what is judged; the folder of its still names the view class."""
    view = one.still.path.parent.name.split("-")[1]
    return ReadStack(view, tuple(one.entry["cents"]), one.stack)


def compared(reader: StackReader) -> dict[str, dict[str, float]]:
    """Return how often comparisons tell the truth, by view class, in place and beside each other."""
    found, felts = {}, Felts(np.random.default_rng(PAIRS_SEED), is_printed=False)
    for i, view in enumerate(CLASSES):
        for name, in_place in (("in place", True), ("beside", False)):
            pairs = list(painted_pairs((reader, felts), PAIRS, PAIRS_SEED + 2 * i + in_place, in_place, view))
            found[f"{view}, {name}"] = judged_pairs(pairs, reader.comparison(in_place), in_place)
    return found
