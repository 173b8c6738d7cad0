"""Actors on their way through a clip: an actor and moments in rising order enter; its body and pose at each leave.

A player also carries what is said of it, from one observation to the next (`observations`).
"""

from math import inf
from typing import Final

from studio.film.occlusion import Box
from studio.film.poses import PlacedPose
from studio.scene import Actor, Body, CardBody, HandBody, Pose, StackBody
from studio.scripted.noise import PersistentErrors
from vision.observe.placing import Placed

ALIKE_MM: Final = 0.8  # what moved by less did not move


class Player:
    """An actor on the table, and what is said of it."""

    def __init__(self, actor: Actor) -> None:
        self._keys = actor.keys
        self._at = 0
        self.id = actor.id
        self.gone_s = actor.gone_s
        self.become(actor.body)
        self.pose = actor.keys[0].pose  # as told last
        self.until_s = -inf  # nothing about it changes before
        self.row = -1  # in `Occlusion`; hands have none
        self.arm: list[Box] = []
        self.errors = PersistentErrors()
        self.facing = 1.0  # of a card, see `View.facing`
        self.lie: PlacedPose | None = None
        self.answers: list[tuple[Placed, ...]] = []
        self.half: Placed | None = None  # the answer while too little shows to be read
        self.back_at = 0  # the observation from which on it is found again
        self.is_hidden = True
        self.blur = 0.0  # chance that it is lost because it moves
        self.risk = 0.0  # chance that this, or anything else, goes wrong in an observation

    def become(self, body: Body) -> None:
        """Take another body."""
        self.body = body
        self.is_card, self.is_hand = isinstance(body, CardBody), isinstance(body, HandBody)
        self.chips = len(body.cents) if isinstance(body, StackBody) else 0
        self.kind = "card" if self.is_card else "stack" if self.chips else "hand" if self.is_hand else "other"

    def step(self, t_s: float) -> bool:
        """Go on to a moment; tell whether anything about it changed. As `Actor.at`, without searching."""
        keys, body, pose = self._keys, self.body, self.pose
        while self._at + 1 < len(keys) and keys[self._at + 1].t_s <= t_s:
            self._at += 1
            changed = keys[self._at].body
            if changed is not None:
                self.become(changed)
        here = keys[self._at]
        now, self.until_s = here.pose, self.gone_s
        if self._at + 1 < len(keys):
            following = keys[self._at + 1]
            self.until_s = min(following.t_s, self.gone_s)
            if following.pose != here.pose:
                share = (t_s - here.t_s) / (following.t_s - here.t_s)
                now, self.until_s = here.pose.towards(following.pose, share * share * (3 - 2 * share)), t_s
        is_resting = self.until_s > t_s  # then its place must be exact: a tenth of a millimetre decides who lies above
        if self.body == body and (now == pose or (not is_resting and _is_alike(now, pose))):
            return False
        self.pose = now
        return True


def _is_alike(one: Pose, two: Pose) -> bool:
    """Return whether two poses on the way cannot be told apart."""
    away = abs(one.x - two.x) + abs(one.y - two.y) + 8 * abs(one.z - two.z)
    return away < ALIKE_MM and abs(one.angle - two.angle) + abs(one.turn - two.turn) + abs(one.tilt - two.tilt) < 1.0
