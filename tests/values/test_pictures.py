"""Files of every kind: each is read as a viewer shows it, or refused with its name and its fault."""

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.values.errors import InputError
from vision.values.picture import Picture, is_cut_short, read_picture


def painted() -> Picture:
    """A picture 64 wide and 48 high whose top left quarter is red and whose rest is grey."""
    picture = np.full((48, 64, 3), 90, np.uint8)
    picture[:24, :32] = (20, 30, 220)
    return picture


def encoded(extension: str, picture: NDArray[np.uint8] | NDArray[np.uint16], *options: int) -> bytes:
    done, data = cv2.imencode(extension, picture, options)
    assert done
    return data.tobytes()


def jpeg(picture: Picture | None = None, *options: int) -> bytes:
    return encoded(".jpg", painted() if picture is None else picture, *options)


def with_exif(orientation: int, thumbnail: bytes = b"") -> bytes:
    """A JPEG with an EXIF note; the thumbnail is a whole JPEG of its own inside the note."""
    note = struct.pack("<2sHIHHHII", b"II", 42, 8, 1, 0x112, 3, 1, orientation) + bytes(4)
    body = b"Exif\0\0" + note + thumbnail
    data = jpeg()
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def png_chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, rows: bytes, depth: int = 8, colour: int = 2) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = (png_chunk(b"IHDR", header), png_chunk(b"IDAT", zlib.compress(rows)), png_chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def gif() -> bytes:
    """Two frames of one pixel: the first red, the second green."""
    head = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes((255, 0, 0, 0, 255, 0))
    frame = b"!\xf9\x04\0\0\0\0\0" + b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02"
    return head + frame + b"\x44\x01\0" + frame + b"\x4c\x01\0" + b";"


def transparent() -> Picture:
    return np.dstack([painted(), np.full((48, 64), 128, np.uint8)])


def only_names(value: object) -> str:
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(
    ("name", "data", "size", "corner"),
    [
        ("a.jpg", jpeg(), (64, 48), (20, 30, 220)),
        ("progressive.jpg", jpeg(None, cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (64, 48), (20, 30, 220)),
        ("restarts.jpg", jpeg(None, cv2.IMWRITE_JPEG_RST_INTERVAL, 1), (64, 48), (20, 30, 220)),
        ("no-name", encoded(".png", painted()), (64, 48), (20, 30, 220)),  # the content decides, not the name
        ("wrong.png", jpeg(), (64, 48), (20, 30, 220)),  # the same
        ("a.webp", encoded(".webp", painted()), (64, 48), (20, 30, 220)),
        ("a.bmp", encoded(".bmp", painted()), (64, 48), (20, 30, 220)),
        ("a.tiff", encoded(".tiff", painted()), (64, 48), (20, 30, 220)),
        ("two-frames.gif", gif(), (1, 1), (0, 0, 255)),  # the first frame
        ("pixel.png", png(1, 1, b"\0\x10\x20\x30"), (1, 1), (0x30, 0x20, 0x10)),
        ("grey.png", encoded(".png", painted()[:, :, 2]), (64, 48), (220, 220, 220)),
        ("grey.jpg", jpeg(painted()[:, :, 2]), (64, 48), (220, 220, 220)),
        ("deep.png", encoded(".png", painted().astype(np.uint16) * 257), (64, 48), (20, 30, 220)),  # 16 bits
        ("deep-grey.png", encoded(".png", painted()[:, :, 2].astype(np.uint16) * 257), (64, 48), (220, 220, 220)),
        ("one-bit.png", png(8, 1, b"\0\x80", depth=1, colour=0), (8, 1), (255, 255, 255)),
        ("alpha.png", encoded(".png", transparent()), (64, 48), (20, 30, 220)),  # opacity is ignored
        ("upright.jpg", with_exif(1), (64, 48), (20, 30, 220)),
        ("upside-down.jpg", with_exif(3), (64, 48), (90, 90, 90)),
        ("on-its-side.jpg", with_exif(6), (48, 64), (90, 90, 90)),  # the red quarter is at the top right now
        ("note-after.jpg", jpeg() + b"\0" * 512, (64, 48), (20, 30, 220)),  # phones append things
    ],
    ids=only_names,
)
def test_read(tmp_path: Path, name: str, data: bytes, size: tuple[int, int], corner: tuple[int, int, int]) -> None:
    (tmp_path / name).write_bytes(data)
    picture = read_picture(tmp_path / name)
    assert picture.dtype == np.uint8
    assert picture.shape == (size[1], size[0], 3)
    assert np.abs(picture[0, 0].astype(int) - corner).max() <= 6


def test_exif_turns_the_pixels_with_the_size(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(with_exif(6))
    picture = read_picture(tmp_path / "a.jpg")
    assert picture[2, 45, 2] > 180  # red, top right
    assert picture[60, 2, 2] < 120


def test_8k(tmp_path: Path) -> None:
    (tmp_path / "8k.jpg").write_bytes(jpeg(np.zeros((4320, 7680, 3), np.uint8)))
    assert read_picture(tmp_path / "8k.jpg").shape == (4320, 7680, 3)


CUT = "the file is cut short"
OTHER = "not a picture, or a damaged one"


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("a.txt", b"As Kd 7c\n", OTHER),
        ("empty.jpg", b"", "the file is empty"),
        ("half.jpg", jpeg()[:-300], CUT),
        ("almost.jpg", jpeg()[:-1], CUT),
        ("progressive.jpg", jpeg(None, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)[:-40], CUT),
        ("thumbnail.jpg", with_exif(1, jpeg())[:-100], CUT),  # the thumbnail's end is not the picture's
        ("head-only.jpg", jpeg()[:2], CUT),
        ("half.png", encoded(".png", painted())[:-40], CUT),
        ("no-end.png", encoded(".png", painted())[:-12], CUT),
        ("almost.png", encoded(".png", painted())[:-1], CUT),
        ("half.webp", encoded(".webp", painted())[:-20], OTHER),
        ("half.bmp", encoded(".bmp", painted())[:-2000], OTHER),
        ("half.gif", gif()[:-30], OTHER),
        ("empty.png", png(0, 0, b""), OTHER),
        ("scrambled.png", png(64, 48, b"\0" * 7), OTHER),  # too few rows
        ("huge.png", png(2**20 + 1, 2**20, b""), ""),  # a terabyte of pixels from a hundred bytes
        ("video.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", OTHER),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", OTHER),
    ],
    ids=only_names,
)
def test_refused(tmp_path: Path, name: str, data: bytes, fault: str, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_picture(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert fault in str(caught.value)
    assert "[" not in capfd.readouterr().err  # OpenCV's own complaints are not repeated


def forbid(path: Path) -> Path:
    path.write_bytes(jpeg())
    path.chmod(0)
    return path


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        (lambda folder: folder, "Is a directory"),
        (lambda folder: folder / "missing.jpg", "No such file or directory"),
        pytest.param(
            lambda folder: forbid(folder / "forbidden.jpg"),
            "Permission denied",
            marks=pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything"),
        ),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, place: Callable[[Path], Path], fault: str) -> None:
    with pytest.raises(InputError, match=f"cannot be read: {fault}"):
        read_picture(place(tmp_path))


def test_a_filling_byte_before_a_mark_is_allowed() -> None:
    data = jpeg()
    assert not is_cut_short(data[:2] + b"\xff" + data[2:])
    assert not is_cut_short(data[:-2] + b"\xff" + data[-2:])


def test_cmyk() -> None:
    """A JPEG of four inks, as printers make them: OpenCV cannot write one, so a small one is kept."""
    picture = read_picture(Path(__file__).parent / "data" / "cmyk.jpg")
    assert picture.shape == (16, 24, 3)
    assert np.abs(picture[2, 2].astype(int) - (20, 30, 220)).max() < 16
