"""What keeps a camera from seeing its table."""

from dataclasses import dataclass
from typing import Final

from vision.values.codes import Code

BLOCKED: Final = Code.VIEW_BLOCKED
DEGRADED: Final = Code.PICTURE_DEGRADED


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is in the way of seeing a table: the code of its alert, and what it is in words."""

    code: Code
    what: str
