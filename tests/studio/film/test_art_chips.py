"""Chips and props in the picture: where the camera says they are, as high as it says, and nowhere else."""

from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from studio.art.chip_art import chip_edge, chip_face
from studio.art.chips import paint_stack, shadow_of_stack
from studio.art.props import paint_prop, shadow_of_prop
from studio.art.shadows import cast_shadow
from studio.light import Light
from studio.patch import Patch
from studio.scene import Pose, PropBody, StackBody
from vision.values.chips import ChipSet, read_chip_set
from vision.values.geometry import Camera, Floats, Lens
from vision.values.resources import shipped

PATHS = sorted(shipped("calibration").glob("chips/*.toml"))
SETS = [read_chip_set(path) for path in PATHS]
LENS = Lens(1920, 1080, 1500, 959.5, 539.5, -0.05, 0.01)
TILTS = (3.0, 20.0, 40.0)
KINDS = ("drink", "phone", "cash", "lammer", "cutcard", "ashtray", "stub", "pile", "button")
LIGHT = Light()


def camera_at(tilt_deg: float, lens: Lens = LENS) -> Camera:
    tilt = np.radians(tilt_deg)
    return Camera.looking_at(lens, (0.0, 400 - 2300 * np.sin(tilt), 2300 * np.cos(tilt)), (0.0, 400.0, 0.0))


def stack_of(*cents: int, loose: float = 0.6) -> StackBody:
    random = np.random.default_rng(len(cents))
    return StackBody(cents, tuple((*random.uniform(-loose, loose, 2), random.uniform(0, 360)) for _ in cents))


def rims(body: StackBody, pose: Pose, chips: ChipSet) -> Floats:
    """Return points on both rims of every chip."""
    turns = np.linspace(0, 2 * np.pi, 60)
    swing, radius, points = np.radians(pose.angle), chips.diameter_mm / 2, []
    for level, (dx, dy, _) in enumerate(body.shifts):
        x = pose.x + dx * np.cos(swing) - dy * np.sin(swing)
        y = pose.y + dx * np.sin(swing) + dy * np.cos(swing)
        for z in (level, level + 1):
            height = np.full(60, pose.z + z * chips.thickness_mm)
            points.append(np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns), height]))
    return np.concatenate(points)


def on_frame(patch: Patch, u: float, v: float) -> int:
    return int(patch.cover[round(v) - patch.v, round(u) - patch.u])


def same(one: Patch, two: Patch) -> bool:
    return (
        (one.u, one.v) == (two.u, two.v)
        and np.array_equal(one.colour, two.colour)
        and np.array_equal(one.cover, two.cover)
    )


def is_tight(cover: NDArray[np.uint8]) -> bool:
    return all(bool(side.any()) for side in (cover[0], cover[-1], cover[:, 0], cover[:, -1]))


def test_houses_differ() -> None:
    assert len(SETS) >= 6
    assert [path.stem for path in PATHS] == [chips.name for chips in SETS]
    assert len({chips.of(500).model_dump_json() for chips in SETS}) == len(SETS)


@pytest.mark.parametrize("chips", SETS, ids=lambda chips: chips.name)
def test_every_amount_can_be_made(chips: ChipSet) -> None:
    assert sum(chips.break_down(123_450)) == 123_450


@pytest.mark.parametrize("chips", SETS, ids=lambda chips: chips.name)
def test_denominations_look_different(chips: ChipSet) -> None:
    seen = [chip_face(chip, 0.8, chips.diameter_mm)[0].astype(float) for chip in chips.chip]
    gaps = [np.abs(one - two).mean() for i, one in enumerate(seen) for two in seen[:i]]
    assert min(gaps) > 15


def test_face_and_edge_have_the_asked_size() -> None:
    chip = SETS[0].of(500)
    face, mask = chip_face(chip, 2.0, 40.0)
    assert face.shape == (80, 80, 3)
    assert (mask[40, 40], mask[0, 0]) == (255, 0)
    assert chip_edge(chip, 2.0, 40.0, 3.0).shape == (6, 251, 3)


