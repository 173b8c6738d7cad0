"""Layouts and tables: what is read, and what is refused with file, field and value."""

from pathlib import Path

import pytest

from vision.table.layout import Shape, read_layout
from vision.table.layout_text import layout_text
from vision.table.table import read_table
from vision.values.errors import InputError
from vision.values.resources import shipped

LAYOUT = """
name = "plain"
size_mm = [2000, 1000]
outline = [[-1000, 0], [1000, 0], [1000, 1000], [-1000, 1000]]

[[seat]]
number = 1
angle = 180
cards = { polygon = [[-600, 800], [-300, 800], [-300, 900], [-600, 900]] }
spots = { ante = { circle = [-450, 600, 30] } }

[[seat]]
number = 2
angle = 180
cards = { polygon = [[300, 800], [600, 800], [600, 900], [300, 900]] }
spots = { ante = { circle = [450, 600, 30] } }

[dealer]
cards = { polygon = [[-250, 220], [250, 220], [250, 330], [-250, 330]] }
work = { polygon = [[-200, 350], [200, 350], [200, 480], [-200, 480]] }
tray = { polygon = [[-300, 20], [300, 20], [300, 190], [-300, 190]] }
discard = { polygon = [[500, 50], [650, 50], [650, 200], [500, 200]] }
shoe = { polygon = [[-700, 50], [-500, 50], [-500, 250], [-700, 250]] }
"""


def write(folder: Path, text: str) -> Path:
    (folder / "layout.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_layout_is_read(tmp_path: Path) -> None:
    layout = read_layout(write(tmp_path, LAYOUT))
    assert layout.seat_at(2).spots["ante"].centre == (450, 600)
    assert layout.dealer.bonus is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("circle = [-450, 600, 30]", "circle = [-450, 600]", "seat[0].spots.ante.circle: [-450, 600]:"),
        ("circle = [-450, 600, 30]", "circle = [-450, 600, 0]", "want a radius above 0"),
        ("circle = [-450, 600, 30]", "polygon = [[12, 40]]", "seat[0].spots.ante.polygon: [[12, 40]]:"),
        ("circle = [-450, 600, 30]", "", "want either 'circle' or 'polygon'"),
        ("number = 2", "number = 3", "seat: [1, 3]: want seats numbered 1, 2, 3"),
        (
            "[[-600, 800], [-300, 800], [-300, 900], [-600, 900]]",
            "[[700, 800], [900, 800], [900, 900]]",
            "rising order of x",
        ),
        ("tray = ", "try = ", "dealer."),
        ('name = "plain"', 'name = "plain"\nfelt = "green"', "felt: 'green': unknown key"),
        ("circle = [-450, 600, 30]", "circle = [-450, nan, 30]", "seat[0].spots.ante.circle: [-450, nan, 30]:"),
        (
            "circle = [-450, 600, 30]",
            "circle = [-985, 600, 30]",
            "[-985.0, 600.0, 30.0]: want a spot inside",
        ),
        (
            "circle = [-450, 600, 30]",
            "circle = [440, 610, 30]",
            "seat[1].spots.ante: [450.0, 600.0, 30.0]: lies on seat[0]",
        ),
        (
            "circle = [-450, 600, 30]",
            "polygon = [[-450, 600], [-400, 600], [-350, 600]]",
            "seat[0].spots.ante.polygon: [[-450, 600], [-400, 600], [-350, 600]]: want points around an area",
        ),
        (
            "circle = [-450, 600, 30]",
            "polygon = [[-450, 600], [-400, 650], [-400, 600], [-450, 650], [-500, 700]]",
            "want lines that do not cross",
        ),
        ("{ ante = { circle = [-450, 600, 30] } }", "{}", "seat[0].spots: {}:"),
        (
            "{ ante = { circle = [-450, 600, 30] } }",
            "{ ante = { circle = [-450, 600, 30] } }\npayouts = { ant = { circle = [-450, 500, 30] } }",
            "seat[0].payouts.ant: no such spot: want one of ante",
        ),
        (
            "[[-250, 220], [250, 220], [250, 330], [-250, 330]]",
            "[[-1250, 220], [-1050, 220], [-1050, 330]]",
            "dealer.cards:",
        ),
        ("size_mm = [2000, 1000]", "size_mm = [1900, 1000]", "outline[0]: [-1000.0, 0.0]: want x from -950 to 950"),
        ("size_mm = [2000, 1000]", "size_mm = [2000, 0]", "size_mm[1]: 0:"),
        ("size_mm = [2000, 1000]", "size_mm = [2000, 1000]\nmm_per_px = 0", "mm_per_px: 0:"),
    ],
)
def test_a_bad_layout_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in LAYOUT
    with pytest.raises(InputError) as caught:
        read_layout(write(tmp_path, LAYOUT.replace(old, new, 1)))
    assert str(caught.value).startswith(f"{tmp_path / 'layout.toml'}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("shape", "point", "inside"),
    [
        (Shape(circle=[0, 0, 10]), (7, 7), True),
        (Shape(circle=[0, 0, 10]), (8, 8), False),
        (Shape(polygon=[[0, 0], [10, 0], [0, 10]]), (3, 3), True),
        (Shape(polygon=[[0, 0], [10, 0], [0, 10]]), (6, 6), False),
    ],
)
def test_points_in_shapes(shape: Shape, point: tuple[float, float], *, inside: bool) -> None:
    assert shape.contains(*point) == inside


