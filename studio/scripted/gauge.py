"""Facts held against what really happened: a scripted clip and its facts enter; what was told and missed leaves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Final

from studio.scripted.observations import ScriptedClip
from studio.scripted.rests import Rest, long_rests, rests_of
from studio.scripted.told import ToldThing, things_of
from vision.records.fact import Fact, Trip

NEAR_MM: Final = 12.0
HAND_MM: Final = 200.0  # between fingertips and where a trip was told to be
LOOKS: Final = 4  # a rest that shows in so many observations is to be told
LATE_NS: Final = 600_000_000  # from when it shows to when it is told


Tip = tuple[str, float, float]  # whose fingertips are where


@dataclass
class Report:
    """What of the truth was told, and what was told that is not true."""

    counts: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def note(self, name: str, what: str, *, is_right: bool) -> None:
        """Count a case."""
        self.counts[f"{name}: cases"] += 1
        self.counts[f"{name}: right"] += is_right
        if not is_right:
            self.misses.append(f"{name}: {what}")

    def add(self, other: "Report", name: str) -> None:
        """Take in the report of another clip."""
        self.counts += other.counts
        self.misses += [f"{name} {miss}" for miss in other.misses]

    def rows(self) -> list[dict[str, object]]:
        """Return the measures."""
        names = [key.removesuffix(": cases") for key in sorted(self.counts) if key.endswith(": cases")]
        return [
            {"measure": name, "right": self.counts[f"{name}: right"], "of": self.counts[f"{name}: cases"]}
            for name in names
        ]


def compare(clip: ScriptedClip, facts: Sequence[Fact]) -> Report:
    """Hold facts against the truth of their clip."""
    rests, visits = rests_of(clip)
    things, trips = things_of(facts), {fact.trip: fact for fact in facts if isinstance(fact, Trip)}
    tips: dict[int, list[Tip]] = {}
    for visit in visits:
        for t_ns, x, y in visit.path:
            tips.setdefault(t_ns, []).append((visit.person, x, y))
    report = Report(Counter(facts=len(facts), rounds=len(clip.rounds)))
    for rest in long_rests(rests, LOOKS):
        _check_rest(report, rest, things)
    for thing in things:
        report.note("things that are true", f"{thing}", is_right=any(_is_here(rest, thing) for rest in rests))
    for trip in trips.values():
        _check_trip(report, trip, tips)
    return report


def _is_here(rest: Rest, thing: ToldThing) -> bool:
    is_then = thing.start_ns - LATE_NS <= rest.end_ns and rest.start_ns <= min(thing.end_ns, thing.gone_known_ns)
    if rest.kind != thing.kind or not is_then:
        return False
    times = (rest.start_ns + LATE_NS, (rest.start_ns + rest.end_ns) // 2, rest.end_ns)
    return any(hypot(x - rest.x, y - rest.y) <= NEAR_MM for x, y in map(thing.at, times))


def _check_rest(report: Report, rest: Rest, things: Sequence[ToldThing]) -> None:
    first_ns, last_ns = rest.shown_ns[0], rest.shown_ns[-1]
    what = (
        f"{rest.kind} {rest.content} ({rest.actor}) at {rest.x:.0f},{rest.y:.0f}, {rest.start_ns / 1e9:.1f} to "
        f"{rest.end_ns / 1e9:.1f} s, shows {len(rest.shown_ns)} times, {first_ns / 1e9:.1f} to {last_ns / 1e9:.1f} s"
    )
    here = [thing for thing in things if _is_here(rest, thing) and thing.known_ns <= first_ns + LATE_NS]
    report.note(f"{rest.kind}s told", what, is_right=bool(here))
    if not here:
        return
    told = [thing.content_at(last_ns) for thing in here]
    report.note(f"{rest.kind}s read", f"{what}: {told}", is_right=rest.content in told)
    report.note(f"{rest.kind}s kept", what, is_right=any(thing.gone_known_ns > last_ns for thing in here))


def _check_trip(report: Report, trip: Trip, tips: Mapping[int, Sequence[Tip]]) -> None:
    """Hold a trip's owner against whose fingertips were nearest to its path."""
    owners: Counter[str] = Counter()
    for t_ns, x, y in trip.path:
        near = [(hypot(u - x, v - y), who) for who, u, v in tips.get(t_ns, ())]
        owners.update([who for mm, who in [min(near)] if mm < HAND_MM] if near else [])
    if owners:
        who, told = owners.most_common(1)[0][0], trip.who[0][0] if trip.who else None
        what = f"{trip.trip}, {who}: {trip.who} at {trip.t_ns / 1e9:.1f} s"
        report.note("owners of trips", what, is_right=told == who)
