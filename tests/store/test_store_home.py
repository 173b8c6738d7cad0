"""Where things are kept."""

from pathlib import Path

import pytest

from vision.bus.envelope import BusError
from vision.store.home import VARIABLE, Home
from vision.values.clock import SetClock, WallClock


def test_the_home_is_what_is_given_or_named_or_the_usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Home.find().folder == tmp_path / ".local" / "share" / "feltwatch"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "named"))
    assert Home.find().folder == tmp_path / "named"
    assert Home.find(tmp_path / "given").folder == tmp_path / "given"
    monkeypatch.chdir(tmp_path)
    assert Home.find(Path("here")).folder == tmp_path / "here"
    assert list(tmp_path.iterdir()) == []


def test_every_path_is_inside(tmp_path: Path) -> None:
    home = Home(tmp_path)
    paths = [home.store, home.keys, home.clips, home.footage("t"), home.lock("t")]
    assert all(path.is_relative_to(tmp_path) for path in paths)
    assert home.bus("t").tells == f"ipc://{tmp_path}/bus/t.ipc"
    for way in (home.bus, home.footage, home.lock):
        with pytest.raises(BusError, match="table: "):
            way("../t")


def test_a_home_too_deep_for_sockets_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(BusError, match="a shorter home"):
        Home(tmp_path / ("deep" * 25)).bus("t")


def test_clocks() -> None:
    clock = SetClock(5)
    clock.advance(3)
    assert clock.now_ns() == 8
    assert WallClock().now_ns() > 1_700_000_000 * 10**9
