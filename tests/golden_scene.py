"""A table played by hand, from which a golden case is recorded: chips are put and taken, cards dealt, turned, cleared.

What is recorded is what a camera without errors would show, ten times a second. `expect` says what must be said by
then, `keep` writes the case; what was done stands in its input as notes. README.md in `golden/` has an example.
"""

from dataclasses import replace
from functools import cache
from math import hypot
from typing import Any, Final

from golden_cases import STORIES, Frame, Line, Look, Recorder, write_expected

from vision.table.layout import Layout, read_layout
from vision.values.resources import shipped

FPS: Final = 10
TICK_NS: Final = 1_000_000_000 // FPS
LAYOUT: Final = "emerald-arc"
DEALER, BONUS, WORK = "dealer.cards", "bonus", "work"
COUNTS: Final = {DEALER: 6, BONUS: 1}  # cards of a hand; of a player's five
REACH_MM: Final = 95.0  # from chips to the middle of a hand that puts them
BESIDE_MM: Final = {"": (0.0, 0.0), "bonus": (0.0, 42.0)}  # towards the dealer, and aside; others are put nearer to him
STEP_MM: Final = 20.0  # between the cards of a hand
DEALER_HAND: Final = "Kc Kd 9h 7s 4c 2d"  # a pair of kings
WINNER, LOSER = "As Ad 8s 6c 3h", "Qh Jd 8s 6c 3h"
Place = tuple[float, float]
Key = tuple[str, object]


@cache
def layout() -> Layout:
    """Return the felt on which scenes are played."""
    return read_layout(shipped("calibration") / "layouts" / LAYOUT)


def card(at: Place, shows: str | Line | None = None, zone: str = "felt", **more: Any) -> Line:
    """Return a card, face down unless it shows something: a name, or faces with their probabilities."""
    kind = "card-down" if shows is None else "card-up"
    face = {} if shows is None else {"face": {shows: 0.99} if isinstance(shows, str) else shows}
    return {"kind": kind, "at": _rounded(at), "zones": {zone: 1.0}, **face, **more}


def reading(cents: int | None, p: float = 0.95, bounds: tuple[int, int] | None = None) -> Line:
    """Return what is read of chips; without bounds it is certain of its cents."""
    certain = None if cents is None else [cents, cents]
    return {"cents": [] if cents is None else [[cents, p]], "bounds": list(bounds) if bounds else certain}


def chips(at: Place, worth: int | Line, zone: str = "felt") -> Line:
    """Return a stack of chips."""
    stack = worth if isinstance(worth, dict) else reading(worth)
    return {"kind": "stack", "at": _rounded(at), "zones": {zone: 1.0}, "stack": stack}


def hand(at: Place, half_mm: float = 40.0) -> Line:
    """Return a hand as the box around it, by its middle."""
    return box(at[0] - half_mm, at[1] - half_mm, at[0] + half_mm, at[1] + half_mm)


def box(left: float, top: float, right: float, bottom: float) -> Line:
    """Return a hand or an arm by the sides of its box."""
    sides = round(left), round(top), round(right), round(bottom)
    corners = [[sides[i], sides[j]] for i, j in ((0, 1), (2, 1), (2, 3), (0, 3))]
    return {"kind": "hand", "quad": corners}


def cards_of(seat: int) -> str:
    """Return where a seat's cards lie."""
    return f"seat.{seat}.cards"


def shown(seat: int) -> str:
    """Return the name of a seat's cards in the work area."""
    return f"shown.{seat}"


def inward(seat: int) -> Place:
    """Return the direction from a seat's cards to its spots, which is away from the player."""
    here = layout().seat_at(seat)
    spots = [shape.centre for shape in here.spots.values()]
    x, y = (sum(spot[i] for spot in spots) / len(spots) - here.cards.centre[i] for i in (0, 1))
    return x / hypot(x, y), y / hypot(x, y)


def _rounded(at: Place) -> list[float]:
    return [round(at[0], 1), round(at[1], 1)]


