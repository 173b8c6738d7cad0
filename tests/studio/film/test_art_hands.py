"""Hands and heads from above: they are there, they point where they should, and they are the same every time."""

import numpy as np
import pytest

from studio.art.bodies import paint_head
from studio.art.bones import GRIPS
from studio.art.hands import paint_hand, shadow_of_hand
from studio.art.people import HAIRCUTS, Person, random_person
from studio.light import Light
from studio.patch import Patch
from studio.scene import HandBody, Pose
from vision.values.geometry import Camera, Lens

LIGHT = Light()
PLAIN = Person(seed=5)


def camera(tilt_deg: float = 0.0) -> Camera:
    """A 1080p camera two and a half metres from the middle of the table, a pixel per 1.2 mm."""
    lens = Lens(width=1921, height=1081, focal_px=2083.0, centre_u=960.0, centre_v=540.0)
    tilt = np.radians(tilt_deg)
    return Camera.looking_at(lens, (0.0, float(-2500 * np.sin(tilt)), float(2500 * np.cos(tilt))), (0.0, 0.0, 0.0))


def fingertip(patch: Patch, towards: np.ndarray) -> np.ndarray:
    """Return the covered pixel that reaches farthest in a direction of the picture."""
    rows, columns = np.nonzero(patch.cover > 127)
    pixels = np.stack([columns + patch.u, rows + patch.v], axis=1)
    return np.asarray(pixels[(pixels @ towards).argmax()])


@pytest.mark.parametrize("grip", GRIPS)
def test_a_hand_and_its_shadow_cover_something(grip: str) -> None:
    body = HandBody(person=1, grip=grip)
    hand = paint_hand(body, Pose(0, 0), camera(20), PLAIN, LIGHT)
    shadow = shadow_of_hand(body, Pose(0, 0), camera(20), PLAIN, LIGHT)
    assert (hand.cover > 200).sum() > 10_000
    assert 0 < shadow.cover.max() < 230
    assert hand.colour.shape == (*hand.cover.shape, 3)
    assert hand.colour[hand.cover > 200].std() > 5  # shaded, not flat


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 45.0])
@pytest.mark.parametrize("angle", [0.0, 90.0, 200.0, 315.0])
@pytest.mark.parametrize("z", [0.0, 60.0])
def test_a_pointing_finger_ends_at_its_pose(tilt_deg: float, angle: float, z: float) -> None:
    pose = Pose(40.0, -60.0, z, angle)
    seen = camera(tilt_deg)
    turn = np.radians(angle)
    ahead = (pose.x - 50 * float(np.sin(turn)), pose.y + 50 * float(np.cos(turn)), z)
    tip, beyond = seen.project([(pose.x, pose.y, z), ahead])
    patch = paint_hand(HandBody(person=1, grip="point"), pose, seen, PLAIN, LIGHT)
    assert np.hypot(*(fingertip(patch, beyond - tip) - tip)) < 12


def test_left_is_the_mirror_image_of_right() -> None:
    light = Light(towards=(0.0, -0.3, 0.954))
    right, left = (
        paint_hand(HandBody(1, "spread", left), Pose(0, 0), camera(), PLAIN, light) for left in (False, True)
    )
    frames = []
    for patch in (right, left):
        frame = np.zeros((1081, 1921, 4), np.uint8)
        box = (slice(patch.v, patch.v + patch.cover.shape[0]), slice(patch.u, patch.u + patch.cover.shape[1]))
        frame[box] = np.dstack([patch.colour, patch.cover])
        frames.append(frame.astype(int))
    covers = np.abs(frames[0][..., 3] - frames[1][:, ::-1, 3])
    both = (frames[0][..., 3] > 250) & (frames[1][:, ::-1, 3] > 250)
    assert covers.sum() < 0.02 * frames[0][..., 3].sum()
    assert np.abs(frames[0] - frames[1][:, ::-1])[both].mean() < 4


def test_a_hand_outside_the_picture_is_an_empty_patch() -> None:
    assert paint_hand(HandBody(1), Pose(9000, 0), camera(), PLAIN, LIGHT).cover.size == 0
    assert shadow_of_hand(HandBody(1), Pose(9000, 0), camera(), PLAIN, LIGHT).cover.size == 0


def test_a_hand_is_cut_to_the_picture() -> None:
    patch = paint_hand(HandBody(1), Pose(1100, -300), camera(), PLAIN, LIGHT)
    assert patch.cover.size
    assert patch.u + patch.cover.shape[1] <= 1921
    assert patch.v + patch.cover.shape[0] <= 1081


def test_the_same_seed_gives_the_same_person_and_picture() -> None:
    one, two = (random_person(np.random.default_rng(7), dealer=True) for _ in range(2))
    assert one == two
    pictures = [paint_hand(HandBody(0, "pinch"), Pose(0, 0, 10, 30), camera(30), who, LIGHT) for who in (one, two)]
    assert np.array_equal(pictures[0].colour, pictures[1].colour)
    assert np.array_equal(pictures[0].cover, pictures[1].cover)


def test_people_vary() -> None:
    rng = np.random.default_rng(1)
    people = [random_person(rng, dealer=False) for _ in range(300)]
    assert {person.sleeve for person in people} == {"bare", "shirt", "jacket", "hoodie", "patterned"}
    assert len({person.skin for person in people}) > 200
    assert all(0.85 <= person.hand_size <= 1.15 for person in people)
    assert {random_person(rng, dealer=True).sleeve for _ in range(20)} == {"dealer"}


@pytest.mark.parametrize("haircut", HAIRCUTS)
def test_a_head_covers_the_middle_of_its_pose(haircut: str) -> None:
    patch = paint_head(Person(haircut=haircut, seed=3), Pose(0, 0, 100, 180), camera(), LIGHT)
    assert patch.cover[540 - patch.v, 960 - patch.u] == 255
    assert (patch.cover > 200).sum() > 30_000
