"""Which network is trained and exported how: a name and the folder of all runs enter. The only door to PyTorch.

All runs share one folder: `train/` holds the stills they learn from, and each network has a folder of its own name.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from studio.learn.recipes import RECIPES, FacesRecipe, FinderRecipe, drawn
from vision.values.documents import read_document
from vision.values.resources import shipped

if TYPE_CHECKING:
    from studio.learn.finder.sources import Sources

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Runs:
    """Where trainings live, and what they are given."""

    folder: Path
    art: Path | None = None
    photos: Path | None = None

    @property
    def stills(self) -> Path:
        """Return the folder of the stills to learn from."""
        return self.folder / "train"

    @property
    def lessons(self) -> Path:
        """Return the file of what the finder still errs at."""
        return self.folder / "finder" / "lessons.json"

    def sources(self) -> "Sources":
        """Return where tiles come from; lessons count as soon as there are any."""
        from studio.learn.finder.sources import Sources

        return Sources(self.stills, self.art, self.photos, self.folder / "photo-cards.json", self.lessons)

    def draw(self, tell: Tell) -> FinderRecipe:
        """Draw the stills that all trainings learn from; return the recipe that asks for them."""
        recipe = read_document(RECIPES / "finder.toml", FinderRecipe)
        tell(f"{len(drawn(recipe.pictures, self.stills, self.art))} stills to learn from")
        return recipe


def train_finder(runs: Runs, tell: Tell) -> None:
    """Train the finder by its recipe: half of the tiles from anywhere, then half where it still errs."""
    from studio.learn.finder.study import study
    from studio.learn.finder.train import Plan, train

    recipe, out = runs.draw(tell), runs.folder / "finder"
    sources = runs.sources()
    train(Plan(sources, out, recipe.tiles // 2, recipe.seed, recipe.threads), tell)
    if not runs.lessons.exists():
        study(out / "finder.pt", runs.stills, runs.lessons, tell)
    train(Plan(sources, out, recipe.tiles, recipe.seed, recipe.threads), tell)


def train_faces(runs: Runs, tell: Tell) -> None:
    """Train the face readers by their recipe."""
    from studio.learn.faces.train import train

    runs.draw(tell)
    recipe = read_document(RECIPES / "faces.toml", FacesRecipe)
    train(runs.folder / "faces", runs.art, runs.photos, recipe.hours, recipe.seed, tell)


def train_chips(runs: Runs, tell: Tell) -> None:
    """Paint the crops, then train the stack reader by its recipe."""
    from studio.learn.chips.pool import prepare, read_recipe
    from studio.learn.chips.train import train

    runs.draw(tell)
    recipe, out = read_recipe(RECIPES / "chips.toml"), runs.folder / "chips"
    prepare(recipe, runs.stills, out, tell)
    train(out, recipe.hours, recipe.seed, tell)


def train_baseline(runs: Runs, tell: Tell) -> None:
    """Train the Ultralytics model that ours is measured beside."""
    from studio.learn.baseline import train

    recipe = runs.draw(tell)
    train(runs.folder / "baseline", runs.stills, recipe.baseline_hours, tell, recipe.threads)


def train_squarer(runs: Runs, tell: Tell) -> None:
    """Train the second look at cards by the finder's recipe."""
    from studio.learn.squarer.train import train

    recipe = runs.draw(tell)
    train(runs.sources(), runs.folder / "squarer", recipe.squarer_steps, recipe.seed, tell)


def train_further(runs: Runs, tell: Tell) -> None:
    """Train the finder further, from the model that ships: with new stills, at a lower rate."""
    from studio.learn.finder.train import Plan, train

    recipe = runs.draw(tell)
    more, start = recipe.further, shipped("models") / "finder.onnx"
    plan = Plan(runs.sources(), runs.folder / "finder", more.tiles, more.seed, recipe.threads, rate=more.rate)
    train(replace(plan, start=start), tell)


def export_finder(runs: Path, models: Path) -> None:
    """Write the finder's model."""
    from studio.learn.finder.export import export

    export(runs / "finder", models)


def export_squarer(runs: Path, models: Path) -> None:
    """Write the squarer's model."""
    from studio.learn.squarer.train import export

    export(runs / "squarer", models)


def export_faces(runs: Path, models: Path) -> None:
    """Write the face readers' models."""
    from studio.learn.faces.export import export

    export(runs / "faces", models)


def export_chips(runs: Path, models: Path) -> None:
    """Write the stack reader's models."""
    from studio.learn.chips.export import export

    export(runs / "chips", models)


def export_baseline(runs: Path, models: Path) -> None:
    """Write the baseline's model."""
    from studio.learn.baseline import export_run

    export_run(runs / "baseline", models)


def export_quick(runs: Path, models: Path) -> None:
    """Write the quick copies of the models that are there."""
    from studio.learn.quick import export

    export(runs / "train", models)


TRAIN: dict[str, Callable[[Runs, Tell], None]] = {
    "finder": train_finder,
    "squarer": train_squarer,
    "faces": train_faces,
    "chips": train_chips,
    "baseline": train_baseline,
    "further": train_further,
}
EXPORT: dict[str, Callable[[Path, Path], None]] = {
    "finder": export_finder,
    "squarer": export_squarer,
    "faces": export_faces,
    "chips": export_chips,
    "baseline": export_baseline,
    "quick": export_quick,
}
