"""The bare table and what stands on it for good. A layout and its artwork enter; the table from above, the table as
the camera has it, and patches of tray, discard rack and shuffler leave.

The bare table reaches MARGIN_MM beyond the felt's box on every side: rail, then floor. Its top row is the largest y.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.calibrate.layout import Layout, Shape
from vision.chips import Chip, ChipSet
from vision.geometry import Camera, Floats
from vision.simulate.art.felt_designs import DESIGNS
from vision.simulate.art.felts import bgr, word_mask
from vision.simulate.film.light import Light
from vision.simulate.film.patch import Patch, Picture

MARGIN_MM, RAIL_MM, EDGE_MM = 520, 120.0, 34.0
FLOOR_TILE_MM = 300  # the floor repeats, so that a camera may look beyond the margin
VIEW_STEP_PX = 8  # the lens is asked this often; between, straight lines differ from it by some hundredths of a pixel
VIEW_BAND_PX = 120
LEATHERS = ("#1c1a19", "#3b2418", "#5a1d1f", "#2b2f38", "#6b4a2f", "#14241c", "#45413d", "#101b33")
FLOORS: tuple[tuple[str, str, str], ...] = (
    ("#5b2430", "#b08a3c", "#2a1a3a"),
    ("#27344a", "#8a7a55", "#5b1f24"),
    ("#3d3a35", "#57524a", "#2c2926"),
)
FLOORS += (("#4a1f5a", "#c27a2c", "#1d4a52"), ("#6a4a30", "#7d5a3c", "#563a24"), ("#23402f", "#a9853f", "#6a2a1e"))

Field = NDArray[np.float32]


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
    table = _as_bytes(cloth)
    _draw_trim(table, layout, scale, rng)
    return table


def _as_bytes(values: NDArray[Any]) -> Picture:
    return np.clip(np.round(values), 0, 255).astype(np.uint8)


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


def _contact_shade(outside: Field) -> Field:
    """Return how the raised rail darkens the cloth beside it."""
    return np.asarray(1 - 0.35 * np.exp(np.minimum(outside, 0) / 14), np.float32)


# --- cloth, rail, floor ---------------------------------------------------------------------------------------------


def _clouds(rng: np.random.Generator, shape: tuple[int, ...], size_px: float) -> Field:
    """Return smooth noise of about unit spread whose blots have a size."""
    small = rng.normal(size=(int(shape[0] / size_px) + 3, int(shape[1] / size_px) + 3)).astype(np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32) * 1.3


def _weave(shape: tuple[int, ...], kind: str, scale: float, rng: np.random.Generator) -> Field:
    """Return the cloth's own texture, as a share of its brightness."""
    fine = rng.standard_normal(shape[:2], np.float32)
    soft = cv2.GaussianBlur(fine, (0, 0), 1.1 * scale) * 2.4 * scale
    if kind == "wool":
        return np.asarray(0.022 * fine + 0.028 * soft + 0.014 * _clouds(rng, shape, 9 * scale), np.float32)
    if kind == "suede":
        streaks = cv2.blur(fine, (int(9 * scale), 1)) * 3
        return np.asarray(0.014 * fine + 0.02 * streaks + 0.02 * _clouds(rng, shape, 26 * scale), np.float32)
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
    shade = 1 + _weave(shape, _weave_kind(layout, rng), scale, rng) + 0.022 * _clouds(rng, shape, 130 * scale)
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
    pull = [0.45 * scale * _clouds(rng, ground.shape, 240 * scale) for _ in "xy"]
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
    patchy = np.clip(0.55 + 0.4 * _clouds(rng, soft.shape, 6 * scale), 0, 1.3)
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
    creases = np.abs(_clouds(rng, outside.shape, 17 * scale)) ** 0.5
    roll = np.sqrt(np.clip(1 - (2 * share - 1) ** 2, 0.02, 1))
    gleam = np.exp(-(((share - 0.42) / 0.13) ** 2)) * np.clip(0.6 + 0.4 * _clouds(rng, outside.shape, 90 * scale), 0, 2)
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
        path = _moved_out(line, away)
        for index in range(2, len(path) - 3, 2):
            cv2.polylines(
                table, [_fixed(path[index : index + 2], layout, scale)], False, thread.tolist(), 1, cv2.LINE_AA, 4
            )
    if rng.random() < 0.7:
        for one, two in zip(layout.seat[:-1], layout.seat[1:], strict=True):
            middle = (np.array(one.cards.centre) + two.cards.centre) / 2
            nearest = int(np.argmin(np.linalg.norm(line - middle, axis=1)))
            _draw_cup_holder(table, _pixels(_moved_out(line, 62)[nearest], layout, scale), scale, rng)
    for seat in layout.seat:
        if "progressive" in seat.spots:
            _draw_lens(table, _pixels(seat.spots["progressive"].centre, layout, scale), scale)


