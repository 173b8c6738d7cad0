"""What keeps a camera from seeing its table."""

from dataclasses import dataclass
from typing import Final

BLOCKED: Final = "view-blocked"
DEGRADED: Final = "picture-degraded"


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is in the way of seeing a table: the code of its alert, and what it is in words."""

    code: str
    what: str
