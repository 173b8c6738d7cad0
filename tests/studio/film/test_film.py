"""The film side against facts it does not make itself: corners, areas of polygons, a decoder's count of frames."""

from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from studio.art.backs import BACK_DESIGNS
from studio.film.card import card_corners, paint_card, shows_face
from studio.film.frame import Drawn, FrameMaker, merged
from studio.film.sensor import Sensor, SensorLook
from studio.light import Light
from studio.patch import smeared
from studio.scene import Actor, CardBody, Key, Pose, Story, Thing
from vision.capture.video import SECOND_NS
from vision.footage.mp4 import VideoWriter, surveillance_coding
from vision.values.cards import Card
from vision.values.geometry import Camera, Floats, Lens

CAMERA = Camera.looking_at(Lens(1920, 1080, 1600.0, 959.5, 539.5, -0.05), (0, -700, 2300), (0, 450, 0), 12.0)
DESIGN = ("standard", BACK_DESIGNS[0])
ACE = CardBody(Card.parse("As"))
POSES = [
    Pose(0, 450),  # flat
    Pose(-500, 700, angle=130),  # turned
    Pose(400, 300, z=40, angle=-20, tilt=25),  # lifted
    Pose(100, 600, z=20, angle=75, turn=35),  # half way over
]


@pytest.mark.parametrize("pose", POSES)
def test_a_card_is_drawn_where_its_corners_project(pose: Pose) -> None:
    patch = paint_card(ACE, pose, CAMERA, DESIGN, Light())
    quad = CAMERA.project(card_corners(pose))
    drawn = np.count_nonzero(patch.cover >= 128)
    assert drawn == pytest.approx(cv2.contourArea(quad.astype(np.float32)), rel=0.03)  # rounded corners cost a little
    ideal = filled(quad - [patch.u, patch.v], patch.cover.shape)
    both = np.count_nonzero(ideal & (patch.cover >= 128))
    either = np.count_nonzero(ideal | (patch.cover >= 128))
    assert both / either > 0.96


def filled(points: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Fill a polygon by asking every pixel's centre, without any drawing function."""
    v, u = np.mgrid[: shape[0], : shape[1]]
    inside = np.ones(shape, bool)
    for (u0, v0), (u1, v1) in zip(points, np.roll(points, -1, axis=0), strict=True):
        inside &= (u1 - u0) * (v - v0) - (v1 - v0) * (u - u0) >= 0
    return inside


def test_the_corners_of_a_flat_card_go_around_from_the_top_left() -> None:
    corners = card_corners(Pose(0, 0))
    assert np.allclose(corners[:, :2], [[-31.75, 44.45], [31.75, 44.45], [31.75, -44.45], [-31.75, -44.45]])


@pytest.mark.parametrize(("turn", "face"), [(0, True), (60, True), (120, False), (180, False)])
def test_which_side_shows(turn: float, *, face: bool) -> None:
    above = Camera.looking_at(Lens(1920, 1080, 1600.0, 959.5, 539.5), (0, 450, 2500), (0, 450, 0))
    assert shows_face(Pose(0, 450, turn=turn), above) == face


def maker() -> FrameMaker:
    base = np.full((1080, 1920, 3), (40, 90, 30), np.uint8)
    light = np.ones((1080, 1920, 3), np.float32)
    return FrameMaker(
        base, light, lambda thing, _: Drawn(paint_card(ACE, thing.pose, CAMERA, DESIGN, Light()), None), lambda _: 0.0
    )


def test_visible_shares_add_up() -> None:
    frames = maker()
    things = [Thing(i + 1, ACE, Pose(20.0 * i, 450, z=0.3 * i)) for i in range(4)]
    frames.show(things)
    areas = [np.count_nonzero(frames.patch_of(thing.id).cover >= 128) for thing in things]
    seen = sum(frames.visible[thing.id] * area for thing, area in zip(things, areas, strict=True))
    assert seen == pytest.approx(np.count_nonzero(frames.owners), abs=1)
    assert frames.visible[4] == 1.0  # the top card
    assert frames.visible[1] == pytest.approx(20 / 63.5, abs=0.06)  # the lowest shows one step


def test_what_moves_away_leaves_no_trace() -> None:
    frames = maker()
    frames.show([Thing(1, ACE, Pose(0, 450)), Thing(2, ACE, Pose(30, 450, z=1))])
    frames.show([Thing(1, ACE, Pose(0, 450)), Thing(2, ACE, Pose(300, 450, z=1))])
    fresh = maker()
    fresh.show([Thing(1, ACE, Pose(0, 450)), Thing(2, ACE, Pose(300, 450, z=1))])
    assert np.array_equal(frames.picture, fresh.picture)
    assert np.array_equal(frames.owners, fresh.owners)
    assert frames.show([]) != []
    assert np.array_equal(frames.picture, maker().picture)


def test_merged_rectangles_do_not_overlap() -> None:
    assert merged([(0, 0, 10, 10), (5, 5, 20, 20), (30, 30, 40, 40)]) == [(0, 0, 20, 20), (30, 30, 40, 40)]


def test_the_sensor_develops_parts_as_it_develops_the_whole() -> None:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (200, 300, 3), np.uint8)
    look = SensorLook(noise=0.0)
    parts = Sensor(look, (300, 200), np.random.default_rng(2))
    parts.develop(picture, [], 0.0)
    picture = picture.copy()
    picture[60:120, 100:180] = 200
    whole = Sensor(look, (300, 200), np.random.default_rng(2)).develop(picture, [], 0.0)
    assert np.array_equal(parts.develop(picture, [(100, 60, 180, 120)], 0.1), whole)


