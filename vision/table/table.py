"""A table: a camera above a layout, with its chips, decks and house sheet. `table.toml` enters, a Table leaves."""

from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from vision.table.camera_file import CameraEntry, camera_path, read_camera
from vision.table.layout import Layout, read_layout
from vision.values.chips import ChipSet, read_chip_set
from vision.values.documents import read_document
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera
from vision.values.resources import shipped


class TableEntry(BaseModel):
    """Anything in a table file: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class LensEntry(TableEntry):
    """What is known of the lens before calibrating; a known focal length makes the height of stacks exact."""

    focal_px: Annotated[float, Field(gt=0)] | None = None
    distortion: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None


class DeckEntry(TableEntry):
    """A deck that is used on the table: the design of its faces and of its backs."""

    faces: str
    back: str


class TableFile(TableEntry):
    """What a table file says. Paths are relative to it; bare names lie in the shipped `calibration` folder."""

    name: str
    source: str | None = None
    layout: str
    chips: str
    house: str
    deck: list[DeckEntry] = []
    lens: LensEntry | None = None
    camera: CameraEntry | None = None


class Table:
    """A table with all that its file names."""

    def __init__(self, path: Path, file: TableFile) -> None:
        self.path = path
        self.file = file

    @cached_property
    def layout(self) -> Layout:
        """Return the felt."""
        return read_layout(self.layout_folder)

    @property
    def layout_folder(self) -> Path:
        """Return where the layout and its artwork lie."""
        return self._find(self.file.layout, "layouts", "layout.toml").parent

    @cached_property
    def chips(self) -> ChipSet:
        """Return the chips in use."""
        return read_chip_set(self._find(self.file.chips, "chips", ""))

    @property
    def source(self) -> str | None:
        """Return the camera's address, or the video file, which may lie beside the table file."""
        beside = self.path.parent / (self.file.source or "")
        return str(beside) if self.file.source and beside.is_file() else self.file.source

    @property
    def back_pictures(self) -> dict[str, Path]:
        """Return the pictures of its decks' backs, of those that have one: beside the table file, or shipped."""
        folders = (self.path.parent, shipped("calibration") / "decks")
        places = [(deck.back, folder / f"{deck.back}.png") for deck in self.file.deck for folder in reversed(folders)]
        return {name: place for name, place in places if place.is_file()}

    @property
    def house_path(self) -> Path:
        """Return where the house sheet lies."""
        return self._find(self.file.house, "houses", "")

    @property
    def camera(self) -> Camera:
        """Return the calibrated camera: as it was last registered, else as the table file has it."""
        saved = camera_path(self.path)
        if saved.is_file():
            return read_camera(saved)
        if self.file.camera is None:
            raise InputError(f"{self.path}: camera: missing: calibrate the table first (`feltwatch calibrate`)")
        return self.file.camera.camera()

    def _find(self, name: str, folder: str, inside: str) -> Path:
        """Find a file by its path beside the table file, or by its name among the shipped ones."""
        stem = name if inside or name.endswith(".toml") else f"{name}.toml"
        for place in (
            self.path.parent / name / inside if inside else self.path.parent / name,
            self._shipped(folder, stem, inside),
        ):
            if place.is_file():
                return place
        raise InputError(f"{self.path}: {folder}: {shown(name)}: no such file beside it or in calibration/{folder}")

    @staticmethod
    def _shipped(folder: str, stem: str, inside: str) -> Path:
        place = shipped("calibration") / folder / stem
        return place / inside if inside else place


def read_table(path: Path) -> Table:
    """Read a table file, or the `table.toml` of a folder."""
    file = path / "table.toml" if path.is_dir() else path
    return Table(file, read_document(file, TableFile))
