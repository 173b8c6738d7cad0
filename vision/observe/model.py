"""How the detectors err: a data file enters, the rates by which presence, faces and chips are weighed leave.

`calibration/observation/CLASS.toml` holds them for each view class; `feltwatch suite observation` fits them on film.
Without a file the rates are those of detectors that hardly err: for what the simulator tells without errors.
"""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from vision.table.table import Table
from vision.table.views import measure_view
from vision.values.documents import read_document
from vision.values.resources import shipped

Share = Annotated[float, Field(ge=0, le=1)]
Rate = Annotated[float, Field(gt=0, lt=1)]
Length = Annotated[float, Field(gt=0)]


class ModelEntry(BaseModel):
    """Anything in the file: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FoundRates(ModelEntry):
    """How things of one kind are found while they lie still and show well."""

    missed: Rate = 0.01  # of looks, after one that found it: a fresh error
    missed_s: Length = 0.4  # what is missed stays so for so long, on average: a lasting one
    never: Share = 0.0  # of things, never found while they lie there
    jitter_mm: Length = 1.0  # deviation of x and of y from look to look
    jumps: Rate = 0.01  # of looks, placed off by more than that


class FaceRates(ModelEntry):
    """How faces are read that show well."""

    misread: Rate = 0.01  # of looks that disagree with another look at the same face: fresh errors
    again: Share = 0.5  # what a further look at the same unmoved face adds: its lasting errors are not new ones
    lasting: Rate = 0.0001  # of faces, read wrongly in every look


class ChipRates(ModelEntry):
    """How stacks are read that show well."""

    misread: Rate = 0.1  # as of faces
    again: Share = 0.3
    lasting: Rate = 0.001  # of stacks, whose amount is not among those that are read
    sharpness: Length = 1.0  # below 1: readings are surer than they are right


class FalseRates(ModelEntry):
    """What is found and is not there."""

    by_hand: Rate = 0.02  # of what is found once, where a hand was near
    alone: Rate = 0.3  # the same where none was
    lasts_s: Length = 0.5  # it is seen for so long, on average
    lasting_by_hand: Rate = 0.002  # of what is seen again and again
    lasting_alone: Rate = 0.03
    flipped: Rate = 0.006  # looks that take a face for a back, or the other way round


class HandRates(ModelEntry):
    """What people do with things, before anything was seen of it."""

    gone: Rate = 0.3  # things that fingertips were at are taken away
    gone_alone: Rate = 2e-5  # per second
    turned: Rate = 0.1  # cards that fingertips were at within a second lie on their other side
    turned_alone: Rate = 1e-4  # per look
    replaced: Rate = 0.005  # cards in whose place another lies a look later
    shifted: Rate = 0.02  # cards that fingertips were at lie a little elsewhere
    shifted_alone: Rate = 1e-4  # per look; a pitched card pushes others
    changed: Rate = 0.2  # stacks that fingertips were at have other chips
    changed_under_arm: Rate = 0.02  # those that lay in the box of an arm
    changed_alone: Rate = 1e-5  # per look


class Origin(ModelEntry):
    """What a model was fitted on."""

    view: str
    models: str  # checksum of the cards of models/
    clips: int
    looks: dict[str, int]
    about: str


class ObservationModel(ModelEntry):
    """All rates; those of `false` and `hands` are assumed, the others fitted where there is an `origin`."""

    origin: Origin | None = None
    cards_up: FoundRates = FoundRates()
    cards_down: FoundRates = FoundRates()
    stacks: FoundRates = FoundRates()
    others: FoundRates = FoundRates(jitter_mm=3.0)
    faces: FaceRates = FaceRates()
    chips: ChipRates = ChipRates()
    false: FalseRates = FalseRates()
    hands: HandRates = HandRates()

    def found(self, side: str) -> FoundRates:
        """Return the rates of a kind of thing."""
        return {"card_up": self.cards_up, "card_down": self.cards_down, "stack": self.stacks}.get(side, self.others)


def read_model(view: str, folder: Path | None = None) -> ObservationModel:
    """Read the model of a view class."""
    place = folder or shipped("calibration") / "observation"
    return read_document(place / f"{view}.toml", ObservationModel)


def model_of(table: Table) -> ObservationModel:
    """Return the model of a table's view class."""
    return read_model(measure_view(table.camera, table.layout).name)
