"""The pictures of docs/simulate.md: `python -m studio.film.catalogue FOLDER` draws looks and faults."""

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from studio.film.filmset import FilmSet
from studio.film.production import Order, act, fitting_sheet, house_sheet, ordered_look
from studio.film.sensor import Sensor
from studio.play.faults import FAULTS
from studio.play.places import Ground, Point
from studio.play.players import open_table
from studio.play.procedure_faults import HOUR_NS
from studio.play.round_generator import write_round
from studio.play.script import Do, Move
from studio.play.stage import Stage
from studio.play.tempo import Span, Tempo
from studio.scene import CardBody, Story
from vision.rules.book.sheet import HouseSheet, Shuffler
from vision.table.layout import Shape
from vision.values.cards import Card
from vision.values.money import dollars
from vision.values.picture import Picture

LOOK_SEEDS = (3, 5, 8, 21, 34, 55)
LOOK_WIDTH, FAULT_WIDTH, BAND, COLUMNS = 800, 520, 44, 4
FAULT_SEED, TWIN_SEED, FAULT_LOOK, FAULT_SEATS = 17, 19, 34, (2, 4, 5)
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 85]
TIDY = Tempo(spread_mm=18.0, scatter_mm=1.5, scatter_deg=1.5, tuck=0.0)  # cards that can be counted
RING = (60, 230, 255)


@dataclass(frozen=True, slots=True)
class Shot:
    """How a fault is shown: what the caption says, where the camera looks, and when."""

    says: str
    where: str = "seat"  # seat, hand, dealer, work, rack, shoe; reach: from a seat to the dealer; pair: two seats
    width_mm: float = 520.0
    of: Do | None = None  # the last move of this kind, at the fault's seat if it has one; None: the faulty move
    share: float = 1.0  # of that move's time
    after_s: float = 0.3
    seed: int = FAULT_SEED
    method: str = "automated"


CLEARED: dict[str, Any] = {"share": 0.5, "after_s": 0.0}  # while a hand is on its way to the rack
SHOTS = {
    "dealer-card-exposed:flash": Shot(
        "a hidden card of the dealer's is seen for a moment", "dealer", 430, after_s=0.15
    ),
    "dealer-card-exposed:flip": Shot("a hidden card of the dealer's is seen for seconds", "dealer", 430, after_s=1.0),
    "dealer-card-exposed:deal": Shot("a card of the dealer's comes face up too soon", "dealer", 430, method="hand"),
    "wrong-card-count:player-4": Shot("Seat {seat}: {held} cards, should be 5", "hand", 300, Do.STUB),
    "wrong-card-count:player-6": Shot("Seat {seat}: {held} cards, should be 5", "hand", 300, Do.STUB),
    "wrong-card-count:dealer-5": Shot("Dealer: {held} cards, should be 6", "dealer", 430, Do.STUB),
    "wrong-card-count:dealer-7": Shot("Dealer: {held} cards, should be 6", "dealer", 430, Do.STUB),
    "card-faced-in-deck:one": Shot("a card comes face up out of the deck", "work", share=0.6, after_s=0),
    "card-faced-in-deck:two": Shot("a second one comes face up", "work", of=Do.BURN, share=0.6, after_s=0),
    "duplicate-card": Shot("the {twin} lies on the table twice", "work", 700, of=Do.SHOW, after_s=0.5, seed=TWIN_SEED),
    "late-wager:bet": Shot("chips on {wager} after the cards are dealt", share=0.9, after_s=0),
    "late-wager:cap": Shot("chips are added to {wager} after the deal", share=0.9, after_s=0),
    "wager-withdrawn": Shot("the player takes chips off {wager}", share=0.7, after_s=0),
    "play-out-of-range:half": Shot("Play {play} on an Ante of {ante}"),
    "play-out-of-range:four-times": Shot("Play {play} on an Ante of {ante}"),
    "wager-not-allowed:side-without-base": Shot("{wager} lies without its base wager", of=Do.CLOSE),
    "underpaid": Shot("{wager} is paid {paid}, due {due}"),
    "overpaid": Shot("{wager} is paid {paid}, due {due}", after_s=0.8),
    "winner-not-paid:aces-up": Shot("{wager} won {due}; the cards go, nothing is paid", "reach", 760, **CLEARED),
    "winner-not-paid:bonus": Shot("{wager} won {due}; the cards go, it is not paid", **CLEARED),
    "loser-paid": Shot("{wager} of {stake} lost and is paid {paid}"),
    "loser-not-collected": Shot("{wager} of {stake} lost; the cards go, the chips stay", "reach", 760, **CLEARED),
    "winner-collected": Shot("{wager} won {due} and is taken", share=0.5, after_s=0),
    "progressive-count": Shot("seat {seat}'s chip stays when the others are collected", "reach", 900, after_s=-0.5),
    "void-not-honoured": Shot("a card was seen: void, and {wager} is settled all the same", share=0.5, after_s=0),
    "deal-order": Shot("seat {seat} has cards before seat {other}", "pair", 900),
    "settle-order": Shot("seat {seat} is settled before seat {other}", "pair", 900),
    "cards-cleared-early": Shot("the hand of seat {seat} goes while its chips wait", "reach", 760, **CLEARED),
    "card-touched": Shot("a neighbour's hand is on the cards of seat {seat}", "hand", 430, after_s=0),
    "stub-count-due": Shot("the fifth stub goes to the rack, again uncounted", "rack", 640, share=0.9, after_s=0),
    "stub-count-wrong:short": Shot("{stub} cards counted, {left} must be left", "work", share=0.85, after_s=0),
    "stub-count-wrong:long": Shot("{stub} cards counted, {left} must be left", "work", share=0.85, after_s=0),
    "deck-change-due": Shot("in use for {hours:.1f} hours, {most:.0f} are allowed", "shoe", 560, share=0.5, after_s=0),
    "wrong-deck": Shot("seat {seat} has cards with another back", "hand", 1000, Do.STUB),
}


