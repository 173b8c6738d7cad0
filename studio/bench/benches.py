"""Speed, measured in one run on one core, next to what one would use instead."""

import json
import random
import tomllib
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path
from time import process_time

from vision.rules.book.game import load_game, read_game
from vision.rules.book.house import House
from vision.rules.book.wagers import families, read_family
from vision.rules.due.record import PlayedRound, SeatPlay
from vision.rules.due.settle import settle
from vision.rules.due.wire import Settler
from vision.rules.hands.spread import Spread
from vision.table.views import view_names
from vision.values.cards import DECK, VALUE, Card, Hand
from vision.values.resources import GAMES, WAGERS

ROUNDS = 2_000
WAGERS_EACH = 100
SEED = 12


def settle_bench() -> Iterator[dict[str, object]]:
    """Settle full tables; and rank their hands with our ranking and the textbook way, every four of them."""
    game = load_game("four-card-poker/md")
    house = House.choose(game, {"aces_up": "D", "six_card": "B", "progressive": "C", "envy": "D"}, {})
    rounds = list(_full_tables(ROUNDS))
    hands = [hand for played in rounds for hand in _hands(played)]
    settling = _seconds(settle, ((house, played) for played in rounds))
    ours = _seconds(lambda hand: game.rankings["four"].standing(Spread.of(hand)), ((hand,) for hand in hands))
    textbook = _seconds(_textbook_best, ((hand,) for hand in hands))
    lines = _wager_lines()
    wagers = _seconds(Settler().answer, ((line, 1) for line in lines))
    loading, parsing = _seconds(_load, [()]), _seconds(_parse, [()])
    yield {
        "bench": "settle",
        "games_loaded_seconds": round(loading, 2),
        "games_parsed_seconds": round(parsing, 2),  # the same files by tomllib alone
        "loading_ratio": round(loading / parsing, 1),
        "single_wagers_per_second": round(len(lines) / wagers),
        "rounds_per_second": round(len(rounds) / settling),
        "seats": 7,
        "wagers_per_seat": 5,
        "hands_ranked_per_second": round(len(hands) / ours),
        "hands_ranked_per_second_textbook": round(len(hands) / textbook),
        "ranking_ratio": round(textbook / ours, 1),
    }


def _load() -> None:
    """Read, compile and check every game and every wager file, as a first command does."""
    for path in _game_files():
        read_family(path) if path.parent == WAGERS else read_game(path)


def _parse() -> None:
    for path in _game_files():
        tomllib.loads(path.read_text(encoding="utf-8"))


def _game_files() -> list[Path]:
    return sorted(GAMES.glob("*/*.toml"))


def _wager_lines() -> list[str]:
    """Return the worked examples of the wager files as lines, many times over."""
    examples = [example for family in families() for example in family.file.example]
    lines = [example.model_dump(include={"section", "wager", "paytable", "inputs"}) for example in examples]
    return [json.dumps(line) for line in lines] * WAGERS_EACH


def simulate_bench() -> Iterator[dict[str, object]]:
    """Film part of a round and draw stills, on one core; and draw the same frames whole, changes or not."""
    import cv2  # pictures are slow to load, and other benches need none

    from studio.bench.simulate import measure

    cv2.setNumThreads(1)
    yield from map(measure, view_names())


def detect_bench() -> Iterator[dict[str, object]]:
    """Find and read all of a 1080p picture; and run a plain Ultralytics model of size n, at 640, on it."""
    import cv2

    from studio.bench.detect import measure

    cv2.setNumThreads(1)
    yield measure()


def calibrate_bench() -> Iterator[dict[str, object]]:
    """Register a frame of a sample clip and watch the clip for drift; and match a frame with SIFT alone."""
    import cv2

    from studio.bench.calibrate import measure
    from vision.values.resources import shipped

    cv2.setNumThreads(1)
    yield measure(shipped("datasets") / "samples" / "clean")


def live_bench() -> Iterator[dict[str, object]]:
    """Play the sample footage to a watcher, with the pages served, and time alerts from the picture to an open page."""
    from studio.bench.live import measure, steps
    from vision.draw import terminal as show

    with show.progress("watching", steps()) as step:
        yield from measure(step)


def watch_bench() -> Iterator[dict[str, object]]:
    """Film rounds, and watch them; and only decode them; and run a plain detector on every frame of them."""
    import cv2

    from studio.bench.watch import measure, steps
    from vision.draw import terminal as show

    cv2.setNumThreads(1)
    with show.progress("filming and watching", steps()) as step:
        yield from measure(step)


BENCHES: dict[str, Callable[[], Iterator[dict[str, object]]]] = {
    "calibrate": calibrate_bench,
    "detect": detect_bench,
    "live": live_bench,
    "settle": settle_bench,
    "simulate": simulate_bench,
    "watch": watch_bench,
}


def _seconds(work: Callable[..., object], tasks: Iterable[tuple[object, ...]]) -> float:
    """Return how long the tasks take one after the other; no result is kept, as in a stream."""
    start = process_time()
    for task in tasks:
        work(*task)
    return process_time() - start


def _full_tables(count: int) -> Iterator[PlayedRound]:
    """Yield seven-seat rounds with every wager made."""
    shuffler = random.Random(SEED)  # noqa: S311 - cards for a benchmark, not for money
    for _ in range(count):
        deck = list(DECK)
        shuffler.shuffle(deck)
        seats = tuple(_seat(n, tuple(deck[5 * n : 5 * n + 5])) for n in range(7))
        yield PlayedRound(seats, dealer=tuple(deck[35:41]), bonus=tuple(deck[41:42]), meters={"main": 1_534_200})


def _seat(n: int, cards: Hand) -> SeatPlay:
    wagers = {"ante": 2000, "play": 4000, "aces_up": 1000, "six_card": 500, "progressive": 100}
    return SeatPlay(n + 1, cards, wagers)


def _hands(played: PlayedRound) -> Iterator[Hand]:
    for cards in (played.dealer, *(seat.cards for seat in played.seats)):
        yield tuple(card for card in cards if isinstance(card, Card))


VALUE_OF = {card: VALUE[card.rank] for card in DECK}


def _textbook_best(hand: Hand) -> tuple[int, ...]:
    return max(_textbook_rank(four) for four in combinations(hand, 4))


def _textbook_rank(four: Hand) -> tuple[int, ...]:
    """Rank four cards as most poker programs do: count ranks, test for flush and straight."""
    values = sorted((VALUE_OF[card] for card in four), reverse=True)
    groups = sorted({value: values.count(value) for value in values}.items(), key=lambda g: (g[1], g[0]), reverse=True)
    shape = tuple(size for _, size in groups)
    flush = len({card.suit for card in four}) == 1
    straight = shape == (1, 1, 1, 1) and (values[0] - values[3] == 3 or values == [14, 4, 3, 2])
    order = [(4,), flush and straight, (3, 1), flush, straight, (2, 2), (2, 1, 1)]
    strength = next((7 - i for i, test in enumerate(order) if test is True or test == shape), 0)
    return (strength, *(value for value, _ in groups))
