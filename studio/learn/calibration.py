"""How good registration is: stills of felts, poses and games that it never saw enter, numbers leave.

More cards and chips are laid on each still, copied from the still itself, until 20 to 50 % of the print is covered.
Then it is registered three times: by its print with nothing known of the lens, again with the focal length known, and
from clicked points with two pixels of noise. Every fourth is also held against the print of another felt, which must
be refused.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from time import process_time
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.measures import measure
from studio.learn.pictures import Still
from vision.calibrate.clicks import Click
from vision.calibrate.fit import LensHint
from vision.calibrate.refine import refine
from vision.calibrate.register import Registration, register, register_clicks
from vision.score.measures import Measure
from vision.table.artwork import Artwork, expected, read_artwork
from vision.table.layout import Layout, read_layout
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.resources import shipped

CLICKS, NOISE_PX = 8, 2.0
WRONG_MM = 5.0  # a spot farther off than this is in the wrong place
COVERED = (0.2, 0.5)  # of the print: a game in progress
MOST_THINGS, WHOLE = 400, 0.9  # things laid on a still at most; visible share of those that are copied
ANOTHER_EVERY = 4  # stills: holding one against another felt takes as long as all the rest
Report = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Trial:
    """One still: how much of the print was covered, and what came of it."""

    covered: float
    found: Registration | None
    off_mm: Floats  # of all spots in the picture; empty where it was refused
    tilt_off_deg: float  # with the focal length known
    clicks_off_mm: Floats
    other_refused: bool | None  # None: not tried
    seconds: float


def judge_calibration(stills: Sequence[Still], report: Report) -> dict[str, Any]:
    """Register every still; return measures and counts."""
    trials = []
    for number, still in enumerate(stills, start=1):
        trials.append(_trial(still, np.random.default_rng(number), tries_another=number % ANOTHER_EVERY == 0))
        report(number, len(stills))
    return {"measures": list(_measures(trials)), **_counts(trials)}


def _measures(trials: Sequence[Trial]) -> Iterator[Measure]:
    good = [trial for trial in trials if trial.found is not None and trial.found.is_good]
    off = np.concatenate([trial.off_mm for trial in good])
    tilts = np.abs([trial.tilt_off_deg for trial in good])
    clicked = np.concatenate([trial.clicks_off_mm for trial in trials])
    wrong = sum(bool((trial.off_mm > WRONG_MM).any()) for trial in good)
    right = [trial for trial in good if not (trial.off_mm > WRONG_MM).any()]
    refusals = [trial.other_refused for trial in trials if trial.other_refused is not None]
    yield measure("felts registered", len(right) / len(trials), len(trials), 0.98, 0.998)
    yield measure("felts registered wrongly, in silence", wrong / len(trials), len(trials), 0.0, 0.0, is_error=True)
    yield measure("another felt refused", float(np.mean(refusals)), len(refusals), 1.0, 1.0)
    for name, value, floor, aim, number in (
        ("spots off, median, mm", np.median(off), 1.5, 0.5, len(off)),
        ("spots off, 99th percentile, mm", np.percentile(off, 99), 5.0, 2.0, len(off)),
        (
            "tilt off with the focal length known, 99th percentile, degrees",
            np.percentile(tilts, 99),
            0.5,
            0.1,
            len(tilts),
        ),
        (f"spots off from {CLICKS} clicks, median, mm", np.median(clicked), 4.0, 2.0, len(clicked)),
    ):
        yield measure(name, float(value), number, floor, aim, is_error=True)


def _counts(trials: Sequence[Trial]) -> dict[str, Any]:
    return {
        "stills": len(trials),
        "covered": [round(float(n), 3) for n in np.percentile([trial.covered for trial in trials], (0, 50, 100))],
        "seconds_median": float(np.median([trial.seconds for trial in trials])),
        "refused": [
            trial.found.problems if trial.found else ["nothing seen"] for trial in trials if not _is_good(trial)
        ],
        "inside_stated_spread": float(np.mean([_holds(trial) for trial in trials if _is_good(trial)])),
    }


def _is_good(trial: Trial) -> bool:
    return trial.found is not None and trial.found.is_good


def _holds(trial: Trial) -> bool:
    """Say whether the typical error is within twice what the registration said of its worst spot."""
    return trial.found is not None and bool(np.median(trial.off_mm) <= 2 * trial.found.spot_spread_mm)


def _trial(still: Still, rng: np.random.Generator, *, tries_another: bool) -> Trial:
    layout, artwork = felt(still.look["felt"])
    true = Camera.from_dict(still.camera)
    picture, covered = crowded(still, artwork, true, rng)
    started = process_time()
    found = register(picture, artwork, layout, LensHint())
    seconds = process_time() - started
    known = refine(picture, artwork, found.camera, LensHint(true.lens.focal_px)) if found is not None else None
    tilt_off = known.fit.camera.tilt_deg() - true.tilt_deg() if known is not None else float("nan")
    refused = _is_another_refused(picture, still.look["felt"], rng) if tries_another else None
    off = spots_off_mm(found.camera, true, layout) if found is not None else np.zeros(0)
    clicked = register_clicks(_clicks(true, layout, rng), (true.lens.width, true.lens.height), layout, LensHint())
    return Trial(
        covered=covered,
        found=found,
        off_mm=off,
        tilt_off_deg=tilt_off,
        clicks_off_mm=spots_off_mm(clicked.camera, true, layout),
        other_refused=refused,
        seconds=seconds,
    )


@cache
def felt(name: str) -> tuple[Layout, Artwork]:
    """Return a shipped layout with its print."""
    folder = shipped("calibration") / "layouts" / name
    layout = read_layout(folder)
    return layout, read_artwork(folder, layout)


def _another(name: str, rng: np.random.Generator) -> str:
    names = sorted(path.name for path in (shipped("calibration") / "layouts").iterdir() if path.name != name)
    return names[int(rng.integers(len(names)))]


def _shown_spots(true: Camera, layout: Layout) -> tuple[Floats, Floats]:
    """Return the spots that the picture shows: places and pixels."""
    places = np.array([shape.centre for seat in layout.seat for shape in seat.spots.values()])
    pixels = true.project(np.c_[places, np.zeros(len(places))])
    shown = ((pixels >= 0) & (pixels <= [true.lens.width - 1, true.lens.height - 1])).all(axis=1)
    return places[shown], pixels[shown]


def spots_off_mm(camera: Camera, true: Camera, layout: Layout) -> Floats:
    """Return how far from their places a camera puts the spots that the true camera sees."""
    places, pixels = _shown_spots(true, layout)
    return np.asarray(np.linalg.norm(camera.place(pixels)[:, :2] - places, axis=1))


def _clicks(true: Camera, layout: Layout, rng: np.random.Generator) -> list[Click]:
    """Return clicks on spots all over the table, as a person makes them."""
    places, pixels = _shown_spots(true, layout)
    order = [int(rng.integers(len(places)))]
    while len(order) < min(CLICKS, len(places)):  # each as far from the others as can be
        far = np.min(np.linalg.norm(places[:, None] - places[order][None], axis=-1), axis=1)
        order.append(int(far.argmax()))
    noisy = np.clip(pixels + rng.normal(0, NOISE_PX, pixels.shape), 0, [true.lens.width - 1, true.lens.height - 1])
    return [
        Click(str(i), (float(places[i, 0]), float(places[i, 1])), (float(noisy[i, 0]), float(noisy[i, 1])))
        for i in order
    ]


def crowded(still: Still, artwork: Artwork, camera: Camera, rng: np.random.Generator) -> tuple[Picture, float]:
    """Return a still with more things on it, and which share of the print's lines is covered then."""
    picture, lines = still.picture(), _print_lines(artwork, camera)
    height, width = picture.shape[:2]
    covers = (still.kinds() > 0).astype(np.uint8)
    hidden = np.asarray(cv2.resize(covers, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    goal, original = float(rng.uniform(*COVERED)), picture.copy()
    whole = [entry for entry in still.objects if entry["visible"] > WHOLE and entry["kind"] in ("card", "stack")]
    quads = [np.array(entry["quad"]) for entry in whole]
    places = np.argwhere(lines)[:, ::-1]
    for _ in range(MOST_THINGS):
        if hidden[lines].mean() >= goal or not quads:
            break
        _lay(picture, original, hidden, quads[int(rng.integers(len(quads)))], places[int(rng.integers(len(places)))])
    return picture, float(hidden[lines].mean())


def _lay(picture: Picture, original: Picture, hidden: Picture, quad: Floats, place: Floats) -> None:
    """Copy what a quad shows to another place of the picture."""
    size = np.array(picture.shape[1::-1])
    low, high = np.clip(quad.min(axis=0), 0, size - 1).astype(int), np.clip(quad.max(axis=0), 0, size - 1).astype(int)
    corner = np.clip(place - (high - low) // 2, 0, size - (high - low) - 1).astype(int)
    shape = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillPoly(shape, [np.round(quad - low).astype(np.int32)], 1)
    source = original[low[1] : high[1], low[0] : high[0]]
    there = (slice(corner[1], corner[1] + shape.shape[0]), slice(corner[0], corner[0] + shape.shape[1]))
    picture[there][shape > 0] = source[shape > 0]
    hidden[there][shape > 0] = 1


def _print_lines(artwork: Artwork, camera: Camera) -> NDArray[np.bool_]:
    """Return where the camera would see the lines of the print."""
    view = expected(artwork, camera)
    grey = cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return np.asarray((steep > np.percentile(steep[view.on_felt], 92)) & view.on_felt)


def _is_another_refused(picture: Picture, name: str, rng: np.random.Generator) -> bool:
    layout, artwork = felt(_another(name, rng))
    found = register(picture, artwork, layout, LensHint())
    return found is None or not found.is_good
