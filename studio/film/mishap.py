"""One thing that goes wrong with a picture: when it does, how strongly, and the base of what it does."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.values.errors import InputError, shown
from vision.values.geometry import Floats, Lens
from vision.values.picture import Picture

KINDS = ("bump-small", "bump-large", "dim", "flicker", "blocked", "smear", "damage", "frozen", "dropped")


@dataclass(frozen=True, slots=True)
class Mishap:
    """One thing that goes wrong: `code` is the alert it deserves, strength is 0 (mildest) to 1."""

    code: str
    kind: str
    start_s: float
    end_s: float
    strength: float

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"mishap: {shown(self.kind)}: want one of {', '.join(KINDS)}")
        if not (self.start_s < self.end_s and 0 <= self.strength <= 1):
            raise InputError(f"mishap: {shown(self)}: want start_s < end_s and strength 0 to 1")


class Effect:
    """A mishap at work on pictures; it never writes into a picture that it was given."""

    def __init__(self, mishap: Mishap, lens: Lens, rng: np.random.Generator) -> None:
        self.mishap, self.lens, self.rng = mishap, lens, rng
        self.scale = lens.height / 1080

    def is_on(self, t_s: float) -> bool:
        """Say whether it shows at a moment."""
        return self.mishap.start_s <= t_s < self.mishap.end_s

    def change(self, picture: Picture, t_s: float) -> Picture | None:
        """Return the picture after the mishap; None: it is not delivered."""
        raise NotImplementedError

    def hides(self, points: Floats) -> NDArray[np.bool_]:
        """Say which pixels of the last picture it hides."""
        return np.zeros(points.shape[:-1], bool)

    def level(self, mildest: float, worst: float) -> float:
        """Return a setting for this strength."""
        return mildest + (worst - mildest) * self.mishap.strength

    def eased(self, t_s: float, ramp_s: float) -> float:
        """Return how far the mishap has set in: 0, up to 1 within a ramp, and back."""
        ramp = min(ramp_s, (self.mishap.end_s - self.mishap.start_s) / 2)
        share = min(max(min(t_s - self.mishap.start_s, self.mishap.end_s - t_s) / ramp, 0), 1)
        return share * (2 - share)
