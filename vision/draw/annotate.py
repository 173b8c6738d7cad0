"""A replay to look at: frames with what was read and what it meant drawn on them."""

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from vision.attention.region import Region
from vision.capture.video import SECOND_NS
from vision.detect.detection import Detection
from vision.draw.detections import draw, free_place
from vision.draw.overlay import CARDS, DEALER, OTHER, WAGERS
from vision.records.alert import Alert
from vision.records.message import Message
from vision.table.layout import Layout, Shape
from vision.values.geometry import Camera
from vision.values.money import dollars
from vision.values.picture import Picture

Colour = tuple[int, int, int]
WHITE: Final[Colour] = (255, 255, 255)
ALERT: Final[Colour] = (90, 90, 255)
GLANCE: Final[dict[str, Colour]] = {"dealer": (120, 120, 255), "hands": (230, 130, 255), "settled": (255, 255, 255)}
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
LETTER_PX: Final = 22  # height of a capital at font size 1
ALERT_NS: Final = 8 * SECOND_NS  # how long an alert stays in the picture


class Annotator:
    """Draws on the frames of one table."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._alert: tuple[int, str] | None = None

    def draw(
        self, picture: Picture, camera: Camera, known: Sequence[Detection], regions: Sequence[Region] = ()
    ) -> Picture:
        """Return a picture with the zones' outlines, what was looked at, and what is known to lie there."""
        sheet = picture.copy()
        for colour, shape in self._shapes():
            _outline(sheet, camera, shape, colour)
        for region in regions:
            left, top, right, bottom = region.box
            colour = next((GLANCE[why] for why in region.why if why in GLANCE), OTHER)
            cv2.rectangle(sheet, (left, top), (right - 1, bottom - 1), colour, 1)
        return draw(sheet, known)

    def annotate(
        self, picture: Picture, camera: Camera, t_ns: int, view: Mapping[str, object], messages: Sequence[Message]
    ) -> Picture:
        """Write time, phase, what is believed of each seat, and the last alert into a picture."""
        for message in messages:
            if isinstance(message.record, Alert):
                self._alert = (t_ns, alert_words(message.record))
        height = picture.shape[0]
        _write(picture, (0.0, 0.0), [f"{t_ns / SECOND_NS:.2f} s  {view.get('phase', '')}"], WHITE)
        seats = view.get("seats")
        for seat in self._layout.seat:
            words = seat_words(seats.get(seat.number) if isinstance(seats, Mapping) else None)
            if words:
                u, v = camera.project((*seat.cards.centre, 0.0))
                _write(picture, (float(u), float(v)), [f"seat {seat.number}", *words], CARDS)
        if self._alert is not None and t_ns - self._alert[0] <= ALERT_NS:
            _write(picture, (0.0, float(height)), [self._alert[1]], ALERT)
        return picture

    def _shapes(self) -> list[tuple[Colour, Shape]]:
        dealer = [(DEALER, shape) for shape in self._layout.dealer.zones().values()]
        cards = [(CARDS, seat.cards) for seat in self._layout.seat]
        spots = [(WAGERS.get(name, OTHER), spot) for seat in self._layout.seat for name, spot in seat.spots.items()]
        return [*dealer, *cards, *spots]


def seat_words(believed: object) -> list[str]:
    """Return what is believed of a seat, for a label: wagers with amounts, and cards."""
    if not isinstance(believed, Mapping):
        return []
    words = []
    for name, value in believed.items():
        if name == "wagers":
            words += seat_words(value)
        elif isinstance(value, int):
            words.append(f"{name} {dollars(value)}")
        elif isinstance(value, list | tuple):
            words.append(" ".join(map(str, value)))
        else:
            words.append(f"{name} {'?' if value is None else value}")
    return words


def alert_words(alert: Alert) -> str:
    """Return an alert in one line."""
    words = [alert.code if alert.state == "raised" else f"{alert.code} ({alert.state})"]
    words += [f"seat {alert.seat}"] if alert.seat else []
    words += [alert.wager] if alert.wager else []
    words += [f"expected {alert.expected}"] if alert.expected else []
    words += [f"observed {alert.observed}"] if alert.observed else []
    return ", ".join(words).encode("ascii", "replace").decode()


def _outline(sheet: Picture, camera: Camera, shape: Shape, colour: Colour) -> None:
    places = np.column_stack([np.array(shape.corners), np.zeros(len(shape.corners))])
    if (camera.to_camera(places)[:, 2] <= 0).any():
        return
    points = np.rint(camera.project(places)).astype(np.int32)
    cv2.polylines(sheet, [points], isClosed=True, color=colour, thickness=1, lineType=cv2.LINE_AA)


def _write(sheet: Picture, place: tuple[float, float], lines: Sequence[str], colour: Colour) -> None:
    """Write lines on dark ground around a place, inside the picture."""
    size = max(12 * max(sheet.shape[:2]) / 1920, 9.0) / LETTER_PX
    sizes = [cv2.getTextSize(line, FONT, size, 1) for line in lines]
    width = max(wide for (wide, _), _ in sizes) + 8
    step = max(high + below for (_, high), below in sizes) + 3
    box = free_place((sheet.shape[1], sheet.shape[0]), place, (width, step * len(lines) + 4), ())
    ground = sheet[box[1] : box[3], box[0] : box[2]]
    ground[:] = ground // 4
    for i, line in enumerate(lines):
        start = (box[0] + 4, box[1] + step * (i + 1) - 2)
        cv2.putText(sheet, line, start, FONT, size, colour, 1, cv2.LINE_AA)
