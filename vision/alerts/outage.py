"""When a table cannot be seen: what is in the way enters, frame by frame; outages leave, once sure and once over.

A hand, a flash or a camera that is being registered anew is in the way for a moment: that is no outage.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from vision.attention.trouble import Trouble
from vision.observe.frame_observation import FrameObservation
from vision.rules.play.ruling import numbers
from vision.story.verdict import Finding, Why
from vision.values.codes import Code

LASTS_NS: Final = 2_000_000_000  # something must be in the way so long
CLEAR_NS: Final = 1_200_000_000  # and nothing so long, for it to be over
UNSURE_NS: Final = 500_000_000  # a camera is in doubt for so long: longer than between two looks at the print


@dataclass(frozen=True, slots=True)
class Outage:
    """A span in which a table could not be seen: the code of its alert, and what was in the way."""

    code: Code
    what: str
    start_ns: int
    end_ns: int  # so far
    is_over: bool = False

    @property
    def why(self) -> Why:
        """Return the reason for what could not be seen."""
        return Why(Finding.VIEW_LOST, numbers(code=self.code, what=self.what))


class OutageWatch:
    """Tells the outages of one table, and whether its camera is in doubt though nothing is in the way."""

    def __init__(self) -> None:
        self._unsure_ns: int | None = None  # since when the camera is in doubt
        self.now: Outage | None = None  # that was raised, and lasts
        self._start_ns = self._bad_ns = 0
        self._seen: Counter[Trouble] = Counter()  # what was in the way since the start

    def update(self, t_ns: int, trouble: Trouble | None) -> Outage | None:
        """Take in one observation; return an outage when it is sure, and again when it is over."""
        if trouble is not None:
            return self._lasts(t_ns, trouble)
        if not self._seen or t_ns - self._bad_ns < CLEAR_NS:
            return None
        self._seen.clear()
        over = None if self.now is None else replace(self.now, end_ns=self._bad_ns, is_over=True)
        self.now = None
        return over

    def is_unsure(self, observation: FrameObservation) -> bool:
        """Say whether the camera may have been moved: what is in the way, or was a moment ago, makes it unsure too."""
        if observation.is_sure or self._seen:
            self._unsure_ns = None
        elif self._unsure_ns is None:
            self._unsure_ns = observation.t_ns
        return self._unsure_ns is not None and observation.t_ns - self._unsure_ns >= UNSURE_NS

    def _lasts(self, t_ns: int, trouble: Trouble) -> Outage | None:
        if not self._seen:
            self._start_ns = t_ns
        self._seen[trouble] += 1
        self._bad_ns = t_ns
        if self.now is not None:
            self.now = replace(self.now, end_ns=t_ns)
            return None
        if t_ns - self._start_ns < LASTS_NS:
            return None
        self.now = Outage(*self._mostly(), self._start_ns, t_ns)
        return self.now

    def _mostly(self) -> tuple[Code, str]:
        """Return the code that was seen most, and what was last seen of it."""
        codes: Counter[Code] = Counter()
        for trouble, times in self._seen.items():
            codes[trouble.code] += times
        (code, _), *_ = codes.most_common(1)
        return code, [trouble.what for trouble in self._seen if trouble.code == code][-1]
