"""Pictures for people: moments enter, now and then a JPEG with what was read drawn on it leaves."""

import time
from collections.abc import Callable
from typing import Final

import cv2

from vision.capture.video import SECOND_NS
from vision.draw.annotate import Annotator
from vision.draw.still import Scene
from vision.pipeline import Moment
from vision.records.message import Message
from vision.records.picture import Picture as PictureRecord
from vision.table.layout import Layout
from vision.values.picture import Picture

EVERY_NS: Final = SECOND_NS // 4
WIDTH: Final = 960
QUALITY: Final = 80
Show = Callable[[int, PictureRecord, bytes], None]


class Pictures:
    """Shows what the camera sees, a few times a second."""

    def __init__(self, layout: Layout, show: Show) -> None:
        self._annotator, self._show = Annotator(layout), show
        self._shown_ns: int | None = None
        self._unshown: list[Message] = []

    def update(self, moment: Moment, scene: Scene, wall_ns: int) -> None:
        """Take in a moment; show it if it is time to."""
        self._unshown += moment.messages
        now_ns = time.monotonic_ns()
        if self._shown_ns is not None and now_ns - self._shown_ns < EVERY_NS:
            return
        self._shown_ns = now_ns
        sheet = self._annotator.draw(moment.frame.picture, scene.camera, scene.known)
        sheet = self._annotator.annotate(sheet, scene.camera, moment.frame.t_ns, moment.belief, self._unshown)
        self._unshown = []
        small = _smaller(sheet)
        height, width = small.shape[:2]
        record = PictureRecord(wall_ns=wall_ns, width=width, height=height, view=moment.belief)
        self._show(moment.frame.t_ns, record, _jpeg(small))


def _smaller(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    if width <= WIDTH:
        return picture
    return cv2.resize(picture, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA).astype("uint8")


def _jpeg(picture: Picture) -> bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()
