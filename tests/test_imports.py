"""A part imports only words and the parts above it: the order of the data is the order of the imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import vision

ROOT = Path(vision.__file__).parent
PARTS = ["capture", "detect", "calibrate", "track", "rules", "rounds", "alerts", "bus", "store", "footage"]
PARTS += ["pipeline", "annotate", "replay", "live", "score", "compare", "simulate", "learn", "suites", "web", "show"]
PARTS += ["demo", "bench", "commands", "cli"]
WORDS = ["cards", "chips", "money", "geometry", "clock", "errors", "config", "resources", "documents", "workers"]
RULES = ["text", "hands", "book", "due", "play", "odds"]
HEAVY = {"cv2", "onnxruntime", "torch", "ultralytics", "av"}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def part_of(name: str, depth: int) -> str | None:
    words = name.split(".")
    return words[depth] if words[0] == "vision" and len(words) > depth else None


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_parts_import_upwards_only(path: Path) -> None:
    own = path.relative_to(ROOT.parent).with_suffix("").parts
    mine = part_of(".".join(own), 1)
    for name in imports(path):
        other = part_of(name, 1)
        if mine in PARTS and other in PARTS:
            assert PARTS.index(other) <= PARTS.index(mine), f"{mine} imports {name}"
        if mine in WORDS:
            assert other not in PARTS, f"the words import {name}"


@pytest.mark.parametrize("path", sorted((ROOT / "rules").rglob("*.py")), ids=lambda path: path.stem)
def test_rules_import_upwards_only(path: Path) -> None:
    mine = part_of(".".join(path.relative_to(ROOT.parent).with_suffix("").parts), 2)
    for name in imports(path):
        other = part_of(name, 2)
        if mine in RULES and name.startswith("vision.rules.") and other in RULES:
            assert RULES.index(other) <= RULES.index(mine), f"{mine} imports {name}"
        assert name.split(".")[0] not in HEAVY, f"the rules import {name}"


def test_every_module_has_its_place() -> None:
    """A new part must be put into the order above before it can be imported."""
    names = {path.relative_to(ROOT).with_suffix("").parts[0] for path in modules()} - {"__init__"}
    assert names <= {*PARTS, *WORDS}
