"""Picture files: a path enters, the picture as a viewer shows it leaves, or an error that names the file and its fault.

Whatever is stored (grey, 16 bits, CMYK, a palette, transparency, several frames), what leaves is one picture of 8-bit
BGR: the first frame, its opacity ignored, turned upright as its EXIF note says. So width, height and all coordinates
that detectors report are those a person sees when opening the file, not those of the sensor that lay on its side.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.values.errors import InputError

Picture = NDArray[np.uint8]  # rows, columns, BGR
Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]  # corners, clockwise

JPEG_START, PNG_START = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
JPEG_SCAN, JPEG_END = 0xDA, 0xD9
# Inside a JPEG's scan FF00 is data and FFD0 to FFD7 only restart it; FFFF is filling. Anything else ends the scan.
AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def read_picture(path: Path) -> Picture:
    """Read one picture of any size and usual format."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if not data:
        raise InputError(f"{path}: the file is empty")
    if is_cut_short(data):
        raise InputError(f"{path}: the file is cut short: the end of the picture is missing")
    return _decoded(path, data)


def write_picture(path: Path, picture: Picture) -> None:
    """Write a picture in the format that its name asks for, whole or not at all."""
    try:
        done, data = cv2.imencode(path.suffix or ".png", picture)
    except cv2.error:  # a suffix that it does not know
        done = False
    if not done:
        raise InputError(f"{path}: cannot be written as a picture: want a name like {path.stem}.png")
    half = path.with_name(f".{path.name}.half")
    try:
        half.write_bytes(data.tobytes())
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def is_cut_short(data: bytes) -> bool:
    """Say whether a JPEG or PNG file ends before its picture does; decoders fill up what is missing with grey."""
    if data.startswith(JPEG_START):
        return not _jpeg_is_whole(data)
    if data.startswith(PNG_START):
        return not _png_is_whole(data)
    return False


def _jpeg_is_whole(data: bytes) -> bool:
    """Walk the segments to the end mark: a thumbnail inside has an end mark of its own, which does not count."""
    place = len(JPEG_START)
    while place + 4 <= len(data):
        if data[place] != 0xFF or data[place + 1] == 0xFF:  # filling between segments
            place += 1
            continue
        if data[place + 1] == JPEG_END:
            return True
        is_scan = data[place + 1] == JPEG_SCAN
        place += 2 + int.from_bytes(data[place + 2 : place + 4])
        if is_scan:
            after = AFTER_SCAN.search(data, place)
            place = after.start() if after else len(data)
    return data[place : place + 2] == bytes((0xFF, JPEG_END))


def _png_is_whole(data: bytes) -> bool:
    """Walk the chunks to the last one."""
    place = len(PNG_START)
    while place + 12 <= len(data):  # length, name, content, checksum
        name = data[place + 4 : place + 8]
        place += 12 + int.from_bytes(data[place : place + 4])
        if name == b"IEND":
            return place <= len(data)
    return False


def _decoded(path: Path, data: bytes) -> Picture:
    try:
        with _quiet_opencv():
            found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError) as error:
        raise InputError(f"{path}: the picture cannot be decoded: {' '.join(str(error).split())[:160]}") from error
    if found is None:
        raise InputError(f"{path}: not a picture, or a damaged one: want JPEG, PNG, WebP, TIFF, BMP or GIF")
    return np.asarray(found, np.uint8)


@contextmanager
def _quiet_opencv() -> Iterator[None]:
    """Keep OpenCV from writing about bad files to stderr: the error says it, once."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)
