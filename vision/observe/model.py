"""How the detectors err: a data file enters, the rates by which presence, faces and chips are weighed leave."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ObservationModel:
    """Rates per look, or per second where they say so."""

    missed: float = 0.02  # of looks at a card that shows, after one that found it
    missed_s: float = 0.4  # a thing that is missed stays so for so long, on average
    missed_stack: float = 0.03
    false_s: float = 0.5  # a thing that is not there is seen for so long, on average
    false: float = 0.02  # share of newly found things that are not there, where a hand was near
    false_alone: float = 0.3  # the same where none was
    false_lasting: float = 0.002  # the same of what is seen again and again, where a hand was near
    false_lasting_alone: float = 0.03
    flipped: float = 0.006  # looks that take a face for a back, or the other way round
    gone_by_hand: float = 0.3  # things that a hand was at are taken away by it
    gone_alone: float = 2e-5  # per second
    turned_by_hand: float = 0.1  # cards that a hand was at within a second lie on their other side
    turned_alone: float = 1e-4  # per look
    replaced: float = 0.005  # cards where another lies a look later
    changed_by_hand: float = 0.2  # stacks that a hand was at have other chips afterwards
    changed_under_arm: float = 0.02  # the same of those that lay in the box of an arm only
    changed_alone: float = 1e-5  # per look
    misread: float = 0.03  # looks at faces
    misread_stack: float = 0.25  # looks at stacks
    again: float = 0.55  # what a further look at the same face, unmoved, adds
    jitter_mm: float = 1.5  # deviation of x and of y from look to look, of cards
    jitter_stack_mm: float = 1.8  # the same of stacks
