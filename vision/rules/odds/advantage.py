"""Decisions held against what a seat could know: recorded rounds enter, figures per seat and session leave.

Each decision is valued twice: with the cards that every player may see, and with those that were exposed besides (other
players' cards dealt face up, a dealer's card that showed). Where the two call for different choices, the decision
*tells*: whoever follows the informed choice there more often than the usual deviations of the same seat explain, is
worth a look. The report gives figures, sample size and chance. It accuses nobody.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb

from vision.records.round import Round, Seat
from vision.rules.book.house import House
from vision.rules.odds.decisions import COMMUNITY, FOLD, Decision, Known, Value, best, values
from vision.values.cards import Card, Hand
from vision.values.codes import Code

SEED = 20
PRIOR = 1  # one deviation and one decision by the book are taken as seen, for a seat of which little is known


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision: what was chosen, what the open cards call for, and what the exposed ones call for besides."""

    round_id: str
    seat: int
    raised: str
    chosen: float  # in Antes; 0: folded
    open_best: Value
    informed_best: Value
    chosen_open: float  # expected return of the choice that was made, by the open cards
    chosen_informed: float  # and with the exposed ones
    open_choice_informed: float  # what the open cards' best choice returns when the exposed ones are known
    exposed: Hand

    @property
    def tells(self) -> bool:
        """Tell whether the exposed cards call for another choice, beyond the errors of the estimates."""
        gain = self.informed_best.mean - self.open_choice_informed
        return self.informed_best.times != self.open_best.times and gain > 2 * self.informed_best.error

    @property
    def follows(self) -> bool:
        """Tell whether the informed choice was taken."""
        return self.chosen == self.informed_best.times

    @property
    def is_by_the_book(self) -> bool:
        """Tell whether the choice that the open cards call for was taken."""
        return self.chosen == self.open_best.times


@dataclass(frozen=True, slots=True)
class SeatReport:
    """One seat of a session: figures, sample size and chance."""

    table: str
    seat: int
    decisions: int
    by_the_book: int
    return_open: float  # Antes per decision, as expected by the open cards
    return_informed: float  # and with the exposed ones: the difference is what the choices gained from them
    telling: int
    followed: int
    chance: float | None  # that usual deviations follow so often; None: nothing tells


def judge(
    house: House, rounds: Iterable[Round], samples: int, *, open_hands: bool, dealer_seen: Sequence[int] = ()
) -> Iterator[Judged]:
    """Judge every decision of which all cards are known; `dealer_seen` are the places of dealer cards that showed."""
    for played in rounds:
        shown = any(event.code == Code.DEALER_CARD_EXPOSED for event in played.events)
        dealer = _cards(played.dealer.cards)
        exposed = tuple(dealer[i] for i in dealer_seen if i < len(dealer)) if shown or dealer_seen else ()
        for seat in played.seats:
            elsewhere = _others(played, seat) if open_hands else ()
            yield from _seat_decisions(house, played, seat, (exposed, elsewhere), samples)


def _seat_decisions(house: House, played: Round, seat: Seat, seen: tuple[Hand, Hand], samples: int) -> Iterator[Judged]:
    cards, game = _cards(seat.cards), house.game
    base = game.decisions[0].of or ""
    stake = seat.wagers[base].cents if base in seat.wagers else None
    if (
        len(cards) != game.file.counts["seat.hand"]
        or not stake
        or seat.decision == "none"
        or COMMUNITY in game.file.counts
    ):
        return  # what is not known is not judged; shared cards are not in the record's rounds yet
    up = (Card.parse(played.dealer.up_card),) if played.dealer.up_card not in (None, "??") else ()
    for raised in game.decisions:
        wager = seat.wagers.get(raised.id)
        chosen = FOLD if wager is None or not wager.cents else wager.cents / stake
        yield _judged(Decision(house, raised.id), played, seat, (cards, up, *seen), chosen, samples)


def _judged(
    decision: Decision, played: Round, seat: Seat, seen: tuple[Hand, ...], chosen: float, samples: int
) -> Judged:
    cards, up, exposed, elsewhere = seen
    hidden = tuple(card for card in exposed if card not in up)
    plain = values(decision, Known(cards, dealer=up), samples, SEED)
    informed = values(decision, Known(cards, dealer=(*up, *hidden), elsewhere=elsewhere), samples, SEED)
    by_open = best(plain)
    return Judged(
        round_id=played.id,
        seat=seat.seat,
        raised=decision.raised,
        chosen=chosen,
        open_best=by_open,
        informed_best=best(informed),
        chosen_open=_at(plain, chosen),
        chosen_informed=_at(informed, chosen),
        exposed=(*hidden, *elsewhere),
        open_choice_informed=_at(informed, by_open.times),
    )


def _at(found: tuple[Value, ...], times: float) -> float:
    """Return what a choice returns; between two whole multiples, in proportion."""
    known = {value.times: value.mean for value in found}
    if times in known:
        return known[int(times)]
    raises = sorted(n for n in known if n != FOLD)
    low, high = raises[0], raises[-1]
    slope = (known[high] - known[low]) / (high - low) if high > low else 0.0
    return known[low] + (times - low) * slope


def report(table: str, judged: Iterable[Judged]) -> Iterator[SeatReport]:
    """Sum up the decisions of a session, seat by seat."""
    by_seat: dict[int, list[Judged]] = defaultdict(list)
    for decision in judged:
        by_seat[decision.seat].append(decision)
    for seat, mine in sorted(by_seat.items()):
        yield _seat_report(table, seat, mine)


def _seat_report(table: str, seat: int, mine: Sequence[Judged]) -> SeatReport:
    telling = [decision for decision in mine if decision.tells]
    usual = [decision for decision in mine if not decision.tells]
    deviation = (sum(not decision.is_by_the_book for decision in usual) + PRIOR) / (len(usual) + 2 * PRIOR)
    followed = sum(decision.follows for decision in telling)
    return SeatReport(
        table=table,
        seat=seat,
        decisions=len(mine),
        by_the_book=sum(decision.is_by_the_book for decision in mine),
        return_open=sum(decision.chosen_open for decision in mine) / len(mine),
        return_informed=sum(decision.chosen_informed for decision in mine) / len(mine),
        telling=len(telling),
        followed=followed,
        chance=at_least(followed, len(telling), deviation) if telling else None,
    )


def at_least(hits: int, tries: int, share: float) -> float:
    """Return the chance of so many hits or more."""
    return sum(comb(tries, n) * share**n * (1 - share) ** (tries - n) for n in range(hits, tries + 1))


def _others(played: Round, seat: Seat) -> Hand:
    return tuple(card for other in played.seats if other.seat != seat.seat for card in _cards(other.cards))


def _cards(faces: Sequence[str]) -> Hand:
    return tuple(Card.parse(face) for face in faces if face != "??")
