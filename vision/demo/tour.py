"""The tour: until there is footage, a handful of recorded rounds, settled and shown."""

import json

from vision import show
from vision.resources import PACKAGE
from vision.rules.due.settle import settle
from vision.rules.due.wire import read_round

ROUNDS = PACKAGE / "demo-rounds.jsonl"
NEXT = (
    "\nEvery line names the rule it rests on. Try it on rounds of your own:\n"
    "  feltwatch settle ROUNDS.jsonl                       what is due, as JSON lines\n"
    "  feltwatch rules show four-card-poker/md --paytables the game as the program knows it\n"
    "  feltwatch rules check                               the texts' own figures, recomputed\n"
    "  feltwatch simulate OUT --fault underpaid            a filmed round with a mistake, and the truth about it\n"
    "Next to come: a round tracker that bears the detectors' errors, and the live room."
)


def tour() -> int:
    """Settle the recorded rounds and print them."""
    for line in ROUNDS.read_text(encoding="utf-8").splitlines():
        title, house, played = read_round(json.loads(line))
        show.settlement(f"{title} ({house.game.id})", played, settle(house, played))
        show.OUT.print()
    show.OUT.print(NEXT)
    return 0
