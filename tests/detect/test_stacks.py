"""Stacks: crops are in normal form whatever the camera, values follow from scores, and the shipped reader reads."""

from itertools import product

import numpy as np
import pytest

from studio.art.chips import paint_stack, shadow_of_stack
from studio.light import Light
from studio.scene import Pose, StackBody
from vision.detect.detection import Found, StackReading
from vision.detect.stack_crop import ABOVE, FACE, GEOMETRY, ROWS_PER_CHIP, STRIP, cut_stack, view_of
from vision.detect.stack_value import (
    LAYERS,
    MAX_CHIPS,
    amounts,
    bounds_of,
    count_reading,
    likeliest_chain,
    value_reading,
)
from vision.detect.stacks import StackReader
from vision.values.chips import read_chip_set
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture
from vision.values.resources import shipped

MERIDIAN = read_chip_set(shipped("calibration") / "chips" / "meridian.toml")  # never trained on
SIZE = (MERIDIAN.diameter_mm, MERIDIAN.thickness_mm)


def camera_at(tilt_deg: float, wide_px: float = 60.0, roll_deg: float = 0.0) -> Camera:
    tilt = np.radians(tilt_deg)
    lens = Lens(400, 400, wide_px / 39 * 2000, 199.5, 199.5)
    place = (0.0, -2000 * float(np.sin(tilt)), 2000 * float(np.cos(tilt)))
    return Camera.looking_at(lens, place, (0.0, 0.0, 0.0), roll_deg)


def scene(cents: tuple[int, ...], camera: Camera) -> tuple[Picture, Found]:
    """Paint a neat stack on a plain felt; return the picture and what a good finder says of it."""
    turns = np.random.default_rng(len(cents)).uniform(0, 360, len(cents))
    body = StackBody(cents, tuple((0.0, 0.0, float(turn)) for turn in turns))
    picture = np.full((400, 400, 3), (60, 100, 40), np.uint8)
    stack = (body, Pose(0.0, 0.0), camera)
    for patch in (shadow_of_stack(*stack, Light()), paint_stack(*stack, MERIDIAN, Light())):
        tall, wide = patch.cover.shape
        part = picture[patch.v : patch.v + tall, patch.u : patch.u + wide]
        share = patch.cover[..., None] / 255
        part[:] = (part * (1 - share) + patch.colour * share).astype(np.uint8)
    base, top = camera.project([[0.0, 0.0, 0.0], [0.0, 0.0, len(cents) * SIZE[1]]])
    flat = float(np.cos(np.radians(camera.tilt_deg())))
    radius = camera.scale_px_per_mm([0.0, 0.0, 0.0]) * SIZE[0] / 2 / flat**0.5
    box = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    return picture, Found("stack", 1.0, box, pair(base), pair(top), radius, flat)


def pair(point: Floats) -> tuple[float, float]:
    return (float(point[0]), float(point[1]))


