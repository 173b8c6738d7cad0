"""The stage: every move is acted, in order; things lie where they belong; nothing flies, nothing stands in another."""

from functools import cache
from itertools import pairwise
from math import cos, hypot, radians, sin
from random import Random

import pytest

from studio.play.script import Do, Move, Script
from studio.play.stage import Stage
from studio.play.tempo import Span, Tempo, random_tempo
from studio.scene import CardBody, HandBody, Pose, PropBody, StackBody, Story, Thing
from vision.table.layout import DealerLayout, Layout, SeatLayout, Shape
from vision.values.cards import DECK, Card
from vision.values.sizes import CHIP_DIAMETER_MM

CHIPS = (100, 500, 2500, 10000)
METHODS = ("manual_shoe", "hand", "automated")
STEP_S = 0.02
SMOOTH = 1.5  # between keys a body is at most so much faster than on average


def box(x: float, y: float, width: float, height: float, angle: float = 0.0) -> Shape:
    c, s = cos(radians(angle)), sin(radians(angle))
    halves = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return Shape(polygon=[[x + dx * c - dy * s, y + dx * s + dy * c] for dx, dy in halves])


def seat_layout(number: int) -> SeatLayout:
    angle = (4 - number) * 23.0
    out = (-sin(radians(angle)), cos(radians(angle)))

    def at(mm: float) -> tuple[float, float]:
        return (out[0] * mm, 40 + out[1] * mm)

    spots = {
        name: Shape(circle=[*at(mm), 28.0])
        for name, mm in (("play", 800), ("ante", 730), ("aces_up", 660), ("progressive", 600))
    }
    return SeatLayout(number=number, angle=angle, cards=box(*at(890), 190, 110, angle), spots=spots)


@cache
def layout() -> Layout:
    turns = [radians(i * 5) for i in range(37)]
    outline = [[1000 * cos(t), 40 + 1000 * sin(t)] for t in turns]
    return Layout(
        name="arc",
        size_mm=[2000, 1040],
        outline=[[1000, 0], *outline, [-1000, 0]],
        seat=[seat_layout(n) for n in range(1, 8)],
        dealer=DealerLayout(
            cards=box(0, 250, 460, 110),
            work=box(0, 390, 360, 130),
            tray=box(0, 90, 520, 130),
            discard=box(360, 90, 100, 130),
            shoe=box(-380, 100, 130, 180),
            bonus=box(300, 250, 80, 110),
        ),
    )


def stakes(seats: tuple[int, ...]) -> list[Move]:
    moves = []
    for seat in seats:
        moves.append(Move(Do.BET, seat, "ante", (500, 500, 500)))
        moves.append(Move(Do.BET, seat, "aces_up", (2500, 500)))
    return [*moves, Move(Do.BET, seats[0], "progressive", (100,)), Move(Do.CLOSE)]


def the_deal(seats: tuple[int, ...], method: str, deck: list[Card]) -> list[Move]:
    def draw(count: int) -> tuple[Card, ...]:
        return tuple(deck.pop() for _ in range(count))

    bonus = Move(Do.DEAL, zone="table.bonus", cards=draw(1))
    if method == "automated":
        hands = [Move(Do.DEAL, seat, zone="seat.hand", cards=draw(5)) for seat in seats]
        return [bonus, *hands, Move(Do.DEAL, zone="dealer.hand", cards=draw(6), up=1)]
    moves = [bonus]
    for _ in range(5):
        moves += [Move(Do.DEAL, seat, zone="seat.hand", cards=draw(1)) for seat in seats]
        moves.append(Move(Do.DEAL, zone="dealer.hand", cards=draw(1)))
    return [*moves, Move(Do.DEAL, zone="dealer.hand", cards=draw(1), up=1), Move(Do.STUB)]


