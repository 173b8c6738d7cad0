"""Registration by the print: the right camera, or a refusal that says why."""

import numpy as np
import pytest
from felts import camera, felt, scene, spots_off_mm

from vision.calibrate.fit import LensHint
from vision.calibrate.register import register, register_near
from vision.table.artwork import expected
from vision.values.geometry import Camera


@pytest.mark.parametrize(
    ("name", "seen_by"),
    [
        ("emerald-arc", camera()),  # a usual view
        ("bordeaux-bank", camera(roll_deg=180.0)),  # the camera hangs upside down
        ("racing-green", camera(tilt_mm=50.0)),  # from almost straight above
        ("powder-blue", camera(tilt_mm=1500.0, k1=-0.12)),  # from the side, through a lens that bends much
    ],
)
def test_a_busy_felt_is_registered(name: str, seen_by: Camera) -> None:
    layout, artwork = felt(name)
    found = register(scene(name, seen_by, 3), artwork, layout, LensHint())
    assert found is not None
    assert found.is_good, found.problems
    off = spots_off_mm(found.camera, seen_by, layout)
    assert np.median(off) < 1.0
    assert off.max() < 4.0


def test_a_known_focal_length_gives_the_tilt_and_so_the_tops_of_stacks() -> None:
    seen_by = camera(tilt_mm=500.0)
    layout, artwork = felt("violet-lounge")
    found = register(scene("violet-lounge", seen_by, 5), artwork, layout, LensHint(seen_by.lens.focal_px))
    assert found is not None
    assert found.camera.tilt_deg() == pytest.approx(seen_by.tilt_deg(), abs=0.2)
    top = [[-400.0, 700.0, 66.0], [500.0, 400.0, 66.0]]  # of twenty chips
    assert found.camera.project(top) == pytest.approx(seen_by.project(top), abs=0.8)


def test_straight_from_above_the_focal_length_is_said_to_be_undetermined() -> None:
    above = camera(tilt_mm=0.0)
    above = Camera.looking_at(above.lens, (0.0, 480.0, 2300.0), (0.0, 480.5, 0.0))
    layout, artwork = felt("emerald-arc")
    found = register(scene("emerald-arc", above, 7), artwork, layout, LensHint())
    assert found is not None
    assert "not determined" in str(found.record()["focal"])
    assert np.median(spots_off_mm(found.camera, above, layout)) < 1.0, "places on the felt are known all the same"


def test_another_felt_is_refused() -> None:
    layout, artwork = felt("crimson-club")
    found = register(scene("emerald-arc", camera(), 1), artwork, layout, LensHint())
    assert found is None or not found.is_good


def test_a_mirrored_picture_is_refused() -> None:
    layout, artwork = felt("emerald-arc")
    mirrored = np.ascontiguousarray(scene("emerald-arc", camera(), 1)[:, ::-1])
    found = register(mirrored, artwork, layout, LensHint())
    assert found is None or "mirrored" in " ".join(found.problems), "the felt's spots look the same in a mirror"


def test_noise_is_no_felt() -> None:
    layout, artwork = felt("emerald-arc")
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), dtype=np.uint8)
    found = register(noise, artwork, layout, LensHint())
    assert found is None or not found.is_good


def test_half_a_table_is_registered_and_the_other_half_named() -> None:
    seen_by = camera()
    layout, artwork = felt("emerald-arc")
    aside = Camera.looking_at(seen_by.lens, (-500.0, 900.0, 1700.0), (-520.0, 500.0, 0.0))
    found = register(scene("emerald-arc", aside, 2, things=20), artwork, layout, LensHint())
    assert found is not None
    assert found.is_good, found.problems
    assert 7 in found.outside
    assert 1 not in found.outside


def test_a_bumped_camera_is_registered_again_with_the_same_lens() -> None:
    before, after = camera(), camera(tilt_mm=608.0, roll_deg=0.3)
    layout, artwork = felt("royal-blue")
    found = register_near(scene("royal-blue", after, 9), artwork, layout, before)
    assert found is not None
    assert found.is_good, found.problems
    assert found.camera.lens.focal_px == pytest.approx(before.lens.focal_px, rel=1e-3)
    assert np.median(spots_off_mm(found.camera, after, layout)) < 1.0


def test_what_is_expected_is_where_the_camera_projects_it() -> None:
    _, artwork = felt("emerald-arc")
    seen_by = camera()
    view = expected(artwork, seen_by)
    u, v = np.round(seen_by.project([[0.0, 500.0, 0.0]])[0]).astype(int)
    assert view.on_felt[v, u]
    assert not view.on_felt[0, 0]
    places = np.array([[-321.0, 123.0], [700.5, 900.25]])
    assert artwork.to_mm(artwork.to_px(places)) == pytest.approx(places)
