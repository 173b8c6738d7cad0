"""Meters of a link: increments, jackpots, several tables, spans, and where a meter parts from the counted wagers."""

import json
from pathlib import Path
from typing import Any

import pytest

from vision.records.round import Round
from vision.records.signal import Signal
from vision.rules.links.link import Link, LinkFile, make_link, read_link
from vision.rules.links.reconcile import Counted, Entry, Interval, Jackpot, Reading, reconcile
from vision.rules.links.recorded import entries_of
from vision.values.codes import Code
from vision.values.errors import InputError
from vision.values.resources import shipped

S = 10**9


def link(tolerance: int = 0, **meter: Any) -> Link:
    spec = {"seed_cents": 1_000_000, "increment_percent": 10, **meter}
    file = {"name": "test", "tables": ["a", "b"], "tolerance_cents": tolerance, "meter": {"main": spec}}
    return make_link(LinkFile.model_validate(file))


def bet(t_s: int, cents: int, table: str = "a", most: int | None = -1) -> Counted:
    return Counted(t_s * S, table, cents, cents if most == -1 else most, f"{table}-{t_s}")


def shows(t_s: int, cents: int) -> Reading:
    return Reading(t_s * S, "main", cents)


def wins(t_s: int, percent: int) -> Jackpot:
    return Jackpot(t_s * S, "a", "main", percent, f"a-{t_s}")


def between(*entries: Entry, on: Link | None = None) -> list[Interval]:
    return list(reconcile(on or link(), entries))


@pytest.mark.parametrize(
    ("entries", "off_cents"),
    [
        ((shows(0, 1_000_000), bet(1, 500), shows(2, 1_000_050)), 0),  # 10 % of $5
        ((shows(0, 1_000_000), bet(1, 500), bet(1, 100, "b"), shows(2, 1_000_060)), 0),  # two tables, one meter
        ((shows(0, 1_000_000), bet(1, 500), shows(2, 1_000_040)), -10),  # a dollar was taken that the meter never saw
        ((shows(0, 1_000_000), bet(1, 500), shows(2, 1_000_060)), 10),  # the meter saw a dollar that nobody counted
        ((shows(0, 1_000_000), shows(2, 1_000_010)), 10),  # it grew without a wager
        ((bet(1, 500), shows(2, 1_000_010)), None),  # the first reading opens the account
        ((shows(0, 2_000_000), bet(1, 500), wins(2, 100), shows(3, 1_000_000)), 0),  # the whole: starts at the seed
        ((shows(0, 2_000_000), wins(2, 100), bet(3, 500), shows(4, 1_000_050)), 0),
        ((shows(0, 2_000_000), wins(2, 100), shows(3, 2_000_000)), 1_000_000),  # a jackpot that was not taken off
        ((shows(0, 2_000_000), wins(2, 10), shows(3, 1_800_000)), 0),  # a tenth: the rest stays
        ((shows(0, 1_000_000), bet(1, 100, most=500), shows(2, 1_000_030)), 0),  # within what could be counted
        ((shows(0, 1_000_000), bet(1, 100, most=500), shows(2, 1_000_051)), 1),
        ((shows(0, 1_000_000), bet(1, 100, most=None), shows(2, 1_000_900)), 0),  # no bound is known above
        ((shows(0, 1_000_000), bet(1, 100, most=None), shows(2, 1_000_009)), -1),
    ],
)
def test_a_meter_parts_from_the_counted_wagers_or_does_not(entries: tuple[Entry, ...], off_cents: int | None) -> None:
    found = between(*entries)
    assert [interval.off_cents for interval in found] == ([] if off_cents is None else [off_cents])
    assert all((interval.code is Code.PROGRESSIVE_METER) == bool(interval.off_cents) for interval in found)


def test_one_fault_is_one_finding() -> None:
    found = between(
        shows(0, 1_000_000), bet(1, 500), shows(2, 1_000_000), bet(3, 500), shows(4, 1_000_050), shows(5, 1_000_050)
    )
    assert [interval.code for interval in found] == [Code.PROGRESSIVE_METER, None, None]


def test_a_reserve_is_added_to_the_seed_once() -> None:
    found = between(
        shows(0, 1_000_000),
        bet(1, 10_000),
        wins(2, 100),
        shows(3, 1_000_500),
        bet(4, 100),
        wins(5, 100),
        shows(6, 1_000_005),
        on=link(reserve_percent=5),
    )
    assert [interval.code for interval in found] == [None, None]


def test_parts_of_a_cent_are_within_the_tolerance() -> None:
    wagers = [bet(1, 100), bet(2, 100), bet(3, 100)]
    on = link(tolerance=0, increment_percent=4.25)  # 12.75 cents
    assert between(shows(0, 1_000_000), *wagers, shows(4, 1_000_012), on=on)[0].code is None
    assert between(shows(0, 1_000_000), *wagers, shows(4, 1_000_013), on=on)[0].code is None
    assert between(shows(0, 1_000_000), *wagers, shows(4, 1_000_014), on=on)[0].code is not None


def test_the_shipped_link_has_the_increments_and_seeds_of_its_paytable() -> None:
    shared = read_link(shipped("calibration") / "links" / "pennsylvania.toml")
    assert {name: int(terms.increment * 100) for name, terms in shared.terms.items()} == {
        "mega": 9,
        "major": 7,
        "minor": 3,
    }
    assert shared.terms["minor"].seed_cents == 25_000


def test_a_meter_of_which_nobody_says_the_increment_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "link.toml"
    path.write_text('name = "x"\ntables = ["a"]\n[meter.main]\nseed_cents = 5\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"meter.main.increment_percent: missing"):
        read_link(path)


def round_of(table: str, wager: dict[str, Any], cards: str = "", t_s: int = 10) -> Round:
    seat = {"seat": 1, "cards": cards.split(), "decision": "play", "wagers": {"progressive": wager}}
    times = {"started_ns": t_s * S, "ended_ns": (t_s + 30) * S}
    return Round.model_validate_json(
        json.dumps({"id": f"{table}-1", "table": table, "verdict": "right", "seats": [seat], **times})
    )


def test_recorded_rounds_and_signals_become_entries_on_the_clock_of_the_link() -> None:
    shared = read_link(shipped("calibration") / "links" / "pennsylvania.toml")
    won = round_of("pa-1", {"cents": 100, "outcome": "win"}, "9c 9d 9h 9s 2d")
    unread = round_of("pa-2", {"bounds": [100, 300], "outcome": "lose"})
    signals = [
        Signal(t_ns=0, kind="meter", name="minor", cents=30_000),
        Signal(t_ns=60 * S, kind="meter", name="minor", cents=25_000),
    ]
    entries = [*entries_of(shared, [won], signals), *entries_of(shared, [unread], [], shift_ns=5 * S)]
    assert Counted(10 * S, "pa-1", 100, 100, "pa-1-1") in entries
    assert Counted(15 * S, "pa-2", 100, 300, "pa-2-1") in entries
    assert Jackpot(40 * S, "pa-1", "minor", 100, "pa-1-1") in entries
    (interval,) = reconcile(shared, entries)
    assert interval.code is None


def test_a_round_of_another_table_is_refused() -> None:
    with pytest.raises(InputError, match="elsewhere"):
        list(entries_of(link(), [round_of("elsewhere", {"cents": 100})], []))
