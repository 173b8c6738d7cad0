"""How fast registration and the drift watch are, next to matching a frame with SIFT alone, in one run on one core."""

from itertools import islice
from pathlib import Path
from time import process_time

import cv2
import numpy as np

from vision.calibrate.drift import DriftWatch
from vision.calibrate.fit import LensHint
from vision.calibrate.register import register
from vision.capture.video import frames
from vision.table.artwork import read_artwork
from vision.table.table import read_table
from vision.values.errors import InputError
from vision.values.picture import Picture

FRAMES = 300


def measure(folder: Path) -> dict[str, object]:
    """Register a frame of a recorded clip, and watch it for drift."""
    table = read_table(folder)
    if table.source is None:
        raise InputError(f"{table.path}: source: missing: want a recorded clip")
    artwork = read_artwork(table.layout_folder, table.layout)
    watch, watching = DriftWatch(artwork, table.layout, table.camera), 0.0
    for frame in islice(frames(table.source), FRAMES):
        started = process_time()
        watch.update(frame.t_ns, frame.picture)
        watching += (process_time() - started) / FRAMES
    picture = frame.picture
    started = process_time()
    found = register(picture, artwork, table.layout, LensHint())
    registering = process_time() - started
    plain = _plain_seconds(picture, artwork.picture)
    return {
        "bench": "calibrate",
        "registered": found is not None and found.is_good,
        "registration_seconds": round(registering, 2),
        "drift_ms_per_frame": round(watching * 1000, 3),
        "sift_homography_ms_per_frame": round(plain * 1000, 1),
        "drift_ratio": round(plain / watching, 1),
    }


def _plain_seconds(picture: Picture, artwork: Picture) -> float:
    """Time what one would use instead: corners of both, matched, and a homography."""
    sift, matcher = cv2.SIFT.create(2000), cv2.BFMatcher(cv2.NORM_L2)
    points, looks = sift.detectAndCompute(artwork, None)
    started = process_time()
    seen, seen_looks = sift.detectAndCompute(picture, None)
    pairs = [a for a, b in matcher.knnMatch(seen_looks, looks, k=2) if a.distance < 0.8 * b.distance]
    here, there = [points[pair.trainIdx].pt for pair in pairs], [seen[pair.queryIdx].pt for pair in pairs]
    cv2.findHomography(np.array(here), np.array(there), cv2.RANSAC, 5.0)
    return process_time() - started
