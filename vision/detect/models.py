"""Networks as files: a name enters, a checked model that runs leaves.

A model is `models/NAME.onnx` and its card `models/NAME.toml`, which says what it is, its sha256, and the settings that
belong to these weights and no others. ONNX Runtime is the only backend here.

Some have a quick copy `NAME-quick.onnx`, which multiplies bytes in place of fractions (`studio/learn/quick`). It says
nearly the same in less than half of the time on a processor with instructions for it; on others it would be slow and
coarse.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from vision.values.documents import read_document
from vision.values.errors import InputError
from vision.values.resources import shipped

Shape = tuple[int | None, ...]  # of a tensor; None: any size
REASON_SHOWN = 300  # characters of ONNX Runtime's complaint
QUICK = "-quick"
PROCESSOR = Path("/proc/cpuinfo")
FOR_BYTES = {"avx512_vnni", "avx_vnni", "asimddp"}  # instructions that multiply bytes and lose nothing

onnxruntime.disable_telemetry_events()  # a surveillance room's machine tells nobody what it runs


class ModelSheet(BaseModel):
    """The part of a model card that the program reads; the rest is for people and lies in `NAME.md`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    reads: str
    sha256: str
    licence: str
    settings: dict[str, float | list[float] | str] = {}

    def number(self, setting: str) -> float:
        """Return a setting that is one number."""
        value = self.settings.get(setting)
        if not isinstance(value, float):
            raise InputError(f"models/{self.name}.toml: settings.{setting}: {value!r}: want a number")
        return value

    def numbers(self, setting: str) -> list[float]:
        """Return a setting that is several numbers."""
        value = self.settings.get(setting)
        if not isinstance(value, list):
            raise InputError(f"models/{self.name}.toml: settings.{setting}: {value!r}: want numbers")
        return value


@dataclass(frozen=True)
class Model:
    """A network that is ready to run."""

    sheet: ModelSheet
    session: onnxruntime.InferenceSession

    @cached_property
    def _names(self) -> list[str]:
        return [entry.name for entry in self.session.get_inputs()]

    def expect(self, inputs: Sequence[Shape], outputs: Sequence[Shape]) -> Self:
        """Return this model, or refuse it where its tensors are not shaped as its caller will use them."""
        for side, wanted, entries in (
            ("inputs", inputs, self.session.get_inputs()),
            ("outputs", outputs, self.session.get_outputs()),
        ):
            found = [tuple(entry.shape) for entry in entries]
            if len(found) != len(wanted) or not all(map(_fits, found, wanted)):
                raise InputError(f"models/{self.sheet.name}.onnx: {side}: {_shown(found)}: want {_shown(wanted)}")
        return self

    def run(self, batch: NDArray[np.float32], *more: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the outputs for a batch, in the model's order."""
        found: list[Any] = list(self.session.run(None, dict(zip(self._names, (batch, *more), strict=True))))
        return found


def _fits(found: Sequence[int | str | None], wanted: Shape) -> bool:
    """Say whether a tensor may have the wanted shape; sizes that a model leaves open are names, or None."""
    return len(found) == len(wanted) and all(
        size is None or not isinstance(given, int) or given == size for given, size in zip(found, wanted, strict=True)
    )


def _shown(shapes: Sequence[Sequence[int | str | None]]) -> str:
    sizes = ["x".join(str(size) if isinstance(size, int) else "?" for size in shape) for shape in shapes]
    return ", ".join(sizes) or "none"


@lru_cache(maxsize=16)
def open_model(name: str, threads: int = 1, folder: Path | None = None) -> Model:
    """Open a shipped model, or one of another folder; refuse weights that are not the ones the card speaks of."""
    place = folder or shipped("models")
    path = place / f"{name}.onnx"
    sheet = read_document(place / f"{name}.toml", ModelSheet)
    weights = _weights(path)
    found = hashlib.sha256(weights).hexdigest()
    if found != sheet.sha256:
        raise InputError(f"{path}: sha256 {found[:12]}…: want {sheet.sha256[:12]}…, as {name}.toml says")
    return Model(sheet, _session(weights, threads, path))


def quick_copy(processor: Path = PROCESSOR) -> str:
    """Return what the names of quick copies end with; nothing where this processor is better off without them."""
    try:
        words = set(processor.read_text(encoding="ascii", errors="replace").split())
    except OSError:
        return ""
    return QUICK if words & FOR_BYTES else ""


def _weights(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def _session(weights: bytes, threads: int, path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own exceptions share no base but this
        raise InputError(f"{path}: not a model that this ONNX Runtime can run: {_reason(str(error))}") from error


def _reason(text: str) -> str:
    """Return what ONNX Runtime complains of, without the place in its own source."""
    return " ".join(text.rpartition(") ")[2].rpartition(" : ")[2].split()).lstrip(" ,")[:REASON_SHOWN]
