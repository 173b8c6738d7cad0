"""The walk of one frame: camera -> regions -> detections -> observation -> records, one line per stage.

One arrow goes back: the last scene steers attention.
"""

from dataclasses import dataclass
from typing import Self

from vision.alerts.judge import Judge
from vision.attention.attention import Attention
from vision.attention.region import FrameTrace
from vision.calibrate.camera_watch import CameraWatch
from vision.capture.video import Frame
from vision.detect.detection import Detection
from vision.detect.detectors import ObjectDetector
from vision.detect.scene_detector import SceneDetector, trace_of
from vision.observe.frame_observation import FrameObservation
from vision.observe.observer import Observer
from vision.records.message import Message
from vision.records.signal import Signal
from vision.rules.book.sheet import read_sheet
from vision.table.table import Table
from vision.values.geometry import Camera


@dataclass(frozen=True)
class Moment:
    """A frame with all that was made of it."""

    frame: Frame
    observation: FrameObservation
    trace: FrameTrace
    camera: Camera
    known: tuple[Detection, ...]  # all that is believed to lie on the table, and the hands above it
    belief: dict[str, object]
    messages: tuple[Message, ...]


class Pipeline:
    """Follows one table."""

    def __init__(self, table: Table, judge: Judge, detectors: ObjectDetector | None = None) -> None:
        self._calibration = CameraWatch(table)
        self._attention = Attention(table)
        self._detector = SceneDetector(table, detectors)
        self._observer = Observer(table)
        self._judge = judge
        self.camera, self.trace = table.camera, FrameTrace(None, 0)

    @classmethod
    def of(cls, table: Table, rounds_before: int = 0) -> Self:
        """Return the pipeline of a table, after so many rounds that were played before."""
        return cls(table, Judge(table.file.name, read_sheet(table.house_path), table.layout, rounds_before))

    @property
    def known(self) -> tuple[Detection, ...]:
        """Return all that is believed to lie on the table, and the hands above it, as last seen and read."""
        return self._detector.known

    def observe(self, frame: Frame) -> FrameObservation:
        """Return what a frame shows: the first half of the walk."""
        camera = self._calibration.update(frame)
        view = self._attention.update(frame, camera, self._detector.scene)
        detections = self._detector.update(frame, view)
        self.camera, self.trace = camera.camera, trace_of(view, detections)
        return self._observer.update(frame, view, detections)

    def update(self, frame: Frame) -> Moment:
        """Take in one frame; return it with what became of it."""
        observation = self.observe(frame)
        messages = tuple(self._judge.update(observation))
        return Moment(frame, observation, self.trace, self.camera, self.known, self._judge.view(), messages)

    def signal(self, signal: Signal) -> list[Message]:
        """Take in what another system says."""
        return self._judge.signal(signal)

    def finish(self, t_ns: int) -> list[Message]:
        """End the stream."""
        return self._judge.finish(t_ns)
