"""Rounds by the book: a house and its bets enter, the events of a legal round leave, stage by stage.

`reach` plays a table up to a stage and insists that nothing on the way is refused; `codes` plays anything at all and
returns what a monitor would have reported.
"""

from collections.abc import Iterable, Iterator, Mapping

from vision.rules.book.game import load_game
from vision.rules.book.house import House
from vision.rules.play.allowed import allowed
from vision.rules.play.dealscript import SEAT
from vision.rules.play.events import Bet, Clear, Deal, Event, Fold, GiveBack, NoMoreBets, Pay, Take, Turn
from vision.rules.play.tablestate import TableState, after
from vision.rules.text.gamefile import OptionValue, Stage

MD, PA, SD, WA = (f"four-card-poker/{place}" for place in ("md", "pa", "sd", "wa"))
PRIME, FRENZY, CAJUN = "four-card-prime/pa", "four-card-frenzy/pa", "cajun-stud/pa"
METHODS = ("manual_shoe", "hand", "automated")
DEALER, BONUS, COMMUNITY = "dealer.hand", "table.bonus", "table.community"
BET = 500  # cents on every spot
Folds = Mapping[int, str]  # seat -> the decision at which it folds


def house(game_id: str, **options: OptionValue) -> House:
    """Return a house that offers everything its game has, on the first paytables."""
    game = load_game(game_id)
    free = {name: group for name, group in game.file.pay.items() if group.tables and group.same_letter_as is None}
    return House.choose(game, {name: next(iter(group.tables)) for name, group in free.items()}, options)


def table(game_id: str, bets: Mapping[int, str], method: str = "manual_shoe", **options: OptionValue) -> TableState:
    """Return an open table with the named wagers down: {3: 'ante aces_up'}."""
    state = TableState(house=house(game_id, **options), method=method)
    return play(state, [Bet(seat, wager, BET) for seat, wagers in bets.items() for wager in wagers.split()])


def tell(state: TableState, events: Iterable[Event]) -> TableState:
    """Return the state after events, allowed or not."""
    for event in events:
        state = after(state, event)
    return state


def play(state: TableState, events: Iterable[Event]) -> TableState:
    """Return the state after events, every one of which must be allowed."""
    for event in events:
        ruling = allowed(state, event)
        assert ruling, f"{event}: {ruling.code}: {ruling.reason}"
        state = after(state, event)
    return state


def codes(state: TableState, events: Iterable[Event]) -> list[str]:
    """Return the alerts that events raise, each judged in the state the ones before it left."""
    raised: list[str] = []
    for event in events:
        ruling = allowed(state, event)
        raised += [ruling.code] if ruling.code else []
        state = after(state, event)
    return raised


def reach(state: TableState, stage_id: str, folds: Folds | None = None) -> TableState:
    """Play by the book until a stage begins."""
    for stage in state.house.game.file.stage:
        if stage.id == stage_id:
            return state
        state = play(state, stage_events(state, stage, folds or {}))
    raise AssertionError(f"no stage {stage_id}")


def whole_round(state: TableState, folds: Folds) -> TableState:
    """Play by the book to the end, the table cleared."""
    state = reach(state, "clearing", folds)
    return play(state, [Clear(zone) for zone in state.house.game.file.counts if zone != SEAT])


def stage_events(state: TableState, stage: Stage, folds: Folds) -> list[Event]:
    """Return what happens in a stage when everybody keeps to the rules."""
    match stage.does:
        case "bet":
            return [NoMoreBets(), *_progressive_chips(state)]
        case "deal":
            return dealing(state)
        case "decide":
            return list(_decisions(state, stage, folds))
        case "reveal":
            shown = stage.cards or state.house.game.file.counts[stage.zone or ""]
            return [*forfeits(state), Turn(stage.zone or "", cards=shown)]
        case "settle":
            return [event for seat in reversed(state.seats) for event in _settlement(state, seat)]
        case "clear":
            return []


def dealing(state: TableState) -> list[Event]:
    """Return the deal as the text orders it, the players' cards up where the house deals them so."""
    is_open = state.house.options.get("cards_dealt_face_up")
    return [
        Deal(step.zone, step.seat, step.cards, step.cards if is_open and step.zone == SEAT else step.face_up)
        for step in state.script
    ]


def _progressive_chips(state: TableState) -> Iterator[Event]:
    for seat, wager in state.bets:
        if state.house.game.stakes[wager].taken:
            yield Take(seat, wager)


def _decisions(state: TableState, stage: Stage, folds: Folds) -> Iterator[Event]:
    raised = state.house.game.wagers[stage.wager or ""]
    for seat in state.undecided(raised):
        yield Fold(seat) if folds.get(seat) == stage.id else Bet(seat, raised.id, BET)


def forfeits(state: TableState) -> Iterator[Event]:
    """A folded seat's lost chips go first, then its cards, unless another wager still needs them."""
    for seat in sorted(state.folded):
        yield from (Take(seat, wager) for wager in state.live(seat) if is_lost_by_folding(state, wager))
        kept = [wager for wager in state.house.game.stakes if state.stake(seat, wager) and stays(state, seat, wager)]
        if not kept and (SEAT, seat) not in state.cleared:
            yield Clear(SEAT, seat)


def is_lost_by_folding(state: TableState, wager: str) -> bool:
    """Return whether a fold costs this wager."""
    fold = state.house.plans[wager].fold
    return fold is not None and fold.fate in ("forfeit", "lose")


def stays(state: TableState, seat: int, wager: str) -> bool:
    """Return whether a seat may still win this wager, wherever its chips are."""
    return seat not in state.folded or not is_lost_by_folding(state, wager)


def _settlement(state: TableState, seat: int) -> Iterator[Event]:
    """One seat's turn: cards up, wagers in their order, each with its bonuses, cards away."""
    if (SEAT, seat) in state.cleared:
        return
    if not state.turned.get((SEAT, seat)):
        yield Turn(SEAT, seat, state.house.game.file.counts[SEAT])
    for i, wager in enumerate(state.house.game.wagers.values()):
        if wager.on:
            if state.stake(seat, wager.on) and seat not in state.folded:
                yield Pay(seat, wager.id)
        elif wager.id in state.live(seat):
            yield from _bonus_card(state, wager.id)
            yield (Pay, Take, GiveBack)[(seat + i) % 3](seat, wager.id)
        elif wager.taken and state.stake(seat, wager.id) and stays(state, seat, wager.id):
            yield Pay(seat, wager.id)
    yield Clear(SEAT, seat)


def _bonus_card(state: TableState, wager: str) -> Iterator[Event]:
    """The bonus box is opened for the first wager that is read with it; opening it again changes nothing."""
    game = state.house.game
    for rule in state.house.plans[wager].rules:
        if rule.hand in game.zones and BONUS in game.zones[rule.hand]:
            yield Turn(BONUS, cards=game.file.counts[BONUS])
