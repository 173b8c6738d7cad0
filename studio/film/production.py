"""Footage with truth: an order enters, a folder with video, truth, table file and contact sheet leaves."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import cv2
import numpy as np

from studio.art.chip_sets import write_chip_set
from studio.art.drawers import is_reserved
from studio.art.felts import make_layout, write_layout
from studio.film.card import printed
from studio.film.filmset import FilmSet
from studio.film.look import Choice, Look, choose_look
from studio.film.mishaps import Mishaps, known, plan_mishaps
from studio.film.sensor import Sensor
from studio.film.truth import frame_truth
from studio.play.faults import FAULTS, INNOCENTS
from studio.play.players import open_table
from studio.play.round_generator import write_interlude, write_round
from studio.play.stage import Stage
from studio.play.tempo import random_tempo
from studio.scene import Story, Thing
from vision.capture.video import SECOND_NS
from vision.footage.mp4 import VideoWriter, surveillance_coding
from vision.rules.book.sheet import HouseSheet, read_sheet
from vision.table.camera_file import read_camera
from vision.table.naming import TABLE_FILE
from vision.table.table import read_table
from vision.table.views import measure_view
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera
from vision.values.picture import Picture
from vision.values.resources import shipped

OLD_DECK = "deck-change-due"
LEAST_SMEAR_PX = 1.5  # less is lost in the lens
SHEET_COLUMNS, SHEET_ROWS, SHEET_WIDTH = 4, 3, 640
Report = Callable[[int, int], None]  # frames done, frames in all


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be filmed."""

    rounds: int
    seed: int
    house: str = "maryland"
    faults: tuple[str, ...] = ()
    fault_rate: float = 0.0
    innocents: bool = True
    innocent_rate: float = 0.4  # share of rounds with an innocent confusion
    look: tuple[tuple[str, str], ...] = ()
    split: str = "train"
    size: str = "1080p"
    view: str | None = None  # a view class, or 'mixed'; None: any camera of the size
    camera: Path | None = None  # a camera file or a table folder with one
    fps: int = 15
    kbit_per_second: int | None = None  # None: as is usual for the size
    codec: str | None = None  # None: as the look has it
    preset: str = "veryfast"  # of the encoder
    art: Path | None = None  # a folder of fetched decks, besides our own
    seats: tuple[int, ...] = ()  # empty: some at random
    mishaps: tuple[str, ...] = ()  # of camera, light and stream
    opened_by: str | None = None  # the command that may film reserved looks
    truth_every: int = 1  # frames between two records of where all things are


def house_sheet(name: str) -> HouseSheet:
    """Return a house sheet by its path, or by the name of a shipped one."""
    beside = Path(name)
    return read_sheet(beside if beside.suffix == ".toml" else shipped("calibration") / "houses" / f"{name}.toml")


def house_of(game: str) -> str:
    """Return the name of the shipped house sheet that plays a game."""
    sheets = sorted((shipped("calibration") / "houses").glob("*.toml"))
    for path in sheets:
        if read_sheet(path).game == game:
            return path.stem
    raise InputError(f"--game: {shown(game)}: want one of {', '.join(read_sheet(path).game for path in sheets)}")


def film(order: Order, out: Path, report: Report) -> None:
    """Film the order; the folder appears file by file, the video last."""
    check(order)
    look = ordered_look(order)
    film_set = FilmSet(look)
    sheet = fitting_sheet(house_sheet(order.house), film_set)
    story, rounds = act(order, sheet, film_set)
    out.mkdir(parents=True, exist_ok=True)
    write_table(out, film_set, order)
    partial_truth = out / "truth.jsonl.partial"
    try:
        with partial_truth.open("w", encoding="utf-8") as truth:
            _line(truth, {"kind": "clip", **clip_record(order, look)})
            for record in rounds:
                _line(truth, {"kind": "round", **record})
            mishaps = planned_mishaps(order, story, look)
            for entry in mishaps.record():
                _line(truth, {**entry, "kind": "mishap", "mishap": entry["kind"]})
            stills = shoot(story, film_set, mishaps, out / "video.mp4", truth, report)
        partial_truth.replace(out / "truth.jsonl")
    finally:
        partial_truth.unlink(missing_ok=True)  # broken off: a half truth is worse than none
    cv2.imwrite(str(out / "contact-sheet.png"), contact_sheet(stills))


def ordered_look(order: Order) -> Look:
    """Choose the look of an order."""
    camera = filmed_camera(order.camera) if order.camera else None
    game = house_sheet(order.house).game.partition("/")[0]
    choice = Choice(order.split, order.size, order.view, camera, order.look, order.art, order.opened_by, game)
    look = choose_look(order.seed, choice)
    return replace(
        look,
        fps=order.fps,
        kbit_per_second=order.kbit_per_second or look.kbit_per_second,
        codec=order.codec or look.codec,
        preset=order.preset,
        truth_every=order.truth_every,
    )


