"""The first half of the walk: frames of one camera enter, what each shows of the table leaves."""

import numpy as np

from vision.attention.attention import Attention, View
from vision.attention.region import FrameTrace
from vision.calibrate.camera_watch import CameraWatch
from vision.capture.video import Frame
from vision.detect.detection import Detection
from vision.detect.detectors import ObjectDetector
from vision.detect.scene_detector import SceneDetections, SceneDetector
from vision.observe.frame_observation import FrameObservation
from vision.observe.observer import Observer
from vision.table.table import Table
from vision.values.geometry import Camera


class CameraFrameReader:
    """Reads the frames of one camera, in order."""

    def __init__(self, table: Table, threads: int = 1, detectors: ObjectDetector | None = None) -> None:
        self._calibration = CameraWatch(table)
        self._attention = Attention(table)
        self._detector = SceneDetector(table, threads, detectors)
        self._observer = Observer(table)
        self.camera: Camera = table.camera
        self.last = FrameTrace(None, 0)

    @property
    def known(self) -> list[Detection]:
        """Return everything that is believed to lie on the table, and the hands above it, as last seen and read."""
        return self._detector.known

    def look(self, frame: Frame) -> FrameObservation:
        """Return what a frame shows; the last scene steers attention."""
        camera = self._calibration.update(frame)
        view = self._attention.update(frame, camera, self._detector.scene)
        detections = self._detector.update(frame, view)
        self.camera, self.last = camera.camera, _trace(view, detections)
        return self._observer.update(frame, view, detections)


def _trace(view: View, seen: SceneDetections) -> FrameTrace:
    searched = () if view.search is None else view.search.regions
    return FrameTrace(view.state, int(np.count_nonzero(view.moving)), (*searched, *seen.hand_regions), seen.read)
