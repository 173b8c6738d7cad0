"""What stacks are usually like: stacks enter, shares of heights and steps leave; the simulator's bettors as a file."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import numpy as np

from studio.learn.chips.contents import MOST, random_chips
from studio.learn.chips.crops import LOW_CHIPS, TALL_SHARE
from studio.play.players import Dice, open_table, place_bets
from vision.detect.stack_prior import COUNTS, StackPrior
from vision.rules.book.sheet import read_sheet
from vision.values.resources import shipped

TABLES = 60  # of each house
LEARNED = 100_000  # stacks that are counted of those that are painted
KINDS = 6  # denominations of a house, for the counting


def counted(name: str, about: str, stacks: Iterable[tuple[int, ...]]) -> StackPrior:
    """Return the shares in stacks, bottom to top; what never occurred is taken to have occurred once."""
    counts, steps, number = np.ones(COUNTS), np.ones(3), 0
    for chips in stacks:
        number += 1
        counts[min(len(chips), COUNTS) - 1] += 1
        for lower, upper in itertools.pairwise(chips):
            steps[0 if lower == upper else 1 if lower > upper else 2] += 1
    return StackPrior(name=name, about=about, stacks=number, counts=_shares(counts), steps=_shares(steps))


def painted_stacks() -> Iterator[tuple[int, ...]]:
    """Yield stacks as batches hold them: low ones, and some of any height."""
    rng = np.random.default_rng(31)
    for _ in range(LEARNED):
        yield random_chips(rng, KINDS, MOST if rng.random() < TALL_SHARE else LOW_CHIPS)


def wagered_stacks() -> Iterator[tuple[int, ...]]:
    """Yield what the simulator's players bet, at tables of every house."""
    for path in sorted((shipped("calibration") / "houses").glob("*.toml")):
        sheet = read_sheet(path)
        for seed in range(TABLES):
            table = open_table(sheet, Random(seed))  # noqa: S311 - chance on a film set
            dice = Dice(seed, 1)
            for person in table.people:
                yield from place_bets(sheet, person, dice).values()


def export(runs: Path, models: Path) -> None:
    """Write the prior of wagers, which neither a run nor a model has a say in."""
    del runs, models
    write_wagers(shipped("calibration") / "priors")


def write_wagers(folder: Path) -> Path:
    """Write the prior of wagers; return where."""
    prior = counted("wagers", "wagers of the simulator's players, all houses", wagered_stacks())
    folder.mkdir(exist_ok=True)
    path = folder / "wagers.toml"
    lines = ["# Written by `feltwatch export priors`; read by vision/detect/stack_prior.py.", f'name = "{prior.name}"']
    lines += [f'about = "{prior.about}"', f"stacks = {prior.stacks}", f"counts = {prior.counts}"]
    path.write_text("\n".join([*lines, f"steps = {prior.steps}"]) + "\n", encoding="utf-8")
    return path


def _shares(numbers: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    return [round(float(share), 5) for share in numbers / numbers.sum()]
