"""Which recorded round is which true one: two lists of rounds enter, pairs by overlap in time leave."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.score.records import Round, TrueRound


@dataclass(frozen=True)
class Pair:
    """A true round and what was recorded of it: None where it was missed, or where the recorded one is invented."""

    true: TrueRound | None
    read: Round | None


def pair_rounds(true: Sequence[TrueRound], read: Sequence[Round]) -> list[Pair]:
    """Pair rounds such that the time they share is the longest in all; in the order of time."""
    true = sorted(true, key=lambda each: each.started_ns)
    read = sorted(read, key=lambda each: each.started_ns)
    spans = [[(each.started_ns, each.ended_ns) for each in rounds] for rounds in (true, read)]
    found = dict(best_pairs(*spans))
    matched = set(found.values())
    pairs = [Pair(each, read[found[i]] if i in found else None) for i, each in enumerate(true)]
    pairs += [Pair(None, each) for j, each in enumerate(read) if j not in matched]
    return sorted(pairs, key=_start)


def best_pairs(first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pair the spans of two lists, each in the order of time: indices, without crossings, most overlap in all."""
    starts, ends = np.array(second, np.int64).reshape(-1, 2).T
    best = [np.zeros(len(second) + 1, np.int64)]  # of the first i spans with the first j ones, the longest overlap
    for start, end in first:
        shared = np.clip(np.minimum(ends, end) - np.maximum(starts, start), 0, None)
        row = best[-1].copy()
        row[1:] = np.maximum(row[1:], best[-1][:-1] + shared)
        best.append(np.maximum.accumulate(row))
    pairs, i, j = [], len(first), len(second)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def _start(pair: Pair) -> int:
    either = pair.true or pair.read
    return either.started_ns if either else 0
