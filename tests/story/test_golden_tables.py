"""Golden tables: what the helpers of the story answer, as data that outlives their classes (README.md)."""

from collections.abc import Mapping
from math import hypot
from typing import Any

import numpy as np
import pytest
from conftest import GOLDEN
from golden_cases import Line as Row
from golden_cases import read_lines
from golden_pipeline import layout_of, sheet_of
from things import card, chips, reading

from vision.observe.evidence import CardTrack, Content, StackTrack
from vision.rules.due.record import Line, Outcome, PlayedRound, SeatPlay, Settlement, Status
from vision.rules.play.dealscript import Place
from vision.rules.text.pays import Pay
from vision.story.amounts import NOTHING, Amount, among, amount_of, within
from vision.story.dealorder import arrivals_at, out_of_turn
from vision.story.floor import Floor
from vision.story.hands import DEALER, HandWatch, seat_place
from vision.story.onedeck import decode
from vision.story.stakes import legal_pair, legal_raise
from vision.story.verdict import Done, Finding, Verdict, judge, round_verdict, weighed
from vision.story.worlds import Dues, Hand, dues
from vision.table.zones import FELT, Zone
from vision.values.cards import DECK, Card, parse_seen
from vision.values.geometry import Floats

MARYLAND: Row = {"house": "maryland", "layout": "emerald-arc"}
SHEET = sheet_of(MARYLAND)
PLAY = SHEET.house.game.decisions[0]  # one to three times the ante
SECOND_NS = 1_000_000_000


def rows(name: str) -> list[Any]:
    """Return the rows of a table, each with what it is about as its name."""
    return [pytest.param(row, id=row["about"]) for row in read_lines(GOLDEN / "tables" / f"{name}.jsonl")]


def amount(told: Row | None) -> Amount:
    """Return an amount; null is nothing."""
    if told is None:
        return NOTHING
    low, high = told["bounds"]
    return Amount(told["cents"], told["p"], low, high, tuple((cents, p) for cents, p in told["chances"]))


# ---- Verdicts


def line(told: Row | None) -> Line | None:
    """Return what a wager is due."""
    if told is None:
        return None
    pay = Pay.parse(told["pay"]) if "pay" in told else None
    why = "it was not seen" if told["paid"] is None else None
    return Line(Outcome(told["outcome"]), told["stake"], told["paid"], told["stake_returned"], "§", pay, why)


def done(told: Row) -> Done:
    """Return what was done with a wager."""
    flags = {name: told.get(name, False) for name in ("is_gone", "is_gathered", "is_taken")}
    doubt = Finding.PAYMENT_UNCERTAIN if told.get("is_doubtful") else None
    return Done(amount(told["stake"]), amount(told["paid"]), doubt=doubt, **flags)


@pytest.mark.parametrize("row", rows("verdicts"))
def test_verdicts(row: Row) -> None:
    settlement = Settlement(Status(row.get("status", "settled")), notes=("why",))
    found = judge(SHEET, line(row["due"]), done(row["done"]), settlement, row["wager"])
    assert (found.verdict, found.code) == (row["verdict"], row["code"])
    assert (found.why is None) == (found.verdict == "right")
    for field, value in row.get("told", {}).items():
        assert getattr(found, field) == (tuple(value) if isinstance(value, list) else value), field


def verdict(told: Mapping[str, Any]) -> Verdict:
    return Verdict(500, 500, 0, "win", told["verdict"], None, "§", told.get("code"))


@pytest.mark.parametrize("row", rows("verdicts_over_worlds"))
def test_verdicts_over_worlds(row: Row) -> None:
    answers = [({w: verdict(told) for w, told in answer["wagers"].items()}, answer["p"]) for answer in row["answers"]]
    found = weighed(answers)
    assert {w: {"verdict": v.verdict, "code": v.code} for w, v in found.items()} == row["wagers"]


