"""One round, explained: the facts so far enter; the story that explains them best leaves, with what is doubted of it.

Nothing is committed between two calls: a better reading, a thing that was only missed, a hand that was another's
simply give another story. That is all the undoing there is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import log, prod
from typing import Final

from vision.rules.due.irregular import gravest, repeated_cards
from vision.rules.due.record import (
    Line,
    Outcome,
    PlayedRound,
    SeatDue,
    SeatPlay,
    Settlement,
    Status,
    unresolved,
)
from vision.rules.due.settle import settle
from vision.rules.play.dealscript import Place
from vision.rules.text.gamefile import Irregular
from vision.rules.text.pays import Kind
from vision.story.explain.board import Board
from vision.story.explain.cards import CardReader, Cards
from vision.story.explain.chips import NONE as _NOTHING
from vision.story.explain.context import BONUS, DEALER, TableContext, seat_place
from vision.story.explain.faces import ReadCard, hands_of, named, up_card_of
from vision.story.explain.money import Prices, SeatMoney, SpotSeen, Tally
from vision.story.explain.seats import ChipReader, SeatChips
from vision.story.explain.voids import (
    CALLED_OFF,
    NOT_HONOURED,
    SETTLED_UNREVEALED,
    UNREVEALED,
    Cause,
    as_not_honoured,
    as_unresolved,
    causes,
)
from vision.story.explain.worlds import dues_of
from vision.story.worlds import Dues
from vision.values.cards import Card, Unseen
from vision.values.codes import Code
from vision.values.geometry import Floats

RIGHT_FROM, WRONG_FROM = 0.85, 0.8  # assumed: posterior from which on a wager is called right, or wrong
TOOK: Final = 0.5  # that the dealer took an ante, from which on its hand was given up
MOST_KNOWN: Final = 400  # answers that are remembered
MISPAY: Final = 0.003  # assumed: chance of each kind of wrong settlement of a wager


@dataclass(frozen=True)
class Explained:
    """A round as its facts are explained best."""

    cards: Cards
    chips: Mapping[int, SeatChips]
    hands: Mapping[Place, tuple[ReadCard, ...]]
    faces: Mapping[Place, tuple[Card | Unseen, ...]]
    played: PlayedRound
    dues: Dues
    money: Mapping[int, Mapping[str, Tally]]
    causes: tuple[Cause, ...] = ()
    is_void: bool = False
    is_honoured: bool = False  # it is void, and everything went back

    @property
    def up_card(self) -> Card | None:
        """Return the card that the dealer showed during the round."""
        return up_card_of(self.cards.faces.up_card)

    def played_stake(self, seat: int, wager: str) -> int:
        """Return a stake as the round was settled with it."""
        return next((play.stake(wager) for play in self.played.seats if play.seat == seat), 0)


class Explainer:
    """Explains the rounds of one table."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._cards, self._chips = CardReader(context), ChipReader(context)
        self._known_dues: dict[object, Dues] = {}  # what was worked out before: the same cards, the same answer
        self._known_money: dict[object, tuple[float, dict[str, Tally]]] = {}

    @cached_property
    def _prices(self) -> Prices:
        codes = (Code.UNDERPAID, Code.OVERPAID, Code.LOSER_PAID, Code.LOSER_NOT_COLLECTED)
        return Prices(dict.fromkeys((*codes, Code.WINNER_COLLECTED, Code.WINNER_NOT_PAID), MISPAY))

    def explain(self, board: Board, since_ns: int, strays: frozenset[int]) -> Explained:
        """Return the best explanation of a round's facts up to now."""
        context = self._context
        cards = self._cards.read(board, since_ns, strays)
        chips = self._chips.read(board, cards, since_ns)
        playing = {seat: own for seat, own in chips.items() if any(own.has(w) for w in context.game.stakes)}
        hands = hands_of(context, cards)
        counts = context.game.file.counts
        for place in (DEALER, *(seat_place(seat) for seat in playing)):
            if place[0] in counts:
                hands.setdefault(place, tuple(ReadCard(None) for _ in range(counts[place[0]])))
        hands = {p: h for p, h in hands.items() if p in (DEALER, BONUS) or p[1] in playing}
        faces = named(hands)
        found = causes(context, cards, hands, board.signals, since_ns)
        played = self._played(cards, playing, faces)
        beliefs = {p: [c.beliefs for c in h] for p, h in hands.items()}
        counted = {place: hand[: counts.get(place[0], len(hand))] for place, hand in beliefs.items()}
        is_early = cards.faces.reveal_ns is None and cards.last_gone_ns is None and not found
        plain = self._dues(_counted_right(played, counts), counted, is_early=is_early)
        usual = self._all_money(board, cards, playing, plain)
        told = Explained(cards, playing, hands, faces, played, plain, usual.tallies, found)
        if not self._may_be_void(told):
            return told
        return self._with_voids(board, told, usual)

    def _dues(self, played: PlayedRound, beliefs: Mapping[Place, list[Floats | None]], *, is_early: bool) -> Dues:
        """Return what is due by every set of cards; a card that surely lies there twice is not settled."""
        if is_early:
            return UNSETTLED
        key = _key_of(played, beliefs)
        if key not in self._known_dues:
            house = self._context.sheet.house
            if len(self._known_dues) > MOST_KNOWN:
                self._known_dues.clear()
            if repeated_cards(played):
                self._known_dues[key] = Dues(((settle(house, played), 1.0),))
            else:
                self._known_dues[key] = dues_of(house, played, beliefs)
        return self._known_dues[key]

    def _all_money(self, board: Board, cards: Cards, chips: Mapping[int, SeatChips], due: Dues) -> "_RoundMoney":
        found = {seat: self._money(board, cards, own, due) for seat, own in chips.items()}
        log_p = sum(log(max(likelihood, 1e-300)) for likelihood, _ in found.values())
        return _RoundMoney({seat: tallies for seat, (_, tallies) in found.items()}, log_p)

    # ---- Rounds that end otherwise

    def _may_be_void(self, told: Explained) -> bool:
        is_over = told.cards.last_gone_ns is not None and told.cards.faces.reveal_ns is None
        return bool(told.causes) or is_over

    def _with_voids(self, board: Board, told: Explained, usual: "_RoundMoney") -> Explained:
        """Weigh the stories in which the round is void, or a supervisor's, against the one in which it is not."""
        house = self._context.sheet.house
        irregular = tuple(cause.irregularity for cause in told.causes)
        whole = replace(told.played, irregularities=irregular)
        ruled = settle(house, whole)
        p_cause = 1 - prod(1 - cause.p for cause in told.causes)
        if ruled.status is Status.SUPERVISOR:
            tallies = {seat: as_unresolved(own) for seat, own in told.money.items()}
            return replace(told, money=tallies, dues=Dues(((ruled, 1.0),)))
        is_open = told.cards.faces.reveal_ns is None and any(
            not self.has_folded(told.cards, own) for own in told.chips.values()
        )
        effect = gravest(house.game, irregular)
        if ruled.status is not Status.VOID and not is_open:
            return told
        void = ruled if ruled.status is Status.VOID else _all_returned(whole, effect)
        returned = self._all_money(board, told.cards, told.chips, Dues(((void, 1.0),)))
        usual_log = usual.log_p + (log(UNREVEALED) if is_open else 0.0)
        p_void = p_cause if ruled.status is Status.VOID else CALLED_OFF
        honoured = log(p_void * (1 - NOT_HONOURED)) + returned.log_p
        goes_on = NOT_HONOURED if told.cards.faces.reveal_ns is not None else NOT_HONOURED * SETTLED_UNREVEALED
        not_honoured = log(max(p_void * goes_on, 1e-12)) + usual_log
        no_void = log(max(1 - p_void, 1e-12)) + usual_log
        best = max(honoured, not_honoured, no_void)
        if best == honoured:
            return replace(told, money=returned.tallies, dues=Dues(((void, 1.0),)), is_void=True, is_honoured=True)
        if best == not_honoured:
            tallies = {seat: as_not_honoured(own) for seat, own in told.money.items()}
            return replace(told, money=tallies, dues=Dues(((void, 1.0),)), is_void=True)
        return told

    # ---- The round as the rule book settles it

    def _played(
        self, cards: Cards, chips: Mapping[int, SeatChips], faces: Mapping[Place, tuple[Card | Unseen, ...]]
    ) -> PlayedRound:
        seats = tuple(
            SeatPlay(seat, faces.get(seat_place(seat), ()), self._stakes(own), folded=self.has_folded(cards, own))
            for seat, own in chips.items()
        )
        return PlayedRound(
            seats=seats,
            dealer=faces.get(DEALER, ()),
            bonus=faces.get(BONUS, ()),
            up_card=up_card_of(cards.faces.up_card),
            seeds=self._context.sheet.seeds_cents,
        )

    def has_folded(self, cards: Cards, chips: SeatChips) -> bool:
        """Tell whether a seat gave its hand up: it might have raised, and had not when the dealer's hand was turned."""
        decision = self._context.game.decisions
        if not decision or not chips.has(decision[0].of or ""):
            return False
        if any(chips.has(raised.id) for raised in decision):
            return False
        base = chips.spots[decision[0].of or ""]
        return cards.faces.reveal_ns is not None or (base.gone_ns is not None and base.by_dealer >= TOOK)

    def _stakes(self, chips: SeatChips) -> dict[str, int]:
        """Return a seat's stakes, each the likeliest; a raise is the nearest legal one, so that it can be settled."""
        found: dict[str, int] = {}
        specs = {spec.name: spec for spec in self._context.money_specs}
        for wager, spot in chips.spots.items():
            if spot.stakes:
                contents = [stack.content_at(spot.stake_ns) for stack in spot.stakes]
                found[wager] = max(sum((c.amounts[0][0] if c.amounts else 0) for c in contents), 1)
        for wager in self._context.raises & set(found):
            base = found.get(specs[wager].base or "")
            if base is not None:
                legal = [base * k for k in specs[wager].factors]
                found[wager] = min(legal, key=lambda cents: (abs(cents - found[wager]), cents), default=found[wager])
        return found

    # ---- Money

    def _money(self, board: Board, cards: Cards, chips: SeatChips, due: Dues) -> tuple[float, dict[str, Tally]]:
        bindings = self._chips.bindings(board, cards, chips)
        bonuses = {name: spec.on for name, spec in self._context.game.wagers.items() if spec.on is not None}
        whole = [
            ({**seen, **{b: SpotSeen(_NOTHING) for b, on in bonuses.items() if on in seen and b not in seen}}, weight)
            for seen, weight in bindings
        ]
        silent = _silent(due)
        made = {wager for seen, _ in whole for wager in seen if wager not in bonuses}
        worlds = [({**dict.fromkeys(made, silent), **lines}, chance) for lines, chance in due.lines(chips.seat)]
        key = repr((whole, [(_said(lines), chance) for lines, chance in worlds]))
        if key not in self._known_money:
            if len(self._known_money) > MOST_KNOWN:
                self._known_money.clear()
            sheet = self._context.sheet
            seat = SeatMoney(self._context.money_specs, self._prices, self.due_cents, sheet.chips_cents, self._disputed)
            tallies = seat.explain(whole, worlds)
            self._known_money[key] = seat.likelihood, tallies
        return self._known_money[key]

    @cached_property
    def _disputed(self) -> dict[str, Line]:
        """Return what becomes of the wagers of a seat that raised by what no rule allows."""
        dispute = self._context.game.file.dispute
        return {w: unresolved(0, dispute.why, dispute.cite) for w in dispute.wagers} if dispute is not None else {}

    def due_cents(self, line: Line, stake: int) -> int | None:
        """Return what a wager is due if its stake is so much."""
        if line.paid is None:
            return None
        if line.outcome is not Outcome.WIN:
            return 0
        house = self._context.sheet.house
        scales = line.pay is not None and line.pay.kind in (Kind.TO, Kind.FOR)
        paid = line.pay.on(stake) if scales and line.pay is not None else line.paid
        return int(house.rounding.apply(paid, house.rounding_unit_cents))


