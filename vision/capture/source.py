"""What a source is: the text of a table file or a command line enters; its kind, and its open container, leave.

An address may hold a password: whatever is logged, stored or shown says `public(source)` instead.
"""

from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

import av
from av.container import InputContainer

from vision.values.errors import InputError

OPEN_S, READ_S = 10.0, 5.0  # a camera that says nothing for so long is asked anew
DEVICES = "/dev/"
NETWORK_CAMERA = {
    "rtsp_transport": "tcp",  # loses no packets
    "fpsprobesize": "0",  # or opening listens for a second or two to learn how many frames a second there are
}


class Kind(StrEnum):
    """Where pictures come from."""

    FILE = "file"
    NETWORK = "network"  # rtsp://, rtsps://, http:// …
    DEVICE = "device"  # a USB camera


def kind_of(source: str) -> Kind:
    """Return the kind of a source."""
    if "://" in source:
        return Kind.NETWORK
    return Kind.DEVICE if source.startswith(DEVICES) else Kind.FILE


def public(source: str) -> str:
    """Return a source as it may be shown: without the name and the password that its address holds."""
    if "://" not in source or "@" not in source:
        return source
    parts = urlsplit(source)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def check_source(source: str) -> None:
    """Raise InputError for a source that can never be opened: a file or a device that is not there."""
    kind = kind_of(source)
    if kind is Kind.FILE and not Path(source).is_file():
        raise InputError(f"{source}: no such file: want a video file, rtsp://HOST/PATH, or /dev/videoN")
    if kind is Kind.DEVICE and not Path(source).exists():
        raise InputError(f"{source}: no such device: is the camera plugged in?")


def open_source(source: str, size: tuple[int, int] | None = None) -> InputContainer:
    """Open a source for reading, or raise InputError; a USB camera is asked for pictures of a size."""
    options = dict(NETWORK_CAMERA) if source.startswith("rtsp") else {}
    is_device = kind_of(source) is Kind.DEVICE
    if is_device and size is not None:
        options["video_size"] = f"{size[0]}x{size[1]}"
    try:
        container = av.open(source, format="v4l2" if is_device else None, timeout=(OPEN_S, READ_S), options=options)
    except (av.FFmpegError, OSError) as error:
        raise unplayable(source, error) from error
    if not container.streams.video:
        container.close()
        raise InputError(f"{public(source)}: has no video in it")
    return container


def unplayable(source: str, error: Exception) -> InputError:
    """Return what to say of a source that cannot be opened, or not be read any further."""
    return InputError(f"{public(source)}: cannot be played: {getattr(error, 'strerror', None) or error}")
