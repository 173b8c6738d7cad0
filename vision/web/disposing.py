"""What a reviewer says, checked and stored: a form enters, an entry of the log leaves."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import InvalidOperation
from typing import Final, Self

from vision.bus.topics import Topic
from vision.records.disposition import Disposition
from vision.web import cursor
from vision.web.amounts import cents_of
from vision.web.pages import Room
from vision.web.review import Reviewed

LONGEST_NOTE: Final = 2000
LONGEST_WORD: Final = 80
MOST_CENTS: Final = 10**11
FIELDS: Final = ("dealer", "notified", "incident")


@dataclass(frozen=True, slots=True)
class Said:
    """A form as it was filled in."""

    finding: str = ""
    alert: str = ""  # of which it speaks; none: the whole round
    note: str = ""
    dealer: str = ""
    saved: str = ""  # dollars
    lost: str = ""
    notified: str = ""
    incident: str = ""
    told: str = ""  # up to where the page knew the log

    @classmethod
    def of(cls, form: Mapping[str, str]) -> Self:
        """Read a form."""
        return cls(**{name: form.get(name, "").strip() for name in cls.__slots__})

    def is_overtaken(self, found: Reviewed) -> bool:
        """Tell whether somebody has said something of the round since the page was made."""
        known = cursor.parse(self.told).get(found.table)
        return known is not None and any(said.seq > known for said in found.said)


def check(found: Reviewed, said: Said) -> str:
    """Return what is wrong with a form; empty if it can be stored."""
    if said.is_overtaken(found):
        last = found.said[0].body
        return f"{last.by} has reviewed this hand while you did. Read it below; save again to add yours."
    if said.finding not in {choice.value for choice in found.choices}:
        return "Choose a disposition."
    if said.alert and said.alert not in {alert.id for alert in found.alerts}:
        return "This alert is not one of this hand."
    if len(said.note) > LONGEST_NOTE:
        return f"A note has {LONGEST_NOTE} characters at most."
    if any(len(getattr(said, name)) > LONGEST_WORD for name in FIELDS):
        return f"Dealer, notified and incident have {LONGEST_WORD} characters at most."
    return next((why for amount in (said.saved, said.lost) if (why := _lacks_amount(amount))), "")


def store(room: Room, found: Reviewed, said: Said, name: str) -> None:
    """Store what was said; it is never edited, only followed by another."""
    now = room.clock.now_ns()
    body = Disposition.of(
        {
            "round": found.id,
            "alert": said.alert or None,
            "finding": said.finding,
            "note": said.note,
            **{field: getattr(said, field) or None for field in FIELDS},
            "saved_cents": cents_of(said.saved),
            "lost_cents": cents_of(said.lost),
            "by": name,
            "wall_ns": now,
        }
    )
    room.store.append(found.table, Topic.DISPOSITION, found.t_ns, body.plain(), now)


def _lacks_amount(text: str) -> str:
    try:
        cents = cents_of(text)
    except (InvalidOperation, OverflowError, ValueError):
        return f"{text!r} is no amount: want dollars, such as 12.50."
    return "" if cents is None or 0 <= cents <= MOST_CENTS else f"{text!r} is no amount that can be: want 0 or more."
