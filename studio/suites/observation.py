"""The observation model of each view class: what the detectors saw in filmed clips enters; fitted rates leave.

Errors that stay (a stack that is misread in every look) are told from fresh ones by comparing looks at one object that
lies still. The weights by which looks are pooled are those under which the truth is likeliest. Few looks say little:
each rate is drawn to that of detectors that hardly err as if it had been seen in some more looks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import log
from pathlib import Path
from typing import Final

import numpy as np

from studio.suites.build import models_checksum
from studio.suites.filmed import WISH as FILMED
from studio.suites.filmed import SuiteFolder, still_objects_of
from studio.suites.plan import Job, Wish
from studio.suites.rates import WHOLE, StillObject
from vision.observe.chips import Content
from vision.observe.faces import FaceBelief
from vision.observe.model import ChipRates, FaceRates, FoundRates, ObservationModel, Origin
from vision.observe.placing import Placed

SEED: Final = 4001  # of rounds that no suite plays, and no test
WISH: Final[Wish] = replace(FILMED, rounds=40, seed=SEED, views=("reference", "legacy", "good"))
PRIOR_LOOKS: Final = 20.0  # that the rates of detectors that hardly err count for
LEAST_LOOKS: Final = 2  # of an object, for its looks to be compared
AGAIN: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
LASTING: Final = (0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.5, 0.7)
SHARPNESS: Final = (0.2, 0.3, 0.5, 0.7, 1.0)
OTHER_AMOUNTS: Final = 20.0  # among which the truth is one where no reading named it
PRIOR_ENDS: Final = 5.0  # ends of misses, as above
PRIOR_NEVER: Final = 0.01
OFTEN: Final = 4  # looks, after which an object that was never found was not only missed
MAD: Final = 1.4826  # from the median of deviations to their standard deviation
LEAST_JITTER_MM: Final = (
    0.5  # things that lie still keep their place in the scene, so looks at them are not independent
)
PRIOR_FACES, PRIOR_STACKS = (
    (1.0, 50.0),
    (1.0, 10.0),
)  # objects that are read wrongly in every look, and others (assumed)
JUMP: Final = 4.0  # deviations from which on a look is placed off
USUAL: Final = ObservationModel()


def write_models(suite: SuiteFolder, jobs: Sequence[Job]) -> Iterator[Path]:
    """Fit a model to the clips of each view class that were observed; yield their files."""
    for view in WISH.views:
        clips = [found for job in jobs if job.view == view and (found := still_objects_of(suite, job))]
        if not clips:
            continue
        about = f"seed {SEED} of the filmed rounds, test looks; these clips: {len(clips)}"
        origin = Origin(view=view, models=models_checksum(), clips=len(clips), looks={}, about=about)
        path = suite.out / "observation" / f"{view}.toml"
        write_model(fit([one for clip in clips for one in clip], origin), path)
        yield path


def fit(objects: Sequence[StillObject], origin: Origin) -> ObservationModel:
    """Return the model under which what was seen of still objects is likeliest."""
    sides = {
        side: [one for one in objects if _side(one) == side and len(one.within(WHOLE, 2.0)) >= LEAST_LOOKS]
        for side in ("card_up", "card_down", "stack")
    }
    counts = {side: sum(len(one.within(WHOLE, 2.0)) for one in mine) for side, mine in sides.items()}
    return ObservationModel(
        origin=origin.model_copy(update={"looks": counts}),
        cards_up=_found(sides["card_up"]),
        cards_down=_found(sides["card_down"]),
        stacks=_found(sides["stack"]),
        faces=_faces(sides["card_up"]),
        chips=_chips(sides["stack"]),
        false=USUAL.false.model_copy(update={"flipped": _flipped([*sides["card_up"], *sides["card_down"]])}),
    )


def write_model(model: ObservationModel, path: Path) -> None:
    """Write a model as its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = model.model_dump(exclude={"hands"}, exclude_none=True)
    lines = ["# Fitted by `feltwatch suite observation`; `false` is assumed but for `flipped`."]
    for name, rates in plain.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in rates.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return (
        f'"{value}"'
        if isinstance(value, str)
        else f"{float(f'{value:.4g}')}"
        if isinstance(value, float)
        else f"{value}"
    )


def _side(one: StillObject) -> str:
    return "stack" if one.truth["kind"] == "stack" else f"card_{one.truth['face']}"


def _share(hits: float, of: float, prior: float) -> float:
    """Return a share as seen, drawn to what is usual; never none and never all."""
    return float(np.clip((hits + PRIOR_LOOKS * prior) / (of + PRIOR_LOOKS), 1e-4, 0.99))


# ---- Finding


