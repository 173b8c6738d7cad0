"""A card, a stack or another thing at a place, as the facts' stage knows it; what is told of it as a `Place`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from vision.observe.chips import ChipBelief
from vision.observe.faces import FaceBelief
from vision.observe.physics import STILL_MM
from vision.observe.placing import Placed
from vision.observe.presence import Presence
from vision.records.fact import FIRST, Place, ThingKind

LATER: Final = 0.15  # weight of a further look at where a thing lies
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
    seen_ns: int  # when it was last seen
    looked_ns: int  # when its place was last looked at in plain view
    presence: Presence
    faces: FaceBelief
    chips: ChipBelief | None
    after_ns: int = FIRST
    zones: dict[str, float] = field(default_factory=dict)  # summed over looks at rest
    rest_looks: int = 0
    path: Path = field(default_factory=list)  # before it came to rest
    id: int = 0  # 0: not told
    told_odds: float = 0.0  # of the last `Present`
    height_mm: float = 0.0
    from_ids: list[int] = field(default_factory=list)
    flips: int = 0  # looks in a row that show the other side
    denials: float = 0.0  # log-odds that another card lies here
    last: Placed | None = None

    def is_near(self, placed: Placed, reach_mm: float) -> bool:
        """Tell whether a thing that is seen lies where this one does."""
        return abs(self.x - placed.x) <= reach_mm and abs(self.y - placed.y) <= reach_mm

    def moves_to(self, placed: Placed, t_ns: int) -> None:
        """Take in that it is on its way, and where."""
        self.path.append((self.seen_ns, self.x, self.y))
        self.x, self.y, self.z, self.angle, self.sigma_mm = placed.x, placed.y, placed.z, placed.angle, placed.sigma_mm
        self.first_ns, self.seen_ns, self.rest_looks = t_ns, t_ns, 0
        self.zones = {}
        self.rests_at(placed, t_ns)

    def rests_at(self, placed: Placed, t_ns: int) -> None:
        """Take in that it was seen where it lies."""
        self.rest_looks += 1
        weight = max(1 / self.rest_looks, LATER)
        self.x += weight * (placed.x - self.x)
        self.y += weight * (placed.y - self.y)
        self.z += weight * (placed.z - self.z)
        self.height_mm, self.angle = placed.height_mm, placed.angle if placed.angle is not None else self.angle
        keep = 1 - weight
        zones = {zone: p * keep for zone, p in self.zones.items()}
        for zone, p in ((placed.zone, placed.p), *((belief.zone, belief.p) for belief in placed.alternatives)):
            name = str(zone)
            zones[name] = zones.get(name, 0.0) + weight * p
        self.zones, self.seen_ns, self.last = zones, t_ns, placed

    @property
    def place(self) -> Place:
        """Return where it is, as it is told."""
        zones = sorted(self.zones.items(), key=lambda entry: (-entry[1], entry[0]))
        return Place(
            x=self.x,
            y=self.y,
            z=self.z,
            sigma_mm=self.sigma_mm,
            angle=self.angle,
            zones=tuple((zone, p) for zone, p in zones if p >= 0.01),
        )

    def jumped(self, placed: Placed) -> bool:
        """Tell whether it lies otherwise than before by more than a look is off."""
        return abs(placed.x - self.x) + abs(placed.y - self.y) > STILL_MM


def nearest_pairs(things: Sequence[Thing], seen: Sequence[Placed], reach: "Sequence[float]") -> list[tuple[int, int]]:
    """Return pairs of a thing and what is seen of it, by their indices: the nearest first, each once."""
    pairs = [
        (abs(thing.x - placed.x) + abs(thing.y - placed.y) + _turned(thing, placed), i, j)
        for i, thing in enumerate(things)
        for j, placed in enumerate(seen)
        if thing.is_near(placed, reach[i])
    ]
    used_things, used_seen, found = set[int](), set[int](), list[tuple[int, int]]()
    for _, i, j in sorted(pairs):
        if i not in used_things and j not in used_seen:
            used_things.add(i)
            used_seen.add(j)
            found.append((i, j))
    return found


def _turned(thing: Thing, placed: Placed) -> float:
    """Return how far a card lies turned, as millimetres of its corner."""
    if thing.angle is None or placed.angle is None:
        return 0.0
    turn = abs((thing.angle - placed.angle + 90) % 180 - 90)
    return min(turn, 30.0) * 0.5
