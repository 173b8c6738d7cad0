"""What a source is: its kind, what may be shown of it, and what cannot be opened."""

from pathlib import Path

import pytest

from vision.capture.source import Kind, check_source, kind_of, open_source, public
from vision.values.errors import InputError


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("video.mp4", Kind.FILE),
        ("/srv/footage/video.mp4", Kind.FILE),
        ("rtsp://camera/1", Kind.NETWORK),
        ("http://camera/video.mjpg", Kind.NETWORK),
        ("/dev/video0", Kind.DEVICE),
    ],
)
def test_the_kinds(source: str, kind: Kind) -> None:
    assert kind_of(source) is kind


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("rtsp://root:pa:ss@wo@rd@10.0.0.7:554/axis-media?a=1", "rtsp://10.0.0.7:554/axis-media?a=1"),
        ("rtsp://camera/1", "rtsp://camera/1"),
        ("footage@night.mp4", "footage@night.mp4"),
    ],
)
def test_a_password_is_never_shown(source: str, shown: str) -> None:
    assert public(source) == shown


def test_what_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.mp4: no such file: want a video file, rtsp"):
        check_source(str(tmp_path / "none.mp4"))
    with pytest.raises(InputError, match="/dev/video99: no such device"):
        check_source("/dev/video99")
    check_source("rtsp://127.0.0.1:9/dead")  # may come to life


def test_a_dead_address_is_named_without_its_password() -> None:
    with pytest.raises(InputError, match=r"^rtsp://127\.0\.0\.1:9/t: cannot be played: ") as caught:
        open_source("rtsp://me:secret@127.0.0.1:9/t")
    assert "secret" not in str(caught.value)
