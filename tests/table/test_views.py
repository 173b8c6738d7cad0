"""View classes: cameras fall into the class that their pixels deserve, and are told what they lack."""

import pytest

from vision.table.layout import read_layout
from vision.table.mounting import SIZES, Mounting, hang, picture_size
from vision.table.views import measure_view, view_class, view_classes, view_names
from vision.values.errors import InputError
from vision.values.resources import shipped
from vision.values.sizes import CHIP_THICKNESS_MM

LAYOUT = read_layout(shipped("calibration") / "layouts" / "emerald-arc")


def test_the_best_class_is_first_and_the_last_takes_every_camera() -> None:
    assert view_names() == ("reference", "good", "legacy")
    assert sum(view.filming.share for view in view_classes()) == pytest.approx(1.0)
    assert not any(view_class("legacy").least.model_dump().values())


@pytest.mark.parametrize(
    ("size", "tilt", "azimuth", "name"),
    [
        ("4k", 35, 0, "reference"),  # as the class is defined
        ("4k", 35, -40, "reference"),  # from the side
        ("4k", 25, 0, "good"),  # steeper: less of the edges shows
        ("4k", 46, 0, "good"),  # flatter: stacks hide each other
        ("1440p", 35, 10, "good"),
        ("5mp", 35, 10, "good"),
        ("4k", 10, 0, "legacy"),  # no edges, however many pixels
        ("1080p", 35, 0, "legacy"),  # too few pixels, however slanted
    ],
)
def test_a_camera_falls_into_its_class(size: str, tilt: float, azimuth: float, name: str) -> None:
    view = measure_view(hang(Mounting(tilt, azimuth, 3000.0), LAYOUT, SIZES[size]), LAYOUT)
    assert view.name == name
    assert view.tilt_deg == pytest.approx(tilt, abs=0.01)
    assert bool(view.lacks) == (name != "reference")


def test_what_is_lacking_is_said_in_numbers() -> None:
    view = measure_view(hang(Mounting(15, 0, 3000.0), LAYOUT, SIZES["1080p"]), LAYOUT)
    assert "2.1 megapixels: want 8" in view.lacks
    assert "15 degrees off the vertical: want 30 to 40" in view.lacks


def test_a_camera_that_shows_little_of_the_felt_does_not_fill_the_picture() -> None:
    near = hang(Mounting(35, 0, 3000.0), LAYOUT, SIZES["4k"])
    far = hang(Mounting(35, 0, 9000.0), LAYOUT, SIZES["4k"], near.lens)
    view = measure_view(far, LAYOUT)
    assert view.fill < 0.4
    assert view.name != "reference"


def test_numbers_agree_with_what_the_lens_does() -> None:
    camera = hang(Mounting(35, 0, 3000.0), LAYOUT, SIZES["4k"])
    view = measure_view(camera, LAYOUT)
    x, y = view.nearest.place.shape.centre
    foot, top = camera.project([[x, y, 0.0], [x, y, CHIP_THICKNESS_MM]])
    assert view.nearest.chip_edge_px == pytest.approx(float(((top - foot) ** 2).sum() ** 0.5))
    assert view.nearest.px_per_mm > view.farthest.px_per_mm
    assert all(place.is_in_picture for place in view.places)


def test_a_felt_is_centred_and_upright() -> None:
    camera = hang(Mounting(35, 30, 3000.0), LAYOUT, SIZES["4k"])
    seen = camera.project([[x, y, 0.0] for x, y in LAYOUT.outline])
    assert (seen.min(axis=0) + seen.max(axis=0)) / 2 == pytest.approx([1919.5, 1079.5], abs=12)
    foot, top = camera.project([[0.0, 500.0, 0.0], [0.0, 500.0, 100.0]])
    assert top[1] < foot[1]  # what stands on the table stands up in the picture


@pytest.mark.parametrize(
    ("text", "size"),
    [("4k", (3840, 2160)), ("1440P", (2560, 1440)), ("2688x1520", (2688, 1520))],
)
def test_resolutions_are_read(text: str, size: tuple[int, int]) -> None:
    assert picture_size(text) == size


@pytest.mark.parametrize("text", ["8k", "3840", "0x0", "3840x", "-1x5"])
def test_a_resolution_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"--resolution: .*want one of 720p, 1080p"):
        picture_size(text)
