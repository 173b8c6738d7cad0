"""Which network is trained and exported how: a name and a run's folder enter. The only door to PyTorch."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vision.documents import read_document
from vision.learn.recipes import RECIPES, FinderRecipe, drawn

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """Where a training lives, and what it is given."""

    out: Path
    recipe: Path | None = None
    art: Path | None = None
    photos: Path | None = None


def train_finder(run: Run, tell: Tell) -> None:
    """Draw what the recipe asks for, then train."""
    from vision.learn.finder.sources import Sources
    from vision.learn.finder.train import Plan, train

    recipe = read_document(run.recipe or RECIPES / "finder.toml", FinderRecipe)
    pictures = run.out / "pictures"
    tell(f"{len(drawn(recipe.pictures, pictures, run.art))} pictures to learn from")
    sources = Sources(pictures, run.art, run.photos, run.out / "photo-cards.json")
    train(Plan(sources, run.out, recipe.tiles, recipe.seed, recipe.threads), tell)


def export_finder(out: Path, models: Path) -> None:
    """Write the finder's model."""
    from vision.learn.finder.export import export

    export(out, models)


TRAIN: dict[str, Callable[[Run, Tell], None]] = {"finder": train_finder}
EXPORT: dict[str, Callable[[Path, Path], None]] = {"finder": export_finder}
