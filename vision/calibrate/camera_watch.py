"""The camera of a table, frame by frame: frames enter, the camera to work with and how far to trust it leave."""

from dataclasses import dataclass

from vision.calibrate.drift import DriftWatch, State
from vision.capture.video import Frame
from vision.table.artwork import read_artwork
from vision.table.table import Table
from vision.values.errors import InputError
from vision.values.geometry import Camera


@dataclass(frozen=True, slots=True)
class CameraState:
    """The camera during one frame."""

    camera: Camera
    state: State | None  # None: the felt has no print by which to watch the camera
    moved_px: float | None = None  # the camera was registered anew with this frame, after a shift of so much


class CameraWatch:
    """Vouches for the camera of one table; a felt without print gives no means to, and its camera file is believed."""

    def __init__(self, table: Table) -> None:
        self._table, self._camera = table, table.camera
        self._drift: DriftWatch | None = None
        if table.layout.artwork is not None:
            self._drift = DriftWatch(read_artwork(table.layout_folder, table.layout), table.layout, table.camera)

    def update(self, frame: Frame) -> CameraState:
        """Return the camera as it stands in a frame."""
        self._check_size(frame)
        if self._drift is None:
            return CameraState(self._camera, None)
        drift = self._drift.update(frame.t_ns, frame.picture)
        moved_px = drift.shift_px if drift.camera != self._camera else None
        self._camera = drift.camera
        return CameraState(drift.camera, drift.state, moved_px)

    def _check_size(self, frame: Frame) -> None:
        height, width = frame.picture.shape[:2]
        lens = self._table.camera.lens
        if (width, height) != (lens.width, lens.height):
            raise InputError(
                f"frame {frame.index}: {width} x {height}: want {lens.width} x {lens.height},"
                f" as the camera of {self._table.path} was calibrated"
            )
