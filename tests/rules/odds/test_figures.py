"""The texts' own figures. The quick ones always; the exact count of player against dealer is slow."""

from fractions import Fraction

import numpy as np
import pytest

from vision.rules.book.game import load_game
from vision.rules.odds.arrays import Spreads, class_shift, strengths
from vision.rules.odds.basegame import _dealer_hands
from vision.rules.odds.figures import Computed, Figure, exact_edge, read_figures, recompute
from vision.rules.odds.pairs import DEALS, lower_hands

# house edges in percent, computed elsewhere from exact counts
EDGES = [
    ("four-card-poker/md", "aces_up", "A", 2.78),
    ("four-card-poker/md", "aces_up", "B", 3.37),
    ("four-card-poker/md", "aces_up", "C", 3.89),
    ("four-card-poker/md", "aces_up", "D", 4.24),
    ("four-card-poker/md", "aces_up", "E", 5.03),
    ("four-card-poker/md", "aces_up", "F", 6.15),
    ("four-card-prime/pa", "prime", "A", 4.74),
    ("four-card-prime/pa", "prime", "B", 9.80),
]


@pytest.mark.parametrize(("game", "group", "letter", "percent"), EDGES)
def test_exact_edges(game: str, group: str, letter: str, percent: float) -> None:
    assert round(100 * float(exact_edge(load_game(game), group, letter)), 2) == percent


def test_an_edge_is_exact() -> None:
    """FCP-03 and FCP-09 differ by one unit on three of a kind, and so do their edges."""
    game = load_game("four-card-poker/wa")
    assert exact_edge(game, "aces_up", "FCP-09") - exact_edge(game, "aces_up", "FCP-03") == Fraction(58_656, 2_598_960)


@pytest.mark.parametrize(
    ("value", "published", "error", "agrees"),
    [
        (1.979, "1.98%", 0.0, True),
        (5.033, "4.98%", 0.0, False),
        (54_144.0, "54,145 to 1", 0.0, False),
        (1.65, "1.58%", 0.06, True),  # a sampled value may be two standard errors off
        (1.72, "1.58%", 0.06, False),
    ],
)
def test_agreement(value: float, published: str, error: float, *, agrees: bool) -> None:
    figure = Figure(cite="x", game="x", table=["x", "y"], measure="edge", published=published)
    assert Computed(figure, value, error).agrees == agrees


@pytest.mark.slow
def test_every_published_figure_is_reproduced_or_explained() -> None:
    told: list[str] = []
    computed = list(recompute(read_figures(), told.append))
    assert len(told) == len(computed) >= 20
    for result in computed:
        assert result.agrees == (result.figure.remark is None), f"{result.figure.cite}: {result.text}"


@pytest.mark.slow
def test_the_exact_count_of_lower_hands_agrees_with_a_sample() -> None:
    """Two ways to one number: inclusion and exclusion over all deals, and a million random deals."""
    spec = load_game("four-card-poker/wa").file.rank["four"]
    exact = lower_hands(spec, "two_pair")
    random = np.random.default_rng(5)
    deals = 1_000_000
    cards = np.argsort(random.random((deals, 52)), axis=1)[:, :5]
    players = np.sort(cards, axis=1).astype(np.uint8)
    one = strengths(spec, Spreads.of(players))
    other = strengths(spec, Spreads.of(_dealer_hands(players, random)))
    lower = np.minimum(one, other)
    for i, cls in enumerate(spec.order[:6]):
        weight = len(spec.order) - i
        sampled = np.count_nonzero((lower >> class_shift(spec) == weight) & (one != other)) / deals
        share = exact[cls.id].beaten / DEALS
        assert abs(sampled - share) < 5 * (share / deals) ** 0.5 + 1e-6, cls.id