@dataclass(frozen=True)
class Take:
    """One acted fault: its story, its moves with their times, and the truth."""

    story: Story
    moves: Sequence[Move]
    spans: Sequence[Span]
    truth: dict[str, Any]
    fault: dict[str, Any]

    def moment(self, shot: Shot) -> float:
        """Return when the fault is seen best."""
        seat = self.fault["seat"]
        found = [i for i, m in enumerate(self.moves) if m.do is shot.of and m.seat in (None, seat)]
        span = self.spans[found[-1] if found else self.fault["move"]]
        return span.start_s + shot.share * (span.end_s - span.start_s) + shot.after_s

    def facts(self) -> dict[str, Any]:
        """Return what a caption may speak of."""
        seat, at = self.fault["seat"], self.fault["move"]
        entries = {seat["seat"]: seat for seat in self.truth["seats"]}
        wagers = entries[seat]["wagers"] if seat in entries else {}
        money = wagers.get(self.fault["wager"], {"cents": 0, "paid_cents": 0, "due_cents": 0})
        deck = self.truth.get("deck", {"opened_ns": 0, "change_due_ns": 0})
        dealt = sum(len(move.cards) for move in self.moves if move.do is Do.DEAL)
        return {
            "seat": seat,
            "wager": (self.fault["wager"] or "").replace("_", " ").title(),
            "stake": dollars(money["cents"]),
            "paid": dollars(money["paid_cents"]),
            "due": dollars(money["due_cents"] or 0),
            "ante": dollars(wagers.get("ante", money)["cents"]),
            "play": dollars(wagers.get("play", money)["cents"]),
            "held": len((entries[seat] if seat in entries else self.truth["dealer"])["cards"]),
            "other": next((m.seat for m in self.moves[at + 1 :] if m.seat not in (None, seat) and m.do in IN_TURN), 0),
            "twin": self.twin(),
            "stub": len(next((move.cards for move in self.moves if move.do is Do.STUB), ())),
            "left": 52 - dealt,
            "hours": -deck["opened_ns"] / HOUR_NS,
            "most": (deck["change_due_ns"] - deck["opened_ns"]) / HOUR_NS,
        }

    def twin(self) -> Card | None:
        """Return the card that was dealt twice."""
        dealt = [card for move in self.moves if move.do is Do.DEAL for card in move.cards]
        return next((card for card in dealt if dealt.count(card) > 1), None)


IN_TURN = (Do.DEAL, Do.SHOW)


def draw_looks(folder: Path) -> None:
    """Draw six looks in the middle of a round, two by three."""
    tiles = []
    for seed in LOOK_SEEDS:
        order = Order(rounds=1, seed=seed)
        film_set = FilmSet(ordered_look(order))
        story, _ = act(order, fitting_sheet(house_sheet(order.house), film_set), film_set)
        tiles.append(_small(picture_at(story, film_set, 0.62 * story.duration_s), LOOK_WIDTH))
    cv2.imwrite(str(folder / "looks.jpg"), _tiled(tiles, 2), QUALITY)


def draw_faults(folder: Path, names: Sequence[str] = tuple(FAULTS)) -> None:
    """Draw each fault at its telling moment, in one look, at a table that counts its stub by hand."""
    film_set = FilmSet(ordered_look(Order(rounds=1, seed=FAULT_LOOK, size="4k")))
    house = house_sheet("maryland").model_copy(update={"shuffler": Shuffler(automatic=True)})
    sheet = fitting_sheet(house, film_set)
    tiles = []
    for name in names:
        shot = SHOTS[name]
        take = stage_fault(name, sheet.model_copy(update={"deal_method": shot.method}), film_set, shot.seed)
        picture = picture_at(take.story, film_set, take.moment(shot))
        _ring(picture, take, shot, film_set)
        tiles.append(_captioned(_close_up(picture, film_set, take, shot), name, shot.says.format(**take.facts())))
    cv2.imwrite(str(folder / "faults.jpg"), _tiled(tiles, COLUMNS), QUALITY)


