"""Registration from clicked points, and the points that are refused."""

import numpy as np
import pytest
from felts import camera, felt, scene, spots_off_mm

from vision.calibrate.clicks import Click, parse_click
from vision.calibrate.fit import LensHint
from vision.calibrate.register import register, register_clicks
from vision.values.errors import InputError

SIZE = (1920, 1080)
NAMES = ("1.ante", "7.ante", "4.play", "3.six_card", "5.bad_beat", "2.aces_up", "6.aces_up", "4.progressive")


def clicks(names: tuple[str, ...] = NAMES, noise_px: float = 2.0, seed: int = 1) -> list[Click]:
    """Return clicks on spots as a person makes them."""
    layout, _ = felt("emerald-arc")
    rng = np.random.default_rng(seed)
    made = []
    for name in names:
        place = parse_click(f"0,0={name}", layout).place_mm
        u, v = camera().project([[*place, 0.0]])[0] + rng.normal(0, noise_px, 2)
        made.append(Click(name, place, (float(u), float(v))))
    return made


@pytest.mark.parametrize("seed", range(8))
def test_clicks_with_two_pixels_of_noise(seed: int) -> None:
    layout, _ = felt("emerald-arc")
    found = register_clicks(clicks(seed=seed), SIZE, layout, LensHint())
    assert np.median(spots_off_mm(found.camera, camera(), layout)) < 4.0


def test_clicks_with_the_print_are_as_exact_as_the_print() -> None:
    layout, artwork = felt("emerald-arc")
    found = register(scene("emerald-arc", camera(), 4), artwork, layout, LensHint(), clicks())
    assert found is not None
    assert found.is_good, found.problems
    assert np.median(spots_off_mm(found.camera, camera(), layout)) < 1.0


def test_one_mistaken_click_is_named() -> None:
    layout, _ = felt("emerald-arc")
    given = clicks()
    given[2] = Click(given[2].name, given[2].place_mm, (given[2].pixel[0] + 90, given[2].pixel[1]))
    found = register_clicks(given, SIZE, layout, LensHint(camera().lens.focal_px))
    assert any("4.play" in problem for problem in found.problems)


def swapped(pixels: list[int]) -> list[Click]:
    """Return four exact clicks whose pixels are those of others."""
    given = clicks(("1.ante", "7.ante", "3.play", "5.play"), 0.0)
    return [Click(click.name, click.place_mm, given[i].pixel) for click, i in zip(given, pixels, strict=True)]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (clicks(NAMES[:3]), "3 given: want 4"),  # three points
        ([*clicks(NAMES[:3]), *clicks(NAMES[:1])], "no three on a line"),  # one of them twice
        (clicks(("1.ante",) * 4), "no three on a line"),
        (swapped([1, 0, 3, 2]), "left and right are swapped"),  # left and right
        (swapped([1, 0, 2, 3]), "cross each other"),  # only two of them
    ],
)
def test_points_that_will_not_do(given: list[Click], why: str) -> None:
    layout, _ = felt("emerald-arc")
    with pytest.raises(InputError, match=why):
        register_clicks(given, SIZE, layout, LensHint())


def test_points_on_a_line_are_refused() -> None:
    layout, _ = felt("emerald-arc")
    given = [Click(str(x), (x, 500.0), (960 + x * 0.7, 500.0)) for x in (-600.0, -200.0, 200.0, 600.0)]
    with pytest.raises(InputError, match="no three on a line"):
        register_clicks(given, SIZE, layout, LensHint())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3.ante", "want U,V=PLACE"),  # no pixel
        ("1,2=9.ante", "no such spot"),  # no such seat
        ("1,2=3.lucky", "no such spot"),
        ("1;2=3.ante", "two numbers"),
        ("1,2=a,b", "two numbers"),
    ],
)
def test_unclear_points_are_refused(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_click(text, felt("emerald-arc")[0])


def test_a_point_in_millimetres() -> None:
    assert parse_click("812,433.5=-250,215", felt("emerald-arc")[0]) == Click(
        "-250,215", (-250.0, 215.0), (812.0, 433.5)
    )
