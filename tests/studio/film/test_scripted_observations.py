"""Scripted observations: true where there is no noise, with the stated errors where there is; hands cover cards."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest

from studio.film.occlusion import Occlusion, View
from studio.film.production import Order
from studio.scene import Actor, Body, CardBody, HandBody, Key, Pose, PropBody, StackBody, Story
from studio.scripted.cast import Player
from studio.scripted.noise import BACKS_FOUND, LASTING, ErrorSampler
from studio.scripted.observations import Noise, ScriptedClip, scripted_clip
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed
from vision.table.zones import Zone
from vision.values.cards import DECK, Card
from vision.values.geometry import Camera

ORDER = Order(rounds=1, seed=9, seats=(2, 5), innocents=False)
NS = 1_000_000_000
FLOORS = Noise.floors()
SAMPLE = Path(__file__).parents[3] / "datasets" / "samples" / "clean" / "truth.jsonl"


@pytest.fixture(scope="module")
def clean() -> ScriptedClip:
    return scripted_clip(ORDER, Noise())


@pytest.fixture(scope="module")
def seen(clean: ScriptedClip) -> list[FrameObservation]:
    return list(clean)


def told(observation: FrameObservation) -> list[tuple[Any, ...]]:
    """Return all that an observation says, in a form that can be compared."""
    return [
        (
            replace(thing, detection=replace(thing.detection, face=None)),
            None if thing.detection.face is None else thing.detection.face.p.tobytes(),
        )
        for thing in observation.things
    ]


def test_the_same_order_gives_the_same_observations(clean: ScriptedClip) -> None:
    noisy = scripted_clip(ORDER, FLOORS)
    first, again = list(noisy), list(scripted_clip(ORDER, FLOORS))
    assert [told(observation) for observation in first] == [told(observation) for observation in again]
    assert [told(observation) for observation in first] == [told(observation) for observation in noisy]
    assert noisy.rounds == clean.rounds
    other = replace(noisy, order=replace(ORDER, seed=10))
    assert [told(observation) for observation in first[:60]] != [
        told(observation) for _, observation in zip(range(60), other, strict=False)
    ]


def test_observations_come_in_time(clean: ScriptedClip, seen: list[FrameObservation]) -> None:
    assert [observation.index for observation in seen] == list(range(len(clean)))
    assert all(one.t_ns < two.t_ns for one, two in pairwise(seen))
    assert seen[-1].t_ns <= clean.story.duration_s * NS
    assert all(observation.looked is None and observation.is_sure for observation in seen)


def between(seen: list[FrameObservation], start_ns: int, end_ns: int) -> list[FrameObservation]:
    return [observation for observation in seen if start_ns <= observation.t_ns <= end_ns]


def faces_in(watched: list[FrameObservation], zone: Zone) -> set[str]:
    """Return every face that was read at a place."""
    things = [
        thing for observation in watched for thing in observation.things if thing.zone == zone and thing.detection.face
    ]
    return {str(t.detection.face.card) for t in things if t.detection.face and t.detection.face.card}


def worths_on(watched: list[FrameObservation], zone: Zone) -> set[int]:
    """Return the worths that the stacks at a place had together."""
    return {
        sum(t.detection.stack.value_cents or 0 for t in observation.things if t.zone == zone and t.detection.stack)
        for observation in watched
    }


def moment_of(record: dict[str, Any], kind: str, **wanted: object) -> int:
    entry = next(e for e in record["events"] if e["kind"] == kind and all(e.get(k) == v for k, v in wanted.items()))
    return int(entry["t_ns"])


def test_every_face_is_read_where_it_is_shown(clean: ScriptedClip, seen: list[FrameObservation]) -> None:
    (record,) = clean.rounds
    revealed = moment_of(record, "revealed")
    assert faces_in(between(seen, revealed, revealed + NS), Zone(None, "dealer.cards")) == {*record["dealer"]["cards"]}
    shown = [seat for seat in record["seats"] if seat["shown"]]
    assert shown
    for seat in shown:
        t_ns = moment_of(record, "shown", seat=seat["seat"])
        assert faces_in(between(seen, t_ns, t_ns + NS), Zone(None, "work")) == {*seat["cards"]}


@pytest.mark.parametrize(("seed", "house"), [(24, "maryland"), (25, "south-dakota")])
def test_fans_are_read_whole(seed: int, house: str) -> None:
    """Who lies above whom is a matter of tenths of a millimetre."""
    clip = scripted_clip(Order(rounds=1, seed=seed, house=house, seats=(1, 2)), Noise())
    (record,) = clip.rounds
    seen = list(clip)
    for seat in [seat for seat in record["seats"] if seat["shown"]]:
        t_ns = moment_of(record, "shown", seat=seat["seat"])
        assert faces_in(between(seen, t_ns, t_ns + NS), Zone(None, "work")) == {*seat["cards"]}


def test_players_are_where_their_actors_are(clean: ScriptedClip) -> None:
    for actor in clean.story.actors:
        player, before = Player(actor), None
        for t_s in np.arange(actor.keys[0].t_s, min(actor.gone_s, clean.story.duration_s) - 1e-9, 1 / 12).tolist():
            player.step(t_s)
            there = actor.at(t_s)
            assert there is not None
            assert player.body == there.body
            far = [
                abs(getattr(player.pose, name) - getattr(there.pose, name)) for name in ("x", "y", "z", "angle", "turn")
            ]
            assert max(far) < (1.0 if there.pose != before else 1e-9)
            before = there.pose


def test_cards_lie_face_down_until_they_are_shown(clean: ScriptedClip, seen: list[FrameObservation]) -> None:
    (record,) = clean.rounds
    decided = max(e["t_ns"] for e in record["events"] if e["kind"] == "decision")
    first = min(e["t_ns"] for e in record["events"] if e["kind"] == "dealt")
    for seat in record["seats"]:
        zone = Zone(seat["seat"], "cards")
        kinds = Counter(
            t.kind for observation in between(seen, first, decided) for t in observation.things if t.zone == zone
        )
        assert kinds["card_down"] > 20
        assert not kinds["card_up"]
    up = faces_in(between(seen, first, decided), Zone(None, "dealer.cards"))
    assert up == {record["dealer"]["up_card"]}


def test_every_stake_stands_on_its_spot(clean: ScriptedClip, seen: list[FrameObservation]) -> None:
    (record,) = clean.rounds
    closed = moment_of(record, "bets-closed")
    for seat in record["seats"]:
        for wager, entry in seat["wagers"].items():
            if not entry["cents"]:
                continue
            t_ns = moment_of(record, "decision", seat=seat["seat"]) if wager == "play" else closed - NS
            watched = between(seen, t_ns, t_ns + 2 * NS)
            assert entry["cents"] in worths_on(watched, Zone(seat["seat"], wager)), (seat["seat"], wager)


def test_hands_say_what_they_cover(seen: list[FrameObservation]) -> None:
    hands = [thing for observation in seen for thing in observation.things if thing.kind == "hand"]
    assert hands
    assert any(belief.p > 0.5 for hand in hands for belief in hand.covers)
    for hand in hands:
        shares = [belief.p for belief in hand.covers]
        assert shares == sorted(shares, reverse=True)
        assert all(0 < share <= 1 for share in shares)


def acted(
    clip: ScriptedClip, actors: Iterator[tuple[Body, float, float, Pose]], noise: Noise, last_s: float
) -> ScriptedClip:
    """Return a clip in which bodies lie still, each from one moment to another."""
    cast = (Actor(i, body, (Key(start, pose),), end) for i, (body, start, end, pose) in enumerate(actors, 1))
    return replace(clip, noise=noise, story=Story(tuple(cast), last_s))


SECONDS = 60
CENTS = (500, 500, 2500)


def places(clip: ScriptedClip) -> list[tuple[float, float]]:
    """Return places on the felt at which things do not touch."""
    xs, ys = np.meshgrid(np.arange(-700, 701, 140.0), np.arange(150, 700, 140.0))
    return [
        (x, y) for x, y in zip(xs.ravel().tolist(), ys.ravel().tolist(), strict=True) if clip.layout.felt.contains(x, y)
    ]


def still_lives(clip: ScriptedClip) -> Iterator[tuple[Body, float, float, Pose]]:
    """Yield cards and stacks that lie for a second each, at the same places again and again."""
    for i, (x, y) in enumerate(places(clip)):
        for second in range(SECONDS):
            body: Body = CardBody(DECK[(i * 7 + second) % 52]) if i % 2 else StackBody(CENTS, ((0.0, 0.0, 0.0),) * 3)
            turn = 180.0 if i % 4 == 3 else 0.0
            yield body, second + 0.01, second + 1.0, Pose(x, y, 0.0, 10.0 * i, turn)


def matched(clip: ScriptedClip) -> tuple[list[tuple[int, int, Placed]], int, int]:
    """Return what was said of true things (place, second), of false ones, and how many observations had things."""
    where = np.array(places(clip))
    true, false, full = [], 0, 0
    for observation in clip:
        second, share = divmod(observation.t_ns, NS)
        if share == 0:  # between two lives
            continue
        full += 1
        for thing in observation.things:
            gaps = np.hypot(*(where - (thing.x, thing.y)).T)
            near = int(gaps.argmin())
            if gaps[near] < 25:
                true.append((near, int(second), thing))
            else:
                false += 1
    return true, false, full


@pytest.fixture(scope="module")
def lives(clean: ScriptedClip) -> tuple[list[tuple[int, int, Placed]], int, int]:
    return matched(acted(clean, still_lives(clean), replace(FLOORS, late=0.0, false=0.0), float(SECONDS)))


def test_things_are_missed_and_doubled_as_often_as_stated(
    clean: ScriptedClip, lives: tuple[list[tuple[int, int, Placed]], int, int]
) -> None:
    true, _, full = lives
    asked = full * len(places(clean))
    doubles = sum(thing.detection.found.score < 0.62 for _, _, thing in true)
    assert (len(true) - doubles) / asked == pytest.approx(1 - FLOORS.missed, abs=0.01)
    assert doubles / asked == pytest.approx(FLOORS.doubled, abs=0.006)


def test_faces_are_misread_as_often_as_stated(lives: tuple[list[tuple[int, int, Placed]], int, int]) -> None:
    cards = [(DECK[(i * 7 + second) % 52], thing) for i, second, thing in lives[0] if i % 4 == 1]
    flipped = [thing for _, thing in cards if thing.kind == "card_down"]
    assert len(flipped) / len(cards) == pytest.approx(FLOORS.flipped, abs=0.006)
    read = [(card, thing.detection.face) for card, thing in cards if thing.detection.face is not None]
    named = [(card, face) for card, face in read if face.card is not None]
    wrong = [(card, face) for card, face in named if face.card != card]
    assert 1 - len(named) / len(read) == pytest.approx(FLOORS.unreadable, abs=0.015)
    assert len(wrong) / len(named) == pytest.approx(FLOORS.misread, abs=0.012)
    for card, face in wrong:
        assert DECK.index(card) == np.argsort(face.p)[-2]
    assert all(face.p.sum() == pytest.approx(1) and face.p.min() >= 0 for _, face in read)


def test_misreadings_last(lives: tuple[list[tuple[int, int, Placed]], int, int]) -> None:
    """Most of what is misread is misread in every observation of its life."""
    wrong: Counter[tuple[int, int]] = Counter()
    for i, second, thing in lives[0]:
        face = thing.detection.face
        if i % 4 == 1 and face is not None and face.card not in (None, DECK[(i * 7 + second) % 52]):
            wrong[i, second] += 1
    assert sum(n for n in wrong.values() if n > 5) > 0.5 * wrong.total()


def test_stacks_are_misread_as_often_as_stated(lives: tuple[list[tuple[int, int, Placed]], int, int]) -> None:
    read = [thing.detection.stack for i, _, thing in lives[0] if i % 2 == 0 and thing.detection.stack]
    exact = sum(stack.count == len(CENTS) for stack in read) / len(read)
    assert exact == pytest.approx(1 - FLOORS.miscounted, abs=0.03)
    assert sum(stack.value_cents is None for stack in read) / len(read) == pytest.approx(FLOORS.unvalued, abs=0.02)
    for stack in read:
        assert abs(stack.count - len(CENTS)) <= 1
        assert len(stack.denominations) == stack.count
        assert stack.count_bounds[0] <= len(CENTS) <= stack.count_bounds[1]
        assert stack.value_bounds is not None
        assert stack.value_bounds[0] <= sum(CENTS) <= stack.value_bounds[1]


def test_places_are_off_as_far_as_stated(
    clean: ScriptedClip, lives: tuple[list[tuple[int, int, Placed]], int, int]
) -> None:
    where = places(clean)
    off = [
        [thing.x - where[i][0], thing.y - where[i][1]] for i, _, thing in lives[0] if thing.detection.found.score > 0.62
    ]
    assert np.std(off, axis=0) == pytest.approx([FLOORS.jitter_mm] * 2, abs=0.15)


def test_things_that_are_not_there_are_as_many_as_stated(clean: ScriptedClip) -> None:
    clip = acted(clean, iter([(CardBody(DECK[0]), 0.0, 900.0, Pose(0, 400))]), replace(FLOORS, missed=0.0), 900.0)
    extra = [len(observation.things) - 1 for observation in clip]
    assert np.mean(extra) == pytest.approx(FLOORS.false, abs=0.1)
    kept = sum(bool(one) and bool(two) for one, two in pairwise(extra)) / sum(map(bool, extra[:-1]))
    assert kept > 0.7  # they stay for a while


def test_late_things_are_late(clean: ScriptedClip) -> None:
    still = [life for life in still_lives(clean) if isinstance(life[0], StackBody)]
    clip = acted(clean, iter(still), Noise(late=0.4), float(SECONDS))
    counts = [len(observation.things) for observation in clip]
    first = np.mean(counts[1::12])
    settled = np.mean(counts[3::12])
    assert first / settled == pytest.approx(0.6, abs=0.05)


REACH = (Pose(60, 500, 20.0, 0.0), HandBody(0, "flat"))


def test_nothing_is_seen_through_a_hand(clean: ScriptedClip) -> None:
    hand, body = REACH
    card, chip = CardBody(Card.parse("As")), StackBody((500,), ((0.0, 0.0, 0.0),))
    things: list[tuple[Body, float, float, Pose]] = [
        (card, 0.0, 9.0, Pose(60, 405)),
        (chip, 0.0, 9.0, Pose(60, 250)),
        (chip, 0.0, 9.0, Pose(-300, 405)),
    ]
    clip = acted(clean, iter([*things, (body, 2.0, 4.0, hand)]), Noise(), 6.0)
    kinds = [Counter(thing.kind for thing in observation.things) for observation in clip]
    assert kinds[12] == Counter({"card_up": 1, "stack": 2})
    assert kinds[36] == Counter({"hand": 1, "stack": 1})
    assert kinds[60] == kinds[12]


def test_hands_are_missed_as_often_as_stated(clean: ScriptedClip) -> None:
    hand, body = REACH
    visits: list[tuple[Body, float, float, Pose]] = [(body, i + 0.01, i + 1.0, hand) for i in range(1500)]
    clip = acted(clean, iter(visits), replace(FLOORS, false=0.0, late=0.0), 1500.0)
    found = sum(len(observation.things) for observation in clip) / (1500 * 11)
    assert found == pytest.approx(1 - FLOORS.missed_hands, abs=0.02)


def test_of_a_packet_only_the_top_card_shows(clean: ScriptedClip) -> None:
    packet = [(CardBody(DECK[i]), 0.0, 9.0, Pose(0, 400, 0.3 * i, 5.0)) for i in range(5)]
    fan = [(CardBody(DECK[20 + i]), 0.0, 9.0, Pose(300 + 36.0 * i, 400, 0.3 * i)) for i in range(5)]
    things = next(iter(acted(clean, iter([*packet, *fan]), Noise(), 1.0))).things
    read = [thing.detection.face.card for thing in things if thing.detection.face]
    assert {*read} == {DECK[4], *(DECK[20 + i] for i in range(5))}
    assert len(read) == 6


def test_a_card_on_its_edge_is_not_found(clean: ScriptedClip) -> None:
    turns = (0.0, 30.0, 90.0, 150.0, 180.0)
    cards = [(CardBody(DECK[0]), i + 0.0, i + 1.0, Pose(0, 400, 0.0, 90.0, turn)) for i, turn in enumerate(turns)]
    kinds = [[thing.kind for thing in observation.things] for observation in acted(clean, iter(cards), Noise(), 5.0)]
    assert kinds[6::12] == [["card_up"], ["card_up"], [], ["card_down"], ["card_down"]]


def test_decks_are_other_things_or_cards(clean: ScriptedClip) -> None:
    decks = [(PropBody("pile", 0, 20), i + 0.01, i + 1.0, Pose(0, 400)) for i in range(100)]
    exact = acted(clean, iter(decks), Noise(), 100.0)
    assert {thing.kind for observation in exact for thing in observation.things} == {"other"}
    kinds = Counter(
        t.kind for observation in acted(clean, iter(decks), Noise(deck_as_card=0.5), 100.0) for t in observation.things
    )
    assert 0.3 < kinds["card_down"] / kinds.total() < 0.7


@pytest.mark.skipif(not SAMPLE.exists(), reason="needs the sample clips")
def test_what_shows_is_what_a_rendered_picture_shows() -> None:
    """The sample's truth was counted in pixels."""
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    view = View(Camera.from_dict(lines[0]["camera"]))
    agreed: list[bool] = []
    for record in lines:
        if record["kind"] == "frame":
            cards, shares = _shares(view, record["objects"])
            agreed += [(card["visible"] >= 0.25) == (share >= 0.25) for card, share in zip(cards, shares, strict=True)]
    assert len(agreed) > 500
    assert sum(agreed) / len(agreed) > 0.97


