"""Model cards: scores enter, a page beside each model leaves; what no command can measure stands in the templates."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from studio.learn.chips.evaluation import CLASSES
from studio.learn.galleries import calibration_picture

TEMPLATES = Path(__file__).parent / "templates"
MODELS = {
    "finder": ("finder", "squarer", "finder-quick", "squarer-quick"),
    "faces": ("faces-whole", "faces-corner", "faces-whole-quick", "faces-corner-quick"),
}
STACK_MODELS = ("chips-references", "chips-stacks")
MEASURES = {
    "finder": ("cards found", "face up or down", "stacks found", "hands found"),
    "faces": ("identity", "expected calibration"),
}
# What is asked of the stack reader in each view class (reference, good, legacy), and how it is written.
ASKED = {
    "exact_one": ("value exact: single chips", (0.995, 0.99, 0.97), "{:.1%}"),
    "exact_two": ("two", (0.97, 0.93, 0.75), "{:.1%}"),
    "exact_three_to_eight": ("three to eight", (0.90, 0.80, 0.45), "{:.1%}"),
    "count_within_one": ("count within one", (0.995, 0.985, 0.92), "{:.1%}"),
    "bounded": ("true value inside the bounds", (0.98, 0.98, 0.98), "{:.1%}"),
    "bounds_chips": ("median width of the bounds, in chips of the top's colour", (1, 2, 4), "{:.1f}"),
    "ece": ("expected calibration error of the value", (0.02, 0.02, 0.03), "{:.1%}"),
}
SHOWN = {
    "stacks": ("stacks of one to eight chips", "{:.0f}"),
    "found": ("found", "{:.1%}"),
    "exact": ("value exact, all", "{:.1%}"),
    "exact_of_found": ("value exact, of those that were found", "{:.1%}"),
    "count_exact": ("count exact", "{:.1%}"),
}
LESS_IS_BETTER = ("bounds_chips", "ece")
COMPARED = {"in place": (0.97, 0.94, 0.80), "beside": (0.96, 0.92, 0.78)}


def write_cards(scores: Mapping[str, Any], models: Path) -> None:
    """Write every model card and its calibration curve."""
    cv2.imwrite(str(models / "faces-calibration.png"), calibration_picture(scores["reliability"]))
    for card in MODELS:
        template = (TEMPLATES / f"{card}.md").read_text(encoding="utf-8")
        filled = template.replace("{files}", "\n".join(_files(card, models)))
        filled = filled.replace("{scores}", "\n".join(_measures(card, scores)))
        filled = filled.replace("{conditions}", "\n".join(_conditions(card, scores)))
        (models / f"{card}.md").write_text(filled, encoding="utf-8")


def write_stack_card(scores: Mapping[str, Any], models: Path) -> None:
    """Write the stack reader's model card."""
    template = (TEMPLATES / "chips.md").read_text(encoding="utf-8")
    filled = template.replace("{files}", "\n".join(_file_rows(STACK_MODELS, models)))
    filled = filled.replace("{classes}", "\n".join(_class_rows(scores["classes"])))
    filled = filled.replace("{comparisons}", "\n".join(_comparison_rows(scores["comparisons"])))
    (models / "chips.md").write_text(filled, encoding="utf-8")


def _class_rows(rows: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield "| measure | reference | good | legacy |"
    yield "|---|---|---|---|"
    for key, (name, form) in SHOWN.items():
        yield f"| {name} | {' | '.join(form.format(rows[view][key]) for view in CLASSES)} |"
    for key, (name, asked, form) in ASKED.items():
        cells = []
        for view, limit in zip(CLASSES, asked, strict=True):
            value = rows[view][key]
            is_met = value <= limit if key in LESS_IS_BETTER else value >= limit
            cells.append(f"{form.format(value)} ({'' if is_met else '**missed**, '}asked {form.format(limit)})")
        yield f"| {name} | {' | '.join(cells)} |"


def _comparison_rows(rows: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield "| painted pairs | pairs | told right | same, one more or one less, told right | asked |"
    yield "|---|---|---|---|---|"
    for name, row in rows.items():
        view, how = name.split(", ")
        limit = COMPARED[how][CLASSES.index(view)]
        yield f"| {name} | {row['pairs']:.0f} | {row['right']:.1%} | {row['right_near']:.1%} | {limit:.0%} |"


def _files(card: str, models: Path) -> Iterator[str]:
    yield from _file_rows(MODELS[card], models)


def _file_rows(names: Sequence[str], models: Path) -> Iterator[str]:
    yield "| file | size | sha256 |"
    yield "|---|---|---|"
    for name in names:
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
    else:
        yield from _grid("faces whose index shows", ("cards", "right"), scores["faces"])


def _grid(title: str, columns: Sequence[str], rows: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield f"\n| {title} | {' | '.join(column.replace('_', ' ') for column in columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for name, marks in sorted(rows.items()):
        cells = (
            f"{marks[column]:.1%}" if column not in ("asked", "cards", "stacks") else marks[column]
            for column in columns
        )
        yield f"| {name} | {' | '.join(map(str, cells))} |"
