"""How pages say things: codes, wagers, amounts, times and events in words. Records enter, text leaves."""

from datetime import datetime
from typing import Final

from vision.records.alert import Alert
from vision.records.event import Event
from vision.records.round import Wager
from vision.values.money import dollars

SECOND_NS: Final = 1_000_000_000
SEVERITIES: Final = ("critical", "warning", "info")  # the gravest first
VERDICTS: Final = ("wrong", "unverifiable", "void", "right")  # the worst first
FINDINGS: Final = {
    "confirmed": "Confirmed error",
    "corrected": "Corrected at the table",
    "no-error": "No error",
    "training": "Training",
    "inconclusive": "Inconclusive",
}  # what a reviewer can say of a round
HANDS: Final = {"seat.hand": "player's hand", "dealer.hand": "dealer's hand", "table.bonus": "bonus card"}
RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
UNKNOWN: Final = "not known"


def plain(code: str) -> str:
    """Return a code as words: `dealer-card-exposed` is 'Dealer card exposed'."""
    return code.replace("-", " ").replace("_", " ").capitalize()


def wager_name(wager: str) -> str:
    """Return a wager's name as the felt has it: 'Aces Up'."""
    return wager.replace("_", " ").title()


def money(cents: int | None) -> str:
    """Return an amount; one that is not known says so."""
    return UNKNOWN if cents is None else dollars(cents)


def stake(wager: Wager) -> str:
    """Return a stake; where it was not seen whole, what is certain of it."""
    if not wager.bounds:
        return money(wager.cents)
    low, high = wager.bounds
    return f"at least {dollars(low)}" if high is None or high > 4 * low else f"{dollars(low)} to {dollars(high)}"


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


def span(ns: int) -> str:
    """Return how long something took, or ago it was: 8 s, 3 min, 2 h."""
    seconds = max(ns, 0) // SECOND_NS
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"


def lag(ms: float) -> str:
    """Return how far behind the watcher is: 83 ms, 2.4 s."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def percent(share: float) -> str:
    """Return a confidence; never all of it."""
    return f"{min(int(100 * share), 99)} %"


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