def _rail_line(layout: Layout) -> Floats:
    """Return the players' side of the outline, a point every 5 mm."""
    line = np.array([point for point in layout.outline if point[1] > 0.5])
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    steps = np.arange(0, along[-1], 5)
    return np.stack([np.interp(steps, along, line[:, axis]) for axis in (0, 1)], axis=1)


def _moved_out(line: Floats, away_mm: float) -> Floats:
    way = np.gradient(line, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    moved: Floats = line + np.stack([-way[:, 1], way[:, 0]], axis=1) * away_mm
    return moved


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


# --- the camera's view ----------------------------------------------------------------------------------------------


def table_view(bare: Picture, camera: Camera, px_per_mm: float = 1.0) -> Picture:
    """Return the bare table as the camera has it, averaged over what each pixel covers; floor where the table ends."""
    lens = camera.lens
    closest = min(camera.scale_px_per_mm((x, 400.0, 0.0)) for x in (-900, 0, 900))
    fold = int(np.clip(np.ceil(px_per_mm / closest), 1, 3))
    view = np.empty((lens.height, lens.width, 3), np.uint8)
    for top in range(0, lens.height, VIEW_BAND_PX):
        bottom = min(top + VIEW_BAND_PX, lens.height)
        places = _places(camera, top, bottom, fold)
        u, v = _bare_pixels(places, bare.shape, px_per_mm)
        seen = cv2.remap(bare, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        view[top:bottom] = cv2.resize(seen, (lens.width, bottom - top), interpolation=cv2.INTER_AREA)
    return view


def _places(camera: Camera, top: int, bottom: int, fold: int) -> Floats:
    """Return where on the felt's plane the pixels of some rows look, each split `fold` times both ways."""
    u, v = ((np.arange(count * fold) + 0.5) / fold - 0.5 for count in (camera.lens.width, bottom - top))
    knots_u = np.arange(-1, camera.lens.width + VIEW_STEP_PX, VIEW_STEP_PX)
    knots_v = np.arange(-1, bottom - top + VIEW_STEP_PX, VIEW_STEP_PX)
    grid = np.stack(np.meshgrid(knots_u, knots_v + top), axis=-1)
    known = camera.place(grid)[..., :2]
    across, down = _between(knots_u, u), _between(knots_v, v)
    return np.stack([down @ (known[..., axis] @ across.T) for axis in (0, 1)], axis=-1)


def _between(knots: NDArray[np.int64], wanted: Floats) -> Floats:
    """Return the weights that make values at wanted places of values at knots, along straight lines."""
    share = (wanted - knots[0]) / VIEW_STEP_PX
    weights: Floats = np.clip(1 - np.abs(share[:, None] - np.arange(len(knots))), 0, None)
    return weights


def _bare_pixels(places: Floats, shape: tuple[int, ...], px_per_mm: float) -> tuple[Field, Field]:
    """Return places as pixels of the bare table; those beyond it fall onto the repeat of the floor in its corner."""
    rows, columns = shape[:2]
    side = round(FLOOR_TILE_MM * px_per_mm)
    u = places[..., 0] * px_per_mm + columns / 2 - 0.5
    v = rows - (places[..., 1] + MARGIN_MM) * px_per_mm - 0.5
    beyond = (u < 0) | (v < 0) | (u > columns - 1) | (v > rows - 1)
    u = np.where(beyond, u % side, u)
    v = np.where(beyond, rows - side + (v - rows) % side, v)
    return u.astype(np.float32), v.astype(np.float32)


# --- what stands on the table ---------------------------------------------------------------------------------------

TEXTURE_PX_PER_MM = 1.5
TRAY_PITCH_MM, TRAY_RIM_MM, TRAY_STEPS = 47.0, 8.0, 14
GREYS = ("#18191b", "#232427", "#2f3033", "#101112", "#3a3b3f")
RACKS = ("#b01820", "#c8ccd0", "#20242a", "#8a1016")  # red or clear acrylic, black plastic


def paint_furniture(
    layout: Layout, camera: Camera, chips: ChipSet, light: Light, rng: np.random.Generator
) -> list[Patch]:
    """Return chip tray, discard rack and shuffler as the camera has them, lowest first; they cover from the felt up."""
    dealer = layout.dealer
    tray = _paint_tray(dealer.tray, camera, chips, light, rng)
    rack = _paint_rack(dealer.discard, camera, light, rng)
    maker = _paint_shuffler if rng.random() < 0.6 else _paint_shoe
    return [patch for patch in (*tray, *rack, *maker(dealer.shoe, camera, light, rng)) if patch.cover.size]


def _box_of(shape: Shape) -> tuple[float, float, float, float]:
    """Return left, right, low and high of a place."""
    x, y = np.array(shape.corners).T
    return float(x.min()), float(x.max()), float(y.min()), float(y.max())


def _paint_rack(shape: Shape, camera: Camera, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return the discard rack: a floor and three walls of plastic, open to the dealer."""
    left, right, low, high = _box_of(shape)
    tall, wall = float(rng.uniform(60, 115)), 5.0
    colour, clear = np.array(bgr(str(rng.choice(RACKS))), float), float(rng.uniform(0.35, 0.8))
    plates = [(left, right, low, high, 0.0, 4.0, 0.9), (left, left + wall, low, high, 4.0, tall, clear)]
    plates += [(right - wall, right, low, high, 4.0, tall, clear), (left, right, high - wall, high, 4.0, tall, clear)]
    patches = [_shadow(_corners(left, right, low, high, 0, (tall,) * 4), camera, light, 0.6)]
    order = sorted(plates, key=lambda plate: -_distance(camera, plate))
    for plate in sorted(order, key=lambda plate: plate[4]):
        corners = _corners(*plate[:4], plate[4], (plate[5],) * 4)
        patches += _solid(corners, [_plain(colour, plate[6], rng, gloss=0.5)] * 6, camera, light)
    return patches


def _distance(camera: Camera, plate: tuple[float, ...]) -> float:
    middle = ((plate[0] + plate[1]) / 2, (plate[2] + plate[3]) / 2, plate[5])
    return float(np.linalg.norm(np.subtract(middle, camera.position_mm)))


def _paint_shuffler(shape: Shape, camera: Camera, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return a shuffling machine: a dark box with a panel, and a lower mouth towards the table that hands out cards."""
    left, right, low, high = _box_of(shape)
    tall, split = float(rng.uniform(90, 150)), high - 75
    colour = np.array(bgr(str(rng.choice(GREYS))), float)
    side = _plain(colour, 1.0, rng, gloss=0.25)
    body = _corners(left, right, low, split, 0, (tall,) * 4)
    mouth = _corners(left + 20, right - 20, split, high, 0, (tall * 0.6, tall * 0.6, 26, 26))
    patches = [_shadow(body, camera, light, 0.75), _shadow(mouth, camera, light, 0.5)]
    parts = [(mouth, [side] * 5 + [_mouth_panel(colour, rng)]), (body, [side] * 5 + [_top_panel(colour, rng)])]
    if camera.position_mm[1] > split:
        parts.reverse()
    for corners, faces in parts:
        patches += _solid(corners, faces, camera, light)
    return patches


def _paint_shoe(shape: Shape, camera: Camera, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return a dealing shoe: a wedge that falls towards the table, the next card's back in its mouth."""
    left, right, low, high = _box_of(shape)
    mid, tall = (left + right) / 2, float(rng.uniform(95, 135))
    colour = np.array(bgr(str(rng.choice(GREYS))), float)
    side, lid = _plain(colour, 1.0, rng, gloss=0.35), _plain(colour * 1.2, 1.0, rng, gloss=0.8)
    wedge = _corners(mid - 52, mid + 52, low, high - 20, 0, (tall, tall, 45, 45))
    lip = _corners(mid - 52, mid + 52, high - 20, high, 0, (45, 45, 6, 6))
    parts = [(lip, [side] * 5 + [_mouth_panel(colour, rng)]), (wedge, [side] * 5 + [lid])]
    if camera.position_mm[1] > high:
        parts.reverse()
    patches = [_shadow(wedge, camera, light, 0.75)]
    for corners, faces in parts:
        patches += _solid(corners, faces, camera, light)
    return patches


# --- solids ---------------------------------------------------------------------------------------------------------

_FACES = ((0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (3, 2, 1, 0), (7, 6, 5, 4))  # seen from outside


def _corners(left: float, right: float, low: float, high: float, base: float, tops: tuple[float, ...]) -> Floats:
    """Return a box's eight corners: below, then above, each from the dealer's left and counter-clockwise."""
    ground = ((left, low), (right, low), (right, high), (left, high))
    below = [(x, y, base) for x, y in ground]
    return np.array(below + [(x, y, top) for (x, y), top in zip(ground, tops, strict=True)])


def _solid(corners: Floats, faces: list[Field], camera: Camera, light: Light) -> list[Patch]:
    """Return the faces of a box that look at the camera; the last texture is the top's, its first row the far edge."""
    patches = []
    for picks, texture in zip(_FACES, faces, strict=True):
        quad = corners[list(picks)]
        normal = np.cross(quad[1] - quad[0], quad[3] - quad[0])
        normal = (normal if picks != _FACES[5] else -normal) / np.linalg.norm(normal)
        if normal @ (np.array(camera.position_mm) - quad[0]) > 0:
            lit = texture.copy()
            lit[..., :3] *= float(light.on(normal))
            patches.append(_face(quad if picks == _FACES[5] else quad[[3, 2, 1, 0]], lit, camera))
    return patches


def _face(quad: Floats, texture: Field, camera: Camera) -> Patch:
    """Return a flat picture (BGR and cover) in space: upper left, upper right, lower right, lower left."""
    seen = camera.project(quad)
    u, v, width, height = _window(seen, camera, 1)
    if not width or not height:
        return Patch(0, 0, np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0), np.uint8))
    rows, columns = texture.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    target = ((seen - (u, v) + 0.5) * 2 - 0.5).astype(np.float32)  # twice as fine, then averaged: smooth edges
    turning = cv2.getPerspectiveTransform(source, target)
    solid = texture.copy()
    solid[..., :3] *= texture[..., 3:] / 255
    fine = cv2.warpPerspective(solid, turning, (width * 2, height * 2), flags=cv2.INTER_LINEAR)
    drawn = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    return Patch(u, v, _as_bytes(drawn[..., :3] * 255 / np.maximum(drawn[..., 3:], 1)), _as_bytes(drawn[..., 3]))


def _window(seen: Floats, camera: Camera, pad: int) -> tuple[int, int, int, int]:
    """Return the part of the picture that points need: left, top, width and height, none where they are out of it."""
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - pad, 0)
    size = (camera.lens.width, camera.lens.height)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + pad + 1, size)
    width, height = np.maximum(high - low, 0)
    return int(low[0]), int(low[1]), int(width), int(height)


def _shadow(corners: Floats, camera: Camera, light: Light, depth: float) -> Patch:
    """Return the shade a box throws on the felt: dark at its foot, soft at its far end."""
    way = np.array(light.towards)
    fallen = corners.copy()
    fallen[:, :2] -= corners[:, 2:] * way[:2] / max(way[2], 0.2)
    fallen[:, 2] = 0
    seen = camera.project(np.concatenate([fallen, corners[:4] * (1, 1, 0)]))
    soft = camera.scale_px_per_mm(corners[0]) * 12
    u, v, width, height = _window(seen, camera, int(soft * 3))
    cover: Picture = np.zeros((height, width), np.uint8)
    if cover.size:
        hull = cv2.convexHull((seen - (u, v)).astype(np.float32))
        cv2.fillConvexPoly(cover, np.round(hull).astype(np.int32), round(255 * depth * (1 - light.ambient)) + 40)
        cover = _as_bytes(cv2.GaussianBlur(cover, (0, 0), soft))
    return Patch(u, v, np.zeros((height, width, 3), np.uint8), cover)


# --- surfaces -------------------------------------------------------------------------------------------------------


def _plain(colour: Floats, cover: float, rng: np.random.Generator, gloss: float) -> Field:
    """Return a plate of plastic: a gleam across, scuffs, bright edges."""
    rows, columns = 120, 160
    face = np.zeros((rows, columns, 4), np.float32)
    face[..., :3] = colour * (1 + 0.025 * _clouds(rng, (rows, columns), 12))[..., None]
    across = np.linspace(0, 1, columns)[None, :] + np.linspace(0, 0.5, rows)[:, None]
    gleam = np.exp(-(((across - rng.uniform(0.2, 1.3)) / 0.16) ** 2))
    face[..., :3] += (gleam * 90 * gloss)[..., None]
    face[..., 3] = 255 * np.clip(cover + 0.15 * gleam * gloss, 0, 1)
    for edge in (face[:2], face[-2:], face[:, :2], face[:, -2:]):
        edge[..., :3] = edge[..., :3] * 1.12 + 12
        edge[..., 3] = np.maximum(edge[..., 3], 190)
    return face


def _top_panel(colour: Floats, rng: np.random.Generator) -> Field:
    """Return a shuffler's top: a seam, a window, a display, a button and a lamp."""
    face = _as_bytes(_plain(colour, 1.0, rng, gloss=0.35))
    dark, pale = (colour * 0.45).tolist(), (colour * 1.3 + 30).tolist()
    cv2.rectangle(face, (14, 40), (146, 108), [*pale, 255], 1, cv2.LINE_AA)
    cv2.rectangle(face, (24, 48), (136, 100), [*dark, 255], -1)
    cv2.rectangle(face, (30, 12), (78, 30), [70, 120, 40, 255] if rng.random() < 0.5 else [150, 110, 60, 255], -1)
    letters = word_mask("READY", 12, "sans", 600)[3:21, 2:50, None]
    face[12 : 12 + letters.shape[0], 30 : 30 + letters.shape[1], :3] += letters // 3
    cv2.circle(face, (100, 21), 6, [40, 40, 190, 255], -1, cv2.LINE_AA)
    cv2.circle(face, (122, 21), 4, [110, 255, 120, 255], -1, cv2.LINE_AA)
    return face.astype(np.float32)


def _mouth_panel(colour: Floats, rng: np.random.Generator) -> Field:
    """Return the slope on which cards come out: a dark slot, a thumb's notch, rollers."""
    face = _as_bytes(_plain(colour * 0.9, 1.0, rng, gloss=0.4))
    cv2.rectangle(face, (36, 20), (124, 104), [12, 12, 13, 255], -1)
    for u in (52, 80, 108):
        cv2.rectangle(face, (u - 6, 74), (u + 6, 88), [*(colour * 1.6 + 40).tolist(), 255], -1)
    cv2.ellipse(face, (80, 20), (16, 14), 0, 0, 180, [*(colour * 1.2 + 12).tolist(), 255], -1, cv2.LINE_AA)
    return face.astype(np.float32)


# --- the tray -------------------------------------------------------------------------------------------------------


def _paint_tray(shape: Shape, camera: Camera, chips: ChipSet, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return the chip tray: tubes sunk into the table, chips on edge in them, seen in relief."""
    left, right, low, high = _box_of(shape)
    colour, height = _tray_relief(right - left, high - low, chips, light, rng)
    ends = np.array([(x, y, z) for x in (left, right) for y in (low, high) for z in (0.0, float(height.max()))])
    u, v, width, tall = _window(camera.project(ends), camera, 1)
    if not width or not tall:
        return []
    fold = 2  # finer, then averaged: smooth edges
    grid = np.stack(np.meshgrid(np.arange(width * fold), np.arange(tall * fold)), axis=-1)
    seen = _march(camera, (grid + 0.5) / fold - 0.5 + (u, v), colour, height, (left, high))
    drawn = cv2.resize(seen, (width, tall), interpolation=cv2.INTER_AREA)
    return [Patch(u, v, _as_bytes(drawn[..., :3] * 255 / np.maximum(drawn[..., 3:], 1)), _as_bytes(drawn[..., 3]))]


def _march(camera: Camera, pixels: Floats, colour: Field, height: Field, corner: tuple[float, float]) -> Field:
    """Return what rays meet of a relief (BGR and cover): they sink by steps until they are below its surface."""
    found = np.zeros((*pixels.shape[:2], 4), np.float32)
    top, bottom = float(height.max()), float(height.min())
    first, last = (camera.place(pixels, level).astype(np.float32) for level in (top, bottom))
    for share in np.linspace(0, 1, TRAY_STEPS, dtype=np.float32):
        level, places = top + share * (bottom - top), first + share * (last - first)
        u = ((places[..., 0] - corner[0]) * TEXTURE_PX_PER_MM - 0.5).astype(np.float32)
        v = ((corner[1] - places[..., 1]) * TEXTURE_PX_PER_MM - 0.5).astype(np.float32)
        surface = cv2.remap(height, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(-999.0,))
        meets = (found[..., 3] == 0) & (surface >= level - 1e-3)
        shades = cv2.remap(colour, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        found[meets, :3] = shades[meets]
        found[meets, 3] = 255
    return found


def _tray_relief(
    width: float, tall: float, chips: ChipSet, light: Light, rng: np.random.Generator
) -> tuple[Field, Field]:
    """Return the tray from above: its colours, and how high everything stands."""
    size = (round(tall * TEXTURE_PX_PER_MM), round(width * TEXTURE_PX_PER_MM))
    steel = np.array(bgr(str(rng.choice(GREYS))), np.float32)
    colour = steel * (1.25 + 0.06 * _clouds(rng, size, 9))[..., None]
    height = np.full(size, 4.0, np.float32)
    count = int((width - 2 * TRAY_RIM_MM) // TRAY_PITCH_MM)
    start = (width - count * TRAY_PITCH_MM) / 2
    for column, chip in enumerate(_sorted_columns(chips, count)):
        first = round((start + column * TRAY_PITCH_MM) * TEXTURE_PX_PER_MM)
        last = round((start + (column + 1) * TRAY_PITCH_MM) * TEXTURE_PX_PER_MM)
        rim = round(TRAY_RIM_MM * TEXTURE_PX_PER_MM)
        part = (slice(rim, size[0] - rim), slice(first, last))
        colour[part], height[part] = _tube(chip, chips, height[part].shape, light, steel, rng)
    return np.ascontiguousarray(colour, np.float32), height


def _sorted_columns(chips: ChipSet, count: int) -> list[Chip]:
    """Return whose chips stand in each tube: the dearest in the middle, falling to both sides."""
    dearest = list(reversed(chips.chip))
    rank = [int(abs(column - (count - 1) / 2) * 2 * len(dearest) / (count + 1)) for column in range(count)]
    return [dearest[min(place, len(dearest) - 1)] for place in rank]


def _tube(
    chip: Chip, chips: ChipSet, size: tuple[int, ...], light: Light, steel: Field, rng: np.random.Generator
) -> tuple[Field, Field]:
    """Return one tube of the tray, chips from its dealer's end, in stacks of twenty with a clear disc between."""
    rows, columns = size
    radius = chips.diameter_mm / 2
    across = np.clip((np.arange(columns) + 0.5 - columns / 2) / TEXTURE_PX_PER_MM / radius, -0.999, 0.999)
    turn = np.arcsin(across)
    along = (rows - 1 - np.arange(rows)) / TEXTURE_PX_PER_MM
    number = (along / chips.thickness_mm).astype(int)
    looks = _edge_colours(chip, turn, int(number.max()) + 1, rng)
    seam = 0.82 + 0.18 * np.clip(np.abs(along / chips.thickness_mm % 1 - 0.5) * -6 + 3, 0, 1)
    body = looks[number] * seam[:, None, None]
    body[number % 21 == 20] = body[number % 21 == 20] * 0.3 + 120
    shine = light.on(np.stack([np.sin(turn), 0 * turn, np.cos(turn)], axis=-1)) * (0.55 + 0.45 * np.cos(turn) ** 0.5)
    chipped = body * shine[None, :, None] + 26 * np.exp(-(((turn - 0.25) / 0.18) ** 2))[None, :, None]
    is_full = (number < number.max() * rng.uniform(0.35, 1.15))[:, None]
    groove = steel * (0.35 + 0.65 * np.abs(across[:, None]))[None] + 0 * body
    groove[..., :] += 30 * np.exp(-(((across + 0.5) / 0.1) ** 2))[None, :, None]
    high, deep = radius * np.cos(turn) - 6, 2 - 16 * np.cos(turn)
    colour = np.where(is_full[..., None], chipped, groove).astype(np.float32)
    return colour, np.where(is_full, high[None], deep[None]).astype(np.float32)


def _edge_colours(chip: Chip, turn: Floats, count: int, rng: np.random.Generator) -> Field:
    """Return what shows of each chip's edge, every chip turned by chance."""
    angles = np.degrees(turn)[None, :] + rng.uniform(0, 360, (count, 1))
    looks = np.broadcast_to(np.array(bgr(chip.base), np.float32), (*angles.shape, 3)).copy()
    for spots in chip.spots:
        step = 360 / spots.count
        off = (angles - spots.offset_deg + step / 2) % step - step / 2
        looks[np.abs(off) < spots.width_deg / 2] = bgr(spots.colour)
    return looks * rng.uniform(0.92, 1.04, (count, 1, 1)).astype(np.float32)
