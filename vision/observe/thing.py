"""A card, a stack or another thing at a place, as the facts' stage knows it; where it lies is told as a `Place`."""

from dataclasses import dataclass, field
from typing import Final

from vision.observe.chips import ChipBelief
from vision.observe.faces import FaceBelief
from vision.observe.physics import STILL_MM
from vision.observe.placing import Placed
from vision.observe.presence import Presence
from vision.observe.shift import Shift
from vision.records.fact import FIRST, Place, ThingKind

LATER: Final = 0.15  # weight of a further look at where a thing lies: it may be pushed a little
LEAST: Final = 0.01  # zones that are less likely are not told
Path = list[tuple[int, float, float]]


@dataclass(eq=False)
class Thing:
    """Something at a place, or on its way."""

    kind: str  # card, stack, other
    side: ThingKind
    x: float
    y: float
    z: float
    sigma_mm: float
    angle: float | None
    first_ns: int  # when it came to rest here
    seen_ns: int  # up to when it is known to lie here
    looked_ns: int  # when its place was last looked at in plain view
    presence: Presence
    faces: FaceBelief
    chips: ChipBelief | None
    after_ns: int = FIRST
    zones: dict[str, float] = field(default_factory=dict)
    rest_looks: int = 0
    path: Path = field(default_factory=list)  # before it came to rest
    id: int = 0  # 0: not told
    told_odds: float = 0.0  # as told last
    told_at: tuple[float, float] = (0.0, 0.0)
    told_ns: int = 0  # when `Present` was told last
    from_ids: list[int] = field(default_factory=list)  # things that were missed, near to where it was first seen
    trips: tuple[int, ...] = ()  # that may have put it here, or taken it away
    is_bound: bool = False  # it was told which thing it was before
    flips: int = 0  # looks in a row that show the other side
    shift: Shift | None = None  # looks that may show it elsewhere
    denials: float = 0.0  # log-odds that another card lies here
    last: Placed | None = None

    def moves_to(self, placed: Placed, t_ns: int) -> None:
        """Take in that it is on its way, and where."""
        self.path.append((self.seen_ns, self.x, self.y))
        self.angle, self.sigma_mm = placed.angle, placed.sigma_mm
        self.first_ns, self.rest_looks, self.zones = t_ns, 0, {}
        self.rests_at(placed, t_ns)

    def rests_at(self, placed: Placed, t_ns: int) -> None:
        """Take in that it was seen where it lies."""
        self.rest_looks, self.seen_ns, self.looked_ns = self.rest_looks + 1, t_ns, t_ns
        if placed is self.last and self.rest_looks > 1 / LATER:
            return
        weight = max(1 / self.rest_looks, LATER)
        self.x += weight * (placed.x - self.x)
        self.y += weight * (placed.y - self.y)
        self.z += weight * (placed.z - self.z)
        self.angle = placed.angle if placed.angle is not None else self.angle
        zones = {zone: p * (1 - weight) for zone, p in self.zones.items()}
        for zone, p in ((placed.zone, placed.p), *((belief.zone, belief.p) for belief in placed.alternatives)):
            name = str(zone)
            zones[name] = zones.get(name, 0.0) + weight * p
        self.zones, self.last = zones, placed

    @property
    def place(self) -> Place:
        """Return where it is, as it is told."""
        zones = sorted(self.zones.items(), key=lambda entry: (-entry[1], entry[0]))
        told = tuple((zone, p) for zone, p in zones if p >= LEAST)
        return Place(x=self.x, y=self.y, z=self.z, sigma_mm=self.sigma_mm, angle=self.angle, zones=told)

    def jumped(self, placed: Placed) -> bool:
        """Return whether it lies otherwise than before by more than a look is off."""
        return abs(placed.x - self.x) + abs(placed.y - self.y) > STILL_MM
