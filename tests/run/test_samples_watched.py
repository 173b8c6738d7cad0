"""The samples at the reference view, watched whole, with each copy of the networks that this processor is good for."""

from functools import cache
from pathlib import Path

import pytest

from vision.alerts.judge import Judge
from vision.capture.video import SECOND_NS, frames
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
EXPOSED_NS = 22_219_090_688  # as its truth says
LATEST_NS = 2 * SECOND_NS
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


@pytest.mark.parametrize("sample", ["clean-reference", "exposed-reference", "short-paid"])
def test_they_are_filmed_at_the_reference_view(sample: str) -> None:
    table = read_table(SAMPLES / sample)
    assert measure_view(table.camera, table.layout).name == "reference"


@pytest.mark.slow
@pytest.mark.parametrize("copy", COPIES, ids="networks{}".format)
@pytest.mark.xfail(reason="a payment one chip short is not told from the due one yet", strict=True)
def test_a_payment_one_chip_short_is_raised(copy: str) -> None:
    (alert,) = alerts("short-paid", copy)
    assert (alert.code, alert.seat, alert.wager) == ("underpaid", 5, "aces_up")


@pytest.mark.slow
@pytest.mark.parametrize("copy", COPIES, ids="networks{}".format)
def test_a_clean_round_raises_nothing(copy: str) -> None:
    assert alerts("clean-reference", copy) == ()


@pytest.mark.slow
@pytest.mark.parametrize("copy", COPIES, ids="networks{}".format)
def test_an_exposed_hole_card_is_raised(copy: str) -> None:
    (alert,) = [alert for alert in alerts("exposed-reference", copy) if alert.code == "dealer-card-exposed"]
    assert 0 <= alert.t_ns - EXPOSED_NS <= LATEST_NS


@pytest.mark.slow
@pytest.mark.parametrize(
    "copy",
    [
        pytest.param(
            copy,
            marks=[] if copy else pytest.mark.xfail(reason="a stake given back is taken for a payment", strict=True),
        )
        for copy in COPIES
    ],
    ids="networks{}".format,
)
def test_beside_an_exposed_hole_card_nothing_is_raised(copy: str) -> None:
    assert {alert.code for alert in alerts("exposed-reference", copy)} <= {"dealer-card-exposed"}
