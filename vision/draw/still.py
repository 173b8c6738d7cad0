"""The still of an alert: a picture and what was read in it enter, the picture with the evidence marked on it leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.capture.video import SECOND_NS
from vision.detect.detection import Detection
from vision.draw.annotate import ALERT, Annotator, alert_words
from vision.records.alert import Alert
from vision.table.layout import Layout, Shape
from vision.values.codes import Code
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

SEAM: Final = (20, 20, 20)
WHITE: Final = (255, 255, 255)
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
MARK_MM, AROUND_MM = 12.0, 90.0  # outside of a place: the mark, and what is shown larger
INSET: Final = 0.4  # of the picture, at most
BESIDE: Final = 2.0  # times as far as a place reaches: where its payouts lie
BONUS_OF: Final = {"ante_bonus": "ante"}  # wagers without a spot of their own


@dataclass(frozen=True, slots=True)
class Scene:
    """What was believed to lie on the table at a moment, and from where the camera saw it."""

    t_ns: int
    camera: Camera
    known: tuple[Detection, ...]


def evidence_scene(alert: Alert, scenes: Sequence[Scene], layout: Layout) -> Scene | None:
    """Return the moment that shows evidence best: the last when most lies at its place, with no hand over it."""
    proof, place = alert.evidence, evidence_place(alert, layout)
    inside = [s for s in scenes if proof.start_ns <= s.t_ns <= proof.end_ns] or list(scenes[-1:])
    if place is None:
        return inside[-1] if inside else None
    return max(inside, key=lambda scene: (_number_at(scene, place), scene.t_ns), default=None)


def evidence_place(alert: Alert, layout: Layout) -> Shape | None:
    """Return the place on the felt that an alert is about, None where it is about all of it."""
    if alert.seat is not None:
        seat, wager = layout.seat_at(alert.seat), alert.wager or ""
        return seat.spots.get(BONUS_OF.get(wager, wager), seat.cards)
    return layout.dealer.cards if alert.code == Code.DEALER_CARD_EXPOSED else None


def place_seen(scene: Scene, alert: Alert, layout: Layout) -> tuple[tuple[float, float], ...] | None:
    """Return where a picture shows the place of an alert: its corners, in shares of the width and height."""
    place = evidence_place(alert, layout)
    if place is None:
        return None
    lens = scene.camera.lens
    outline = _outline(scene.camera, place, MARK_MM) / (lens.width, lens.height)
    return tuple((round(float(u), 4), round(float(v), 4)) for u, v in outline)


def draw_still(picture: Picture, scene: Scene, alert: Alert, layout: Layout) -> Picture:
    """Return a picture with what was read, the alert's place, and its words."""
    sheet = Annotator(layout).draw(picture, scene.camera, scene.known)
    place = evidence_place(alert, layout)
    if place is not None:
        _mark(sheet, scene.camera, place)
        _enlarge(sheet, picture, _outline(scene.camera, place, AROUND_MM))
    words = f"{scene.t_ns / SECOND_NS:.2f} s  {alert_words(alert)}"
    return _captioned(sheet, words, alert.cite or "")


def _number_at(scene: Scene, place: Shape) -> int:
    """Return how many cards and stacks lie at a place or close beside it; less than none with a hand above it."""
    (u, v), *edge = scene.camera.project(np.array([(*place.centre, 0.0), *((x, y, 0.0) for x, y in place.corners)]))
    middle, reach = np.array([u, v]), BESIDE * max(np.hypot(*(corner - (u, v))) for corner in edge)
    quads = [(seen.found.kind, np.array(seen.found.quad, np.float32)) for seen in scene.known]
    if any(
        kind == "hand" and cv2.pointPolygonTest(q, (float(u), float(v)), measureDist=False) >= 0 for kind, q in quads
    ):
        return -1
    return sum(kind != "hand" and bool(np.hypot(*(q.mean(axis=0) - middle)) < reach) for kind, q in quads)


def _outline(camera: Camera, place: Shape, beyond_mm: float) -> Floats:
    """Return the pixels around a place, so many millimetres outside of it."""
    corners = np.array(place.corners)
    outwards = corners - np.array(place.centre)
    around = corners + beyond_mm * outwards / np.maximum(np.linalg.norm(outwards, axis=1, keepdims=True), 1e-9)
    return np.asarray(camera.project(np.column_stack([around, np.zeros(len(around))])))


def _mark(sheet: Picture, camera: Camera, place: Shape) -> None:
    """Draw a broad line around a place."""
    points = np.rint(_outline(camera, place, MARK_MM)).astype(np.int32)
    wide = max(2, round(max(sheet.shape[:2]) / 500))
    for colour, width in ((SEAM, wide + 3), (ALERT, wide)):
        cv2.polylines(sheet, [points], isClosed=True, color=colour, thickness=width, lineType=cv2.LINE_AA)


def _enlarge(sheet: Picture, picture: Picture, outline: Floats) -> None:
    """Show a part of the bare picture larger, in the lower corner away from it."""
    height, width = sheet.shape[:2]
    (left, top), (right, bottom) = (np.rint(edge(outline, axis=0)).astype(int) for edge in (np.min, np.max))
    part = picture[max(top, 0) : max(bottom, 1), max(left, 0) : max(right, 1)]
    if not part.size:
        return
    scale = min(INSET * width / part.shape[1], INSET * height / part.shape[0])
    large = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    high, wide = large.shape[:2]
    u, v = (0 if left + right > width else width - wide), height - high
    sheet[v : v + high, u : u + wide] = large
    cv2.rectangle(sheet, (u, v), (u + wide - 1, height - 1), ALERT, 2)


def _captioned(sheet: Picture, words: str, cite: str) -> Picture:
    """Write below a picture what it shows."""
    width = sheet.shape[1]
    letter = width / 1280 * 0.6
    lines = [(words, WHITE), (cite, (190, 190, 190))]
    step = round(40 * letter)
    band = np.full((step * len(lines) + step // 2, width, 3), 24, np.uint8)
    for i, (line, colour) in enumerate(lines):
        place = (step // 2, step * (i + 1))
        cv2.putText(band, line, place, FONT, letter, colour, max(1, round(letter * 1.6)), cv2.LINE_AA)
    return np.asarray(np.vstack([sheet, band]), np.uint8)
