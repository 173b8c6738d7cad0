"""Mistakes with chips: late, withdrawn, too many or too few, paid or taken against the rules.

A draft enters and is changed in place; where it does not offer the situation, `Unsuited` is raised.
"""

from collections.abc import Callable

from studio.play.draft import Draft, Step
from studio.play.ledger import ledger_of
from studio.play.players import BASE, Dice, Unsuited, fewest, limits, stack
from studio.play.script import Do, Move
from vision.rules.book.game import Game
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.decision import raise_fits

PROGRESSIVE = "progressive"


def late_bet(draft: Draft, dice: Dice) -> None:
    """Chips appear on an empty side spot after the close; the dealer sees it when settling and gives them back."""
    seats = [step.move.seat or 0 for step in draft.find(Do.PLAY) if draft.find(Do.SHOW, seat=step.move.seat)]
    seat, wager = dice.pick([(seat, wager) for seat in seats for wager in _empty_sides(draft, seat)])
    step = draft.put(Move(Do.ADD, seat, wager, _least_chips(draft, wager)), after=draft.while_dealing(dice))
    turns = list(draft.sheet.house.game.wagers)
    later = [s for s in draft.turn_of(seat) if turns.index(s.move.wager or "") > turns.index(wager)]
    following = later[0] if later else draft.first(Do.MUCK, seat=seat)
    draft.put(Move(Do.GIVE_BACK, seat, wager), before=following)
    draft.mark(step, seat, wager)


def _empty_sides(draft: Draft, seat: int) -> list[str]:
    """Return the side wagers that a seat has not made, and might."""
    made = {step.move.wager for step in draft.find(Do.BET, seat=seat)}
    return [wager for wager in _sides(draft) if wager not in made and _has_base(draft, wager, made)]


