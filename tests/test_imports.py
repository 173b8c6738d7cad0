"""Two packages, one direction each: `vision` never imports `studio`.

A part imports only itself and the parts that stand before it in the lists below. Those follow the order of the data but
for `draw`, which stands before `run` since the still of an alert is drawn while watching."""

from pathlib import Path

import pytest

import studio
import vision
from studio.suites.build import imports

ROOT = Path(vision.__file__).parent
STUDIO = Path(studio.__file__).parent
PARTS = ["values", "records", "capture", "footage", "table", "calibrate", "attention", "detect", "observe", "rules"]
PARTS += ["story", "alerts", "pipeline", "bus", "store", "draw", "run", "web", "score", "demo", "commands", "cli"]
WORKSHOP = ["patch", "light", "scene", "stacking", "play", "art", "film", "scripted", "learn", "suites", "bench"]
WORKSHOP += ["commands"]
RULES = ["text", "hands", "book", "due", "play", "odds", "links"]
HEAVY = {"cv2", "onnxruntime", "torch", "ultralytics", "av"}
LEARNING = {"torch", "torchvision", "ultralytics"}  # only `studio/learn` may import these


def modules(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def part_of(name: str, depth: int, package: str = "vision") -> str | None:
    words = name.split(".")
    return words[depth] if words[0] == package and len(words) > depth else None


@pytest.mark.parametrize("path", modules(ROOT), ids=lambda path: str(path.relative_to(ROOT)))
def test_parts_import_upwards_only(path: Path) -> None:
    mine = path.relative_to(ROOT).with_suffix("").parts[0]
    for name in imports(path):
        assert name.split(".")[0] not in {"studio", *LEARNING}, f"the product imports {name}"
        other = part_of(name, 1)
        if mine in PARTS and other in PARTS:
            assert PARTS.index(other) <= PARTS.index(mine), f"{mine} imports {name}"


@pytest.mark.parametrize("path", modules(STUDIO), ids=lambda path: str(path.relative_to(STUDIO)))
def test_the_studio_imports_upwards_only(path: Path) -> None:
    mine = path.relative_to(STUDIO).with_suffix("").parts[0]
    for name in imports(path):
        assert mine == "learn" or name.split(".")[0] not in LEARNING, f"{mine} imports {name}"
        other = part_of(name, 1, "studio")
        if mine in WORKSHOP and other in WORKSHOP:
            assert WORKSHOP.index(other) <= WORKSHOP.index(mine), f"{mine} imports {name}"


@pytest.mark.parametrize("path", sorted((ROOT / "rules").rglob("*.py")), ids=lambda path: path.stem)
def test_rules_import_upwards_only(path: Path) -> None:
    mine = part_of(".".join(path.relative_to(ROOT.parent).with_suffix("").parts), 2)
    for name in imports(path):
        other = part_of(name, 2)
        if mine in RULES and name.startswith("vision.rules.") and other in RULES:
            assert RULES.index(other) <= RULES.index(mine), f"{mine} imports {name}"
        assert name.split(".")[0] not in HEAVY, f"the rules import {name}"


@pytest.mark.parametrize(("root", "parts"), [(ROOT, PARTS), (STUDIO, WORKSHOP)])
def test_every_module_has_its_place(root: Path, parts: list[str]) -> None:
    """A new part must be put into the order above before it can be imported."""
    names = {path.relative_to(root).with_suffix("").parts[0] for path in modules(root)} - {"__init__"}
    assert names <= set(parts)