def test_a_video_has_the_frames_that_were_written(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    with VideoWriter(path, (320, 240), surveillance_coding(15, 500)) as video:
        for i in range(20):
            video.write(np.full((240, 320, 3), 10 * i, np.uint8), i * SECOND_NS // 15)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        times = [float(frame.time or 0) for frame in container.decode(stream)]
    assert stream.codec_context.name == "h264"
    assert times == pytest.approx([i / 15 for i in range(20)], abs=1e-3)


def test_a_broken_off_video_leaves_nothing(tmp_path: Path) -> None:
    def stop_in_the_middle() -> None:
        with VideoWriter(tmp_path / "clip.mp4", (320, 240)) as video:
            video.write(np.zeros((240, 320, 3), np.uint8), 0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop_in_the_middle()
    assert list(tmp_path.iterdir()) == []


def test_actors_move_between_their_keys() -> None:
    actor = Actor(1, ACE, (Key(1.0, Pose(0, 0, angle=350)), Key(3.0, Pose(100, 0, angle=10))), gone_s=4.0)
    story = Story((actor,), 5.0)
    assert story.at(0.5) == ()
    assert story.at(2.0)[0].pose.x == pytest.approx(50)
    assert story.at(2.0)[0].pose.angle == pytest.approx(360)  # the short way round
    assert story.at(3.5)[0].pose.x == 100
    assert story.at(4.0) == ()


def test_what_moves_is_smeared_and_sharp_again_at_rest() -> None:
    frames = maker()
    card = Thing(1, ACE, Pose(0, 450))
    frames.show([card], {1: (12.0, 0.0)})
    assert frames.patch_of(1).cover.shape[1] >= 12 + 40
    frames.show([card])
    sharp = maker()
    sharp.show([card])
    assert np.array_equal(frames.picture, sharp.picture)


def test_a_smear_keeps_the_amount_of_cover() -> None:
    patch = paint_card(ACE, Pose(0, 450), CAMERA, DESIGN, Light())
    assert smeared(patch, 9, -5).cover.sum(dtype=np.int64) == pytest.approx(patch.cover.sum(dtype=np.int64), rel=0.02)


def test_who_hides_whom_is_known() -> None:
    frames = maker()
    frames.show([Thing(1, ACE, Pose(0, 450)), Thing(2, ACE, Pose(20, 450, z=1)), Thing(3, ACE, Pose(600, 450))])
    assert frames.hidden_by == {1: [2], 2: [], 3: []}
