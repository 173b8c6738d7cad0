"""Reference pictures of chips: a chip set enters, its faces and edges as the reader wants them leave.

A casino makes them from photographs: `face_from_photo` cuts the disc out of a view from above, `edge_from_photo` takes
a piece of the edge from the side. Neutral light is best; a few degrees of tilt do no harm.
"""

from pathlib import Path

import cv2
import numpy as np

from vision.values.chips import Chip, ChipSet
from vision.values.errors import InputError
from vision.values.picture import Picture

FACE_SIDE = 64
EDGE_SIZE = (128, 16)  # columns for one turn, rows
OUTSIDE = 128  # grey around the disc


def reference_pictures(chips: ChipSet) -> tuple[Picture, Picture] | None:
    """Return all faces (k, 64, 64, 3) and edges (k, 16, 128, 3) of a set, None where it has no pictures."""
    if any(chip.face_picture is None or chip.edge_picture is None for chip in chips.chip):
        return None
    faces = [_fitted(chip, "face_picture", (FACE_SIDE, FACE_SIDE)) for chip in chips.chip]
    edges = [_fitted(chip, "edge_picture", EDGE_SIZE) for chip in chips.chip]
    return np.stack([in_disc(face) for face in faces]), np.stack(edges)


def _fitted(chip: Chip, field: str, size: tuple[int, int]) -> Picture:
    path: Path = getattr(chip, field)
    found = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if found is None:
        raise InputError(f"{path}: not a picture that can be read: want a PNG for {field} of chip {chip.cents}")
    return np.asarray(cv2.resize(found, size, interpolation=cv2.INTER_AREA), np.uint8)


def in_disc(face: Picture) -> Picture:
    """Return a square face with even grey around its disc."""
    side = face.shape[0]
    away = np.hypot(*np.meshgrid(*(np.arange(side) - (side - 1) / 2,) * 2))
    return np.where((away > side / 2)[..., None], np.uint8(OUTSIDE), face)


def face_from_photo(photo: Picture, rim: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Picture:
    """Cut a chip's face from a photograph: `rim` is five or more points (n, 2) on its outline, in pixels."""
    if len(rim) < 5:
        raise InputError(f"{len(rim)} points on the rim: want 5 or more")
    (u, v), (one, two), turn = cv2.fitEllipse(np.asarray(rim, np.float32).reshape(-1, 1, 2))
    swing = np.radians(turn)
    axes = np.array([[np.cos(swing) * one, -np.sin(swing) * two], [np.sin(swing) * one, np.cos(swing) * two]]) / 2
    upright = axes @ np.linalg.inv(np.array([[np.cos(swing), -np.sin(swing)], [np.sin(swing), np.cos(swing)]]))
    steps = (np.arange(FACE_SIDE * 3) + 0.5) / (FACE_SIDE * 1.5) - 1
    grid = np.stack(np.meshgrid(steps, steps), axis=-1) @ upright.T + (u, v)
    where = grid.astype(np.float32)
    fine = cv2.remap(photo, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return in_disc(np.asarray(cv2.resize(fine, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA), np.uint8))


def edge_from_photo(photo: Picture, corners: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Picture:
    """Cut a chip's edge from a photograph from the side: four corners of its front half, clockwise from upper left.

    A side view shows half a turn, foreshortened to the sides: it is unrolled, and repeated for the half that is hidden.
    """
    wide, tall = EDGE_SIZE[0] * 4, EDGE_SIZE[1] * 2
    goal = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    flat = cv2.warpPerspective(
        photo, cv2.getPerspectiveTransform(np.asarray(corners, np.float32), goal), (wide, tall), flags=cv2.INTER_AREA
    )
    turn = (np.arange(EDGE_SIZE[0] // 2) + 0.5) / (EDGE_SIZE[0] // 2) * 140 - 70  # the last 20° on each side are a blur
    columns = ((np.sin(np.radians(turn)) + 1) / 2 * wide - 0.5).astype(np.float32)
    rows = ((np.arange(EDGE_SIZE[1]) + 0.5) * 2 - 0.5).astype(np.float32)
    across, down = np.meshgrid(columns, rows)
    half = cv2.remap(flat, across, down, cv2.INTER_LINEAR)
    return np.asarray(np.concatenate([half, half], axis=1), np.uint8)
