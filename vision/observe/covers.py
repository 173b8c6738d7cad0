"""Zones that could not be seen: hands enter, look by look; covered zones leave."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.observe.frame_observation import FrameObservation
from vision.observe.physics import SECOND_NS
from vision.observe.placing import Placed
from vision.records.fact import Covered, Fact
from vision.table.zones import PAYOUT, Zone

LEAST_SHARE: Final = 0.5  # of a zone: then a stack or a card on it may be hidden wholly
SOON_NS: Final = SECOND_NS // 2  # covered for less than this is not told
AGAIN_NS: Final = 2 * SECOND_NS  # told again while it lasts
NOT_TOLD: Final = ("felt", "rail", "off", "tray", "shoe", "discard")  # nothing there decides a round


@dataclass
class _Cover:
    start_ns: int
    end_ns: int
    shares: float
    looks: int
    told_ns: int


class Covers:
    """Follows which zones hands hide."""

    def __init__(self) -> None:
        self._now: dict[Zone, _Cover] = {}

    def update(self, seen: FrameObservation, hands: Sequence[Placed]) -> list[Fact]:
        """Take in the hands of one look."""
        shares: dict[Zone, float] = {}
        for belief in (belief for hand in hands for belief in hand.covers):
            name = belief.zone.name
            if belief.p >= 0.1 and name not in NOT_TOLD and not name.startswith(PAYOUT):
                shares[belief.zone] = min(shares.get(belief.zone, 0.0) + belief.p, 1.0)
        hidden = {zone: share for zone, share in shares.items() if share >= LEAST_SHARE}
        facts: list[Fact] = [self._fact(zone, seen, is_over=True) for zone in self._over(hidden)]
        for zone, share in hidden.items():
            cover = self._now.setdefault(zone, _Cover(seen.t_ns, seen.t_ns, 0.0, 0, seen.t_ns))
            cover.end_ns, cover.shares, cover.looks = seen.t_ns, cover.shares + share, cover.looks + 1
            if seen.t_ns - cover.told_ns >= AGAIN_NS:
                cover.told_ns = seen.t_ns
                facts.append(self._fact(zone, seen, is_over=False))
        over = [zone for zone in self._now if zone not in hidden]
        for zone in over:
            del self._now[zone]
        return facts

    def _over(self, hidden: dict[Zone, float]) -> list[Zone]:
        return [
            zone for zone, cover in self._now.items() if zone not in hidden and cover.end_ns - cover.start_ns >= SOON_NS
        ]

    def _fact(self, zone: Zone, seen: FrameObservation, *, is_over: bool) -> Fact:
        cover = self._now[zone]
        return Covered(
            known_ns=seen.t_ns,
            t_ns=cover.start_ns,
            frames=(seen.index,),
            zone=str(zone),
            end_ns=cover.end_ns if is_over else None,
            share=cover.shares / max(cover.looks, 1),
        )