def _shares(view: View, objects: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[float]]:
    occlusion, rows, cards, arms = Occlusion(8), [], [], []
    for entry in objects:
        pose = Pose(*(entry[name] for name in ("x", "y", "z", "angle", "turn", "tilt")))
        body: CardBody | StackBody | PropBody
        match entry["kind"]:
            case "hand":
                arms += view.arm(HandBody(entry["person"], "pinch"), pose)
                continue
            case "card":
                body = CardBody(Card.parse(entry["card"]))
            case "stack":
                body = StackBody(tuple(entry["cents"]), ())
            case _:
                body = PropBody(entry["what"], 0, 20)
        row = occlusion.add()
        occlusion.put(row, view.outline(body, pose, entry["id"]))
        if entry["kind"] == "card":
            rows.append(row)
            cards.append(entry)
    return cards, occlusion.seen(np.array(rows, np.intp), arms)[0] if rows else []


def test_observations_are_quick(record_property: Any) -> None:
    """Told, not asked: how quick depends on what else the machine does."""
    clip = scripted_clip(Order(rounds=1, seed=8, seats=(1, 2, 3, 4, 5)), FLOORS)
    next(iter(clip))  # the felt's map is made once
    start = process_time()
    things = sum(len(observation.things) for observation in clip)
    speed = len(clip) / (process_time() - start)
    record_property("observations_per_second", speed)
    sys.stderr.write(f"{speed:.0f} observations a second, {things / len(clip):.0f} things each\n")
    assert things


