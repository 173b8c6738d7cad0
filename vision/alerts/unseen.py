"""A round of which a part could not be seen: verdicts enter; those that rest on what was not seen leave in doubt."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from vision.alerts.outage import Outage
from vision.story.accounts import BONUS_OF
from vision.story.hands import seat_place
from vision.story.playing import RoundInPlay
from vision.story.spots import Spot
from vision.story.verdict import Verdict
from vision.values.codes import Code

AT_ONCE: Final = frozenset(
    (
        Code.DUPLICATE_CARD,
        Code.WRONG_CARD_COUNT,
        Code.CARD_FACED_IN_DECK,
        Code.WRONG_DECK,
        Code.CARD_TOUCHED,
        Code.PLAY_OUT_OF_RANGE,
        Code.STUB_COUNT_WRONG,
        Code.STUB_COUNT_DUE,
        Code.DECK_CHANGE_DUE,
    )
)  # what one look, or another system, proves; the rest rests on what was seen before
AFTERWARDS: Final = frozenset((Code.DEALER_CARD_EXPOSED, Code.VOID_NOT_HONOURED))  # the same, once the view is free
SETTLES_NS: Final = 1_000_000_000  # after an outage: what is found then was done unseen


def may_raise(code: str, t_ns: int, unseen: "Unseen | None", *, is_joined: bool) -> bool:
    """Say whether what was found at a time is proved: not if it rests on what was not seen, or was before watching."""
    if code in AT_ONCE:
        return True
    return not is_joined and (unseen is None or unseen.is_proved(code, t_ns))


@dataclass(frozen=True, slots=True)
class Unseen:
    """What is not known of a round: the time for which it could not be seen, and the chips that stood there then."""

    round_id: str
    outage: Outage
    standing: frozenset[int]  # tracks

    def is_proved(self, code: str, t_ns: int) -> bool:
        """Say whether what was found at a time may be reported, though the view was lost before."""
        is_after = self.outage.is_over and t_ns > self.outage.end_ns + SETTLES_NS
        return code in AFTERWARDS and is_after

    def judged(self, played: RoundInPlay, seat: int, verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
        """Return a seat's verdicts: what seems wrong, or went unseen, is unverifiable; what was seen whole stands."""
        if self._is_done_before(played, seat):
            return dict(verdicts)
        is_seen = self._is_done_after(played, seat)
        spots = {w: played.spots.get((seat, "ante" if w == BONUS_OF else w)) for w in verdicts}
        wrong = {w for w, verdict in verdicts.items() if verdict.verdict == "wrong" and not is_seen}
        lost = wrong | {w for w in verdicts if self._went(spots[w])}
        doubted = {w: replace(verdicts[w], verdict="unverifiable", why=self.outage.why, code=None) for w in lost}
        return {**verdicts, **doubted}

    def _is_done_before(self, played: RoundInPlay, seat: int) -> bool:
        cleared_ns = played.hand(seat_place(seat)).cleared_ns
        return cleared_ns is not None and cleared_ns < self.outage.start_ns

    def _is_done_after(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether all that a seat is settled by was seen after the view was free again."""
        from_ns, shown_ns = self.outage.end_ns + SETTLES_NS, played.hand(seat_place(seat)).shown_ns
        is_revealed = played.revealed_ns is not None and played.revealed_ns > from_ns
        return self.outage.is_over and is_revealed and (shown_ns is None or shown_ns > from_ns)

    def _went(self, spot: Spot | None) -> bool:
        """Say whether chips stood on a spot when the view was lost and were not seen again."""
        stakes = [] if spot is None else spot.stakes
        stood = [stack for stack in stakes if stack.id in self.standing]
        return bool(stood) and all(stack.seen_ns <= self.outage.end_ns for stack in stood)
