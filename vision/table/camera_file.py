"""A calibrated camera in a file beside its table: written whole or not at all, with the one before it kept."""

import json
import os
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from vision.values.documents import read_document
from vision.values.geometry import Camera, Lens

Triple = Annotated[list[float], Field(min_length=3, max_length=3)]
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]


class CameraEntry(BaseModel):
    """Lens and pose, as `Camera.to_dict` writes them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    focal_px: Annotated[float, Field(gt=0)]
    centre_px: Pair
    distortion: Pair = [0.0, 0.0]
    position_mm: Triple
    rotation: Annotated[list[Triple], Field(min_length=3, max_length=3)]

    def camera(self) -> Camera:
        """Return the camera that the entry describes."""
        lens = Lens(self.width, self.height, self.focal_px, *self.centre_px, *self.distortion)
        x, y, z = self.position_mm
        return Camera(lens, tuple((row[0], row[1], row[2]) for row in self.rotation), (x, y, z))


class CameraFile(BaseModel):
    """What a camera file says: the camera, and how well it was registered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    camera: CameraEntry
    registration: dict[str, Any] = {}


def camera_path(table: Path) -> Path:
    """Return where the camera of a table file is kept: `camera.toml` beside `table.toml`, else `NAME.camera.toml`."""
    return table.with_name("camera.toml" if table.name == "table.toml" else f"{table.stem}.camera.toml")


def read_camera(path: Path) -> Camera:
    """Read a camera file."""
    return read_document(path, CameraFile).camera.camera()


def save_camera(path: Path, camera: Camera, registration: dict[str, object]) -> None:
    """Write a camera file; the one that was there becomes `….previous.toml`."""
    half = path.with_suffix(".half")
    try:
        with half.open("w", encoding="utf-8") as file:
            file.write(_text(camera, registration))
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            path.replace(previous_path(path))
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def previous_path(path: Path) -> Path:
    """Return where the camera before this one is kept."""
    return path.with_suffix(".previous.toml")


def _text(camera: Camera, registration: dict[str, object]) -> str:
    blocks = {"camera": camera.to_dict(), "registration": registration}
    lines = ["# Written by `feltwatch calibrate`; table space is millimetres, see vision/values/geometry.py."]
    for name, entries in blocks.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in entries.items())]
    return "\n".join(lines) + "\n"
