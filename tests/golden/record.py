"""Records a golden case from a scripted round of the simulator, or from a video: README.md says what it writes.

PYTHONPATH=.:tests python tests/golden/record.py scripted CASE --house maryland --seed 700 --seats 2 4 --fault underpaid
PYTHONPATH=.:tests python tests/golden/record.py replay CASE VIDEO --table TABLE --from 10 --to 40
"""

import argparse
from collections.abc import Iterable, Iterator

from golden_cases import STORIES, Finish, Line, Recorder, Step, expanded, write_expected
from golden_checks import Said
from golden_pipeline import Run, frame_of, sheet_of

from studio.film.production import Order, house_sheet
from studio.scripted.observations import Noise, scripted_clip
from vision.capture.video import SECOND_NS, frames
from vision.observe.frame_observation import FrameObservation
from vision.pipeline import Pipeline
from vision.records.signal import Signal
from vision.rules.book.sheet import HouseSheet, read_sheet
from vision.run.frame_loop import Span
from vision.table.naming import find_table
from vision.table.table import read_table

NOISES = {"none": Noise, "floors": Noise.floors, "usual": Noise.usual}
MONEY = ("cents", "due_cents", "paid_cents", "outcome", "verdict")


def recorded(table: Line, seen: Iterable[FrameObservation], signals: Iterable[Signal] = ()) -> Recorder:
    """Write observations down, with the signals when they are due; the stream ends with the last of them."""
    recorder, waiting, last_ns = Recorder(table), sorted(signals, key=lambda signal: signal.t_ns), 0
    for sight in seen:
        while waiting and waiting[0].t_ns <= sight.t_ns:
            _put_signal(recorder, waiting.pop(0))
        recorder.frame(frame_of(sight))
        last_ns = sight.t_ns
    recorder.put(finish=last_ns)
    return recorder


def _put_signal(recorder: Recorder, signal: Signal) -> None:
    names = ("t_ns", "seat", "cents", "number", "name", "since_ns")
    fields = {name: getattr(signal, name) for name in names}
    recorder.put(signal=signal.kind, **{name: value for name, value in fields.items() if value is not None})


def said_of(recorder: Recorder) -> Said:
    """Return what the pipeline says of a recording, as it will be read again."""
    running = Run(recorder.table)
    steps: Iterator[Step] = expanded(recorder.lines)
    for step in steps:
        running.take(step)
        assert not isinstance(step, Finish) or next(steps, None) is None
    return running.said()


def checks_of(said: Said) -> Iterator[Line]:
    """Yield what is said now as checks: alerts, rounds, hands and money."""
    yield {"alerts": [{key: alert[key] for key in ("code", "seat", "wager")} for alert in said.standing]}
    yield {"rounds": [{"verdict": record["verdict"]} for record in said.rounds]}
    for number, record in enumerate(said.rounds, start=1):
        yield {"round": number, "dealer": {"cards": list(record["dealer"]["cards"])}}
        for seat in record["seats"]:
            here = {"round": number, "seat": seat["seat"]}
            yield {**here, "decision": seat["decision"], "cards": list(seat["cards"])}
            for wager, entry in seat["wagers"].items():
                yield {**here, "wager": wager, **{key: entry[key] for key in MONEY}}


def table_of(sheet: HouseSheet, layout: str, house: str | None = None) -> Line:
    """Return the first line of a recording: a shipped house with what differs from it, or a whole sheet."""
    whole = sheet.model_dump(mode="json")
    shipped = {} if house is None else house_sheet(house).model_dump(mode="json")
    changes = {key: value for key, value in whole.items() if shipped.get(key) != value}
    table = {
        **({} if house is None else {"house": house}),
        "layout": layout,
        **({"changes": changes} if changes else {}),
    }
    assert sheet_of(table) == sheet
    return table


def scripted(arguments: argparse.Namespace) -> Recorder:
    """Record a round that the simulator plays, as detectors with some errors would tell it."""
    order = Order(
        rounds=arguments.rounds,
        seed=arguments.seed,
        house=arguments.house,
        faults=tuple(arguments.fault),
        seats=tuple(arguments.seats),
        innocents=not arguments.plain,
    )
    clip = scripted_clip(order, NOISES[arguments.noise](), arguments.fps)
    return recorded(table_of(clip.sheet, clip.felt, arguments.house), clip, clip.signals if arguments.signals else ())


def replayed(arguments: argparse.Namespace) -> Recorder:
    """Record what is seen in a part of a video; its table must use a shipped layout."""
    table = read_table(find_table(arguments.table))
    pipeline, end = Pipeline.of(table), arguments.end
    span = Span(round(arguments.start * SECOND_NS), None if end is None else round(end * SECOND_NS))
    seen = (pipeline.observe(frame) for frame in span.frames(frames(arguments.video)))
    return recorded(table_of(read_sheet(table.house_path), table.layout.name), seen)


def main() -> None:
    """Record one case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(required=True)
    script = ways.add_parser("scripted", help="a round of the simulator")
    script.set_defaults(record=scripted)
    script.add_argument("case")
    script.add_argument("--house", default="maryland")
    script.add_argument("--seed", type=int, required=True)
    script.add_argument("--rounds", type=int, default=1)
    script.add_argument("--seats", type=int, nargs="*", default=[], help="seats that are taken (some at random)")
    script.add_argument("--fault", nargs="*", default=[], help="faults to play, by their names in the simulator")
    script.add_argument("--plain", action="store_true", help="no innocent confusions")
    script.add_argument("--noise", choices=NOISES, default="none")
    script.add_argument("--fps", type=float, default=10.0)
    script.add_argument("--signals", action="store_true", help="with what other systems say")
    video = ways.add_parser("replay", help="a part of a video")
    video.set_defaults(record=replayed)
    video.add_argument("case")
    video.add_argument("video")
    video.add_argument("--table", required=True)
    video.add_argument("--from", type=float, default=0.0, dest="start", help="second to begin at")
    video.add_argument("--to", type=float, dest="end", help="second to end at")
    for way in (script, video):
        way.add_argument("--about", default="to be said", help="what the case teaches, in one sentence")
    arguments = parser.parse_args()
    recorder: Recorder = arguments.record(arguments)
    recorder.write(STORIES / arguments.case)
    write_expected(STORIES / arguments.case, arguments.about, checks_of(said_of(recorder)))


if __name__ == "__main__":
    main()
