"""Clips from order to folder: truth that can be made again, a table that can be read again, clear refusals."""

import io
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from studio.film.export import CLASSES, coco, yolo_lines
from studio.film.filmset import FilmSet
from studio.film.gallery import Easel
from studio.film.look import HELD_OUT, Choice, choose_look, kinds, of_split
from studio.film.production import (
    Order,
    act,
    film,
    fitting_sheet,
    house_of,
    house_sheet,
    interludes,
    ordered_look,
    planned_faults,
    planned_mishaps,
    shoot,
    write_table,
)
from studio.scene import Story
from vision.cli import main
from vision.table.camera_file import save_camera
from vision.table.table import read_table
from vision.table.views import measure_view, view_names
from vision.values.errors import InputError

ORDER = Order(rounds=1, seed=9, seats=(2, 5), size="720p", fps=10, faults=("underpaid",), innocents=False)


@pytest.fixture(scope="module")
def film_set() -> FilmSet:
    return FilmSet(ordered_look(ORDER))


@pytest.fixture(scope="module")
def acted(film_set: FilmSet) -> tuple[Story, list[dict[str, Any]]]:
    return act(ORDER, fitting_sheet(house_sheet("maryland"), film_set), film_set)


def test_the_same_order_gives_the_same_truth(film_set: FilmSet, acted: tuple[Story, list[dict[str, Any]]]) -> None:
    again = act(ORDER, fitting_sheet(house_sheet("maryland"), film_set), film_set)
    assert json.dumps(again[1]) == json.dumps(acted[1])
    assert again[0] == acted[0]


def test_a_fault_stands_in_the_truth_with_its_time(acted: tuple[Story, list[dict[str, Any]]]) -> None:
    story, (record,) = acted
    (fault,) = record["faults"]
    assert fault["code"] == "underpaid"
    assert record["started_ns"] < fault["t_ns"] < record["ended_ns"] <= story.duration_s * 1e9
    wager = next(seat for seat in record["seats"] if seat["seat"] == fault["seat"])["wagers"][fault["wager"]]
    assert wager["paid_cents"] < wager["due_cents"]
    assert record["verdict"] == "wrong"


def test_a_clip_has_its_frames_and_their_truth(
    tmp_path: Path, film_set: FilmSet, acted: tuple[Story, list[dict[str, Any]]]
) -> None:
    truth = io.StringIO()
    told: list[tuple[int, int]] = []
    part = Story(acted[0].actors, 1.2)
    shoot(
        part,
        film_set,
        planned_mishaps(ORDER, part, film_set.look),
        tmp_path / "video.mp4",
        truth,
        lambda done, total: told.append((done, total)),
    )
    with av.open(str(tmp_path / "video.mp4")) as container:
        assert len(list(container.decode(video=0))) == 12
    frames = [json.loads(line) for line in truth.getvalue().splitlines()]
    assert [frame["t_ns"] for frame in frames] == [i * 100_000_000 for i in range(12)]
    assert told[-1] == (12, 12)
    for entry in frames[-1]["objects"]:
        assert 0 <= entry["visible"] <= 1
        assert len(entry["quad"]) == 4


def test_a_clip_can_be_replayed_at_once(tmp_path: Path, film_set: FilmSet) -> None:
    write_table(tmp_path, film_set, ORDER)
    table = read_table(tmp_path)
    assert table.layout == film_set.layout.model_copy(update={"artwork": "layout.png"})
    assert table.chips == film_set.chips
    assert tuple(table.back_pictures) == film_set.look.backs  # both decks: when one is changed the other is dealt
    points = [[0.0, 500.0, 0.0], [300.0, 200.0, 30.0]]
    assert np.allclose(table.camera.project(points), film_set.look.camera.project(points))


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_training_and_testing_looks_do_not_mix(kind: str) -> None:
    names = kinds()[kind]
    train, test = of_split(names, "train"), of_split(names, "test")
    assert not set(train) & set(test)
    assert len(test) == HELD_OUT
    assert len(train) >= {"felt": 6, "face": 4, "back": 8, "chips": 4, "rig": 4}[kind]


@pytest.mark.parametrize("seed", range(12))
def test_every_camera_sees_the_whole_felt(seed: int) -> None:
    look = choose_look(seed, Choice("any"))
    layout = FilmSet(look).layout
    seen = look.camera.project([[x, y, 0.0] for x, y in layout.outline])
    assert (seen >= -1).all()
    assert (seen <= [1921, 1081]).all()
    assert look.camera.tilt_deg() <= 45


