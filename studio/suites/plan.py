"""What a suite plays: how many rounds and of what enters, jobs leave, in an order of which every beginning is fair.

The kinds of rounds (a fault of each code, and rounds without) come in blocks, each block shuffled. A job takes from the
front of that line what can be played together: at one house, in one clip. More rounds of the same seed begin with the
same jobs.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from studio.film.production import Order
from studio.play.faults import FAULTS, possible_faults
from studio.suites.houses import Place, sheet_path
from vision.rules.book.sheet import HouseSheet
from vision.values.errors import InputError, shown

CLEAN: Final = "clean"
LOOKAHEAD: Final = 60  # rounds in line from which a clip is put together
COUNT_DUE: Final = "stub-count-due"  # to be seen only where a film shows all the rounds since the last count
COUNT_ROUNDS: Final = 5
OLD_DECK: Final = "deck-change-due"  # needs a deck that nobody opened on film
NEW_DECK: Final = ("stub-count-wrong", "wrong-deck", OLD_DECK)  # after these, or before, the count begins anew
USUAL_INNOCENTS: Final = 0.4
FIRST_SEED: Final = 500_000_000  # far from the seeds of training footage
TRIES: Final = 100  # seeds of one job


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked of a suite."""

    rounds: int
    seed: int = 1
    only: tuple[str, ...] = ()  # codes, faults, 'clean'; empty: all
    without: tuple[str, ...] = ()  # codes that this suite cannot show
    clean_share: float = 0.4
    clean_innocents: tuple[float, ...] = (0.0, 1.0)  # shares of clean rounds with an innocent confusion, clip by clip
    sizes: tuple[int, ...] = (1, 1, 2, 3, 4)  # rounds of a clip, drawn from these
    most_seats: int | None = None  # None: any number
    views: tuple[str, ...] = ()  # view classes, which take turns clip by clip; empty: nothing is filmed


@dataclass(frozen=True, slots=True)
class Job:
    """A clip to be played: faults go one to a round; without any, so many clean rounds."""

    number: int
    seed: int
    house: str
    dealing: str
    rounds: int
    faults: tuple[str, ...] = ()
    innocents: float = USUAL_INNOCENTS
    seats: tuple[int, ...] = ()
    view: str | None = None  # the view class of its camera

    @property
    def name(self) -> str:
        """Return the name of its clip."""
        return f"{self.number:04d}"

    @property
    def place(self) -> Place:
        """Return where it is played."""
        return self.house, self.dealing

    def order(self, attempt: int, houses: Path) -> Order:
        """Return what is to be played, at the attempt's own seed; few seats may never offer it: in the end all play."""
        return Order(
            rounds=self.rounds,
            seed=FIRST_SEED + (self.seed * 100_000 + self.number) * TRIES + attempt,
            house=str(sheet_path(houses, self.place)),
            faults=self.faults,
            innocents=self.innocents > 0,
            innocent_rate=self.innocents,
            seats=SEATS if self.seats and attempt >= TRIES // 2 else self.seats,
        )


def code_of(fault: str) -> str:
    """Return the alert code of a fault."""
    return fault.partition(":")[0]


def plan(wish: Wish, sheets: Mapping[Place, HouseSheet]) -> list[Job]:
    """Return the jobs of a suite: as many as are needed for the wished rounds."""
    jobs: list[Job] = []
    line = _Line(wish, sheets)
    while sum(job.rounds for job in jobs) < wish.rounds:
        jobs.append(line.next_job(len(jobs)))
    return jobs


def wanted_faults(wish: Wish, sheets: Mapping[Place, HouseSheet]) -> dict[str, list[str]]:
    """Return the faults to be made, by their code: those that can be made at some house."""
    known = {CLEAN, *FAULTS, *map(code_of, FAULTS)}
    for name in wish.only:
        if name not in known:
            raise InputError(f"--only: {shown(name)}: want one of {', '.join(sorted(known))}")
    possible = {name for sheet in sheets.values() for name in possible_faults(sheet)}
    found: dict[str, list[str]] = {}
    for name in (name for name in FAULTS if name in possible):
        code = code_of(name)
        if (not wish.only or {name, code} & {*wish.only}) and code not in wish.without:
            found.setdefault(code, []).append(name)
    return found


