"""The committed sample clips: small, playable, and about what their names say."""

import json
from pathlib import Path
from typing import Any

import av
import pytest

from vision.table.table import read_table

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
MEGABYTE = 1_000_000


def rounds(name: str) -> list[dict[str, Any]]:
    lines = (SAMPLES / name / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    return [record for record in map(json.loads, lines) if record["kind"] == "round"]


@pytest.mark.parametrize(
    ("name", "verdict", "codes"),
    [
        ("clean", "right", []),
        ("exposed-dealer-card", "void", ["dealer-card-exposed"]),  # Maryland voids, and all was given back
        ("mispay", "wrong", ["winner-collected"]),
        ("clean-reference", "right", []),
        ("exposed-reference", "void", ["dealer-card-exposed"]),
        ("short-paid", "wrong", ["underpaid"]),  # an Aces Up by one $5 chip
    ],
)
def test_a_sample_is_what_it_is_called(name: str, verdict: str, codes: list[str]) -> None:
    (record,) = rounds(name)
    assert record["verdict"] == verdict
    assert [fault["code"] for fault in record["faults"]] == codes
    table = read_table(SAMPLES / name)
    with av.open(str(SAMPLES / name / "video.mp4")) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert (stream.width, stream.height) == (table.camera.lens.width, table.camera.lens.height)
        rate = float(stream.average_rate or 0)
        assert stream.frames / rate == pytest.approx(record["ended_ns"] / 1e9, abs=3)


def test_samples_are_small() -> None:
    sizes = [path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()]
    assert max(sizes) < 12 * MEGABYTE
    assert sum(sizes) < 60 * MEGABYTE
