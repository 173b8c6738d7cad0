"""What of a table is alerted: observations enter; events, rounds, alerts and coverage leave.

What was done, and whether it was allowed and paid right, is found in `vision.story`; here it is decided what of that is
raised, amended or withdrawn. Alerts about the source itself come from `vision.run.health`.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Final, cast

from vision.alerts import words
from vision.alerts.alert import Alert
from vision.alerts.codes import MISPAID
from vision.alerts.coverage import CoverageLedger
from vision.alerts.factory import AlertFactory
from vision.alerts.outage import OutageWatch
from vision.alerts.unseen import Unseen, may_raise
from vision.observe.frame_observation import FrameObservation
from vision.records.event import Event
from vision.records.message import Message
from vision.records.round import Dealer, Round, RoundVerdict, Seat, Wager
from vision.records.signal import Signal
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import SeatPlay, Status
from vision.rules.play import events as ev
from vision.rules.play.dealscript import SEAT
from vision.story.accounts import BONUS_OF, Accounts, Stage
from vision.story.retelling import played_round, up_card
from vision.story.roundtracker import Happening, RoundInPlay, RoundTracker
from vision.story.verdict import Finding, Verdict, Why, round_verdict
from vision.story.worlds import Dues
from vision.table.layout import Layout
from vision.values.codes import Code

MOST_FRAMES: Final = 8  # that an alert names, the first and the last of its span among them
RECENT: Final = 600  # frames that are remembered


class Judge:
    """Follows one table: decides its alerts and writes its records."""

    def __init__(self, table: str, sheet: HouseSheet, layout: Layout, rounds_before: int = 0) -> None:
        self.table, self.sheet = table, sheet
        self.rounds = RoundTracker(sheet, layout, rounds_before)
        self._accounts = Accounts(self.rounds.floor)
        self._make = AlertFactory(table, {wager.id: wager.name for wager in sheet.house.game.wagers.values()})
        self._alerts: dict[str, Alert] = {}
        self._stages: dict[int, Stage] = {}  # by seat: how far its settlement was when it was last judged
        self._frames: deque[tuple[int, int]] = deque(maxlen=RECENT)  # time and number of recent frames
        self._coverage = CoverageLedger(table)
        self._outages = OutageWatch()
        self._unseen: Unseen | None = None  # the round of which something could not be seen
        self._doubtful_round: str | None = None  # the round in which the camera was in doubt

    def update(self, observation: FrameObservation) -> list[Message]:
        """Take in one observation."""
        messages = list(self._coverage.seen(observation.t_ns))
        self._frames.append((observation.t_ns, observation.index))
        if observation.moved_px is not None:
            messages += self._raise(self._make.camera_moved(self._round_id(), observation.t_ns, observation.moved_px))
        messages += self._watch_view(observation)
        if self._outages.is_unsure(observation) or observation.moved_px is not None:
            self._doubtful_round = self._round_id()
        messages += self._told(self.rounds.update(observation))
        messages += self._judge_early()
        played = self.rounds.round
        if played is not None and played.ended_ns is not None:
            messages += self._ended(played)
        return messages

    def signal(self, signal: Signal) -> list[Message]:
        """Take in what another system says."""
        return list(self._told(self.rounds.signal(signal)))

    def finish(self, t_ns: int) -> list[Message]:
        """End the stream: an open round is written with what is known."""
        messages: list[Message] = []
        played = self.rounds.round
        if played is not None and played.closed_ns is not None and not played.may_be_false_start:
            played.is_cut_off = played.emptied_ns is None
            messages += [*self._told(self.rounds.end()), *self._ended(played)]
        return [*messages, *self._coverage.end(t_ns)]

    def view(self) -> dict[str, object]:
        """Return what is believed now, for pictures."""
        played = self.rounds.round
        if played is None:
            return {"phase": "idle", "seats": {}}
        seats = {
            seat: {s.wager: s.stake.cents for s in played.spots.values() if s.seat == seat and s.is_made}
            for seat in played.seats()
        }
        return {"phase": played.state.stage.id if played.closed_ns else "betting", "seats": seats}

    # ---- Events and rulings

    def _told(self, happenings: Sequence[Happening]) -> Iterator[Message]:
        for happening in happenings:
            yield Message("events", self._event(happening))
            code, unseen = happening.ruling.code, self._lost()
            is_joined = self.rounds.round is not None and self.rounds.round.is_joined
            if code is not None and may_raise(code, happening.t_ns, unseen, is_joined=is_joined):
                yield from self._raise(self._make.from_ruling(self._round_id(), self.rounds.floor.now_ns, happening))
            if isinstance(happening.event, ev.Clear) and happening.event.zone == SEAT:
                yield from self._judge_seat(happening.event.seat)
            if isinstance(happening.event, ev.Take):
                yield from self._judge_taking(happening.event)

    def _event(self, happening: Happening) -> Event:
        return Event(
            kind=type(happening.event).__name__.lower(),
            round=self._round_id(),
            table=self.table,
            t_ns=happening.t_ns,
            confidence=round(happening.confidence, 3),
            **asdict(happening.event),
        )

    def _raise(self, alert: Alert) -> Iterator[Message]:
        known = self._alerts.get(alert.id)
        if known is not None and known.state != "withdrawn":
            if known.observed == alert.observed:
                return
            alert = alert.amended(alert.t_ns, alert.observed)
        self._alerts[alert.id] = alert
        yield Message("alerts", alert.record(self._frames_in(alert.span)))

    def _frames_in(self, span: tuple[int, int]) -> list[int]:
        inside = [index for t_ns, index in self._frames if span[0] <= t_ns <= span[1]]
        count = min(len(inside), MOST_FRAMES)
        return [inside[round(i * (len(inside) - 1) / max(count - 1, 1))] for i in range(count)]

    # ---- Money

    def _judge_seat(self, seat: int | None) -> Iterator[Message]:
        """Judge the wagers of a seat when the dealer is done with it."""
        played = self.rounds.round
        if played is None or seat is None:
            return
        due = self._accounts.dues(played)
        for wager, verdict in self._verdicts(played, due, seat).items():
            if verdict.code not in (None, Code.LOSER_NOT_COLLECTED) and not self._is_void_settled():
                yield from self._raise(self._money_alert(played, seat, wager, verdict))

    def _judge_early(self) -> Iterator[Message]:
        """Judge what is certain before the end of the round: chips that stand there paid, and stakes that are left."""
        played = self.rounds.round
        if played is None or played.revealed_ns is None or played.state.void is not None:
            return
        for seat in played.seats():
            stage = self._accounts.stage(played, seat)
            if stage is None or self._stages.get(seat) == stage:
                continue
            self._stages[seat] = stage
            for wager, verdict in self._verdicts(played, self._accounts.dues(played), seat).items():
                if verdict.code is not None and self._accounts.is_final(played, seat, wager, verdict.code):
                    yield from self._raise(self._money_alert(played, seat, wager, verdict))

    def _is_void_settled(self) -> bool:
        """Say whether it was told that a void round is settled: that is one mistake, not one for each wager."""
        return any(alert.code == Code.VOID_NOT_HONOURED for alert in self._alerts.values())

    def _judge_taking(self, event: ev.Take) -> Iterator[Message]:
        """Judge chips that the dealer takes as soon as they are gone: a winner's are never taken."""
        played = self.rounds.round
        if played is None or played.spots[event.seat, event.wager].taken_by != "dealer":
            return
        verdict = self._verdicts(played, self._accounts.dues(played), event.seat).get(event.wager)
        if verdict is not None and verdict.code == Code.WINNER_COLLECTED:
            yield from self._raise(self._money_alert(played, event.seat, event.wager, verdict))

    def _verdicts(self, played: RoundInPlay, due: Dues, seat: int) -> dict[str, Verdict]:
        judged, unseen = self._accounts.verdicts(played, due, seat), self._lost()
        if unseen is not None:
            return unseen.judged(played, seat, judged)
        if self._doubtful_round != self._round_id():
            return judged
        return {wager: _doubted(verdict) for wager, verdict in judged.items()}

    def _money_alert(self, played: RoundInPlay, seat: int, wager: str, verdict: Verdict) -> Alert:
        spot = played.spots.get((seat, "ante" if wager == BONUS_OF else wager))
        start = spot.payments[0].start_ns if spot is not None and spot.payments else played.revealed_ns
        span = (start or played.started_ns, self.rounds.floor.now_ns)
        return self._make.from_verdict(self._round_id(), span, (seat, wager), verdict)

    # ---- The end of a round

    def _ended(self, played: RoundInPlay) -> Iterator[Message]:
        if played.is_called_off:
            played.unfold()
        due = self._accounts.dues(played)
        verdicts = {
            (seat, wager): verdict
            for seat in played.seats()
            for wager, verdict in self._verdicts(played, due, seat).items()
        }
        yield from self._final_alerts(played, verdicts)
        yield Message("rounds", self._record(played, due, verdicts))
        self._alerts.clear()
        self._stages.clear()
        self.rounds.next_round()

    def _final_alerts(self, played: RoundInPlay, verdicts: dict[tuple[int, str], Verdict]) -> Iterator[Message]:
        for (seat, wager), verdict in verdicts.items():
            if verdict.code is not None and not self._is_void_settled():
                yield from self._raise(self._money_alert(played, seat, wager, verdict))
        unseen = self._lost()
        for alert in list(self._alerts.values()):
            final = verdicts.get((alert.seat or 0, alert.wager or ""))
            is_wrong = final is not None and final.code == alert.code
            is_before = unseen is not None and alert.t_ns < unseen.outage.start_ns
            is_refuted = alert.code in MISPAID and not is_wrong and not is_before
            if alert.state != "withdrawn" and is_refuted:
                taken_back = alert.withdrawn(self.rounds.floor.now_ns, words.WITHDRAWN)
                self._alerts[alert.id] = taken_back
                yield Message("alerts", taken_back.record(self._frames_in(alert.span)))

    def _record(self, played: RoundInPlay, due: Dues, verdicts: dict[tuple[int, str], Verdict]) -> Round:
        as_played = played_round(self.rounds.floor, played)
        status = Status.VOID if played.is_called_off else due.status
        return Round(
            id=self._round_id(),
            table=self.table,
            game=self.sheet.game,
            house=self.sheet.name,
            started_ns=played.started_ns,
            ended_ns=played.ended_ns or self.rounds.floor.now_ns,
            verdict=cast("RoundVerdict", round_verdict(verdicts, status)),
            dealer=Dealer(cards=tuple(map(str, as_played.dealer)), up_card=up_card(self.rounds.floor, played)),
            bonus_card=str(as_played.bonus[0]) if as_played.bonus else None,
            seats=tuple(_seat(play, verdicts) for play in as_played.seats),
            events=tuple(self._event(happening) for happening in played.happenings),
            alerts=tuple(alert.id for alert in self._alerts.values() if alert.state != "withdrawn"),
        )

    def _round_id(self) -> str:
        played = self.rounds.round
        return f"{self.table}-{played.number:04d}" if played is not None else f"{self.table}-idle"

    # ---- The view

    def _watch_view(self, observation: FrameObservation) -> Iterator[Message]:
        """Follow whether the table is seen, and remember the round of which something is not."""
        outage = self._outages.update(observation.t_ns, observation.trouble)
        if outage is not None:
            yield from self._coverage.unseen(outage)
            alert = self._make.from_outage(self._round_id(), outage)
            self._alerts |= {alert.id: alert} if alert.state == "raised" else {}
            yield Message("alerts", alert.record(self._frames_in(alert.span)))
        if self._outages.now is not None:
            self.rounds.look_afresh()
        lasting, known = self._outages.now or outage, self._lost()
        if lasting is not None and known is not None:
            self._unseen = replace(known, outage=replace(lasting, start_ns=known.outage.start_ns))
        elif lasting is not None and observation.trouble is not None and self.rounds.round is not None:
            standing = frozenset(stack.id for stack in self.rounds.floor.tracker.stacks)
            self._unseen = Unseen(self._round_id(), lasting, standing)

    def _lost(self) -> Unseen | None:
        """Return what could not be seen of the round that is played."""
        return self._unseen if self._unseen is not None and self._unseen.round_id == self._round_id() else None


def _doubted(verdict: Verdict) -> Verdict:
    """Return a verdict from a round in which the camera was in doubt: what seems wrong may only seem so."""
    if verdict.verdict != "wrong":
        return verdict
    return replace(verdict, verdict="unverifiable", why=Why(Finding.CAMERA_MOVED), code=None)


def _seat(play: SeatPlay, verdicts: dict[tuple[int, str], Verdict]) -> Seat:
    judged = {wager: verdict for (seat, wager), verdict in verdicts.items() if seat == play.seat}
    return Seat(
        seat=play.seat,
        cards=tuple(map(str, play.cards)),
        decision="fold" if play.folded else "play" if play.stake("play") else "none",
        wagers={wager: _wager(verdict) for wager, verdict in judged.items()},
    )


def _wager(verdict: Verdict) -> Wager:
    fields = asdict(verdict) | {"why": words.finding_words(verdict.why)}
    return Wager(**{name: fields[name] for name in Wager.model_fields})
