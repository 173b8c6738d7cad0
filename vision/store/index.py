"""The index: what each envelope means for finding rounds, alerts, clips and dispositions, entered as it is stored."""

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection, delete, update
from sqlalchemy.dialects.sqlite import insert

from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.records.alert import Alert
from vision.records.clip import Clip
from vision.records.disposition import Disposition
from vision.records.event import Event
from vision.records.round import RoundResult
from vision.store.schema import alerts, clips, dispositions, rounds


def enter(connection: Connection, envelope: Envelope) -> None:
    """Enter an envelope where it will be looked for."""
    enter_topic = ENTER.get(envelope.topic)
    if enter_topic is not None:
        enter_topic(connection, envelope)


def idle(table: str) -> str:
    """Return what stands for a round where none is played: alerts about the camera belong to it."""
    return f"{table}-idle"


def _event(connection: Connection, envelope: Envelope) -> None:
    _mention(connection, envelope, Event.of(envelope.body).round)


def _round(connection: Connection, envelope: Envelope) -> None:
    played = RoundResult.of(envelope.body)
    _mention(connection, envelope, played.id)
    connection.execute(update(rounds).where(rounds.c.id == played.id).values(seq=envelope.seq, verdict=played.verdict))


def _alert(connection: Connection, envelope: Envelope) -> None:
    alert = Alert.of(envelope.body)
    _mention(connection, envelope, alert.round)
    if alert.state == "raised":  # anew, where it was before: an old clip does not show it
        connection.execute(delete(clips).where(clips.c.alert == alert.id))
    fields = {"seq": envelope.seq, "round": alert.round, "code": alert.code, "state": alert.state}
    first = {"first_seq": envelope.seq} if alert.state == "raised" else {}
    row = {"id": alert.id, "table": envelope.table, "first_seq": envelope.seq, **fields}
    connection.execute(insert(alerts).values(row).on_conflict_do_update(["id"], set_=fields | first))


def _clip(connection: Connection, envelope: Envelope) -> None:
    row = {"alert": Clip.of(envelope.body).alert, "table": envelope.table, "seq": envelope.seq}
    connection.execute(insert(clips).values(row).on_conflict_do_update(["alert"], set_=row))


def _disposition(connection: Connection, envelope: Envelope) -> None:
    row = {"table": envelope.table, "seq": envelope.seq, "round": Disposition.of(envelope.body).round}
    connection.execute(insert(dispositions).values(row))


def _mention(connection: Connection, envelope: Envelope, round_id: str) -> None:
    """Enter a round when it is first heard of: one that is broken off is not lost."""
    if round_id == idle(envelope.table):
        return
    number = int(round_id.rpartition("-")[2])
    row: dict[str, Any] = {"id": round_id, "table": envelope.table, "number": number, "first_seq": envelope.seq}
    connection.execute(insert(rounds).values(row).on_conflict_do_nothing(["id"]))


ENTER: Final[dict[Topic, Callable[[Connection, Envelope], None]]] = {
    Topic.EVENT: _event,
    Topic.ROUND: _round,
    Topic.ALERT: _alert,
    Topic.CLIP: _clip,
    Topic.DISPOSITION: _disposition,
}
