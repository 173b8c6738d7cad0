"""Casino chips as configuration: denominations, and what each looks like from above and from the side."""

import struct
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from vision.values.documents import read_document
from vision.values.errors import InputError
from vision.values.sizes import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
PICTURES = {"face_picture": (24, 2048), "edge_picture": (4, 8192)}  # shortest and longest side of each, in pixels
PNG = b"\x89PNG\r\n\x1a\n"


class ChipEntry(BaseModel):
    """Anything in a chip set: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EdgeSpots(ChipEntry):
    """Blocks of colour on the edge, evenly spaced; they reach onto the face as far as the inlay."""

    colour: Colour
    count: Annotated[int, Field(ge=1, le=24)]
    width_deg: Annotated[float, Field(gt=0, le=180)]
    offset_deg: float = 0.0


class Chip(ChipEntry):
    """One denomination."""

    cents: Annotated[int, Field(gt=0)]
    base: Colour
    spots: list[EdgeSpots] = []
    inlay: Colour = "#f4f1e8"
    inlay_diameter_mm: float = 24.0
    ring: Colour | None = None
    text: str
    text_colour: Colour = "#202020"
    face_picture: Path | None = Field(default=None, exclude=True)  # from above, cut along the rim
    edge_picture: Path | None = Field(default=None, exclude=True)  # one turn of the edge, unrolled

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.face_picture is None) != (self.edge_picture is None):
            raise ValueError("want face_picture and edge_picture, or neither")
        return self


class ChipSet(ChipEntry):
    """The chips of a house."""

    name: str
    diameter_mm: Annotated[float, Field(gt=20, lt=60)] = CHIP_DIAMETER_MM
    thickness_mm: Annotated[float, Field(gt=1, lt=6)] = CHIP_THICKNESS_MM
    chip: Annotated[list[Chip], Field(min_length=1)]

    @model_validator(mode="after")
    def _rising(self) -> Self:
        values = [chip.cents for chip in self.chip]
        if values != sorted(set(values)):
            raise ValueError(f"chip: {values}: want denominations in rising order, none twice")
        return self

    def of(self, cents: int) -> Chip:
        """Return a denomination's chip."""
        return next(chip for chip in self.chip if chip.cents == cents)

    def break_down(self, cents: int) -> tuple[int, ...]:
        """Return the fewest chips that make an amount, largest at the bottom; raise where none do."""
        chips: list[int] = []
        for chip in reversed(self.chip):
            count, cents = divmod(cents, chip.cents)
            chips += [chip.cents] * count
        if cents:
            raise ValueError(f"{cents} cents are left over: want chips for them")
        return tuple(chips)


def read_chip_set(path: Path) -> ChipSet:
    """Read and check one chip set; its pictures are looked for beside it."""
    chips = read_document(path, ChipSet)
    return chips.model_copy(update={"chip": [_with_pictures(chip, path, i) for i, chip in enumerate(chips.chip)]})


def _with_pictures(chip: Chip, sheet: Path, index: int) -> Chip:
    """Return a chip whose pictures are whole paths, and there."""
    found: dict[str, Path] = {}
    for field, sides in PICTURES.items():
        name: Path | None = getattr(chip, field)
        if name is not None:
            found[field] = sheet.parent / name
            _check_picture(found[field], sides, f"{sheet}: chip[{index}].{field}")
    return chip.model_copy(update=found)


def _check_picture(path: Path, sides: tuple[int, int], where: str) -> None:
    """Refuse a picture that is missing, no PNG, or of a size that cannot be meant; its pixels are read later."""
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError as error:
        raise InputError(f"{where}: {path}: cannot be read: {error.strerror}") from error
    if len(head) < 24 or not head.startswith(PNG):
        raise InputError(f"{where}: {path}: not a PNG picture")
    size = struct.unpack(">II", head[16:24])
    if min(size) < sides[0] or max(size) > sides[1]:
        raise InputError(f"{where}: {path}: {size[0]}x{size[1]} pixels: want sides of {sides[0]} to {sides[1]}")
