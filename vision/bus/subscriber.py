"""Listening: tables and their addresses enter; what is published of them leaves, in order and exactly once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import zmq

from vision.bus.address import Address
from vision.bus.catch_up import ANSWER_TIMEOUT_S, Asker, Question
from vision.bus.envelope import BusError, Envelope
from vision.bus.keys import GuestKeys
from vision.bus.topics import STORED, Topic
from vision.records.pulse import Pulse

MOST_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Heard:
    """An envelope, and the picture that came beside it."""

    envelope: Envelope
    blob: bytes | None = None


class Subscriber:
    """Follows tables; sees what it missed by the numbers, and fetches it. To be used by one thread."""

    def __init__(
        self,
        tables: Mapping[str, Address],
        after: Mapping[str, int] | None = None,
        *,
        pictures: bool = False,
        keys: GuestKeys | None = None,
        patience_s: float = ANSWER_TIMEOUT_S,
    ) -> None:
        """Begin each table after the number given, or with what comes now."""
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._keys = keys
        self._last = dict(after or {})
        self._unasked = set(self._last)
        self._socket = self._context.socket(zmq.SUB)
        for table in tables:
            for topic in (*STORED, Topic.PULSE, *([Topic.PICTURE] if pictures else [])):
                self._socket.subscribe(f"{table}/{topic}")
        try:
            for address in tables.values():
                self._connect(self._socket, address, address.tells)
            self._askers = {table: Asker(self._asking(address), patience_s) for table, address in tables.items()}
        except BusError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Listen no more."""
        self._context.destroy(linger=0)

    def receive(self, timeout_s: float) -> list[Heard]:
        """Return what was heard; waits for something that long at most, and longer only to fetch what was missed."""
        heard: list[Heard] = []
        while self._unasked:
            heard += self._fetch(self._unasked.pop())
        wait_ms = 0 if heard else int(timeout_s * 1000)
        while len(heard) < MOST_AT_ONCE and self._socket.poll(wait_ms):
            _, text, *blob = self._socket.recv_multipart()
            heard += self._take(Envelope.parse(text), blob[0] if blob else None)
            wait_ms = 0
        return heard

    def catch_up(self) -> Iterator[Heard]:
        """Yield all that is stored by now; a host that does not answer is an error."""
        for table, asker in self._askers.items():
            if asker.ask(Question(table=table, after=self._last.setdefault(table, 0), limit=1)) is None:
                raise BusError(f"{table}: no answer in time: want a watcher there, and keys it knows")
            yield from self._fetch(table)

    def _take(self, envelope: Envelope, blob: bytes | None) -> Iterator[Heard]:
        """Yield what was missed before an envelope, and the envelope."""
        table = envelope.table
        if envelope.seq is None:
            if envelope.topic is Topic.PULSE:
                yield from self._compare(table, Pulse.of(envelope.body).last_seq)
            yield Heard(envelope, blob)
            return
        if envelope.seq > self._last.setdefault(table, envelope.seq - 1) + 1:
            yield from self._fetch(table)
        if envelope.seq == self._last[table] + 1:  # if not, it came by fetching, or will when the host answers again
            self._last[table] = envelope.seq
            yield Heard(envelope)

    def _compare(self, table: str, last: int) -> Iterator[Heard]:
        """Fetch what a pulse tells of and we have not heard; this also shows that a log has been replaced."""
        if last != self._last.setdefault(table, last):
            yield from self._fetch(table)

    def _fetch(self, table: str) -> Iterator[Heard]:
        """Yield what follows the last number; without an answer, nothing: the next message will ask again."""
        while answer := self._askers[table].ask(Question(table=table, after=self._last[table])):
            if answer.last < self._last[table]:
                numbers = f"its log ends at {answer.last}, but {self._last[table]} was heard"
                raise BusError(f"{table}: {numbers}: the store was replaced; begin anew")
            for envelope in answer.envelopes:
                if envelope.seq != self._last[table] + 1:
                    raise BusError(f"{table}: seq {envelope.seq} follows {self._last[table]}: want no gaps")
                self._last[table] += 1
                yield Heard(envelope)
            if not answer.envelopes or self._last[table] >= answer.last:
                return

    def _asking(self, address: Address) -> "zmq.Socket[bytes]":
        socket = self._context.socket(zmq.DEALER)
        self._connect(socket, address, address.answers)
        return socket

    def _connect(self, socket: "zmq.Socket[bytes]", address: Address, at: str) -> None:
        if self._keys is None and not address.is_local:
            raise BusError(f"address: {address}: on another machine: want keys; `feltwatch keys` there makes them")
        if self._keys is not None:
            socket.curve_serverkey = self._keys.host
            socket.curve_publickey, socket.curve_secretkey = self._keys.public, self._keys.secret
        try:
            socket.connect(at)
        except zmq.ZMQError as error:
            raise BusError(f"address: {at}: cannot be used: {error.strerror}") from error
