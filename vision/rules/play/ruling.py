"""The answer to "may this happen now?": allowed, or refused with an alert code, the reason, the rule and the remedy."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer; true when the thing is allowed."""

    code: str | None = None
    why: str = ""
    cite: str = ""
    remedy: str | None = None

    def __bool__(self) -> bool:
        return self.code is None


YES = Ruling()