def test_spots_meet_at_the_rim() -> None:
    chips = next(chips for chips in SETS if chips.name == "boulevard")
    chip = chips.of(500)  # red, four white spots, the first at +x
    face, _ = chip_face(chip, 10.0)
    edge = chip_edge(chip, 10.0)
    spot, base = edge[16, 10].astype(int), edge[16, edge.shape[1] // 8].astype(int)
    assert np.abs(face[195, 375] - spot).max() < 60 < np.abs(face[195, 375] - base).max()
    assert np.abs(face[195 - 127, 195 + 127] - base).max() < 60


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("place", [(0.0, 400.0), (-620.0, 150.0), (500.0, 700.0)])
def test_stack_fills_its_hull_and_no_more(tilt: float, place: tuple[float, float]) -> None:
    camera, chips, pose = camera_at(tilt), SETS[0], Pose(*place, angle=37.0)
    body = stack_of(500, 2500, 500, 100, 100, 10000)
    patch = paint_stack(body, pose, camera, chips, LIGHT)
    seen = camera.project(rims(body, pose, chips))
    hull = cv2.convexHull(seen.astype(np.float32))
    ys, xs = np.nonzero(patch.cover)
    outside = [
        -cv2.pointPolygonTest(hull, (float(x + patch.u), float(y + patch.v)), True) for x, y in zip(xs, ys, strict=True)
    ]
    assert max(outside) < 2
    assert is_tight(patch.cover)
    assert patch.cover.sum() / 255 == pytest.approx(cv2.contourArea(hull), rel=0.06)
    assert on_frame(patch, *seen.mean(axis=0)) == 255


@pytest.mark.parametrize("tilt", TILTS)
def test_top_is_where_the_camera_sees_it(tilt: float) -> None:
    camera, pose = camera_at(tilt), Pose(210.0, 300.0, angle=10.0)
    chips = ChipSet.model_validate({"name": "two", "chip": [
        {"cents": 1, "base": "#000000", "inlay": "#000000", "text": "", "text_colour": "#000000"},
        {"cents": 2, "base": "#ffffff", "inlay": "#ffffff", "text": "", "text_colour": "#ffffff"},
    ]})  # fmt: skip
    body = StackBody((1, 1, 1, 2), ((0, 0, 0), (1, 0, 90), (0, 1, 180), (2, -1, 45)))
    patch = paint_stack(body, pose, camera, chips, LIGHT)
    ys, xs = np.nonzero((patch.colour.mean(axis=-1) > 170) & (patch.cover > 128))
    middle = camera.project((*rims(body, pose, chips)[-60:-1, :2].mean(axis=0), 4 * chips.thickness_mm))
    assert np.hypot(xs.mean() + patch.u - middle[0], ys.mean() + patch.v - middle[1]) < 1


@pytest.mark.parametrize("tilt", TILTS)
def test_height_grows_as_the_camera_predicts(tilt: float) -> None:
    camera, chips, pose = camera_at(tilt), SETS[0], Pose(0.0, 400.0)
    for count in (1, 3, 5, 8, 12):
        body = stack_of(*[500] * count, loose=0.0)
        patch = paint_stack(body, pose, camera, chips, LIGHT)
        seen = camera.project(rims(body, pose, chips))
        assert patch.cover.shape[0] == pytest.approx(np.ptp(seen[:, 1]) + 1, abs=1.5)


@pytest.mark.parametrize("count", [2, 5, 9])
def test_chips_can_be_counted_from_the_side(count: int) -> None:
    lens = Lens(3840, 2160, 3000, 1919.5, 1079.5)
    camera, chips, pose = camera_at(45, lens), SETS[2], Pose(0.0, 400.0)
    patch = paint_stack(StackBody((2500,) * count, ((0.0, 0.0, 45.0),) * count), pose, camera, chips, LIGHT)
    front = camera.project([(0, 400 - chips.diameter_mm / 2, z * chips.thickness_mm) for z in (0, count)])
    column = patch.colour[:, round(front[0, 0]) - patch.u].mean(axis=-1)
    wall = column[round(front[1, 1]) - patch.v + 2 : round(front[0, 1]) - patch.v - 1]
    valleys = sum(1 for a, b, c in zip(wall, wall[1:], wall[2:], strict=False) if b < a and b <= c and b < wall.mean())
    assert valleys == count - 1


def test_walls_away_from_the_lamp_are_darker() -> None:
    chips, pose, camera = SETS[0], Pose(0.0, 400.0), camera_at(40)
    body = StackBody((100,) * 8, ((0.0, 0.0, 45.0),) * 8)
    lamps = [Light(towards=(0.0, side, 0.8), ambient=0.4) for side in (-0.6, 0.6)]
    near, far = (paint_stack(body, pose, camera, chips, lamp).colour[-18:-6].mean() for lamp in lamps)
    assert near > far + 15


def test_same_stack_same_picture() -> None:
    scene = (stack_of(500, 100), Pose(3.0, 380.0, 40.0), camera_at(20))
    assert same(paint_stack(*scene, SETS[1], LIGHT), paint_stack(*scene, SETS[1], LIGHT))


def test_shadow_falls_away_from_the_lamp() -> None:
    camera, pose = camera_at(3), Pose(0.0, 400.0)
    right = Light(towards=(0.6, 0.0, 0.8), ambient=0.5)
    patch = shadow_of_stack(stack_of(*[500] * 10), pose, camera, right)
    middle = camera.project((0, 400, 0))
    columns = np.average(np.arange(patch.cover.shape[1]) + patch.u, weights=patch.cover.sum(axis=0))
    assert columns < middle[0] - 4
    assert not patch.colour.any()
    assert on_frame(patch, *middle) > 100
    assert max(patch.cover[0].max(), patch.cover[:, -1].max()) < 10


def test_shadow_of_a_carried_stack_is_softer() -> None:
    camera, body = camera_at(10), stack_of(500, 500)
    lying, carried = (shadow_of_stack(body, Pose(0.0, 400.0, z), camera, LIGHT) for z in (0.0, 90.0))
    assert carried.cover.max() < lying.cover.max()


def test_shadow_has_the_strength_asked() -> None:
    square = np.array([[-20.0, 380, 0], [20, 380, 0], [20, 420, 0], [-20, 420, 0]])
    strong, weak = (cast_shadow(square, square + np.array([0, 0, 5.0]), camera_at(5), LIGHT, s) for s in (1.0, 0.5))
    assert weak.cover.max() < strong.cover.max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tilt", TILTS)
def test_props_stand_where_they_are_put(kind: str, tilt: float) -> None:
    camera, pose = camera_at(tilt), Pose(-150.0, 420.0, angle=25.0)
    middle = camera.project((pose.x, pose.y, 0.0))
    for variant in range(20 if kind == "drink" else 4):
        body = PropBody(kind, variant, 20.0)
        patch = paint_prop(body, pose, camera, LIGHT)
        assert on_frame(patch, *middle) > 60
        assert is_tight(patch.cover)
        assert on_frame(shadow_of_prop(body, pose, camera, LIGHT), *middle) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_same_prop_same_picture(kind: str) -> None:
    scene = (PropBody(kind, 3, 20.0), Pose(-150.0, 420.0, angle=25.0), camera_at(20))
    assert same(paint_prop(*scene, LIGHT), paint_prop(*scene, LIGHT))


@pytest.mark.parametrize("kind", KINDS)
def test_variants_differ(kind: str) -> None:
    camera, pose = camera_at(15), Pose(0.0, 400.0)
    looks = {paint_prop(PropBody(kind, variant, 9.0), pose, camera, LIGHT).colour.tobytes() for variant in range(5)}
    assert len(looks) == 5


def test_stub_grows_with_its_cards() -> None:
    camera, pose = camera_at(35), Pose(0.0, 400.0)
    heights = [paint_prop(PropBody("stub", 0, size), pose, camera, LIGHT).cover.shape[0] for size in (1, 26, 52, 104)]
    assert all(one < two for one, two in pairwise(heights))


def test_stub_wears_the_back_it_is_given() -> None:
    back = np.full((89, 64, 3), (200, 40, 10), np.uint8)
    patch = paint_prop(PropBody("stub", 0, 10.0), Pose(0.0, 400.0), camera_at(5), LIGHT, back)
    shown = patch.colour[patch.cover.shape[0] // 2, patch.cover.shape[1] // 2].astype(int)
    assert np.abs(shown - (200, 40, 10)).max() < 12


def test_unknown_prop_is_named() -> None:
    with pytest.raises(ValueError, match="'hat'"):
        paint_prop(PropBody("hat"), Pose(0.0, 400.0), camera_at(5), LIGHT)
