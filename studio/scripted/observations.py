"""Observations without pictures: an order enters; what detectors would say of its rounds leaves, frame by frame.

The simulator's truth goes through a model of what covers what (`film/occlusion`), of where things are placed
(`film/poses`) and of the detectors' errors (`noise`); nothing is rendered. A thing that lies still keeps a few ready
answers, and each observation takes one of them: only what moves costs time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Final

import numpy as np

from studio.film.filmset import DECKS, FilmSet
from studio.film.occlusion import Occlusion
from studio.film.poses import NO_SHIFT, Felt, Job, PlacedPose, as_card, shifted_corners
from studio.film.production import Order, act, check, fitting_sheet, house_sheet, ordered_look
from studio.scene import Actor, CardBody, HandBody, Key, Pose, PropBody, StackBody, Story
from studio.scripted.cast import Player
from studio.scripted.noise import ENOUGH, ErrorSampler, PersistentErrors
from studio.scripted.rates import Noise
from studio.scripted.signals import signals_of
from vision.capture.video import SECOND_NS
from vision.detect.detection import BackReading, Detection, Found
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed
from vision.records.signal import Signal
from vision.rules.book.sheet import HouseSheet
from vision.table.layout import Layout
from vision.values.cards import DECK
from vision.values.chips import ChipSet
from vision.values.geometry import Camera

__all__ = ["Noise", "ScriptedClip", "scripted_clip"]

ANSWERS: Final = 4  # that a thing at rest has ready
EDGEWISE: Final = 0.4  # a card seen flatter than this is not found: it is being turned
TWICE_MM: Final = 7.0  # how far apart the two are where one thing is told twice
FALSE_KINDS: Final = (("down", 0.35), ("up", 0.55), ("stack", 0.85), ("other", 1.0))  # summed
Told = tuple[Placed, ...]


@dataclass(frozen=True, eq=False)
class ScriptedClip:
    """Rounds as detectors see them: iterate it for its observations, as often as wanted, the same each time."""

    order: Order
    noise: Noise
    fps: float
    felt: str
    rounds: list[dict[str, Any]]
    sheet: HouseSheet
    layout: Layout
    chips: ChipSet
    camera: Camera
    story: Story
    backs: tuple[str, ...] = ()  # the decks of the table; empty: it has no pictures of their backs

    def __iter__(self) -> Iterator[FrameObservation]:
        watch = _Watch(self)
        for index in range(len(self)):
            yield FrameObservation(index, round(index / self.fps * SECOND_NS), watch.look(index))

    def showing(self) -> Iterator[tuple[int, list[tuple[Player, float]], list[Player]]]:
        """Yield the time of each sight with the things on the table, how much of each shows, and the hands."""
        watch = _Watch(replace(self, noise=Noise()))
        for index in range(len(self)):
            watch.look(index)
            yield round(index / self.fps * SECOND_NS), watch.shares(), watch.hands

    @property
    def signals(self) -> list[Signal]:
        """Return what other systems say of decks and counts while it is played."""
        return signals_of(self.sheet, self.rounds)

    def __len__(self) -> int:
        return int(self.story.duration_s * self.fps)


def scripted_clip(order: Order, noise: Noise, fps: float = 12.0) -> ScriptedClip:
    """Play an order, and return what detectors with these errors would tell of it."""
    check(order)
    look = ordered_look(order)
    film_set = FilmSet(look)  # only its layout and its chips are made
    sheet = fitting_sheet(house_sheet(order.house), film_set)
    story, rounds = act(order, sheet, film_set)
    return ScriptedClip(
        order=order,
        noise=noise,
        fps=fps,
        felt=look.felt,
        rounds=rounds,
        sheet=sheet,
        layout=film_set.layout,
        chips=film_set.chips,
        camera=look.camera,
        story=story,
        backs=look.backs,
    )


class _Watch:
    """Goes through a clip once."""

    def __init__(self, clip: ScriptedClip) -> None:
        self._fps, self._noise, self._backs = clip.fps, clip.noise, clip.backs
        self._errors = ErrorSampler(clip.order.seed, clip.noise, [chip.cents for chip in clip.chips.chip])
        self._felt = Felt(clip.felt, clip.camera, clip.chips)
        self._occlusion = Occlusion()
        self._waiting = sorted(clip.story.actors, key=lambda actor: actor.keys[0].t_s, reverse=True)
        self._hands: list[Player] = []
        self._things: list[Player] = []
        self._rows = np.zeros(0, np.intp)
        self._moving: list[Player] = []
        self._seen: tuple[list[float], list[bool]] = ([], [])
        self._false: list[tuple[int, Told]] = []
        self._ways = ANSWERS if clip.noise.jitter_mm or clip.noise.doubt else 1
        noise, lost = clip.noise, max(clip.noise.missed_s * clip.fps, 1.0)
        self._lost = noise.missed / (1 - noise.missed) / lost  # per observation: so that in all so many are missed
        self._lost_hands = noise.missed_hands / (1 - noise.missed_hands) / lost

    def look(self, index: int) -> Told:
        """Return what is told of the next moment."""
        moved, is_same = self._advance(index)
        if not is_same:
            arms = [box for hand in self._hands for box in hand.arm]
            self._seen = self._occlusion.seen(self._rows, arms) if self._things else ([], [])
        told: list[Placed] = []
        draws = self._errors.random.random(len(self._things) + len(self._hands)).tolist()
        for one, share, shows, u in zip(self._things, *self._seen, draws, strict=False):
            if share < one.errors.needs:
                one.is_hidden = True
                continue
            is_whole = shows if one.is_card else share >= ENOUGH
            if is_whole and u >= one.risk and index >= one.back_at and not one.is_hidden:  # almost always
                told += one.answers[int(u * 1e6) % len(one.answers)] if one.answers else ()
            elif one.answers:
                told += self._tell(one, index, u, is_whole=is_whole)
        for hand, u in zip(self._hands, draws[len(self._things) :], strict=True):
            told += self._tell(hand, index, u, is_whole=True) if hand.answers else ()
        self._moving = moved
        if self._noise.false:
            told += self._unreal(index)
        return tuple(told)

    def shares(self) -> list[tuple[Player, float]]:
        """Return the things on the table now, and how much of each shows."""
        return list(zip(self._things, self._seen[0], strict=False))

    @property
    def hands(self) -> list[Player]:
        """Return the hands over the table now."""
        return self._hands

    def _advance(self, index: int) -> tuple[list[Player], bool]:
        """Bring everything up to a moment; return what moved, and whether what hides what is the same as before."""
        t_s = index / self._fps
        new = self._enter(t_s, index)
        gone = [one for one in (*self._things, *self._hands) if t_s >= one.gone_s]
        if gone:
            self._drop(gone)
        moved = [*new]
        for one in (*self._things, *self._hands):
            before = one.pose
            if t_s >= one.until_s and one not in new and one.step(t_s):
                moved.append(one)
                far = hypot(one.pose.x - before.x, one.pose.y - before.y)
                one.blur = 0.0 if one.is_hand else self._noise.blurred * far * self._fps / 1000
        for one in moved:
            self._change(one)
        settled = [one for one in self._moving if one not in moved and one not in gone]
        for one in settled:
            one.blur, one.risk = 0.0, one.risk - one.blur
        settled = [one for one in settled if not one.is_hand] if self._ways > 1 else []
        if new or gone:
            self._rows = np.array([one.row for one in self._things], np.intp)
        self._answer([(one, 1) for one in moved] + [(one, self._ways) for one in settled])
        return moved, not (moved or gone)

    def _enter(self, t_s: float, index: int) -> list[Player]:
        new: list[Player] = []
        while self._waiting and self._waiting[-1].keys[0].t_s <= t_s:
            actor = self._waiting.pop()
            if t_s >= actor.gone_s:
                continue
            one = Player(actor)
            one.step(t_s)
            (self._hands if one.is_hand else self._things).append(one)
            one.row = -1 if one.is_hand else self._occlusion.add()
            if self._errors.random.random() < (self._noise.missed_hands if one.is_hand else self._noise.missed):
                one.back_at = index + self._errors.frames_lost(self._fps)
            new.append(one)
        return new

    def _drop(self, gone: list[Player]) -> None:
        for one in gone:
            if one.row >= 0:
                self._occlusion.take(one.row)
        self._things = [one for one in self._things if one not in gone]
        self._hands = [one for one in self._hands if one not in gone]

    def _change(self, one: Player) -> None:
        """Take in that a thing moved or became another."""
        if isinstance(one.body, HandBody):
            one.arm = self._felt.view.arm(one.body, one.pose)
            one.risk = self._lost_hands
            return
        if one.is_card:
            one.facing = self._felt.view.facing(one.pose)
        self._occlusion.put(one.row, self._felt.view.outline(one.body, one.pose, one.id))
        one.errors = self._errors.persistent_errors(one.chips, is_back=one.is_card and one.facing < 0)
        one.risk = self._lost + one.blur + self._errors.fresh_error_rate(one.kind, one.chips)

    def _answer(self, wanted: list[tuple[Player, int]]) -> None:
        """Make answers ready: so many for each."""
        jobs: list[tuple[Player, Job]] = []
        for one, count in wanted:
            one.answers, one.half = [], None
            body, pose = one.body, one.pose
            if abs(one.facing) < EDGEWISE:
                continue
            if isinstance(body, PropBody) and body.kind in DECKS and one.errors.is_card:
                body, pose = as_card(body, pose)
            jitter = 0.0 if one.is_hand else self._noise.jitter_mm
            shifts = self._errors.random.normal(0, jitter, (count, 2)) if jitter else NO_SHIFT
            jobs.append((one, Job(body, pose, shifts)))
        if jobs:
            for (one, job), lie in zip(jobs, self._felt.lay([job for _, job in jobs]), strict=True):
                one.lie = lie
                if lie is not None:
                    one.answers = [self._told(one, lie, k, one.errors) for k in range(len(job.shifts))]

    def _tell(self, one: Player, index: int, u: float, *, is_whole: bool) -> Told:
        """Return what is told of a thing that shows."""
        if one.is_hidden:
            one.is_hidden = False
            if self._noise.late and self._errors.random.random() < self._noise.late:
                one.back_at = max(one.back_at, index + int(self._errors.random.integers(1, 3)))
        if index < one.back_at:
            return ()
        if u < one.risk:
            return self._oddly(one, index, u)
        if is_whole or (one.chips and not self._noise.miscounted):
            return one.answers[int(u * 1e6) % len(one.answers)]
        if one.half is None:
            one.half = self._half(one)
        return (one.half,)

    def _oddly(self, one: Player, index: int, u: float) -> Told:
        """Return what is told in an observation in which something goes wrong."""
        lost = self._lost_hands if one.is_hand else self._lost
        if u < lost:
            one.back_at = index + self._errors.frames_lost(self._fps)
            return ()
        if u < lost + one.blur or one.lie is None:
            return ()
        return self._told(one, one.lie, 0, self._errors.fresh_error(one.kind, one.chips, one.errors))

    def _told(self, one: Player, lie: PlacedPose, which: int, errors: PersistentErrors) -> Told:
        body = one.body
        if isinstance(body, CardBody):
            is_up = (one.facing > 0) != errors.is_flipped
            face = None
            if is_up:
                face = self._errors.no_face() if errors.is_flipped else self._errors.face(body.card, errors)
            unseen = (
                replace(errors, is_back_unknown=True) if errors.is_flipped else errors
            )  # its face is taken for a back
            back = None if is_up else self._back(body.deck, unseen)
            detection = Detection(self._found("card_up" if is_up else "card_down", lie), face=face, back=back)
        elif isinstance(body, StackBody):
            detection = Detection(self._found("stack", lie), stack=self._errors.stack(body.cents, errors))
        elif isinstance(body, HandBody):
            detection = Detection(self._found("hand", lie))
        else:
            is_card = errors.is_card and body.kind in DECKS
            back = self._back(body.variant, errors) if is_card else None
            detection = Detection(self._found("card_down" if is_card else "other", lie), back=back)
        placed = self._placed(lie, which, detection)
        return (placed, self._again(placed)) if errors.is_doubled else (placed,)

    def _half(self, one: Player) -> Placed:
        """Return the answer to a thing of which too little shows to be read."""
        (placed, *_) = one.answers[0]
        if placed.kind == "card_up" and isinstance(one.body, CardBody):
            return replace(placed, detection=replace(placed.detection, face=self._errors.no_face(one.body.card)))
        if isinstance(one.body, StackBody):
            return replace(placed, detection=replace(placed.detection, stack=self._errors.half_hidden(one.body.cents)))
        return replace(placed, detection=replace(placed.detection, back=None))

    def _back(self, deck: int, errors: PersistentErrors) -> BackReading | None:
        return self._errors.back(deck, self._backs, errors) if self._backs else None

    def _found(self, kind: str, lie: PlacedPose) -> Found:
        return Found(kind, self._errors.score(), lie.quad, lie.base, lie.top, lie.radius_px)

    def _placed(self, lie: PlacedPose, which: int, detection: Detection) -> Placed:
        (x, y), beliefs, c = lie.places[which], lie.beliefs[which], lie.corners
        return Placed(
            kind=detection.found.kind,
            x=x,
            y=y,
            z=0.0,
            zone=beliefs[0].zone,
            p=beliefs[0].p,
            alternatives=beliefs[1:],
            sigma_mm=self._felt.sigma_mm,
            detection=detection,
            height_mm=lie.height_mm,
            angle=lie.angle,
            corners_mm=None if c is None else shifted_corners(c, x, y),
            top_px=lie.top,
            covers=lie.covers,
        )

    def _again(self, placed: Placed) -> Placed:
        """Return the second of a thing that is told twice."""
        dx, dy = self._errors.random.normal(0, TWICE_MM, 2).tolist()
        corners = None if placed.corners_mm is None else shifted_corners(placed.corners_mm, dx, dy)
        found = replace(placed.detection.found, score=0.6 * placed.detection.found.score)
        detection = replace(placed.detection, found=found)
        return replace(placed, x=placed.x + dx, y=placed.y + dy, corners_mm=corners, detection=detection)

    def _unreal(self, index: int) -> Told:
        """Return things that are not there; each is seen for a while."""
        lasts = max(self._noise.false_s * self._fps, 1.0)
        for _ in range(int(self._errors.random.poisson(self._noise.false / lasts))):
            until = index + int(self._errors.random.geometric(1 / lasts))
            self._false.append((until, self._phantom()))
        self._false = [(until, told) for until, told in self._false if index < until]
        return tuple(placed for _, told in self._false for placed in told)

    def _phantom(self) -> Told:
        """Make up a thing on the felt."""
        u = self._errors.random.random(4).tolist()
        kind = next(name for name, share in FALSE_KINDS if u[0] <= share)
        x, y = self._open_place(is_bare=u[1] >= self._noise.false_on_places)
        pose = Pose(x, y, 0.0, 360 * u[2], 0.0 if kind == "up" else 180.0)
        body: CardBody | StackBody | PropBody
        if kind == "stack":
            body = StackBody((self._errors.some_chip(),), ((0.0, 0.0, 0.0),))
        else:
            body = PropBody("lammer") if kind == "other" else CardBody(DECK[int(u[3] * len(DECK))])
        one = Player(Actor(0, body, (Key(0.0, pose),)))
        one.facing = 1.0 if kind == "up" else -1.0
        (lie,) = self._felt.lay([Job(body, pose, NO_SHIFT)])
        errors = PersistentErrors(is_blank=u[3] < 0.6, is_misread=True, is_back_unknown=True)
        return () if lie is None else self._told(one, lie, 0, errors)

    def _open_place(self, *, is_bare: bool) -> tuple[float, float]:
        """Draw a place on the felt, on a printed place or beside them."""
        zones = self._felt.map
        while True:
            places = self._errors.random.uniform((zones.xs[0], zones.ys[0]), (zones.xs[-1], zones.ys[-1]), (64, 2))
            found = [zones.zones[i] for i in zones.at(zones.cards, places).tolist()]
            for (x, y), zone in zip(places.tolist(), found, strict=True):
                if zone.name not in ("off", "rail") and zone.is_bare == is_bare:
                    return x, y
