"""A table on which rounds are played by hand, thing by thing: chips are put and taken, cards dealt, turned and cleared.

`Scene` shows a pipeline what a camera without errors would see; `followed` does so with a whole order of the simulator.
"""

from dataclasses import replace
from functools import cache
from typing import Any

from things import FPS, TICK_NS, card, chips, hand

from studio.film.production import Order, house_sheet
from studio.scripted.observations import Noise, scripted_clip
from vision.alerts.judge import Judge
from vision.attention.trouble import Trouble
from vision.detect.detection import StackReading
from vision.observe.evidence import Content, StackTrack
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed
from vision.records.signal import Signal
from vision.rules.book.sheet import HouseSheet
from vision.rules.play.dealscript import SEAT, Place
from vision.rules.play.tablestate import TableState
from vision.story.floor import Floor
from vision.story.hands import BONUS, DEALER, zone_of
from vision.story.playing import RoundInPlay
from vision.table.layout import Layout, read_layout
from vision.table.zones import PAYOUT, Zone
from vision.values.resources import shipped

Records = dict[str, list[dict[str, Any]]]
Key = tuple[Any, object]
REACH_MM = 95.0  # from chips to the middle of a hand that puts them
BESIDE_MM = {"": (0.0, 0.0), "bonus": (0.0, 42.0)}  # towards the dealer, and aside; other chips are put nearer to him
STEP_MM = 20.0  # between the cards of a hand
WORK = Zone(None, "work")
DEALER_HAND = "Kc Kd 9h 7s 4c 2d"  # a pair of kings
WINNER, LOSER = "As Ad 8s 6c 3h", "Qh Jd 8s 6c 3h"


@cache
def layout() -> Layout:
    return read_layout(shipped("calibration") / "layouts" / "emerald-arc")


def floor(house: str = "maryland") -> Floor:
    """Return a bare table."""
    return Floor(house_sheet(house), layout())


def blank_round(on: Floor) -> RoundInPlay:
    """Return a round in which nothing happened yet."""
    return RoundInPlay(1, 0, TableState(on.sheet.house, on.sheet.deal_method), {})


def stack_worth(number: int, worth: int | StackReading, zone: Zone, looks: int = 6) -> StackTrack:
    """Return chips that were read some times alike."""
    content = Content(0)
    for _ in range(looks):
        content.look(chips(0, 0, worth))
    return StackTrack(number, zone, 0, 0, 0, 10**9, is_there=True, contents=[content])


