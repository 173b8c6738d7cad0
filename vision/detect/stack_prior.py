"""What stacks are usually like: a file of shares enters; what it adds to a reader's scores leaves.

A reader has learned from stacks of every kind. Where people bet, some kinds are rarer: a prior says how often stacks
have so many chips, and how often the next lower chip is the same, a dearer one or a cheaper one. It is a file in
`calibration/priors/`, learned from the simulator's bettors or counted at a table, and every reading names it.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from vision.values.documents import read_document
from vision.values.geometry import Floats
from vision.values.resources import shipped

COUNTS = 21  # one chip, two, … twenty, more
UNUSUAL = 0.05  # share of stacks that are as the reader learned them, whatever is usual here
Share = Annotated[float, Field(ge=0, le=1)]


class StackPrior(BaseModel):
    """Shares of stacks by their height, and of steps down by what comes below."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    about: str
    stacks: Annotated[int, Field(gt=0)]  # that were counted
    counts: Annotated[list[Share], Field(min_length=COUNTS, max_length=COUNTS)]
    steps: Annotated[list[Share], Field(min_length=3, max_length=3)]  # the same chip, a dearer one, a cheaper one


@dataclass(frozen=True)
class Odds:
    """How much more common things are than the reader learned, as logarithms."""

    name: str
    counts: Floats
    steps: Floats  # same, dearer, cheaper

    def of_pairs(self, kinds: int) -> Floats:
        """Return what is added to the score of each pair of an upper and a lower chip (kinds, kinds)."""
        upper, lower = np.indices((kinds, kinds))
        return np.asarray(self.steps[np.select([lower == upper, lower > upper], [0, 1], 2)])


def read_prior(name: str) -> StackPrior:
    """Read a shipped prior."""
    return read_document(shipped("calibration") / "priors" / f"{name}.toml", StackPrior)


def odds_of(prior: StackPrior, learned: StackPrior) -> Odds:
    """Return what a prior adds for a reader that learned from other stacks."""
    ratios = []
    for usual, known in ((prior.counts, learned.counts), (prior.steps, learned.steps)):
        base = np.maximum(known, 1e-4)
        ratios.append(np.log(((1 - UNUSUAL) * np.array(usual) + UNUSUAL * base) / base))
    return Odds(prior.name, *ratios)
