"""Every reading of the wider book, one case each or more: where the texts are silent or contradict themselves.

`due` is what the case is paid by: the odds, or the cents where odds do not say it all.
"""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from vision.rules.due.wire import Settler

ROOT: Final = Path(__file__).parents[3]
CASES: Final = [
    json.loads(line)
    for line in (ROOT / "tests" / "golden" / "readings" / "wagers.jsonl").read_text(encoding="utf-8").splitlines()
]
READING: Final = re.compile(r"^\| (B-[A-Z0-9]+(?:-\d)?) ", re.MULTILINE)
SETTLES_NOTHING: Final = {
    "B-PG-5",
    "B-609-1",
    "B-X-1",
    "B-X-2",
    "B-X-3",
    "B-X-4",
    "B-X-5",
}  # meters, the cage, the program


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{case['reading']}" for i, case in enumerate(CASES)])
def test_a_reading_is_what_the_program_does(case: dict[str, Any]) -> None:
    got = Settler().answer(json.dumps(case["ask"]), 1)
    assert got.get("outcome") == case["outcome"], got
    assert case["due"] in (got["odds"], got["paid"])
    assert (got["why"] is not None) == (case["outcome"] == "unresolved")


def test_every_reading_of_the_wider_book_has_a_case() -> None:
    listed = set(READING.findall((ROOT / "docs" / "readings.md").read_text(encoding="utf-8")))
    assert listed - {case["reading"] for case in CASES} == SETTLES_NOTHING
