"""The command `feltwatch`: data to stdout, everything else to stderr; exit 0 done, 1 the work failed, 2 wrong use."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

from vision import bench, demo, show
from vision.errors import InputError, VisionError
from vision.rules.book.game import game_ids, load_game
from vision.rules.book.sheet import read_sheet
from vision.rules.due.wire import Settler
from vision.rules.odds.figures import read_figures, recompute

DONE, FAILED = 0, 1


def run() -> None:
    """Run the command with the words of the command line."""
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except VisionError as error:
        print(f"feltwatch: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("feltwatch: stopped", file=sys.stderr)
        return FAILED
    except BrokenPipeError:  # the reader has seen enough: `feltwatch settle … | head`
        sys.stderr.close()
        return DONE
    except OSError as error:  # no space, no permission: what we write, since what we read is named above
        print(f"feltwatch: {error.filename or 'writing'}: {error.strerror or error}", file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="feltwatch", description="Watches casino tables by camera and by the rules.")
    parser.add_argument("--version", action="version", version=f"feltwatch {version('feltwatch')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add(commands, "demo", "settle a few recorded rounds and show them as tables", _demo)
    settle = _add(commands, "settle", "what is due on rounds, wager by wager, with citations (JSON lines)", _settle)
    settle.add_argument("file", metavar="FILE|-", help="rounds, one JSON object per line; - reads standard input")
    _add_rules(commands)
    _add_simulate(commands)
    benchmark = _add(commands, "bench", "speed, side by side with what one would use instead", _bench)
    benchmark.add_argument("what", choices=sorted(bench.BENCHES), help="which part to measure")
    return parser


def _add_rules(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    rules = commands.add_parser("rules", help="games and paytables", description="Games and paytables.")
    verbs = rules.add_subparsers(required=True, metavar="list|show|check")
    _add(verbs, "list", "the games that ship with the program", _rules_list)
    shown = _add(verbs, "show", "one game: wagers, options, irregularities", _rules_show)
    shown.add_argument("game", metavar="GAME|HOUSE.toml", help="a game's id, or a house sheet")
    shown.add_argument("--paytables", action="store_true", help="every paytable as well")
    shown.add_argument("--json", action="store_true", help="the whole game file as one JSON object")
    check = _add(verbs, "check", "recompute the texts' own figures over all hands", _rules_check)
    check.add_argument("--json", action="store_true", help="one JSON object per figure")


def _add_simulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    art = _add(commands, "art", "fetch card decks from package registries, for training", _art)
    art.add_argument("folder", metavar="FOLDER", type=Path, help="where the decks go; those already there are kept")
    simulate = _add(commands, "simulate", "footage with truth: rounds, faults, looks", _simulate)
    simulate.add_argument("out", metavar="OUT", type=Path, help="the folder to write")
    simulate.add_argument("--rounds", type=int, default=1, metavar="N", help="how many rounds (1)")
    simulate.add_argument("--stills", type=int, default=0, metavar="N", help="single labelled pictures, no footage")
    simulate.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same truth (1)")
    simulate.add_argument("--house", default="maryland", metavar="SHEET", help="a house sheet, or a shipped one's name")
    simulate.add_argument("--game", metavar="GAME", help="a game's id: the shipped sheet of that game")
    simulate.add_argument("--fault", action="append", default=[], metavar="CODE", help="a fault per round, in turn")
    simulate.add_argument("--fault-rate", type=float, default=0.0, metavar="P", help="share of rounds with some fault")
    simulate.add_argument("--mishap", action="append", default=[], metavar="KIND", help="bump-small, blocked, frozen …")
    simulate.add_argument("--look", action="append", default=[], metavar="KIND=NAME", help="fix felt, face, chips …")
    simulate.add_argument(
        "--art", type=Path, metavar="FOLDER", help="decks fetched by `feltwatch art`, besides our own"
    )
    simulate.add_argument(
        "--split", choices=("train", "test", "any"), default="train", help="which looks to choose from"
    )
    simulate.add_argument("--resolution", choices=("720p", "1080p", "1440p", "4k"), default="1080p")
    simulate.add_argument("--fps", type=int, default=15, metavar="N")
    simulate.add_argument("--seats", type=_numbers, default=(), metavar="1,4,5", help="who plays (some at random)")
    simulate.add_argument(
        "--truth-every", type=int, default=1, metavar="N", help="frames between records of all things"
    )
    simulate.add_argument("--kbit", type=int, default=None, metavar="N", help="bit rate of the video, kbit per second")


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    about: str,
    command: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
    parser.set_defaults(command=command)
    return parser


def _demo(_: argparse.Namespace) -> int:
    return demo.tour()


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
    return DONE


def _rules_show(arguments: argparse.Namespace) -> int:
    if arguments.game.endswith(".toml"):
        show.house(read_sheet(Path(arguments.game)))
        return DONE
    game = load_game(arguments.game)
    if arguments.json:
        print(json.dumps(game.file.model_dump(mode="json", by_alias=True), ensure_ascii=False, default=str))
    else:
        show.game(game, paytables=arguments.paytables)
    return DONE


def _rules_check(arguments: argparse.Namespace) -> int:
    figures = read_figures()
    with show.progress("recomputing", len(figures)) as tell:
        computed = list(recompute(figures, tell))
    if arguments.json:
        _print_lines(
            {**result.figure.model_dump(), "computed": result.text, "agrees": result.agrees} for result in computed
        )
    else:
        show.figures(computed)
    unexplained = [result for result in computed if not result.agrees and result.figure.remark is None]
    return FAILED if unexplained else DONE


def _print_lines(objects: Iterable[object]) -> None:
    for entry in objects:
        print(json.dumps(entry, ensure_ascii=False))


def _art(arguments: argparse.Namespace) -> int:
    from vision.simulate.art.fetch import fetch_decks  # as below

    for deck in fetch_decks(arguments.folder, lambda what: print(f"feltwatch: {what}", file=sys.stderr)):
        print(json.dumps({"deck": deck}))
    return DONE


def _simulate(arguments: argparse.Namespace) -> int:
    from vision.simulate import gallery, studio  # pictures are slow to load, and other commands need none

    order = studio.Order(
        rounds=arguments.rounds,
        seed=arguments.seed,
        house=studio.house_of(arguments.game) if arguments.game else arguments.house,
        faults=tuple(arguments.fault),
        fault_rate=arguments.fault_rate,
        look=tuple(_pair(text) for text in arguments.look),
        split=arguments.split,
        size=arguments.resolution,
        fps=arguments.fps,
        kbit_per_second=arguments.kbit,
        art=arguments.art,
        seats=arguments.seats,
        mishaps=tuple(arguments.mishap),
        truth_every=arguments.truth_every,
    )
    with show.counting("drawing" if arguments.stills else "filming") as tell:
        if arguments.stills:
            gallery.draw_stills(order, arguments.stills, arguments.out, tell)
        else:
            studio.film(order, arguments.out, tell)
    return DONE


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(","))


def _pair(text: str) -> tuple[str, str]:
    kind, _, name = text.partition("=")
    return kind, name


def _bench(arguments: argparse.Namespace) -> int:
    _print_lines(bench.BENCHES[arguments.what]())
    return DONE
