"""What every test may use: the golden recordings and the switch that rewrites them."""

import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite expected recordings; review the diff like code"
    )


def read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Golden:
    """Recordings of a stage: what went in, and what is expected to come out."""

    def __init__(self, *, update: bool) -> None:
        self._update = update

    def check(self, case: str, got: list[Any]) -> None:
        """Compare with the recording, or write it anew where the command line says so."""
        path = GOLDEN / case / "expected.jsonl"
        if self._update:
            lines = [json.dumps(entry, ensure_ascii=False) for entry in got]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        assert got == read_lines(path)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(update=bool(request.config.getoption("--update-golden")))
