"""How a command that runs until it is told to end is told so."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

ENDINGS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopped_by_signals() -> Iterator[Event]:
    """Yield what the first signal to end sets; a second one ends the process at once, as ever."""
    stop = Event()
    before = {number: signal.getsignal(number) for number in ENDINGS}

    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        _restore()

    def _restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in ENDINGS:
        signal.signal(number, ask_to_stop)
    try:
        yield stop
    finally:
        _restore()
