"""What lay where, and for how long: a scripted clip enters; its things at rest leave, with how well each shows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot

from studio.film.occlusion import View
from studio.scene import CardBody, HandBody, Pose, StackBody
from studio.scripted.cast import Player
from studio.scripted.noise import LEAST
from studio.scripted.observations import ScriptedClip

SAME_MM = 1.0


@dataclass(eq=False)
class Rest:
    """A card or a stack while it lies still with one side and one content."""

    actor: int
    kind: str  # card, stack
    x: float  # where it appears on the felt
    y: float
    content: str  # the card as text, ?? where its back shows; cents of a stack
    start_ns: int
    end_ns: int
    shown_ns: list[int] = field(default_factory=list)  # the observations in which enough of it shows
    shares: list[float] = field(default_factory=list)  # how much, in these


@dataclass(eq=False)
class Visit:
    """A hand over the table: whose, and where its fingertips were."""

    person: str
    path: list[tuple[int, float, float]] = field(default_factory=list)


def rests_of(clip: ScriptedClip) -> tuple[list[Rest], list[Visit]]:
    """Return all that lay still in a clip, and the visits of hands."""
    view, now, ended = View(clip.camera), dict[int, Rest](), list[Rest]()
    visits: dict[int, Visit] = {}
    for t_ns, shares, hands in clip.showing():
        present: set[int] = set()
        for one, share in shares:
            content = content_of(one, view)
            if content is None:
                continue
            present.add(one.id)
            x, y = view.on_felt(one.pose.x, one.pose.y, one.pose.z)
            rest = now.get(one.id)
            if rest is None or rest.content != content or hypot(rest.x - x, rest.y - y) > SAME_MM:
                ended += [rest] if rest is not None else []
                rest = now[one.id] = Rest(one.id, one.kind, x, y, content, t_ns, t_ns)
            rest.end_ns = t_ns
            if share >= LEAST:
                rest.shown_ns.append(t_ns)
                rest.shares.append(share)
        ended += [rest for number, rest in now.items() if number not in present]
        now = {number: rest for number, rest in now.items() if number in present}
        for hand in hands:
            visit = visits.setdefault(hand.id, Visit(_owner(hand)))
            visit.path.append((t_ns, hand.pose.x, hand.pose.y))
    return sorted([*ended, *now.values()], key=lambda rest: (rest.start_ns, rest.actor)), list(visits.values())


def content_of(one: Player, view: View) -> str | None:
    """Return what a thing shows where it lies: the face, ??, or the cents; None of what is no card and no stack."""
    body = one.body
    if isinstance(body, StackBody):
        return str(sum(body.cents))
    if not isinstance(body, CardBody) or not _is_flat(one.pose):
        return None
    return str(body.card) if view.facing(one.pose) > 0 else "??"


def _is_flat(pose: Pose) -> bool:
    return pose.turn % 180 == 0 and pose.tilt == 0


def _owner(hand: Player) -> str:
    assert isinstance(hand.body, HandBody)  # noqa: S101 - hands alone are asked
    return "dealer" if hand.body.person == 0 else str(hand.body.person)


def long_rests(rests: list[Rest], looks: int) -> Iterator[Rest]:
    """Yield those that could be seen often enough."""
    yield from (rest for rest in rests if len(rest.shown_ns) >= looks)
