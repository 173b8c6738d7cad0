"""Rounds for a room that is only acted: rounds of the scripted simulator enter once, their records leave as a file.

`python -m studio.bench.recorded` writes the file anew; `room.py` plays it at as many tables as are wanted.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from studio.film.production import Order
from studio.scripted.observations import Noise, scripted_clip
from vision.alerts.judge import Judge
from vision.bus.topics import OF_FILE
from vision.records.message import Message
from vision.records.record import canonical

FILE: Final = Path(__file__).parent / "rounds.jsonl"
TABLE: Final = "t"  # the name of the table in the file
FPS: Final = 10.0
LOOK_NS: Final = 1_000_000_000  # between two views that are kept
NOISE: Final = Noise(missed=0.02, partly=1.0, backs=0.3)
TAKES: Final = (
    (300, ("underpaid",)),
    (301, ()),
    (302, ("dealer-card-exposed:flip",)),
    (303, ()),
    (304, ("winner-not-paid:aces-up",)),
    (305, ("deal-order",)),
    (306, ()),
    (307, ("overpaid",)),
    (308, ("late-wager:bet",)),
    (309, ("card-touched",)),
    (310, ()),
    (311, ("loser-paid",)),
)  # seeds, and the fault of each; the last with the detectors' errors


def main() -> None:
    """Write the file."""
    with FILE.open("w", encoding="utf-8") as lines:
        for number, (seed, faults) in enumerate(TAKES):
            noise = NOISE if number % 3 == 2 else Noise()
            lines.write(canonical(_recorded(Order(rounds=1, seed=seed, faults=faults), noise)) + "\n")
            lines.flush()


def read() -> list[dict[str, Any]]:
    """Return the rounds: each with its length, its views and its messages, in order."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def _recorded(order: Order, noise: Noise) -> dict[str, Any]:
    scripted = scripted_clip(order, noise, FPS)
    judge = Judge(TABLE, scripted.sheet, scripted.layout)
    messages: list[dict[str, Any]] = []
    views: list[dict[str, Any]] = []
    t_ns = 0
    for sight in scripted:
        t_ns = sight.t_ns
        messages += _plain(t_ns, judge.update(sight))
        if not views or t_ns - views[-1]["t_ns"] >= LOOK_NS:
            views.append({"t_ns": t_ns, "view": json.loads(json.dumps(judge.view()))})
    messages += _plain(t_ns, judge.finish(t_ns))
    return {"length_ns": t_ns, "views": views, "messages": messages}


def _plain(t_ns: int, messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    for message in messages:
        yield {"t_ns": t_ns, "topic": str(OF_FILE[message.topic]), "body": message.record.plain()}


if __name__ == "__main__":
    main()
