import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.values.geometry import Camera, Lens

LENS = Lens(1920, 1080, 1500.0, 959.5, 539.5, -0.08, 0.01)
STRAIGHT = Camera.looking_at(Lens(1920, 1080, 1500.0, 959.5, 539.5), (0, 500, 3000), (0, 500, 0))


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    tilt, around = np.radians(draw(st.floats(0, 45))), np.radians(draw(st.floats(0, 360)))
    distance = draw(st.floats(2000, 4000))
    position = (
        float(distance * np.sin(tilt) * np.cos(around)),
        float(500 + distance * np.sin(tilt) * np.sin(around)),
        float(distance * np.cos(tilt)),
    )
    return Camera.looking_at(LENS, position, (0.0, 500.0, 0.0), draw(st.floats(-180, 180)))


@given(camera=cameras(), x=st.floats(-900, 900), y=st.floats(0, 1000), z=st.floats(0, 60))
def test_placing_is_the_inverse_of_projecting(camera: Camera, x: float, y: float, z: float) -> None:
    back = camera.place(camera.project([[x, y, z]]), z)[0]
    assert np.allclose(back, [x, y, z], atol=1e-3)


def test_seen_from_above_x_is_right_and_y_is_up() -> None:
    middle, right, far = STRAIGHT.project([[0, 500, 0], [100, 500, 0], [0, 600, 0]])
    assert np.allclose(middle, [959.5, 539.5])
    assert np.allclose(right - middle, [50, 0])  # 1500 px of focal length at 3 m: half a pixel a millimetre
    assert np.allclose(far - middle, [0, -50])


def test_what_is_higher_appears_farther_from_the_middle() -> None:
    low, high = STRAIGHT.project([[400, 500, 0], [400, 500, 100]])
    assert high[0] > low[0]


@given(camera=cameras())
def test_the_axes_are_a_right_handed_frame(camera: Camera) -> None:
    axes = np.array(camera.rotation)
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(axes) == pytest.approx(1)


@pytest.mark.parametrize(("back", "tilt"), [(0.0, 0.0), (1000.0, 45.0)])
def test_tilt_is_measured_from_the_vertical(back: float, tilt: float) -> None:
    camera = Camera.looking_at(LENS, (0.0, -back, 1000.0), (0.0, 0.0, 0.0))
    assert camera.tilt_deg() == pytest.approx(tilt, abs=1e-6)


def test_scale_is_pixels_per_millimetre() -> None:
    assert STRAIGHT.scale_px_per_mm((0, 500, 0)) == pytest.approx(0.5, rel=1e-6)


def test_a_camera_survives_its_file() -> None:
    lens = Lens(1920, 1080, 1500.0, 959.5, 539.5, -0.05, 0.01)
    camera = Camera.looking_at(lens, (200.0, 900.0, 2500.0), (0.0, 500.0, 0.0), 12.0)
    assert Camera.from_dict(camera.to_dict()) == camera
