"""How good registration is: stills of felts, poses and games that it never saw enter, numbers leave.

Each still is registered three times: by its print with nothing known of the lens, again with the focal length known,
and from clicked points with two pixels of noise. Each is also held against the print of another felt, which must be
refused.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from time import process_time
from typing import Any

import cv2
import numpy as np

from vision.calibrate.artwork import Artwork, expected, read_artwork
from vision.calibrate.clicks import Click
from vision.calibrate.fit import LensHint
from vision.calibrate.layout import Layout, read_layout
from vision.calibrate.refine import refine
from vision.calibrate.register import Registration, register, register_clicks
from vision.geometry import Camera, Floats
from vision.learn.measures import Measure
from vision.learn.pictures import MAP_STEP, Still
from vision.resources import shipped

CLICKS, NOISE_PX = 8, 2.0
WRONG_MM = 5.0  # a spot farther off than this is in the wrong place
COVERED = (0.2, 0.5)  # of the print: a game in progress
Tell = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Trial:
    """One still: how much of the print was covered, and what came of it."""

    covered: float
    found: Registration | None
    off_mm: Floats  # of all spots in the picture; empty where it was refused
    tilt_off_deg: float  # with the focal length known
    clicks_off_mm: Floats
    other_refused: bool
    seconds: float


def judge_calibration(stills: Sequence[Still], tell: Tell) -> dict[str, Any]:
    """Register every still; return measures and counts."""
    trials = []
    for number, still in enumerate(stills, start=1):
        trials.append(_trial(still, np.random.default_rng(number)))
        tell(number, len(stills))
    busy = [trial for trial in trials if COVERED[0] <= trial.covered <= COVERED[1]]
    return {"measures": list(_measures(trials)), "busy": list(_measures(busy)) if busy else [], **_counts(trials, busy)}


def _measures(trials: Sequence[Trial]) -> Iterator[Measure]:
    good = [trial for trial in trials if trial.found is not None and trial.found.is_good]
    off = np.concatenate([trial.off_mm for trial in good])
    tilts = np.abs([trial.tilt_off_deg for trial in good])
    clicked = np.concatenate([trial.clicks_off_mm for trial in trials])
    wrong = sum(bool((trial.off_mm > WRONG_MM).any()) for trial in good)
    right = [trial for trial in good if not (trial.off_mm > WRONG_MM).any()]
    refusals = [trial.other_refused for trial in trials]
    yield Measure("felts registered", len(right) / len(trials), len(trials), 0.98, 0.998)
    yield Measure(
        "felts registered wrongly, in silence", wrong / len(trials), len(trials), 0.0, 0.0, less_is_better=True
    )
    yield Measure("another felt refused", float(np.mean(refusals)), len(trials), 1.0, 1.0)
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
        yield Measure(name, float(value), number, floor, aim, less_is_better=True)


def _counts(trials: Sequence[Trial], busy: Sequence[Trial]) -> dict[str, Any]:
    return {
        "stills": len(trials),
        "stills_20_to_50_covered": len(busy),
        "covered_median": float(np.median([trial.covered for trial in trials])),
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


def _trial(still: Still, rng: np.random.Generator) -> Trial:
    layout, artwork = felt(still.look["felt"])
    picture, true = still.picture(), Camera.from_dict(still.camera)
    started = process_time()
    found = register(picture, artwork, layout, LensHint())
    seconds = process_time() - started
    known = refine(picture, artwork, found.camera, LensHint(true.lens.focal_px)) if found is not None else None
    tilt_off = known.fit.camera.tilt_deg() - true.tilt_deg() if known is not None else float("nan")
    other_layout, other = felt(_another(still.look["felt"], rng))
    wrong = register(picture, other, other_layout, LensHint())
    off = spots_off_mm(found.camera, true, layout) if found is not None else np.zeros(0)
    clicked = register_clicks(_clicks(true, layout, rng), (true.lens.width, true.lens.height), layout, LensHint())
    return Trial(
        covered=covered_share(still, artwork, true),
        found=found,
        off_mm=off,
        tilt_off_deg=tilt_off,
        clicks_off_mm=spots_off_mm(clicked.camera, true, layout),
        other_refused=wrong is None or not wrong.is_good,
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


def covered_share(still: Still, artwork: Artwork, camera: Camera) -> float:
    """Return which share of the print's lines in the picture is under something."""
    view = expected(artwork, camera)
    grey = cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    lines = (steep > np.percentile(steep[view.on_felt], 92)) & view.on_felt
    kinds = still.kinds()
    coarse = lines[MAP_STEP // 2 :: MAP_STEP, MAP_STEP // 2 :: MAP_STEP]
    rows, columns = min(kinds.shape[0], coarse.shape[0]), min(kinds.shape[1], coarse.shape[1])
    return float((kinds[:rows, :columns] > 0)[coarse[:rows, :columns]].mean())
