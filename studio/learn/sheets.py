"""Writing a model into `models/`: weights and settings enter, `NAME.onnx` and `NAME.toml` leave, each whole."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

LICENCE = "AGPL-3.0-or-later"


def write_model(
    models: Path, name: str, reads: str, weights: bytes, settings: Mapping[str, float | list[float] | str]
) -> None:
    """Write a model and its sheet; the sheet last, since it vouches for the weights."""
    models.mkdir(parents=True, exist_ok=True)
    _replace(models / f"{name}.onnx", weights)
    lines = [f'name = "{name}"', f'reads = "{reads}"', f'sha256 = "{hashlib.sha256(weights).hexdigest()}"']
    lines += [f'licence = "{LICENCE}"', "", "[settings]"]
    lines += [f"{key} = {_toml(value)}" for key, value in settings.items()]
    _replace(models / f"{name}.toml", ("\n".join(lines) + "\n").encode())


def _toml(value: float | list[float] | str) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"[{', '.join(map(repr, value))}]" if isinstance(value, list) else repr(float(value))


def _replace(path: Path, content: bytes) -> None:
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(content)
    half.replace(path)
