"""The index: what each envelope means for finding rounds, alerts, clips and reviews, entered as it is stored."""

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection, and_, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from vision.alerts.at_stake import Amount, at_stake, not_verified
from vision.alerts.codes import SYSTEM
from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.records.acknowledgement import Acknowledgement
from vision.records.alert import Alert
from vision.records.clip import Clip
from vision.records.correction import Correction
from vision.records.disposition import Disposition
from vision.records.event import Event
from vision.records.round import RoundResult
from vision.store.schema import (
    acknowledgements,
    alerts,
    clips,
    corrections,
    first_cards,
    items,
    log,
    reviews,
    round_sums,
    rounds,
)
from vision.values.codes import Severity

ALERT, UNVERIFIABLE = "alert", "unverifiable"  # the kinds of items
RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}
UNVERIFIABLE_RANK: Final = len(RANKS)
DEALT: Final = "deal"  # the event


def enter(connection: Connection, envelope: Envelope, wall_ns: int) -> None:
    """Enter an envelope where it will be looked for."""
    enter_topic = ENTER.get(envelope.topic)
    if enter_topic is not None:
        enter_topic(connection, envelope, wall_ns)


def idle(table: str) -> str:
    """Return what stands for a round where none is played: alerts about the camera belong to it."""
    return f"{table}-idle"


def number_of(round_id: str) -> int:
    """Return the number of a round, by its name."""
    return int(round_id.rpartition("-")[2])


def _event(connection: Connection, envelope: Envelope, wall_ns: int) -> None:
    event = Event.of(envelope.body)
    _mention(connection, envelope, event.round)
    if event.kind == DEALT and event.round != idle(envelope.table):
        row = {"round": event.round, "table": envelope.table, "seq": envelope.seq, "wall_ns": wall_ns}
        row |= {"number": number_of(event.round)}
        connection.execute(insert(first_cards).values(row).on_conflict_do_nothing(["round"]))


def _round(connection: Connection, envelope: Envelope, wall_ns: int) -> None:
    played = RoundResult.of(envelope.body)
    _mention(connection, envelope, played.id)
    connection.execute(update(rounds).where(rounds.c.id == played.id).values(seq=envelope.seq, verdict=played.verdict))
    row = {"round": played.id, "wall_ns": wall_ns, **_sums(played)}
    connection.execute(insert(round_sums).values(row).on_conflict_do_update(["round"], set_=row))
    for item in connection.execute(_open_alerts(played.id)).all():
        amount = at_stake(Alert.parse(item.body), played)
        connection.execute(update(items).where(items.c.id == item.id).values(_amount(amount)))
    if played.verdict == "unverifiable":
        _open(connection, envelope, wall_ns, {"id": played.id, "kind": UNVERIFIABLE, "round": played.id})
        amount = not_verified(played)
        values = {"rank": UNVERIFIABLE_RANK, **_amount(amount)}
        connection.execute(update(items).where(items.c.id == played.id).values(values))


def _sums(played: RoundResult) -> dict[str, int]:
    wagers = [wager for seat in played.seats for wager in seat.wagers.values()]
    off = [abs((w.due_cents or 0) - (w.paid_cents or 0)) or (w.cents or 0) for w in wagers if w.verdict == "wrong"]
    staked = sum(wager.cents or 0 for wager in wagers)
    return {"staked_cents": staked, "wrong_cents": sum(off), "players": len(played.seats)}


def _open_alerts(round_id: str) -> Any:
    with_log = and_(log.c.table == items.c.table, log.c.seq == items.c.seq)
    return select(items.c.id, log.c.body).join(log, with_log).where(items.c.round == round_id, items.c.kind == ALERT)


def _amount(amount: Amount | None) -> dict[str, Any]:
    return {"cents": amount and amount.cents, "is_certain": amount is not None and amount.is_certain}