def filmed_camera(path: Path) -> Camera:
    """Read the camera to film with: a camera file, or that of a calibrated table."""
    if path.is_dir() or path.name == TABLE_FILE:
        return read_table(path).camera
    return read_camera(path)


def check(order: Order) -> None:
    """Refuse faults that nobody can act."""
    for fault in order.faults:
        if fault not in FAULTS:
            raise InputError(f"--fault: {shown(fault)}: want one of {', '.join(FAULTS)}")
    for kind in order.mishaps:
        known(kind)


def fitting_sheet(sheet: HouseSheet, film_set: FilmSet) -> HouseSheet:
    """Return the house sheet with the chips that the look's chip set has."""
    values = [chip.cents for chip in film_set.chips.chip if chip.cents >= 100]
    return sheet.model_copy(update={"chips_cents": values})


def act(order: Order, sheet: HouseSheet, film_set: FilmSet) -> tuple[Story, list[dict[str, Any]]]:
    """Write the rounds and act them out; return the story and the rounds with their times."""
    chance = random.Random(order.seed)  # noqa: S311 - chance on a film set
    boxes = [seat.number for seat in film_set.layout.seat]
    seated = list(order.seats) or sorted(chance.sample(boxes, chance.randint(1, len(boxes))))
    session = open_table(sheet, chance, seated, f"sim-{order.seed}", boxes)
    stage = Stage(film_set.layout, random_tempo(chance), chance, tuple(sheet.chips_cents))
    rounds = []
    for number in range(order.rounds):
        if order.rounds > 1:
            for kind in interludes(number, chance, keeps_deck=OLD_DECK in order.faults):
                stage.act(write_interlude(sheet, session, chance, kind))
        faults = planned_faults(order, sheet, number, chance, is_deck_new=session.is_deck_new)
        is_odd = order.innocents and chance.random() < order.innocent_rate
        innocents = [chance.choice(sorted(INNOCENTS))] if is_odd else []
        written = write_round(sheet, session, chance, faults, innocents)
        spans = stage.act(written.script)
        rounds.append(timed(written.truth, spans))
    return stage.story(), rounds


def interludes(number: int, chance: random.Random, *, keeps_deck: bool) -> list[str]:
    """Return what happens before a round of a longer clip: a deck is opened, changed, or nobody plays for a while."""
    likely = (("opening", 0.3),) if number == 0 else (("idle", 0.15), ("deck-change", 0.08))
    chosen = [kind for kind, often in likely if chance.random() < often]
    return [kind for kind in chosen if kind == "idle" or not keeps_deck]


def planned_faults(
    order: Order, sheet: HouseSheet, number: int, chance: random.Random, *, is_deck_new: bool
) -> list[str]:
    """Return the faults of a round: those ordered go one to a round in turn, others come by rate."""
    if order.faults:
        return [order.faults[number % len(order.faults)]]
    possible = sorted(name for name, fault in FAULTS.items() if fault.fits(sheet))
    if is_deck_new:  # it was opened on film
        possible = [name for name in possible if name != OLD_DECK]
    return [chance.choice(possible)] if chance.random() < order.fault_rate else []


def timed(truth: dict[str, Any], spans: Sequence[Any]) -> dict[str, Any]:
    """Put times into a round record: each event and fault happened when its move did."""

    def moment(entry: dict[str, Any]) -> dict[str, Any]:
        body = {key: value for key, value in entry.items() if key != "move"}
        return {**body, "t_ns": round(spans[entry["move"]].end_s * SECOND_NS)} if "move" in entry else body

    return {
        **truth,
        "started_ns": round(spans[0].start_s * SECOND_NS),
        "ended_ns": round(spans[-1].end_s * SECOND_NS),
        "events": [moment(entry) for entry in truth["events"]],
        "faults": [moment(entry) for entry in truth["faults"]],
    }


def planned_mishaps(order: Order, story: Story, look: Look) -> Mishaps:
    """Spread the ordered mishaps over the story."""
    rng = np.random.default_rng([order.seed, 17])
    lens = look.camera.lens
    return Mishaps(plan_mishaps(order.mishaps, story.duration_s, rng), (lens.width, lens.height), rng, lens)


def shoot(
    story: Story, film_set: FilmSet, mishaps: Mishaps, path: Path, truth: TextIO, report: Report
) -> list[Picture]:
    """Film a story; return some frames for the contact sheet."""
    look = film_set.look
    size = (look.camera.lens.width, look.camera.lens.height)
    total = int(story.duration_s * look.fps)
    wanted = set(np.linspace(0, total - 1, SHEET_COLUMNS * SHEET_ROWS).astype(int).tolist())
    stills: list[Picture] = []
    coding = surveillance_coding(look.fps, look.kbit_per_second, look.codec, look.preset)
    with VideoWriter(path, size, coding) as video:
        for frame, record in frames_of(story, film_set, mishaps):
            number: int = record["frame"]
            video.write(frame, record["t_ns"])
            if number % look.truth_every == 0:
                _line(truth, {"kind": "frame", **record})
            if number in wanted:
                stills.append(_thumbnail(frame))
            report(number + 1, total)
    return stills


