"""`feltwatch train`, `export` and `evaluate`: the learning side. Only `train` and `export` need PyTorch."""

import argparse
import json
import sys
from importlib.util import find_spec
from pathlib import Path

from vision.commands.adding import DONE, FAILED, add_command, print_lines
from vision.draw import terminal as show
from vision.values.errors import InputError
from vision.values.resources import shipped

WHAT = ("finder", "squarer", "faces", "chips", "baseline")
FURTHER = "further"  # the finder, on from the model that ships
QUICK = "quick"  # copies of those that are exported already
PRIORS = "priors"  # what stacks are usually like, counted at the simulator's tables


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    train = add_command(commands, "train", "train a network; goes on where it was stopped", _train)
    train.add_argument("what", choices=(*WHAT, FURTHER), help="which network; further: the finder, on from what ships")
    train.add_argument("runs", metavar="RUNS", type=Path, help="the folder of all runs: stills, checkpoints, curves")
    train.add_argument("--art", type=Path, metavar="FOLDER", help="decks fetched by `feltwatch art`, besides our own")
    train.add_argument("--photos", type=Path, metavar="FOLDER", help="labelled photographs, for the face readers")
    export = add_command(commands, "export", "write a trained network as a model that ships", _export)
    export.add_argument("what", choices=(*WHAT, QUICK, PRIORS), help="which network; quick: the copies for watching")
    export.add_argument("runs", metavar="RUNS", type=Path, help="the folder of all runs")
    export.add_argument("--models", type=Path, metavar="FOLDER", help="where models go (models/)")
    evaluate = add_command(commands, "evaluate", "rebuild every number of the model cards (JSON lines)", _evaluate)
    evaluate.add_argument(
        "runs", metavar="RUNS", type=Path, help="where test pictures are drawn and scores are written"
    )
    evaluate.add_argument(
        "--art", type=Path, metavar="FOLDER", help="decks fetched by `feltwatch art`, besides our own"
    )
    evaluate.add_argument("--calibration", action="store_true", help="judge registration instead of the detectors")
    evaluate.add_argument(
        "--every", type=int, default=1, metavar="N", help="with --calibration: every N-th picture (1)"
    )
    evaluate.add_argument("--stacks", action="store_true", help="judge the stack reader in each view class instead")
    evaluate.add_argument("--photos", type=Path, metavar="FOLDER", help="labelled photographs")
    evaluate.add_argument("--cards", action="store_true", help="write the model cards too, beside the models")


def _need_torch() -> None:
    if find_spec("torch") is None:
        raise InputError("PyTorch: not installed here: run `make learn`, then .venv-learn/bin/feltwatch")


def _train(arguments: argparse.Namespace) -> int:
    _need_torch()
    from studio.learn import training

    runs = training.Runs(arguments.runs, arguments.art, arguments.photos)
    training.TRAIN[arguments.what](runs, lambda line: print(f"feltwatch: {line}", file=sys.stderr, flush=True))
    return DONE


def _export(arguments: argparse.Namespace) -> int:
    _need_torch()
    from studio.learn import training

    training.export(arguments.what, arguments.runs, arguments.models or shipped("models"))
    return DONE


def _evaluate_calibration(arguments: argparse.Namespace) -> int:
    from studio.learn.evaluation import evaluate_calibration

    with show.counting("registering") as report:
        scores = evaluate_calibration(arguments.runs, arguments.art, max(arguments.every, 1), report)
    print_lines([*scores["measures"], {key: value for key, value in scores.items() if key != "measures"}])
    return DONE if all(measure["met"] for measure in scores["measures"]) else FAILED


def _evaluate_stacks(arguments: argparse.Namespace) -> int:
    from studio.learn.cards import write_stack_card
    from studio.learn.chips.evaluation import evaluate_stacks
    from studio.learn.evaluation import write_scores

    with show.counting("reading stacks") as tell:
        galleries = shipped("models") if arguments.cards else arguments.runs
        scores = evaluate_stacks(arguments.runs, arguments.art, galleries, tell)
    write_scores(scores, arguments.runs / "stacks.json")
    if arguments.cards:
        write_stack_card(scores, shipped("models"))
    print_lines([{"name": name, **row} for part in scores.values() for name, row in part.items()])
    return DONE


def _evaluate(arguments: argparse.Namespace) -> int:
    from studio.learn.evaluation import evaluate

    if arguments.calibration:
        return _evaluate_calibration(arguments)
    if arguments.stacks:
        return _evaluate_stacks(arguments)

    with show.counting("judging") as report:
        galleries = shipped("models") if arguments.cards else arguments.runs
        scores = evaluate(arguments.runs, arguments.art, arguments.photos, galleries, report)
    if arguments.cards:
        from studio.learn.cards import write_cards

        write_cards(scores, shipped("models"))
    print_lines(scores["measures"])
    for source, marks in scores.get("photographs", {}).items():
        print(json.dumps({"name": f"identity, photographs of {source}", **marks}))
    return DONE if all(measure["met"] for measure in scores["measures"]) else FAILED
