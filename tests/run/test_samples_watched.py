"""The samples at the reference view, watched whole, with each copy of the networks that this processor is good for."""

from functools import cache
from pathlib import Path

import pytest

from vision.alerts.judge import Judge
from vision.capture.video import frames
from vision.detect.detectors import Detectors
from vision.detect.models import quick_copy
from vision.pipeline import Pipeline
from vision.records.alert import Alert
from vision.records.message import Message
from vision.rules.book.sheet import read_sheet
from vision.run.frame_loop import FrameLoop, Span
from vision.table.table import read_table
from vision.table.views import measure_view

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
COPIES = sorted({"", quick_copy()})


@cache
def alerts(sample: str, copy: str) -> tuple[Alert, ...]:
    """Return what was raised and not withdrawn."""
    table, told = read_table(SAMPLES / sample), dict[str, Alert]()
    judge = Judge(table.file.name, read_sheet(table.house_path), table.layout)
    pipeline = Pipeline(table, judge, Detectors(copy=copy, is_watching=True))

    def put(message: Message) -> None:
        if isinstance(message.record, Alert):
            told[message.record.id] = message.record

    FrameLoop(pipeline).run(frames(str(table.source)), put, lambda _: None, Span())
    return tuple(alert for alert in told.values() if alert.state != "withdrawn")
