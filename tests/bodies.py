"""Bodies of envelopes for tests of the store, the bus and the pages: small, and true to `docs/schemas`."""

from typing import Any

Body = dict[str, Any]


def event(number: int = 1, table: str = "t", **more: object) -> Body:
    """No more bets in the round of this number."""
    fields = {"kind": "nomorebets", "round": f"{table}-{number:04d}", "table": table, "t_ns": 5, "confidence": 1.0}
    return fields | more


def played(number: int = 1, table: str = "t", verdict: str = "right", **more: object) -> Body:
    """A round in which nobody sat."""
    fields = {
        "id": f"{table}-{number:04d}",
        "table": table,
        "game": "four-card-poker/md",
        "house": "maryland",
        "started_ns": 10 * number,
        "ended_ns": 10 * number + 9,
        "verdict": verdict,
        "dealer": {"cards": ["As", "??"], "up_card": None},
        "bonus_card": None,
        "seats": [],
        "events": [],
        "alerts": [],
    }
    return fields | more


def alert(number: int | None = 1, table: str = "t", code: str = "underpaid", **more: object) -> Body:
    """An alert of a round; without a number, one that belongs to none."""
    round_id = f"{table}-idle" if number is None else f"{table}-{number:04d}"
    fields = {
        "id": f"{round_id}-{code}-table-all",
        "round": round_id,
        "table": table,
        "code": code,
        "severity": "critical",
        "state": "raised",
        "t_ns": 7,
        "seat": None,
        "wager": None,
        "expected": None,
        "observed": "paid $5, due $6",
        "confidence": 0.9,
        "remedy": None,
        "cite": "MD ch.12 §A",
        "evidence": {"start_ns": 5, "end_ns": 7, "frames": [1]},
    }
    return fields | more


def session(name: str = "s1", state: str = "began") -> Body:
    """A watcher begins or ends."""
    return {"id": name, "state": state, "source": "a.mp4", "build": "0.1.0", "wall_ns": 1, "why": None}


def covered(start_ns: int, end_ns: int, table: str = "t") -> Body:
    """A span that was watched."""
    return {"table": table, "start_ns": start_ns, "end_ns": end_ns, "state": "watched", "why": None}


def clip(of: Body, name: str = "s1") -> Body:
    """The clip of an alert."""
    files = {"film": f"{of['id']}.mp4", "still": f"{of['id']}.jpg"}
    times = {"start_ns": 1, "end_ns": 9, "t_ns": 7, "offset_ns": 6}
    return {"alert": of["id"], "round": of["round"], "session": name, **files, **times}


def disposition(round_id: str, finding: str = "confirmed") -> Body:
    """What a reviewer says."""
    return {"round": round_id, "finding": finding, "note": "seen", "by": "ada", "wall_ns": 3}


def pulse() -> Body:
    """A watcher that is well."""
    return {"session": "s1", "state": "watching", "fps": 25.0, "dropped": 0, "lag_ms": 40.0, "wall_ns": 2}


def picture() -> Body:
    """What is believed while nothing is played."""
    return {"wall_ns": 2, "width": 1280, "height": 720, "view": {"phase": "idle", "seats": {}}}
