"""Golden recordings of whole rounds: noisy scripted sights enter; rounds and alerts must not change.

A change here is a change of what the surveillance room reads: rewritten on purpose only, by `pytest --update-golden`.
"""

import json
import tracemalloc
from typing import Any

import pytest
from conftest import Golden

from studio.film.production import Order
from studio.scripted.observations import scripted_clip
from studio.scripted.rates import Noise
from vision.alerts.judge import Judge
from vision.records.message import Message

FPS = 10.0
ROUNDS = [
    # the house, the fault, the seed
    ("maryland", None, 910),
    ("south-dakota", "dealer-card-exposed:flip", 911),
    ("washington", "winner-collected", 912),
    ("pennsylvania", "late-wager:bet", 913),
]


def followed(order: Order) -> tuple[Judge, list[Message]]:
    """Follow a scripted clip."""
    clip = scripted_clip(order, Noise.floors(), FPS)
    pipeline, told, last_ns = Judge("t", clip.sheet, clip.layout), [], 0
    for sight in clip:
        told += pipeline.update(sight)
        last_ns = sight.t_ns
    return pipeline, [*told, *pipeline.finish(last_ns)]


def recorded(messages: list[Message]) -> list[Any]:
    """Return rounds and alerts as the files hold them."""
    wanted = [message for message in messages if message.topic in ("rounds", "alerts")]
    return [{"topic": message.topic, **message.record.plain()} for message in wanted]


@pytest.mark.slow
@pytest.mark.parametrize(("house", "fault", "seed"), ROUNDS)
def test_rounds_are_told_as_recorded(house: str, fault: str | None, seed: int, golden: Golden) -> None:
    order = Order(rounds=1, seed=seed, house=house, faults=(fault,) if fault else (), innocents=False)
    golden.check(f"rounds/{house}", recorded(followed(order)[1]))


@pytest.mark.slow
def test_the_same_sights_give_the_same_bytes() -> None:
    order = Order(rounds=1, seed=910, house="maryland", seats=(2,), innocents=False)
    first, second = (json.dumps(recorded(followed(order)[1])) for _ in range(2))
    assert first == second


@pytest.mark.slow
def test_memory_stays_flat_over_rounds() -> None:
    clip = scripted_clip(Order(rounds=6, seed=77, house="maryland", seats=(2, 5), innocents=False), Noise.floors(), FPS)
    pipeline, stream = Judge("t", clip.sheet, clip.layout), list(clip)
    tracemalloc.start()
    try:
        ends = (any(message.topic == "rounds" for message in pipeline.update(sight)) for sight in stream)
        after = [tracemalloc.get_traced_memory()[0] for is_end in ends if is_end]
    finally:
        tracemalloc.stop()
    assert len(after) >= 4
    assert after[-1] - after[1] < 1_000_000  # bytes that three more rounds leave behind
