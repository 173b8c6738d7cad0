"""What a golden case expects, held against what was said: a check and records enter, complaints leave.

Records are those of the files (events, rounds, alerts, coverage), so that a check outlives the code that wrote them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

Record = Mapping[str, Any]
MONEY: Final = ("pay",)  # kinds of events that say what was paid


@dataclass(frozen=True)
class Said:
    """All records up to a moment, and what is believed then."""

    events: Sequence[Record] = ()
    rounds: Sequence[Record] = ()
    alerts: Sequence[Record] = ()
    coverage: Sequence[Record] = ()
    view: Record = field(default_factory=dict)

    @property
    def standing(self) -> list[Record]:
        """Return the alerts that were not withdrawn, each as it was last told."""
        last = {alert["id"]: alert for alert in self.alerts}
        return [alert for alert in last.values() if alert["state"] != "withdrawn"]


def fits(want: Any, got: Any) -> bool:
    """Say whether a value is as wanted: of a record the named fields, of a number its range, of a text its start."""
    if isinstance(want, Mapping):
        if want.keys() & {"min", "max"}:
            return got is not None and want.get("min", got) <= got <= want.get("max", got)
        if "starts" in want:
            return isinstance(got, str) and got.startswith(want["starts"])
        return isinstance(got, Mapping) and all(_has(key, value, got) for key, value in want.items())
    if isinstance(want, list):
        return len(want) == len(got) and all(fits(a, b) for a, b in zip(want, got, strict=True))
    return bool(want == got)


def _has(key: str, want: Any, got: Record) -> bool:
    if key == "has":  # fields that are there and not empty
        return all(got.get(name) for name in want)
    if key == "not":
        return not any(_has(name, value, got) for name, value in want.items())
    if key == "cards" and isinstance(want, list):  # in any order
        return sorted(want) == sorted(got.get(key, ()))
    return key in got and fits(want, got[key])


def complaints(check: Record, said: Said) -> list[str]:
    """Return what is not as a check wants it."""
    for kind, ask in KINDS.items():
        if kind in check:
            return ask(check, said)
    return [f"{check}: want one of {', '.join(KINDS)}"]


def _chosen(check: Record, records: Iterable[Record], key: str) -> list[Record]:
    return [record for record in records if "of" not in check or record[key] in check["of"]]


def _standing(check: Record, said: Said) -> list[str]:
    """All alerts that stand, in any order."""
    left = _chosen(check, said.standing, "code")
    found = [(record["code"], record["seat"], record["wager"]) for record in left]
    for want in check["alerts"]:
        hit = next((record for record in left if fits(want, record)), None)
        if hit is None:
            return [f"alerts: want {want} among {found}"]
        left.remove(hit)
    return [f"alerts: want {check['alerts']}, not {found}"] if left else []


def _lacking(check: Record, said: Said) -> list[str]:
    """Codes of which no alert stands."""
    found = sorted({alert["code"] for alert in said.standing} & set(check["no_alerts"]))
    return [f"alerts: {code} stands" for code in found]


def _listed(topic: str, key: str) -> Callable[[Record, Said], list[str]]:
    """Records of a topic, all of them and in order."""

    def ask(check: Record, said: Said) -> list[str]:
        found = _chosen(check, getattr(said, topic), key)
        name = {"alerts": "told"}.get(topic, topic)
        return [] if fits(check[name], found) else [f"{name}: want {check[name]}, not {_brief(check[name], found)}"]

    return ask


def _brief(want: list[Record], found: list[Record]) -> list[Record]:
    """Return of the records only what was asked for."""
    keys = {key for entry in want for key in entry} or {"code", "kind", "state"}
    return [{key: record[key] for key in record if key in keys} for record in found]


def _view(check: Record, said: Said) -> list[str]:
    return [] if fits(check["view"], said.view) else [f"view: want {check['view']}, not {said.view}"]


def _round(check: Record, said: Said) -> list[str]:
    """One round, one seat of it, or one wager of that."""
    if len(said.rounds) < check["round"]:
        return [f"round {check['round']}: is not told"]
    record = said.rounds[check["round"] - 1]
    if check.get("is_consistent"):
        return _consistent(record)
    where = [check[key] for key in ("round", "seat", "wager") if key in check]
    found = _part(record, check)
    want = {key: value for key, value in check.items() if key not in ("at", "round", "seat", "wager")}
    if found is None:
        return [f"round, seat, wager {where}: is not told"]
    return [] if fits(want, found) else [f"round, seat, wager {where}: want {want}, not {found}"]


def _part(record: Record, check: Record) -> Record | None:
    if "seat" not in check:
        return record
    seat = next((seat for seat in record["seats"] if seat["seat"] == check["seat"]), None)
    if seat is None or "wager" not in check:
        return seat
    return seat["wagers"].get(check["wager"])  # type: ignore[no-any-return]


def _consistent(record: Record) -> list[str]:
    """Say where the events of a round and its wagers have different payments."""
    paid: dict[tuple[int, str], int] = {}
    for event in record["events"]:
        if event["kind"] in MONEY:
            paid[event["seat"], event["wager"]] = paid.get((event["seat"], event["wager"]), 0) + (event["cents"] or 0)
    wagers = {(seat["seat"], name): entry for seat in record["seats"] for name, entry in seat["wagers"].items()}
    told = {key: entry["paid_cents"] for key, entry in wagers.items()}
    return [
        f"seat, wager {key}: paid {paid.get(key, 0)} by the events, {told.get(key, 0)} by the record"
        for key in sorted(paid.keys() | told.keys())
        if paid.get(key, 0) != (told.get(key) or 0)
    ]


KINDS: Final[dict[str, Callable[[Record, Said], list[str]]]] = {
    "alerts": _standing,
    "no_alerts": _lacking,
    "told": _listed("alerts", "code"),
    "events": _listed("events", "kind"),
    "rounds": _listed("rounds", "id"),
    "coverage": _listed("coverage", "state"),
    "view": _view,
    "round": _round,
}
