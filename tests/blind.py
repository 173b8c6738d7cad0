"""A pipeline that sees nothing, for tests of what happens around it."""

from typing import Self

from vision.alerts.judge import Judge
from vision.attention.region import FrameTrace, Region
from vision.capture.video import Frame
from vision.detect.detection import Detection
from vision.observe.frame_observation import FrameObservation
from vision.pipeline import Pipeline
from vision.rules.book.sheet import read_sheet
from vision.table.table import Table
from vision.values.geometry import Camera


class Blind(Pipeline):
    """Sees nothing, from where a camera stands."""

    def __init__(self, camera: Camera, judge: Judge) -> None:
        self.camera, self._judge = camera, judge
        self.trace = FrameTrace(None, 0, (Region((0, 0, 2, 2), ("settled",)),))

    @classmethod
    def of(cls, table: Table, rounds_before: int = 0) -> Self:
        return cls(table.camera, Judge(table.file.name, read_sheet(table.house_path), table.layout, rounds_before))

    @property
    def known(self) -> tuple[Detection, ...]:
        return ()

    def observe(self, frame: Frame) -> FrameObservation:
        return FrameObservation(frame.index, frame.t_ns, ())
