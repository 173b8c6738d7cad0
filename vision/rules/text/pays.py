"""What a row of a paytable pays: '25 to 1', '9 for 1', '$100000', '10% main', 'push', 'lose'."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final, Self

from vision.values.money import Cents, portion

METERS: Final = ("main", "mega", "major", "minor")
ODDS = re.compile(r"(\d+) (to|for) (\d+)")
FIXED = re.compile(r"\$(\d+)")
SHARE = re.compile(rf"(\d+)% ({'|'.join(METERS)})")


class Kind(Enum):
    """The units in which the texts pay."""

    TO = "to"  # odds; the stake comes back as well
    FOR = "for"  # odds; the stake is gone
    FIXED = "$"  # a sum of dollars, whatever the stake
    SHARE = "%"  # a share of a progressive meter
    PUSH = "push"  # the stake comes back, nothing else
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class Pay:
    """One pay. `text` is its one text form; the numbers are what it means."""

    text: str
    kind: Kind
    numerator: int = 0  # odds: what is paid; fixed: cents; share: percent
    denominator: int = 1
    meter: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a pay as the game files write it."""
        if text in (Kind.PUSH.value, Kind.LOSE.value):
            return cls(text, Kind(text))
        if found := ODDS.fullmatch(text):
            kind = Kind(found[2])
            if int(found[3]) > 0:
                return cls(text, kind, int(found[1]), int(found[3]))
        if found := FIXED.fullmatch(text):
            return cls(text, Kind.FIXED, int(found[1]) * 100)
        if found := SHARE.fullmatch(text):
            return cls(text, Kind.SHARE, int(found[1]), 100, found[2])
        raise ValueError("not a pay: want '25 to 1', '9 for 1', '$5000', '10% main', 'push' or 'lose'")

    def __str__(self) -> str:
        return self.text

    def on(self, stake_cents: int) -> Cents:
        """Return what is paid on a stake, the stake itself not counted; not for shares of a meter."""
        if self.kind is Kind.FIXED:
            return self.numerator
        return portion(stake_cents, self.numerator, self.denominator)

    def of_meter(self, meter_cents: Cents) -> Cents:
        """Return this share of a meter."""
        return portion(meter_cents, self.numerator, self.denominator)
