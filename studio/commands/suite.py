"""`feltwatch suite`: the accuracy suites, scripted and filmed."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, FAILED, add_command, print_lines
from vision.draw import terminal as show
from vision.table.views import view_names
from vision.values.errors import InputError

if TYPE_CHECKING:
    from studio.suites.filmed import SuiteFolder
    from studio.suites.houses import Place
    from studio.suites.plan import Job, Wish
    from studio.suites.summary import Judged
    from vision.rules.book.sheet import HouseSheet

FILM, REPLAY, RATES = "film", "replay", "rates"
GAME = "four-card-poker"


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    suite = add_command(commands, "suite", "accuracy over many rounds with known truth, scripted or filmed", _suite)
    suite.add_argument("which", choices=("scripted", "filmed"), help="made-up detections, or rendered video")
    suite.add_argument("out", metavar="OUT", type=Path, help="the folder to work in; a run that was stopped goes on")
    suite.add_argument("--rounds", type=int, metavar="N", help="at least so many (scripted 3000, filmed 120)")
    suite.add_argument("--workers", type=int, default=1, metavar="N", help="processes (1); the results are the same")
    suite.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same rounds (1)")
    suite.add_argument("--only", type=_words, default=(), metavar="CODE,…", help="only these codes or faults; 'clean'")
    noises = ("none", "floors", "usual")
    suite.add_argument("--noise", choices=noises, default="usual", help="scripted: the detectors' errors")
    steps = "filmed: only this step; replay takes what is filmed, rates tells how the detectors erred in what they saw"
    suite.add_argument("--step", choices=(FILM, REPLAY, RATES), help=steps)
    suite.add_argument("--view", choices=view_names(), help="filmed: only cameras of this class (all, in turn)")
    suite.add_argument("--game", default=GAME, metavar="GAME", help=f"the houses of this game ({GAME})")
    splits = "filmed: which looks; check and trial are reserved, and opening them is written into the ledger (test)"
    suite.add_argument("--split", choices=("test", "check", "trial"), default="test", help=splits)
    suite.add_argument("--again", action="store_true", help="do again what is done: the rounds, or the replays")
    suite.add_argument("--check", action="store_true", help="end with 1 if a floor is missed")


def _suite(arguments: argparse.Namespace) -> int:
    from studio.suites.summary import summarize, write_summary
    from vision.score.report import missed_floors
    from vision.score.tables import show_report

    arguments.out = arguments.out.resolve()
    wish = _wish(arguments)
    about = {"name": arguments.which, "noise": arguments.noise if arguments.which == "scripted" else None}
    judged, crashed = (_scripted if arguments.which == "scripted" else _filmed)(arguments, wish)
    if not judged:  # only filmed
        return DONE
    document = summarize(judged, crashed, wish, about)
    path = write_summary(document, arguments.out)
    show_report(document)
    if not sys.stdout.isatty():
        print_lines([{"summary": str(path), "rounds": document["rounds"], "measures": document["measures"]}])
    return FAILED if arguments.check and (missed_floors(document) or crashed) else DONE


def _wish(arguments: argparse.Namespace) -> "Wish":
    from studio.suites import filmed, scripted

    wish = scripted.WISH if arguments.which == "scripted" else filmed.WISH
    rounds = wish.rounds if arguments.rounds is None else arguments.rounds
    if rounds < 1 or arguments.workers < 1 or arguments.seed < 0:
        raise InputError("--rounds, --workers, --seed: want 1 or more; for the seed 0 or more")
    views = (arguments.view,) if arguments.view and wish.views else wish.views
    return replace(wish, rounds=rounds, seed=arguments.seed, only=arguments.only, views=views)


def _scripted(arguments: argparse.Namespace, wish: "Wish") -> "tuple[list[Judged], dict[str, str]]":
    from studio.suites.plan import plan
    from studio.suites.scripted import Stage, judge, play
    from studio.suites.working import alone

    stage = Stage(arguments.out, arguments.noise)
    jobs = plan(wish, _houses(stage.houses, arguments.game))
    with alone(arguments.out, "play"), show.counting("playing") as report:
        if arguments.again:
            stage.lines.unlink(missing_ok=True)
        lines = play(stage, jobs, arguments.workers, report)
    crashed = {f"{line.number:04d}": line.crashed for line in lines if line.crashed}
    return [(job, judge(stage, line)) for job, line in zip(jobs, lines, strict=True)], crashed


def _filmed(arguments: argparse.Namespace, wish: "Wish") -> "tuple[list[Judged], dict[str, str]]":
    from studio.suites.filmed import SuiteFolder, film_clip, judge, rates, replay_clip
    from studio.suites.plan import plan

    suite = SuiteFolder(arguments.out, split=arguments.split, opened_by=_opened(arguments))
    jobs = plan(wish, _houses(suite.houses, arguments.game))
    if arguments.step not in (REPLAY, RATES):
        _each(FILM, film_clip, suite, [job for job in jobs if not suite.is_filmed(job)], arguments.workers)
    if arguments.step == FILM:
        return [], {}
    ready = [job for job in jobs if suite.is_filmed(job)]
    if arguments.step == RATES:
        print_lines(rates(suite, ready))
        return [], {}
    if not ready:
        raise InputError(f"{suite.out}: no clip is filmed: want `--step film` before")
    left = [job for job in ready if arguments.again or not suite.is_run(job)]
    _each(REPLAY, replay_clip, suite, left, arguments.workers)
    found = [(job, *judge(suite, job)) for job in ready]
    return [(job, score) for job, score, _ in found], {job.name: why for job, _, why in found if why}


def _houses(folder: Path, game: str) -> "dict[Place, HouseSheet]":
    from studio.suites.houses import games_with_houses, write_houses

    sheets = write_houses(folder, game)
    if not sheets:
        raise InputError(f"--game: {game!r}: no house sheet ships for it: want one of {', '.join(games_with_houses())}")
    return sheets


def _opened(arguments: argparse.Namespace) -> str | None:
    """Open the drawer of reserved looks that is asked for; return the command that did."""
    from studio.film.ledger import open_drawer
    from vision.values.clock import WallClock

    if arguments.split == "test":
        return None
    view = f" --view {arguments.view}" if arguments.view else ""
    command = f"suite filmed {arguments.out.name} --split {arguments.split}{view}"
    return open_drawer(arguments.split, command, WallClock())


def _each(
    step: str, work: "Callable[[SuiteFolder, Job], None]", suite: "SuiteFolder", jobs: "list[Job]", workers: int
) -> None:
    """Do a step for some clips, with progress."""
    from studio.suites.working import alone
    from vision.run.workers import worked

    with alone(suite.out, step), show.counting(step) as report:
        for done, _ in enumerate(worked(partial(work, suite), jobs, workers), start=1):
            report(done, len(jobs))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(",") if word)
