"""One denomination, drawn large: a chip enters; its face from above and its edge unrolled leave.

Angles on a chip count counter-clockwise from its +x, seen from above; the letters on the face read along +x.
"""

from functools import lru_cache
from zlib import crc32

import cv2
import numpy as np

from studio.art.paint import Field, dye, truncated
from vision.values.chips import Chip, EdgeSpots
from vision.values.picture import Picture
from vision.values.sizes import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

DRAWN_PX_PER_MM = 10.0  # the resolution at which chips are drawn before they are shrunk
HOUSES = {  # by the inlay's size, which the chips of one house share
    20: "LAKESHORE", 23: "RIVERLIGHT", 24: "BOULEVARD", 25: "ALDER CLUB",
    26: "COPPER HALL", 27: "DESERT PALM", 28: "BAY STREET", 32: "MERIDIAN",
    21: "LANTERN ROW", 22: "TIDEWATER", 29: "OLD MINT", 30: "GRANITE PEAK", 31: "PRAIRIE STAR", 33: "NIGHT MARKET",
}  # fmt: skip


def chip_face(chip: Chip, px_per_mm: float, diameter_mm: float = CHIP_DIAMETER_MM) -> tuple[Picture, Picture]:
    """Return a chip from above and the mask of its disc, +x to the right and +y up."""
    side = max(3, round(diameter_mm * px_per_mm))
    drawn = _drawn_face(chip.model_dump_json(), diameter_mm)
    how = cv2.INTER_AREA if side < drawn.shape[0] else cv2.INTER_CUBIC
    face = cv2.resize(drawn, (side, side), interpolation=how)
    mask = cv2.resize(_disc_mask(drawn.shape[0]), (side, side), interpolation=how)
    return np.asarray(face, np.uint8), np.asarray(mask, np.uint8)