class Scene:
    """A table under a pipeline. What is done takes the time that it takes; `wait` lets some more pass."""

    def __init__(self, house: str = "maryland", **changes: object) -> None:
        self.sheet: HouseSheet = house_sheet(house).model_copy(update=changes)
        self.pipeline = Judge("t", self.sheet, layout())
        self.floor = self.pipeline.rounds.floor
        self.things: dict[Key, Placed] = {}  # by the group to which they belong, and which of it
        self.hands: tuple[Placed, ...] = ()
        self.said: Records = {"events": [], "rounds": [], "alerts": [], "coverage": []}
        self.index = 0
        self.is_sure = True  # that the camera is where it was
        self.trouble: Trouble | None = None  # what is in the way of seeing

    @property
    def now_ns(self) -> int:
        """Return the time of the last sight."""
        return (self.index - 1) * TICK_NS

    @property
    def played(self) -> RoundInPlay:
        """Return the round that is being played."""
        assert self.pipeline.rounds.round is not None
        return self.pipeline.rounds.round

    def kinds(self) -> list[str]:
        """Return the kinds of the events that were told."""
        return [event["kind"] for event in self.said["events"]]

    def codes(self) -> list[str]:
        """Return the codes of the alerts that stand."""
        last = {alert["id"]: alert for alert in self.said["alerts"]}
        return sorted(alert["code"] for alert in last.values() if alert["state"] != "withdrawn")

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds * FPS)):
            things = (*self.things.values(), *self.hands)
            sight = FrameObservation(self.index, self.index * TICK_NS, things, is_sure=self.is_sure)
            if self.trouble is not None:  # as `Looker` tells it
                sight = replace(sight, things=(), looked=frozenset(), is_sure=False, trouble=self.trouble)
            self._hear(self.pipeline.update(sight))
            self.index += 1

    def blink(self) -> None:
        """Let all things be missed for a moment, as detectors do."""
        things, self.things = self.things, {}
        self.wait(0.1)
        self.things = things
        self.wait(0.3)

    def signal(self, kind: str, **fields: Any) -> None:
        """Let another system say something."""
        self._hear(self.pipeline.signal(Signal(t_ns=max(self.now_ns, 0), kind=kind, **fields)))

    def finish(self) -> None:
        """End the stream."""
        self._hear(self.pipeline.finish(self.now_ns))

    def _hear(self, messages: list[Any]) -> None:
        for message in messages:
            self.said[message.topic].append(message.record.plain())

    def play(self, seat: int = 3, cents: int = 500) -> None:
        """Play a round at one seat, with an ante and Aces Up, until the dealer's hand lies open."""
        self.wait(3.0)
        for wager in ("ante", "aces_up"):
            self.put(seat, wager, cents)
        self.wait(3.0)
        self.deal(seat)
        self.put(seat, "play", cents)
        self.wait(1.0)
        self.reveal()

    def end(self, seat: int = 3) -> None:
        """Clear the table: the player's cards, what is left of the chips, the dealer's cards."""
        self.clear(shown(seat))
        for (owner, wager), key in [name for name in self.things if isinstance(name[1], str)]:
            self.take(owner, wager, "player", str(key))
        self.clear(DEALER)
        self.wait(3.0)
        self.finish()

    # ---- Chips

    def spot(self, seat: int, wager: str, key: str = "") -> tuple[float, float]:
        """Return the middle of a spot, or a place beside it."""
        (x, y), (along, across) = layout().seat_at(seat).spots[wager].centre, self.floor.inward[seat]
        inward_mm, aside_mm = BESIDE_MM.get(key, (42.0, 0.0))
        return x + inward_mm * along - aside_mm * across, y + inward_mm * across + aside_mm * along

    def put(self, seat: int, wager: str, worth: int | StackReading, by: str | None = "player", key: str = "") -> None:
        """Put chips on a spot; with a key, other chips beside those that stand there."""
        x, y = self.spot(seat, wager, key)
        zone = Zone(seat, PAYOUT + wager if key else wager)
        self._by_hand(seat, (x, y), by, {((seat, wager), key): chips(x, y, worth, zone)})

    def take(self, seat: int, wager: str, by: str | None = "dealer", key: str = "") -> None:
        """Take chips away."""
        self._by_hand(seat, self.spot(seat, wager), by, {((seat, wager), key): None})

    def _by_hand(self, seat: int, at: tuple[float, float], by: str | None, change: dict[Key, Placed | None]) -> None:
        """Do something with a hand that reaches from the dealer's or from the player's side."""
        if by is not None:
            side = REACH_MM if by == "dealer" else -REACH_MM
            inward = self.floor.inward[seat]
            self.hands = (hand(at[0] + side * inward[0], at[1] + side * inward[1]),)
            self.wait(0.3)
        self._change(change)
        self.wait(0.5)
        self.hands = ()
        self.wait(0.2)

    def _change(self, change: dict[Key, Placed | None]) -> None:
        for key, thing in change.items():
            self.things.pop(key, None)
            if thing is not None:
                self.things[key] = thing

    # ---- Cards

    def places(self, place: Place) -> list[tuple[float, float]]:
        """Return where the cards of a hand lie."""
        shape = layout().seat_at(place[1]).cards if place[1] is not None else layout().dealer.cards
        x, y = (layout().dealer.bonus or shape).centre if place == BONUS else shape.centre
        count = self.floor.counts[place[0]]
        return [(x + STEP_MM * (i - (count - 1) / 2), y) for i in range(count)]

    def deal(self, *seats: int, up: str | None = None, quiet_s: float = 3.0) -> None:
        """Deal whole hands, the dealer's last, of which one card may be turned; then let some time pass."""
        for place in (*((SEAT, seat) for seat in seats), DEALER):
            for i, (x, y) in enumerate(self.places(place)):
                self.things[place, i] = card(x, y, zone=zone_of(place))
            self.wait(0.7)
        if up is not None:
            self.turn(DEALER, up)
        self.wait(quiet_s)

    def turn(self, place: Place, *faces: str | None) -> None:
        """Turn cards of a hand: face up, or for None face down again."""
        for i, shows in enumerate(faces):
            lying = self.things[place, i]
            self.things[place, i] = card(lying.x, lying.y, shows, zone_of(place))

    def reveal(self, faces: str = DEALER_HAND) -> None:
        """Turn the dealer's hand, by hand."""
        x, y = self.places(DEALER)[0]
        self.hands = (hand(x - 90, y, 40.0),)
        self.turn(DEALER, *faces.split())
        self.wait(0.5)
        self.hands = ()
        self.wait(1.5)

    def show(self, seat: int, faces: str) -> None:
        """Bring a seat's cards to the work area and lay them open."""
        self.clear((SEAT, seat))
        x, y = layout().dealer.work.centre
        for i, name in enumerate(faces.split()):
            self.things[shown(seat), i] = card(x + 45.0 * (i - 2), y, name, WORK)
        self.hands = (hand(x, y - 120, 40.0),)
        self.wait(0.5)
        self.hands = ()
        self.wait(1.5)

    def clear(self, *of: object) -> None:
        """Take away all things of a hand, or of several; the hand that does it is seen for a moment."""
        gone = [key for key in self.things if key[0] in of]
        things = [self.things[key] for key in gone]
        x, y = (sum(place) / len(things) for place in zip(*((thing.x, thing.y) for thing in things), strict=True))
        self.hands = (hand(x, y, 130.0),)
        self.wait(0.3)
        self._change(dict.fromkeys(gone))
        self.wait(0.2)
        self.hands = ()
        self.wait(1.0)

    def fold(self, seat: int) -> None:
        """Push a hand forward."""
        x, y = self.floor.inward[seat]
        for key, thing in list(self.things.items()):
            if key[0] == (SEAT, seat):
                self.things[key] = replace(thing, x=thing.x + 60 * x, y=thing.y + 60 * y)
        self.wait(3.0)


