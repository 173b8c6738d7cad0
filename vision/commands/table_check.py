"""What is wrong with a table or a layout: a name enters, findings leave; all of them, not only the first."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np

from vision.capture.video import is_file, size_of
from vision.rules.book.sheet import HouseSheet, read_sheet
from vision.table.artwork import read_artwork
from vision.table.layout import Layout, read_layout
from vision.table.naming import LAYOUT_FILE, TABLE_FILE, find_layout, find_table, layout_names, table_names
from vision.table.print_check import has_outlines, print_problem
from vision.table.table import Table, read_table
from vision.values.chips import ChipSet
from vision.values.errors import InputError, VisionError, shown
from vision.values.geometry import Camera
from vision.values.resources import shipped

Value = TypeVar("Value")


@dataclass
class Findings:
    """What was found: facts to print, errors that forbid using the table, warnings that do not."""

    facts: dict[str, object]
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def attempt(self, read: Callable[[], Value]) -> Value | None:
        """Return what reading gives; where it fails the failure is a finding, and the others are still looked for."""
        try:
            return read()
        except VisionError as error:
            self.errors.append(str(error))
            return None

    def record(self) -> dict[str, object]:
        """Return the findings as they are printed."""
        return {**self.facts, "ok": not self.errors, "errors": self.errors, "warnings": self.warnings}


def find_target(name: str) -> Table | Path:
    """Return the table that is meant, or the folder of the layout."""
    given = Path(name)
    if given.name == LAYOUT_FILE and given.is_file():
        return given.parent
    if given.is_dir() and not (given / TABLE_FILE).is_file():
        if (given / LAYOUT_FILE).is_file():
            return given
        raise InputError(f"{given}: neither {TABLE_FILE} nor {LAYOUT_FILE} in this folder")
    if not given.exists() and name not in table_names():
        if name not in layout_names():
            names = ", ".join(table_names() + layout_names())
            raise InputError(f"{shown(name)}: no such table or layout: want its file, its folder, or one of {names}")
        return find_layout(name)
    return read_table(find_table(name))


def layout_findings(folder: Path) -> Findings:
    """Check a layout by itself."""
    findings = Findings({"layout": str(folder)})
    _check_layout(findings, folder)
    return findings


def table_findings(table: Table) -> Findings:
    """Check a table with all that it names."""
    findings = Findings({"table": str(table.path), "name": table.file.name})
    folder = findings.attempt(lambda: table.layout_folder)
    layout = _check_layout(findings, folder) if folder else None
    chips = findings.attempt(lambda: table.chips)
    house = findings.attempt(lambda: table.house_path)
    sheet = findings.attempt(lambda: read_sheet(house)) if house else None
    findings.facts["chips"] = chips.name if chips else None
    findings.facts["house"] = sheet.name or sheet.game if sheet else None
    if sheet and layout and folder:
        _check_zones(findings, sheet, layout, folder)
    if sheet and chips:
        _check_chips(findings, sheet, chips, table.path)
    _check_decks(findings, table, sheet)
    _check_camera(findings, table, layout)
    return findings


def needs(sheet: HouseSheet) -> tuple[list[str], list[str]]:
    """Return the wagers that a house offers, and the common cards on which they are read: 'bonus', 'community'."""
    game = sheet.house.game
    wagers = [wager.id for wager in game.stakes.values() if not wager.optional or wager.id in sheet.offered]
    hands = {rule.hand for wager in wagers for rule in sheet.house.plans[wager].rules}
    zones = {zone for hand in hands for zone in game.zones.get(hand, ())}
    return wagers, sorted(zone.removeprefix("table.") for zone in zones if zone.startswith("table."))


def _check_layout(findings: Findings, folder: Path) -> Layout | None:
    layout = findings.attempt(lambda: read_layout(folder))
    if layout is None:
        return None
    if layout.artwork is None:
        findings.warnings.append(
            f"{folder / LAYOUT_FILE}: artwork: missing: the camera can be registered by points only"
        )
    else:
        _check_artwork(findings, layout, folder)
    spots = [set(seat.spots) for seat in layout.seat]
    for seat in layout.seat:
        for name in sorted(set.union(*spots) - set(seat.spots)):
            findings.warnings.append(
                f"{folder / LAYOUT_FILE}: seat {seat.number} has no {name}, which other seats have"
            )
    facts = {"name": layout.name, "seats": len(layout.seat), "spots": sorted(set.union(*spots))}
    findings.facts["layout"] = {"folder": str(folder), **facts}
    return layout


def _check_artwork(findings: Findings, layout: Layout, folder: Path) -> None:
    """Spots must be printed where the layout has them, or everything is looked for beside its place."""
    artwork = findings.attempt(lambda: read_artwork(folder, layout))
    if artwork is None:
        return
    place = folder / (layout.artwork or "")
    problem = print_problem(artwork, layout)
    if problem:
        findings.errors.append(f"{place}: {problem}")
    elif not has_outlines(artwork, layout):
        findings.warnings.append(
            f"{place}: no outlines of spots are seen in it: compare `feltwatch table show` with the felt by eye"
        )


def _check_zones(findings: Findings, sheet: HouseSheet, layout: Layout, folder: Path) -> None:
    """A felt that lacks a place that the game needs cannot be watched."""
    for place in layout.lacks(*needs(sheet)):
        findings.errors.append(f"{folder / LAYOUT_FILE}: {place}: missing: {sheet.game} as offered here needs it")


def _check_chips(findings: Findings, sheet: HouseSheet, chips: ChipSet, path: Path) -> None:
    unknown = sorted(set(sheet.chips_cents) - {chip.cents for chip in chips.chip})
    if unknown:
        findings.errors.append(
            f"{path}: chips: {shown(chips.name)}: want chips of {unknown} cents, which the house uses"
        )


def _check_decks(findings: Findings, table: Table, sheet: HouseSheet | None) -> None:
    decks = table.file.deck
    findings.facts["decks"] = [f"{deck.faces}, {deck.back}" for deck in decks]
    for i, deck in enumerate(decks):
        places = (table.path.parent / f"{deck.back}.png", shipped("calibration") / "decks" / f"{deck.back}.png")
        if not any(place.is_file() for place in places):
            findings.warnings.append(
                f"{table.path}: deck[{i}].back: {shown(deck.back)}: no picture in calibration/decks"
            )
    if sheet and len(decks) != sheet.decks:
        findings.warnings.append(f"{table.path}: deck: {len(decks)} given: the house sheet says {sheet.decks}")


def _check_camera(findings: Findings, table: Table, layout: Layout | None) -> None:
    """A table without a camera is not calibrated yet; one whose camera does not see its spots is wrong."""
    try:
        camera = table.camera
    except VisionError as error:
        findings.facts["camera"] = "missing"
        findings.warnings.append(str(error))
        return
    findings.facts["camera"] = "calibrated"
    _check_source(findings, table, camera)
    hidden = _out_of_picture(camera, layout) if layout else []
    if hidden:
        findings.warnings.append(f"{table.path}: camera: out of the picture: {', '.join(hidden)}")


def _check_source(findings: Findings, table: Table, camera: Camera) -> None:
    """A recording of another size than the camera was calibrated with cannot be watched; cameras are asked later."""
    source = table.source
    if source is None or not is_file(source):
        return
    size, lens = findings.attempt(lambda: size_of(source)), camera.lens
    if size is not None and size != (lens.width, lens.height):
        findings.errors.append(
            f"{table.path}: source: {source}: {size[0]} x {size[1]}: want {lens.width} x {lens.height},"
            " as the camera was calibrated: calibrate again with a picture of this size"
        )


def _out_of_picture(camera: Camera, layout: Layout) -> list[str]:
    names = [f"seat {seat.number} {spot}" for seat in layout.seat for spot in seat.spots]
    middles = np.array([[*spot.centre, 0.0] for seat in layout.seat for spot in seat.spots.values()])
    seen, lens = camera.project(middles), camera.lens
    inside = ((seen >= 0) & (seen < (lens.width, lens.height))).all(axis=1) & (camera.to_camera(middles)[:, 2] > 0)
    return [name for name, is_inside in zip(names, inside, strict=True) if not is_inside]
