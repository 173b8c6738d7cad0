"""Drinks: a variant enters; its vessel, and the drink painted on an easel, leave."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from studio.art.easel import Easel, Profile, cut_profile, ring
from studio.art.flats import PLASTICS


@dataclass(frozen=True, slots=True)
class Vessel:
    """Something to drink from: its outline, its skin, and what is in it; where several are named, `variant` chooses."""

    profile: Profile
    skins: tuple[str, ...]
    alpha: int  # of the skin: glass is thin, paper is not
    liquids: tuple[str, ...] = ()
    liquid_alpha: int = 235
    floor_mm: float = 4.0
    ice: int = 0
    lid: str | None = None  # on a full glass: foam
    label: str | None = None
    straw: bool = False


GLASS, BROWN, CANS = ("#e4ecee",), ("#4a2408", "#1d4a26", "#3a1c06"), ("#b8202a", "#c4c8cc", "#1d4f9c", "#2a7a3c")
WINES, SPIRITS = ("#4e0a18", "#d9c67a"), ("#8a4a12", "#c98a2c", "#7a1420", "#c8ccb8")
SOFT = ("#2a120a", "#d07a20", "#3a1a0c", "#b8c49a")
VESSELS = (
    Vessel(((33, 0), (41, 92)), GLASS, 44, SPIRITS, 225, 9, ice=3),
    Vessel(((28, 0), (33, 138)), GLASS, 44, SOFT, 245, 6, ice=3, straw=True),
    Vessel(((30, 0), (31, 128), (27, 150), (13.5, 196), (13.5, 232)), BROWN, 242, lid="#120903", label="#e6dcc0"),
    Vessel(((26, 0), (33, 8), (33, 112), (27, 121)), CANS, 255, lid="#b4b8bc"),
    Vessel(((29, 0), (41, 106)), ("#efeae0", "#c9a27a", "#2f5d4a"), 255, ("#3a2112", "#8a5c38"), 255),
    Vessel(((29, 0), (41, 106)), ("#f2efe8", "#8a5a36", "#30343a"), 255, lid="#f4f2ee", label="#8c5f3c"),
    Vessel(((30, 0), (38, 118)), GLASS, 46, ("#c4d2d4",), 110, 7, ice=3, straw=True),
    Vessel(((32, 0), (47, 118)), ("#b5202a", "#2358a8"), 255, ("#c99a34", "#2a120a"), 250),
    Vessel(((34, 0), (33, 2), (4, 6), (4, 78), (30, 98), (38, 124), (32, 172)), GLASS, 40, WINES, 240, 80),
    Vessel(((30, 0), (33, 60), (43, 150)), GLASS, 44, ("#d2921c", "#5a2a0c"), 235, 6, lid="#f2e8cc"),
)  # fmt: skip
FILLS = (0.62, 0.35, 0.85, 0.15)


@cache
def vessel_of(variant: int) -> Vessel:
    """Return a drink's vessel: one kind, skin and liquid each, and a size of its own."""
    kind, again = VESSELS[variant % len(VESSELS)], variant // len(VESSELS)
    grown = 1 + 0.06 * (again * 2 % 5 - 2)
    return replace(
        kind,
        profile=tuple((radius * grown, height * grown) for radius, height in kind.profile),
        skins=kind.skins[again % len(kind.skins) :],
        liquids=kind.liquids[again % max(len(kind.liquids), 1) :],
    )


def draw_drink(easel: Easel, variant: int) -> None:
    """Draw a vessel and what is in it, from the far wall to the near one."""
    vessel, again = vessel_of(variant), variant // len(VESSELS)
    rim_r, rim_z = vessel.profile[-1]
    skin, is_glass = vessel.skins[0], vessel.alpha < 200
    if again % 3 == 1:  # a coaster or a napkin
        widest, sides = max(radius for radius, _ in vessel.profile), 4 if again % 2 else 28
        colour = ("#ece8de", "#23201e", "#8c2a2a")[variant % 3]
        easel.flat(ring(widest * (1.5 if sides == 4 else 1.2), 0.5, sides), colour)
    if is_glass:
        easel.flat(ring(vessel.profile[0][0], 0), skin, 70, 0.8)  # the thick foot of a glass
    easel.revolve(vessel.profile, "#f6f3ec" if vessel.alpha == 255 else skin, vessel.alpha, inside=True)
    easel.flush()
    if vessel.liquids:
        _fill(easel, vessel, FILLS[again % len(FILLS)], again)
    easel.revolve(vessel.profile, skin, vessel.alpha)
    easel.flush()
    if vessel.label:
        easel.revolve(cut_profile(vessel.profile, rim_z * 0.22, rim_z * 0.55), vessel.label)
    if vessel.lid and not vessel.liquids:
        _lid(easel, vessel, vessel.lid)
    easel.flush()
    lip = "#ffffff" if vessel.liquids else skin
    easel.revolve(((rim_r, rim_z), (rim_r - (1.0 if is_glass else 1.8), rim_z)), lip, 150 if is_glass else 230)


def _fill(easel: Easel, vessel: Vessel, full: float, seed: int) -> None:
    """Fill a vessel: the body of the drink, its surface, foam, ice and a straw."""
    random = np.random.default_rng(seed + 7)
    rim_z, liquid = vessel.profile[-1][1], vessel.liquids[0]
    level = vessel.floor_mm + (rim_z - vessel.floor_mm) * full
    body = cut_profile(vessel.profile, vessel.floor_mm, level)
    radius = body[-1][0] * 0.96
    easel.revolve(body, liquid, vessel.liquid_alpha)
    for share, lift in ((1.0, 0.8), (0.93, 1.0), (0.6, 1.08)):  # darker where it climbs the glass
        easel.flat(ring(radius * share, level), vessel.lid or liquid, vessel.liquid_alpha, lift)
    easel.flush()
    for _ in range(vessel.ice):
        x, y, turn = *random.uniform(-0.42, 0.42, 2) * radius, random.uniform(0, np.pi)
        for size, tone, alpha in ((0.36, "#b9c4c6", 120), (0.26, "#eef4f5", 130)):
            easel.flat(ring(radius * size, level + 3, 4, turn) + np.array([x, y, 0]), tone, alpha)
        easel.flush()
    if vessel.straw:
        lean = np.array([radius * 0.75, radius * 0.5, 0])
        foot, tip = np.array([0, 0, level]) - lean, np.array([0, 0, rim_z + 4]) + lean * 0.8
        for side, lift in ((2.6, 0.7), (1.4, 1.1)):
            aside = np.array([side, 0, 0])
            stick = [foot - aside, foot + aside, tip + aside, tip - aside]
            easel.flat(stick, PLASTICS[seed % len(PLASTICS)], 255, lift)
        easel.flush()


def _lid(easel: Easel, vessel: Vessel, colour: str) -> None:
    """Close a vessel: the end of a can, the lid of a cup, the mouth of a bottle."""
    radius, height = vessel.profile[-1]
    easel.flat(ring(radius, height), colour)
    easel.revolve(((radius * 0.86, height + 2), (radius * 0.80, height - 1)), colour, inside=True)
    if radius > 20:
        easel.flat(ring(radius * 0.78, height), colour, 255, 0.86)
        easel.flat(ring(radius * 0.24, height, 12) + np.array([0, radius * 0.45, 0]), "#1c1a18")
        easel.flat(ring(radius * 0.22, height + 1, 12), colour, 255, 1.1)
