"""Chip sets that a look can have: a name enters; a shipped set, or a reserved one, leaves, or is written as files.

Reserved sets (see `drawers`) are not shipped: they are drawn up here, and written beside the table that uses them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from studio.art.chip_art import chip_edge, chip_face
from studio.art.drawers import RESERVED, is_reserved
from vision.values.chips import Chip, ChipSet, EdgeSpots, read_chip_set
from vision.values.resources import shipped

FACE_PX_PER_MM, EDGE_PX_PER_MM = 4.0, 4.0  # as the pictures of the shipped sets
Spots = Callable[[str, str], list[EdgeSpots]]  # two colours to the blocks on an edge


@dataclass(frozen=True, slots=True)
class SetDesign:
    """A house's chips: what its edges and inlays have in common, and a base colour and two others for each value."""

    spots: Spots
    inlay: str
    inlay_mm: float
    colours: dict[int, tuple[str, str, str]]
    has_ring: bool = False
    prefix: str = "$"
    diameter_mm: float = 39.0
    thickness_mm: float = 3.3


def _spots(*blocks: tuple[int, float, float]) -> Spots:
    """Return a way to lay blocks (count, width, offset in degrees), the two colours in turn."""

    def lay(first: str, second: str) -> list[EdgeSpots]:
        colours = (first, second)
        return [
            EdgeSpots(colour=colours[i % 2], count=count, width_deg=width, offset_deg=offset)
            for i, (count, width, offset) in enumerate(blocks)
        ]

    return lay


_DESIGNS: Final = {
    "tidewater": SetDesign(
        _spots((8, 9, 0), (8, 9, 22.5)), "#e9f1f0", 22.0,
        {100: ("#b9c7c9", "#245a66", "#ffffff"), 500: ("#a83a32", "#f1e5cf", "#3d6f7a"),
         2500: ("#2e7d5b", "#f5d76b", "#173f2e"), 10000: ("#20242b", "#58b6c9", "#e3e3de"),
         50000: ("#5b3c86", "#e5c1ef", "#f0a23a"), 100000: ("#d7a92f", "#243a52", "#ffffff")},
    ),
    "granite-peak": SetDesign(
        _spots((2, 62, 0), (2, 20, 0)), "#d8d4cc", 30.0,
        {100: ("#e4e0d8", "#8a8d92", "#3a3d42"), 500: ("#8f2436", "#c9c4ba", "#22262d"),
         2500: ("#3d6b35", "#d9d6cd", "#10240e"), 10000: ("#35373c", "#b6b2a8", "#a32f2f"),
         50000: ("#6e4a8c", "#d0c9bd", "#2b1a3a"), 100000: ("#c86a1e", "#e3dfd6", "#44250b")},
        has_ring=True, prefix="",
    ),
    "lantern-row": SetDesign(
        _spots((5, 16, 0), (5, 5, 36)), "#fbf3d7", 21.0,
        {100: ("#dfe3e8", "#c8402f", "#2c4a8c"), 500: ("#c23a4b", "#fbe6a2", "#403a9c"),
         2500: ("#1f6a6e", "#f7b54a", "#ffffff"), 10000: ("#2b2233", "#e05a7a", "#f3d36b"),
         50000: ("#8a3fa0", "#8be0c5", "#ffffff"), 100000: ("#e3b23c", "#7a2b2b", "#2a5f3a")},
    ),
    "old-mint": SetDesign(
        _spots((3, 14, -14), (3, 14, 14), (3, 6, 0)), "#f4efe2", 29.0,
        {100: ("#cfd8cc", "#4c6b52", "#9aa88c"), 500: ("#b5483d", "#e8d9b8", "#6b2019"),
         2500: ("#4f8f6a", "#f0efdf", "#1e4a33"), 10000: ("#24302f", "#a8c9b4", "#d9b36a"),
         50000: ("#7a5a9a", "#e6dff0", "#3b2657"), 100000: ("#bf8f2f", "#f6ebc9", "#5a3d0c")},
        has_ring=True,
    ),
    "prairie-star": SetDesign(
        _spots((12, 7, 0)), "#fff8ea", 31.0,
        {100: ("#f0ead8", "#7a5b34", "#7a5b34"), 500: ("#d2553a", "#fff1d6", "#fff1d6"),
         2500: ("#3f7f2f", "#ffe07a", "#ffe07a"), 10000: ("#1e1e22", "#e8c15a", "#e8c15a"),
         50000: ("#4b4fa6", "#cfe3ff", "#cfe3ff"), 100000: ("#e07f1a", "#2f2a4f", "#2f2a4f")},
        diameter_mm=40.0,
    ),
    "night-market": SetDesign(
        _spots((4, 44, 0), (4, 26, 0), (4, 9, 0)), "#1d1d24", 33.0,
        {100: ("#9aa3b5", "#2a2f45", "#f2f2f2"), 500: ("#e0364f", "#2a2f45", "#ffd1d8"),
         2500: ("#19a974", "#0f2f2a", "#d8ffe9"), 10000: ("#3a3d52", "#f2f2f2", "#ff4fa0"),
         50000: ("#7b3ff2", "#1a1036", "#e6d8ff"), 100000: ("#ffb000", "#3a2400", "#fff0c2")},
        prefix="", thickness_mm=3.4,
    ),
}  # fmt: skip


