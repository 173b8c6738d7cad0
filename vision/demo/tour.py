"""The tour of the rule book: a handful of recorded rounds, settled and shown."""

import json
from pathlib import Path
from typing import Final

from vision.draw import terminal as show
from vision.rules.due.settle import settle
from vision.rules.due.wire import read_round

ROUNDS: Final = Path(__file__).parent / "rounds.jsonl"
NEXT: Final = (
    "\nEvery line names the rule it rests on. Try it on rounds of your own:\n"
    "  feltwatch settle ROUNDS.jsonl                       what is due, as JSON lines\n"
    "  feltwatch rules show four-card-poker/md --paytables the game as the program knows it\n"
    "  feltwatch rules check                               the texts' own figures, recomputed"
)


def tour() -> None:
    """Settle the recorded rounds and print them."""
    for line in ROUNDS.read_text(encoding="utf-8").splitlines():
        title, house, played = read_round(json.loads(line))
        show.settlement(f"{title} ({house.game.id})", played, settle(house, played))
        show.OUT.print()
    show.OUT.print(NEXT)
