"""Pairs of stacks of which one may have a chip more: invented houses enter; readings of both and the truth leave.

`in place` is one place before and after a hand was there; otherwise it is a payment beside its wager. The weights of
`vision/detect/stack_compare.py` are fitted on such pairs, and judged on pairs of other houses.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from studio.learn.chips.contents import random_chips
from studio.learn.chips.crops import UNSEEN, jittered, scene_found
from studio.learn.chips.houses import PaintedHouse, painted_house
from studio.learn.chips.painter import Stack
from studio.learn.chips.scenes import Felts, Scene, developed, random_setting, random_stack, scene_of
from vision.detect.detection import StackReading
from vision.detect.stack_compare import FEATURES, RELATIONS, Relation, Weights, compare, features
from vision.detect.stacks import StackReader
from vision.values.chips import ChipSet

MOST = 8  # chips of the first stack
EACH = 20  # pairs of one house
SHARES = {Relation.SAME: 0.4, Relation.ONE_MORE: 0.2, Relation.ONE_LESS: 0.2, Relation.OTHER: 0.2}
STEPS, RATE, PULL = 4000, 0.05, 1e-4


@dataclass(frozen=True)
class Pair:
    """Two readings, what they are beside each other, and what they show."""

    before: StackReading
    after: StackReading
    truth: Relation
    chips: tuple[int, ...]  # cents of the first, bottom to top


def relation_of(before: Sequence[int], after: Sequence[int]) -> Relation:
    """Return what chips are beside others."""
    more, less = Counter(after) - Counter(before), Counter(before) - Counter(after)
    by_change = {(0, 0): Relation.SAME, (1, 0): Relation.ONE_MORE, (0, 1): Relation.ONE_LESS}
    return by_change.get((more.total(), less.total()), Relation.OTHER)


def changed(rng: np.random.Generator, kinds: int, chips: tuple[int, ...]) -> tuple[int, ...]:
    """Return what becomes of chips: mostly nothing, or one on top comes or goes."""
    wanted = RELATIONS[int(rng.choice(len(RELATIONS), p=[SHARES[relation] for relation in RELATIONS]))]
    if wanted is Relation.ONE_MORE:
        return (*chips, chips[-1] if rng.random() < 0.8 else int(rng.integers(kinds)))
    if wanted is Relation.ONE_LESS and len(chips) > 1:
        return chips[:-1]
    return random_chips(rng, kinds, MOST) if wanted is Relation.OTHER else chips


def painted_pairs(
    how: tuple[StackReader, Felts], number: int, seed: int, in_place: bool, view: str | None = None
) -> Iterator[Pair]:
    """Yield pairs of houses that belong to a seed, seen by cameras of a class where one is named."""
    rng, (reader, felts) = np.random.default_rng([seed, 23]), how
    made = 0
    while made < number:
        house = painted_house(rng)
        with TemporaryDirectory() as folder:
            chips = enrolled(house, Path(folder), int(rng.integers(len(house.reference_faces))))
            for _ in range(EACH):
                pair = _pair(rng, reader, house, (chips, felts, in_place, view))
                if pair is not None and made < number:
                    made += 1
                    yield pair


def enrolled(house: PaintedHouse, folder: Path, take: int) -> ChipSet:
    """Write a take of a house's references; return its chip set with them."""
    chips = []
    for i, chip in enumerate(house.chips.chip):
        face, edge = folder / f"{chip.cents}-face.png", folder / f"{chip.cents}-edge.png"
        cv2.imwrite(str(face), house.reference_faces[take, i])
        cv2.imwrite(str(edge), house.reference_edges[take, i])
        chips.append(chip.model_copy(update={"face_picture": face, "edge_picture": edge}))
    return house.chips.model_copy(update={"chip": chips})


