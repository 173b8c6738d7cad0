"""What the chip reader learns from: invented houses, painted scenes, and crops with the truth in the right place."""

from pathlib import Path

import numpy as np
import pytest

from studio.film.look import kinds, of_split
from studio.learn.chips.crops import LAYERS, Shard, jittered, known_house, painted_shard, true_found
from studio.learn.chips.pool import KEPT_FOR_TESTS
from studio.learn.chips.scenes import MOST, Felts, random_chips
from studio.learn.chips.sets import random_house
from vision.detect.stack_crop import FACE, GEOMETRY, STRIP
from vision.values.geometry import Camera, Lens


class PlainFelts(Felts):
    """Felts without print, which takes seconds to draw."""

    def piece(self, side: int, zoom: float) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        del zoom
        return np.full((side, side, 3), 80, np.uint8)


@pytest.fixture(scope="module")
def shard() -> Shard:
    return painted_shard(np.random.default_rng(3), PlainFelts(np.random.default_rng(3)), 12)


def test_chips_kept_for_tests_are_those_of_the_test_looks() -> None:
    assert set(of_split(kinds()["chips"], "test")) == KEPT_FOR_TESTS


def test_houses_differ_and_their_chips_too() -> None:
    houses = [random_house(np.random.default_rng(seed)) for seed in range(4)]
    assert len({house.chips.model_dump_json() for house in houses}) == 4
    for house in houses:
        assert len(house.faces) == len(house.edges) == len(house.chips.chip)
        seen = [edge.reshape(-1, 3).mean(axis=0) for edge in house.edges.astype(float)]
        assert min(np.abs(one - two).max() for i, one in enumerate(seen) for two in seen[:i]) > 4


def test_crops_have_the_readers_form(shard: Shard) -> None:
    arrays = shard.arrays
    number = len(arrays["counts"])
    assert number >= 12
    assert arrays["strips"].shape == (number, *STRIP, 3)
    assert arrays["faces"].shape == (number, FACE, FACE, 3)
    assert arrays["numbers"].shape == (number, GEOMETRY)
    assert ((arrays["layers"] >= 0).sum(axis=1) == np.minimum(arrays["counts"], LAYERS)).all()


def test_same_seed_same_crops(shard: Shard) -> None:
    again = painted_shard(np.random.default_rng(3), PlainFelts(np.random.default_rng(3)), 12)
    assert all(np.array_equal(shard.arrays[name], again.arrays[name]) for name in shard.arrays)


def test_shard_is_kept_as_it_is(shard: Shard, tmp_path: Path) -> None:
    shard.save(tmp_path / "one.npz")
    again = Shard.load(tmp_path / "one.npz")
    assert all(np.array_equal(shard.arrays[name], again.arrays[name]) for name in shard.arrays)
    assert [path.name for path in tmp_path.iterdir()] == ["one.npz"]


def test_stacks_are_small_and_of_one_colour_mostly() -> None:
    random = np.random.default_rng(1)
    stacks = [random_chips(random, 8) for _ in range(2000)]
    assert {len(stack) for stack in stacks} == set(range(1, MOST + 1))
    assert np.median([len(stack) for stack in stacks]) <= 6
    assert np.mean([len(set(stack)) == 1 for stack in stacks]) > 0.55


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
    count, layers, steps, rows, borders = net(*crops, torch.randn(2, 3, WIDE), torch.zeros(2, 3))
    assert (count.shape, layers.shape, steps.shape) == ((2, COUNTS), (2, LAYERS, 3), (2, LAYERS, 3, 3))
    assert (rows.shape, borders.shape) == ((2, ROWS, 3), (2, 2, BORDERS))
    single = torch.full((2, LAYERS), -1)
    single[:, 0] = 1
    wanted = -torch.log_softmax(layers[:, 0], 1)[:, 1]
    assert torch.allclose(chain_loss(layers, steps, single), wanted, atol=1e-5)
