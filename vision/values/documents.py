"""Reading our TOML documents: a path and a model enter, a checked value leaves, or an error that names the file."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from vision.values.errors import InputError, VisionError, complaint

Model = TypeVar("Model", bound=BaseModel)


def read_document(path: Path, model: type[Model], check: Callable[[Model], None] | None = None) -> Model:
    """Read one file; `check` asks what only the whole document can answer, and raises ValueError or VisionError."""
    try:
        document = model.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        if check is not None:
            check(document)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a TOML file: {error}") from error
    except ValidationError as error:
        raise InputError(f"{path}: {complaint(error)}") from error
    except (ValueError, VisionError) as error:
        raise InputError(f"{path}: {error}") from error
    return document
