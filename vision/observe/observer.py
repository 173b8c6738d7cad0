"""From pixels to the table: a frame's view and detections enter, its `FrameObservation` in millimetres leaves."""

from vision.attention.attention import View
from vision.calibrate.drift import State
from vision.capture.video import Frame
from vision.detect.detection import Detection, Found
from vision.detect.scene_detector import SceneDetections
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed, Placer
from vision.table.table import Table


class Observer:
    """Places what is detected in the frames of one table."""

    def __init__(self, table: Table) -> None:
        self._placer = Placer(table.camera, table.layout, table.chips)
        self._hands: tuple[tuple[Found, ...], list[Placed]] = ((), [])  # of the last frame, and where they were
        self._moved_px: float | None = None  # by how much the camera was found moved, until it is reported

    def update(self, frame: Frame, view: View, seen: SceneDetections) -> FrameObservation:
        """Return what a frame shows of the table."""
        if view.camera != self._placer.camera:
            self._placer, self._hands = self._placer.under(view.camera), ((), [])
        self._moved_px = self._moved_px if view.moved_px is None else view.moved_px
        if view.is_blind:
            return FrameObservation(frame.index, frame.t_ns, (), frozenset(), is_sure=False, trouble=view.trouble)
        moved_px, self._moved_px = self._moved_px, None
        return FrameObservation(
            index=frame.index,
            t_ns=frame.t_ns,
            things=(*self._placed_things(seen), *self._placed_hands(seen.hands)),
            looked=seen.looked,
            is_sure=view.state is not State.UNSURE,
            bare=tuple((placed.x, placed.y) for placed in self._placer.place(seen.gone)) if seen.gone else (),
            moved_px=moved_px,
        )

    def _placed_things(self, seen: SceneDetections) -> list[Placed]:
        """Place objects; a stack that stands on another is known by the other, whether that was looked at or not."""
        has_stack = any(one.found.kind == "stack" for one in seen.things)
        company = seen.standing if has_stack else ()
        return self._placer.place([*seen.things, *company])[: len(seen.things)]

    def _placed_hands(self, hands: tuple[Found, ...]) -> list[Placed]:
        """Place hands, anew only where they are not those of the frame before."""
        if hands != self._hands[0]:
            self._hands = hands, self._placer.place([Detection(hand) for hand in hands])
        return self._hands[1]