def a_round(method: str = "manual_shoe", seats: tuple[int, ...] = (2, 4, 7), seed: int = 5) -> Script:
    deck = list(DECK)
    Random(seed).shuffle(deck)
    dealt = the_deal(seats, method, deck)
    dealer = [card for move in dealt if move.zone == "dealer.hand" for card in move.cards]
    folds, *plays = sorted(seats, reverse=True)
    moves = [*stakes(seats), Move(Do.COLLECT_PROGRESSIVE, wager="progressive"), *dealt]
    moves += [Move(Do.PEEK, seat) for seat in seats]
    moves += [Move(Do.PLAY, seat, "play", (500,) * 6) for seat in sorted(plays)]
    moves += [Move(Do.FOLD, folds), Move(Do.TAKE, folds, "ante")]
    moves.append(Move(Do.TAKE, folds, "aces_up", cards=tuple(c for m in dealt if m.seat == folds for c in m.cards)))
    moves += [Move(Do.REVEAL, cards=tuple(dealer[1:5])), Move(Do.TURN_BONUS)]
    for i, seat in enumerate(plays):
        moves += [Move(Do.SHOW, seat), *settled(seat, is_won=i == 0), Move(Do.MUCK, seat), Move(Do.GATHER, seat)]
    return Script((*moves, Move(Do.MUCK_DEALER)), seats, method)


def settled(seat: int, *, is_won: bool) -> list[Move]:
    if not is_won:
        return [Move(Do.TAKE, seat, wager) for wager in ("ante", "play", "aces_up")]
    return [
        Move(Do.PAY, seat, "ante", (500, 500, 500)),
        Move(Do.PAY, seat, "play", (500,) * 6),
        Move(Do.PAY, seat, "ante_bonus", (2500, 500)),
        Move(Do.PAY, seat, "aces_up", (500,) * 12, count=1),
    ]


def oddities() -> Script:
    """All that a clean round has not."""
    d = [Card.parse(text) for text in ("As", "Kd", "7c", "9h", "2s", "Td", "4c", "Jh")]
    return Script(
        (
            Move(Do.OPEN, deck=1),
            Move(Do.CHANGE_DECK, deck=0),
            Move(Do.BET, 3, "ante", (500, 500)),
            Move(Do.ADD, 3, "ante", (2500,)),
            Move(Do.BET, 5, "ante", (500, 500, 500)),
            Move(Do.PINCH, 5, "ante", (500, 500)),
            Move(Do.STRAIGHTEN, 3, "ante"),
            Move(Do.BURN, cards=(d[0],), up=1),
            Move(Do.DEAL, 3, zone="seat.hand", cards=(d[1],)),
            Move(Do.DEAL, 3, zone="seat.hand", cards=(d[2], d[3])),  # two stick together
            Move(Do.DROP, 3, zone="seat.hand", count=1),
            Move(Do.DEAL, zone="dealer.hand", cards=(d[4],)),
            Move(Do.DEAL, zone="dealer.hand", cards=(d[5],), up=1, note="turned back"),
            Move(Do.FLASH, count=0, seconds=0.6),
            Move(Do.REST, 3, "aces_up", seconds=2.0),
            Move(Do.TOUCH, 3),
            Move(Do.PROP, 5, note="drink"),
            Move(Do.PROP, 5, note="reserve", chips=(500, 500)),
            Move(Do.COLOUR_UP, 5, chips=(2500,)),
            Move(Do.WAIT, seconds=1.5),
            Move(Do.STUB, count=1),
            Move(Do.GIVE_BACK, 3, "ante"),
            Move(Do.GIVE_BACK, 3, "progressive", (100,)),  # from the tray
            Move(Do.GATHER, 5),
            Move(Do.MUCK, 3),
            Move(Do.MUCK_DEALER),
        ),
        (3, 5),
        "hand",
    )


@cache
def acted(method: str, seed: int = 1) -> tuple[Script, list[Span], Story]:
    rng = Random(seed)
    script = a_round(method)
    stage = Stage(layout(), random_tempo(rng) if seed else Tempo(), rng, CHIPS)
    return script, stage.act(script), stage.story()


