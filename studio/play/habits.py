"""How people decide at each game: `habits.toml` enters, the multiple of the Ante for known cards leaves."""

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from vision.rules.book.game import Game
from vision.rules.hands.spread import Spread
from vision.rules.text.gamefile import Rank
from vision.values.cards import Hand
from vision.values.documents import read_document

FILE = Path(__file__).with_name("habits.toml")


class Entry(BaseModel):
    """Anything in the file: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Reach(Entry):
    """From which cards on a raise is so large."""

    cls: str = Field(alias="class")
    rank: Rank
    times: int


class Decision(Entry):
    """How one raise is decided."""

    wager: str
    rank: str  # the ranking of the game that the cards are read by
    rows: list[Reach]


class GameHabits(Entry):
    """How a game is decided, wherever it is played."""

    id: str
    decision: list[Decision]


class Habits(Entry):
    """The whole file."""

    schema_: int = Field(alias="schema")
    game: list[GameHabits]


@cache
def read_habits() -> dict[tuple[str, str], Decision]:
    """Return how each raise of each game is decided."""
    games = read_document(FILE, Habits).game
    return {(game.id, decision.wager): decision for game in games for decision in game.decision}


def usual_times(game: Game, raised: str, cards: Hand) -> int:
    """Return the multiple that people raise by with these cards, 0 for a fold."""
    decision = read_habits()[game.id.split("/")[0], raised]
    ranking = game.rankings[decision.rank]
    strength = ranking.standing(Spread.of(cards)).strength
    reached = (row.times for row in decision.rows if strength >= ranking.threshold(row.cls, row.rank))
    return next(reached, 0)
