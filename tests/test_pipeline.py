"""Looking where it matters, with a detector that knows only flat colours: what is looked at, when, and what is told."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.alerts.judge import Judge
from vision.attention.change import SETTLED, Grid, crops
from vision.calibrate.drift import State
from vision.capture.video import Frame
from vision.detect.detection import Detection, FaceReading, Found, StackReading
from vision.observe.frame_observation import FrameObservation
from vision.pipeline import Pipeline
from vision.rules.book.sheet import read_sheet
from vision.table.artwork import expected, read_artwork
from vision.table.table import Table, read_table
from vision.table.zones import Zone
from vision.values.chips import ChipSet
from vision.values.errors import InputError
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

SAMPLE = Path(__file__).parents[1] / "datasets" / "samples" / "exposed-dealer-card"
FRAME_NS = 66_666_667
COLOURS = {"card_up": (255, 255, 1), "card_down": (1, 255, 255), "stack": (255, 1, 255), "hand": (1, 1, 255)}
SIZES = {"card_up": (40, 54), "card_down": (40, 54), "stack": (24, 24), "hand": (90, 130)}
SEAT, DEALER = Zone(3, "cards"), Zone(None, "dealer.cards")


class ColourEyes:
    """Finds patches of the colours above, and writes down what it was asked."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int]] = []  # sizes of the pictures searched
        self.hands_in: list[float] = []  # scales
        self.read_kinds: list[str] = []
        self.again = 0
        self.is_blind = False
        self.is_blind_to_cards = False  # at which it looks by themselves
        self.is_credulous = False  # where a card was there is one
        self.value_p = 1.0

    def find(self, picture: Picture, scale: float | None, wanted: Callable[[Found], bool] | None = None) -> list[Found]:
        assert scale == 1.0, "a picture in 720p is searched as it is"
        self.found.append(picture.shape[:2])
        return [] if self.is_blind else list(filter(wanted, patches(picture)))

    def find_again(self, picture: Picture, card: Found) -> Found | None:
        self.again += 1
        if self.is_credulous:
            return card
        (left, top), _, (right, bottom), _ = card.quad
        part = picture[max(int(top), 0) : int(bottom) + 1, max(int(left), 0) : int(right) + 1]
        kinds = [found.kind for found in patches(part) if found.kind.startswith("card")]
        return Found(kinds[0], card.score, card.quad) if kinds and not self.is_blind_to_cards else None

    def hands(self, picture: Picture, scale: float) -> list[Found]:
        self.hands_in.append(scale)
        return [found for found in patches(picture) if found.kind == "hand"]

    def read(
        self, picture: Picture, found: Sequence[Found], chips: ChipSet | None, camera: Camera | None, light: Floats
    ) -> list[Detection]:
        assert picture.shape[:2] == (720, 1280)
        assert chips is not None
        assert camera is not None
        assert light.shape == (3,)
        self.read_kinds += [thing.kind for thing in found]
        stack = StackReading(1, 1.0, (1, 1), (500,), 500, self.value_p, (500, 500))
        face = FaceReading(np.eye(53)[7])
        return [
            Detection(t, face if t.kind == "card_up" else None, stack if t.kind == "stack" else None) for t in found
        ]


def patches(picture: Picture) -> list[Found]:
    found = []
    for kind, colour in COLOURS.items():
        mask = (picture == np.array(colour, np.uint8)).all(axis=-1).astype(np.uint8)
        count, _, boxes, _ = cv2.connectedComponentsWithStats(mask)
        for left, top, width, height, _ in boxes[1:count].tolist():
            u, v = left + width - 1, top + height - 1
            middle = ((left + u) / 2, (top + v) / 2) if kind == "stack" else None
            found.append(Found(kind, 0.9, ((left, top), (u, top), (u, v), (left, v)), middle, middle, width / 2))
    return found


@cache
def table() -> Table:
    return read_table(SAMPLE)


