"""Stacks as people leave them: shifts of chips off the axis enter; those of a stack that may lean leave."""

from collections.abc import Sequence
from math import cos, sin, tau
from random import Random

Shift = tuple[float, float, float]  # of a chip: mm along x and y off the axis, turn in degrees
LEANING, SPLAYED = 0.17, 0.03  # shares of stacks: one in six leans, a few are pushed over like stairs
LEAN_MM, SPLAY_MM = (0.4, 1.1), (1.8, 4.0)  # a chip
MOST_MM = {"lean": 9.0, "splay": 13.0}  # from the lowest chip to the highest


def as_left(shifts: Sequence[Shift]) -> tuple[Shift, ...]:
    """Return the shifts of a stack as its owner left it; the same shifts always lean the same way."""
    habit = Random(repr(shifts))  # noqa: S311 - chance on a film set
    kind = habit.random()
    if len(shifts) < 2 or kind > LEANING + SPLAYED:
        return tuple(shifts)
    reach, most = (LEAN_MM, MOST_MM["lean"]) if kind < LEANING else (SPLAY_MM, MOST_MM["splay"])
    step = min(habit.uniform(*reach), most / (len(shifts) - 1))
    way = habit.uniform(0, tau)
    dx, dy = step * cos(way), step * sin(way)
    return tuple((x + i * dx, y + i * dy, turn) for i, (x, y, turn) in enumerate(shifts))
