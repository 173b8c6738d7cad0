"""Model files: what is whole runs, what is not is refused with the file's name and the fault."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from vision.detect.models import QUICK, Shape, open_model, quick_copy
from vision.values.errors import InputError

# A whole ONNX model of one Relu, written out: IR version 8 in its second byte, opset 17 in its last.
RELU = (
    b'\x08\x08:c\n\x18\n\x07picture\x12\x05found"\x04Relu:\x00\x12\x01gZ"\n\x07picture\x12\x17\n\x15\x08\x01\x12\x11'
    b"\n\x03\x12\x01n\n\x02\x08\x03\n\x02\x08\x04\n\x02\x08\x04b \n\x05found\x12\x17\n\x15\x08\x01\x12\x11"
    b"\n\x03\x12\x01n\n\x02\x08\x03\n\x02\x08\x04\n\x02\x08\x04B\x04\n\x00\x10\x11"
)
SHEET = 'name = "relu"\nreads = "what is above zero"\nlicence = "none"\n'


def write_model(folder: Path, weights: bytes = RELU, sha256: str | None = None, sheet: str = SHEET) -> None:
    (folder / "relu.onnx").write_bytes(weights)
    known = hashlib.sha256(weights).hexdigest() if sha256 is None else sha256
    (folder / "relu.toml").write_text(f'sha256 = "{known}"\n{sheet}[settings]\nlimit = 3\nfew = [1.5, 2]\n')


def test_a_model_runs_batches_of_any_number(tmp_path: Path) -> None:
    write_model(tmp_path)
    model = open_model("relu", folder=tmp_path)
    for number in (1, 5):
        batch = np.linspace(-1, 1, number * 48, dtype=np.float32).reshape(number, 3, 4, 4)
        (found,) = model.run(batch)
        np.testing.assert_array_equal(found, np.maximum(batch, 0))


def test_a_name_may_hold_dots(tmp_path: Path) -> None:
    write_model(tmp_path)
    for ending in ("onnx", "toml"):
        (tmp_path / f"relu.{ending}").rename(tmp_path / f"relu-0.5.{ending}")
    assert open_model("relu-0.5", folder=tmp_path).sheet.reads == "what is above zero"


def test_settings(tmp_path: Path) -> None:
    write_model(tmp_path)
    sheet = open_model("relu", folder=tmp_path).sheet
    assert sheet.number("limit") == 3.0
    for setting in ("few", "missing"):
        with pytest.raises(InputError, match=rf"models/relu.toml: settings.{setting}: .*: want a number"):
            sheet.number(setting)


@pytest.mark.parametrize(
    ("weights", "fault"),
    [
        (b"", "not a model that this ONNX Runtime can run"),
        (b"GIF89a, not a network", "protobuf parsing failed"),
        (RELU[:-20], "protobuf parsing failed"),  # cut short
        (RELU[:-1] + b"\x63", "Opset 99 is under development"),
        (RELU[:1] + b"\x63" + RELU[2:], "Unsupported model IR version: 99"),
        (RELU.replace(b"Relu", b"Rilu"), "No Op registered for Rilu"),  # an operation that nobody knows
    ],
)
def test_weights_that_cannot_run(tmp_path: Path, weights: bytes, fault: str) -> None:
    write_model(tmp_path, weights)
    with pytest.raises(InputError) as caught:
        open_model("relu", folder=tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'relu.onnx'}: not a model")
    assert fault in str(caught.value)
    assert "onnxruntime_src" not in str(caught.value)


def test_wrong_checksum(tmp_path: Path) -> None:
    write_model(tmp_path, sha256="0123456789abcdef")
    with pytest.raises(InputError, match=r"relu.onnx: sha256 \w{12}…: want 0123456789ab…, as relu.toml says"):
        open_model("relu", folder=tmp_path)


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        ('name = "relu"\nlicence = "none"\n', "relu.toml: reads: missing"),
        (SHEET + 'opset = "17"\n', "relu.toml: opset: '17': unknown key"),
        ("name = relu\n", "relu.toml: not a TOML file"),
    ],
)
def test_a_sheet_that_is_wrong(tmp_path: Path, sheet: str, fault: str) -> None:
    write_model(tmp_path, sheet=sheet)
    with pytest.raises(InputError, match=fault):
        open_model("relu", folder=tmp_path)


@pytest.mark.parametrize("gone", ["relu.onnx", "relu.toml"])
def test_a_file_that_is_missing(tmp_path: Path, gone: str) -> None:
    write_model(tmp_path)
    (tmp_path / gone).unlink()
    with pytest.raises(InputError, match=f"{gone}: cannot be read: No such file"):
        open_model("relu", folder=tmp_path)


@pytest.mark.parametrize(
    ("processor", "copy"),
    [
        ("flags\t\t: fpu avx2 avx512f avx512_vnni\n", QUICK),  # a server of these years
        ("flags\t\t: fpu avx2 avx_vnni\n", QUICK),  # a desktop
        ("Features\t: fp asimd asimddp\n", QUICK),  # an ARM server
        ("flags\t\t: fpu sse4_2 avx2 avx512f\n", ""),  # bytes would be slow, and their sums cut off
        (None, ""),  # a system that does not say
    ],
)
def test_quick_copies_are_for_processors_that_multiply_bytes(tmp_path: Path, processor: str | None, copy: str) -> None:
    if processor is not None:
        (tmp_path / "cpuinfo").write_text(processor)
    assert quick_copy(tmp_path / "cpuinfo") == copy


@pytest.mark.parametrize("name", ["finder", "squarer", "faces-whole", "faces-corner"])
def test_a_quick_copy_has_the_settings_of_its_model(name: str) -> None:
    assert open_model(name + QUICK).sheet.settings == open_model(name).sheet.settings


FITTING: Shape = (None, 3, 4, 4)


@pytest.mark.parametrize(
    ("inputs", "outputs", "fault"),
    [
        ([FITTING], [FITTING], None),
        ([(7, 3, None, 4)], [FITTING], None),  # the model leaves the first size open
        ([(None, 1, 4, 4)], [FITTING], r"inputs: \?x3x4x4: want \?x1x4x4"),
        ([FITTING], [(None, 3, 4)], r"outputs: \?x3x4x4: want \?x3x4"),
        ([FITTING, FITTING], [FITTING], r"inputs: \?x3x4x4: want \?x3x4x4, \?x3x4x4"),
        ([FITTING], [], r"outputs: \?x3x4x4: want none"),
    ],
)
def test_expected_shapes(tmp_path: Path, inputs: list[Shape], outputs: list[Shape], fault: str | None) -> None:
    write_model(tmp_path)
    model = open_model("relu", folder=tmp_path)
    if fault is None:
        assert model.expect(inputs, outputs) is model
    else:
        with pytest.raises(InputError, match=f"models/relu.onnx: {fault}"):
            model.expect(inputs, outputs)
