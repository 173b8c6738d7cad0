"""Many tasks, some at a time: tasks enter, results leave in their order, whatever the number of processes."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def worked(work: Callable[[Task], Result], tasks: Sequence[Task], workers: int) -> Iterator[Result]:
    """Yield the result of each task; with one worker, without another process."""
    if workers <= 1 or len(tasks) <= 1:
        yield from map(work, tasks)
        return
    pool = ProcessPoolExecutor(min(workers, len(tasks)), get_context("spawn"))
    try:
        yield from pool.map(work, tasks)
    finally:
        pool.shutdown(cancel_futures=True)
