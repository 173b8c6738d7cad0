"""Studying errors: a finder's checkpoint and the stills it learns from enter, a file of lessons leaves."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from studio.learn.finder.export import load
from studio.learn.finder.judge import ASKED, GROUPS, is_of_pack, matches, scores
from studio.learn.finder.lessons import name_of
from studio.learn.pictures import Still, read_pictures
from vision.detect.decode import found_in, suppress_overlaps
from vision.detect.detection import Found
from vision.detect.finder import ROUGH, letterboxed
from vision.values.geometry import Camera, Floats

LEAST = 0.15  # score from which a card roughly found is kept for the corner refiner
SURE = 0.35  # score from which a thing found wrongly is worth a lesson
Report = Callable[[str], None]


def study(checkpoint: Path, stills: Path, out: Path, report: Report) -> None:
    """Look at every still with the finder as it is, and write down its errors."""
    net = load(checkpoint)
    lessons, number = {}, 0
    for still in read_pictures(stills):
        with torch.inference_mode():
            maps = net(torch.from_numpy(letterboxed(still.picture())))[0].numpy()
        found = suppress_overlaps(found_in(np.asarray(maps, np.float32), LEAST), ROUGH)
        errors = [point.round(1).tolist() for point in _errors(still, found)]
        rough = [np.array(thing.quad).round(1).tolist() for thing in found if thing.kind.startswith("card")]
        lessons[name_of(still)] = {"errors": errors, "rough": rough}
        number += len(errors)
    half = out.with_suffix(".half")
    half.write_text(json.dumps(lessons), encoding="utf-8")
    half.rename(out)
    report(f"{number} errors in {len(lessons)} stills, to learn from")


def _errors(still: Still, found: Sequence[Found]) -> Iterator[Floats]:
    """Yield the middles of cards and stacks that were missed, and of what was taken for one."""
    camera = Camera.from_dict(still.camera)
    for name in ("cards", "stacks"):
        mine = [thing for thing in found if thing.kind.startswith(GROUPS[name])]
        true = [entry for entry in still.objects if entry["kind"].startswith(GROUPS[name])]
        score = scores(name, mine, true, camera)
        pairs = {j: i for i, j in matches(score)}
        for j, entry in enumerate(true):
            if entry["visible"] >= ASKED and j not in pairs:
                yield np.mean(entry["quad"], axis=0)
        for i, thing in enumerate(mine):
            if i not in pairs.values() and thing.score >= SURE and not is_of_pack(thing, still):
                yield np.mean(thing.quad, axis=0)
