"""The pictures of docs/simulate.md: `python -m vision.simulate.catalogue FOLDER` draws looks and faults."""

import sys
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.simulate.film.filmset import FilmSet
from vision.simulate.film.patch import Picture
from vision.simulate.film.sensor import Sensor
from vision.simulate.play.faults import possible_faults
from vision.simulate.scene import Story
from vision.simulate.studio import NS, Order, act, fitting_sheet, house_sheet, ordered_look

LOOK_SEEDS = (3, 5, 8, 21, 34, 55)
LOOK_WIDTH, FAULT_WIDTH, COLUMNS = 800, 560, 4
BEFORE_S = 0.15  # the moment just before a move is over shows it best
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 85]


def draw_looks(folder: Path) -> None:
    """Draw six looks in the middle of a round, two by three."""
    tiles = []
    for seed in LOOK_SEEDS:
        order = Order(rounds=1, seed=seed)
        film_set = FilmSet(ordered_look(order))
        story, _ = act(order, fitting_sheet(house_sheet(order.house), film_set), film_set)
        tiles.append(_small(picture_at(story, film_set, 0.62 * story.duration_s), LOOK_WIDTH))
    cv2.imwrite(str(folder / "looks.jpg"), _tiled(tiles, 2), QUALITY)


def draw_faults(folder: Path) -> None:
    """Draw the moment of each fault, in one look."""
    film_set = FilmSet(ordered_look(Order(rounds=1, seed=34)))
    sheet = fitting_sheet(house_sheet("maryland"), film_set)
    tiles = []
    for name in possible_faults(sheet):
        order = Order(rounds=1, seed=17, faults=(name,), innocents=False, seats=(2, 4, 5))
        try:
            story, rounds = act(order, sheet, film_set)
        except VisionError as error:
            print(f"{name}: {error}", file=sys.stderr)  # noqa: T201 - a tool for the docs
            continue
        fault = rounds[0]["faults"][0]
        picture = picture_at(story, film_set, fault["t_ns"] / NS - BEFORE_S)
        tiles.append(_named(_close_up(picture, film_set, fault["seat"]), name))
    cv2.imwrite(str(folder / "faults.jpg"), _tiled(tiles, COLUMNS), QUALITY)


def picture_at(story: Story, film_set: FilmSet, t_s: float) -> Picture:
    """Return one developed frame of a story."""
    maker = film_set.frames()
    maker.show(story.at(t_s))
    lens = film_set.look.camera.lens
    return Sensor(film_set.look.sensor, (lens.width, lens.height), np.random.default_rng(1)).develop(
        maker.picture, [], t_s
    )


def _close_up(picture: Picture, film_set: FilmSet, seat: int | None) -> Picture:
    """Cut out where it happens: at a seat, or at the dealer's cards."""
    layout = film_set.layout
    x, y = layout.dealer.cards.centre if seat is None else layout.seat_at(seat).spots["ante"].centre
    u, v = film_set.look.camera.project([[x, y, 0.0]])[0]
    height = FAULT_WIDTH * 9 // 16
    left = int(np.clip(u - FAULT_WIDTH / 2, 0, picture.shape[1] - FAULT_WIDTH))
    top = int(np.clip(v - height / 2, 0, picture.shape[0] - height))
    return picture[top : top + height, left : left + FAULT_WIDTH].copy()


def _small(picture: Picture, width: int) -> Picture:
    size = (width, width * picture.shape[0] // picture.shape[1])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _named(picture: Picture, name: str) -> Picture:
    band = picture[-26:]
    band //= 3
    place = (8, picture.shape[0] - 8)
    cv2.putText(picture, name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (240, 240, 240), 1, cv2.LINE_AA)
    return picture


def _tiled(tiles: list[Picture], columns: int) -> Picture:
    blank = np.zeros_like(tiles[0])
    full = [*tiles, *[blank] * (-len(tiles) % columns)]
    rows = [np.hstack(full[i : i + columns]) for i in range(0, len(full), columns)]
    return np.vstack(rows)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    draw_looks(target)
    draw_faults(target)