def chip_set(name: str) -> ChipSet:
    """Return a set by its name."""
    if not is_reserved("chips", name):
        return read_chip_set(shipped("calibration") / "chips" / f"{name}.toml")
    design = _DESIGNS[name]
    chips = [_chip(design, cents, colours) for cents, colours in design.colours.items()]
    return ChipSet(name=name, diameter_mm=design.diameter_mm, thickness_mm=design.thickness_mm, chip=chips)


def _chip(design: SetDesign, cents: int, colours: tuple[str, str, str]) -> Chip:
    base, first, second = colours
    is_dark = design.inlay < "#8"
    return Chip(
        cents=cents,
        base=base,
        spots=design.spots(first, second),
        inlay=design.inlay,
        inlay_diameter_mm=design.inlay_mm,
        ring=first if design.has_ring else None,
        text=f"{design.prefix}{cents // 100}",
        text_colour="#f4f4ee" if is_dark else "#202020",
    )


def reserved_sets() -> tuple[str, ...]:
    """Return the names of all reserved sets."""
    return tuple(name for names in RESERVED["chips"].values() for name in names)


def write_chip_set(name: str, folder: Path) -> None:
    """Write a set as `NAME.toml` with the pictures of its chips, as enrolling them would."""
    chips = chip_set(name)
    lines = [f'name = "{name}"', f"diameter_mm = {chips.diameter_mm}", f"thickness_mm = {chips.thickness_mm}"]
    for chip in chips.chip:
        face, edge = f"{name}-{chip.cents}-face.png", f"{name}-{chip.cents}-edge.png"
        cv2.imwrite(str(folder / face), chip_face(chip, FACE_PX_PER_MM, chips.diameter_mm)[0])
        cv2.imwrite(str(folder / edge), chip_edge(chip, EDGE_PX_PER_MM, chips.diameter_mm, chips.thickness_mm))
        lines += ["", "[[chip]]", *_chip_lines(chip), f'face_picture = "{face}"', f'edge_picture = "{edge}"']
    (folder / f"{name}.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _chip_lines(chip: Chip) -> list[str]:
    spots = ", ".join(
        f'{{ colour = "{s.colour}", count = {s.count}, width_deg = {s.width_deg}, offset_deg = {s.offset_deg} }}'
        for s in chip.spots
    )
    lines = [f"cents = {chip.cents}", f'base = "{chip.base}"', f"spots = [{spots}]", f'inlay = "{chip.inlay}"']
    lines += [f"inlay_diameter_mm = {chip.inlay_diameter_mm}", f'text = "{chip.text}"']
    ring = [f'ring = "{chip.ring}"'] if chip.ring else []
    return [*lines, f'text_colour = "{chip.text_colour}"', *ring]
