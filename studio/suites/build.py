"""What made a result: a module enters, a checksum of all the code, game files and models that it rests on leaves.

A suite that goes on after the program was changed must not mix the old results with the new ones.
"""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from vision.values.resources import GAMES, PACKAGE, shipped

PACKAGES: Final = {"vision": PACKAGE, "studio": Path(__file__).parents[1]}
DIGITS: Final = 16


@cache
def checksum(*modules: str) -> str:
    """Return one checksum over modules, all that they import of this program, and the game files."""
    files = {*_sources(*modules), *GAMES.rglob("*.toml")}
    return digest(*(path.read_bytes() for path in sorted(files)))


@cache
def models_checksum() -> str:
    """Return one checksum over the models, by their cards."""
    return digest(*(path.read_bytes() for path in sorted(shipped("models").glob("*.toml"))))


def digest(*parts: bytes) -> str:
    """Return a short checksum."""
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:DIGITS]


def _sources(*modules: str) -> set[Path]:
    """Return the files of modules and of all that they import."""
    found: set[Path] = set()
    ahead = list(modules)
    while ahead:
        path = _file(ahead.pop())
        if path is not None and path not in found:
            found.add(path)
            ahead += imports(path)
    return found


def _file(module: str) -> Path | None:
    """Return the file of a module of this program; None for others, and for names inside a module."""
    first, *rest = module.split(".")
    if first not in PACKAGES:
        return None
    place = PACKAGES[first].joinpath(*rest)
    files = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in files if path.is_file()), None)


def imports(path: Path) -> Iterator[str]:
    """Yield what a source file imports: modules, and names out of modules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