def stage_fault(name: str, sheet: HouseSheet, film_set: FilmSet, seed: int) -> Take:
    """Write and act out one round with a fault."""
    chance = random.Random(seed)  # noqa: S311 - chance on a film set
    boxes = [seat.number for seat in film_set.layout.seat]
    session = open_table(sheet, chance, FAULT_SEATS, "catalogue", boxes)
    stage = Stage(film_set.layout, TIDY, chance, tuple(sheet.chips_cents))
    written = write_round(sheet, session, chance, [name])
    spans = stage.act(written.script)
    fault = next(fault for fault in written.truth["faults"] if fault["code"] == name.split(":")[0])
    return Take(stage.story(), written.script.moves, spans, written.truth, fault)


def picture_at(story: Story, film_set: FilmSet, t_s: float) -> Picture:
    """Return one developed frame of a story."""
    maker = film_set.frames()
    maker.show(story.at(t_s))
    lens = film_set.look.camera.lens
    return Sensor(film_set.look.sensor, (lens.width, lens.height), np.random.default_rng(1)).develop(
        maker.picture, [], t_s
    )


def _centre(film_set: FilmSet, shot: Shot, take: Take) -> Point:
    """Return the place on the table at which a shot looks."""
    layout, dealer = film_set.layout, film_set.layout.dealer
    places = {"work": dealer.work, "rack": dealer.discard, "shoe": dealer.shoe, "dealer": dealer.cards}
    if shot.where in places:
        return places[shot.where].centre
    seat = layout.seat_at(take.fault["seat"])
    match shot.where:
        case "hand":
            return seat.cards.centre
        case "reach":
            return _middle([*seat.spots.values(), *[dealer.work] * len(seat.spots)])
        case "pair":
            return _middle([*seat.spots.values(), *layout.seat_at(take.facts()["other"]).spots.values()])
        case _:
            return _middle([*seat.spots.values(), seat.cards])


def _middle(shapes: Sequence[Shape]) -> Point:
    x, y = np.mean([shape.centre for shape in shapes], axis=0)
    return (float(x), float(y))


def _close_up(picture: Picture, film_set: FilmSet, take: Take, shot: Shot) -> Picture:
    """Cut out where it happens."""
    x, y = _centre(film_set, shot, take)
    (u, v), (u1, v1) = film_set.look.camera.project([[x, y, 0.0], [x + shot.width_mm, y, 0.0]])
    width = int(min(np.hypot(u1 - u, v1 - v), picture.shape[1]))
    height = width * 9 // 16
    left = int(np.clip(u - width / 2, 0, picture.shape[1] - width))
    top = int(np.clip(v - height / 2, 0, picture.shape[0] - height))
    size = (FAULT_WIDTH, FAULT_WIDTH * 9 // 16)
    cut = picture[top : top + height, left : left + width]
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)


def _ring(picture: Picture, take: Take, shot: Shot, film_set: FilmSet) -> None:
    """Draw a ring around the wager, or the cards, that the fault is about."""
    places: list[tuple[Point, float]] = []
    if take.fault["wager"]:
        places = [(Ground(film_set.layout).spot(take.fault["seat"], take.fault["wager"]), 42.0)]
    for thing in take.story.at(take.moment(shot)):
        if isinstance(thing.body, CardBody) and thing.body.card == take.twin():
            places.append(((thing.pose.x, thing.pose.y), 56.0))
    turns = np.linspace(0, 2 * np.pi, 60)
    for (x, y), radius in places:
        line = [[x + radius * np.cos(turn), y + radius * np.sin(turn), 0.0] for turn in turns]
        points = film_set.look.camera.project(line).astype(np.int32)
        cv2.polylines(picture, [points], isClosed=True, color=RING, thickness=5, lineType=cv2.LINE_AA)


def _small(picture: Picture, width: int) -> Picture:
    size = (width, width * picture.shape[0] // picture.shape[1])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _captioned(picture: Picture, name: str, says: str) -> Picture:
    band = np.full((BAND, picture.shape[1], 3), 24, np.uint8)
    for text, line, colour in ((name, 17, (240, 240, 240)), (says, 36, RING)):
        cv2.putText(band, text, (8, line), cv2.FONT_HERSHEY_SIMPLEX, 0.47, colour, 1, cv2.LINE_AA)
    return np.vstack([picture, band])


def _tiled(tiles: list[Picture], columns: int) -> Picture:
    blank = np.zeros_like(tiles[0])
    full = [*tiles, *[blank] * (-len(tiles) % columns)]
    rows = [np.hstack(full[i : i + columns]) for i in range(0, len(full), columns)]
    return np.vstack(rows)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    draw_looks(target)
    draw_faults(target)
