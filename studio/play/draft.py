"""A round that is written but not yet acted out: clean moves enter, edits change them, marked moves leave."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from studio.play.clean_round import bonus_wagers
from studio.play.players import BASE, Dice, Unsuited
from studio.play.replay import SETTLING
from studio.play.script import Do, Move
from vision.rules.book.sheet import HouseSheet
from vision.values.cards import Card

CLEARING = (Do.TAKE, Do.MUCK, Do.REVEAL, Do.MUCK_DEALER)


@dataclass(eq=False)
class Step:
    """A move in a draft: its place may still change, and so may the move."""

    move: Move


@dataclass(frozen=True, slots=True)
class Mark:
    """A fault in a draft, at the step where it begins."""

    name: str
    code: str
    step: Step
    seat: int | None
    wager: str | None


@dataclass
class Draft:
    """A round that is written but not yet acted out."""

    sheet: HouseSheet
    steps: list[Step]
    stub: list[Card]  # cards that were not dealt
    deck: int
    last_deck: int
    is_first: bool  # nothing of this table was filmed before
    is_count_due: bool
    deck_opened_ns: int | None = None  # stream time; None: nobody says
    is_deck_new: bool = False  # it was opened on film
    marks: list[Mark] = field(default_factory=list)
    name: str = ""  # of the fault that is being written

    @property
    def moves(self) -> list[Move]:
        """Return the moves as they stand."""
        return [step.move for step in self.steps]

    def find(self, *dos: Do, seat: int | None = None, wager: str | None = None, zone: str | None = None) -> list[Step]:
        """Return the steps of some kinds, in order; what is not named may be anything."""
        return [
            step
            for step in self.steps
            if step.move.do in dos
            and (seat is None or step.move.seat == seat)
            and (wager is None or step.move.wager == wager)
            and (zone is None or step.move.zone == zone)
        ]

    def first(self, *dos: Do, seat: int | None = None) -> Step:
        """Return the first step of some kinds; draw again where there is none."""
        found = self.find(*dos, seat=seat)
        if not found:
            raise Unsuited(f"no {dos[0]}")
        return found[0]

    def put(self, move: Move, before: Step | None = None, after: Step | None = None) -> Step:
        """Insert a move beside another, or at the end."""
        step = Step(move)
        at = self.steps.index(before) if before else self.steps.index(after) + 1 if after else len(self.steps)
        self.steps.insert(at, step)
        return step

    def shift(self, step: Step, before: Step) -> None:
        """Move a step to another place."""
        self.steps.remove(step)
        self.steps.insert(self.steps.index(before), step)

    def change(self, step: Step, **fields: object) -> None:
        """Change a move where it stands."""
        step.move = replace(step.move, **fields)  # type: ignore[arg-type]

    def mark(self, step: Step, seat: int | None = None, wager: str | None = None, code: str | None = None) -> None:
        """Say that a fault begins at a step."""
        code = code or self.name.split(":")[0]
        self.change(step, fault=code)
        self.marks.append(Mark(self.name, code, step, seat, wager))

    def settled(self) -> list[Step]:
        """Return the payments and takings after the last reveal, of wagers about which the rules speak."""
        self.first(Do.REVEAL)
        reveal = self.steps.index(self.find(Do.REVEAL)[-1])
        late = set(map(id, self.steps[reveal:]))
        return [s for s in self.find(Do.PAY, Do.TAKE) if id(s) in late and not s.move.fault and self.is_decided(s.move)]

    def is_decided(self, move: Move) -> bool:
        """Return whether the rules themselves say what is due on a move's wager; else only custom does."""
        plan = self.sheet.house.plans.get(move.wager or "")
        return plan is None or all(rule.row.unresolved is None for rule in plan.rules)

    def between(self, dice: Dice, start: Step, end: Step | None = None) -> Step:
        """Return a step after which something may happen, from one step up to another (or the first clearing)."""
        here = self.steps.index(start)
        there = self.steps.index(end) if end else self._decisions_end()
        return dice.pick(self.steps[here:there])

    def _decisions_end(self) -> int:
        stub = self.steps.index(self.first(Do.STUB))
        return next(i for i, step in enumerate(self.steps) if i > stub and step.move.do in CLEARING)

    def turn_of(self, seat: int) -> list[Step]:
        """Return the payments and takings of a seat after its cards were shown."""
        shown = self.steps.index(self.first(Do.SHOW, seat=seat))
        known = self.sheet.house.game.wagers
        return [s for s in self.find(*SETTLING, seat=seat) if self.steps.index(s) > shown and s.move.wager in known]

    def while_dealing(self, dice: Dice) -> Step:
        """Return a step after which something may happen once cards are dealt, up to the first clearing."""
        return self.between(dice, self.first(Do.DEAL))

    def is_stake(self, move: Move) -> bool:
        """Return whether a move's wager lies on the layout until it is settled."""
        spec = self.sheet.house.game.stakes.get(move.wager or "")
        return spec is not None and spec.taken is None

    def is_side(self, move: Move) -> bool:
        """Tell whether a move's wager lies there besides the game itself, and is read without the bonus cards."""
        wager = self.sheet.house.game.stakes.get(move.wager or "")
        is_own = wager is not None and wager.of is None and wager.equal_to is None and wager.id != BASE
        return is_own and self.is_stake(move) and move.wager not in bonus_wagers(self.sheet.house)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault as the registry holds it: the edit, and where it is one at all."""

    edit: Callable[[Draft, Dice], None]
    fits: Callable[[HouseSheet], bool] = lambda _: True
