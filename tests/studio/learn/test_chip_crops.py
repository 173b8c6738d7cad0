"""What the chip reader learns from: invented houses, painted scenes, and crops with the truth in the right place."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.film.look import kinds, of_split
from studio.learn.chips.contents import MOST, random_chips, random_shifts
from studio.learn.chips.crops import LAYERS, LOW, LOW_CHIPS, Shard, jittered, known_house, painted_shard, true_found
from studio.learn.chips.houses import PHOTOGRAPHED, PaintedHouse, painted_house
from studio.learn.chips.painter import Slant, Stack, random_lighting
from studio.learn.chips.pool import KEPT_FOR_TESTS
from studio.learn.chips.scenes import VIEWS, Felts, Setting, random_slant, scene_of
from vision.detect.stack_crop import FACE, GEOMETRY, ROWS_PER_CHIP, STRIP, cut_stack
from vision.values.geometry import Camera, Floats, Lens


class PlainFelts(Felts):
    """Felts without print, which takes seconds to draw."""

    def piece(
        self, slant: Slant, size: tuple[int, int], origin: Floats, rng: np.random.Generator
    ) -> NDArray[np.float32]:
        del slant, origin, rng
        return np.full((size[1], size[0], 3), 80, np.float32)


@pytest.fixture(scope="module")
def shard() -> Shard:
    return painted_shard(np.random.default_rng(3), PlainFelts(np.random.default_rng(3)), 12)


def test_chips_kept_for_tests_are_those_of_the_test_looks() -> None:
    assert set(of_split(kinds()["chips"], "test")) == KEPT_FOR_TESTS


def test_houses_differ_and_their_chips_too() -> None:
    houses = [painted_house(np.random.default_rng(seed)) for seed in range(4)]
    assert len({house.chips.model_dump_json() for house in houses}) == 4
    for house in houses:
        assert len(house.faces) == len(house.edges) == len(house.chips.chip)
        assert house.reference_edges.shape[:2] == house.reference_faces.shape[:2] == (PHOTOGRAPHED, len(house.faces))
        seen = [edge.reshape(-1, 3).mean(axis=0) for edge in house.edges.astype(float)]
        assert min(np.abs(one - two).max() for i, one in enumerate(seen) for two in seen[:i]) > 4


def test_crops_have_the_readers_form(shard: Shard) -> None:
    arrays = shard.arrays
    number = len(arrays["counts"])
    assert number == 12
    assert arrays["strips"].shape == (number, LOW, STRIP[1], 3)
    assert arrays["counts"].max() <= LOW_CHIPS
    assert arrays["faces"].shape == (number, FACE, FACE, 3)
    assert arrays["numbers"].shape == (number, GEOMETRY)
    assert ((arrays["layers"] >= 0).sum(axis=1) == np.minimum(arrays["counts"], LAYERS)).all()


def test_tall_stacks_have_whole_strips() -> None:
    tall = painted_shard(np.random.default_rng(4), PlainFelts(np.random.default_rng(4)), 6, MOST)
    assert tall.arrays["strips"].shape == (6, *STRIP, 3)


def test_same_seed_same_crops(shard: Shard) -> None:
    again = painted_shard(np.random.default_rng(3), PlainFelts(np.random.default_rng(3)), 12)
    assert all(np.array_equal(shard.arrays[name], again.arrays[name], equal_nan=True) for name in shard.arrays)


def test_shard_is_kept_as_it_is(shard: Shard, tmp_path: Path) -> None:
    shard.save(tmp_path / "one.npz")
    again = Shard.load(tmp_path / "one.npz")
    assert all(np.array_equal(shard.arrays[name], again.arrays[name], equal_nan=True) for name in shard.arrays)
    assert [path.name for path in tmp_path.iterdir()] == ["one.npz"]


def test_stacks_are_small_and_of_one_colour_mostly() -> None:
    random = np.random.default_rng(1)
    stacks = [random_chips(random, 8) for _ in range(2000)]
    assert {len(stack) for stack in stacks} == set(range(1, MOST + 1))
    assert np.median([len(stack) for stack in stacks]) <= 6
    assert np.mean([len(set(stack)) == 1 for stack in stacks]) > 0.5


def test_chips_lie_off_their_axis_but_not_far() -> None:
    random = np.random.default_rng(1)
    shifts = [random_shifts(random, 8) for _ in range(400)]
    assert all((one[0] == 0).all() for one in shifts)
    off = np.array([np.hypot(*one.T).max() for one in shifts])
    assert 0.3 < np.median(off) < 4
    assert off.max() < 15


def neat(chips: tuple[int, ...], house: PaintedHouse) -> Stack:
    """Return a stack without any shift."""
    tops = np.zeros((len(chips), 3))
    tops[:, 2] = house.chips.thickness_mm * np.arange(1, len(chips) + 1)
    return Stack(chips, tops, np.asarray(0.7 * np.arange(len(chips)), np.float64))


@pytest.mark.parametrize("tilt", [30.0, 50.0])
def test_a_painted_stack_hangs_where_its_truth_says(tilt: float) -> None:
    """The strip shows the face above the rim, as many chips as there are, and the felt below the last one."""
    house = painted_house(np.random.default_rng(2))
    slant = Slant(2.0, float(np.radians(tilt)), 0.2)
    setting = Setting(slant, random_lighting(np.random.default_rng(1)), (), 5)
    scene = scene_of(setting, neat((0,) * 4, house), house, PlainFelts(np.random.default_rng(3)))
    size = (house.chips.diameter_mm, house.chips.thickness_mm)
    picture = np.clip(scene.ground, 0, 255).astype(np.uint8)
    strip, _ = cut_stack(picture, slant.view(scene.top, size))
    foot = slant.view(scene.top, size).fall * 4
    assert np.allclose(scene.base - scene.top, foot, atol=1e-6)
    middle = strip[:, 28:36].astype(float).mean(axis=(1, 2))
    rows = (np.array([6 + 4 + 1.5, 6 + 4 + 3.0]) * ROWS_PER_CHIP).astype(int)
    beyond = middle[rows[0] : rows[1]]
    assert beyond.std() < 12  # plain felt
    wall = strip[7 * ROWS_PER_CHIP : 9 * ROWS_PER_CHIP].astype(float)
    assert wall.std(axis=0).mean() > beyond.std()


def test_views_are_those_of_the_classes() -> None:
    random = np.random.default_rng(3)
    edges = {name: [edge_px(random_slant(random, name)) for _ in range(200)] for name in VIEWS}
    assert np.median(edges["reference"]) > 2.5 > np.median(edges["good"]) > 1.6 > np.median(edges["legacy"])


def edge_px(slant: Slant) -> float:
    return float(np.hypot(*slant.down) * 3.3)


def test_a_finders_error_is_a_few_pixels() -> None:
    camera = Camera.looking_at(Lens(1920, 1080, 1500, 959.5, 539.5), (0.0, -800.0, 2000.0), (0.0, 400.0, 0.0))
    chips = known_house("boulevard").chips
    base, top = camera.project([[0.0, 400.0, 0.0], [0.0, 400.0, 16.5]])
    truth = true_found(Camera.from_dict(camera.to_dict()), chips, base, top)
    assert truth.flatness == pytest.approx(np.cos(np.radians(camera.tilt_deg())), abs=0.03)
    random = np.random.default_rng(2)
    gaps = [np.hypot(*np.subtract(jittered(random, truth).top or (0, 0), top)) for _ in range(200)]
    assert 0.3 < np.median(gaps) < 2.5
    assert max(gaps) < 12


def test_the_shipped_network_is_small_and_answers_in_its_form() -> None:
    torch = pytest.importorskip("torch")
    from studio.learn.chips.net import BORDERS, COUNTS, ROWS, WIDE, StackNet, chain_loss

    net = StackNet().eval()
    assert sum(part.numel() for part in net.parameters()) < 1_000_000
    crops = (torch.zeros(2, 3, *STRIP), torch.zeros(2, 3, FACE, FACE), torch.zeros(2, GEOMETRY))
    low = (crops[0][:, :, :LOW], *crops[1:])
    assert net(*low, torch.randn(2, 3, WIDE), torch.zeros(2, 3))[0].shape == (2, COUNTS)
    count, layers, steps, rows, borders, starts = net(*crops, torch.randn(2, 3, WIDE), torch.zeros(2, 3))
    assert (count.shape, layers.shape, steps.shape) == ((2, COUNTS), (2, LAYERS, 3), (2, LAYERS, 3, 3))
    assert (rows.shape, borders.shape, starts.shape) == ((2, ROWS, 3), (2, 2, BORDERS), (2, ROWS))
    single = torch.full((2, LAYERS), -1)
    single[:, 0] = 1
    wanted = -torch.log_softmax(layers[:, 0], 1)[:, 1]
    assert torch.allclose(chain_loss(layers, steps, single), wanted, atol=1e-5)
