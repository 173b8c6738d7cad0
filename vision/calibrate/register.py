"""Registration: which camera took this picture of this felt. A picture and a print, or clicked points, enter.

A registration says how good it is and, where it is not good enough, why: it is never bad in silence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.calibrate.clicks import Click, camera_from, observed
from vision.calibrate.coarse import guesses
from vision.calibrate.fit import Fit, LensHint, fit
from vision.calibrate.refine import EXACT_PX, REACHES, Refined, find_marks, refine
from vision.table.artwork import Artwork
from vision.table.layout import Layout
from vision.table.print_check import print_problem
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

SYSTEMATIC = 4.0  # print, lens and cloth err together where patches seem to err alone: found by measuring
LEAST_SEEN, LEAST_SHARE = 40, 0.22  # patches of the print that must be seen where they belong
SURE_SHARE = 0.45  # of a guess: no other needs to be tried
MOST_SPREAD_MM, MOST_OFF_PX = 4.0, 1.0
MOST_TILT_DEG, HEIGHTS_MM = 75.0, (400.0, 12_000.0)
UNDETERMINED = 0.05  # uncertainty of the focal length, as a share, from which on the view does not tell it
GIVEN_FOCAL = 2e-4  # uncertainty of a focal length that was given, as a share
BORROWED_FOCAL, BORROWED_TILT_DEG = 0.25, 2.0  # uncertainty that a print from a photograph adds
MIRROR_REACH, MIRROR_BETTER = 6, 1.3  # how far marks are looked for in a mirror; more marks seen there by this
CLICKED_PX = 2.0  # how exactly people click


@dataclass(frozen=True, eq=False)
class Registration:
    """A camera, how well it explains what was seen, what is uncertain, and what is wrong with it, if anything."""

    camera: Camera
    seen: int  # patches of the print, or clicks, that are where they belong
    asked: int
    off_px: float  # root mean square
    off_mm: float
    spot_spread_mm: float  # of the least certain spot in the picture
    tilt_spread_deg: float
    focal_spread: float  # as a share
    outside: tuple[int, ...]  # seats with a spot that the picture does not show
    problems: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Say whether the camera may be used."""
        return not self.problems

    def record(self) -> dict[str, object]:
        """Return the registration as the command prints it."""
        tells = self.focal_spread < UNDETERMINED
        return {
            "good": self.is_good,
            "problems": list(self.problems),
            "seen": self.seen,
            "asked": self.asked,
            "off_px": round(self.off_px, 3),
            "off_mm": round(self.off_mm, 3),
            "spot_spread_mm": round(self.spot_spread_mm, 2),
            "tilt_deg": round(self.camera.tilt_deg(), 2),
            "tilt_spread_deg": round(self.tilt_spread_deg, 2),
            "focal_px": round(self.camera.lens.focal_px, 1),
            "focal_spread_px": round(self.focal_spread * self.camera.lens.focal_px, 1),
            "focal": "determined by the view" if tells else "not determined by the view: give --focal if it is known",
            "seats_outside": list(self.outside),
        }


def register(
    picture: Picture, artwork: Artwork, layout: Layout, hint: LensHint, clicks: Sequence[Click] = ()
) -> Registration | None:
    """Find the camera that took a picture; None if the print is nowhere to be seen. Clicks say where to begin."""
    height, width = picture.shape[:2]
    starts = [camera_from(clicks, (width, height), hint)] if clicks else guesses(picture, artwork, hint)
    best: Refined | None = None
    for start in starts:
        tried = refine(picture, artwork, start, hint)
        if tried is not None and (best is None or tried.seen > best.seen):
            best = tried
        if best is not None and best.share >= SURE_SHARE and best.seen >= 2 * LEAST_SEEN:
            break
    if best is None:
        return None
    judged = _judged(best, layout)
    misplaced = print_problem(artwork, layout)
    wrong = (*_mirrored(picture, artwork, best), *([misplaced] if misplaced else []))
    return replace(judged, problems=(*judged.problems, *wrong))


def _mirrored(picture: Picture, artwork: Artwork, found: Refined) -> list[str]:
    """Say so if the picture fits better in a mirror: but for its words, a felt looks the same from left and right."""
    camera = found.fit.camera
    x, y, z = camera.position_mm
    swap = np.diag([-1.0, 1.0, 1.0])
    rows = swap @ np.array(camera.rotation) @ swap
    other = replace(camera, rotation=tuple((float(a), float(b), float(c)) for a, b, c in rows), position_mm=(-x, y, z))
    seen = len(find_marks(artwork, other, np.ascontiguousarray(picture[:, ::-1]), MIRROR_REACH).seen.pixels)
    return ["the picture is mirrored: its words read backwards"] if seen > MIRROR_BETTER * found.seen else []