@cache
def felt() -> Picture:
    return expected(read_artwork(table().layout_folder, table().layout), table().camera).picture


def at(x: float, y: float) -> tuple[int, int]:
    u, v = table().camera.project((x, y, 0.0))
    return round(float(u)), round(float(v))


def seat(number: int, spot: str | None = None) -> tuple[int, int]:
    place = next(seat for seat in table().layout.seat if seat.number == number)
    return at(*(place.spots[spot] if spot else place.cards).centre)


def dealer() -> tuple[int, int]:
    return at(*table().layout.dealer.cards.centre)


def showing(*things: tuple[str, tuple[int, int]]) -> Picture:
    """Return the felt with things on it, the later over the earlier."""
    picture = felt().copy()
    for kind, (u, v) in things:
        width, height = SIZES[kind]
        picture[max(v - height // 2, 0) : v + height // 2, max(u - width // 2, 0) : u + width // 2] = COLOURS[kind]
    return picture


class Watch:
    """A pipeline with the frames' numbers and times kept."""

    def __init__(self) -> None:
        self.detectors = ColourEyes()
        judge = Judge("t", read_sheet(table().house_path), table().layout)
        self.pipeline = Pipeline(table(), judge, self.detectors)
        self.count = 0

    def see(self, picture: Picture, times: int = 1) -> list[FrameObservation]:
        observations = []
        for _ in range(times):
            observations.append(self.pipeline.observe(Frame(self.count, self.count * FRAME_NS, picture)))
            self.count += 1
        return observations

    def settled(self, *things: tuple[str, tuple[int, int]]) -> "Watch":
        """Begin with things that lie still and are known; then forget what the eyes were asked."""
        self.see(showing(*things), 8)
        self.detectors.__init__()  # type: ignore[misc]
        return self


def kinds(each: FrameObservation) -> list[str]:
    return [thing.kind for thing in each.things]


def test_the_first_look_is_at_everything() -> None:
    watch = Watch()
    observations = watch.see(felt(), SETTLED + 1)
    assert [SEAT in (each.looked or ()) for each in observations] == [False] * SETTLED + [True]
    assert observations[-1].looked is not None
    assert {SEAT, DEALER, Zone(1, "ante"), Zone(6, "payout:play")} <= observations[-1].looked
    assert Zone(None, "tray") not in observations[-1].looked


def test_where_nothing_changes_nothing_is_looked_for() -> None:
    watch = Watch().settled()
    observations = watch.see(felt(), 60)
    assert watch.detectors.found == []
    assert watch.detectors.hands_in == []
    assert all(not each.things and each.looked == frozenset() and each.is_sure for each in observations)


def test_light_and_noise_are_no_change() -> None:
    watch = Watch().settled()
    rng = np.random.default_rng(1)
    for i in range(10):
        noisy = felt() * (1.0 + 0.04 * (i % 2)) + rng.normal(0, 6, felt().shape)
        watch.see(np.asarray(np.clip(noisy, 0, 255), np.uint8))
    assert watch.detectors.found == []


def test_only_what_changed_is_looked_for_once_it_is_still() -> None:
    watch = Watch().settled()
    observations = watch.see(showing(("card_down", seat(3))), SETTLED + 1)
    assert [kinds(each) for each in observations] == [[]] * SETTLED + [["card_down"]]
    assert sum(height * width for height, width in watch.detectors.found) < 0.1 * 1280 * 720
    assert observations[-1].things[0].zone == SEAT
    assert observations[-1].looked is not None
    assert SEAT in observations[-1].looked
    assert not any(zone.seat in (1, 5, 6) or zone == DEALER for zone in observations[-1].looked)


def test_a_new_thing_is_looked_at_three_times_and_then_left_alone() -> None:
    watch = Watch().settled()
    observations = watch.see(showing(("stack", seat(3, "ante"))), 20)
    assert sum(map(len, map(kinds, observations))) == 3
    assert watch.detectors.read_kinds == ["stack"] * 3
    assert len(watch.detectors.found) == 1
    assert all(thing.detection.stack for each in observations for thing in each.things)


def test_the_back_of_a_new_card_is_read_three_times() -> None:
    watch = Watch().settled()
    observations = watch.see(showing(("card_down", seat(3))), round(5e9 / FRAME_NS))
    told = [thing.detection.back for each in observations for thing in each.things]
    backs = [back for back in told if back is not None]
    assert len(backs) == 3
    assert len(told) > 3  # the card itself is looked at again
    assert all(set(back.decks) == set(table().back_pictures) for back in backs)


@pytest.mark.parametrize(("value_p", "readings"), [(0.99, 4), (0.5, 6)])
def test_what_lies_still_is_read_again_the_doubtful_more_often(value_p: float, readings: int) -> None:
    watch = Watch().settled()
    watch.detectors.value_p = value_p
    watch.see(showing(("stack", seat(3, "ante"))), round(3.5e9 / FRAME_NS))
    assert len(watch.detectors.read_kinds) == readings


def test_what_is_taken_away_is_missed_in_a_zone_that_was_looked_at() -> None:
    watch = Watch().settled(("card_down", seat(3)))
    observations = watch.see(felt(), SETTLED + 1)
    assert observations[-1].looked is not None
    assert SEAT in observations[-1].looked
    assert not any(each.things for each in observations)


def test_a_thing_is_looked_for_again_with_the_rest_of_its_zone() -> None:
    u, v = seat(3)
    watch = Watch().settled(("card_down", (u - 30, v)))
    observations = watch.see(showing(("card_down", (u - 30, v)), ("card_down", (u + 40, v))), SETTLED + 1)
    assert kinds(observations[-1]) == ["card_down", "card_down"]


def test_a_hand_at_rest_is_placed_once() -> None:
    watch = Watch().settled()
    with_hand = showing(("hand", seat(3)))
    first, second = (each.things[0] for each in watch.see(with_hand, 4)[-2:])
    assert first is second


@pytest.mark.parametrize("is_found_by_itself", [True, False])
def test_what_the_finder_misses_where_no_pixel_changed_is_not_gone(*, is_found_by_itself: bool) -> None:
    u, v = seat(3)
    watch = Watch().settled(("card_down", (u - 30, v)))
    watch.detectors.is_blind, watch.detectors.is_blind_to_cards = True, not is_found_by_itself
    observations = watch.see(showing(("card_down", (u - 30, v)), ("card_down", (u + 40, v))), SETTLED + 1)
    assert kinds(observations[-1]) == ["card_down"] * is_found_by_itself
    assert observations[-1].looked is not None
    assert (SEAT in observations[-1].looked) == is_found_by_itself  # else nobody knows what lies there


def test_what_moves_is_not_searched_until_it_is_still() -> None:
    watch = Watch().settled()
    u, v = seat(3)
    moving = [watch.see(showing(("card_down", (u - 150 + 30 * i, v))))[0] for i in range(6)]
    assert not any(each.things for each in moving)
    assert watch.detectors.hands_in
    assert kinds(watch.see(showing(("card_down", (u, v))), SETTLED)[-1]) == ["card_down"]


def test_what_never_is_still_is_searched_all_the_same() -> None:
    watch = Watch().settled()
    u, v = seat(3)
    for i in range(45):
        watch.see(showing(("card_down", (u + 8 * (i % 2), v))))
    assert 1 <= len(watch.detectors.found) <= 2


def test_the_dealers_cards_are_read_in_every_frame_that_changed() -> None:
    watch = Watch().settled(("card_down", dealer()))
    up, down = showing(("card_up", dealer())), showing(("card_down", dealer()))
    flashed = [watch.see(picture)[0] for picture in (up, up, up, down)]
    assert [kinds(each) for each in flashed] == [["card_up"]] * 3 + [["card_down"]]
    assert flashed[0].things[0].detection.face is not None
    assert flashed[0].things[0].zone == DEALER
    assert all(each.looked is not None and DEALER in each.looked for each in (flashed[0], flashed[3]))


def test_a_hand_is_told_in_every_frame_moving_or_at_rest() -> None:
    watch = Watch().settled(("stack", seat(3, "ante")))
    u, v = seat(3, "ante")
    chips = ("stack", (u, v))
    coming = [watch.see(showing(chips, ("hand", (u, v + 120 - 20 * i))))[0] for i in range(7)]
    resting = watch.see(showing(chips, ("hand", (u, v))), 30)
    assert all(kinds(each).count("hand") == 1 for each in (*coming[1:], *resting))
    hand = next(thing for thing in resting[-1].things if thing.kind == "hand")
    assert {belief.zone: belief.p for belief in hand.covers}[Zone(3, "ante")] > 0.9
    assert not any("stack" in kinds(each) for each in resting)
    gone = watch.see(showing(chips), SETTLED + 1)
    assert not any("hand" in kinds(each) for each in gone[1:])  # hands are looked for in every other frame
    assert kinds(gone[-1]) == ["stack"]


def test_a_moved_camera_is_doubted_then_found_again() -> None:
    watch = Watch().settled(("card_down", seat(3)))
    before = watch.pipeline.camera
    turn = np.array([[1, 0, 9.0], [0, 1, -5.0]])
    moved = np.asarray(cv2.warpAffine(showing(("card_down", seat(3))), turn, (1280, 720), flags=cv2.INTER_NEAREST))
    observations = watch.see(np.asarray(moved, np.uint8), 30)
    assert not all(each.is_sure for each in observations)
    assert observations[-1].is_sure
    assert watch.pipeline.trace.camera is State.STEADY
    assert watch.pipeline.camera != before
    seen = [thing for each in observations if each.is_sure for thing in each.things]
    wanted = next(seat for seat in table().layout.seat if seat.number == 3).cards.centre
    assert (seen[-1].x, seen[-1].y) == pytest.approx(wanted, abs=4.0)


def test_a_frame_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="frame 3: 640 x 480: want 1280 x 720"):
        Watch().pipeline.observe(Frame(3, 0, np.zeros((480, 640, 3), np.uint8)))


def test_the_same_frames_give_the_same_observations() -> None:
    def seen() -> str:
        watch = Watch().settled(("card_up", dealer()), ("stack", seat(3, "ante")))
        u, v = seat(1)
        return repr([watch.see(showing(("hand", (u, v + 10 * i)), ("card_up", dealer()))) for i in range(10)])

    assert seen() == seen()


def test_crops_hold_their_tiles_with_a_margin() -> None:
    grid = Grid(1920, 1080)
    tiles = grid.none()
    tiles[3, 4] = tiles[3, 5] = tiles[30, 58] = True
    near, far = sorted(crops(grid, tiles, 60), key=lambda crop: crop.box)
    assert near.box[0] <= 4 * 32 - 60
    assert near.box[2] >= 6 * 32 + 60
    assert all((box[2] - box[0]) % 32 == 0 for box in (near.box, far.box))
    assert far.box[2] <= 1920
    assert far.box[3] <= 1080


def test_a_lamp_is_smaller_than_a_chip() -> None:
    watch = Watch()
    picture = showing(("stack", seat(3, "ante")))
    u, v = seat(3, "progressive")
    picture[v - 8 : v + 8, u - 8 : u + 8] = COLOURS["stack"]
    told = {(thing.kind, str(thing.zone)) for each in watch.see(picture, 10) for thing in each.things}
    assert told == {("stack", "seat.3.ante")}


def test_where_the_felt_shows_nothing_is_found_again() -> None:
    watch = Watch().settled(("card_down", seat(3)))
    watch.detectors.is_credulous = True
    bare = watch.see(showing(), 12)
    assert not any(thing.kind.startswith("card") for each in bare[-4:] for thing in each.things)
    assert any(each.bare for each in bare)
