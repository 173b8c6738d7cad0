"""Several clips at once: an order and a number enter, a folder for each clip leaves, filmed by some processes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from studio.film.production import Order, check, film
from vision.run.workers import worked

Report = Callable[[int, int], None]  # clips done, clips in all


def film_clips(order: Order, clips: int, workers: int, out: Path, report: Report) -> None:
    """Film the order with one seed after the other; clips that are there already are kept."""
    check(order)
    jobs = [replace(order, seed=order.seed + i) for i in range(clips)]
    left = [job for job in jobs if not (folder_of(out, job) / "truth.jsonl").is_file()]
    for done, _ in enumerate(worked(partial(_film, out), left, workers), start=clips - len(left) + 1):
        report(done, clips)


def folder_of(out: Path, order: Order) -> Path:
    """Return where the clip of an order goes."""
    return out / f"{order.seed:06d}"


def _film(out: Path, order: Order) -> None:
    film(order, folder_of(out, order), lambda _done, _total: None)
