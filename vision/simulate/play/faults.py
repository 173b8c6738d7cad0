"""Mistakes and innocent confusions: each takes a draft of a clean round and edits it as honestly as it would happen.

A draft enters and is changed in place; where its cards do not offer the situation, `Unsuited` is raised and the author
draws again. What the edit means for verdicts is not said here: the truth is read off the moves afterwards.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from vision.cards import Card
from vision.errors import InputError
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity, Line
from vision.rules.play.dealscript import SEAT
from vision.simulate.play.players import Dice, Unsuited, fewest, limits, stack
from vision.simulate.play.script import Do, Move
from vision.simulate.play.truth import CALLED_OFF, DEALER, EXPOSED, FACED, MISCOUNT, SETTLING, Spot, dealt, ledger_of

CLEARING = (Do.TAKE, Do.MUCK, Do.REVEAL, Do.MUCK_DEALER)
CARDS_OF_A_SUIT = 4  # that make a flush


@dataclass(eq=False)
class Step:
    """A move in a draft: its place may still change, and so may the move."""

    move: Move


@dataclass(frozen=True, slots=True)
class Mark:
    """A fault in a draft, at the step where it begins."""

    name: str
    code: str
    step: Step
    seat: int | None
    wager: str | None


@dataclass
class Draft:
    """A round that is written but not yet acted out."""

    sheet: HouseSheet
    steps: list[Step]
    belief: Mapping[Spot, Line]  # what an attentive dealer pays and takes
    stub: list[Card]  # cards that were not dealt
    deck: int
    last_deck: int
    is_first: bool  # nothing of this table was filmed before
    is_count_due: bool
    marks: list[Mark] = field(default_factory=list)
    name: str = ""  # of the fault that is being written

    @property
    def moves(self) -> list[Move]:
        """Return the moves as they stand."""
        return [step.move for step in self.steps]

    def find(self, *dos: Do, seat: int | None = None, wager: str | None = None, zone: str | None = None) -> list[Step]:
        """Return the steps of some kinds, in order; what is not named may be anything."""
        return [
            step
            for step in self.steps
            if step.move.do in dos
            and (seat is None or step.move.seat == seat)
            and (wager is None or step.move.wager == wager)
            and (zone is None or step.move.zone == zone)
        ]

    def first(self, *dos: Do, seat: int | None = None) -> Step:
        """Return the first step of some kinds; draw again where there is none."""
        found = self.find(*dos, seat=seat)
        if not found:
            raise Unsuited(f"no {dos[0]}")
        return found[0]

    def put(self, move: Move, before: Step | None = None, after: Step | None = None) -> Step:
        """Insert a move beside another, or at the end."""
        step = Step(move)
        at = self.steps.index(before) if before else self.steps.index(after) + 1 if after else len(self.steps)
        self.steps.insert(at, step)
        return step

    def shift(self, step: Step, before: Step) -> None:
        """Move a step to another place."""
        self.steps.remove(step)
        self.steps.insert(self.steps.index(before), step)

    def change(self, step: Step, **fields: object) -> None:
        """Change a move where it stands."""
        step.move = replace(step.move, **fields)  # type: ignore[arg-type]

    def mark(self, step: Step, seat: int | None = None, wager: str | None = None, code: str | None = None) -> None:
        """Say that a fault begins at a step."""
        code = code or self.name.split(":")[0]
        self.change(step, fault=code)
        self.marks.append(Mark(self.name, code, step, seat, wager))

    def settled(self) -> list[Step]:
        """Return the payments and takings after the dealer's reveal, of wagers about which the rules speak."""
        reveal = self.steps.index(self.first(Do.REVEAL))
        late = set(map(id, self.steps[reveal:]))
        return [s for s in self.find(Do.PAY, Do.TAKE) if id(s) in late and not s.move.fault and self.is_decided(s.move)]

    def is_decided(self, move: Move) -> bool:
        """Tell whether the rules themselves say what is due on a move's wager; else only custom does."""
        plan = self.sheet.house.plans.get(move.wager or "")
        return plan is None or all(rule.row.unresolved is None for rule in plan.rules)

    def between(self, dice: Dice, start: Step, end: Step | None = None) -> Step:
        """Return a step after which something may happen, from one step up to another (or the first clearing)."""
        here = self.steps.index(start)
        there = self.steps.index(end) if end else self._decisions_end()
        return dice.pick(self.steps[here:there])

    def _decisions_end(self) -> int:
        stub = self.steps.index(self.first(Do.STUB))
        return next(i for i, step in enumerate(self.steps) if i > stub and step.move.do in CLEARING)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault as the registry holds it: the edit, and where it is one at all."""

    edit: Callable[[Draft, Dice], None]
    fits: Callable[[HouseSheet], bool] = lambda _: True


# ---- What a floor does about an irregularity


def _rule(draft: Draft, dice: Dice, step: Step, irregularity: Irregularity) -> None:
    """Let the round go the way the text says: on, off, or as a supervisor decides."""
    effect = effect_of(draft.sheet.house.game, irregularity).effect
    stub = draft.first(Do.STUB)
    start = step if draft.steps.index(step) > draft.steps.index(stub) else stub
    if effect == "void" or (effect == "supervisor" and (irregularity.code == MISCOUNT or dice.chance(0.4))):
        _call_off(draft, draft.between(dice, start), dice)
    elif effect == "supervisor":
        draft.put(Move(Do.WAIT, seconds=dice.span(4, 10), note="supervisor"), after=start)


def _call_off(draft: Draft, last: Step, dice: Dice) -> None:
    """End the round after a step: every wager goes back to its owner, the cards away."""
    del draft.steps[draft.steps.index(last) + 1 :]
    moves = draft.moves
    draft.put(Move(Do.WAIT, seconds=dice.span(2, 8), note=CALLED_OFF))
    stakes = dict(ledger_of(moves).stakes)
    stakes |= {(m.seat or 0, m.wager or ""): m.chips for m in moves if m.do is Do.BET and m.wager == "progressive"}
    for seat, wager in sorted(stakes, key=lambda spot: (-spot[0], spot[1])):
        draft.put(Move(Do.GIVE_BACK, seat, wager, chips=stakes[seat, wager]))
    for seat in sorted({seat for seat, _ in stakes}):
        if dealt(moves, SEAT, seat):
            draft.put(Move(Do.MUCK, seat))
    draft.put(Move(Do.MUCK_DEALER))


def _voids(sheet: HouseSheet, code: str) -> bool:
    return effect_of(sheet.house.game, Irregularity(code)).effect == "void"


# ---- Cards


def _flash(seconds: tuple[float, float], note: str) -> Callable[[Draft, Dice], None]:
    def edit(draft: Draft, dice: Dice) -> None:
        _rule(draft, dice, _expose(draft, dice, seconds, note), Irregularity(EXPOSED))

    return edit


def _expose(draft: Draft, dice: Dice, seconds: tuple[float, float], note: str) -> Step:
    hidden = len(dealt(draft.moves, DEALER)) - 2  # the last card is the up-card
    move = Move(Do.FLASH, count=dice.between(0, hidden), seconds=dice.span(*seconds), note=note)
    step = draft.put(move, after=draft.between(dice, draft.first(Do.STUB)))
    draft.mark(step, code=EXPOSED)
    return step


def expose_in_deal(draft: Draft, dice: Dice) -> None:
    """A card of the dealer's comes face up that should not."""
    down = [s for s in draft.find(Do.DEAL, zone=DEALER) if len(s.move.cards) > s.move.up]
    step = dice.pick(down)
    draft.change(step, up=step.move.up + 1, note="turned back")
    draft.mark(step)
    _rule(draft, dice, step, Irregularity(EXPOSED))


