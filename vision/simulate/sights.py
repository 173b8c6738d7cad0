"""Sights without pictures: an order enters; what a camera's detectors would say of its rounds leaves, sight by sight.

The simulator's truth goes through a model of the detectors' errors (`noise`) and of what hides what (`hiding`); nothing
is rendered. A thing that lies still keeps a few ready answers, of which each sight takes one: only what moves costs time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import cos, radians, sin
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.calibrate.layout import Layout
from vision.calibrate.placing import SIGMA_MM, SIGMA_PX, Placed
from vision.calibrate.zones import ZoneMap
from vision.chips import ChipSet
from vision.detect.detection import Detection, Found
from vision.geometry import Camera
from vision.rules.book.sheet import HouseSheet
from vision.simulate.art.felts import make_layout
from vision.simulate.film.filmset import DECKS, FilmSet
from vision.simulate.hiding import Box, Hiding, View
from vision.simulate.noise import ENOUGH, Chance, Fate, Noise
from vision.simulate.scene import Actor, Body, CardBody, HandBody, Pose, PropBody, StackBody, Story
from vision.simulate.standing import Ground, Look
from vision.simulate.studio import Order, act, check, fitting_sheet, house_sheet, ordered_look

__all__ = ["Noise", "ScriptedClip", "sights"]
