"""Laws: any story can be told to a table, and every refusal says why, by which rule, under a code of the alerts."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_rounds import BET, METHODS, house, stage_events, table, tell

from vision.alerts.words import ruling_words
from vision.rules.book.game import Game, game_ids, load_game
from vision.rules.due.irregular import CODES, WRONG_COUNT
from vision.rules.play.allowed import allowed
from vision.rules.play.bets import objections
from vision.rules.play.dealscript import SEAT
from vision.rules.play.events import (
    Bet,
    Clear,
    Deal,
    Declare,
    Event,
    Fold,
    GiveBack,
    Hand,
    NoMoreBets,
    Pay,
    Take,
    Touch,
    Turn,
)
from vision.rules.play.ruling import YES, Ruling
from vision.rules.play.tablestate import TableState, after

ALERTS = {"dealer-card-exposed", "wrong-card-count", "card-faced-in-deck", "late-wager", "wager-withdrawn"}
ALERTS |= {"play-out-of-range", "wager-not-allowed", "void-not-honoured", "deal-order", "settle-order"}
ALERTS |= {"cards-cleared-early", "card-touched"}
LAWS = settings(max_examples=60, deadline=None)


def events(game: Game) -> st.SearchStrategy[Event]:
    """Anything a camera may report at this game, in place or not."""
    seats = st.integers(1, 8)
    wagers = st.sampled_from([*game.wagers, *game.file.game.not_here, "envy"])
    zones = st.sampled_from([zone for zone in game.file.counts if zone != SEAT] + ["table.discard"])
    chips, cards = st.integers(0, 4).map(lambda n: n * BET), st.integers(1, 6)
    numbers = st.none() | st.integers(0, 53)
    return st.one_of(
        st.just(NoMoreBets()),
        st.builds(Bet, seats, wagers, chips),
        st.builds(Deal, st.just(SEAT), seats, cards, st.integers(0, 2)),
        st.builds(Deal, zones, st.none(), cards, st.integers(0, 2)),
        st.builds(Fold, seats),
        st.builds(Turn, st.just(SEAT), seats, cards),
        st.builds(Turn, zones, st.none(), cards),
        st.builds(Touch, seats, st.sampled_from(Hand)),
        *(st.builds(kind, seats, wagers) for kind in (Pay, Take, GiveBack)),
        st.builds(Clear, st.just(SEAT), seats),
        st.builds(Clear, zones),
        st.builds(Declare, st.sampled_from([*CODES, WRONG_COUNT]), numbers),
    )


@st.composite
def stories(draw: st.DrawFn) -> tuple[TableState, list[Event]]:
    """Draw a game, a round played by the book up to some stage, and what happens then: anything."""
    game_id, method = draw(st.sampled_from(game_ids())), draw(st.sampled_from(METHODS))
    early = " ".join(wager.id for wager in load_game(game_id).stakes.values() if wager.of is None)
    state = table(game_id, dict.fromkeys(draw(st.sets(st.integers(1, 6), max_size=3)), early), method)
    stages = state.house.game.file.stage
    for stage in stages[: draw(st.integers(0, len(stages)))]:
        state = tell(state, stage_events(state, stage, {}))
    return state, draw(st.lists(events(state.house.game), max_size=12))


@LAWS
@given(story=stories())
def test_any_story_is_ruled_on(story: tuple[TableState, list[Event]]) -> None:
    state, happening = story
    for event in happening:
        ruling = allowed(state, event)
        assert isinstance(ruling, Ruling)
        assert ruling == YES if ruling else is_explained(ruling)
        state = after(state, event)


@LAWS
@given(story=stories())
def test_any_wagers_are_objected_to_with_reasons(story: tuple[TableState, list[Event]]) -> None:
    assert all(is_explained(ruling) for ruling in objections(tell(*story)))


def is_explained(ruling: Ruling) -> bool:
    return not ruling and ruling.code in ALERTS and bool(ruling_words(ruling, {})) and bool(ruling.cite.strip())


@LAWS
@given(story=stories())
def test_a_question_changes_nothing(story: tuple[TableState, list[Event]]) -> None:
    state, happening = story
    for event in happening:
        before = tell(state, [])
        assert allowed(state, event) == allowed(state, event)
        assert state == before
        state = after(state, event)


@LAWS
@given(story=stories())
def test_a_story_told_twice_is_the_same(story: tuple[TableState, list[Event]]) -> None:
    assert tell(*story) == tell(*story)


@LAWS
@given(story=stories())
def test_what_happened_stays(story: tuple[TableState, list[Event]]) -> None:
    """Cards dealt, faces seen, hands folded and wagers settled are never taken back; a void stays a void."""
    state, happening = story
    states = list(accumulate(happening, after, initial=state))
    for before, then in pairwise(states):
        assert all(then.dealt[spot] >= cards for spot, cards in before.dealt.items())
        assert all(then.turned[spot] >= cards for spot, cards in before.turned.items())
        assert before.folded <= then.folded
        assert before.cleared <= then.cleared
        assert then.settled[: len(before.settled)] == before.settled
        assert then.closed >= before.closed
        assert before.void is None or then.void is not None


@pytest.mark.parametrize("game_id", game_ids())
def test_an_empty_table_is_betting(game_id: str) -> None:
    state = TableState(house=house(game_id), method="hand")
    assert state.stage.does == "bet"
    assert state.seats == ()
    assert objections(state) == []
