"""A round by the book raises nothing: every shipped game, every way of dealing, any legal bets and any folds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_rounds import (
    BONUS,
    CAJUN,
    COMMUNITY,
    DEALER,
    MD,
    METHODS,
    SD,
    WA,
    forfeits,
    house,
    play,
    reach,
    table,
    whole_round,
)

from vision.rules.book.game import game_ids, load_game
from vision.rules.play.bets import objections
from vision.rules.play.dealscript import SEAT, Delivery, deliveries, name_of
from vision.rules.play.events import Clear
from vision.rules.play.tablestate import TableState


def wagers_that_stand(game_id: str, wanted: frozenset[str]) -> str:
    """Drop the wagers that lack what they need; where nothing is left, a lone Ante with its twin stands."""
    stakes = load_game(game_id).stakes
    twins = {wager.id: wager.equal_to for wager in stakes.values() if wager.equal_to}
    kept = {wager for wager in wanted if wager not in twins}
    for _ in stakes:
        lacking = {w for w in kept if not kept.issuperset(stakes[w].needs_all)}
        lacking |= {w for w in kept if stakes[w].needs_any and not kept.intersection(stakes[w].needs_any)}
        kept -= lacking
    kept = kept or {"ante"}
    return " ".join([*sorted(kept), *(twin for twin, other in twins.items() if other in kept)])


@st.composite
def rounds(draw: st.DrawFn, game_id: str, method: str) -> tuple[TableState, dict[int, str]]:
    """Draw an open table with legal bets, and who folds when."""
    game = load_game(game_id)
    early = [wager.id for wager in game.stakes.values() if wager.of is None]
    seats = draw(st.sets(st.integers(1, game.file.game.seats_max or 7), min_size=1, max_size=4))
    bets = {seat: wagers_that_stand(game_id, draw(st.frozensets(st.sampled_from(early)))) for seat in seats}
    decisions = [stage.id for stage in game.file.stage if stage.does == "decide"]
    folds = draw(st.dictionaries(st.sampled_from(sorted(seats)), st.sampled_from(decisions)))
    return table(game_id, bets, method), folds


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game_id", game_ids())
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_round_by_the_book_raises_nothing(game_id: str, method: str, data: st.DataObject) -> None:
    state, folds = data.draw(rounds(game_id, method))
    whole_round(state, folds)


@pytest.mark.parametrize("game_id", game_ids())
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_wagers_by_the_book_meet_no_objection(game_id: str, data: st.DataObject) -> None:
    state, folds = data.draw(rounds(game_id, "hand"))
    assert objections(state) == []
    assert objections(reach(state, "settling", folds)) == []


@pytest.mark.parametrize("method", METHODS)
def test_cards_dealt_face_up_need_no_turning(method: str) -> None:
    """Washington lets a house deal the players' cards face up; the round is otherwise the same."""
    whole_round(table(WA, {2: "ante aces_up bad_beat progressive", 4: "ante"}, method, cards_dealt_face_up=True), {})


@pytest.mark.parametrize("game_id", game_ids())
def test_a_table_of_folded_hands_needs_no_reveal(game_id: str) -> None:
    """Nobody stays in: the forfeits are taken and the cards go, the dealer's unseen."""
    ante = wagers_that_stand(game_id, frozenset({"ante"}))
    first = next(stage.id for stage in load_game(game_id).file.stage if stage.does == "decide")
    decided = reach(
        table(game_id, {1: ante, 4: ante}), "reveal-1" if game_id == CAJUN else "reveal", {1: first, 4: first}
    )
    state = play(decided, forfeits(decided))
    play(state, [Clear(zone) for zone in state.house.game.file.counts if zone != SEAT])


def test_the_stages_follow_one_another() -> None:
    state = table(CAJUN, {1: "ante", 2: "ante pocket"})
    for stage in state.house.game.file.stage:
        assert reach(state, stage.id, {2: "decision-2"}).stage.id == stage.id


@pytest.mark.parametrize(
    ("game_id", "method", "bets", "order"),
    [
        # the bonus card first, then around the table five times, the dealer's sixth card last and up
        (MD, "manual_shoe", {1: "ante", 3: "ante aces_up six_card"}, "bonus 1 3 D 1 3 D 1 3 D 1 3 D 1 3 D D^"),
        # nobody bet the Six Card Bonus: no bonus card from a shoe
        (MD, "hand", {7: "ante"}, "7 D 7 D 7 D 7 D 7 D D^"),
        # the machine deals the bonus card whether it was bet or not, and the dealer before the players
        (MD, "automated", {2: "ante", 1: "aces_up"}, "bonus Dx6^ 1x5 2x5"),
        # a lone progressive is dealt a hand in South Dakota
        (SD, "automated", {4: "progressive"}, "4x5 Dx5 D^"),
        # two cards each and three for the board, none of them up
        (CAJUN, "hand", {1: "ante", 2: "ante"}, "1 2 1 2 board board board"),
    ],
)
def test_the_deal_as_the_text_orders_it(game_id: str, method: str, bets: dict[int, str], order: str) -> None:
    assert " ".join(shorthand(step) for step in table(game_id, bets, method).script) == order


def shorthand(step: Delivery) -> str:
    name = {SEAT: str(step.seat), DEALER: "D", BONUS: "bonus", COMMUNITY: "board"}[step.zone]
    return name + (f"x{step.cards}" if step.cards > 1 else "") + "^" * step.face_up


def test_places_are_named_as_people_say() -> None:
    names = {(SEAT, 3): "seat 3", (DEALER, None): "dealer", (BONUS, None): "bonus", (COMMUNITY, None): "community"}
    assert {spot: name_of(spot) for spot in names} == names
    assert str(Delivery(SEAT, 3, 1, 0, "MD")) == "seat 3"


def test_seats_are_dealt_from_the_left_however_they_are_named() -> None:
    steps = house(MD).game.file.deal["hand"]
    assert deliveries(steps, [5, 2, 7], frozenset()) == deliveries(steps, [2, 5, 7], frozenset())
