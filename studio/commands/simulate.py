"""`feltwatch simulate` and `feltwatch art`: footage with truth, and decks to film."""

import argparse
import json
import sys
from pathlib import Path

from vision.commands.adding import DONE, add_command
from vision.draw import terminal as show
from vision.table.mounting import SIZES
from vision.table.views import view_names
from vision.values.errors import InputError

CODECS = ("h264", "h265")
PRESETS = ("ultrafast", "superfast", "veryfast", "fast", "medium")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    art = add_command(commands, "art", "fetch card decks from package registries, for training", _art)
    art.add_argument("folder", metavar="FOLDER", type=Path, help="where the decks go; those already there are kept")
    simulate = add_command(commands, "simulate", "footage with truth: rounds, faults, looks", _simulate)
    simulate.add_argument("out", metavar="OUT", type=Path, help="the folder to write")
    simulate.add_argument("--rounds", type=int, default=1, metavar="N", help="how many rounds (1)")
    simulate.add_argument(
        "--clips", type=int, default=1, metavar="N", help="so many clips, of one seed after the other (1)"
    )
    simulate.add_argument("--workers", type=int, default=1, metavar="N", help="clips filmed at once (1)")
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
    _add_camera(simulate)
    simulate.add_argument("--fps", type=int, default=15, metavar="N")
    simulate.add_argument("--seats", type=_numbers, default=(), metavar="1,4,5", help="who plays (some at random)")
    simulate.add_argument(
        "--truth-every", type=int, default=1, metavar="N", help="frames between records of all things"
    )
    simulate.add_argument("--kbit", type=int, default=None, metavar="N", help="bit rate of the video, kbit per second")
    simulate.add_argument("--codec", choices=CODECS, help="of the video (reference and good views: either, by chance)")
    simulate.add_argument("--preset", choices=PRESETS, default="veryfast", help="the encoder's: quicker, or smaller")


def _add_camera(simulate: argparse.ArgumentParser) -> None:
    """Add the ways to say which camera films: a view class, a camera of one's own, or any of a size."""
    camera = simulate.add_mutually_exclusive_group()
    camera.add_argument("--view", choices=(*view_names(), "mixed"), help="a camera of this view class")
    camera.add_argument("--camera", type=Path, metavar="FILE", help="this camera: its file, or its table's folder")
    camera.add_argument("--resolution", choices=tuple(SIZES), default="1080p", help="any camera of this size (1080p)")


def _art(arguments: argparse.Namespace) -> int:
    from studio.art.fetch import fetch_decks  # as below

    for deck in fetch_decks(arguments.folder, lambda what: print(f"feltwatch: {what}", file=sys.stderr)):
        print(json.dumps({"deck": deck}))
    return DONE


def _simulate(arguments: argparse.Namespace) -> int:
    from studio.film import gallery
    from studio.film import production as studio
    from studio.film.batch import film_clips

    if arguments.clips < 1 or arguments.workers < 1:
        raise InputError("--clips, --workers: want 1 or more")
    order = studio.Order(
        rounds=arguments.rounds,
        seed=arguments.seed,
        house=studio.house_of(arguments.game) if arguments.game else arguments.house,
        faults=tuple(arguments.fault),
        fault_rate=arguments.fault_rate,
        look=tuple(_pair(text) for text in arguments.look),
        split=arguments.split,
        size=arguments.resolution,
        view=arguments.view,
        camera=arguments.camera,
        fps=arguments.fps,
        kbit_per_second=arguments.kbit,
        codec=arguments.codec,
        preset=arguments.preset,
        art=arguments.art,
        seats=arguments.seats,
        mishaps=tuple(arguments.mishap),
        truth_every=arguments.truth_every,
    )
    with show.counting("drawing" if arguments.stills else "filming") as report:
        if arguments.stills:
            gallery.draw_stills(order, arguments.stills, arguments.out, report)
        elif arguments.clips > 1:
            film_clips(order, arguments.clips, arguments.workers, arguments.out, report)
        else:
            studio.film(order, arguments.out, report)
    return DONE


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(","))


def _pair(text: str) -> tuple[str, str]:
    kind, _, name = text.partition("=")
    return kind, name
