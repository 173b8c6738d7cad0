"""The pictures of the wall: JPEGs of tables enter, as large as a tile needs them; many leave in one answer.

A wall of forty tables would ask for forty pictures a second; it asks for all of them at once, and gets those that are
new. Each is made smaller once, for everybody who looks.
"""

import json
import threading
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.web.feed import Told

WIDTHS: Final = (160, 240, 320, 480, 960)
QUALITY: Final = 72


class Thumbnails:
    """Makes pictures smaller, each once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[tuple[str, int], tuple[int, bytes]] = {}  # the latest, by table and width

    def of(self, table: str, told: Told, width: int) -> bytes:
        """Return a picture, not much wider than asked for."""
        wide = next((each for each in WIDTHS if each >= width), WIDTHS[-1])
        with self._lock:
            known = self._made.get((table, wide))
            if known is None or known[0] != told.number:
                known = (told.number, _smaller(told.picture, wide))
                self._made[table, wide] = known
            return known[1]


def bundled(pictures: Sequence[tuple[str, int, bytes]]) -> bytes:
    """Return many pictures as one body: a line of JSON that names them and their lengths, and then all of them."""
    head = [{"table": table, "number": number, "bytes": len(picture)} for table, number, picture in pictures]
    return b"".join([json.dumps(head).encode(), b"\n", *(picture for _, _, picture in pictures)])


def _smaller(jpeg: bytes, width: int) -> bytes:
    """Return a picture of that width; one that is smaller, or cannot be read, as it came."""
    raw = np.frombuffer(jpeg, np.uint8)
    picture = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
    if picture is None or picture.shape[1] <= width:
        return jpeg
    height = round(picture.shape[0] * width / picture.shape[1])
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