def _alert(connection: Connection, envelope: Envelope, wall_ns: int) -> None:
    alert = Alert.of(envelope.body)
    _mention(connection, envelope, alert.round)
    if alert.state == "raised":  # anew, where it was before: an old clip does not show it
        for table in (clips, acknowledgements):
            connection.execute(delete(table).where(table.c.alert == alert.id))
    fields = {"seq": envelope.seq, "round": alert.round, "code": alert.code, "state": alert.state}
    first = {"first_seq": envelope.seq} if alert.state == "raised" else {}
    row = {"id": alert.id, "table": envelope.table, "first_seq": envelope.seq, **fields}
    connection.execute(insert(alerts).values(row).on_conflict_do_update(["id"], set_=fields | first))
    if alert.state == "withdrawn" or (alert.state == "amended" and alert.code in SYSTEM):  # its cause has ended
        connection.execute(delete(items).where(items.c.id == alert.id))
    else:
        item = {"id": alert.id, "kind": ALERT, "round": alert.round, "rank": RANKS[alert.severity]}
        _open(connection, envelope, wall_ns, item)
        _price_late(connection, alert)


def _price_late(connection: Connection, alert: Alert) -> None:
    """Enter what an alert is about that comes, or comes again, after its round has ended."""
    with_log = and_(log.c.table == rounds.c.table, log.c.seq == rounds.c.seq)
    body = connection.scalar(select(log.c.body).join(rounds, with_log).where(rounds.c.id == alert.round))
    if body is not None:
        amount = at_stake(alert, RoundResult.parse(body))
        connection.execute(update(items).where(items.c.id == alert.id).values(_amount(amount)))


def _open(connection: Connection, envelope: Envelope, wall_ns: int, item: dict[str, Any]) -> None:
    row = {"table": envelope.table, "seq": envelope.seq, "rank": UNVERIFIABLE_RANK, "is_certain": False}
    row |= {"wall_ns": wall_ns, **item}
    connection.execute(insert(items).values(row).on_conflict_do_update(["id"], set_={"seq": envelope.seq}))


def _clip(connection: Connection, envelope: Envelope, _: int) -> None:
    row = {"alert": Clip.of(envelope.body).alert, "table": envelope.table, "seq": envelope.seq}
    connection.execute(insert(clips).values(row).on_conflict_do_update(["alert"], set_=row))


def _acknowledgement(connection: Connection, envelope: Envelope, _: int) -> None:
    row = {"alert": Acknowledgement.of(envelope.body).alert, "table": envelope.table, "seq": envelope.seq}
    connection.execute(insert(acknowledgements).values(row).on_conflict_do_update(["alert"], set_=row))


def _disposition(connection: Connection, envelope: Envelope, _: int) -> None:
    said = Disposition.of(envelope.body)
    row = {"table": envelope.table, "seq": envelope.seq, "round": said.round, "alert": said.alert}
    row |= {"finding": said.finding, "by": said.by, "dealer": said.dealer}
    connection.execute(insert(reviews).values(row))
    closed = items.c.round == said.round if said.alert is None else items.c.id == said.alert
    connection.execute(delete(items).where(closed))


def _correction(connection: Connection, envelope: Envelope, _: int) -> None:
    row = {"table": envelope.table, "seq": envelope.seq, "round": Correction.of(envelope.body).round}
    connection.execute(insert(corrections).values(row))


def _mention(connection: Connection, envelope: Envelope, round_id: str) -> None:
    """Enter a round when it is first heard of: one that is broken off is not lost."""
    if round_id == idle(envelope.table):
        return
    number = number_of(round_id)
    row: dict[str, Any] = {"id": round_id, "table": envelope.table, "number": number, "first_seq": envelope.seq}
    connection.execute(insert(rounds).values(row).on_conflict_do_nothing(["id"]))


ENTER: Final[dict[Topic, Callable[[Connection, Envelope, int], None]]] = {
    Topic.EVENT: _event,
    Topic.ROUND: _round,
    Topic.ALERT: _alert,
    Topic.CLIP: _clip,
    Topic.ACKNOWLEDGEMENT: _acknowledgement,
    Topic.DISPOSITION: _disposition,
    Topic.CORRECTION: _correction,
}