@pytest.mark.parametrize("row", rows("round_verdicts"))
def test_round_verdicts(row: Row) -> None:
    wagers = {(seat, "ante"): verdict({"verdict": name}) for seat, name in enumerate(row["wagers"])}
    assert round_verdict(wagers, Status(row["status"])) == row["verdict"]


# ---- Amounts and raises


def stack(number: int, told: Row) -> StackTrack:
    """Return chips that were read some times alike."""
    ((cents, p),), (low, high) = told["cents"], told["bounds"]
    content = Content(0)
    for _ in range(told["looks"]):
        content.look(chips(0, 0, reading(cents, p, (low, high))))
    return StackTrack(number, FELT, 0, 0, 0, SECOND_NS, is_there=True, contents=[content])


@pytest.mark.parametrize("row", rows("amounts"))
def test_amounts(row: Row) -> None:
    if row["ask"] == "may_be":
        assert amount(row["amount"]).may_be(row["cents"]) is row["answer"]
    elif row["ask"] == "among":
        assert among(amount(row["amount"]), row["worths"]).cents == row["answer"]
    else:
        read = [stack(i, told) for i, told in enumerate(row.get("stacks", ()))]
        found = amount_of(read) if row["ask"] == "read" else within(amount(row["amount"]), *row["limits"])
        told = {"cents": found.cents, "bounds": [found.low, found.high], "p": round(found.p, 6)}
        told["is_sure"] = found.is_sure
        assert {name: told[name] for name in row["answer"]} == row["answer"]


@pytest.mark.parametrize("row", rows("raises"))
def test_raises(row: Row) -> None:
    if row["ask"] == "nearest":
        assert legal_raise(row["raise"], row["base"], PLAY) == row["answer"]
    else:
        pair = legal_pair(amount(row["raise"]), amount(row["base"]), PLAY)
        assert pair == (None if row["answer"] is None else tuple(row["answer"]))


# ---- Cards


def belief(name: str, others: Mapping[str, float], looks: int) -> Floats | None:
    """Return what looks say of a card: this face, but for some others; None where it was not seen."""
    if name == "??":
        return None
    found = np.zeros(len(DECK))
    for other, p in others.items():
        found[DECK.index(Card.parse(other))] = p
    found[DECK.index(Card.parse(name))] = 1 - found.sum()
    return looks * found


def due(row: Row) -> Dues:
    """Return what a seat is due by every set of cards that it may have been."""
    doubts, looks = row.get("doubts", {}), row.get("looks", {})
    hands: dict[Place, Hand] = {
        seat_place(2): [belief(name, doubts.get(name, {}), looks.get(name, 20)) for name in row["cards"]],
        DEALER: [belief(name, {}, 20) for name in row["dealer"]],
    }
    seat = SeatPlay(2, tuple(map(parse_seen, row["cards"])), row["wagers"], folded=False)
    return dues(SHEET.house, PlayedRound((seat,), dealer=tuple(map(parse_seen, row["dealer"]))), hands)


def paid_for(found: Dues, wager: str) -> dict[Any, float]:
    """Return what a wager is paid, with the chance of each answer."""
    chances: dict[Any, float] = {}
    for lines, p in found.lines(2):
        chances[lines[wager].paid] = chances.get(lines[wager].paid, 0.0) + p
    return chances


@pytest.mark.parametrize("row", rows("worlds"))
def test_worlds(row: Row) -> None:
    found = due(row)
    assert found.status == row.get("status", "settled")
    for wager, cents in row.get("paid", {}).items():
        assert set(paid_for(found, wager)) == set(cents), wager
    for wager, count in row.get("answers", {}).items():
        assert len(paid_for(found, wager)) == count, wager
    if "chance" in row:
        chances = paid_for(found, row["chance"]["wager"])
        assert chances[row["chance"]["paid"]] == pytest.approx(row["chance"]["p"], abs=row["chance"]["within"])
        assert sum(chances.values()) == pytest.approx(1.0)


