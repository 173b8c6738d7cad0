"""The set: a look built up under its camera. Things enter, patches leave."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from studio.art.chip_sets import chip_set
from studio.art.chips import paint_stack, shadow_of_stack
from studio.art.cloth import bare_table, rail_heights
from studio.art.felts import make_artwork, make_layout
from studio.art.furniture import paint_furniture
from studio.art.hands import paint_hand, shadow_of_hand
from studio.art.people import Person, random_person
from studio.art.props import paint_prop, shadow_of_prop
from studio.art.view import table_view
from studio.film.card import paint_card, printed, shadow_of_card
from studio.film.frame import CARRIED_MM, Drawn, FrameMaker
from studio.film.look import Look
from studio.film.rigs import RIGS, light_map
from studio.light import Light, Pillar
from studio.patch import Patch
from studio.scene import CardBody, HandBody, PropBody, StackBody, Thing
from vision.table.layout import Layout
from vision.values.chips import ChipSet
from vision.values.picture import Picture

DECKS = ("stub", "pile")  # props made of cards: they show the backs of their deck
FINE_PX_PER_MM = 1.3  # from here on a felt printed at a pixel per millimetre would look soft
DRINK_MM = (90.0, 33.0)  # height and radius of a glass, as far as it takes light away
PEOPLE = 9  # the dealer, seven players and a stranger


class FilmSet:
    """A table in its look."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._random = np.random.default_rng([look.seed, 11])

    @cached_property
    def layout(self) -> Layout:
        """Return the felt in millimetres."""
        return make_layout(self.look.felt)

    @cached_property
    def chips(self) -> ChipSet:
        """Return the chips on the table."""
        return chip_set(self.look.chips)

    @cached_property
    def light(self) -> Light:
        """Return the main light."""
        return RIGS[self.look.rig].main_light()

    @cached_property
    def brightness(self) -> NDArray[np.float32]:
        """Return how bright each pixel of the felt is."""
        return light_map(RIGS[self.look.rig], self.look.camera)

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """Return who sits at the table; the first is the dealer."""
        return tuple(random_person(self._random, dealer=i == 0) for i in range(PEOPLE))

    @cached_property
    def empty_table(self) -> Picture:
        """Return the picture of the table with nothing in play."""
        scale = self._print_px_per_mm
        bare = bare_table(self.layout, make_artwork(self.look.felt, scale), self.look.seed)
        seen = table_view(bare, self.look.camera, scale, rail_heights(self.layout))
        lit: Picture = np.clip(seen * self.brightness, 0, 255).astype(np.uint8)
        for patch in paint_furniture(self.layout, self.look.camera, self.chips, self.light, self._random):
            lay_lit(lit, patch, self.brightness)
        return lit

    @property
    def _print_px_per_mm(self) -> int:
        """Return how finely the felt is printed: about as finely as the camera sees its nearest part."""
        closest = max(self.look.camera.scale_px_per_mm((x, y, 0.0)) for x, y in self.layout.outline)
        return 2 if closest > FINE_PX_PER_MM else 1

    def frames(self) -> FrameMaker:
        """Return a maker of frames that starts with the empty table."""
        return FrameMaker(self.empty_table, self.brightness, self.paint, self.depth, self.pillar)

    def depth(self, thing: Thing) -> float:
        """Return how far a thing is from the camera, along its view."""
        return float(self.look.camera.to_camera([thing.pose.x, thing.pose.y, thing.pose.z])[2])

    def pillar(self, thing: Thing) -> Pillar | None:
        """Return how a thing stands in the light of stacks beside it; None for what lies flat or is carried."""
        body, pose = thing.body, thing.pose
        if pose.z > CARRIED_MM:
            return None
        if isinstance(body, StackBody):
            high = pose.z + len(body.cents) * self.chips.thickness_mm
            return Pillar(pose.x, pose.y, high, self.chips.diameter_mm / 2)
        if isinstance(body, PropBody) and body.kind == "drink":
            return Pillar(pose.x, pose.y, *DRINK_MM)
        return None

    def paint(self, thing: Thing, pillars: tuple[Pillar, ...] = ()) -> Drawn:
        """Draw a thing and its shadow; `pillars` stand in its light."""
        body, pose, camera, light = thing.body, thing.pose, self.look.camera, self.light
        match body:
            case CardBody():
                design = (self.look.face, self.look.backs[body.deck % 2])
                return Drawn(paint_card(body, pose, camera, design, light), shadow_of_card(pose, camera, light))
            case StackBody():
                shadow = shadow_of_stack(body, pose, camera, light)
                return Drawn(paint_stack(body, pose, camera, self.chips, light, pillars), shadow)
            case HandBody():
                person = self.people[min(body.person, PEOPLE - 1)]
                shadow = shadow_of_hand(body, pose, camera, person, light)
                return Drawn(paint_hand(body, pose, camera, person, light), shadow)
            case _:
                shadow = shadow_of_prop(body, pose, camera, light)
                backs = printed(self.look.backs[body.variant % 2], "") if body.kind in DECKS else None
                return Drawn(paint_prop(body, pose, camera, light, backs), shadow)


def lay_lit(picture: Picture, patch: Patch, brightness: NDArray[np.float32]) -> None:
    """Lay a patch into a picture for good, in the light of its place."""
    height, width = picture.shape[:2]
    u0, v0 = max(patch.u, 0), max(patch.v, 0)
    u1, v1 = min(patch.u + patch.cover.shape[1], width), min(patch.v + patch.cover.shape[0], height)
    if u0 >= u1 or v0 >= v1:
        return
    window = (slice(v0 - patch.v, v1 - patch.v), slice(u0 - patch.u, u1 - patch.u))
    share = patch.cover[window][..., None] / 255.0
    lit = patch.colour[window] * brightness[v0:v1, u0:u1]
    target = picture[v0:v1, u0:u1]
    target[:] = np.clip(target * (1 - share) + lit * share, 0, 255).astype(np.uint8)
