"""The RTSP server of the tests, where the system has GStreamer's; in CI its absence is a failure."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

PYTHON = "/usr/bin/python3"  # the system's: Debian puts GStreamer's modules there
SCRIPT = Path(__file__).parent / "capture" / "rtsp_server.py"
PACKAGES = "gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good gstreamer1.0-plugins-bad"
ASKS = "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import GstRtspServer"


@cache
def is_installed() -> bool:
    known = (
        Path(PYTHON).exists() and not subprocess.run([PYTHON, "-c", ASKS], check=False, capture_output=True).returncode
    )
    if not known and os.environ.get("FELTWATCH_CI"):
        pytest.fail(f"CI must run the RTSP tests: apt-get install {PACKAGES}", pytrace=False)
    return known


needs_rtsp_server = pytest.mark.skipif(not is_installed(), reason=f"RTSP not tested: apt-get install {PACKAGES}")


class Server:
    """Serves a film, until it is cut."""

    def __init__(self, path: Path) -> None:
        self._path, self._port = path, "0"
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"rtsp://127.0.0.1:{self._port}/table"

    def resume(self) -> None:
        command = [PYTHON, str(SCRIPT), str(self._path), self._port]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._port = self._process.stdout.readline().strip()
        assert self._port, "the RTSP server did not start"

    def cut(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    @contextmanager
    def running(self) -> Iterator[None]:
        self.resume()
        try:
            yield
        finally:
            self.cut()
