"""The play: a stage and samples enter; tables are watched one after the other, and what is found is said."""

from collections.abc import Callable, Sequence
from itertools import cycle
from threading import Event
from typing import Final

from vision.alerts.codes import title_of
from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.demo.samples import Sample
from vision.demo.stage import Stage, WatcherProcess
from vision.records.alert import Alert
from vision.records.round import Round
from vision.web import words

LOOK_S: Final = 0.25  # how often the store is looked at
Say = Callable[[str], None]


def play(stage: Stage, samples: Sequence[Sample], stop: Event, say: Say) -> int:
    """Watch the samples, over and over, until told to stop; return how many alerts were raised."""
    teller = Teller(stage, say)
    for sample in cycle(samples):
        what = f"{sample.name}, {sample.seconds} s of footage, slower where this machine cannot keep up"
        teller.say(f"watching table {sample.table}: {what} ({stage.address}/live?table={sample.table})")
        with WatcherProcess(sample, stage.home) as watcher:
            while not stop.wait(LOOK_S) and watcher.is_running:
                teller.update()
        teller.update()
        if stop.is_set():
            break
    return teller.raised


class Teller:
    """Says what the watchers stored since it looked last, as far as people want to hear it."""

    def __init__(self, stage: Stage, say: Say) -> None:
        self._stage, self._say = stage, say
        self._told = {table: stage.store.last_seq(table) for table in stage.store.tables()}
        self.raised = 0

    def say(self, text: str) -> None:
        """Say something, with the time of day."""
        self._say(f"{words.time_of_day(self._stage.clock.now_ns())}  {text}")

    def update(self) -> None:
        """Say what is new."""
        store = self._stage.store
        for table in store.tables():
            for envelope in store.since(table, self._told.get(table, 0)):
                self._told[table] = envelope.seq or 0
                self._print(envelope)

    def _print(self, envelope: Envelope) -> None:
        table = envelope.table
        if envelope.topic is Topic.ALERT:
            alert = Alert.of(envelope.body)
            self.raised += alert.state == "raised"
            where = " ".join(filter(None, (table, words.spoken_round(alert.round, table), words.place(alert))))
            self.say(f"ALERT {alert.state}, {alert.severity}: {title_of(alert.code)}, {where}")
            self._say(f"          {alert.observed}")
            self._say(f"          {self._stage.address}/rounds/{alert.round}")
        elif envelope.topic is Topic.ROUND:
            played = Round.of(envelope.body)
            self.say(f"{table} {words.spoken_round(played.id, table)} ended: {played.verdict}")
