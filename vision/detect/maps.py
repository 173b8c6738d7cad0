"""What the finder's network writes: which channel of its maps says what. Training and running share this page.

Maps have a cell for every 4 x 4 pixels. `HEAT` tells where the middles of things are, one map per kind; the rest
describes the thing whose middle is near a cell. Lengths are in units of `UNIT` pixels.

A card is half its long side and half its short side as vectors. A card turned by 180 degrees looks the same, so each
vector is written with its angle doubled: both directions give the same numbers, and nothing jumps.
"""

from typing import Final

from vision.detect.detection import KINDS

STEP: Final = 4  # pixels a cell
UNIT: Final = 8.0
HEATS: Final = len(KINDS)
OFFSET: Final = slice(5, 7)  # from the cell to the thing's middle
LONG: Final = slice(7, 9)  # of a card: half its long side, angle doubled
SHORT: Final = slice(9, 11)  # of a card: half its short side, angle doubled
BASE: Final = slice(11, 13)  # of a stack: from its middle to the middle of its underside
TOP: Final = slice(13, 15)  # of a stack: from its middle to the middle of its top face
RADIUS: Final = 15  # of a stack: logarithm of half its width
FLATNESS: Final = 16  # of a stack: how round its top looks
HALF: Final = slice(17, 19)  # of a hand or another thing: logarithm of half its width and height
SHOWN: Final = slice(19, 25)  # what shows here: the table, or one of the kinds
CHANNELS: Final = 25
