"""Which network is trained and exported how: a name and the folder of all runs enter. Needs PyTorch.

All runs share one folder: `train/` holds the stills they learn from, and each network has a folder of its own name.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from studio.learn import baseline, quick
from studio.learn.chips import export as chips_export
from studio.learn.chips import priors
from studio.learn.chips import train as chips_train
from studio.learn.chips.pool import prepare
from studio.learn.faces import export as faces_export
from studio.learn.faces import train as faces_train
from studio.learn.finder import export as finder_export
from studio.learn.finder import train as finder_train
from studio.learn.finder.sources import Sources
from studio.learn.finder.study import study
from studio.learn.recipes import RECIPES, ChipsRecipe, FacesRecipe, FinderRecipe, drawn
from studio.learn.squarer import train as squarer_train
from vision.values.documents import read_document
from vision.values.resources import shipped

Report = Callable[[str], None]


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

    def sources(self) -> Sources:
        """Return where tiles come from; lessons count as soon as there are any."""
        return Sources(self.stills, self.art, self.photos, self.folder / "photo-cards.json", self.lessons)

    def draw(self, report: Report) -> FinderRecipe:
        """Draw the stills that all trainings learn from; return the recipe that asks for them."""
        recipe = read_document(RECIPES / "finder.toml", FinderRecipe)
        report(f"{len(drawn(recipe.pictures, self.stills, self.art))} stills to learn from")
        return recipe


def train_finder(runs: Runs, report: Report) -> None:
    """Train the finder by its recipe: half of the tiles from anywhere, then half where it still errs."""
    recipe, out = runs.draw(report), runs.folder / "finder"
    sources = runs.sources()
    finder_train.train(finder_train.Plan(sources, out, recipe.tiles // 2, recipe.seed, recipe.threads), report)
    if not runs.lessons.exists():
        study(out / "finder.pt", runs.stills, runs.lessons, report)
    finder_train.train(finder_train.Plan(sources, out, recipe.tiles, recipe.seed, recipe.threads), report)


def train_faces(runs: Runs, report: Report) -> None:
    """Train the face readers by their recipe."""
    runs.draw(report)
    recipe = read_document(RECIPES / "faces.toml", FacesRecipe)
    faces_train.train(runs.folder / "faces", runs.art, runs.photos, recipe.hours, recipe.seed, report)


def train_chips(runs: Runs, report: Report) -> None:
    """Paint the crops, then train the stack reader by its recipe."""
    runs.draw(report)
    recipe, out = read_document(RECIPES / "chips.toml", ChipsRecipe), runs.folder / "chips"
    prepare(recipe, runs.stills, out, report)
    chips_train.train(out, recipe.hours, recipe.seed, report)


def train_baseline(runs: Runs, report: Report) -> None:
    """Train the Ultralytics model that ours is measured beside."""
    recipe = runs.draw(report)
    baseline.train(runs.folder / "baseline", runs.stills, recipe.baseline_hours, report, recipe.threads)


def train_squarer(runs: Runs, report: Report) -> None:
    """Train the second look at cards by the finder's recipe."""
    recipe = runs.draw(report)
    squarer_train.train(runs.sources(), runs.folder / "squarer", recipe.squarer_steps, recipe.seed, report)


def train_further(runs: Runs, report: Report) -> None:
    """Train the finder further, from the model that ships: with new stills, at a lower rate."""
    recipe = runs.draw(report)
    more, out = recipe.further, runs.folder / "finder"
    plan = finder_train.Plan(runs.sources(), out, more.tiles, more.seed, recipe.threads, rate=more.rate)
    finder_train.train(replace(plan, start=shipped("models") / "finder.onnx"), report)


TRAIN: dict[str, Callable[[Runs, Report], None]] = {
    "finder": train_finder,
    "squarer": train_squarer,
    "faces": train_faces,
    "chips": train_chips,
    "baseline": train_baseline,
    "further": train_further,
}
EXPORT: dict[str, Callable[[Path, Path], None]] = {
    "finder": finder_export.export,
    "squarer": squarer_train.export,
    "faces": faces_export.export,
    "chips": chips_export.export,
    "baseline": baseline.export_run,
    "quick": quick.export,
    "priors": priors.export,
}


def export(what: str, runs: Path, models: Path) -> None:
    """Write a network's model from the folder of its run; quick copies are measured on the stills."""
    EXPORT[what](runs / ("train" if what == "quick" else what), models)
