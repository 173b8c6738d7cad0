"""How large things are, how fast they move, how near is near: numbers of the physical world, each with its reason."""

from typing import Final

SECOND_NS: Final = 1_000_000_000

# Things at rest
CARD_REACH_MM: Final = 16.0  # a card found this near to where one lay is that card: a quarter of its breadth
STACK_REACH_MM: Final = 15.0  # two chips stand at least a diameter apart, 39 mm; a stack is placed within 5 mm
SAME_CARD_MM, SAME_STACK_MM = 8.0, 30.0  # two of a kind nearer than this are one, found twice
SAME_FACE_MM: Final = 40.0  # the same of two cards with one face
PUSHED_MM: Final = 15.0  # what a hand squares up, or a card that falls beside it pushes, moves by less
APART_MM: Final = 27.0  # the feet of two stacks are farther apart than this: 0.7 diameters, or one stands in the other
STILL_MM: Final = 5.0  # what lies still is placed within this from one look to the next (three deviations of 1.5 mm)
SHIFT_MM: Final = 3.0  # a squared packet grows by less; a card that falls onto it lies off by more
OVER_CARD_MM: Final = 24.0  # a card so near to one hides more than half of it
OVER_CHIPS_MM: Final = 65.0  # a card so near to chips may hide them: half its length, and a chip's radius
OVER_STACK_MM: Final = 50.0  # a taller stack so near may stand before a lower one: a diameter, and a lean of 10 mm

# Things on their way
CARD_SPEED: Final = 4.0  # metres a second, mm a millisecond: a pitched card crosses the table, 1.2 m, in 0.3 s
STACK_SPEED: Final = 2.0  # chips are carried by a hand
LOST_NS: Final = 350_000_000  # a thing on its way that was not seen for so long has come to rest, or is gone

# Hands
HAND_SPEED: Final = 3.0  # a reach of 0.9 m takes 0.5 s at its quickest, and twice the mean speed in its middle
HAND_LOST_NS: Final = 450_000_000  # a hand that is not found for so long has left: it crosses the edge in less
FINGER_MM: Final = 20.0  # half the breadth of some fingers held together
PALM_MM: Final = 45.0  # half the breadth of a hand
ARM_MM: Final = 60.0  # the same of a forearm in its sleeve
ELBOW_MM: Final = 330.0  # an elbow is so far beyond the edge of the table while a hand reaches over it
EDGE_HIGH_MM, ELBOW_HIGH_MM = 50.0, 100.0  # a forearm is so high over the felt's edge and at its elbow
SHOULDERS_MM: Final = 130.0  # to either side of the middle of a person, there are the elbows
TOUCH_MM: Final = 60.0  # fingertips so near to a thing may hold it: it is placed at its middle, they at their end
NEAR_MM: Final = 150.0  # farther from the fingertips nothing is handled: the length of a hand
LEAN: Final = 0.4  # a dealer leans after the hand by so much of its way to the side
REST_MM: Final = 25.0  # a hand that stays within this rests
REST_NS: Final = 1_000_000_000
