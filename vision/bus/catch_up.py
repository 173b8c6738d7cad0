"""Asking for what one missed: a question enters, the envelopes after a number leave."""

import itertools
import threading
import time
from dataclasses import dataclass
from typing import Any, Final

import zmq
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vision.bus.envelope import BusError, Envelope
from vision.bus.publisher import Kept
from vision.bus.sockets import Hosting
from vision.records.record import canonical
from vision.values.errors import VisionError, complaint, shown

MAX_ENVELOPES: Final = 200  # envelopes in one answer
ANSWER_TIMEOUT_S: Final = 2.0  # how long one waits for an answer


class Question(BaseModel):
    """What follows `after` in a table's log?"""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    table: str
    after: int = Field(ge=0)
    limit: int = Field(default=MAX_ENVELOPES, ge=1)


class _Reply(BaseModel):
    """An answer as it is written."""

    error: str | None = None
    envelopes: list[dict[str, Any]] = []
    last: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """Envelopes in order, and the number of the last one there is."""

    envelopes: tuple[Envelope, ...]
    last: int


class CatchUpServer:
    """Answers questions about one table in a thread of its own, until its hosting ends."""

    def __init__(self, hosting: Hosting, table: str, kept: Kept) -> None:
        self._table, self._kept = table, kept
        self._socket = hosting.bind(zmq.ROUTER, hosting.address.answers)
        self._thread = threading.Thread(target=self._serve, name=f"answers-{table}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the last answer is given."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while True:
                *route, question = self._socket.recv_multipart()
                self._socket.send_multipart([*route, canonical(self._answer(question)).encode()])
        except zmq.ContextTerminated:
            self._socket.close()

    def _answer(self, text: bytes) -> dict[str, object]:
        try:
            question = Question.model_validate_json(text)
            if question.table != self._table:
                return {"error": f"table: {shown(question.table)}: here one hears of {self._table}"}
            found = self._kept.since(question.table, question.after, min(question.limit, MAX_ENVELOPES))
            last = self._kept.last_seq(question.table)
        except ValidationError as error:
            return {"error": f"question: {complaint(error)}"}
        except VisionError as error:  # a store that cannot be read now is the asker's to know, and may recover
            return {"error": str(error)}
        return {"envelopes": [envelope.record() for envelope in found], "last": last}


class Asker:
    """Asks one host, over a socket that is connected to it."""

    def __init__(self, socket: "zmq.Socket[bytes]", patience_s: float = ANSWER_TIMEOUT_S) -> None:
        self._socket, self._patience_s = socket, patience_s
        self._numbers = itertools.count()

    def ask(self, question: Question) -> Answer | None:
        """Return what the host answers; None if it does not answer in time."""
        number = str(next(self._numbers)).encode()
        self._socket.send_multipart([number, question.model_dump_json().encode()])
        end_s = time.monotonic() + self._patience_s
        while (left_s := end_s - time.monotonic()) > 0 and self._socket.poll(int(left_s * 1000)):
            asked, answer = self._socket.recv_multipart()
            if asked == number:  # an earlier question may be answered late
                return _read_answer(answer)
        return None


def _read_answer(text: bytes) -> Answer:
    try:
        reply = _Reply.model_validate_json(text)
    except ValidationError as error:
        raise BusError(f"answer: {complaint(error)}") from error
    if reply.error is not None:
        raise BusError(f"the host answers: {reply.error}")
    return Answer(tuple(Envelope.parse(canonical(each)) for each in reply.envelopes), reply.last)
