"""Recipes: what to learn from, or to be judged by, as a file that anyone can run again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from studio.learn.pictures import Batch, Still, draw_pictures, read_pictures

RECIPES = Path(__file__).parents[2] / "datasets" / "recipes"  # the learning side runs from a checkout
Count = Annotated[int, Field(gt=0)]


class Recipe(BaseModel):
    """Any recipe: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Pictures(Recipe):
    """Stills of some looks."""

    split: Literal["train", "test"]
    seed: int
    looks: Count
    size: Literal["720p", "1080p", "1440p", "5mp", "4k"] = "1080p"  # where no view is given
    view: Literal["reference", "good", "legacy", "mixed"] | None = None
    invented_backs: Annotated[float, Field(ge=0, le=1)] = 0.0  # share of the pictures whose backs no deck has


class FurtherRecipe(Recipe):
    """How the finder goes on from the model that ships."""

    seed: int
    tiles: Count
    rate: Annotated[float, Field(gt=0)]


class FinderRecipe(Recipe):
    """How the finder is trained."""

    seed: int
    tiles: Count
    threads: Count = 1
    squarer_steps: Count  # of 96 crops
    baseline_hours: Annotated[float, Field(gt=0)]  # of the Ultralytics model beside it
    further: FurtherRecipe
    pictures: list[Pictures]


class FacesRecipe(Recipe):
    """How the face readers are trained; the other values say what the code does."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    seed: int
    hours: Annotated[float, Field(gt=0)]


class ChipsRecipe(Recipe):
    """How the stack reader is trained."""

    seed: int
    hours: Annotated[float, Field(gt=0)]
    painted: Count  # shards of invented houses
    painted_seeds: tuple[int, ...]


class TestRecipe(Recipe):
    """What detectors are judged by: pictures in 1080p, small ones in 720p, and fine ones in which chips have edges."""

    __test__ = False  # not a test, whatever its name makes pytest think

    pictures: list[Pictures]
    small: list[Pictures]
    fine: list[Pictures]
    classes: list[Pictures]  # of each view class, for stacks


def drawn(wanted: Sequence[Pictures], folder: Path, art: Path | None) -> list[Still]:
    """Draw the pictures of a recipe that are not there yet, and return all of them."""
    for each in wanted:
        batch = Batch(each.split, each.seed, each.looks, each.size, each.view, art, invented_backs=each.invented_backs)
        for _ in draw_pictures(batch, folder):
            pass
    return read_pictures(folder)
