"""`feltwatch demo`: sample footage, watched live, with the pages: the two-minute tour."""

import argparse
from pathlib import Path
from threading import Event, Timer
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, above_nought, add_command
from vision.commands.serve import FIRST
from vision.commands.stopping import stopped_by_signals

if TYPE_CHECKING:
    from vision.demo.stage import Stage


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    demo = add_command(commands, "demo", "sample footage, watched live, with the pages: the two-minute tour", _demo)
    demo.add_argument("--seconds", type=above_nought, metavar="N", help="end after so long, instead of at Ctrl-C")
    demo.add_argument("--port", type=int, metavar="PORT", help="the port of the pages (8080, or a free one)")
    demo.add_argument("--home", type=Path, metavar="DIR", help="keep everything here, instead of removing it")
    demo.add_argument("--rounds", action="store_true", help="no footage: recorded rounds, settled and shown as tables")


def _demo(arguments: argparse.Namespace) -> int:
    if arguments.rounds:
        from vision.demo.tour import tour

        tour()
        return DONE
    with stopped_by_signals() as stop:
        _play(arguments, stop)
    return DONE


def _play(arguments: argparse.Namespace, stop: Event) -> None:
    _say("Feltwatch demo: sample footage of two tables, watched live, one after the other. Starting …")
    from vision.demo.playing import play
    from vision.demo.samples import find_samples
    from vision.demo.stage import open_home, open_stage, take_port

    samples, listening = find_samples(), take_port(arguments.port)
    with open_home(arguments.home) as home, open_stage(home, listening) as stage:
        _welcome(stage)
        timer = Timer(arguments.seconds or 0, stop.set)
        if arguments.seconds is not None:
            timer.start()
        try:
            raised = play(stage, samples, stop, _say)
        finally:
            timer.cancel()
        kept = f"all is kept in {home.folder}" if arguments.home else "nothing is kept (--home DIR keeps it)"
    _say(f"Ended: {raised} alert{'s' * (raised != 1)} raised; {kept}.")


def _welcome(stage: "Stage") -> None:
    """Say where the pages are, and how to get in: who has not logged in yet gets a one-time password."""
    people = {person.name: person for person in stage.people.all()}
    login = "as before"
    if not people or (FIRST in people and people[FIRST].must_change):
        password = stage.people.reset(FIRST) if people else stage.people.add(FIRST, "admin")
        login = f"{FIRST}, with the one-time password {password} (then choose your own)"
    _say(f"\n  open    {stage.address}\n  log in  {login}\n  end     Ctrl-C\n")


def _say(text: str) -> None:
    print(text, flush=True)