def _pair(
    rng: np.random.Generator, reader: StackReader, house: PaintedHouse, how: tuple[ChipSet, Felts, bool, str | None]
) -> Pair | None:
    """Paint and read one pair; None where a stack is hidden."""
    chips, felts, in_place, view = how
    setting = random_setting(rng, house, view)
    kinds = len(chips.chip)
    first = random_stack(rng, house, random_chips(rng, kinds, MOST))
    contents = changed(rng, kinds, first.chips)
    other = random_setting(rng, house)
    if in_place:
        second = _touched(rng, first, random_stack(rng, house, contents))
        scenes = [scene_of(setting, stack, house, felts) for stack in (first, second)]
    else:
        second = random_stack(rng, house, contents)
        beside = replace(setting, others=other.others, seed=other.seed)
        scenes = [scene_of(place, stack, house, felts) for place, stack in ((setting, first), (beside, second))]
    if min(scene.visible for scene in scenes) < UNSEEN:
        return None
    sensor = int(rng.integers(1 << 30))
    readings = [_read(rng, reader, scene, house, (chips, felts, sensor)) for scene in scenes]
    cents = [tuple(chips.chip[i].cents for i in stack.chips) for stack in (first, second)]
    return Pair(readings[0], readings[1], relation_of(cents[0], cents[1]), cents[0])


def _touched(rng: np.random.Generator, before: Stack, after: Stack) -> Stack:
    """Return a stack of which the chips that stayed lie as they lay, or all a little aside."""
    stayed = 0
    while stayed < min(len(before.chips), len(after.chips)) and before.chips[stayed] == after.chips[stayed]:
        stayed += 1
    if not stayed:
        return after
    tops, spins = after.tops.copy(), after.spins.copy()
    tops[:stayed], spins[:stayed] = before.tops[:stayed], before.spins[:stayed]
    tops[stayed:, :2] = tops[stayed:, :2] - after.tops[stayed - 1, :2] + tops[stayed - 1, :2]
    if rng.random() < 0.3:
        tops[:, :2] += rng.normal(0, 0.7, 2)
    return Stack(after.chips, tops, spins)


def _read(
    rng: np.random.Generator, reader: StackReader, scene: Scene, house: PaintedHouse,
    how: tuple[ChipSet, Felts, int],
) -> StackReading:  # fmt: skip
    """Read a scene through the camera that belongs to a seed; places count from the felt's origin."""
    chips, felts, sensor = how
    picture = developed(np.random.default_rng(sensor), felts, scene.ground)
    size = (chips.diameter_mm, chips.thickness_mm)
    found = jittered(rng, scene_found(scene, house), (0.2, 1.5))
    reading = reader.read_views(picture, [scene.slant.view(np.array(found.top), size)], chips)[0]
    if reading.wall is None:
        return reading
    top = np.subtract(reading.wall.top, scene.origin)
    return replace(reading, wall=replace(reading.wall, top=(float(top[0]), float(top[1]))))


def fitted(pairs: Sequence[Pair], in_place: bool) -> Weights:
    """Return the weights under which the truth of pairs is likeliest."""
    seen = np.stack([features(pair.before, pair.after, in_place) for pair in pairs])
    truth = np.eye(len(RELATIONS))[[RELATIONS.index(pair.truth) for pair in pairs]]
    weights, starts = np.full(FEATURES, 0.5), np.zeros(len(RELATIONS))
    for _ in range(STEPS):
        scores = np.concatenate([seen @ weights, np.zeros((len(seen), 1))], axis=1) + starts
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        gap = shares / shares.sum(axis=1, keepdims=True) - truth
        weights -= RATE * (np.einsum("nr,nrf->f", gap[:, : seen.shape[1]], seen) / len(seen) + PULL * weights)
        starts -= RATE * gap.mean(axis=0)
    starts -= np.log(truth.mean(axis=0))  # likelihoods, not what is common here
    return Weights(tuple(weights.tolist()), tuple((starts - starts.mean()).tolist()))


def judged_pairs(pairs: Sequence[Pair], weights: Weights, in_place: bool) -> dict[str, float]:
    """Return how often the truth was the likeliest relation: of all pairs, and of those a chip apart."""
    told = []
    for pair in pairs:
        likelihoods = compare(pair.before, pair.after, weights, in_place)
        told.append(max(RELATIONS, key=lambda relation: likelihoods[relation] * SHARES[relation]))
    right = [one is pair.truth for one, pair in zip(told, pairs, strict=True)]
    near = [mark for mark, pair in zip(right, pairs, strict=True) if pair.truth is not Relation.OTHER]
    one_off = [
        mark for mark, pair in zip(right, pairs, strict=True) if pair.truth in (Relation.ONE_MORE, Relation.ONE_LESS)
    ]
    shares = {"right": _share(right), "right_near": _share(near), "right_one": _share(one_off)}
    return {"pairs": float(len(pairs)), **shares}


def _share(marks: Sequence[bool]) -> float:
    return round(float(np.mean(marks)), 4) if marks else float("nan")