@pytest.mark.parametrize("view", view_names())
@pytest.mark.parametrize("seed", range(3))
def test_every_view_class_is_filmed_by_cameras_of_that_class(view: str, seed: int) -> None:
    look = choose_look(seed, Choice("any", view=view))
    layout = FilmSet(look).layout
    assert measure_view(look.camera, layout).name == view
    lowest, highest = (8000, 16000) if view == "reference" else (2000, 11000)
    assert lowest <= look.kbit_per_second <= highest


def test_mixed_views_are_mostly_reference_and_good() -> None:
    looks = [choose_look(seed, Choice(view="mixed")) for seed in range(30)]
    found = [measure_view(look.camera, FilmSet(look).layout).name for look in looks]
    assert set(found) == set(view_names())
    assert found.count("legacy") < found.count("good") < len(found) / 2 < 20
    assert {look.codec for look in looks} == {"h264", "h265"}


def test_a_camera_file_films(tmp_path: Path) -> None:
    camera = choose_look(5, Choice(view="good")).camera
    save_camera(tmp_path / "camera.toml", camera, {})
    assert ordered_look(Order(1, 8, camera=tmp_path / "camera.toml")).camera == camera


def test_h265_is_written(tmp_path: Path, acted: tuple[Story, list[dict[str, Any]]], film_set: FilmSet) -> None:
    film_set = FilmSet(replace(film_set.look, codec="h265", preset="ultrafast"))
    part, path = Story(acted[0].actors, 0.3), tmp_path / "video.mp4"
    shoot(part, film_set, planned_mishaps(ORDER, part, film_set.look), path, io.StringIO(), lambda *_: None)
    with av.open(str(path)) as container:
        assert container.streams.video[0].codec_context.name == "hevc"
        assert len(list(container.decode(video=0))) == 3


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (Order(1, 1, camera=Path("nowhere.toml")), "nowhere.toml: cannot be read: No such file"),
        (Order(1, 1, faults=("mispay",)), "--fault: 'mispay': want one of"),
        (Order(1, 1, look=(("carpet", "red"),)), "--look: 'carpet': want one of felt, face, back, chips, rig"),
        (Order(1, 1, look=(("felt", "red"),)), "--look: felt: 'red': want one of"),
        (Order(1, 1, house="atlantis"), "atlantis.toml: cannot be read: No such file"),
    ],
)
def test_a_bad_order_is_refused(tmp_path: Path, order: Order, message: str) -> None:
    with pytest.raises(InputError) as caught:
        film(order, tmp_path / "out", lambda *_: None)
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_clip_broken_off_leaves_no_half_truth(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film(ORDER, tmp_path, stop)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["layout.png", "layout.toml", "table.toml"]


@pytest.mark.parametrize(
    ("game", "house"), [("four-card-poker/sd", "south-dakota"), ("four-card-poker/pa", "pennsylvania")]
)
def test_a_game_has_a_house(game: str, house: str) -> None:
    assert house_of(game) == house


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(tmp_path / "out"), "--fault", "nonsense"]) == 1
    assert "feltwatch: --fault: 'nonsense'" in capsys.readouterr().err


def test_stills_come_with_labels() -> None:
    easel = Easel(choose_look(4, Choice("train", "720p")))
    picture, objects = easel.draw()
    assert picture.shape == (720, 1280, 3)
    lines = list(yolo_lines(objects, 1280, 720))
    assert lines
    for line in lines:
        number, *corners = line.split()
        assert int(number) < len(CLASSES)
        assert len(corners) == 8
        assert all(0 <= float(corner) <= 1 for corner in corners)
    document = coco([("a.jpg", 1280, 720, objects)])
    assert len(document["annotations"]) == len(lines)


def test_a_deck_opened_on_film_is_never_too_old() -> None:
    order = Order(rounds=1, seed=1, fault_rate=1.0)
    sheet = house_sheet("maryland")
    drawn = {planned_faults(order, sheet, 0, random.Random(seed), is_deck_new=True)[0] for seed in range(300)}
    assert "deck-change-due" not in drawn
    assert len(drawn) > 20


def test_no_deck_is_changed_where_an_old_one_is_wanted() -> None:
    kinds = {kind for seed in range(200) for kind in interludes(0, random.Random(seed), keeps_deck=True)}
    assert not kinds
    kinds = {kind for seed in range(200) for kind in interludes(3, random.Random(seed), keeps_deck=True)}
    assert kinds == {"idle"}
