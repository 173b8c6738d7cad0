"""`feltwatch rules meters` and `rules decisions`: recorded rounds held against meters and against the odds."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError

from vision.commands.adding import DONE, add_command, print_lines
from vision.draw import report_terminal as show
from vision.records.round import Round
from vision.records.signal import Signal
from vision.rules.book.sheet import read_sheet
from vision.rules.links.link import read_link
from vision.rules.links.reconcile import Entry, reconcile
from vision.rules.links.recorded import entries_of
from vision.rules.odds.advantage import SeatReport, judge, report
from vision.values.errors import InputError, complaint

ROUNDS, SIGNALS = "rounds.jsonl", "signals.jsonl"
SAMPLES = 400
NS = 10**9


def add(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    meters = add_command(verbs, "meters", "a link's counted wagers against what its meters showed", _meters)
    meters.add_argument(
        "link", metavar="LINK.toml", type=Path, help="the tables of the link and the terms of its meters"
    )
    runs = "a folder with rounds.jsonl and signals.jsonl; @SECONDS: when its recording began on the link's clock"
    meters.add_argument("runs", metavar="RUN[@SECONDS]", nargs="+", help=runs)
    meters.add_argument("--json", action="store_true", help="one JSON object per meter and interval")
    judged = add_command(
        verbs, "decisions", "each seat's decisions against what it could know: figures only", _decisions
    )
    judged.add_argument("house", metavar="HOUSE.toml", type=Path, help="the house sheet of the table")
    judged.add_argument("runs", metavar="RUN", nargs="+", help="a folder with rounds.jsonl; each is a session")
    judged.add_argument("--open-hands", action="store_true", help="the players' cards lay face up for all to see")
    seen = "which of the dealer's cards could be seen, counted from 1 in the order of the deal"
    judged.add_argument("--dealer-seen", type=int, action="append", default=[], metavar="N", help=seen)
    judged.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help=f"deals per decision ({SAMPLES})")
    judged.add_argument("--json", action="store_true", help="one JSON object per decision, then one per seat")


def _meters(arguments: argparse.Namespace) -> int:
    link = read_link(arguments.link)
    entries: list[Entry] = []
    for run in arguments.runs:
        folder, _, seconds = run.partition("@")
        rounds, signals = list(read_rounds(Path(folder))), list(_signals(Path(folder)))
        entries += entries_of(link, rounds, signals, _shift_ns(run, seconds))
    found = list(reconcile(link, entries))
    if arguments.json:
        print_lines({**asdict(entry), "off_cents": entry.off_cents} for entry in found)
    else:
        show.meters(found)
    return DONE


def _shift_ns(run: str, seconds: str) -> int:
    try:
        return round(float(seconds or 0) * NS)
    except ValueError as error:
        raise InputError(f"RUN: {run!r}: want a number of seconds behind the @") from error


def _decisions(arguments: argparse.Namespace) -> int:
    if arguments.samples < 2 or any(place < 1 for place in arguments.dealer_seen):
        raise InputError("--samples, --dealer-seen: want 2 or more samples, and places from 1")
    house = read_sheet(arguments.house).house
    seen = [place - 1 for place in arguments.dealer_seen]
    reports: list[SeatReport] = []
    for run in arguments.runs:
        rounds = list(read_rounds(Path(run)))
        judged = list(judge(house, rounds, arguments.samples, open_hands=arguments.open_hands, dealer_seen=seen))
        reports += report(rounds[0].table if rounds else run, judged)
        if arguments.json:
            print_lines(
                {**asdict(one), "tells": one.tells, "exposed": [str(card) for card in one.exposed]} for one in judged
            )
    if arguments.json:
        print_lines(asdict(seat) for seat in reports)
    else:
        show.decisions(reports)
    return DONE


def read_rounds(run: Path) -> Iterator[Round]:
    """Yield the rounds of a run, from its folder or its file."""
    path = run / ROUNDS if run.is_dir() else run
    for number, line in _lines(path):
        try:
            yield Round.model_validate_json(line)
        except ValidationError as error:
            raise InputError(f"{path}: line {number}: {complaint(error)}") from error


def _signals(run: Path) -> Iterator[Signal]:
    path = run / SIGNALS
    for number, line in _lines(path) if path.exists() else ():
        try:
            yield Signal.model_validate_json(line)
        except ValidationError as error:
            raise InputError(f"{path}: line {number}: {complaint(error)}") from error


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