def _short(zone: str) -> Callable[[Draft, Dice], None]:
    def edit(draft: Draft, dice: Dice) -> None:
        """A single card is forgotten, or a stack comes one short."""
        last = _last_deals(draft, zone)
        step = dice.pick(last)
        seat = step.move.seat
        if len(step.move.cards) > 1:
            draft.change(step, cards=step.move.cards[1:])
        else:
            draft.steps.remove(step)
            step = draft.first(Do.STUB)
        draft.mark(step, seat)
        _rule(draft, dice, step, Irregularity(MISCOUNT))

    return edit


def _long(zone: str) -> Callable[[Draft, Dice], None]:
    def edit(draft: Draft, dice: Dice) -> None:
        step = _add_card(draft, dice, zone)
        _rule(draft, dice, step, Irregularity(MISCOUNT))

    return edit


def _add_card(draft: Draft, dice: Dice, zone: str) -> Step:
    """Two cards stick together and come as one; the extra one lies below."""
    step = dice.pick(_last_deals(draft, zone))
    draft.change(step, cards=(draft.stub.pop(), *step.move.cards))
    draft.mark(step, step.move.seat, code=MISCOUNT)
    return step


def _last_deals(draft: Draft, zone: str) -> list[Step]:
    """Return the last delivery to each place of a zone."""
    return list({step.move.seat: step for step in draft.find(Do.DEAL, zone=zone)}.values())