@cache
def odd(seed: int = 1) -> tuple[Script, list[Span], Story]:
    rng = Random(seed)
    stage = Stage(layout(), random_tempo(rng), rng, CHIPS)
    return oddities(), stage.act(oddities()), stage.story()


def cards_at(story: Story, t_s: float) -> dict[Card, Pose]:
    return {thing.body.card: thing.pose for thing in story.at(t_s) if isinstance(thing.body, CardBody)}


def near_spot(story: Story, t_s: float, seat: int, wager: str, within: float = 60.0) -> list[Thing]:
    x, y = layout().seat_at(seat).spots[wager].centre
    stacks = [thing for thing in story.at(t_s) if isinstance(thing.body, StackBody)]
    return [thing for thing in stacks if hypot(thing.pose.x - x, thing.pose.y - y) < within]


def cents(things: list[Thing]) -> int:
    return sum(sum(thing.body.cents) for thing in things if isinstance(thing.body, StackBody))


def test_every_kind_of_move_is_acted() -> None:
    done = {move.do for move in (*a_round().moves, *oddities().moves)}
    assert done == set(Do)


@pytest.mark.parametrize("seed", range(4))
def test_spans_are_in_order(seed: int) -> None:
    for script, spans, _ in (*(acted(method, seed) for method in METHODS), odd(seed)):
        assert len(spans) == len(script.moves)
        assert all(span.start_s < span.end_s for span in spans)
        assert all(one.start_s < two.start_s and one.end_s < two.end_s for one, two in pairwise(spans))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("method", METHODS)
def test_a_round_takes_its_time(method: str, seed: int) -> None:
    _, spans, _ = acted(method, seed)
    assert 35 < spans[-1].end_s < 80  # with a bonus card, a progressive and a fold to collect


@pytest.mark.parametrize("method", METHODS)
def test_dealt_cards_lie_in_their_area(method: str) -> None:
    script, spans, story = acted(method)
    for move, span in zip(script.moves, spans, strict=True):
        if move.do is Do.DEAL:
            area = layout().dealer.cards if move.zone == "dealer.hand" else layout().dealer.bonus
            area = layout().seat_at(move.seat).cards if move.seat else area
            assert area is not None
            lying = cards_at(story, span.end_s)
            assert all(area.contains(lying[card].x, lying[card].y) for card in move.cards)
            assert sum(lying[card].turn == 0 for card in move.cards) == move.up


@pytest.mark.parametrize("method", METHODS)
def test_shown_cards_are_face_up_with_every_index_free(method: str) -> None:
    script, spans, story = acted(method)
    for move, span in zip(script.moves, spans, strict=True):
        if move.do is Do.SHOW:
            lying = cards_at(story, span.end_s)
            hand = [lying[c] for m in script.moves if m.do is Do.DEAL and m.seat == move.seat for c in m.cards]
            assert len(hand) == 5
            assert all(pose.turn == 0 and layout().dealer.work.contains(pose.x, pose.y) for pose in hand)
            hand.sort(key=lambda pose: pose.x)
            assert all(two.x - one.x > 18 and two.z > one.z for one, two in pairwise(hand))


@pytest.mark.parametrize("method", METHODS)
def test_the_dealer_lays_out_four(method: str) -> None:
    script, spans, story = acted(method)
    move, span = next((m, s) for m, s in zip(script.moves, spans, strict=True) if m.do is Do.REVEAL)
    area, lying = layout().dealer.cards, cards_at(story, span.end_s)
    own = {card: pose for card, pose in lying.items() if area.contains(pose.x, pose.y)}
    assert len(own) == 6
    assert all(pose.turn == 0 for pose in own.values())
    row = [own[card] for card in move.cards]
    assert all(two.x - one.x > 60 for one, two in pairwise(row))
    assert all(pose.y < min(best.y for best in row) - 5 for card, pose in own.items() if card not in move.cards)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", METHODS)
