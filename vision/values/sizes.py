"""Sizes of what lies on a table, in millimetres, where no table file says otherwise."""

from typing import Final

CARD_WIDTH_MM, CARD_HEIGHT_MM = 63.5, 88.9  # poker size: 2.5 by 3.5 inches by definition
CARD_MM: Final = (CARD_WIDTH_MM, CARD_HEIGHT_MM)
CARD_THICKNESS_MM: Final = 0.3  # of casino paper stock (assumed)
CHIP_DIAMETER_MM, CHIP_THICKNESS_MM = 39.0, 3.3  # the usual casino chip (assumed); a house's own are in its ChipSet
