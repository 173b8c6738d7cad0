"""Placing what a dealt round puts on the felt: every stake, every card and every player's own chips, on many felts."""

import random
from typing import Any

import numpy as np
import pytest

from studio.art.felts import make_layout
from studio.film.card import card_corners
from studio.film.production import house_sheet
from studio.play.players import open_table
from studio.play.register import Puppet, Register
from studio.play.round_generator import write_round
from studio.play.script import Move
from studio.play.stage import Stage
from studio.play.tempo import Span, random_tempo
from studio.scene import Pose
from vision.detect.detection import Detection, Found, StackReading
from vision.observe.placing import Placed, Placer
from vision.values.geometry import Camera, Lens
from vision.values.picture import Quad

CAMERA = Camera.looking_at(
    Lens(1920, 1080, 1500.0, 959.5, 539.5, -0.06), (400.0, -800.0, 2300.0), (0.0, 480.0, 0.0), -6.0
)
NOISE_PX = 1.0
LIFTED_MM = 20.0  # what is higher is in somebody's hand


class WatchedStage(Stage):
    """A stage of which a detector with some noise sees what lies there after every move."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.placer = Placer(CAMERA, self.table.ground.layout)
        self.noise = np.random.default_rng(5)
        self.known: set[tuple[str, int, Pose]] = set()
        self.seen: list[tuple[str, Placed]] = []  # what it is, and where it was placed

    def _act(self, move: Move) -> Span:
        span = super()._act(move)
        things = list(self._things(self.table.register))
        self.seen += zip([what for what, _ in things], self.placer.place([seen for _, seen in things]), strict=True)
        return span

    def _things(self, register: Register) -> list[tuple[str, Detection]]:
        stakes = [(f"{'paid' if w.is_paid else 'stake'} {w.seat} {w.wager}", w.puppet) for w in register.wagered]
        own = [(f"own {seat}", stack) for seat, stacks in register.reserve.items() for stack in stacks]
        cards = [(f"card {owner}", card) for owner, hand in register.cards.items() for card in hand]
        chips = [(what, self._stack(puppet)) for what, puppet in stakes + own if self._is_new(what, puppet)]
        return chips + [(what, self._card(puppet)) for what, puppet in cards if self._is_new(what, puppet)]

    def _is_new(self, what: str, puppet: Puppet) -> bool:
        """Return whether a thing lies where it did not lie before."""
        known = (what, puppet.id, puppet.pose) in self.known
        self.known.add((what, puppet.id, puppet.pose))
        return not known and puppet.pose.z < LIFTED_MM and puppet.gone_s == float("inf")

    def _stack(self, puppet: Puppet) -> Detection:
        pose = puppet.pose
        u, v = (CAMERA.project([pose.x, pose.y, pose.z]) + self.noise.normal(0, NOISE_PX, 2)).tolist()
        count = max(len(puppet.cents), 1)
        found = Found("stack", 0.9, ((u, v),) * 4, (u, v), (u, v), 17.0)
        return Detection(found, stack=StackReading(count, 1.0, (count, count)))

    def _card(self, puppet: Puppet) -> Detection:
        one, two, three, four = CAMERA.project(card_corners(puppet.pose)) + self.noise.normal(0, NOISE_PX, (4, 2))
        quad: Quad = (_pair(one), _pair(two), _pair(three), _pair(four))
        return Detection(Found("card_up", 0.9, quad))


def _pair(point: Any) -> tuple[float, float]:
    return float(point[0]), float(point[1])


@pytest.mark.parametrize("felt", ["emerald-arc", "teal-kidney", "bordeaux-bank", "copper-saloon"])
def test_what_a_round_puts_down_is_found_in_its_place(felt: str) -> None:
    chance = random.Random(4)
    sheet, layout = house_sheet("maryland"), make_layout(felt)
    boxes = [seat.number for seat in layout.seat]
    stage = WatchedStage(layout, random_tempo(chance), chance, tuple(sheet.chips_cents))
    session = open_table(sheet, chance, boxes, "test", boxes)
    for _ in range(2):
        stage.act(write_round(sheet, session, chance, [], []).script)
    homes = {what: {str(placed.zone) for other, placed in stage.seen if other == what} for what, _ in stage.seen}
    assert {what: zones for what, zones in homes.items() if not zones <= expected(what)} == {}
    assert {what.split()[0] for what in homes} == {"stake", "paid", "own", "card"}


def expected(what: str) -> set[str]:
    """Return the zones at which a thing may lie."""
    match what.split():
        case ["stake", seat, wager]:
            return {f"seat.{seat}.{wager}"}
        case ["paid", seat, wager]:
            spot = wager.removesuffix("_bonus")  # what is paid on the ante lies at the ante
            return {f"seat.{seat}.{spot}", f"seat.{seat}.payout:{spot}"}
        case ["own", seat]:
            return {f"seat.{seat}.felt"}
        case ["card", "dealer"]:
            return {"dealer.cards"}
        case ["card", "bonus"]:
            return {"bonus"}
        case ["card", owner]:
            return {f"{owner}.cards", "work"}  # a hand is shown in the work area
    return set()
