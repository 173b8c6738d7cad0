"""How pages say things: codes, wagers, amounts, times and events in words. Records enter, text leaves."""

from datetime import datetime
from typing import Final

from vision.alerts.codes import TITLES
from vision.records.alert import Alert
from vision.records.event import Event
from vision.values.codes import Code
from vision.values.money import dollars

SECOND_NS: Final = 1_000_000_000
SEVERITIES: Final = ("critical", "warning", "info")  # the gravest first
VERDICTS: Final = ("wrong", "unverifiable", "void", "right")  # the worst first
HANDS: Final = {"seat.hand": "player's hand", "dealer.hand": "dealer's hand", "table.bonus": "bonus card"}
RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
UNKNOWN: Final = "not known"
NAMES: Final = {"six_card": "6 Card Bonus", "six_card_bonus": "6 Card Bonus", "three_card": "3 Card Bonus"}
PHASES: Final = {
    "idle": "Between hands",
    "betting": "Betting",
    "dealing": "Dealing",
    "decision": "Players decide",
    "reveal": "Dealer reveals",
    "settling": "Settling",
    "clearing": "Clearing",
}
SAID: Final = {
    "right": "Correct",
    "wrong": "Error",
    "unverifiable": "Unverifiable",
    "void": "Void",
}  # the verdicts of the record


def plain(code: str) -> str:
    """Return a code as words: `dealer-card-exposed` is 'Dealer card exposed'."""
    return code.replace("-", " ").replace("_", " ").capitalize()


def title(code: str) -> str:
    """Return what an alert is called: 'Losing bet paid'."""
    return TITLES.get(Code(code), plain(code)) if code in set(Code) else plain(code)


def verdict(code: str) -> str:
    """Return a verdict of the record in words: 'Error'."""
    return SAID.get(code, plain(code))


def phase(stage: str | None) -> str:
    """Return what happens at a table: 'Players decide'."""
    return PHASES.get(stage or "", plain(stage)) if stage else "Nothing seen yet"


def wager_name(wager: str) -> str:
    """Return a wager's name as the felt has it: 'Aces Up'."""
    return NAMES.get(wager) or wager.replace("_", " ").title()


def money(cents: int | None) -> str:
    """Return an amount; one that is not known says so."""
    return UNKNOWN if cents is None else dollars(cents)


def place(record: Alert | Event) -> str:
    """Return where something was: 'Seat 2, Ante'."""
    words = [f"Seat {record.seat}"] if record.seat else []
    words += [wager_name(record.wager)] if record.wager else []
    return ", ".join(words)


def card_name(card: str) -> str:
    """Return a card for those who hear the page: 'ace of spades'."""
    if card == "??":
        return "card not seen"
    return f"{RANKS.get(card[0], card[0])} of {SUITS[card[1]]}"


def stream_time(t_ns: int) -> str:
    """Return a time of the stream: 1:02.45, with hours where there are any."""
    seconds, rest = divmod(max(t_ns, 0) // 10_000_000, 100)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}.{rest:02d}" if hours else f"{minutes}:{seconds:02d}.{rest:02d}"


def time_of_day(wall_ns: int) -> str:
    """Return the time on the wall of this machine: 14:03:22."""
    return _wall(wall_ns).strftime("%H:%M:%S")


def day_and_time(wall_ns: int) -> str:
    """Return the day too: 4 Nov 2026, 14:03:22."""
    at = _wall(wall_ns)
    return f"{at.day} {at.strftime('%b %Y, %H:%M:%S')}"


def _wall(wall_ns: int) -> datetime:
    return datetime.fromtimestamp(wall_ns / SECOND_NS).astimezone()


def when(wall_ns: int, now_ns: int) -> str:
    """Return the time of day, with the day where it is another one: 'Tue 4 Nov, 14:03:22'."""
    at = _wall(wall_ns)
    if is_same_day(wall_ns, now_ns):
        return at.strftime("%H:%M:%S")
    return f"{at.strftime('%a')} {at.day} {at.strftime('%b, %H:%M:%S')}"


def is_same_day(wall_ns: int, other_ns: int) -> bool:
    """Tell whether two times lie on one day."""
    return _wall(wall_ns).date() == _wall(other_ns).date()


def wall_ns_of(text: str) -> int:
    """Read a time of day of this machine, as a browser writes it: '2026-11-18T21:30'."""
    return int(datetime.fromisoformat(text).astimezone().timestamp()) * SECOND_NS


def span(ns: int) -> str:
    """Return how long something took, or ago it was: 8 s, 3 min, 2 h."""
    seconds = max(ns, 0) // SECOND_NS
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"


def lag(ms: float) -> str:
    """Return how far behind the watcher is: 83 ms, 2.4 s."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def event_words(event: Event) -> str:
    """Return an event in one line."""
    where, zone = place(event), event.zone or ""
    hand = where or HANDS.get(zone, zone).capitalize()
    count = "1 card" if event.cards == 1 else f"{event.cards} cards"
    paid = f" {dollars(event.cents)}" if event.cents else ""
    said = {
        "nomorebets": "No more bets",
        "bet": f"{where}: {paid.strip() or 'nothing'} wagered",
        "deal": f"{hand}: {count} dealt",
        "dealover": "The deal is over",
        "fold": f"{where}: folds",
        "turn": f"{hand}: {count} shown",
        "touch": f"{where}: cards touched by {event.by}",
        "pay": f"{where}: paid{paid}",
        "take": f"{where}: taken",
        "giveback": f"{where}: bet returned",
        "clear": f"{hand}: cleared",
        "declare": plain(event.code or ""),
    }
    return said.get(event.kind) or f"{plain(event.kind)} {where}".strip()


def spoken_round(round_id: str, table: str) -> str:
    """Return a round's name beside its table's: 'round 12', or what is not of a round."""
    number = round_id.removeprefix(f"{table}-")
    return "between rounds" if number == "idle" else f"round {number.lstrip('0') or number}"