def register_near(picture: Picture, artwork: Artwork, layout: Layout, start: Camera) -> Registration | None:
    """Find the camera again after it was moved a little: the lens is the same."""
    lens = start.lens
    hint = LensHint(lens.focal_px, (lens.k1, lens.k2))
    found = refine(picture, artwork, start, hint, REACHES)
    return None if found is None else _judged(found, layout)


def register_clicks(clicks: Sequence[Click], size: tuple[int, int], layout: Layout, hint: LensHint) -> Registration:
    """Find the camera from clicked points alone."""
    start = camera_from(clicks, size, hint)
    found = fit(start, observed(clicks), hint, 3 * CLICKED_PX)
    widened = Fit(found.camera, found.off_px, np.maximum(1.0, _variance(found)) * found.covariance)
    near = int((found.off_px < 4 * CLICKED_PX).sum())
    problems = [*_implausible(found.camera)]
    worst = int(found.off_px.argmax())
    if found.off_px[worst] > 4 * CLICKED_PX:
        problems.append(f"{clicks[worst]} is {found.off_px[worst]:.0f} px off what the other points say")
    return _registration(widened, layout, (near, len(clicks)), problems, 1.0)


def _variance(found: Fit) -> float:
    return float((found.off_px**2).mean() / CLICKED_PX**2)


def _judged(refined: Refined, layout: Layout) -> Registration:
    problems = list(_implausible(refined.fit.camera))
    if refined.seen < LEAST_SEEN:
        problems.append(f"only {refined.seen} marks of the print are seen: want {LEAST_SEEN}")
    if refined.share < LEAST_SHARE:
        problems.append(f"only {refined.share:.0%} of the print looks as it should: another felt, or too much on it")
    return _registration(refined.fit, layout, (refined.seen, refined.asked), problems, SYSTEMATIC)


def _registration(
    found: Fit, layout: Layout, counts: tuple[int, int], problems: list[str], widened: float
) -> Registration:
    camera = found.camera
    near = found.off_px[found.off_px < EXACT_PX] if widened > 1 else found.off_px
    off_px = float(np.sqrt((near**2).mean())) if len(near) else float("nan")
    shown, outside = _spots(camera, layout)
    spread = float(found.place_spread_mm(shown).max()) * widened if len(shown) else float("inf")
    if spread > MOST_SPREAD_MM:
        problems.append(f"spots are uncertain by {spread:.1f} mm: want at most {MOST_SPREAD_MM:g}")
    if widened > 1 and off_px > MOST_OFF_PX:
        problems.append(f"the print is {off_px:.2f} px off on average: want at most {MOST_OFF_PX:g}")
    middle = (0.0, layout.size_mm[1] / 2, 0.0)
    focal, tilt = found.focal_share * widened, found.tilt_spread_deg() * widened
    if layout.photographed and found.focal_share > GIVEN_FOCAL:  # its print has the bend of another lens in it
        focal, tilt = np.hypot(focal, BORROWED_FOCAL), np.hypot(tilt, BORROWED_TILT_DEG)
    return Registration(
        camera=camera,
        seen=counts[0],
        asked=counts[1],
        off_px=off_px,
        off_mm=off_px / camera.scale_px_per_mm(middle),
        spot_spread_mm=spread,
        tilt_spread_deg=float(tilt),
        focal_spread=float(focal),
        outside=outside,
        problems=tuple(problems),
    )


def _spots(camera: Camera, layout: Layout) -> tuple[Floats, tuple[int, ...]]:
    """Return the middles of the spots that the picture shows, and the seats of those that it does not."""
    places = np.array([shape.centre for seat in layout.seat for shape in seat.spots.values()])
    seats = np.array([seat.number for seat in layout.seat for _ in seat.spots])
    points = np.c_[places, np.zeros(len(places))]
    pixels = camera.project(points)
    size = np.array([camera.lens.width, camera.lens.height])
    is_shown = ((pixels >= 0) & (pixels <= size - 1)).all(axis=1) & (camera.to_camera(points)[:, 2] > 0)
    return places[is_shown], tuple(int(n) for n in np.unique(seats[~is_shown]))


def _implausible(camera: Camera) -> list[str]:
    """Return what no camera above a table does."""
    low, high = HEIGHTS_MM
    problems = []
    if not low <= camera.position_mm[2] <= high:
        problems.append(
            f"the camera would hang {camera.position_mm[2]:.0f} mm above the felt: want {low:.0f} to {high:.0f}"
        )
    if camera.tilt_deg() > MOST_TILT_DEG:
        problems.append(
            f"the camera would look {camera.tilt_deg():.0f}° off the vertical: want at most {MOST_TILT_DEG:.0f}"
        )
    return problems
