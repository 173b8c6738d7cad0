"""`feltwatch settle` and `feltwatch rules`: what is due, and the books it rests on."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from vision.commands import rules_records
from vision.commands.adding import DONE, FAILED, add_command, print_lines
from vision.draw import report_terminal as show_reports
from vision.draw import terminal as show
from vision.draw import wager_terminal as show_wagers
from vision.rules.book.coverage import coverage
from vision.rules.book.game import game_ids, load_game
from vision.rules.book.sheet import read_sheet
from vision.rules.book.wagers import Family, families
from vision.rules.due.wire import Settler
from vision.rules.odds.examples import worked_examples
from vision.rules.odds.figures import read_figures, recompute
from vision.rules.odds.houseedge import DEALS, house_edges, own_paytables
from vision.values.errors import InputError


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    settle = add_command(
        commands, "settle", "what is due on rounds, wager by wager, with citations (JSON lines)", _settle
    )
    settle.add_argument("file", metavar="FILE|-", help="rounds, one JSON object per line; - reads standard input")
    rules = commands.add_parser("rules", help="games and paytables", description="Games and paytables.")
    verbs = rules.add_subparsers(required=True, metavar="list|show|coverage|check|meters|decisions")
    add_command(verbs, "list", "the games and the single wagers that ship with the program", _rules_list)
    shown = add_command(verbs, "show", "one game or family: wagers, options, irregularities", _rules_show)
    shown.add_argument(
        "game", metavar="GAME|FAMILY|SECTION|HOUSE.toml", help="a game's id, a family, a section, or a house sheet"
    )
    shown.add_argument("--paytables", action="store_true", help="every paytable as well")
    shown.add_argument("--json", action="store_true", help="the whole game file as one JSON object")
    covered = add_command(verbs, "coverage", "every section of the texts: where it lives, or why not", _rules_coverage)
    covered.add_argument("--json", action="store_true", help="one JSON object per section")
    checks = "recompute the texts' own figures over all hands, or a house's edges"
    check = add_command(verbs, "check", checks, _rules_check)
    check.add_argument(
        "house", metavar="HOUSE.toml", nargs="?", type=Path, help="a house sheet: the edge of every wager"
    )
    check.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"HOUSE: rounds sampled ({DEALS})")
    check.add_argument("--json", action="store_true", help="one JSON object per figure")
    rules_records.add(verbs)


def _settle(arguments: argparse.Namespace) -> int:
    if arguments.file == "-":
        return _answer(sys.stdin)
    try:
        with Path(arguments.file).open(encoding="utf-8", errors="replace") as lines:
            return _answer(lines)
    except BrokenPipeError:
        raise  # that is about stdout, not about the file
    except OSError as error:
        raise InputError(f"{arguments.file}: cannot be read: {error.strerror}") from error


def _answer(lines: TextIO) -> int:
    code = DONE
    for answer in Settler().answers(lines):
        print(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))
        code = FAILED if "error" in answer else code
    return code


def _rules_list(_: argparse.Namespace) -> int:
    show.games([load_game(game_id) for game_id in game_ids()])
    show_wagers.families(families())
    return DONE


def _rules_show(arguments: argparse.Namespace) -> int:
    if arguments.game.endswith(".toml"):
        show.house(read_sheet(Path(arguments.game)))
        return DONE
    family = _family(arguments.game)
    if family is not None:
        return _show_family(family, arguments)
    game = load_game(arguments.game)
    if arguments.json:
        print(json.dumps(game.file.model_dump(mode="json", by_alias=True), ensure_ascii=False, default=str))
    else:
        show.game(game, paytables=arguments.paytables)
    return DONE


def _family(name: str) -> Family | None:
    """Return the family of a name, or the one that has a section."""
    return next((family for family in families() if name == family.name or name in family.file.section), None)


def _show_family(family: Family, arguments: argparse.Namespace) -> int:
    if arguments.json:
        print(json.dumps(family.file.model_dump(mode="json", by_alias=True), ensure_ascii=False, default=str))
    else:
        section = arguments.game if arguments.game in family.file.section else None
        show_wagers.family(family, section, paytables=arguments.paytables)
    return DONE


def _rules_coverage(arguments: argparse.Namespace) -> int:
    if not arguments.json:
        show_wagers.coverage(coverage())
        return DONE
    print_lines(
        {
            "text": entry.text,
            "section": entry.section.id,
            "title": entry.section.title,
            "kind": entry.section.kind,
            "state": str(entry.state),
            "where": entry.where,
        }
        for entry in coverage()
    )
    return DONE


def _house_check(arguments: argparse.Namespace) -> int:
    sheet = read_sheet(arguments.house)
    if arguments.deals < 2:
        raise InputError(f"--deals: {arguments.deals}: want 2 or more")
    with show.progress("computing", len(sheet.house.game.stakes)) as tell:
        found = list(house_edges(sheet, tell, arguments.deals))
    own = list(own_paytables(sheet.house))
    if arguments.json:
        print_lines([*map(asdict, found), *({"in_no_text": asdict(table)} for table in own)])
    else:
        show_reports.edges(found, own)
    return DONE


def _rules_check(arguments: argparse.Namespace) -> int:
    if arguments.house is not None:
        return _house_check(arguments)
    figures, worked = read_figures(), list(worked_examples())
    with show.progress("recomputing", len(figures)) as report:
        computed = list(recompute(figures, report))
    if arguments.json:
        print_lines(
            {**result.figure.model_dump(), "computed": result.text, "agrees": result.agrees} for result in computed
        )
        print_lines({**entry.example.model_dump(), "computed": entry.found, "agrees": entry.agrees} for entry in worked)
    else:
        show.figures(computed)
        show_wagers.examples(worked)
    unexplained = [result for result in computed if not result.agrees and result.figure.remark is None]
    return FAILED if unexplained or not all(entry.agrees for entry in worked) else DONE
