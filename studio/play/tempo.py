"""How fast a table is: one dealer's and its players' times, and whose turn it is to move. A `random.Random` enters."""

from dataclasses import dataclass, field
from random import Random

DEALER = 0
IN_TURN_S = 0.02  # moves begin in the order of the script, and take effect in it
LEAST_TRAVEL_S = 0.16
AHEAD_S = 0.35  # how long before a bystander is done the dealer goes on


@dataclass(frozen=True, slots=True)
class Span:
    """When a move began, and when its effect was on the table."""

    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Tempo:
    """The habits of one dealer and the company at the table."""

    pitch_s: float = 0.4  # from one dealt card to the next
    speed_mm_s: float = 1400.0  # of a hand on its way, on average
    grip_s: float = 0.1  # to take hold, and to let go
    turn_s: float = 0.32  # to turn a card over
    cut_s: float = 0.4  # to set one more stack beside the last
    pause_s: float = 0.25  # the dealer, between two moves
    read_s: float = 0.7  # the dealer, to read a hand
    think_s: float = 1.2  # a player, before a decision
    stagger_s: float = 0.45  # between players who act at the same time
    follow: float = 0.55  # share of a card's way on which the dealing hand goes along
    spread_mm: float = 12.0  # between the cards of a dealt hand
    scatter_mm: float = 3.5
    scatter_deg: float = 4.0
    sloppy_mm: float = 0.7  # how far chips of a stack stand off its axis
    tuck: float = 0.6  # how often players tuck their cards at the Play wager
    stack_high: int = 20  # chips in one stack of a payment

    def travel_s(self, distance_mm: float) -> float:
        """Return how long a hand is under way."""
        return max(LEAST_TRAVEL_S, distance_mm / self.speed_mm_s + 0.07)


def random_tempo(rng: Random) -> Tempo:
    """Choose a dealer: brisk or slow in everything, tidy or not."""
    slow = rng.uniform(0.0, 1.0)
    loose = rng.uniform(0.0, 1.0)

    def between(quick: float, lazy: float) -> float:
        share = min(max(slow + rng.uniform(-0.25, 0.25), 0.0), 1.0)
        return quick + (lazy - quick) * share

    return Tempo(
        pitch_s=between(0.25, 0.6),
        speed_mm_s=between(1800, 1150),
        grip_s=between(0.07, 0.15),
        turn_s=between(0.22, 0.42),
        cut_s=between(0.28, 0.5),
        pause_s=between(0.08, 0.32),
        read_s=between(0.4, 1.1),
        think_s=rng.uniform(0.5, 2.0),
        stagger_s=rng.uniform(0.15, 0.8),
        follow=rng.choice((0.4, 0.55, 0.7, 0.85)),
        spread_mm=rng.choice((3.0, 8.0, 12.0, 18.0)),
        scatter_mm=1.5 + 4 * loose,
        scatter_deg=1.5 + 6 * loose,
        sloppy_mm=0.3 + 1.2 * loose,
        tuck=rng.choice((0.0, 0.3, 0.7, 1.0)),
        stack_high=rng.choice((5, 10, 20, 20)),
    )


@dataclass
class Cues:
    """Whose turn it is: players wait for the dealer and not for each other, the dealer for bets and decisions."""

    last_start_s: float = 0.0
    effect_s: float = 0.0  # when the last move took effect
    dealer_effect_s: float = 0.0
    awaited_s: float = 0.0  # when the last bet or decision was made
    free_s: dict[int, float] = field(default_factory=dict)

    def start_s(self, person: int, gap_s: float, *, at_once: bool = False) -> float:
        """Return when a person may begin; `at_once`: a dealer's move that follows from the last one without a pause."""
        begin_s = max(self.last_start_s + IN_TURN_S, self.free_s.get(person, 0.0))
        if person != DEALER:
            return max(begin_s, self.dealer_effect_s + gap_s)
        begin_s = max(begin_s, self.awaited_s + gap_s, self.effect_s - AHEAD_S)
        return begin_s if at_once else max(begin_s, self.dealer_effect_s + gap_s)

    @property
    def floor_s(self) -> float:
        """Return the earliest moment at which the next move may take effect."""
        return self.effect_s + IN_TURN_S

    def note(self, person: int, span: Span, free_s: float, *, is_awaited: bool = False) -> Span:
        """Keep a move's times and return its span, which ends after the one before."""
        span = Span(span.start_s, max(span.end_s, self.floor_s, span.start_s + IN_TURN_S))
        self.last_start_s, self.effect_s = span.start_s, span.end_s
        if person == DEALER:
            self.dealer_effect_s = span.end_s
        if is_awaited:
            self.awaited_s = span.end_s
        self.free_s[person] = max(free_s, self.free_s.get(person, 0.0))
        return span

    def hold(self, until_s: float) -> None:
        """Let nobody begin before a moment."""
        self.dealer_effect_s = max(self.dealer_effect_s, until_s)
        self.awaited_s = max(self.awaited_s, until_s)