def _found(objects: Sequence[StillObject]) -> FoundRates:
    after, stays, passed = [], 0, 0.0
    for one in objects:
        for (seen, t_ns), (following, later_ns) in pairwise(_whole(one)):
            if seen is not None:
                after.append(following is None)
            else:
                stays += following is not None
                passed += (later_ns - t_ns) / 1e9
    off = [distance for one in objects for distance in _residuals(one)]
    usual = USUAL.cards_up
    jitter = max(float(np.median(np.abs(off))) * MAD, LEAST_JITTER_MM) if off else usual.jitter_mm
    often = [one for one in objects if len(one.within(WHOLE, 2.0)) >= OFTEN]
    return FoundRates(
        missed=_share(sum(after), len(after), usual.missed),
        missed_s=(passed + PRIOR_ENDS * usual.missed_s) / (stays + PRIOR_ENDS),  # the mean of an exponential
        never=_share(sum(not any(one.within(WHOLE, 2.0)) for one in often), len(often), PRIOR_NEVER),
        jitter_mm=jitter,
        jumps=_share(sum(abs(d) > JUMP * jitter for d in off), len(off), usual.jumps),
    )


def _whole(one: StillObject) -> list[tuple[Placed | None, int]]:
    """Return the looks at all of it, with their times."""
    return [(seen, t_ns) for (shows, seen), t_ns in zip(one.looks, one.times_ns, strict=True) if shows >= WHOLE]


def _residuals(one: StillObject) -> list[float]:
    """Return how far looks are placed from the middle one, along x and y."""
    places = np.array([(seen.x, seen.y) for seen, _ in _whole(one) if seen is not None])
    return [] if len(places) < 3 else (places - np.median(places, axis=0)).ravel().tolist()


def _flipped(objects: Sequence[StillObject]) -> float:
    kinds = [(seen.kind, _side(one)) for one in objects for seen, _ in _whole(one) if seen is not None]
    return _share(sum(seen != side for seen, side in kinds), len(kinds), USUAL.false.flipped)


# ---- Reading


def _faces(objects: Sequence[StillObject]) -> FaceRates:
    looks = {id(one): _read_faces(one) for one in objects}
    cards = [[seen.detection.face.card for seen in looks[id(one)] if seen.detection.face] for one in objects]
    pairs = [pair for mine in cards for pair in pairwise(mine)]

    def likely(rates: FaceRates) -> float:
        told = sum(_face_log(one, looks[id(one)], rates) for one in objects if looks[id(one)])
        return told + _prior(rates.lasting, PRIOR_FACES)

    misread = _share(sum(a != b for a, b in pairs) / 2, len(pairs), USUAL.faces.misread)
    tried = [FaceRates(misread=misread, again=a, lasting=b) for a, b in product(AGAIN, LASTING)]
    return max(tried, key=likely)


def _prior(lasting: float, objects: tuple[float, float]) -> float:
    wrong, right = objects
    return wrong * log(lasting) + right * log(1 - lasting)


def _read_faces(one: StillObject) -> list[Placed]:
    return [
        seen
        for seen, _ in _whole(one)
        if seen is not None and seen.detection.face is not None and seen.detection.face.card is not None
    ]


def _face_log(one: StillObject, looks: Sequence[Placed], rates: FaceRates) -> float:
    belief = FaceBelief(rates)
    for seen in looks:
        if seen.detection.face is not None:
            belief.look(seen.detection.face)
    return log(max(belief.chance_of(one.truth["card"]), 1e-9))


def _chips(objects: Sequence[StillObject]) -> ChipRates:
    looks = {id(one): list(_read_stacks(one)) for one in objects}
    values = [[seen.detection.stack.value_cents for seen in looks[id(one)] if seen.detection.stack] for one in objects]
    pairs = [pair for mine in values for pair in pairwise(mine)]
    misread = _share(sum(a != b for a, b in pairs) / 2, len(pairs), USUAL.chips.misread)

    def likely(rates: ChipRates) -> float:
        told = sum(_chips_log(one, looks[id(one)], rates) for one in objects if looks[id(one)])
        return told + _prior(rates.lasting, PRIOR_STACKS)

    tried = [
        ChipRates(misread=misread, again=a, lasting=b, sharpness=c) for a, b, c in product(AGAIN, LASTING, SHARPNESS)
    ]
    return max(tried, key=likely)


def _read_stacks(one: StillObject) -> Iterator[Placed]:
    yield from (seen for seen, _ in _whole(one) if seen is not None and seen.detection.stack is not None)


def _chips_log(one: StillObject, looks: Sequence[Placed], rates: ChipRates) -> float:
    content = Content(rates, 0)
    for seen in looks:
        if seen.detection.stack is not None:
            content.look(seen.detection.stack, 0)
    amounts, truth = content.amounts, sum(one.truth["cents"])
    left = max(1 - sum(amounts.values()), 1e-6) / OTHER_AMOUNTS
    return log(amounts.get(truth, 0.0) + left)
