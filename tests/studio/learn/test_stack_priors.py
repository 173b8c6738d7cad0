"""Priors are counted: the simulator's bettors give the file that ships, and counting is right."""

from pathlib import Path

from studio.learn.chips.priors import counted, write_wagers
from vision.values.resources import shipped


def test_shares_are_those_of_the_stacks() -> None:
    prior = counted("few", "three stacks", [(500, 100, 100), (100,), (100,)])
    assert prior.stacks == 3
    assert prior.counts[0] == round((2 + 1) / (3 + 21), 5)
    assert prior.steps == [round((1 + 1) / 5, 5), round((1 + 1) / 5, 5), round(1 / 5, 5)]  # dear below, as bottom first


def test_what_ships_is_what_the_players_bet(tmp_path: Path) -> None:
    shipped_file = shipped("calibration") / "priors" / "wagers.toml"
    assert write_wagers(tmp_path).read_text() == shipped_file.read_text()
