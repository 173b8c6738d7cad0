"""The bare table: a layout and its artwork enter; cloth, rail and floor from above leave, as months of play left them.

It reaches MARGIN_MM beyond the felt's box on every side: rail, then floor. Its top row is the largest y.
"""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from studio.art.felt_designs import DESIGNS
from studio.art.felt_lines import lengths_along, moved_out, points_along
from studio.art.paint import Field, bgr, clouds, rounded
from vision.table.layout import Layout
from vision.values.geometry import Floats
from vision.values.picture import Picture

MARGIN_MM, RAIL_MM, EDGE_MM = 520, 120.0, 34.0
RAIL_HIGH_MM, RAIL_PX_PER_MM = 38.0, 0.5
FLOOR_TILE_MM = 300  # the floor repeats, so that a camera may look beyond the margin
LEATHERS = ("#1c1a19", "#3b2418", "#5a1d1f", "#2b2f38", "#6b4a2f", "#14241c", "#45413d", "#101b33")
FLOORS = (
    ("#5b2430", "#b08a3c", "#2a1a3a"),
    ("#27344a", "#8a7a55", "#5b1f24"),
    ("#3d3a35", "#57524a", "#2c2926"),
    ("#4a1f5a", "#c27a2c", "#1d4a52"),
    ("#6a4a30", "#7d5a3c", "#563a24"),
    ("#23402f", "#a9853f", "#6a2a1e"),
)


def bare_table(layout: Layout, artwork: Picture, seed: int) -> Picture:
    """Return the table with nothing on it, evenly lit, at the artwork's scale."""
    rng = np.random.default_rng(seed)
    scale = artwork.shape[1] / layout.size_mm[0]
    margin = round(MARGIN_MM * scale)
    ground = cv2.copyMakeBorder(artwork, margin, margin, margin, margin, cv2.BORDER_REPLICATE).astype(np.float32)
    outside = _outside_mm(layout, ground.shape, scale)
    cloth = _used_cloth(ground, layout, scale, rng) * _contact_shade(outside)[..., None]
    floor, rail = outside > EDGE_MM, _is_rail(outside, layout, scale)
    cloth[floor] = _floor(outside, scale, rng)[floor]
    cloth[rail] = _rail(outside, scale, rng)[rail]
    table = rounded(cloth)
    _draw_trim(table, layout, scale, rng)
    return table


def _pixels(points: ArrayLike, layout: Layout, scale: float) -> Floats:
    """Return table points as pixels of the bare table."""
    offset = np.array([layout.size_mm[0] / 2 + MARGIN_MM, layout.size_mm[1] + MARGIN_MM])
    pixels: Floats = (np.asarray(points, float)[..., :2] * (1, -1) + offset) * scale - 0.5
    return pixels


def _outside_mm(layout: Layout, shape: tuple[int, ...], scale: float) -> Field:
    """Return how far each place is outside the felt; below zero inside."""
    felt = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(felt, [np.round(_pixels(layout.outline, layout, scale)).astype(np.int32)], 255)
    far, deep = (cv2.distanceTransform(mask, cv2.DIST_L2, 5) for mask in (255 - felt, felt))
    return np.asarray((far - deep) / scale, np.float32)


def _is_rail(outside: Field, layout: Layout, scale: float) -> NDArray[np.bool_]:
    rows = np.arange(outside.shape[0])[:, None]
    above = rows < (layout.size_mm[1] + MARGIN_MM) * scale
    return np.asarray((outside > 0) & (outside < RAIL_MM) & above)


def rail_heights(layout: Layout) -> Field:
    """Return how high the rail, a padded roll, stands at each place of the bare table, at RAIL_PX_PER_MM."""
    width, height = ((mm + 2 * MARGIN_MM) * RAIL_PX_PER_MM for mm in layout.size_mm)
    outside = _outside_mm(layout, (round(height), round(width)), RAIL_PX_PER_MM)
    across = np.clip(2 * outside / RAIL_MM - 1, -1, 1)
    roll = RAIL_HIGH_MM * (1 - np.abs(across) ** 3)  # no upright walls: they would be cut into steps
    return np.asarray(np.where(_is_rail(outside, layout, RAIL_PX_PER_MM), roll, 0), np.float32)