@dataclass
class _Line:
    """The rounds that wait to be played, and the houses, which take turns."""

    wish: Wish
    sheets: Mapping[Place, HouseSheet]
    waiting: list[str] = field(default_factory=list)
    blocks: int = 0
    clean_clips: int = 0

    def __post_init__(self) -> None:
        self._chance = random.Random(f"suite {self.wish.seed}")  # noqa: S311 - chance in a plan
        self._faults = wanted_faults(self.wish, self.sheets)
        self._possible = {place: possible_faults(sheet) for place, sheet in self.sheets.items()}
        self._places = sorted(self.sheets)
        self._chance.shuffle(self._places)

    def next_job(self, number: int) -> Job:
        """Take the next clip from the line."""
        while len(self.waiting) < LOOKAHEAD:
            self.waiting += self._block()
        head = self.waiting.pop(0)
        size = self._chance.choice(self.wish.sizes)
        place = self._next_place(head)
        job = partial(
            Job,
            number=number,
            seed=self.wish.seed,
            house=place[0],
            dealing=place[1],
            seats=self._seats(),
            view=self.wish.views[number % len(self.wish.views)] if self.wish.views else None,
        )
        if head == CLEAN:
            return job(rounds=1 + len(self._take([CLEAN], size - 1)), innocents=self._clean_innocents())
        faults = self._faults_of_clip(head, self._possible[place], size)
        return job(rounds=len(faults), faults=faults)

    def _clean_innocents(self) -> float:
        self.clean_clips += 1
        return self.wish.clean_innocents[self.clean_clips % len(self.wish.clean_innocents)]

    def _block(self) -> list[str]:
        """Return one round with a fault of each code, and its share of clean ones, shuffled."""
        faulty = [names[self.blocks % len(names)] for names in self._faults.values()]
        share = self.wish.clean_share
        clean = round(len(faulty) * share / (1 - share)) if not self.wish.only else int(CLEAN in self.wish.only)
        self.blocks += 1
        block = [*faulty, *[CLEAN] * clean]
        self._chance.shuffle(block)
        return block

    def _next_place(self, head: str) -> Place:
        """Return the house whose turn it is, of those where a round can be played."""
        place = next(each for each in self._places if head == CLEAN or head in self._possible[each])
        self._places.remove(place)
        self._places.append(place)
        return place

    def _take(self, allowed: Sequence[str], most: int) -> list[str]:
        """Take rounds of some kinds from the front of the line."""
        taken: list[str] = []
        for name in [name for name in self.waiting[:LOOKAHEAD] if name in allowed][:most]:
            self.waiting.remove(name)
            taken.append(name)
        return taken

    def _faults_of_clip(self, head: str, possible: Sequence[str], size: int) -> tuple[str, ...]:
        """Return the faults of a clip."""
        if head == OLD_DECK:
            return (head,)
        if head != COUNT_DUE:
            others = [name for name in possible if name not in (COUNT_DUE, OLD_DECK)]
            return (head, *self._take(others, size - 1))
        others = [name for name in possible if code_of(name) not in (COUNT_DUE, *NEW_DECK)]
        first = self._take(others, COUNT_ROUNDS - 1)
        first += [self._chance.choice(others) for _ in range(COUNT_ROUNDS - 1 - len(first))]
        return (*first, head)

    def _seats(self) -> tuple[int, ...]:
        if self.wish.most_seats is None:
            return ()
        return tuple(sorted(self._chance.sample(SEATS, self._chance.randint(1, self.wish.most_seats))))


SEATS: Final = (1, 2, 3, 4, 5)  # every felt has these


def attempts(job: Job, houses: Path) -> Iterator[Order]:
    """Yield the orders to try: one may ask for what cannot happen at the table that its seed draws."""
    return (job.order(attempt, houses) for attempt in range(TRIES))
