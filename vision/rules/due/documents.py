"""What every document off the wire has in common."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from vision.rules.text.gamefile import OptionValue


class Document(BaseModel):
    """Anything read off the wire: nothing is guessed, nothing unknown is passed over."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _choice(value: Any) -> Any:
    if value is not None and not isinstance(value, bool | int | str):
        raise ValueError("want true, false, a whole number or a text")
    return value


Choice = Annotated[OptionValue, BeforeValidator(_choice)]
