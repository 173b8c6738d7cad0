"""How often the simulated detectors err: rates by name, and where each comes from."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Noise:
    """The detectors' errors, as chances per thing and observation where nothing else is said. `Noise()` has none."""

    missed: float = 0.0  # cards, stacks and other things that show well enough
    missed_hands: float = 0.0
    missed_s: float = 0.4  # how long a thing is lost, on average
    partly: float = 0.0  # 1: what shows in part is found more often the more it shows; 0: always
    backs: float = 0.0  # of the clips, those whose backs are found as seldom as on film; in the others always
    blurred: float = 0.0  # of what moves, lost per metre a second
    late: float = 0.0  # of what comes into view, told an observation or two later
    doubled: float = 0.0  # told twice, a few millimetres apart
    jitter_mm: float = 0.0  # deviation of x and of y
    flipped: float = 0.0  # cards whose face is taken for a back, or the other way round
    misread: float = 0.0  # faces, of those that are named
    unreadable: float = 0.0  # faces that show, but are not named
    misread_backs: float = 0.0  # backs taken for those of another deck of the table
    unknown_backs: float = 0.0  # backs taken for none of the table's decks
    miscounted: float = 0.0  # stacks of two and more chips
    misvalued: float = 0.0  # stacks of two and more chips that are counted right, with one chip taken for another
    unvalued: float = 0.0  # stacks whose chips are counted, but not named
    doubt: float = 0.0  # the most that a right reading leaves to other answers
    overlaps: bool = False  # right and wrong readings are nearly as sure, as on film
    false: float = 0.0  # things that are not there, on average in an observation
    false_s: float = 0.5  # how long such a thing is seen, on average
    false_on_places: float = 0.1  # of these, on printed places; the others on bare felt
    deck_as_card: float = 0.0  # decks and piles of cards whose top is told as a card

    @classmethod
    def usual(cls) -> "Noise":
        """Return the rates of the detectors as they are; what is not measured is as in `floors`."""
        return replace(
            cls.floors(),
            missed=0.016,  # looks at whole cards
            missed_hands=0.083,  # models/finder.md: hands 91.7 %
            backs=1.0,
            flipped=0.005,
            misread=0.026,  # whole cards; of those half covered 0.11
            unreadable=0.009,  # the same; of those half covered 0.074
            miscounted=0.36,  # two to six chips, slanted views (steep ones 0.76)
            misvalued=0.38,  # the same: the value is wrong of 61 % (steep views 82 %)
            unvalued=0.0,
            overlaps=True,
        )

    @classmethod
    def floors(cls) -> "Noise":
        """Return the rates of detectors that just meet what was asked of them."""
        return cls(
            missed=0.03,  # card finder: 97 % recall
            missed_hands=0.07,  # 93 %
            partly=1.0,
            blurred=0.35,  # assumed: a shutter of 1/60 s smears a pitched card by a third of its width
            late=0.15,  # assumed
            doubled=0.01,  # with `false`: 97 % precision of the card finder
            jitter_mm=1.5,  # calibration 1 mm, and one pixel of a 1080p camera (measured: median 0.7 to 1.1 mm)
            flipped=0.006,  # face up or down: 99.4 %
            misread=0.025,  # card reader: 97.5 %
            unreadable=0.03,  # assumed: glare
            misread_backs=0.002,  # measured on stills of whole cards, decks of two colours: 1 of 1533
            unknown_backs=0.045,  # the same: 69
            miscounted=0.15,  # count exact 85 %
            unvalued=0.05,  # value exact 80 %; the rest of it is miscounts
            doubt=0.12,  # models/faces.md: calibration error 3.7 %
            false=0.4,  # some 25 cards show: with `doubled` 97 % precision
            deck_as_card=0.5,  # assumed: the finder was taught that a pack's top card is no error
        )
