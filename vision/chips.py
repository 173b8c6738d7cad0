"""Casino chips as configuration: denominations, and what each looks like from above and from the side."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from vision.documents import read_document

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]


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


class ChipSet(ChipEntry):
    """The chips of a house."""

    name: str
    diameter_mm: Annotated[float, Field(gt=20, lt=60)] = 39.0
    thickness_mm: Annotated[float, Field(gt=1, lt=6)] = 3.3
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
    """Read and check one chip set."""
    return read_document(path, ChipSet)
