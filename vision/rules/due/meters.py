"""Progressive meters through one round: each winner meets the meter as the one before left it."""

from collections.abc import Mapping

from vision.rules.due.record import PlayedRound, Undecided
from vision.rules.text.pays import Pay
from vision.values.money import Cents

WHOLE_PERCENT = 100


class Meters:
    """The meters of a table while its winners are paid, in settlement order."""

    def __init__(self, played: PlayedRound) -> None:
        self._cents: dict[str, Cents] = dict(played.meters)
        self._seeds = played.seeds
        self._reserve = dict(played.reserve)
        self.winners: dict[str, int] = {}

    def award(self, pay: Pay) -> Cents | Undecided:
        """Take a share off a meter. A whole meter starts again at seed plus reserve, the reserve once."""
        if pay.meter not in self._cents:
            return Undecided(f"the {pay.meter} meter was not given")
        share = pay.of_meter(self._cents[pay.meter])
        self.winners[pay.meter] = self.winners.get(pay.meter, 0) + 1
        if pay.numerator == WHOLE_PERCENT:
            self._cents[pay.meter] = self._seeds.get(pay.meter, 0) + self._reserve.pop(pay.meter, 0)
        else:
            self._cents[pay.meter] -= share
        return share

    def after(self) -> Mapping[str, Cents]:
        """Return the meters as the next round finds them."""
        return self._cents