def frames_of(story: Story, film_set: FilmSet, mishaps: Mishaps) -> Iterator[tuple[Picture, dict[str, Any]]]:
    """Yield every frame of a story that reaches the recorder, with its truth."""
    look = film_set.look
    camera = look.camera
    maker = film_set.frames()
    sensor = Sensor(look.sensor, (camera.lens.width, camera.lens.height), np.random.default_rng(look.seed))
    for number in range(int(story.duration_s * look.fps)):
        t_s = number / look.fps
        things = story.at(t_s)
        changed = maker.show(things, smears_of(story, things, t_s, look))
        developed = sensor.develop(maker.picture, changed, t_s, partial(mishaps.optics, t_s=t_s))
        frame = mishaps.stream(developed, t_s)
        if frame is not None:
            yield frame, mishaps.truth(frame_truth(number, round(t_s * SECOND_NS), things, maker, camera), t_s)


def smears_of(story: Story, things: Sequence[Thing], t_s: float, look: Look) -> dict[int, tuple[float, float]]:
    """Return how far, in pixels, the things that move do so while the shutter is open."""
    later = {thing.id: thing for thing in story.at(t_s + look.shutter_s)}
    moving = [thing for thing in things if thing.id in later and later[thing.id].pose != thing.pose]
    if not moving:
        return {}
    here = look.camera.project([[thing.pose.x, thing.pose.y, thing.pose.z] for thing in moving])
    poses = [later[thing.id].pose for thing in moving]
    moved = look.camera.project([[pose.x, pose.y, pose.z] for pose in poses]) - here
    far = np.abs(moved).max(axis=1) >= LEAST_SMEAR_PX
    return {thing.id: (float(u), float(v)) for thing, (u, v), does in zip(moving, moved, far, strict=True) if does}


def clip_record(order: Order, look: Look) -> dict[str, Any]:
    """Return what a clip was made from, so that it can be made again."""
    return {
        "seed": order.seed,
        "split": order.split,
        "house": order.house,
        "fps": order.fps,
        "felt": look.felt,
        "faces": look.face,
        "backs": list(look.backs),
        "chips": look.chips,
        "rig": look.rig,
        "view": measure_view(look.camera, make_layout(look.felt)).name,
        "tilt_deg": round(look.camera.tilt_deg(), 2),
        "camera": look.camera.to_dict(),
    }


def write_table(out: Path, film_set: FilmSet, order: Order) -> None:
    """Write layout and table file, so that the clip can be replayed at once."""
    look = film_set.look
    write_layout(look.felt, out)
    (out / "artwork.png").replace(out / "layout.png")
    layout = (out / "layout.toml").read_text(encoding="utf-8").replace("artwork.png", "layout.png")
    (out / "layout.toml").write_text(layout, encoding="utf-8")
    _write_reserved(out, look)
    camera = "\n".join(f"{key} = {json.dumps(value)}" for key, value in look.camera.to_dict().items())
    decks = "\n".join(f'[[deck]]\nfaces = "{look.face}"\nback = "{back}"\n' for back in look.backs)
    text = (
        f'name = "sim-{order.seed}"\nsource = "video.mp4"\nlayout = "."\nchips = "{_chips_file(look)}"\n'
        f'house = "{order.house}"\n\n{decks}\n[camera]\n{camera}\n'
    )
    (out / "table.toml").write_text(text, encoding="utf-8")


def _chips_file(look: Look) -> str:
    """Return how a table file names the chips: a shipped set, or the file beside it."""
    return f"{look.chips}.toml" if is_reserved("chips", look.chips) else look.chips


def _write_reserved(out: Path, look: Look) -> None:
    """Write what a table file names and nobody ships: reserved chips and backs, as enrolling them would leave them."""
    if is_reserved("chips", look.chips):
        write_chip_set(look.chips, out)
    for back in look.backs:
        if is_reserved("back", back):
            small = cv2.resize(printed(back, ""), None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(out / f"{back}.png"), small)


def contact_sheet(stills: Sequence[Picture]) -> Picture:
    """Return a few frames side by side."""
    full = [*stills, *[np.zeros_like(stills[0])] * (-len(stills) % SHEET_COLUMNS)]
    rows = [np.hstack(full[i : i + SHEET_COLUMNS]) for i in range(0, len(full), SHEET_COLUMNS)]
    return np.vstack(rows)


def _thumbnail(frame: Picture) -> Picture:
    size = (SHEET_WIDTH, SHEET_WIDTH * frame.shape[0] // frame.shape[1])
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _line(file: TextIO, record: dict[str, Any]) -> None:
    file.write(json.dumps(record, separators=(",", ":")) + "\n")