def _contact_shade(outside: Field) -> Field:
    """Return how the raised rail darkens the cloth beside it."""
    return np.asarray(1 - 0.35 * np.exp(np.minimum(outside, 0) / 14), np.float32)


def _weave(shape: tuple[int, ...], kind: str, scale: float, rng: np.random.Generator) -> Field:
    """Return the cloth's own texture, as a share of its brightness."""
    fine = rng.standard_normal(shape[:2], np.float32)
    soft = cv2.GaussianBlur(fine, (0, 0), 1.1 * scale) * 2.4 * scale
    if kind == "wool":
        return np.asarray(0.022 * fine + 0.028 * soft + 0.014 * clouds(rng, shape, 9 * scale), np.float32)
    if kind == "suede":
        streaks = cv2.blur(fine, (int(9 * scale), 1)) * 3
        return np.asarray(0.014 * fine + 0.02 * streaks + 0.02 * clouds(rng, shape, 26 * scale), np.float32)
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    twill = np.sin((rows * 1.9 + columns * 2.3) / scale)
    return np.asarray(0.018 * fine + 0.014 * twill + 0.016 * soft, np.float32)


def _used_cloth(ground: Field, layout: Layout, scale: float, rng: np.random.Generator) -> Field:
    """Return the printed cloth after some months of play: stretched, worn, stained, dusty."""
    shape = ground.shape
    cloth = _stretched(ground, scale, rng)
    worn = _worn_places(layout, shape, scale, rng)[..., None]
    cloth += (cv2.GaussianBlur(cloth, (0, 0), 9 * scale) - cloth) * worn * 0.5
    cloth += (cloth.mean(axis=2, keepdims=True) * 0.9 + 22 - cloth) * worn * 0.22
    shade = 1 + _weave(shape, _weave_kind(layout, rng), scale, rng) + 0.022 * clouds(rng, shape, 130 * scale)
    shade *= _stains(layout, shape, scale, rng)
    cloth *= shade[..., None]
    _drop_lint(cloth, rng)
    return cloth


def _weave_kind(layout: Layout, rng: np.random.Generator) -> str:
    known = DESIGNS.get(layout.name)
    return known.weave if known else str(rng.choice(["wool", "speed", "suede"]))


def _stretched(ground: Field, scale: float, rng: np.random.Generator) -> Field:
    """Return the cloth as it was pulled over the table: straight lines are not quite straight."""
    height, width = ground.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    pull = [0.45 * scale * clouds(rng, ground.shape, 240 * scale) for _ in "xy"]
    return np.asarray(cv2.remap(ground, x + pull[0], y + pull[1], cv2.INTER_LINEAR), np.float32)


def _worn_places(layout: Layout, shape: tuple[int, ...], scale: float, rng: np.random.Generator) -> Field:
    """Return how worn each place is: most where chips are pushed and cards are scooped."""
    worn = np.zeros(shape[:2], np.float32)
    places = [(seat.cards, 0.7) for seat in layout.seat] + [(layout.dealer.cards, 0.8), (layout.dealer.work, 0.9)]
    places += [(spot, 1.0) for seat in layout.seat for spot in seat.spots.values()]
    for place, much in places:
        corners = np.round(_pixels(place.corners, layout, scale)).astype(np.int32)
        cv2.fillPoly(worn, [corners], float(much * rng.uniform(0.3, 1.0)))
    soft = cv2.GaussianBlur(cv2.resize(worn, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), (0, 0), 5 * scale)
    patchy = np.clip(0.55 + 0.4 * clouds(rng, soft.shape, 6 * scale), 0, 1.3)
    grown = cv2.resize(soft * patchy, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(grown * rng.uniform(0.2, 0.9), 0, 0.8), np.float32)


