"""A game ready to be asked: the checked game file with its rankings compiled. Game ids enter, Games leave."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vision.rules.book.gamechecks import check_game
from vision.rules.hands.ranking import Ranking
from vision.rules.text.gamefile import GameFile, HandSpec, Irregular, Table, WagerSpec
from vision.values.documents import read_document
from vision.values.errors import InputError, shown
from vision.values.resources import GAMES, WAGERS

_loaded: dict[str, "Game"] = {}  # game files are packaged and never change under a running program


@dataclass(frozen=True)
class Game:
    """One jurisdiction's version of one game."""

    file: GameFile

    @property
    def id(self) -> str:
        """Return the name by which records refer to it: 'four-card-poker/md'."""
        return self.file.game.id

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Return the compiled rankings by name."""
        return {name: Ranking(spec) for name, spec in self.file.rank.items()}

    @cached_property
    def wagers(self) -> dict[str, WagerSpec]:
        """Return wagers and bonuses by id, in settlement order."""
        by_id = {wager.id: wager for wager in self.file.wager}
        return {wager_id: by_id[wager_id] for group in self.file.order.wagers for wager_id in group}

    @cached_property
    def stakes(self) -> dict[str, WagerSpec]:
        """Return what a player puts chips on: the wagers without the bonuses."""
        return {wager_id: wager for wager_id, wager in self.wagers.items() if wager.on is None}

    @cached_property
    def entering(self) -> tuple[str, ...]:
        """Return the wagers for which a seat is dealt cards: those before the deal that are not side wagers."""
        raises = [raised.id for raised in self.decisions]
        return tuple(wager.id for wager in self.stakes.values() if not wager.optional and wager.id not in raises)

    def knows(self, wager: str) -> bool:
        """Tell whether a wager is one of this game's, here or elsewhere."""
        return wager in self.stakes or wager in self.file.game.not_here

    @cached_property
    def decisions(self) -> tuple[WagerSpec, ...]:
        """Return the raises, in the order in which they are decided."""
        return tuple(self.wagers[stage.wager] for stage in self.file.stage if stage.wager is not None)

    @cached_property
    def zones(self) -> dict[str, tuple[str, ...]]:
        """Return where the cards of each hand lie."""
        return {name: tuple(hand.cards) for name, hand in self.file.hand.items()}

    def hand(self, name: str) -> HandSpec:
        """Return which cards make a hand and how it is ranked."""
        return self.file.hand[name]

    def letters(self, group: str) -> dict[str, Table]:
        """Return the paytables a house may choose from."""
        return self.file.pay[group].tables

    def irregularities(self, code: str) -> tuple[Irregular, ...]:
        """Return what the text says about an irregularity; the first that fits counts."""
        return tuple(entry for entry in self.file.irregular if code in entry.on)


def read_game(path: Path) -> Game:
    """Read and check one game file."""
    return Game(read_document(path, GameFile, check_game))


def game_ids() -> list[str]:
    """Return the games that ship with the program."""
    paths = (path for path in GAMES.glob("*/*.toml") if path.parent != WAGERS)
    return sorted(path.relative_to(GAMES).with_suffix("").as_posix() for path in paths)


def load_game(game_id: str) -> Game:
    """Return a shipped game by its id."""
    if game_id not in _loaded:
        if game_id not in game_ids():
            raise InputError(f"game: {shown(game_id)}: want one of {', '.join(game_ids())}")
        _loaded[game_id] = read_game(GAMES / f"{game_id}.toml")
    return _loaded[game_id]