def test_chips_are_where_the_script_says(method: str, seed: int) -> None:
    script, spans, story = acted(method, seed)
    for move, span in zip(script.moves, spans, strict=True):
        wager = {"ante_bonus": "ante"}.get(move.wager or "", move.wager or "")
        if move.do in (Do.BET, Do.PLAY):
            assert cents(near_spot(story, span.end_s, move.seat or 0, wager, 20)) == sum(move.chips)
        elif move.do is Do.PAY:
            before = cents(near_spot(story, span.start_s, move.seat or 0, wager))
            assert cents(near_spot(story, span.end_s, move.seat or 0, wager)) == before + sum(move.chips)
        elif move.do is Do.TAKE:
            assert not near_spot(story, span.end_s, move.seat or 0, wager, 20)


def test_a_skipped_progressive_chip_stays_and_the_others_go() -> None:
    bets = [Move(Do.BET, seat, "progressive", (100,)) for seat in (2, 4, 7)]
    stage = Stage(layout(), Tempo(), Random(2), CHIPS)
    moves = (*bets, Move(Do.CLOSE), Move(Do.COLLECT_PROGRESSIVE, wager="progressive", skip=4))
    stage.act(Script(moves, (2, 4, 7), "hand"))
    assert [len(stage.stacks_on(seat, "progressive")) for seat in (2, 4, 7)] == [0, 1, 0]


@pytest.mark.parametrize("amiss", [-1, 0, 1])
@pytest.mark.parametrize("method", ["manual_shoe", "hand"])
def test_the_heap_has_as_many_cards_as_are_counted(method: str, amiss: int) -> None:
    """Every card of the stub is laid down: one too few or too many shows."""
    script = a_round(method)
    at = next(i for i, move in enumerate(script.moves) if move.do is Do.STUB)
    left = 52 - sum(len(move.cards) for move in script.moves[:at] if move.do is Do.DEAL)
    cards = DECK[: left + amiss] if amiss else ()
    stage = Stage(layout(), Tempo(), Random(2), CHIPS)
    spans = stage.act(Script((*script.moves[:at], Move(Do.STUB, count=1, cards=cards)), script.seats, method))
    things = stage.story().at(spans[-1].end_s)
    piles = [thing.body.size for thing in things if isinstance(thing.body, PropBody) and thing.body.kind == "pile"]
    assert piles == [left + amiss]


def test_the_register_knows_what_lies() -> None:
    stage = Stage(layout(), Tempo(), Random(2), CHIPS)
    script = a_round()
    stop = next(i for i, move in enumerate(script.moves) if move.do is Do.MUCK)
    stage.act(Script(script.moves[:stop], script.seats, script.method))
    winner = script.moves[stop].seat or 0
    assert len(stage.cards_of(winner)) == 5
    assert len(stage.cards_of(None)) == 6
    assert [sum(stack.cents) for stack in stage.stacks_on(winner, "play")] == [3000, 3000]
    assert sum(sum(stack.cents) for stack in stage.stacks_on(winner, "aces_up")) == 3000 + 6000
    stage.act(Script(script.moves[stop:], script.seats, script.method))
    assert not stage.cards_of(winner)
    assert not stage.stacks_on(winner, "play")


def test_chips_added_and_pinched() -> None:
    script, spans, story = odd()
    for move, span in zip(script.moves, spans, strict=True):
        if move.do is Do.ADD:
            assert cents(near_spot(story, span.end_s, 3, "ante", 15)) == 3500
        if move.do is Do.PINCH:
            assert cents(near_spot(story, span.end_s, 5, "ante", 15)) == 500


@pytest.mark.parametrize("seed", range(3))
def test_a_flashed_card_is_seen_and_hidden_again(seed: int) -> None:
    script, spans, story = odd(seed)
    span = next(s for m, s in zip(script.moves, spans, strict=True) if m.do is Do.FLASH)
    card = Card.parse("2s")
    assert cards_at(story, span.start_s)[card].turn == 180
    assert cards_at(story, span.end_s)[card].turn < 60
    assert cards_at(story, span.end_s + 1.2)[card].turn == 180


