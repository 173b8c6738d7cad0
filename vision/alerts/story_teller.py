"""From facts to records: facts of one table enter one by one; events, alerts and rounds leave.

The story is explained anew whenever facts change it, so an alert is raised, amended or withdrawn by one rule: what the
best explanation says now, and how likely that is.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Final

from vision.alerts import words
from vision.alerts.alert import Alert
from vision.alerts.factory import AlertFactory
from vision.records import fact as f
from vision.records.alert import InnocentStory
from vision.records.event import Event
from vision.records.message import Message
from vision.rules.book.sheet import HouseSheet
from vision.rules.play import events as ev
from vision.rules.play.ruling import Ruling
from vision.story.explain.board import Board
from vision.story.explain.cards import SECOND
from vision.story.explain.charges import Charge, charges
from vision.story.explain.context import DEALER, WORK, TableContext
from vision.story.explain.events import EventTeller, Step
from vision.story.explain.explain import Explained, Explainer
from vision.story.explain.telling import round_record
from vision.story.playing import Happening
from vision.table.layout import Layout
from vision.values.codes import Code

STEP_NS: Final = SECOND // 4  # between two explanations: a quarter of what an alert may take
IDLE_NS: Final = SECOND  # the same while nothing happens: time alone proves something now and then
OVER_NS: Final = SECOND  # without cards after a reveal: the round is over
UNREVEALED_NS: Final = 4 * SECOND  # the same before it: cards that are dealt may be hidden for a while
RAISE_FROM, KEEP_FROM = (
    0.8,
    0.4,
)  # assumed: posterior from which on an alert is raised, and below which it is taken back
MOST_LEFT: Final = 2  # hands without any chips: fewer are cards that were left
SILENT: Final = frozenset({Code.CARD_TOUCHED})  # not raised: right too seldom


@dataclass
class _RoundState:
    """The round that is being told."""

    number: int
    since_ns: int
    strays: frozenset[int]
    alerts: dict[str, Alert]
    told: Explained | None = None
    steps: list[Step] | None = None


class StoryTeller:
    """Tells the rounds of one table."""

    def __init__(self, table: str, sheet: HouseSheet, layout: Layout, rounds_before: int = 0) -> None:
        self._context = TableContext(table, sheet, layout)
        self._board, self._explainer = Board(), Explainer(self._context)
        self._events = EventTeller(self._context, self._explainer)
        self._make = AlertFactory(table, {wager.id: wager.name for wager in sheet.house.game.wagers.values()})
        self._round = _RoundState(rounds_before + 1, 0, frozenset(), {})
        self._is_news, self._told_ns = False, 0

    def update(self, fact: f.Fact) -> list[Message]:
        """Take in one fact; return what there is to tell."""
        self._is_news = self._board.add(fact) or self._is_news
        if isinstance(fact, f.Ended):
            return [*self._explain(), *self._end_of_stream()]
        passed_ns = self._board.now_ns - self._told_ns
        is_time = passed_ns >= STEP_NS if self._is_news else passed_ns >= IDLE_NS and self._round.told is not None
        return list(self._explain()) if is_time else []

    @property
    def _round_id(self) -> str:
        return f"{self._context.table}-{self._round.number:06d}"

    def _explain(self) -> Iterator[Message]:
        self._is_news, self._told_ns = False, self._board.now_ns
        told = self._explainer.explain(self._board, self._round.since_ns, self._round.strays)
        if told.cards.first_ns is None or not self._is_round(told):
            self._round.told = None
            return
        self._round.told, self._round.steps = told, self._events.tell(told)
        yield from self._judge(told, self._round.steps)
        if self._is_over(told):
            yield from self._close(told, self._board.now_ns)

    def _is_round(self, told: Explained) -> bool:
        """Tell whether cards are dealt to anybody: those of the last round may be seen once more."""
        return bool(told.chips) or len(told.cards.hands) > MOST_LEFT

    def _is_over(self, told: Explained) -> bool:
        last_ns = told.cards.last_gone_ns
        if last_ns is None or told.cards.deal_over_ns is None:
            return False
        folded = all(self._explainer.has_folded(told.cards, chips) for chips in told.chips.values())
        is_expected = told.cards.faces.reveal_ns is not None or folded or told.is_void
        zones = (WORK, *(zone for zone, place in self._context.zones.items() if place == DEALER))
        if any(self._board.was_covered(zone, self._board.now_ns, self._board.now_ns) for zone in zones):
            return False  # what lies there may only be hidden
        return self._board.now_ns - last_ns >= (OVER_NS if is_expected else UNREVEALED_NS)

    # ---- Alerts

    def _judge(self, told: Explained, steps: list[Step]) -> Iterator[Message]:
        """Raise what is likely enough, and take back what is so no more."""
        found: dict[str, tuple[Charge, Alert]] = {}
        for charge in charges(self._context, told, steps, self._board.now_ns):
            if charge.code not in SILENT:
                alert = self._alert(charge)
                if alert.id not in found or charge.p > found[alert.id][0].p:
                    found[alert.id] = (charge, alert)
        for key, (charge, alert) in found.items():
            known = self._round.alerts.get(key)
            is_up = known is not None and known.state != "withdrawn"
            if not is_up and charge.p >= RAISE_FROM:
                yield self._say(alert)
            elif is_up and known is not None and charge.p >= KEEP_FROM and alert.observed != known.observed:
                yield self._say(replace(alert, state="amended"))
        for key, known in list(self._round.alerts.items()):
            p = found[key][0].p if key in found else 0.0
            if known.state != "withdrawn" and p < KEEP_FROM:
                yield self._say(known.withdrawn(self._board.now_ns, words.WITHDRAWN))

    def _say(self, alert: Alert) -> Message:
        self._round.alerts[alert.id] = alert
        return Message("alerts", alert.record([self._board.frame]))

    def _alert(self, charge: Charge) -> Alert:
        innocent = InnocentStory(story=charge.innocent, probability=round(1 - charge.p, 3))
        if isinstance(charge.finding, Ruling):
            event = Happening(charge.span[0], ev.Declare(str(charge.code)), charge.p, charge.finding, charge.span)
            alert = self._make.from_ruling(self._round_id, charge.span[1], event)
        else:
            spot = (charge.seat or 0, charge.wager or "")
            verdict = replace(charge.finding, code=charge.code)
            alert = self._make.from_verdict(self._round_id, charge.span, spot, verdict)
        return replace(alert, confidence=charge.p, innocent=innocent)

    # ---- The end of a round

    def _close(self, told: Explained, ended_ns: int) -> Iterator[Message]:
        """Write the round, and begin the next."""
        for step in self._round.steps or []:
            yield Message("events", self._event(step))
        span = (self._started_ns(told), ended_ns)
        record = round_record(self._context, self._explainer, told, self._round_id, span)
        standing = tuple(key for key, alert in self._round.alerts.items() if alert.state != "withdrawn")
        yield Message("rounds", record.model_copy(update={"alerts": standing}))
        lying = frozenset(t.id for t in self._board.things.values() if t.is_card and t.gone_ns is None)
        self._board.forget(ended_ns - 60 * SECOND)
        self._round = _RoundState(self._round.number + 1, ended_ns, lying, {})

    def _started_ns(self, told: Explained) -> int:
        born = [
            stack.born_ns for chips in told.chips.values() for spot in chips.spots.values() for stack in spot.stakes
        ]
        return max(min([*born, told.cards.first_ns or 0]), self._round.since_ns)

    def _end_of_stream(self) -> Iterator[Message]:
        if self._round.told is not None:
            yield from self._close(self._round.told, self._board.now_ns)

    def _event(self, step: Step) -> Event:
        return Event(
            kind=type(step.event).__name__.lower(),
            round=self._round_id,
            table=self._context.table,
            t_ns=max(step.t_ns, 0),
            confidence=round(step.p, 3),
            **asdict(step.event),
        )