@pytest.mark.parametrize("tilt", [5.0, 30.0, 55.0])
@pytest.mark.parametrize("roll", [0.0, 100.0])
def test_a_chip_is_so_many_rows_of_the_strip(tilt: float, roll: float) -> None:
    """A stack of blue below red: the border lies as many chips below the rim as there are red ones."""
    picture, found = scene((10000,) * 6 + (500,) * 4, camera_at(tilt, 80, roll))
    strip, face = cut_stack(picture, view_of(found, SIZE, camera_at(tilt, 80, roll)))
    assert (strip.shape, face.shape) == ((*STRIP, 3), (FACE, FACE, 3))
    middle = strip[:, STRIP[1] // 2 - 3 : STRIP[1] // 2 + 3].astype(int).mean(axis=1)
    redness = middle[:, 2] - middle[:, 0]
    rows = {chip: int((ABOVE + chip + 0.5) * ROWS_PER_CHIP) for chip in (0, 3, 4, 9, 12)}
    dark, felt = redness[rows[4]], middle[rows[12]]
    assert dark < 25
    assert np.abs(felt - (60, 100, 40)).max() < 45


def test_pose_and_finder_agree_on_the_view() -> None:
    camera = camera_at(40)
    _, found = scene((500,) * 6, camera)
    posed, plain = view_of(found, SIZE, camera), view_of(found, SIZE, None)
    assert np.allclose(posed.across, plain.across, atol=1)
    assert np.allclose(posed.ahead, plain.ahead, atol=1)
    assert np.allclose(posed.fall, plain.fall, atol=0.2)
    assert posed.numbers().shape == (GEOMETRY,)


def test_a_stack_at_the_border_of_the_picture_is_cut() -> None:
    picture, found = scene((500,) * 3, camera_at(30))
    for corner in ((0.0, 0.0), (399.0, 399.0), (-30.0, 500.0)):
        moved = Found("stack", 1.0, found.quad, corner, corner, found.radius_px, found.flatness)
        strip, _ = cut_stack(picture, view_of(moved, SIZE, None))
        assert strip.shape == (*STRIP, 3)


def test_what_is_no_stack_is_refused() -> None:
    with pytest.raises(ValueError, match="card_up"):
        view_of(Found("card_up", 1.0, ((0.0, 0.0),) * 4), SIZE, None)


def brute_force(count: Floats, layers: Floats, steps: Floats, values: list[int], most: int) -> dict[int, float]:
    """Return each amount's probability by trying all chains."""
    total: dict[int, float] = {}
    for number in range(1, most + 1):
        chains = list(product(range(len(values)), repeat=number))
        scores = [
            sum(layers[i, c] for i, c in enumerate(chain))
            + sum(steps[i, chain[i], chain[i + 1]] for i in range(number - 1))
            for chain in chains
        ]
        shares = np.exp(np.array(scores) - max(scores))
        for chain, share in zip(chains, shares / shares.sum(), strict=True):
            worth = sum(values[c] for c in chain)
            total[worth] = total.get(worth, 0.0) + count[number - 1] * float(share)
    return total


def test_amounts_are_those_of_all_chains() -> None:
    random = np.random.default_rng(4)
    layers, steps = random.normal(0, 2, (LAYERS, 3)), random.normal(0, 1, (LAYERS, 3, 3))
    count = np.zeros(LAYERS + 1)
    count[:4] = (0.1, 0.2, 0.4, 0.3)
    found = amounts(count, layers, steps, np.array([100, 500, 2500]))
    wanted = brute_force(count, layers, steps, [100, 500, 2500], 4)
    assert found.p.sum() == pytest.approx(1)
    got = dict(zip(found.cents.tolist(), found.p.tolist(), strict=True))
    assert got.keys() <= wanted.keys()  # what hardly occurs is dropped
    assert {cents: got.get(cents, 0.0) for cents in wanted} == pytest.approx(wanted, abs=1e-4)
    told = found.likeliest()
    assert [p for _, p in told] == sorted((p for _, p in told), reverse=True)
    assert told[0][1] == max(got.values())
    every = dict(found.told())
    assert sum(every.values()) == pytest.approx(1)
    assert list(every) == sorted(every)
    assert every == pytest.approx({cents: got[cents] for cents in every}, abs=1e-4)


def test_likeliest_chain_is_the_best_of_all() -> None:
    random = np.random.default_rng(5)
    layers, steps = random.normal(0, 2, (LAYERS, 3)), random.normal(0, 1, (LAYERS, 3, 3))

    def score(chain: tuple[int, ...]) -> float:
        pairs = sum(steps[i, chain[i], chain[i + 1]] for i in range(3))
        return float(sum(layers[i, c] for i, c in enumerate(chain)) + pairs)

    best = max(product(range(3), repeat=4), key=score)
    assert likeliest_chain(layers, steps, 4) == list(best)


def test_bounds_leave_out_little() -> None:
    values, p = np.arange(1, 11), np.full(10, 0.1)
    assert bounds_of(values, p) == (1, 10)
    sure = np.zeros(10)
    sure[3] = 1.0
    assert bounds_of(values, sure) == (4, 4)


def test_an_open_end_is_stated() -> None:
    count = np.zeros(LAYERS + 1)
    count[LAYERS - 1 :] = 0.5
    assert count_reading(count).count_bounds == (LAYERS, MAX_CHIPS)
    reading = value_reading(count, np.zeros((LAYERS, 1)), np.zeros((LAYERS, 1, 1)), np.array([100]))
    assert reading.value_bounds == (LAYERS * 100, MAX_CHIPS * 100)


@pytest.fixture(scope="module")
def reader() -> StackReader:
    return StackReader()


def read(reader: StackReader, cents: tuple[int, ...], tilt: float, wide: float = 60.0) -> StackReading:
    camera = camera_at(tilt, wide)
    picture, found = scene(cents, camera)
    return reader.read(picture, [found], MERIDIAN, camera)[0]


@pytest.mark.parametrize("cents", [(500,), (2500,) * 3, (10000, 10000, 500, 500, 500)], ids=str)
def test_a_clear_stack_of_chips_never_seen_is_read(reader: StackReader, cents: tuple[int, ...]) -> None:
    found = read(reader, cents, tilt=45.0)
    assert found.value_bounds is not None
    assert found.value_bounds[0] <= sum(cents) <= found.value_bounds[1]
    assert (found.count, found.value_cents, found.denominations) == (len(cents), sum(cents), cents)


def test_from_straight_above_the_bounds_are_wide(reader: StackReader) -> None:
    found = read(reader, (500,) * 5, tilt=1.0, wide=30.0)
    assert found.count_bounds[0] <= 5 <= found.count_bounds[1]
    assert found.count_bounds[1] - found.count_bounds[0] >= 3
    assert found.denominations[-1] == 500


def test_without_a_chip_set_chips_are_counted(reader: StackReader) -> None:
    camera = camera_at(45.0)
    picture, found = scene((500,) * 4, camera)
    for pose in (camera, None):
        reading = reader.read(picture, [found, found], None, pose)[1]
        assert reading.count_bounds[0] <= 4 <= reading.count_bounds[1]
        assert (reading.value_cents, reading.value_bounds) == (None, None)
        assert reading.denominations == (None,) * reading.count


def test_no_stacks_no_readings(reader: StackReader) -> None:
    assert reader.read(np.zeros((9, 9, 3), np.uint8), [], MERIDIAN, None) == []


def test_one_pixel_is_a_picture(reader: StackReader) -> None:
    _, found = scene((500,), camera_at(30))
    assert len(reader.read(np.zeros((1, 1, 3), np.uint8), [found], MERIDIAN, None)) == 1