def _stains(layout: Layout, shape: tuple[int, ...], scale: float, rng: np.random.Generator) -> Field:
    """Return how much light spots of drink, ash and hands take away."""
    shade = np.ones(shape[:2], np.float32)
    for _ in range(int(rng.integers(2, 12))):
        x, y = rng.uniform(-0.5, 0.5) * layout.size_mm[0], rng.uniform(0.2, 1) * layout.size_mm[1]
        u, v = _pixels((x, y), layout, scale)
        size = rng.uniform(8, 42) * scale
        ring = int(-1 if rng.random() < 0.6 else max(1, round(4 * scale)))
        dark = float(1 - rng.uniform(0.02, 0.12))
        box = (float(size * 2), float(size * rng.uniform(1.2, 2)))
        cv2.ellipse(shade, ((float(u), float(v)), box, float(rng.uniform(0, 180))), dark, ring)
    if rng.random() < 0.4:  # two widths of cloth, sewn together
        u = round(float(_pixels((rng.uniform(-0.35, 0.35) * layout.size_mm[0], 0), layout, scale)[0]))
        shade[:, u : u + max(1, round(1.2 * scale))] *= 0.86
    return np.asarray(cv2.GaussianBlur(shade, (0, 0), 1.8 * scale), np.float32)


def _drop_lint(cloth: Field, rng: np.random.Generator) -> None:
    """Strew dust and threads."""
    for _ in range(int(rng.integers(60, 400))):
        v, u = int(rng.integers(cloth.shape[0])), int(rng.integers(cloth.shape[1]))
        way = rng.uniform(-3, 3, 2)
        bright = cloth[v, u] * 0.6 + float(rng.uniform(40, 110))
        cv2.line(cloth, (u, v), (int(u + way[0]), int(v + way[1])), bright.tolist(), 1, cv2.LINE_AA)


def _rail(outside: Field, scale: float, rng: np.random.Generator) -> Field:
    """Return padded leather: a soft roll with grain, and a gleam along its top."""
    share = np.clip(outside / RAIL_MM, 0, 1)
    grain = cv2.GaussianBlur(rng.standard_normal(outside.shape, np.float32), (0, 0), 0.9 * scale) * 1.8 * scale
    creases = np.abs(clouds(rng, outside.shape, 17 * scale)) ** 0.5
    roll = np.sqrt(np.clip(1 - (2 * share - 1) ** 2, 0.02, 1))
    gleam = np.exp(-(((share - 0.42) / 0.13) ** 2)) * np.clip(0.6 + 0.4 * clouds(rng, outside.shape, 90 * scale), 0, 2)
    shade = (0.42 + 0.58 * roll) * (1 + 0.05 * grain + 0.05 * (creases - 0.8))
    leather = np.array(bgr(str(rng.choice(LEATHERS))), np.float32)
    return np.asarray(shade[..., None] * leather + (gleam * rng.uniform(10, 34))[..., None], np.float32)


