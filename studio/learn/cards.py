"""Model cards: scores enter, a page beside each model leaves; what no command can measure stands in the templates."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from studio.learn.galleries import calibration_picture

TEMPLATES = Path(__file__).parent / "templates"
MODELS = {
    "finder": ("finder", "squarer", "finder-quick", "squarer-quick"),
    "faces": ("faces-whole", "faces-corner", "faces-whole-quick", "faces-corner-quick"),
    "chips": ("chips-references", "chips-stacks"),
}
MEASURES = {
    "finder": ("cards found", "face up or down", "stacks found", "hands found"),
    "faces": ("identity", "expected calibration"),
    "chips": ("count", "value"),
}


def write_cards(scores: Mapping[str, Any], models: Path) -> None:
    """Write every model card and its calibration curve."""
    cv2.imwrite(str(models / "faces-calibration.png"), calibration_picture(scores["reliability"]))
    for card in MODELS:
        template = (TEMPLATES / f"{card}.md").read_text(encoding="utf-8")
        filled = template.replace("{files}", "\n".join(_files(card, models)))
        filled = filled.replace("{scores}", "\n".join(_measures(card, scores)))
        filled = filled.replace("{conditions}", "\n".join(_conditions(card, scores)))
        (models / f"{card}.md").write_text(filled, encoding="utf-8")


def _files(card: str, models: Path) -> Iterator[str]:
    yield "| file | size | sha256 |"
    yield "|---|---|---|"
    for name in MODELS[card]:
        weights = (models / f"{name}.onnx").read_bytes()
        yield f"| `{name}.onnx` | {len(weights) / 1e6:.1f} MB | `{hashlib.sha256(weights).hexdigest()}` |"


def _measures(card: str, scores: Mapping[str, Any]) -> Iterator[str]:
    yield "| measure | reached | samples | floor | aim |"
    yield "|---|---|---|---|---|"
    for one in scores["measures"]:
        if one["name"].startswith(MEASURES[card]):
            mark = "" if one["met"] else " **(floor missed)**"
            goals = f"{one['floor']:.1%} | {one['aim']:.2%}"
            yield f"| {one['name']} | {one['share']:.1%}{mark} | {one['samples']} | {goals} |"
    if card == "faces":
        for source, marks in scores.get("photographs", {}).items():
            yield f"| identity, photographs: {source} | {marks['share']:.1%} | {marks['labels']} | 85.0% | 97.00% |"


def _conditions(card: str, scores: Mapping[str, Any]) -> Iterator[str]:
    if card == "finder":
        for kind, record in scores["finder"].items():
            yield from _grid(kind, ("asked", "recall"), record["by"])
    elif card == "faces":
        yield from _grid("faces whose index shows", ("cards", "right"), scores["faces"])
    else:
        yield from _grid("stacks", ("stacks", "count_exact", "value_exact"), scores["stacks"])


def _grid(title: str, columns: Sequence[str], rows: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield f"\n| {title} | {' | '.join(column.replace('_', ' ') for column in columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for name, marks in sorted(rows.items()):
        cells = (
            f"{marks[column]:.1%}" if column not in ("asked", "cards", "stacks") else marks[column]
            for column in columns
        )
        yield f"| {name} | {' | '.join(map(str, cells))} |"