class Scene:
    """A table. What is done takes the time that it takes; `wait` lets some more pass."""

    def __init__(self, house: str = "maryland", **changes: object) -> None:
        table: Line = {"house": house, "layout": LAYOUT, **({"changes": changes} if changes else {})}
        self.recorder = Recorder(table)
        self.checks: list[Line] = []
        self.things: dict[Key, Look] = {}  # by the group to which they belong, and which of it
        self.hands: tuple[Look, ...] = ()
        self.index = 0
        self.is_sure = True  # that the camera is where it was
        self.trouble: tuple[str, str] | None = None  # what is in the way of seeing
        self.moved_px: float | None = None  # with the next frame
        self.looked: tuple[str, ...] | None = None

    @property
    def now_ns(self) -> int:
        """Return the time of the last frame."""
        return max(self.index - 1, 0) * TICK_NS

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds * FPS)):
            frame = Frame(self.index, self.index * TICK_NS, (*self.things.values(), *self.hands), self.looked)
            frame = replace(frame, is_sure=self.is_sure, moved_px=self.moved_px)
            if self.trouble is not None:  # then no objects are told
                frame = replace(frame, looks=(), looked=(), is_sure=False, trouble=self.trouble)
            self.recorder.frame(frame)
            self.moved_px = None
            self.index += 1

    def note(self, text: str) -> None:
        """Say what is done, for those who read the recording."""
        self.recorder.put(note=text)

    def signal(self, kind: str, **fields: Any) -> None:
        """Let another system say something."""
        self.recorder.put(signal=kind, t_ns=self.now_ns, **fields)

    def finish(self) -> None:
        """End the stream."""
        self.recorder.put(finish=self.now_ns)

    def expect(self, at: str | None = None, **check: Any) -> None:
        """Say what is expected now, with a name for the moment; or, without one, at the end."""
        if at is not None and {"mark": at} not in self.recorder.lines:
            self.recorder.put(mark=at)
        self.checks.append({**({} if at is None else {"at": at}), **check})

    def codes(self, *codes: str, at: str | None = None) -> None:
        """Expect that alerts with these codes stand, and no others."""
        self.expect(at, alerts=[{"code": code} for code in codes])

    def keep(self, name: str, about: str, known_failure: str | None = None) -> None:
        """Write the case."""
        self.recorder.write(STORIES / name)
        write_expected(STORIES / name, about, self.checks, known_failure)

    def blink(self) -> None:
        """Let all things be missed for a moment, as detectors do."""
        self.note("everything is missed for a moment")
        things, self.things = self.things, {}
        self.wait(0.1)
        self.things = things
        self.wait(0.3)

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
        for group, key in [name for name in self.things if isinstance(name[1], str)]:
            _, owner, wager = group.split(".")
            self.take(int(owner), wager, "player", str(key))
        self.clear(DEALER)
        self.wait(3.0)
        self.finish()

    # ---- Chips

    def spot(self, seat: int, wager: str, key: str = "") -> Place:
        """Return the middle of a spot, or a place beside it."""
        (x, y), (along, across) = layout().seat_at(seat).spots[wager].centre, inward(seat)
        inward_mm, aside_mm = BESIDE_MM.get(key, (42.0, 0.0))
        return x + inward_mm * along - aside_mm * across, y + inward_mm * across + aside_mm * along

    def put(self, seat: int, wager: str, worth: int | Line, by: str | None = "player", key: str = "") -> None:
        """Put chips on a spot; with a key, other chips beside those that stand there."""
        told = worth["cents"] if isinstance(worth, dict) else worth
        beside = " beside the stake" if key else ""
        self.note(f"{by or 'nobody who is seen'} puts {told} on seat {seat} {wager}{beside}")
        at, zone = self.spot(seat, wager, key), f"seat.{seat}.{'payout:' if key else ''}{wager}"
        self.by_hand(seat, at, by, {(f"chips.{seat}.{wager}", key): chips(at, worth, zone)})

    def take(self, seat: int, wager: str, by: str | None = "dealer", key: str = "") -> None:
        """Take chips away."""
        self.note(f"{by or 'nobody who is seen'} takes chips from seat {seat} {wager}")
        self.by_hand(seat, self.spot(seat, wager), by, {(f"chips.{seat}.{wager}", key): None})

    def by_hand(self, seat: int, at: Place, by: str | None, change: dict[Key, Look | None]) -> None:
        """Do something with a hand that reaches from the dealer's or from the player's side."""
        if by is not None:
            self.hands = (self.reaching(seat, at, REACH_MM if by == "dealer" else -REACH_MM),)
            self.wait(0.3)
        self.change(change)
        self.wait(0.5)
        self.hands = ()
        self.wait(0.2)

    def reaching(self, seat: int, at: Place, far_mm: float = REACH_MM, half_mm: float = 40.0) -> Line:
        """Return a hand so far from a place towards the dealer, or for less than 0 towards the player."""
        x, y = inward(seat)
        return hand((at[0] + far_mm * x, at[1] + far_mm * y), half_mm)

    def change(self, change: dict[Key, Look | None]) -> None:
        """Put, replace or, for None, remove objects."""
        for key, thing in change.items():
            self.things.pop(key, None)
            if thing is not None:
                self.things[key] = thing

    # ---- Cards

    def places(self, zone: str, count: int | None = None) -> list[Place]:
        """Return where the cards of a hand lie."""
        dealer = layout().dealer
        if zone.startswith("seat."):
            x, y = layout().seat_at(int(zone.split(".")[1])).cards.centre
        else:
            x, y = (dealer.bonus or dealer.cards).centre if zone == BONUS else dealer.cards.centre
        number = count or COUNTS.get(zone, 5)
        return [(x + STEP_MM * (i - (number - 1) / 2), y) for i in range(number)]

    def deal(self, *seats: int, up: str | None = None, quiet_s: float = 3.0) -> None:
        """Deal whole hands, the dealer's last, of which one card may be turned; then let some time pass."""
        for zone in (*map(cards_of, seats), DEALER):
            self.note(f"a hand is dealt to {zone}")
            for i, place in enumerate(self.places(zone)):
                self.things[zone, i] = card(place, zone=zone)
            self.wait(0.7)
        if up is not None:
            self.turn(DEALER, up)
        self.wait(quiet_s)

    def turn(self, zone: str, *faces: str | Line | None) -> None:
        """Turn cards of a hand: face up, or for None face down again."""
        self.note(f"{zone} shows {', '.join(str(face or 'a back') for face in faces)}")
        for i, shows in enumerate(faces):
            x, y = self.things[zone, i]["at"]
            self.things[zone, i] = card((x, y), shows, zone)

    def reveal(self, faces: str = DEALER_HAND) -> None:
        """Turn the dealer's hand, by hand."""
        x, y = self.places(DEALER)[0]
        self.hands = (hand((x - 90, y)),)
        self.turn(DEALER, *faces.split())
        self.wait(0.5)
        self.hands = ()
        self.wait(1.5)

    def show(self, seat: int, faces: str) -> None:
        """Bring a seat's cards to the work area and lay them open."""
        self.clear(cards_of(seat))
        self.lay_open(seat, faces)
        x, y = layout().dealer.work.centre
        self.hands = (hand((x, y - 120)),)
        self.wait(0.5)
        self.hands = ()
        self.wait(1.5)

    def lay_open(self, seat: int, faces: str) -> None:
        """Let a hand lie open in the work area; a card that shows nothing to be read is '--'."""
        self.note(f"the work area shows {faces}")
        x, y = layout().dealer.work.centre
        for i, name in enumerate(faces.split()):
            face: str | Line = {"unreadable": 1.0} if name == "--" else name
            self.things[shown(seat), i] = card((x + 45.0 * (i - 2), y), face, WORK)

    def clear(self, *groups: str) -> None:
        """Take away all things of a hand, or of several; the hand that does it is seen for a moment."""
        self.note(f"{', '.join(groups)} cleared")
        gone = [key for key in self.things if key[0] in groups]
        places = [self.things[key]["at"] for key in gone]
        x, y = (sum(place[i] for place in places) / len(places) for i in (0, 1))
        self.hands = (hand((x, y), 130.0),)
        self.wait(0.3)
        self.change(dict.fromkeys(gone))
        self.wait(0.2)
        self.hands = ()
        self.wait(1.0)

    def fold(self, seat: int) -> None:
        """Push a hand forward."""
        self.note(f"seat {seat} pushes its cards forward")
        along, across = inward(seat)
        for key, thing in list(self.things.items()):
            if key[0] == cards_of(seat):
                x, y = thing["at"]
                self.things[key] = {**thing, "at": _rounded((x + 60 * along, y + 60 * across))}
        self.wait(3.0)
