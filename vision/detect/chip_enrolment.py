"""Enrolling a chip set: photographs of single chips enter; faces, edges, a sheet and a contact sheet leave.

A photograph shows one chip on a plain ground, the camera level. What is not ground is the chip; its width and height
say from how far above it is seen, so nobody marks anything: from well above it gives the face, from the side the edge.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.detect.references import EDGE_SIZE, FACE_SIDE, face_from_photo
from vision.values.errors import InputError
from vision.values.geometry import Floats
from vision.values.picture import Picture, read_picture

NAMED = re.compile(r"^\$?(\d+(?:\.\d{1,2})?)(?![\d.])")  # dollars, first in a photograph's name
FRAME = 0.05  # of the photograph's sides: taken for ground
FROM_ABOVE, FROM_ASIDE = 0.75, 0.5  # flatness of faces at least, of edges at most
MISSHAPEN = 0.09  # a chip's outline covers what its width and height promise, or it is something else
SEEN_DEG = 70.0  # of the front of an edge to either side; beyond it is a blur
ALIKE = 8.0  # in CIELAB: edges nearer than this cannot be told apart
PARTS = 6  # an edge is compared by its colours from the darkest to the brightest sixth


@dataclass(frozen=True)
class Outline:
    """Where a photograph shows a chip, in pixels."""

    middle: tuple[float, float]  # of its face
    radius: float
    flatness: float  # 1 from straight above, 0 from the side
    edge: float  # height of its edge


@dataclass(frozen=True)
class Enrolled:
    """One denomination's reference pictures."""

    cents: int
    face: Picture
    edge: Picture


def find_chip(photo: Picture, slimness: float) -> Outline:
    """Find the one chip in a photograph; `slimness` is its thickness by its diameter."""
    hull = _hull(photo)
    (left, top), (right, bottom) = hull.min(axis=0), hull.max(axis=0)
    radius, tall = (right - left) / 2, bottom - top
    most = float(np.hypot(1, slimness))
    slant = float(np.arcsin(min(tall / (2 * radius * most), 1.0)) - np.arctan(slimness))
    flatness, edge = float(np.sin(slant)), 2 * radius * slimness * float(np.cos(slant))
    covered = float(cv2.contourArea(hull.astype(np.float32)))
    promised = np.pi * radius**2 * flatness + 2 * radius * edge
    if slant <= 0 or abs(covered / promised - 1) > MISSHAPEN:
        raise InputError(f"an outline of {radius * 2:.0f}x{tall:.0f} px that no single chip has: want one chip, level")
    return Outline((float(left + radius), float(top + radius * flatness)), float(radius), flatness, edge)


