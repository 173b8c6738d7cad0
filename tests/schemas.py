"""The JSON Schemas of the documentation, for tests that hold real messages against them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # the library has no types
from referencing import Registry, Resource

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


def read_schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return schema


@cache
def validator(name: str) -> Draft202012Validator:
    resources = [Resource.from_contents(read_schema(path.stem)) for path in FOLDER.glob("*.json")]
    registry: Registry[Any] = Registry().with_resources((str(one.id()), one) for one in resources)
    Draft202012Validator.check_schema(read_schema(name))
    return Draft202012Validator(read_schema(name), registry=registry)


def lacks(record: dict[str, Any]) -> list[str]:
    """Return what is wrong with an envelope, as plain values."""
    return [f"{error.json_path}: {error.message}" for error in validator("envelope").iter_errors(record)]
