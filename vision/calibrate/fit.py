"""Which camera sees these places at these pixels: observations enter, a camera with its uncertainty leaves.

Least squares over pose, focal length and two distortion terms (Gauss-Newton with damping). An observation far off
counts little (Cauchy weights), so that a mistaken one does not pull. What a view cannot tell is held by a wide prior,
and the covariance says so: from straight above, focal length and height of the camera look alike.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.values.geometry import Camera, Floats, Lens

# Assumed where a comment names no measurement.
USUAL_FOCAL, FOCAL_SPREAD = 0.95, 0.35  # of the picture's width, and of its logarithm: what ceiling cameras have
BENT, BENT_MORE = 0.2, 0.08  # how far lenses bend: spread of k1 and k2
MAX_STEPS, MIN_GAIN = 40, 1e-7
PARAMETERS = 9  # turn (3), position (3), logarithm of the focal length, k1, k2


@dataclass(frozen=True, eq=False)
class Observations:
    """Places on the felt and where they were seen; `weights` (n, 2, 2) whiten: large where a place is exact."""

    places_mm: Floats  # (n, 2)
    pixels: Floats  # (n, 2)
    weights: Floats  # (n, 2, 2), in 1 / px


@dataclass(frozen=True)
class LensHint:
    """What is known of a lens before: its focal length, its distortion, or nothing."""

    focal_px: float | None = None
    distortion: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Fit:
    """A camera, how far each observation is off, in pixels, and what is uncertain."""

    camera: Camera
    off_px: Floats  # (n,)
    covariance: Floats  # of turn, position, log focal, k1, k2

    @property
    def focal_share(self) -> float:
        """Return the uncertainty of the focal length as a share of it."""
        return float(np.sqrt(self.covariance[6, 6]))

    def tilt_spread_deg(self) -> float:
        """Return the uncertainty of the tilt."""
        slope = np.array([moved(self.camera, step).tilt_deg() for step in np.eye(PARAMETERS) * 1e-5])
        slope = (slope - self.camera.tilt_deg()) / 1e-5
        return float(np.sqrt(slope @ self.covariance @ slope))

    def place_spread_mm(self, places_mm: Floats) -> Floats:
        """Return the uncertainty of where pixels of these places (n, 2) lie on the felt."""
        points = np.c_[places_mm, np.zeros(len(places_mm))]
        pixels = self.camera.project(points)
        steps = np.eye(PARAMETERS) * _step_sizes(self.camera)
        slopes = [(moved(self.camera, step).place(pixels)[:, :2] - places_mm) / step.sum() for step in steps]
        by_parameter = np.stack(slopes, axis=-1)  # (n, 2, parameters)
        spread = np.einsum("nip,pq,niq->n", by_parameter, self.covariance, by_parameter)
        return np.asarray(np.sqrt(np.maximum(spread, 0)))


def fit(start: Camera, seen: Observations, hint: LensHint, scale_px: float) -> Fit:
    """Return the camera near `start` that explains the observations best; beyond `scale_px` they count less."""
    camera, damping = start, 1e-3
    cost, system = _normal_equations(camera, seen, hint, scale_px)
    for _ in range(MAX_STEPS):
        matrix, slope = system
        step = np.asarray(-np.linalg.solve(matrix + damping * np.diag(np.diag(matrix)), slope), float)
        tried = moved(camera, step)
        try_cost, try_system = _normal_equations(tried, seen, hint, scale_px)
        if try_cost < cost:
            is_done = cost - try_cost < MIN_GAIN * cost
            camera, cost, system, damping = tried, try_cost, try_system, damping / 5
            if is_done:
                break
        else:
            damping *= 8
            if damping > 1e8:
                break
    off = np.linalg.norm(residuals(camera, seen.places_mm, seen.pixels), axis=1)
    noise = _noise(camera, seen, scale_px)
    return Fit(camera, off, np.asarray(np.linalg.inv(system[0]) * noise, float))


def residuals(camera: Camera, places_mm: Floats, pixels: Floats) -> Floats:
    """Return how far from where they were seen the camera would see places, in pixels."""
    return camera.project(np.c_[places_mm, np.zeros(len(places_mm))]) - pixels


def moved(camera: Camera, step: Floats) -> Camera:
    """Return the camera after a small step of all parameters."""
    turn = cv2.Rodrigues(step[:3])[0] @ np.array(camera.rotation)
    x, y, z = np.array(camera.position_mm) + step[3:6]
    lens = camera.lens
    focal = lens.focal_px * float(np.exp(np.clip(step[6], -1, 1)))
    bent = replace(lens, focal_px=focal, k1=lens.k1 + float(step[7]), k2=lens.k2 + float(step[8]))
    rows = tuple((float(a), float(b), float(c)) for a, b, c in turn)
    return Camera(bent, rows, (float(x), float(y), float(z)))


def _step_sizes(camera: Camera) -> Floats:
    """Return small steps, one for each parameter, that move pixels about alike."""
    far = float(np.linalg.norm(camera.position_mm))
    return np.array([1e-5] * 3 + [far * 1e-5] * 3 + [1e-5] * 3)


def _normal_equations(
    camera: Camera, seen: Observations, hint: LensHint, scale_px: float
) -> tuple[float, tuple[Floats, Floats]]:
    """Return the cost at a camera, and the linear system for the next step."""
    here = residuals(camera, seen.places_mm, seen.pixels)
    sizes = _step_sizes(camera)
    slopes = [
        (residuals(moved(camera, row), seen.places_mm, seen.pixels) - here) / size
        for row, size in zip(np.eye(PARAMETERS) * sizes, sizes, strict=True)
    ]
    white = np.einsum("nij,nj->ni", seen.weights, here)
    slope = np.einsum("nij,njp->nip", seen.weights, np.stack(slopes, axis=-1))
    squares = (white**2).sum(axis=1) / scale_px**2
    count = 1 / (1 + squares)
    matrix = np.einsum("n,nip,niq->pq", count, slope, slope)
    gradient = np.einsum("n,nip,ni->p", count, slope, white)
    cost = scale_px**2 * float(np.log1p(squares).sum())
    for place, off, spread in _priors(camera.lens, hint):
        matrix[place, place] += 1 / spread**2
        gradient[place] += off / spread**2
        cost += (off / spread) ** 2
    if not np.isfinite(cost):
        return float("inf"), (matrix, gradient)
    return cost, (matrix, gradient)


def _priors(lens: Lens, hint: LensHint) -> list[tuple[int, float, float]]:
    """Return what is believed of a lens before looking: parameter, how far it is off, spread."""
    focal, spread = USUAL_FOCAL * lens.width, FOCAL_SPREAD
    if hint.focal_px is not None:
        focal, spread = hint.focal_px, 1e-4
    k1, k2, loose = 0.0, 0.0, 1.0
    if hint.distortion is not None:
        (k1, k2), loose = hint.distortion, 1e-3
    return [
        (6, float(np.log(lens.focal_px / focal)), spread),
        (7, lens.k1 - k1, BENT * loose),
        (8, lens.k2 - k2, BENT_MORE * loose),
    ]


def _noise(camera: Camera, seen: Observations, scale_px: float) -> float:
    """Return the variance that the observations show beside what their weights promise."""
    white = np.einsum("nij,nj->ni", seen.weights, residuals(camera, seen.places_mm, seen.pixels))
    squares = (white**2).sum(axis=1)
    near = squares < (3 * scale_px) ** 2
    free = max(2 * int(near.sum()) - PARAMETERS, 1)
    return float(squares[near].sum() / free) if near.any() else 1.0