def _hull(photo: Picture) -> Floats:
    """Return the convex outline of what is not ground."""
    lab = cv2.cvtColor(photo.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) * (0.6, 1.5, 1.5)  # shadows change least
    frame = max(2, round(min(photo.shape[:2]) * FRAME))
    is_frame = np.ones(photo.shape[:2], bool)
    is_frame[frame:-frame, frame:-frame] = False
    away = np.linalg.norm(lab - np.median(lab[is_frame], axis=0), axis=-1)
    limit = max(float(np.percentile(away[is_frame], 95)) * 1.5, 8.0)
    mask = cv2.morphologyEx((away > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) < 0.02 * mask.size:
        raise InputError("nothing stands out from the ground: want one chip on a plain ground of another colour")
    return np.asarray(cv2.convexHull(largest)[:, 0], float)


def cut_face(photo: Picture, chip: Outline) -> Picture:
    """Cut the face out."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = np.stack([np.cos(turn), np.sin(turn) * chip.flatness], axis=1) * chip.radius + chip.middle
    return face_from_photo(photo, rim)


def cut_edge(photo: Picture, chip: Outline) -> Picture:
    """Unroll the front of the edge, and repeat it for the half that is hidden."""
    half = EDGE_SIZE[0] // 2
    turn = np.radians((np.arange(half) + 0.5) / half * 2 * SEEN_DEG - SEEN_DEG)
    columns = chip.middle[0] + chip.radius * np.sin(turn)
    rims = chip.middle[1] + chip.radius * chip.flatness * np.cos(turn)
    rows = rims[None] + (np.arange(EDGE_SIZE[1])[:, None] + 0.5) / EDGE_SIZE[1] * chip.edge
    across = np.broadcast_to(columns, rows.shape).astype(np.float32)
    front = cv2.remap(photo, across, rows.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.concatenate([front, front], axis=1), np.uint8)


def enrol(photographs: Sequence[Path], slimness: float) -> list[Enrolled]:
    """Return the denominations that photographs show, named by the dollars that their file names begin with."""
    faces: dict[int, Picture] = {}
    edges: dict[int, Picture] = {}
    for path in photographs:
        cents, photo = _cents(path), read_picture(path)
        try:
            chip = find_chip(photo, slimness)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        if chip.flatness >= FROM_ABOVE:
            faces.setdefault(cents, cut_face(photo, chip))
        elif chip.flatness <= FROM_ASIDE:
            edges.setdefault(cents, cut_edge(photo, chip))
        else:
            seen = f"{np.degrees(np.arcsin(chip.flatness)):.0f} degrees above its plane"
            raise InputError(f"{path}: seen {seen}: want more than 49 for a face, less than 30 for an edge")
    for cents in sorted(faces.keys() ^ edges.keys()):
        missing = "from the side" if cents in faces else "from above"
        raise InputError(f"${cents / 100:g}: no photograph {missing}: want one from above and one from the side")
    found = [Enrolled(cents, faces[cents], edges[cents]) for cents in sorted(faces)]
    _check_differ(found)
    return found


def _cents(path: Path) -> int:
    named = NAMED.match(path.stem)
    if named is None:
        raise InputError(f"{path}: no amount in its name: want dollars first, as in 25-face.png")
    return round(float(named[1]) * 100)


def _check_differ(chips: Sequence[Enrolled]) -> None:
    """Refuse denominations whose edges look alike: chips below the top one show nothing else."""
    looks = [_colours(chip.edge) for chip in chips]
    for i, mine in enumerate(looks):
        for j in range(i):
            gap = float(np.linalg.norm(mine - looks[j], axis=1).mean())
            if gap < ALIKE:
                pair = f"${chips[j].cents / 100:g} and ${chips[i].cents / 100:g}"
                raise InputError(f"{pair}: their edges differ by {gap:.1f} in colour: want {ALIKE:g} or more")


def _colours(edge: Picture) -> Floats:
    """Return the mean colours of an edge's parts, the darkest first, in CIELAB."""
    lab = cv2.cvtColor((edge.mean(axis=0, keepdims=True) / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0]
    ordered = lab[np.argsort(lab[:, 0], kind="stable")]
    return np.array([part.mean(axis=0) for part in np.array_split(ordered, PARTS)], float)


def write_set(name: str, chips: Sequence[Enrolled], size_mm: tuple[float, float], folder: Path) -> Path:
    """Write a chip set beside its pictures, and a contact sheet to look at; return the set's file."""
    pictures = folder / name
    pictures.mkdir(parents=True, exist_ok=True)
    lines = [f'name = "{name}"', f"diameter_mm = {size_mm[0]}", f"thickness_mm = {size_mm[1]}"]
    for chip in chips:
        files = {"face": f"{chip.cents}-face.png", "edge": f"{chip.cents}-edge.png"}
        cv2.imwrite(str(pictures / files["face"]), chip.face)
        cv2.imwrite(str(pictures / files["edge"]), chip.edge)
        entry: Mapping[str, object] = {
            "cents": chip.cents, "base": _hex(chip.edge), "text": f"${chip.cents / 100:g}",
            "face_picture": f"{name}/{files['face']}", "edge_picture": f"{name}/{files['edge']}",
        }  # fmt: skip
        lines += ["", "[[chip]]", *(f"{key} = {_toml(value)}" for key, value in entry.items())]
    cv2.imwrite(str(pictures / "contact-sheet.png"), contact_sheet(chips))
    sheet = folder / f"{name}.toml"
    sheet.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sheet


def contact_sheet(chips: Iterable[Enrolled]) -> Picture:
    """Lay faces and edges below each other, each with its amount."""
    rows = []
    for chip in chips:
        row = np.full((FACE_SIDE * 2 + 8, 560, 3), 40, np.uint8)
        row[4:-4, 112 : 112 + FACE_SIDE * 2] = cv2.resize(chip.face, (FACE_SIDE * 2, FACE_SIDE * 2))
        wide, tall = EDGE_SIZE
        row[44 : 44 + tall * 3, 272 : 272 + wide * 2] = cv2.resize(chip.edge, (wide * 2, tall * 3))
        cv2.putText(
            row, f"${chip.cents / 100:g}", (8, 76), cv2.FONT_HERSHEY_DUPLEX, 0.8, (240, 240, 240), 1, cv2.LINE_AA
        )
        rows.append(row)
    return np.concatenate(rows)


def _hex(edge: Picture) -> str:
    blue, green, red = np.median(edge.reshape(-1, 3), axis=0).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _toml(value: object) -> str:
    return str(value) if isinstance(value, int) else f'"{value}"'
