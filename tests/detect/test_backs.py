"""Which deck a back is of: on drawn cards, in light and dark, turned, covered; and the decks that come with us."""

import cv2
import numpy as np
import pytest

from studio.art.backs import BACK_DESIGNS, back
from vision.detect.backs import OTHER, BackReader, read_backs, upright
from vision.values.errors import InputError
from vision.values.picture import Picture, Quad
from vision.values.resources import shipped

DECKS = shipped("calibration") / "decks"
ALL = read_backs(DECKS, [path.stem for path in sorted(DECKS.glob("*.png"))])
SIZE = (64, 90)
QUAD: Quad = ((61.0, 42.0), (104.0, 55.0), (84.0, 117.0), (40.0, 103.0))  # 45 px wide, as at 1080p


def photographed(design: str, turn: int = 0, gain: tuple[float, float, float] = (1, 1, 1), haze: int = 0) -> Picture:
    """A card on green felt under some light."""
    art, picture = ALL[design], np.full((160, 160, 3), (60, 100, 40), np.uint8)
    corners = np.array([[0, 0], [SIZE[0], 0], SIZE, [0, SIZE[1]]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, np.roll(np.array(QUAD, np.float32), turn, axis=0))
    fine = cv2.GaussianBlur(art, (0, 0), 0.9)
    cv2.warpPerspective(fine, matrix, (160, 160), picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    return np.asarray(np.clip(picture * np.array(gain) + haze, 0, 255), np.uint8)


def read(picture: Picture, *names: str, quad: Quad = QUAD) -> dict[str, float]:
    (shares,) = BackReader({name: ALL[name] for name in names}).read(picture, [quad])
    assert sum(shares.values()) == pytest.approx(1.0)
    assert tuple(shares) == (*names, OTHER)
    return shares


def nearest(picture: Picture, *names: str, quad: Quad = QUAD) -> str:
    """The likeliest of the table's decks."""
    shares = read(picture, *names, quad=quad)
    return max(names, key=lambda name: shares[name])


def test_every_design_has_its_picture() -> None:
    assert set(ALL) == set(BACK_DESIGNS)
    assert sum(path.stat().st_size for path in DECKS.iterdir()) < 300_000


@pytest.mark.parametrize("design", ["solid-blue", "dots-grey"])
def test_the_decks_that_come_with_us_are_those_that_we_draw(design: str) -> None:
    drawn = cv2.resize(back(design), SIZE, interpolation=cv2.INTER_AREA)
    np.testing.assert_array_equal(ALL[design], drawn)


@pytest.mark.parametrize("design", BACK_DESIGNS)
def test_each_deck_is_known_among_two(design: str) -> None:
    other = "lattice-blue" if "red" in design else "lattice-red"
    assert read(photographed(design), design, other)[design] > 0.5


@pytest.mark.parametrize(
    ("gain", "haze"),
    [
        ((0.4, 0.4, 0.4), 0),  # dim
        ((1.3, 1.3, 1.3), 0),  # too bright
        ((0.6, 0.7, 0.8), 0),  # warm
        ((0.85, 0.8, 0.7), 0),  # cold
        ((0.6, 0.6, 0.6), 60),  # gloss
    ],
)
@pytest.mark.parametrize("design", ["lattice-red", "scrolls-red", "rings-blue", "solid-black-logo"])
def test_light(design: str, gain: tuple[float, float, float], haze: int) -> None:
    picture = photographed(design, gain=gain, haze=haze)
    assert nearest(picture, "lattice-red", "scrolls-red", "rings-blue", "solid-black-logo") == design


def test_upside_down_and_corners_in_any_order() -> None:
    picture = photographed("rays-red", turn=2)
    for i in range(4):
        turned: Quad = (QUAD[i], QUAD[(i + 1) % 4], QUAD[(i + 2) % 4], QUAD[(i + 3) % 4])
        assert nearest(picture, "rays-red", "scrolls-red", quad=turned) == "rays-red"
        mirrored: Quad = (turned[3], turned[2], turned[1], turned[0])
        assert nearest(picture, "rays-red", "scrolls-red", quad=mirrored) == "rays-red"


def test_half_under_a_sleeve() -> None:
    picture = photographed("scrolls-navy")
    picture[:, 76:] = (90, 95, 120)
    assert nearest(picture, "scrolls-navy", "scrolls-red", "rings-blue") == "scrolls-navy"


@pytest.mark.parametrize(("design", "names"), [("argyle-green", ["solid-red-logo"]), ("rays-red", ["basket-blue"])])
def test_a_stranger(design: str, names: list[str]) -> None:
    assert read(photographed(design), *names)[OTHER] > 0.5


def test_no_decks_and_no_cards() -> None:
    assert BackReader({}).read(photographed("rays-red"), [QUAD]) == [{OTHER: 1.0}]
    assert BackReader({"rays-red": ALL["rays-red"]}).read(photographed("rays-red"), []) == []


def test_a_card_at_the_picture_s_edge_and_one_without_area() -> None:
    outside: Quad = ((-30.0, -40.0), (15.0, -40.0), (15.0, 23.0), (-30.0, 23.0))
    point: Quad = ((5.0, 5.0), (5.0, 5.0), (5.0, 5.0), (5.0, 5.0))
    for shares in BackReader({"rays-red": ALL["rays-red"]}).read(photographed("rays-red"), [outside, point]):
        assert sum(shares.values()) == pytest.approx(1.0)


def test_bad_decks() -> None:
    with pytest.raises(InputError, match=r"no-such-deck.png: cannot be read"):
        read_backs(DECKS, ["no-such-deck"])
    with pytest.raises(InputError, match="cannot be named 'other'"):
        BackReader({OTHER: ALL["rays-red"]})


def test_upright_starts_along_a_short_side() -> None:
    corners = upright(((0.0, 0.0), (0.0, 60.0), (90.0, 60.0), (90.0, 0.0)))
    first, second = corners[1] - corners[0], corners[2] - corners[1]
    assert np.hypot(*first) == 60
    assert first[0] * second[1] - first[1] * second[0] > 0