def shown(seat: int) -> tuple[str, int]:
    """Return the name of a seat's cards in the work area."""
    return ("shown", seat)


def followed(order: Order) -> tuple[list[dict[str, Any]], Records]:
    """Return the true rounds of an order, and what a pipeline says of them that sees without errors."""
    clip = scripted_clip(order, Noise(), float(FPS))
    pipeline = Judge("t", clip.sheet, clip.layout)
    said: Records = {"events": [], "rounds": [], "alerts": [], "coverage": []}
    last_ns = 0
    for sight in clip:
        for message in pipeline.update(sight):
            said[message.topic].append(message.record.plain())
        last_ns = sight.t_ns
    for message in pipeline.finish(last_ns):
        said[message.topic].append(message.record.plain())
    return clip.rounds, said


def standing(said: Records) -> list[tuple[str, int | None, str | None]]:
    """Return the alerts that stand at the end: what, at which seat, on which wager."""
    last = {alert["id"]: alert for alert in said["alerts"]}
    return sorted((a["code"], a["seat"], a["wager"]) for a in last.values() if a["state"] != "withdrawn")


def injected(true: dict[str, Any]) -> list[tuple[str, int | None, str | None]]:
    """Return the faults that were made in a round."""
    return sorted((fault["code"], fault["seat"], fault["wager"]) for fault in true["faults"])
