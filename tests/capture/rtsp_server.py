"""A real RTSP server for the tests: GStreamer's, serving a file. Run by the system's Python, which knows GStreamer.

    /usr/bin/python3 rtsp_server.py FILE.mp4 PORT      (0: any free one)

Says the port on stdout when it listens. Every client gets the file from its beginning, at its own pace; when the file
ends, so does the stream.
"""

import sys

import gi  # type: ignore[import-not-found]

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # type: ignore[import-not-found]  # noqa: E402

PIPELINE = "( filesrc location={} ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1 )"


def main(path: str, port: str) -> None:
    Gst.init(None)
    server = GstRtspServer.RTSPServer(service=port, address="127.0.0.1")
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(PIPELINE.format(path))
    server.get_mount_points().add_factory("/table", factory)
    if not server.attach(None):
        sys.exit(f"port {port} cannot be listened on")
    sys.stdout.write(f"{server.get_bound_port()}\n")
    sys.stdout.flush()
    GLib.MainLoop().run()


if __name__ == "__main__":
    main(*sys.argv[1:])
