"""Small rounds to score: what really happened, and what a run made of it."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from vision.records.alert import Alert
from vision.records.coverage import Coverage
from vision.score.clip import ClipScore, judge_clip
from vision.score.records import ClipLine, Mishap, Round, Run, TrueRound, Truth, standing

NS = 1_000_000_000
Record = dict[str, Any]


def wager(cents: int, paid: int = 0, outcome: str = "lose", verdict: str = "right") -> Record:
    return {"cents": cents, "due_cents": paid, "paid_cents": paid, "outcome": outcome, "verdict": verdict, "why": None}


def true_round(number: int = 1, start_s: int = 0, **changes: object) -> Record:
    """A minute in which seat 2 wins and seat 5, who never shows a card, folds."""
    seats = [
        {
            "seat": 2,
            "cards": ["3h", "3s", "9s", "3c", "Ac"],
            "shown": True,
            "decision": "play",
            "wagers": {"ante": wager(500, 500, "win"), "play": wager(1500, 1500, "win"), "aces_up": wager(250)},
        },
        {
            "seat": 5,
            "cards": ["Qs", "7h", "5d", "5s", "9c"],
            "shown": False,
            "decision": "fold",
            "wagers": {"ante": wager(1250, outcome="forfeit")},
        },
    ]
    events = [
        {"kind": "bet", "seat": 2, "wager": "ante", "cents": 500, "t_ns": (start_s + 2) * NS},
        {"kind": "bets-closed", "t_ns": (start_s + 5) * NS},
        {"kind": "dealt", "zone": "dealer.hand", "up": 1, "cards": ["5c", "Ts"], "t_ns": (start_s + 9) * NS},
        {"kind": "paid", "seat": 2, "wager": "ante", "cents": 500, "t_ns": (start_s + 40) * NS},
    ]
    record = {
        "kind": "round",
        "id": f"t-{number}",
        "table": "t",
        "started_ns": start_s * NS,
        "ended_ns": (start_s + 60) * NS,
        "verdict": "right",
        "dealer": {"cards": ["5c", "Ts", "Kd", "8c", "8h", "3d"], "up_card": "3d", "shown": True},
        "bonus_card": None,
        "seats": seats,
        "events": events,
        "faults": [],
        "rulings": [],
    }
    return record | changes


def as_read(true: Record, number: int | None = None, **changes: object) -> Record:
    """What a run that sees all would write of a round; the cards of hands that were not shown stay face down."""
    seats = deepcopy(true["seats"])
    for seat in seats:
        if not seat.pop("shown"):
            seat["cards"] = ["??"] * len(seat["cards"])
    dealer = {key: value for key, value in true["dealer"].items() if key != "shown"}
    keep = ("table", "started_ns", "ended_ns", "verdict", "bonus_card")
    record = {key: true[key] for key in keep} | {"dealer": dealer, "seats": seats}
    return {"id": true["id"] if number is None else f"r-{number}", "events": [], "alerts": [], **record, **changes}


def fault(code: str, t_s: float, seat: int | None = None, wager: str | None = None) -> Record:
    return {"code": code, "t_ns": round(t_s * NS), "seat": seat, "wager": wager}


def alert(code: str, t_s: float, seat: int | None = None, wager: str | None = None, **more: object) -> Record:
    name = f"{code}-{seat}-{wager}"
    return {"id": name, "round": "t-1", "code": code, "t_ns": round(t_s * NS), "seat": seat, "wager": wager} | more


def score(
    true: list[Record],
    read: list[Record],
    alerts: list[Record] | None = None,
    coverage: list[Record] | None = None,
    mishaps: list[Record] | None = None,
    path: Path = Path("nowhere/truth.jsonl"),
) -> ClipScore:
    """Judge records as if they had been read from files."""
    truth = Truth(
        path,
        tuple(TrueRound.model_validate_json(json.dumps(each)) for each in true),
        tuple(Mishap.model_validate_json(json.dumps(each)) for each in mishaps or []),
        ClipLine(fps=10.0),
    )
    run = Run(
        Path("run"),
        tuple(Round.model_validate_json(json.dumps(each)) for each in read),
        tuple(standing([Alert.parse(json.dumps(each)) for each in alerts or []])),
        tuple(Coverage.parse(json.dumps(each)) for each in coverage or []),
    )
    return judge_clip("clip", run, truth)


def write(path: Path, records: list[Record]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def write_run(folder: Path, rounds: list[Record], alerts: list[Record] | None = None) -> Path:
    """Write the four files of a run that watched all the time."""
    end_ns = max((each["ended_ns"] for each in rounds), default=0)
    write(folder / "rounds.jsonl", rounds)
    write(folder / "alerts.jsonl", alerts or [])
    write(folder / "events.jsonl", [])
    write(folder / "coverage.jsonl", [{"start_ns": 0, "end_ns": end_ns, "state": "watched", "why": None}])
    return folder