def _least_chips(draft: Draft, wager: str) -> tuple[int, ...]:
    """Return a small wager, in chips of one kind."""
    least, _ = limits(draft.sheet, wager)
    chip = max((chip for chip in draft.sheet.chips_cents if chip <= least), default=min(draft.sheet.chips_cents))
    return (chip,) * -(-least // chip)


def _has_base(draft: Draft, wager: str, made: set[str | None]) -> bool:
    return all(needed in made for needed in draft.sheet.house.game.stakes[wager].needs_all)


def _sides(draft: Draft) -> list[str]:
    """Return the side wagers that lie on the layout until they are settled."""
    stakes = draft.sheet.house.game.stakes.values()
    free = [wager for wager in stakes if wager.of is None and wager.equal_to is None and wager.id != BASE]
    wagers = [wager for wager in free if wager.taken is None]
    return [wager.id for wager in wagers if wager.id in draft.sheet.offered or not wager.optional]


def _has_twin(draft: Draft, wager: str) -> bool:
    """Tell whether another wager must equal this one: neither can change alone."""
    return any(spec.equal_to == wager for spec in draft.sheet.house.game.stakes.values())


def _raises_fit(draft: Draft, seat: int, base_cents: int) -> bool:
    """Tell whether the raises of a seat still have a size that a text allows, on another stake."""
    for step in draft.find(Do.PLAY, seat=seat):
        rows = draft.sheet.house.game.wagers[step.move.wager or ""].times
        if rows and not any(raise_fits(sum(step.move.chips), base_cents, row) for row in rows):
            return False  # a text without such rows does not say
    return bool(draft.find(Do.PLAY, seat=seat))


def late_cap(draft: Draft, dice: Dice) -> None:
    """Chips are added to a wager after the close; a winner is still paid on what lay there before."""
    bet = dice.pick([step for step in draft.find(Do.BET) if step.move.wager in (*_sides(draft), BASE)])
    seat, wager = bet.move.seat or 0, bet.move.wager or ""
    _, most = limits(draft.sheet, wager)
    cap = dice.pick(bet.move.chips)
    whole = sum(ledger_of(_until_close(draft)).stakes[seat, wager]) + cap
    if whole > most or _has_twin(draft, wager) or (wager == BASE and not _raises_fit(draft, seat, whole)):
        raise Unsuited("the added chips would break a limit too")
    draft.mark(draft.put(Move(Do.ADD, seat, wager, (cap,)), after=draft.while_dealing(dice)), seat, wager)


def _until_close(draft: Draft) -> list[Move]:
    return draft.moves[: draft.steps.index(draft.first(Do.CLOSE))]


def pinch(draft: Draft, dice: Dice) -> None:
    """A player takes chips off a wager that is going to lose."""
    lost = [step for step in draft.settled() if step.move.do is Do.TAKE and step.move.wager not in _raised(draft)]
    take = dice.pick(lost)
    seat, wager = take.move.seat or 0, take.move.wager or ""
    chips = ledger_of(_until_close(draft)).stakes[seat, wager]
    least, _ = limits(draft.sheet, wager)
    off = chips[len(chips) - dice.between(1, max(len(chips) - 1, 1)) :]
    left = sum(chips) - sum(off)
    if left < max(least, 1) or _has_twin(draft, wager) or (wager == BASE and not _raises_fit(draft, seat, left)):
        raise Unsuited("the chips left would break a limit too")
    start = draft.find(Do.PEEK, seat=seat) or draft.find(Do.STUB)
    step = draft.put(Move(Do.PINCH, seat, wager, off), after=draft.between(dice, start[0]))
    draft.mark(step, seat, wager)


def _raised(draft: Draft) -> tuple[str, ...]:
    return tuple(wager.id for wager in draft.sheet.house.game.decisions)


def play_of(numerator: int, denominator: int) -> Callable[[Draft, Dice], None]:
    """Return the edit by which a Play wager is a wrong multiple of the Ante."""

    def edit(draft: Draft, dice: Dice) -> None:
        """A raise has a size the text does not allow; the dealer settles it as it lies."""
        step = dice.pick(draft.find(Do.PLAY))
        seat, raised = step.move.seat or 0, step.move.wager or ""
        ante = sum(ledger_of(_until_close(draft)).stakes[seat, BASE])
        smallest = draft.sheet.chips_cents[0]
        cents = ante * numerator // denominator // smallest * smallest
        bonuses = [wager.id for wager in draft.sheet.house.game.wagers.values() if wager.on is not None]
        if not cents or any(draft.find(Do.PAY, seat=seat, wager=bonus) for bonus in bonuses):
            raise Unsuited("no chip is that small, or a bonus would be in dispute")
        was = sum(step.move.chips)
        draft.change(step, chips=stack(cents, draft.sheet.chips_cents, dice, 0.3))
        for pay in draft.find(Do.PAY, seat=seat, wager=raised):
            draft.change(pay, chips=fewest(_in_proportion(sum(pay.move.chips), cents, was), draft.sheet.chips_cents))
        draft.mark(step, seat, raised)

    return edit


def _in_proportion(paid: int, cents: int, was: int) -> int:
    """Return what the same odds pay on another stake; draw again where that is no whole number of cents."""
    due, rest = divmod(paid * cents, was)
    if rest:
        raise Unsuited("parts of a cent")
    return due


def side_without_base(draft: Draft, dice: Dice) -> None:
    """A side wager lies on the layout without the wager it needs."""
    stakes = draft.sheet.house.game.stakes
    playing = {step.move.seat for step in draft.find(Do.PLAY)}
    lone = [s for s in draft.find(Do.BET) if s.move.seat in playing and lacking(stakes[s.move.wager or ""])]
    step = dice.pick(lone)
    seat, wager = step.move.seat, step.move.wager or ""
    absent = _without(draft.sheet.house.game, lacking(stakes[wager]))
    for gone in [s for s in draft.steps if s.move.seat == seat and _is_of(s.move, absent)]:
        draft.steps.remove(gone)
    made = {s.move.wager for s in draft.find(Do.BET, seat=seat)}
    if any(s is not step and lacking(stakes[s.move.wager or ""]) for s in draft.find(Do.BET, seat=seat)):
        raise Unsuited("another wager would lack its base too")
    if not made & set(draft.sheet.house.game.entering) and wager != PROGRESSIVE:
        raise Unsuited("the seat would not be dealt in")
    draft.mark(step, seat, wager)


def _without(game: Game, wagers: list[str]) -> set[str]:
    """Return wagers with all that is a multiple, a bonus or a twin of them."""
    absent = set(wagers)
    return absent | {wager.id for wager in game.wagers.values() if absent & {wager.of, wager.on, wager.equal_to}}


def can_stand_alone(game: Game, wager: str) -> bool:
    """Tell whether a seat may be dealt in with a wager that lacks its base: by another wager that enters the round."""
    base = lacking(game.stakes[wager])
    return bool(base) and (wager == PROGRESSIVE or bool(set(game.entering) - _without(game, base)))


def lacking(spec: object) -> list[str]:
    """Return what to leave out so that a wager stands without its base."""
    every: list[str] = getattr(spec, "needs_all", [])
    some: list[str] = getattr(spec, "needs_any", [])
    return every[-1:] or some


def _is_of(move: Move, wagers: set[str]) -> bool:
    return move.wager in wagers


def _pays(draft: Draft) -> list[Step]:
    return [step for step in draft.settled() if step.move.do is Do.PAY]


def _takes(draft: Draft) -> list[Step]:
    return [step for step in draft.settled() if step.move.do is Do.TAKE]


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


def not_paid(of: Callable[[HouseSheet], list[str]]) -> Callable[[Draft, Dice], None]:
    """Return the edit by which a winning wager, one of some, is passed over."""

    def edit(draft: Draft, dice: Dice) -> None:
        """The dealer passes over a winner; whoever clears the hand closes the matter."""
        wagers = of(draft.sheet)
        _pass_over(draft, dice.pick([step for step in _pays(draft) if step.move.wager in wagers]))

    return edit


def progressive_left(draft: Draft, dice: Dice) -> None:
    """A progressive chip is passed over when the others are collected and counted; its owner takes it back."""
    bets = {step.move.seat or 0 for step in draft.find(Do.BET, wager=PROGRESSIVE)}
    paid = {step.move.seat for step in draft.find(Do.PAY, wager=PROGRESSIVE)}
    seat = dice.pick([s for s in sorted(bets) if s not in paid and draft.find(Do.SHOW, seat=s)])
    if len(bets) == 1:
        raise Unsuited("nothing would be collected at all")
    step = draft.first(Do.COLLECT_PROGRESSIVE)
    draft.change(step, skip=seat)
    draft.mark(step, seat, PROGRESSIVE)


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
    step = dice.pick([step for step in _pays(draft) if draft.is_stake(step.move)])
    draft.change(step, do=Do.TAKE, chips=(), count=0)
    draft.mark(step, step.move.seat, step.move.wager)