SHIPPED = sorted(path.parent for path in (shipped("calibration") / "layouts").glob("*/layout.toml"))


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_a_layout_survives_its_text(folder: Path, tmp_path: Path) -> None:
    layout = read_layout(folder)
    assert read_layout(write(tmp_path, layout_text(layout, "a remark"))) == layout


def test_drawn_payouts_and_rails_survive_their_text(tmp_path: Path) -> None:
    seat = "spots = { ante = { circle = [-450, 600, 30] } }"
    drawn = LAYOUT.replace(seat, f"{seat}\npayouts.ante = {{ circle = [-450, 500, 40] }}", 1)
    drawn = drawn.replace("[[seat]]", "rail = [{ polygon = [[-1000, 1000], [1000, 1000], [1000, 1090]] }]\n[[seat]]", 1)
    layout = read_layout(write(tmp_path, drawn))
    assert layout.seat[0].payouts["ante"].centre == (-450, 500)
    assert len(layout.rail) == 1
    assert read_layout(write(tmp_path, layout_text(layout, ""))) == layout


@pytest.mark.parametrize(
    ("wagers", "cards", "missing"),
    [
        (["ante"], [], []),
        (["ante", "play"], [], ["seat[0].spots.play", "seat[1].spots.play"]),
        (["ante"], ["bonus"], ["dealer.bonus"]),
    ],
)
def test_what_a_game_needs_and_a_felt_lacks(
    tmp_path: Path, wagers: list[str], cards: list[str], missing: list[str]
) -> None:
    assert read_layout(write(tmp_path, LAYOUT)).lacks(wagers, cards) == missing


def test_a_moved_shape_keeps_its_form() -> None:
    assert Shape(circle=[1, 2, 30]).moved(10, -5) == Shape(circle=[11, -3, 30])
    assert Shape(polygon=[[0, 0], [10, 0], [0, 10]]).moved(1, 1).corners == [(1, 1), (11, 1), (1, 11)]


def test_a_table_finds_its_parts(tmp_path: Path) -> None:
    write(tmp_path, LAYOUT)
    (tmp_path / "table.toml").write_text(
        'name = "t"\nlayout = "."\nchips = "none"\nhouse = "maryland"\n', encoding="utf-8"
    )
    table = read_table(tmp_path)
    assert table.layout.name == "plain"
    assert table.house_path.name == "maryland.toml"
    with pytest.raises(InputError, match="chips: 'none': no such file"):
        _ = table.chips
    with pytest.raises(InputError, match="calibrate the table first"):
        _ = table.camera