def track(number: int, told: Row) -> CardTrack:
    """Return a card whose face was read with these chances."""
    p = np.full(len(DECK), 1e-5)
    for name, chance in told["faces"].items():
        p[DECK.index(Card.parse(name))] = chance
    p /= p.sum()
    start_ns, end_ns, looks = told["from_ns"], told["until_ns"], told["looks"]
    place = (number, FELT, 0, 0, start_ns, end_ns)
    return CardTrack(*place, read_ns=end_ns, is_up=True, faces=np.log(p), belief=p * looks, read=looks)


@pytest.mark.parametrize("row", rows("one_deck"))
def test_one_deck(row: Row) -> None:
    found = decode([track(i, told) for i, told in enumerate(row["cards"])])
    names = {i: str(face) for i, (face, _) in found.faces.items()}
    if "faces" in row:
        assert [names.get(i) for i in range(len(row["cards"]))] == row["faces"]
    assert {i: names[int(i)] for i in row.get("face_of", {})} == row.get("face_of", {})
    if "duplicates" in row:
        assert [[str(face), one, other] for face, one, other in found.duplicates] == row["duplicates"]


@pytest.mark.parametrize("row", rows("deal_orders"))
def test_deal_orders(row: Row) -> None:
    found = out_of_turn(list(enumerate(row["order"])), tuple(row["seats"]))
    want = row["answer"]
    assert found == (None if want is None else ((want["at"], want["seat"]), want["due"]))


@pytest.mark.parametrize("row", rows("arrivals"))
def test_arrivals(row: Row) -> None:
    place = Zone(2, "cards")
    lying = CardTrack(1, place, row["x_mm"][0], 0.0, 0, 0, is_there=True)
    for tick, x in enumerate(row["x_mm"][1:], start=1):
        lying.at(card(x, 0.0, zone=place), tick * row["every_ns"])
    assert arrivals_at(HandWatch(seat_place(2), dealt=[lying]), row["since_ns"]) == row["answer"]


# ---- Places


def standing(seat: int, wager: str) -> StackTrack:
    return StackTrack(1, Zone(seat, wager), 0, 0, 0, 10 * SECOND_NS, is_there=True, contents=[Content(0)])


@pytest.mark.parametrize("row", rows("hand_owners"))
def test_hand_owners(row: Row) -> None:
    table, stack = Floor(SHEET, layout_of(row)), standing(row["seat"], "ante")
    if row["inward_mm"] is not None:
        (x, y), along, aside = table.inward[row["seat"]], row["inward_mm"], row["aside_mm"]
        stack.hand_from = (along * x - aside * y, along * y + aside * x)
        stack.hand_ns = stack.seen_ns - row["before_ns"]
    assert table.taker(stack, row["seat"]) == row["answer"]


@pytest.mark.parametrize("row", rows("between_spots"))
def test_between_spots(row: Row) -> None:
    table, stack = Floor(SHEET, layout_of(row)), standing(row["seat"], row["wager"])
    spots = table.layout.seat_at(row["seat"]).spots
    (x, y), (far_x, far_y) = spots[row["wager"]].centre, spots[row["towards"]].centre
    share = row["mm"] / hypot(far_x - x, far_y - y)
    stack.x, stack.y = x + share * (far_x - x), y + share * (far_y - y)
    assert table.is_clearly_at(stack, row["seat"], row["wager"]) is row["is_clear"]


@pytest.mark.parametrize("row", rows("printed"))
def test_printed(row: Row) -> None:
    table = Floor(sheet_of(row), layout_of(row))
    wagers = sorted(wager for seat, wager in table.spots() if seat == 1)
    assert wagers == row["wagers"]
    assert [wager for wager in wagers if table.is_raise(wager)] == row["raises"]
    assert [zone for zone, _ in table.table_places()] == row["places"]
    assert table.places() == [*table.table_places(), *map(seat_place, table.seats)]