def _key_of(played: PlayedRound, beliefs: Mapping[Place, list[Floats | None]]) -> object:
    """Return what dues hang on: the cards, as far as they are known, and what was wagered."""
    cards = tuple((p, tuple(b if b is None else b.round(3).tobytes() for b in hand)) for p, hand in beliefs.items())
    seats = tuple((s.seat, s.cards, tuple(sorted(s.wagers.items())), s.folded) for s in played.seats)
    return cards, seats, played.dealer, played.bonus, played.irregularities


def _said(lines: Mapping[str, Line]) -> list[tuple[str, str, object]]:
    return [(wager, str(line.outcome), line.paid) for wager, line in sorted(lines.items())]


UNSETTLED: Final = Dues(((Settlement(Status.SUPERVISOR, remedy="the round goes on"), 1.0),))  # nothing is due yet


def _silent(due: Dues) -> Line:
    """Return the line of a wager that the settlement does not speak of."""
    settled = due.likeliest
    if settled.status in (Status.SUPERVISOR, Status.INVALID_CARDS):
        return unresolved(0, settled.remedy or "; ".join(settled.notes), settled.cite or "")
    return Line(Outcome.RETURNED, 0, 0, 0, settled.cite or "")


@dataclass(frozen=True)
class _RoundMoney:
    """The money of all seats, and how likely what was seen of it is."""

    tallies: Mapping[int, Mapping[str, Tally]]
    log_p: float


def _counted_right(played: PlayedRound, counts: Mapping[str, int]) -> PlayedRound:
    """Return a round as if every hand had its number of cards: what too many do is asked apart."""
    seats = tuple(replace(seat, cards=seat.cards[: counts["seat.hand"]]) for seat in played.seats)
    return replace(played, seats=seats, dealer=played.dealer[: counts.get("dealer.hand", 0)])


def _all_returned(played: PlayedRound, effect: Irregular | None) -> Settlement:
    """Return the settlement of a round that was called off: everything goes back."""
    seats = tuple(
        SeatDue(
            s.seat,
            None,
            None,
            {w: Line(Outcome.RETURNED, c, 0, c, effect.cite if effect else "") for w, c in s.wagers.items()},
        )
        for s in played.seats
    )
    return Settlement(Status.VOID, seats=seats)