def _faced(number: int) -> Callable[[Draft, Dice], None]:
    def edit(draft: Draft, dice: Dice) -> None:
        """A card lies face up in the deck: it goes to the rack, and the next one takes its place."""
        steps = [
            draft.put(
                Move(Do.BURN, cards=(draft.stub.pop(),), up=1, deck=draft.deck),
                before=dice.pick(draft.find(Do.DEAL, zone=SEAT)),
            )
            for _ in range(number)
        ]
        steps.sort(key=draft.steps.index)
        for step in steps:
            draft.change(step, fault=FACED)
        draft.mark(steps[0])
        _rule(draft, dice, steps[-1], Irregularity(FACED, number))

    return edit


def duplicate_card(draft: Draft, dice: Dice) -> None:
    """A seat holds a card that lies elsewhere too; of the same rank, so that nobody at the table stumbles over it."""
    draft.first(Do.REVEAL)
    shown = [step.move.seat or 0 for step in draft.find(Do.SHOW)]
    seat = dice.pick(shown)
    hand = dealt(draft.moves, SEAT, seat)
    others = [*dealt(draft.moves, DEALER), *(c for s in shown if s != seat for c in dealt(draft.moves, SEAT, s))]
    pairs = [(own, twin) for own in hand for twin in others if own.rank == twin.rank and _is_dull(hand, own, twin)]
    own, twin = dice.pick(pairs)
    step = next(step for step in draft.find(Do.DEAL, seat=seat) if own in step.move.cards)
    draft.change(step, cards=tuple(twin if card == own else card for card in step.move.cards))
    draft.mark(step, seat)


def _is_dull(hand: tuple[Card, ...], own: Card, twin: Card) -> bool:
    """Tell whether no four of a suit are in a hand, before or after a card is replaced."""
    after = [twin if card == own else card for card in hand]
    return all(sum(card.suit == suit for card in cards) < CARDS_OF_A_SUIT for cards in (hand, after) for suit in "cdhs")


def deal_order(draft: Draft, dice: Dice) -> None:
    """A seat is served before its neighbour, who gets the card afterwards."""
    deals = draft.find(Do.DEAL)
    swaps = [
        (one, two)
        for one, two in pairwise(deals)
        if one.move.zone == two.move.zone == SEAT and one.move.seat != two.move.seat
    ]
    one, two = dice.pick(swaps)
    draft.shift(two, before=one)
    draft.mark(two, two.move.seat)


def cards_touched(draft: Draft, dice: Dice) -> None:
    """A neighbour's hand is on a player's cards."""
    seat = dice.pick(draft.find(Do.PEEK, Do.PLAY)).move.seat
    step = draft.put(Move(Do.TOUCH, seat), after=draft.between(dice, draft.first(Do.STUB)))
    draft.mark(step, seat)


def cards_cleared_early(draft: Draft, dice: Dice) -> None:
    """A hand goes to the rack while chips of its seat wait."""
    seat = dice.pick(draft.find(Do.SHOW)).move.seat or 0
    waiting = [step for step in _turn_of(draft, seat) if _is_stake(draft, step.move) and not step.move.fault]
    muck = draft.first(Do.MUCK, seat=seat)
    if not waiting or draft.steps.index(muck) < draft.steps.index(waiting[-1]):
        raise Unsuited("no chips wait")
    draft.shift(muck, before=waiting[-1])
    draft.mark(muck, seat)


