"""Every number of the model cards, anew: test pictures and photographs enter, scores leave."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from studio.learn.calibration import judge_calibration
from studio.learn.finder.judge import judge
from studio.learn.galleries import write_galleries
from studio.learn.measures import face_measures, finder_measures, reliability, stack_measures
from studio.learn.photographs import Photograph, by_source, held_out, read_photographs, right_labels
from studio.learn.pictures import Still
from studio.learn.recipes import RECIPES, TestRecipe, drawn
from studio.learn.samples import CardSample, Seen, look_at
from vision.detect.detectors import Detectors
from vision.score.measures import Measure
from vision.values.documents import read_document
from vision.values.picture import read_picture

Report = Callable[[int, int], None]


def evaluate(out: Path, art: Path | None, photos: Path | None, galleries: Path, report: Report) -> dict[str, Any]:
    """Draw the test pictures, judge, write `scores.json`, and pictures of the failures."""
    recipe = read_document(RECIPES / "test.toml", TestRecipe)
    stills = drawn(recipe.pictures, out / "test", art)
    small = drawn(recipe.small, out / "test720", art)
    fine = drawn(recipe.fine, out / "test4k", art)
    seen = list(_looked_at([*stills, *small, *fine], report))
    parts = (seen[: len(stills)], seen[len(stills) : -len(fine)], seen[-len(fine) :])
    scores = scores_of(*parts)
    write_galleries(seen, galleries)
    if photos is not None:
        scores["photographs"] = evaluate_photographs(held_out(read_photographs(photos)), report)
    write_scores(scores, out / "scores.json")
    return scores


def evaluate_calibration(out: Path, art: Path | None, every: int, report: Report) -> dict[str, Any]:
    """Register every n-th test picture; write `calibration.json`."""
    recipe = read_document(RECIPES / "test.toml", TestRecipe)
    scores = judge_calibration(drawn(recipe.pictures, out / "test", art)[::every], report)
    scores = {**scores, "measures": [_record(measure) for measure in scores["measures"]]}
    write_scores(scores, out / "calibration.json")
    return scores


def _looked_at(stills: Sequence[Still], report: Report) -> Iterator[Seen]:
    eyes = Detectors()
    for number, still in enumerate(stills, start=1):
        yield look_at(still, eyes)
        report(number, len(stills))


def scores_of(large: Sequence[Seen], little: Sequence[Seen], fine: Sequence[Seen]) -> dict[str, Any]:
    """Judge all detectors in 1080p, face readers also on `little` pictures in 720p, stacks on `fine` ones in 4K."""
    found = {one.still.path: [each.found for each in one.detections] for one in large}
    stills = [one.still for one in large]
    tallies = judge(stills, lambda still: found[still.path])
    cards = [card for one in large for card in one.cards]
    measures = finder_measures(tallies)
    measures += face_measures(cards, [card for one in little for card in one.cards])
    measures += stack_measures([stack for one in (*large, *fine) for stack in one.stacks])
    return {
        "measures": [_record(measure) for measure in measures],
        "finder": {name: tally.record() for name, tally in tallies.items()},
        "faces": face_conditions([card for one in (*large, *little) for card in one.cards]),
        "reliability": reliability([card for card in cards if card.face is not None and card.has_index]),
        "stacks": stack_conditions([*large, *fine]),
    }


def evaluate_photographs(photographs: Sequence[Photograph], report: Report) -> dict[str, Any]:
    """Judge finder and face readers on photographs: how many labelled cards are named right, by source."""
    eyes = Detectors()
    right = []
    for number, photograph in enumerate(photographs, start=1):
        right.append(right_labels(photograph, eyes.detect(read_picture(photograph.path))))
        report(number, len(photographs))
    return by_source(photographs, right)


def face_conditions(cards: Sequence[CardSample]) -> dict[str, dict[str, float]]:
    """Return how many faces were read right, by condition; only cards that were found and whose index shows."""
    groups: dict[str, list[bool]] = {}
    for card in cards:
        if card.has_index and card.face is not None:
            for name in _face_conditions(card):
                groups.setdefault(name, []).append(card.is_read)
    return {name: {"cards": len(marks), "right": round(sum(marks) / len(marks), 4)} for name, marks in groups.items()}


def _face_conditions(card: CardSample) -> Iterator[str]:
    yield f"{card.width_px // 10 * 10:.0f}+ px wide"
    yield f"visible {int(card.entry['visible'] * 5) / 5:.1f}+"
    yield f"face {card.still.look['face']}"
    yield f"rig {card.still.look['rig']}"
    yield f"rank {card.entry['card'][0]}"
    yield f"suit {card.entry['card'][1]}"


def stack_conditions(seen: Sequence[Seen]) -> dict[str, dict[str, float]]:
    """Return how often counts and values were right, by how much of each chip's edge shows and by chip set."""
    groups: dict[str, list[tuple[bool, bool]]] = {}
    for stack in (stack for one in seen for stack in one.stacks):
        if stack.stack is None:
            continue
        number, worth = len(stack.entry["cents"]), sum(stack.entry["cents"])
        marks = (stack.stack.count == number, stack.stack.value_cents == worth)
        names = (f"{min(stack.edge_px // 0.5 * 0.5, 3):.1f}+ px a chip", f"chips {stack.still.look['chips']}")
        for name in (*names, f"{min(number, 9)} high"):
            groups.setdefault(name, []).append(marks)
    return {
        name: {
            "stacks": len(marks),
            "count_exact": round(sum(a for a, _ in marks) / len(marks), 4),
            "value_exact": round(sum(b for _, b in marks) / len(marks), 4),
        }
        for name, marks in sorted(groups.items())
    }


def write_scores(scores: dict[str, Any], path: Path) -> None:
    """Write the scores, whole or not at all."""
    half = path.with_suffix(".half")
    half.write_text(json.dumps(scores, indent=1) + "\n", encoding="utf-8")
    half.replace(path)


def _record(measure: Measure) -> dict[str, Any]:
    share = float("nan") if measure.value is None else round(measure.value, 4)
    asked = {"floor": measure.floor, "aim": measure.aim, "less_is_better": measure.less_is_better}
    known = {"name": measure.name, "share": share, "samples": measure.samples}
    return {**known, **asked, "met": measure.reaches(measure.floor)}
