"""The coverage ledger: the times of observations and outages enter; spans that were watched, or why not, leave."""

from collections.abc import Iterator
from typing import Final

from vision.alerts.outage import Outage
from vision.alerts.words import finding_words
from vision.records.coverage import Coverage
from vision.records.message import Message

FRAMES_LOST: Final = "frames lost"  # why a gap was not observed, where nobody knows more
GAP_NS: Final = 1_000_000_000  # between two observations: nothing was observed in between


class CoverageLedger:
    """Writes the ledger of one table: every moment of the stream is in one span."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._span: tuple[int, int] | None = None  # what is being written, up to the last observation
        self._why: str | None = None  # it is not observed

    def seen(self, t_ns: int) -> Iterator[Message]:
        """Take in the time of an observation."""
        if self._span is not None and t_ns - self._span[1] > GAP_NS:
            lost = (self._span[1], t_ns)
            yield from self._written(*self._span)
            yield not_observed(self._table, *lost, FRAMES_LOST)
            self._span = (t_ns, t_ns)
        self._span = (t_ns if self._span is None else self._span[0], t_ns)

    def unseen(self, outage: Outage) -> Iterator[Message]:
        """Take in an outage that became sure, or is over: the ledger turns where it began, or ended."""
        if self._span is None:
            return
        turn_ns = max(outage.end_ns if outage.is_over else outage.start_ns, self._span[0])
        if turn_ns > self._span[0]:
            yield from self._written(self._span[0], turn_ns)
        self._span = (turn_ns, self._span[1])
        self._why = None if outage.is_over else finding_words(outage.why)

    def end(self, t_ns: int) -> Iterator[Message]:
        """End the ledger with the stream."""
        if self._span is not None:
            yield from self._written(self._span[0], t_ns)

    def _written(self, start_ns: int, end_ns: int) -> Iterator[Message]:
        if self._why is None:
            yield Message("coverage", Coverage(table=self._table, start_ns=start_ns, end_ns=end_ns, state="watched"))
        else:
            yield not_observed(self._table, start_ns, end_ns, self._why)


def not_observed(table: str, start_ns: int, end_ns: int, why: str) -> Message:
    """Return a line of the ledger about what was not seen."""
    line = Coverage(table=table, start_ns=start_ns, end_ns=end_ns, state="not observed", why=why)
    return Message("coverage", line)