def test_a_card_turned_by_mistake_is_turned_back() -> None:
    script, spans, story = odd()
    span = next(s for m, s in zip(script.moves, spans, strict=True) if m.note == "turned back")
    assert cards_at(story, span.end_s)[Card.parse("Td")].turn < 5
    assert cards_at(story, span.end_s + 2)[Card.parse("Td")].turn == 180


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", [*METHODS, "odd"])
def test_nothing_moves_faster_than_hands_do(method: str, seed: int) -> None:
    _, _, story = odd(seed) if method == "odd" else acted(method, seed)
    for actor in story.actors:
        for one, two in pairwise(actor.keys):
            way = hypot(two.pose.x - one.pose.x, two.pose.y - one.pose.y, two.pose.z - one.pose.z)
            is_hand = isinstance(actor.body, HandBody)
            speed, start = (1.0, 5.0) if is_hand else (SMOOTH, 0.01)  # a hand shifts its grip, and goes along in steps
            assert way * speed <= 4000 * (two.t_s - one.t_s) + start, (actor.body, one, two)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", [*METHODS, "odd"])
def test_settled_stacks_stand_apart(method: str, seed: int) -> None:
    _, spans, story = odd(seed) if method == "odd" else acted(method, seed)
    for span in spans:
        now, soon = story.at(span.end_s), {thing.id: thing for thing in story.at(span.end_s + 0.05)}
        stacks = [thing for thing in now if isinstance(thing.body, StackBody) and soon.get(thing.id) == thing]
        settled = [thing.pose for thing in stacks if thing.pose.z < 4]
        for i, one in enumerate(settled):
            assert all(hypot(one.x - two.x, one.y - two.y) > CHIP_DIAMETER_MM - 2 for two in settled[i + 1 :])


@pytest.mark.parametrize("method", METHODS)
def test_cards_never_share_a_height_where_they_overlap(method: str) -> None:
    _, spans, story = acted(method)
    for span in spans:
        now, soon = story.at(span.end_s), {thing.id: thing for thing in story.at(span.end_s + 0.05)}
        cards = [t.pose for t in now if isinstance(t.body, CardBody) and soon.get(t.id) == t and t.pose.tilt == 0]
        for i, one in enumerate(cards):
            near = [two for two in cards[i + 1 :] if hypot(one.x - two.x, one.y - two.y) < 55]
            assert all(abs(one.z - two.z) > 0.05 for two in near)


@pytest.mark.parametrize("method", METHODS)
def test_a_hand_is_at_whatever_moves(method: str) -> None:
    """Cards may glide on after a pitch, chips never move alone."""
    _, _, story = acted(method)
    for i in range(int(story.duration_s / 0.1)):
        now, soon = story.at(i * 0.1), {thing.id: thing.pose for thing in story.at(i * 0.1 + STEP_S)}
        tips = [thing.pose for thing in now if isinstance(thing.body, HandBody)]
        for thing in now:
            later = soon.get(thing.id)
            if (
                isinstance(thing.body, StackBody)
                and later
                and hypot(later.x - thing.pose.x, later.y - thing.pose.y) > 1
            ):
                assert min(hypot(tip.x - thing.pose.x, tip.y - thing.pose.y) for tip in tips) < 130


def test_equal_seeds_give_equal_stories() -> None:
    def story() -> Story:
        rng = Random(9)
        stage = Stage(layout(), random_tempo(rng), rng, CHIPS)
        stage.act(a_round("hand"))
        stage.act(a_round("hand", (1, 5), seed=6))
        return stage.story()

    assert story() == story()


@pytest.mark.parametrize("method", METHODS)
def test_rounds_follow_each_other_on_one_stage(method: str) -> None:
    rng = Random(3)
    stage = Stage(layout(), random_tempo(rng), rng, CHIPS)
    first = stage.act(a_round(method))
    second = stage.act(a_round(method, (1, 2, 6, 7), seed=8))
    assert first[-1].end_s < second[0].end_s
    story = stage.story()
    left = [thing for thing in story.at(story.duration_s) if isinstance(thing.body, CardBody)]
    assert not left