def stub_count_due(draft: Draft, dice: Dice) -> None:  # noqa: ARG001  every fault has the same shape
    """The dealer forgets the count that is due."""
    if not (draft.is_count_due or draft.is_first):
        raise InputError("fault: 'stub-count-due': no count is due in this round: want a later one")
    step = draft.first(Do.STUB)
    draft.change(step, count=0)
    draft.mark(step)


def wrong_deck(draft: Draft, dice: Dice) -> None:
    """The deck of the last round is dealt again, or cards with another back are among the others."""
    if draft.sheet.decks > 1 and not draft.is_first and dice.chance(0.5):
        for step in draft.find(Do.CHANGE_DECK):
            draft.steps.remove(step)
        draft.deck = draft.last_deck
        for step in draft.find(Do.DEAL, Do.BURN, Do.STUB):
            draft.change(step, deck=draft.deck)
        step = draft.first(Do.DEAL)
    else:
        step = dice.pick(draft.find(Do.DEAL))
        draft.change(step, deck=1 - draft.deck)
    draft.mark(step, step.move.seat)


# ---- Bets


def late_bet(draft: Draft, dice: Dice) -> None:
    """Chips appear on an empty side spot after the close; the dealer sees it when settling and gives them back."""
    seat = dice.pick([step.move.seat or 0 for step in draft.find(Do.PLAY) if draft.find(Do.SHOW, seat=step.move.seat)])
    made = {step.move.wager for step in draft.find(Do.BET, seat=seat)}
    wager = dice.pick([w for w in _sides(draft) if w not in made and _has_base(draft, w, made)])
    least, _ = limits(draft.sheet, wager)
    step = draft.put(
        Move(Do.ADD, seat, wager, fewest(least, draft.sheet.chips_cents)), after=_while_dealing(draft, dice)
    )
    turns = list(draft.sheet.house.game.wagers)
    later = [s for s in _turn_of(draft, seat) if turns.index(s.move.wager or "") > turns.index(wager)]
    following = later[0] if later else draft.first(Do.MUCK, seat=seat)
    draft.put(Move(Do.GIVE_BACK, seat, wager), before=following)
    draft.mark(step, seat, wager)


def _has_base(draft: Draft, wager: str, made: set[str | None]) -> bool:
    return all(needed in made for needed in draft.sheet.house.game.stakes[wager].needs_all)


def _sides(draft: Draft) -> list[str]:
    """Return the side wagers that lie on the layout until they are settled."""
    stakes = draft.sheet.house.game.stakes.values()
    wagers = [wager for wager in stakes if wager.of is None and wager.id != "ante" and wager.taken is None]
    return [wager.id for wager in wagers if wager.id in draft.sheet.offered or not wager.optional]


def _turn_of(draft: Draft, seat: int) -> list[Step]:
    """Return the payments and takings of a seat after its cards were shown."""
    shown = draft.steps.index(draft.first(Do.SHOW, seat=seat))
    known = draft.sheet.house.game.wagers
    return [s for s in draft.find(*SETTLING, seat=seat) if draft.steps.index(s) > shown and s.move.wager in known]


def _while_dealing(draft: Draft, dice: Dice) -> Step:
    return draft.between(dice, draft.first(Do.DEAL))


def late_cap(draft: Draft, dice: Dice) -> None:
    """Chips are added to a wager after the close; a winner is still paid on what lay there before."""
    bet = dice.pick([step for step in draft.find(Do.BET) if step.move.wager in (*_sides(draft), "ante")])
    seat, wager = bet.move.seat or 0, bet.move.wager or ""
    _, most = limits(draft.sheet, wager)
    cap = dice.pick(bet.move.chips)
    whole = sum(ledger_of(_until_close(draft)).stakes[seat, wager]) + cap
    if whole > most or (wager == "ante" and not whole <= _played(draft, seat) <= 3 * whole):
        raise Unsuited("the added chips would break a limit too")
    draft.mark(draft.put(Move(Do.ADD, seat, wager, (cap,)), after=_while_dealing(draft, dice)), seat, wager)


def _until_close(draft: Draft) -> list[Move]:
    return draft.moves[: draft.steps.index(draft.first(Do.CLOSE))]