def _floor(outside: Field, scale: float, rng: np.random.Generator) -> Field:
    """Return the floor in the table's shade; and the table's edge, which the dealer stands at."""
    side = round(FLOOR_TILE_MM * scale)
    tile = _floor_tile(side, rng)
    rows, columns = outside.shape
    whole = np.tile(tile, (rows // side + 1, columns // side + 1, 1))[-rows:, :columns]
    near = np.clip((outside - EDGE_MM) / 170, 0, 1)
    return np.asarray(whole * (0.32 + 0.4 * near * near)[..., None], np.float32)


def _floor_tile(side: int, rng: np.random.Generator) -> Field:
    """Return one repeat of the floor: carpet with scrolls and flecks, out of the lamps' light."""
    base, *others = (bgr(colour) for colour in FLOORS[int(rng.integers(len(FLOORS)))])
    tile, drawn = np.full((side, side, 3), base, np.float32), np.full((side, side, 3), base, np.float32)
    for _ in range(int(rng.integers(4, 30))):
        at, colour = rng.integers(0, side, 2), others[int(rng.integers(len(others)))]
        size, turn = rng.integers(side // 40, side // 4, 2), float(rng.uniform(0, 360))
        width = -1 if rng.random() < 0.5 else max(2, side // 50)
        for du, dv in ((du, dv) for du in (-side, 0, side) for dv in (-side, 0, side)):
            middle = (int(at[0] + du), int(at[1] + dv))
            cv2.ellipse(drawn, middle, (int(size[0]), int(size[1])), turn, 0, 320, colour, width, cv2.LINE_AA)
    tile += (drawn - tile) * rng.uniform(0.15, 0.75)
    pile = cv2.GaussianBlur(np.tile(rng.normal(1, 0.3, (side, side)), (3, 3)), (0, 0), 1.0)[
        side : 2 * side, side : 2 * side
    ]
    return np.asarray(tile * pile[..., None], np.float32)


def _draw_trim(table: Picture, layout: Layout, scale: float, rng: np.random.Generator) -> None:
    """Draw what is set into rail and felt: a bead, stitches, cup holders, the lenses of the progressive."""
    line = _rail_line(layout)
    bead = bgr(str(rng.choice(["#0e0d0c", "#8c7a45", "#4a2c18", "#777777"])))
    cv2.polylines(table, [_fixed(line, layout, scale)], False, bead, max(1, round(5 * scale)), cv2.LINE_AA, 4)
    thread = np.array(bgr(str(rng.choice(LEATHERS)))) * 0.6 + float(rng.uniform(10, 90))
    for away in (20.0, RAIL_MM - 20):
        path = moved_out(line, away)
        for index in range(2, len(path) - 3, 2):
            cv2.polylines(
                table, [_fixed(path[index : index + 2], layout, scale)], False, thread.tolist(), 1, cv2.LINE_AA, 4
            )
    if rng.random() < 0.7:
        for one, two in zip(layout.seat[:-1], layout.seat[1:], strict=True):
            middle = (np.array(one.cards.centre) + two.cards.centre) / 2
            nearest = int(np.argmin(np.linalg.norm(line - middle, axis=1)))
            _draw_cup_holder(table, _pixels(moved_out(line, 62)[nearest], layout, scale), scale, rng)
    for seat in layout.seat:
        if "progressive" in seat.spots:
            _draw_lens(table, _pixels(seat.spots["progressive"].centre, layout, scale), scale)


def _rail_line(layout: Layout) -> Floats:
    """Return the players' side of the outline, a point every 5 mm."""
    line = np.array([point for point in layout.outline if point[1] > 0.5])
    return points_along(line, np.arange(0, lengths_along(line)[-1], 5))


def _fixed(points: Floats, layout: Layout, scale: float) -> NDArray[np.int32]:
    return np.round(_pixels(points, layout, scale) * 16).astype(np.int32)


def _draw_cup_holder(table: Picture, at: Floats, scale: float, rng: np.random.Generator) -> None:
    steel = np.array([200.0, 205, 208]) * rng.uniform(0.5, 1)
    rings = [(45, 0.35), (43, 1.0), (40, 0.6), (37, 0.25), (34, 0.34), (26, 0.2)]
    for radius, shine in rings:
        _disc(table, at, radius * scale, steel * shine)
    for start in (200, 20):
        box = (round(41 * scale), round(41 * scale))
        centre = (round(float(at[0])), round(float(at[1])))
        cv2.ellipse(
            table, centre, box, 0, start, start + 60, (245.0, 245.0, 245.0), max(1, round(2 * scale)), cv2.LINE_AA
        )


def _draw_lens(table: Picture, at: Floats, scale: float) -> None:
    for radius, colour in ((11, (60, 62, 66)), (9, (26, 20, 96)), (6.5, (44, 34, 150))):
        _disc(table, at, radius * scale, np.array(colour, float))
    _disc(table, at + np.array([-3, -3]) * scale, 2.2 * scale, np.array([225.0, 215, 240]))


def _disc(table: Picture, at: Floats, radius: float, colour: Floats) -> None:
    centre = (round(float(at[0]) * 16), round(float(at[1]) * 16))
    cv2.circle(table, centre, round(radius * 16), colour.tolist(), -1, cv2.LINE_AA, 4)
