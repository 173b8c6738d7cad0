"""What a felt design is made of: colours, seats, spots, words."""

from dataclasses import dataclass, field

Place = tuple[float, float]  # across and inward of the first spot, in pitches; inward points to the dealer
OddsTable = tuple[str, tuple[str, ...], tuple[str, ...]]  # a headline, hands, what they pay
FOUR_CARD_POKER = "four-card-poker"


@dataclass(frozen=True, slots=True)
class Wording:
    """What a felt says in one language; `hands` from four of a kind down to a pair of aces."""

    spots: dict[str, str]
    title: str
    motto: str
    dealer: str
    bonus: str
    hands: tuple[str, ...] = ()
    odds: tuple[OddsTable, ...] = ()  # printed tables, where they are not those of Four Card Poker


@dataclass(frozen=True, slots=True)
class FeltDesign:
    """One felt. `squareness` 2 is an ellipse; below `shoulder_mm` the sides pull in to the dealer's edge."""

    name: str
    ground: str
    second: str
    ink: str
    accent: str
    seats: int
    arrangement: str = "arc"  # arc, kidney or straight
    width_mm: int = 2200
    height_mm: int = 1040
    squareness: float = 2.0
    shoulder_mm: float = 0.0
    pull_mm: float = 0.0
    edge_share: float = 0.1  # how far along the rail the first seat is
    template: str = "column"
    spot_mm: float = 60.0
    pitch_mm: float = 70.0
    shapes: dict[str, str] = field(default_factory=dict)  # spot: circle, ring, diamond, square, hexagon; else `circle`
    language: str = "en"
    logo: str = "spade"  # spade, star, crown, monogram, sun, dice or diamonds
    house: str = "FELTWATCH"
    pattern: str = "plain"  # plain, suits, lattice, rays, band, vignette, waves, chevrons, pinstripe, hexes, confetti
    ornaments: tuple[str, ...] = ("seat-arcs", "title")  # seat-arcs, title, motto, scrolls, border, numbers
    odds: str = "centre"  # centre, seats or none
    cards_print: str = "corners"  # none, corners, box or five
    filled: tuple[str, ...] = ()  # spots printed solid in the accent colour
    line_mm: float = 3.0
    font: str = "sans"  # sans or italic
    weight: int = 700
    tray_mm: float = 600.0
    game: str = FOUR_CARD_POKER  # without the place: the same felt serves everywhere
    shared: int = 0  # community cards, which lie where other games have the dealer's hand
    bonus_cards: int = 1
    weave: str = "wool"  # wool, speed or suede