def _played(draft: Draft, seat: int) -> int:
    return sum(sum(step.move.chips) for step in draft.find(Do.PLAY, seat=seat))


def pinch(draft: Draft, dice: Dice) -> None:
    """A player takes chips off a wager that is going to lose."""
    lost = [step for step in draft.settled() if step.move.do is Do.TAKE and step.move.wager != "play"]
    take = dice.pick(lost)
    seat, wager = take.move.seat or 0, take.move.wager or ""
    chips = ledger_of(_until_close(draft)).stakes[seat, wager]
    least, _ = limits(draft.sheet, wager)
    off = chips[len(chips) - dice.between(1, max(len(chips) - 1, 1)) :]
    left = sum(chips) - sum(off)
    if left < max(least, 1) or (wager == "ante" and _played(draft, seat) > 3 * left):
        raise Unsuited("the chips left would break a limit too")
    start = draft.find(Do.PEEK, seat=seat) or draft.find(Do.STUB)
    step = draft.put(Move(Do.PINCH, seat, wager, off), after=draft.between(dice, start[0]))
    draft.mark(step, seat, wager)


def _play_of(numerator: int, denominator: int) -> Callable[[Draft, Dice], None]:
    def edit(draft: Draft, dice: Dice) -> None:
        """A Play wager has a size the text does not allow; the dealer settles it as it lies."""
        step = dice.pick(draft.find(Do.PLAY))
        seat = step.move.seat or 0
        ante = sum(ledger_of(_until_close(draft)).stakes[seat, "ante"])
        smallest = draft.sheet.chips_cents[0]
        cents = ante * numerator // denominator // smallest * smallest
        if not cents or draft.find(Do.PAY, seat=seat, wager="ante_bonus"):
            raise Unsuited("no chip is that small, or a bonus would be in dispute")
        draft.change(step, chips=stack(cents, draft.sheet.chips_cents, dice, 0.3))
        for pay in draft.find(Do.PAY, seat=seat, wager="play"):
            draft.change(pay, chips=fewest(cents, draft.sheet.chips_cents))
        draft.mark(step, seat, "play")

    return edit


def side_without_base(draft: Draft, dice: Dice) -> None:
    """A side wager lies on the layout without the wager it needs."""
    stakes = draft.sheet.house.game.stakes
    playing = {step.move.seat for step in draft.find(Do.PLAY)}
    lone = [s for s in draft.find(Do.BET) if s.move.seat in playing and _needs(stakes[s.move.wager or ""])]
    step = dice.pick(lone)
    seat, wager = step.move.seat, step.move.wager or ""
    absent = set(_needs(stakes[wager]))
    absent |= {"play", "ante_bonus"} if "ante" in absent else set()
    for gone in [s for s in draft.steps if s.move.seat == seat and _is_of(s.move, absent)]:
        draft.steps.remove(gone)
    made = {s.move.wager for s in draft.find(Do.BET, seat=seat)}
    if any(s is not step and _needs(stakes[s.move.wager or ""]) for s in draft.find(Do.BET, seat=seat)):
        raise Unsuited("another wager would lack its base too")
    if not made & {"ante", "aces_up"} and wager != "progressive":
        raise Unsuited("the seat would not be dealt in")
    draft.mark(step, seat, wager)


def _needs(spec: object) -> list[str]:
    """Return what to leave out so that a wager stands without its base."""
    every: list[str] = getattr(spec, "needs_all", [])
    some: list[str] = getattr(spec, "needs_any", [])
    return every[-1:] or some


def _is_of(move: Move, wagers: set[str]) -> bool:
    return move.wager in wagers or (move.do is Do.PLAY and "play" in wagers)


# ---- Payments


def _pays(draft: Draft, wager: str | None = None) -> list[Step]:
    return [s for s in draft.settled() if s.move.do is Do.PAY and wager in (None, s.move.wager)]


def _takes(draft: Draft) -> list[Step]:
    return [step for step in draft.settled() if step.move.do is Do.TAKE]


def _is_stake(draft: Draft, move: Move) -> bool:
    spec = draft.sheet.house.game.stakes.get(move.wager or "")
    return spec is not None and spec.taken is None


