"""The web pages: live room and review, for people who are logged in; `docs/web.md` tells how they are served."""

from vision.web.app import create_app
from vision.web.bus_listener import Listener
from vision.web.feed import Feed

__all__ = ["Feed", "Listener", "create_app"]
