"""Facts without pictures: a seed, house and fault enter; the facts of what is observed, and the truth, leave."""

from dataclasses import dataclass
from typing import Any, Final

from studio.film.production import Order
from studio.scripted.observations import Noise, ScriptedClip, scripted_clip
from vision.observe.facts import FactObserver
from vision.observe.model import ObservationModel, read_model
from vision.records.fact import Fact

FPS: Final = 10.0
VIEW: Final = "good"  # whose observation model explains what is seen with errors


@dataclass(frozen=True, eq=False)
class ScriptedFacts:
    """The facts of a clip, and what really happened."""

    clip: ScriptedClip
    facts: list[Fact]

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """Return the truth, round by round."""
        return self.clip.rounds


def scripted_facts(
    seed: int, house: str = "maryland", fault: str | None = None, noise: Noise | None = None, rounds: int = 1
) -> ScriptedFacts:
    """Play rounds; return what the facts' stage tells of them, and the truth."""
    order = Order(rounds=rounds, seed=seed, house=house, faults=(fault,) if fault else ())
    clip = scripted_clip(order, noise or Noise(), FPS)
    return ScriptedFacts(clip, facts_of(clip, None if noise is None or noise == Noise() else read_model(VIEW)))


def facts_of(clip: ScriptedClip, model: ObservationModel | None = None) -> list[Fact]:
    """Return the facts of a scripted clip, with the signals of its other systems."""
    observer = FactObserver(clip.layout, model, clip.camera)
    waiting, facts, t_ns = sorted(clip.signals, key=lambda signal: signal.t_ns), list[Fact](), 0
    for seen in clip:
        while waiting and waiting[0].t_ns <= seen.t_ns:
            facts += observer.signal(waiting.pop(0))
        facts += observer.update(seen)
        t_ns = seen.t_ns
    return [*facts, *observer.finish(t_ns)]