def underpaid(draft: Draft, dice: Dice) -> None:
    """A winner gets less than is due."""
    step = dice.pick([step for step in _pays(draft) if sum(step.move.chips) > draft.sheet.chips_cents[0]])
    _pay_instead(draft, step, dice, [cents for cents in _near(draft, step) if cents < sum(step.move.chips)])


def overpaid(draft: Draft, dice: Dice) -> None:
    """A winner gets more than is due."""
    step = dice.pick(_pays(draft))
    _pay_instead(draft, step, dice, [cents for cents in _near(draft, step) if cents > sum(step.move.chips)])


def _near(draft: Draft, step: Step) -> list[int]:
    """Return the sums a tired dealer pays instead: a chip or a stake more or less, double, half."""
    due = sum(step.move.chips)
    smallest = draft.sheet.chips_cents[0]
    stake = sum(
        ledger_of(draft.moves[: draft.steps.index(step)]).stakes.get((step.move.seat or 0, str(step.move.wager)), ())
    )
    sums = [due + sign * off for sign in (1, -1) for off in (*set(step.move.chips), stake, due // 2)]
    return sorted({cents for cents in sums if cents > 0 and cents % smallest == 0 and cents != due})


def _pay_instead(draft: Draft, step: Step, dice: Dice, sums: list[int]) -> None:
    draft.change(step, chips=fewest(dice.pick(sums), draft.sheet.chips_cents))
    draft.mark(step, step.move.seat, step.move.wager)


def _not_paid(wager: str) -> Callable[[Draft, Dice], None]:
    def edit(draft: Draft, dice: Dice) -> None:
        """The dealer passes over a winner; whoever clears the hand closes the matter."""
        _pass_over(draft, dice.pick(_pays(draft, wager)))

    return edit


def _pass_over(draft: Draft, step: Step) -> None:
    muck = draft.first(Do.MUCK, seat=step.move.seat)
    draft.steps.remove(step)
    draft.mark(muck, step.move.seat, step.move.wager)


def loser_paid(draft: Draft, dice: Dice) -> None:
    """A losing wager is paid as if it had won."""
    step = dice.pick(_takes(draft))
    stake = sum(ledger_of(draft.moves[: draft.steps.index(step)]).stakes[step.move.seat or 0, str(step.move.wager)])
    draft.change(step, do=Do.PAY, chips=fewest(stake, draft.sheet.chips_cents))
    draft.mark(step, step.move.seat, step.move.wager)


def loser_not_collected(draft: Draft, dice: Dice) -> None:
    """A losing wager is left to its owner."""
    _pass_over(draft, dice.pick(_takes(draft)))


def winner_collected(draft: Draft, dice: Dice) -> None:
    """The dealer takes a winning wager."""
    step = dice.pick([step for step in _pays(draft) if _is_stake(draft, step.move)])
    draft.change(step, do=Do.TAKE, chips=(), count=0)
    draft.mark(step, step.move.seat, step.move.wager)


def settle_order(draft: Draft, dice: Dice) -> None:
    """A seat or a wager is settled before its turn; where the text leaves turns open, before its cards show."""
    order = draft.sheet.house.game.file.order
    if order.settle_force != "must":
        _settle_unseen(draft, dice)
    elif order.wagers_force == "must" and dice.chance(0.4):
        _side_first(draft, dice)
    else:
        _seat_first(draft, dice)


def _settle_unseen(draft: Draft, dice: Dice) -> None:
    show = dice.pick(draft.find(Do.SHOW))
    step = next((s for s in _turn_of(draft, show.move.seat or 0) if _is_stake(draft, s.move)), None)
    if step is None or step.move.wager not in ("ante", "play", "aces_up"):
        raise Unsuited("nothing to settle too soon")
    draft.shift(step, before=show)
    draft.mark(step, step.move.seat, step.move.wager)


def _side_first(draft: Draft, dice: Dice) -> None:
    show = dice.pick(draft.find(Do.SHOW))
    turn = _turn_of(draft, show.move.seat or 0)
    step = dice.pick([s for s in turn if s.move.wager == "aces_up" and s is not turn[0]])
    draft.shift(step, before=turn[0])
    draft.mark(step, step.move.seat, step.move.wager)


def _seat_first(draft: Draft, dice: Dice) -> None:
    """Move a seat's whole turn before that of the seat on its right."""
    seats = [
        s.move.seat or 0
        for s in draft.find(Do.SHOW)
        if any(_is_stake(draft, t.move) for t in _turn_of(draft, s.move.seat or 0))
    ]
    right, left = dice.pick(list(pairwise(seats)))
    target = draft.first(Do.SHOW, seat=right)
    steps = [draft.first(Do.SHOW, seat=left), *_turn_of(draft, left), draft.first(Do.MUCK, seat=left)]
    for step in steps:
        draft.shift(step, before=target)
    _bonus_in_time(draft)
    draft.mark(next(step for step in steps if _is_stake(draft, step.move)), left)


def _bonus_in_time(draft: Draft) -> None:
    """The bonus card is turned before the first wager that is read with it is settled."""
    turned, settled = draft.find(Do.TURN_BONUS), draft.find(*SETTLING, wager="six_card")
    if turned and draft.steps.index(turned[0]) > draft.steps.index(settled[0]):
        draft.shift(turned[0], before=settled[0])


def void_not_honoured(draft: Draft, dice: Dice) -> None:
    """The round is void and the dealer settles it all the same."""
    draft.first(Do.REVEAL)
    if _voids(draft.sheet, EXPOSED):
        _expose(draft, dice, (0.3, 0.8), "flash")
    else:
        _add_card(draft, dice, SEAT)
    start = draft.steps.index(draft.first(Do.STUB))
    step = next(step for step in draft.find(Do.PAY, Do.TAKE) if draft.steps.index(step) > start)
    draft.mark(step, step.move.seat, step.move.wager)


# ---- Where a fault is one


def _orders_deal(sheet: HouseSheet) -> bool:
    return sheet.house.game.file.order.deal_force == "must"


def _limits_play(sheet: HouseSheet) -> bool:
    return bool(sheet.house.game.wagers["play"].times)


def _has_based_side(sheet: HouseSheet) -> bool:
    return any(_needs(sheet.house.game.stakes[wager]) for wager in sheet.offered)


def _forbids_touch(sheet: HouseSheet) -> bool:
    return any(entry.id == "touch" for entry in sheet.house.game.file.procedure)


def count_every(sheet: HouseSheet) -> int | None:
    """Return after how many rounds the stub must have been counted; None where nobody asks for it."""
    clock = next((entry for entry in sheet.house.game.file.clock if entry.code == "stub-count-due"), None)
    return None if clock is None or sheet.shuffler.counting else clock.rounds


def _pays_by_rule(wager: str) -> Callable[[HouseSheet], bool]:
    def fits(sheet: HouseSheet) -> bool:
        plan = sheet.house.plans.get(wager)
        return plan is not None and all(rule.row.unresolved is None for rule in plan.rules)

    return fits


FAULTS: dict[str, Fault] = {
    "dealer-card-exposed:flash": Fault(_flash((0.2, 0.7), "flash")),
    "dealer-card-exposed:flip": Fault(_flash((2.0, 5.0), "flip")),
    "dealer-card-exposed:deal": Fault(expose_in_deal),
    "wrong-card-count:player-4": Fault(_short(SEAT)),
    "wrong-card-count:player-6": Fault(_long(SEAT)),
    "wrong-card-count:dealer-5": Fault(_short(DEALER)),
    "wrong-card-count:dealer-7": Fault(_long(DEALER)),
    "card-faced-in-deck:one": Fault(_faced(1)),
    "card-faced-in-deck:two": Fault(_faced(2)),
    "duplicate-card": Fault(duplicate_card),
    "late-wager:bet": Fault(late_bet),
    "late-wager:cap": Fault(late_cap),
    "wager-withdrawn": Fault(pinch),
    "play-out-of-range:half": Fault(_play_of(1, 2), _limits_play),
    "play-out-of-range:four-times": Fault(_play_of(4, 1), _limits_play),
    "wager-not-allowed:side-without-base": Fault(side_without_base, _has_based_side),
    "underpaid": Fault(underpaid),
    "overpaid": Fault(overpaid),
    "winner-not-paid:aces-up": Fault(_not_paid("aces_up"), _pays_by_rule("aces_up")),
    "winner-not-paid:bonus": Fault(_not_paid("ante_bonus"), _pays_by_rule("ante_bonus")),
    "loser-paid": Fault(loser_paid),
    "loser-not-collected": Fault(loser_not_collected),
    "winner-collected": Fault(winner_collected),
    "void-not-honoured": Fault(void_not_honoured, lambda sheet: _voids(sheet, MISCOUNT)),
    "deal-order": Fault(deal_order, _orders_deal),
    "settle-order": Fault(settle_order),
    "cards-cleared-early": Fault(cards_cleared_early),
    "card-touched": Fault(cards_touched, _forbids_touch),
    "stub-count-due": Fault(stub_count_due, lambda sheet: count_every(sheet) is not None),
    "wrong-deck": Fault(wrong_deck),
}


def possible_faults(sheet: HouseSheet) -> list[str]:
    """Return the faults that can be made, and are faults, at a house's table."""
    return [name for name, fault in FAULTS.items() if fault.fits(sheet)]


# ---- Innocent confusions


def straighten(draft: Draft, dice: Dice) -> None:
    """A player squares up a stack after the close."""
    bet = dice.pick([step for step in draft.find(Do.BET) if step.move.wager != "progressive"])
    draft.put(Move(Do.STRAIGHTEN, bet.move.seat, bet.move.wager), after=_while_dealing(draft, dice))


def _prop(note: str) -> Callable[[Draft, Dice], None]:
    def edit(draft: Draft, dice: Dice) -> None:
        """Something is put down near a seat."""
        seat = dice.pick(draft.find(Do.BET)).move.seat
        chips = (
            fewest(draft.sheet.chips_cents[0] * dice.between(4, 12), draft.sheet.chips_cents[:1])
            if note == "reserve"
            else ()
        )
        draft.put(Move(Do.PROP, seat, chips=chips, note=note), after=draft.between(dice, draft.first(Do.BET)))

    return edit


def colour_up(draft: Draft, dice: Dice) -> None:
    """A player's small chips are changed into a larger one, in the middle of the round."""
    seat = dice.pick(draft.find(Do.BET)).move.seat
    draft.put(
        Move(Do.COLOUR_UP, seat, chips=(dice.pick(draft.sheet.chips_cents[1:3]),)), after=_while_dealing(draft, dice)
    )


def dropped_card(draft: Draft, dice: Dice) -> None:
    """A card of a seat lands beside its place and is put right."""
    step = dice.pick(draft.find(Do.DEAL, zone=SEAT))
    cards = dealt(draft.moves[: draft.steps.index(step)], SEAT, step.move.seat)
    index = len(cards) + dice.between(0, len(step.move.cards) - 1)
    draft.put(Move(Do.DROP, step.move.seat, zone=SEAT, count=index), after=step)


def change(draft: Draft, dice: Dice) -> None:
    """A payment is interrupted while the dealer makes change at the tray."""
    step = dice.pick([step for step in draft.find(Do.PAY) if len(step.move.chips) > 1])
    cut = dice.between(1, len(step.move.chips) - 1)
    rest = replace(step.move, chips=step.move.chips[cut:], count=0)
    draft.change(step, chips=step.move.chips[:cut])
    wait = draft.put(Move(Do.WAIT, step.move.seat, seconds=dice.span(1, 4), note="change"), after=step)
    draft.put(rest, after=wait)


def resting_hand(draft: Draft, dice: Dice) -> None:
    """A hand rests on a spot."""
    bet = dice.pick([step for step in draft.find(Do.BET) if step.move.wager != "progressive"])
    move = Move(Do.REST, bet.move.seat, bet.move.wager, seconds=dice.span(2, 8))
    draft.put(move, after=_while_dealing(draft, dice))


INNOCENTS: dict[str, Callable[[Draft, Dice], None]] = {
    "straighten": straighten,
    "drink": _prop("drink"),
    "phone": _prop("phone"),
    "reserve": _prop("reserve"),
    "colour-up": colour_up,
    "dropped-card": dropped_card,
    "change": change,
    "resting-hand": resting_hand,
}