def test_backs_are_found_as_on_film() -> None:
    """In some clips few, in others nearly all: the share is the clip's own."""
    shares = []
    for seed in range(300):
        chance = ErrorSampler(seed, replace(Noise(), backs=1.0), [100, 500])
        found = [chance.persistent_errors(0, is_back=True).needs < 1 for _ in range(100)]
        assert all(chance.persistent_errors(0).needs < 1 for _ in range(20))  # faces are not touched by it
        shares.append(np.mean(found))
    assert np.mean(shares) == pytest.approx(np.mean(BACKS_FOUND), abs=0.05)
    assert min(shares) <= min(BACKS_FOUND)
    assert max(shares) > 0.9


def test_chips_are_taken_for_others_as_often_as_stated() -> None:
    chance = ErrorSampler(1, Noise.usual(), [100, 500, 2500])
    cents, wrong = (500, 500, 100), 0
    for _ in range(2000):
        stack = chance.stack(cents, chance.persistent_errors(len(cents)))
        wrong += stack.value_cents != sum(cents)
        low, high = stack.value_bounds or (0, 0)
        assert low <= sum(cents) <= high
    lasting = LASTING * (Noise.usual().miscounted + (1 - LASTING * Noise.usual().miscounted) * Noise.usual().misvalued)
    assert wrong / 2000 == pytest.approx(lasting, abs=0.03)
