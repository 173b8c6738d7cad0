"""Mishaps against facts that they do not make themselves: dots that move, pictures that repeat, times that end."""

import json
from itertools import pairwise

import numpy as np
import pytest

from studio.film.mishap import Mishap
from studio.film.mishaps import MISHAPS, Mishaps, plan_mishaps
from vision.capture.video import SECOND_NS
from vision.values.errors import InputError
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture

SIZE = (640, 360)
LENS = Lens(640, 360, 560.0, 319.5, 179.5, -0.09, 0.01)
DOTS = np.array([[60.0, 50.0], [320.0, 180.0], [580.0, 60.0], [90.0, 300.0], [570.0, 310.0]])
BUMPS = ["bump-small", "bump-large"]
CODES = {"camera-moved", "picture-degraded", "view-blocked", "camera-frozen", "camera-lost"}


def mishap(kind: str, strength: float = 0.5, start_s: float = 1.0, end_s: float = 4.0) -> Mishap:
    return Mishap(MISHAPS[kind].code, kind, start_s, end_s, strength)


def mishaps(*plan: Mishap, seed: int = 3, size: tuple[int, int] = SIZE, lens: Lens | None = LENS) -> Mishaps:
    return Mishaps(plan, size, np.random.default_rng(seed), lens)


def table(seed: int = 0) -> Picture:
    """Return a picture with something everywhere."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(40, 200, (SIZE[1] // 8, SIZE[0] // 8, 3)).repeat(8, axis=0).repeat(8, axis=1)
    return np.asarray(coarse + rng.integers(0, 9, coarse.shape), np.uint8)


def dotted(points: Floats) -> Picture:
    """Return a dark picture with soft bright dots."""
    v, u = np.mgrid[: SIZE[1], : SIZE[0]]
    light = sum(np.exp(-((u - a) ** 2 + (v - b) ** 2) / 8) for a, b in points)
    return np.repeat((np.asarray(light) * 250).astype(np.uint8)[..., None], 3, axis=2)


def dot_near(picture: Picture, point: Floats) -> Floats:
    """Return the centre of the light around a place."""
    u0, v0 = int(point[0]) - 12, int(point[1]) - 12
    light = picture[v0 : v0 + 25, u0 : u0 + 25, 0].astype(float)
    v, u = np.mgrid[v0 : v0 + 25, u0 : u0 + 25]
    return np.asarray([(u * light).sum() / light.sum(), (v * light).sum() / light.sum()])


def arrived(picture: Picture | None) -> Picture:
    assert picture is not None
    return picture


@pytest.mark.parametrize("t_s", [1.07, 1.2, 1.4, 9.0])  # swinging, and long after its end: for good
@pytest.mark.parametrize("kind", BUMPS)
def test_a_bump_moves_the_picture_as_it_moves_the_truth(kind: str, t_s: float) -> None:
    acted = mishaps(mishap(kind, 0.8))
    picture = arrived(acted.frame(dotted(DOTS), t_s))
    expected = acted.quad(DOTS, t_s)
    assert np.abs(expected - DOTS).max() > 0.3
    for point in expected:
        assert dot_near(picture, point) == pytest.approx(point, abs=0.06)


def test_two_bumps_add_up() -> None:
    acted = mishaps(mishap("bump-large"), mishap("bump-small", start_s=2.0))
    picture = arrived(acted.frame(dotted(DOTS), 5.0))
    for point in acted.quad(DOTS, 5.0):
        assert dot_near(picture, point) == pytest.approx(point, abs=0.08)


@pytest.mark.parametrize(("kind", "least", "most"), [("bump-small", 2, 6), ("bump-large", 20, 60)])
@pytest.mark.parametrize("strength", [0.0, 0.4, 1.0])
def test_a_bump_is_as_large_as_its_kind(kind: str, least: float, most: float, strength: float) -> None:
    middle = np.array([[959.5, 539.5]])
    for seed in range(5):
        moved = mishaps(mishap(kind, strength), seed=seed, size=(1920, 1080), lens=None).quad(middle, 3.0)
        assert least * 0.99 <= np.hypot(*(moved - middle)[0]) <= most * 1.01


def test_the_bumped_camera_sees_what_the_bumped_picture_shows() -> None:
    camera = Camera.looking_at(LENS, (300, -700, 2300), (0, 450, 0), 12.0)
    acted = mishaps(mishap("bump-large"), mishap("bump-small", start_s=2.0))
    places = np.array([[-400.0, 300, 0], [0, 500, 0], [350, 700, 60]])
    seen = acted.camera(camera, 5.0).project(places)
    assert np.allclose(seen, acted.quad(camera.project(places), 5.0), atol=1e-4)


def test_frozen_pictures_are_identical() -> None:
    acted = mishaps(mishap("frozen"))
    frames = [arrived(acted.frame(table(n), 0.9 + n / 10)) for n in range(33)]
    assert np.array_equal(frames[0], table(0))
    assert all(np.array_equal(frame, table(1)) for frame in frames[1:31])
    assert np.array_equal(frames[32], table(32))


def test_the_truth_of_a_frozen_picture_is_frozen() -> None:
    acted = mishaps(mishap("frozen"))
    told = []
    for number in range(5):
        t_s = 0.9 + number / 10
        acted.frame(table(), t_s)
        told.append(acted.truth(record(DOTS[:4] + number), t_s))
    assert [entry["frame"] for entry in told] == [7] * 5
    assert [entry["objects"][0]["quad"][0][0] for entry in told] == [60, 61, 61, 61, 61]


def test_dropped_pictures_do_not_arrive() -> None:
    acted = mishaps(mishap("dropped"))
    missing = [t_s for t_s in np.arange(0, 6, 0.1).round(1) if acted.frame(table(), float(t_s)) is None]
    assert missing == np.arange(1, 4, 0.1).round(1).tolist()


@pytest.mark.parametrize("kind", [kind for kind in MISHAPS if kind not in BUMPS])
def test_a_mishap_ends_when_it_should(kind: str) -> None:
    acted = mishaps(mishap(kind))
    for t_s in (0.0, 0.99, 1.0, 1.1, 1.5, 1.9, 3.93, 4.0, 7.0):
        picture = table(int(t_s * 100))
        frame = acted.frame(picture, t_s)
        if 1.0 < t_s < 4.0:
            assert frame is None or not np.array_equal(frame, picture)
        if not 1.0 <= t_s < 4.0:
            assert frame is picture


@pytest.mark.parametrize("kind", list(MISHAPS))
def test_the_same_seed_gives_the_same_pictures(kind: str) -> None:
    first, second = (mishaps(mishap(kind, 0.9), seed=8) for _ in range(2))
    for t_s in (1.0, 1.1, 1.9, 2.6):
        one, two = first.frame(table(), t_s), second.frame(table(), t_s)
        assert (one is None and two is None) or np.array_equal(arrived(one), arrived(two))


@pytest.mark.parametrize("kind", list(MISHAPS))
@pytest.mark.parametrize("size", [(640, 360), (1000, 562)])  # no whole number of macroblocks, nor of small pixels
def test_pictures_keep_their_shape_and_are_not_written_into(kind: str, size: tuple[int, int]) -> None:
    given: Picture = np.full((size[1], size[0], 3), 120, np.uint8)
    given.setflags(write=False)
    acted = mishaps(mishap(kind, 1.0), size=size, lens=None)
    for t_s in (1.0, 1.7, 2.2, 2.4):
        frame = acted.frame(given, t_s)
        assert frame is None or (frame.shape == given.shape and frame.dtype == np.uint8)


@pytest.mark.parametrize(("strength", "share"), [(0.0, 0.6), (1.0, 0.3)])
def test_light_falls_to_a_share(strength: float, share: float) -> None:
    frame = arrived(mishaps(mishap("dim", strength)).frame(table(), 2.5))
    assert frame[..., 1].mean() / table()[..., 1].mean() == pytest.approx(share, abs=0.03)


def test_damage_heals_at_the_key_frame() -> None:
    acted = mishaps(mishap("damage", 1.0, start_s=1.0, end_s=1.999))
    assert not np.array_equal(arrived(acted.frame(table(), 1.0)), table())
    lasting = mishaps(mishap("damage", 1.0, start_s=1.0, end_s=9.0))
    wrong = [np.any(arrived(lasting.frame(table(), 1 + n / 15)) != table(), axis=2).mean() for n in range(60)]
    assert min(wrong[:15]) > 0  # the first key frame is at 2 s
    assert wrong[15] < wrong[14]


def test_damage_comes_in_whole_macroblocks() -> None:
    frame = arrived(mishaps(mishap("damage", 1.0)).frame(table(), 1.5))
    wrong = np.any(frame != table(), axis=2)[:352]
    share = wrong.reshape(22, 16, 40, 16).mean(axis=(1, 3))
    assert np.mean((share > 0.9) | (share == 0)) > 0.97


def record(quad: Floats) -> dict[str, object]:
    return {"frame": 7, "t_ns": 0, "objects": [{"id": 1, "kind": "card", "quad": quad.tolist(), "visible": 0.5}]}


def test_what_a_body_hides_is_not_visible() -> None:
    acted = mishaps(mishap("blocked", 1.0))
    white: Picture = np.full((360, 640, 3), 255, np.uint8)
    frame = arrived(acted.frame(white, 2.5))
    everywhere = np.array([[0.0, 0], [639, 0], [639, 359], [0, 359]])
    hidden = np.mean(frame[..., 1] < 190)
    assert hidden > 0.15
    assert float(acted.shows(everywhere, 2.5)) == pytest.approx(1 - hidden, abs=0.1)
    v, u = np.argwhere(frame[..., 1] < 60)[0]
    card = np.array([[u, v], [u + 2, v], [u + 2, v + 2], [u, v + 2]], float)
    assert acted.truth(record(card), 2.5)["objects"][0]["visible"] < 0.5


def test_what_leaves_the_picture_is_not_visible() -> None:
    acted = mishaps(mishap("bump-large", 1.0))
    acted.frame(table(), 3.0)
    shift = (acted.quad([[319.5, 179.5]], 3.0) - [319.5, 179.5])[0]
    side = 0.0 if shift[0] < 0 else 639.0  # the card is at the side towards which the picture moves
    card = np.array([[side - 3, 170], [side + 3, 170], [side + 3, 180], [side - 3, 180]])
    moved = acted.truth(record(card), 3.0)["objects"][0]
    assert moved["visible"] < 0.5
    assert np.allclose(moved["quad"], acted.quad(card, 3.0), atol=0.01)


@pytest.mark.parametrize("duration_s", [8.0, 45.0, 600.0])
def test_a_plan_fits_the_clip_and_is_recorded(duration_s: float) -> None:
    plan = plan_mishaps(list(MISHAPS), duration_s, np.random.default_rng(4))
    assert [entry.kind for entry in plan] == list(MISHAPS)
    assert all(0 < entry.start_s < entry.end_s <= duration_s for entry in plan)
    passing = [entry for entry in plan if entry.kind not in BUMPS]
    assert all(one.end_s < two.start_s for one, two in pairwise(passing))
    assert plan == plan_mishaps(list(MISHAPS), duration_s, np.random.default_rng(4))
    told = mishaps(*reversed(plan)).record()
    assert told == json.loads(json.dumps(told))
    assert [entry["start_ns"] for entry in told] == [round(entry.start_s * SECOND_NS) for entry in plan]
    assert {entry["code"] for entry in told} == CODES


def test_nonsense_is_refused() -> None:
    with pytest.raises(InputError, match="want one of bump-small"):
        plan_mishaps(["gremlin"], 60, np.random.default_rng(0))
    with pytest.raises(InputError, match="want start_s < end_s"):
        mishap("dim", start_s=5, end_s=5)