def chip_edge(
    chip: Chip, px_per_mm: float, diameter_mm: float = CHIP_DIAMETER_MM, thickness_mm: float = CHIP_THICKNESS_MM
) -> Picture:
    """Return a chip's edge unrolled: one turn from left to right starting at +x, the upper rim in the first row."""
    width, height = round(np.pi * diameter_mm * DRAWN_PX_PER_MM), round(thickness_mm * DRAWN_PX_PER_MM)
    turn = (np.arange(width, dtype=np.float32) + 0.5)[None] * (2 * np.pi / width)
    paint = np.broadcast_to(dye(chip.base), (height, width, 3)).copy()
    for spots in chip.spots:
        _lay(paint, np.repeat(_spot_cover(turn, np.float32(diameter_mm / 2), spots), height, 0), dye(spots.colour))
    depth = (np.arange(height, dtype=np.float32) + 0.5)[:, None] / height
    bevel = (
        1
        - 0.62 * np.exp(-depth / 0.05)
        - 0.75 * np.exp(-(1 - depth) / 0.07)
        + 0.10 * np.exp(-(((depth - 0.2) / 0.1) ** 2))
    )
    paint *= (bevel * _dirt((height, width), crc32(chip.base.encode())))[..., None]
    size = (max(4, round(np.pi * diameter_mm * px_per_mm)), max(2, round(thickness_mm * px_per_mm)))
    return np.asarray(cv2.resize(truncated(paint), size, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=128)
def _drawn_face(chip_json: str, diameter_mm: float) -> Picture:
    """Draw the face at full size; a chip is known by its text, which can be a key."""
    chip = Chip.model_validate_json(chip_json)
    side = round(diameter_mm * DRAWN_PX_PER_MM)
    across = (np.arange(side, dtype=np.float32) - (side - 1) / 2) / np.float32(DRAWN_PX_PER_MM)
    x, y = np.meshgrid(across, -across)
    radius, turn = np.hypot(x, y), np.arctan2(y, x)
    inlay_mm = chip.inlay_diameter_mm / 2
    paint = np.broadcast_to(dye(chip.base), (side, side, 3)).copy()
    for spots in chip.spots:
        _lay(paint, _spot_cover(turn, radius, spots), dye(spots.colour))
    paint *= _relief(_mould(radius, turn, chip, diameter_mm))[..., None]
    if chip.ring:
        _lay(paint, _within(radius, inlay_mm + 1.3), dye(chip.ring))
    _lay(paint, _within(radius, inlay_mm), _inlay(chip, radius, turn))
    groove = 1 - 0.35 * np.exp(-(((radius - inlay_mm) / 0.22) ** 2))  # grime gathers where the inlay is sunk
    paint *= (groove * _dirt((side, side), crc32(chip_json.encode())))[..., None]
    return truncated(paint)


def _inlay(chip: Chip, radius: Field, turn: Field) -> Field:
    """Draw the label: a faint rosette, a line around it, the house's name in an arc, the value in the middle."""
    inlay_mm, ink = chip.inlay_diameter_mm / 2, dye(chip.text_colour)
    style = int(chip.inlay_diameter_mm)
    paint = np.broadcast_to(dye(chip.inlay), (*radius.shape, 3)).copy()
    waves = np.sin((8 + style % 9) * turn + 3 * np.sin(radius * 1.1)) * np.sin(radius * (2.2 + style % 3))
    tint = ink if chip.inlay == chip.base else dye(chip.base)
    _lay(paint, np.clip(waves * 1.5, 0, 1) * _within(radius, inlay_mm * 0.9) * 0.22, tint)
    line = np.clip(1.5 - np.abs(radius - inlay_mm * 0.93) * DRAWN_PX_PER_MM / 1.6, 0, 1)
    _lay(paint, line * (0.25 if chip.inlay == chip.base else 0.9), ink)
    if len(chip.text) <= 5:
        arc_mm = inlay_mm * 0.75
        _lay(paint, _arc_text(HOUSES.get(style, "CARD ROOM"), radius, turn, arc_mm, 0.19 * inlay_mm), ink * 0.9)
        _lay(paint, _arc_text("* CASINO *", radius, -turn, -arc_mm, 0.17 * inlay_mm), ink * 0.9)
    _lay(paint, _centre_text(chip.text, radius.shape[0], inlay_mm), ink)
    return paint


def _centre_text(text: str, side: int, inlay_mm: float) -> Field:
    """Return the cover of the value in the middle, as large as the inlay allows."""
    font, unit = cv2.FONT_HERSHEY_DUPLEX, 4.0
    (width, height), _ = cv2.getTextSize(text, font, unit, 8)
    scale = unit * min(1.3 * inlay_mm / max(width, 1), 0.58 * inlay_mm / max(height, 1)) * DRAWN_PX_PER_MM
    pen = max(2, round(scale * 2))
    (width, height), _ = cv2.getTextSize(text, font, scale, pen)
    cover = np.zeros((side, side), np.uint8)
    cv2.putText(cover, text, ((side - width) // 2, (side + height) // 2), font, scale, (255,), pen, cv2.LINE_AA)
    return np.asarray(cover / np.float32(255), np.float32)


def _arc_text(text: str, radius: Field, turn: Field, arc_mm: float, tall_mm: float) -> Field:
    """Return the cover of words bent around the centre: above it, or below it where `arc_mm` is negative."""
    font, pen = cv2.FONT_HERSHEY_SIMPLEX, 3
    (width, height), _ = cv2.getTextSize(text, font, 2.0, pen)
    strip = np.zeros((height + 20, width + 20), np.uint8)
    cv2.putText(strip, text, (10, height + 10), font, 2.0, (255,), pen, cv2.LINE_AA)
    dots = height / tall_mm
    along = (np.pi / 2 - turn) * abs(arc_mm) * dots + strip.shape[1] / 2
    up = (radius - arc_mm) if arc_mm > 0 else (-radius - arc_mm)
    rows = strip.shape[0] / 2 - up * dots
    bent = cv2.remap(strip, along.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(bent / np.float32(255), np.float32)


def _mould(radius: Field, turn: Field, chip: Chip, diameter_mm: float) -> Field:
    """Return the height of the pressed pattern between inlay and rim; chips of one house share the inlay's size."""
    inner, outer = chip.inlay_diameter_mm / 2, diameter_mm / 2
    rise = (radius - inner) / max(outer - inner, 0.5)
    band = np.clip(np.minimum(rise - 0.25, 0.8 - rise) * 12, 0, 1)
    style = int(chip.inlay_diameter_mm) % 5
    patterns = (
        lambda: np.clip(np.sin(turn * 24) * np.sin(rise * 9) * 3, 0, 1),  # pearls
        lambda: np.abs(rise - 0.5) * 2,  # one groove
        lambda: np.clip(np.sin(turn * 60) * 2, 0, 1),  # reeding
        lambda: np.clip(2 - 6 * np.abs(np.abs((turn * 8 / np.pi) % 2 - 1) - rise), 0, 1),  # zigzag
        lambda: np.clip(np.cos(turn * 16) * 5 - 2, 0, 1) * np.clip(np.cos((rise - 0.5) * 8) * 3, 0, 1),  # studs
    )
    rim = np.clip((radius - outer + 1.4) * 3, 0, 1)
    height: Field = (patterns[style]() * band + rim).astype(np.float32)
    return height


def _relief(height: Field) -> Field:
    """Return how light falls on a pressed surface: brighter on one side of each step, darker on the other."""
    smooth = cv2.GaussianBlur(height, (0, 0), 1.5)
    slope = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) - cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return np.asarray(1 + np.clip(slope * 0.12, -0.2, 0.2) - 0.05 * smooth, np.float32)


def _spot_cover(turn: Field, radius: Field | np.float32, spots: EdgeSpots) -> Field:
    """Return how much of each place lies in an edge spot, soft at its two sides."""
    pitch = np.float32(2 * np.pi / spots.count)
    off = np.abs((turn - np.radians(spots.offset_deg) + pitch / 2) % pitch - pitch / 2)
    return np.asarray(
        np.clip((np.radians(spots.width_deg / 2) - off) * radius * DRAWN_PX_PER_MM + 0.5, 0, 1), np.float32
    )


def _within(radius: Field, limit_mm: float) -> Field:
    return np.asarray(np.clip((limit_mm - radius) * DRAWN_PX_PER_MM + 0.5, 0, 1), np.float32)


def _lay(paint: Field, cover: Field, colour: Field) -> None:
    """Lay a colour over a painting in place."""
    paint += (colour - paint) * cover[..., None]


def _dirt(shape: tuple[int, int], seed: int) -> Field:
    """Return wear: broad stains, fine grain and a few scuffs, around 1; a seed always gives the same."""
    random = np.random.default_rng(seed)
    broad = cv2.resize(random.normal(0, 1, (6, 6)).astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(random.normal(0, 1, (shape[0] // 3 + 1, shape[1] // 3 + 1)).astype(np.float32), shape[::-1])
    return np.asarray(0.97 + 0.02 * broad + 0.025 * fine, np.float32)


def _disc_mask(side: int) -> Picture:
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, ((side - 1) * 8, (side - 1) * 8), side * 8, (255,), -1, cv2.LINE_AA, 4)
    return mask
