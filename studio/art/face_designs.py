"""Card face designs as data: index, pips, courts, inks, paper. `faces` prints them."""

from dataclasses import dataclass
from typing import Final

from studio.art.glyphs import Index
from studio.art.paint import Colour
from studio.art.pips import Pips

HEARTS_RED: Final[Colour] = (45, 22, 200)
BLACK: Final[Colour] = (28, 24, 24)
GREEN: Final[Colour] = (50, 120, 12)
BLUE: Final[Colour] = (185, 70, 15)
WHITE: Final[Colour] = (250, 250, 250)
IVORY: Final[Colour] = (226, 241, 247)
CREAM: Final[Colour] = (240, 248, 250)

Inks = tuple[Colour, Colour, Colour, Colour]  # clubs, diamonds, hearts, spades
TWO_COLOURS: Final[Inks] = (BLACK, HEARTS_RED, HEARTS_RED, BLACK)
FOUR_COLOURS: Final[Inks] = (GREEN, BLUE, HEARTS_RED, BLACK)
SOFT_FOUR_COLOURS: Final[Inks] = ((60, 110, 20), (170, 95, 20), (40, 20, 205), (35, 30, 30))
BRICK: Final[Inks] = (BLACK, (40, 40, 175), (40, 40, 175), BLACK)
WINE: Final[Inks] = ((45, 25, 25), (55, 10, 165), (55, 10, 165), (45, 25, 25))
HARBOUR: Final[Inks] = ((70, 45, 20), (60, 60, 190), (60, 60, 190), (70, 45, 20))
MARINE: Final[Inks] = ((120, 60, 20), (50, 30, 180), (50, 30, 180), (120, 60, 20))
SUNSET: Final[Inks] = ((95, 85, 10), (20, 95, 215), (35, 25, 195), (30, 25, 30))
ROSE: Final[Inks] = (BLACK, (70, 30, 190), (70, 30, 190), BLACK)


@dataclass(frozen=True, slots=True)
class Figure:
    """The courts, in mm."""

    style: str
    width: float = 41.0
    height: float = 72.0
    has_pip: bool = True  # the suit once more inside the frame


@dataclass(frozen=True, slots=True)
class Maker:
    """What the maker is proud of: the ace of spades and the name."""

    ace: str = "plain"  # plain, filigree, wreath
    height: float = 34.0  # of a showpiece, mm
    name: str = ""
    signs: tuple[str, ...] = ("As",)  # the cards with the name on


@dataclass(frozen=True, slots=True)
class FaceDesign:
    """What a printer decided for a whole deck."""

    index: Index
    pips: Pips
    figure: Figure
    maker: Maker = Maker()
    inks: Inks = TWO_COLOURS
    paper: Colour = WHITE
    frame: float = 0.0  # inset of a line around number cards, mm; 0 for none


RIVER: Final = Maker("filigree", name="RIVER CARD CO.")
DESIGNS: Final[dict[str, FaceDesign]] = {
    "standard": FaceDesign(Index("roman", 9.5, 6.2, 5.4, 3.6, 7.0), Pips(), Figure("english"), RIVER),
    "standard-ivory": FaceDesign(
        Index("narrow", 9.5, 6.2, 5.4, 3.6, 7.0),
        Pips(cut="slim"),
        Figure("french"),
        Maker("wreath", name="ALTENMARKT"),
        BRICK,
        IVORY,
    ),
    "standard-frame": FaceDesign(
        Index("didone", 8.2, 5.2, 5.0, 4.2, 7.0),
        Pips(10.5, 11.0, 28.0, has_inlay=True),
        Figure("woodcut", 43.0),
        RIVER,
        TWO_COLOURS,
        CREAM,
        10.5,
    ),
    "standard-gothic": FaceDesign(
        Index("gothic", 11.0, 7.0, 5.4, 3.6, 7.0),
        Pips(cut="round"),
        Figure("parlour"),
        Maker("filigree"),
    ),
    "standard-bold": FaceDesign(
        Index("black", 9.0, 7.0, 6.0, 3.6, 7.4),
        Pips(13.0, row=28.0),
        Figure("bold", 40.0, 76.0),
        Maker(name="NORTH PIER", signs=("Ad", "As")),
        WINE,
    ),
    "jumbo": FaceDesign(
        Index("slab", 16.5, 11.0, 8.6, 4.0, 12.5, 1.4),
        Pips(10.0, 9.0, 29.0),
        Figure("casino", 34.0, 74.0, False),
    ),
    "jumbo-four-colour": FaceDesign(
        Index("round", 15.0, 10.0, 8.4, 4.6, 11.5, 1.4),
        Pips(10.0, 9.0, 29.0, "round"),
        Figure("royal", 34.0, 74.0, False),
        Maker(name="PLASTIC 100%", signs=("As", "Ac")),
        FOUR_COLOURS,
    ),
    "jumbo-black": FaceDesign(
        Index("black", 17.5, 12.0, 9.4, 3.4, 14.0, 1.4),
        Pips(8.0, 7.5, 29.0),
        Figure("english", 34.0, 74.0, False),
        Maker("filigree", 24.0, "CASINO QUALITY"),
    ),
    "jumbo-thin": FaceDesign(
        Index("thin", 18.0, 9.0, 7.8, 4.0, 10.5, 1.4),
        Pips(11.0, 9.0, 29.0, "slim"),
        Figure("parlour", 37.0, 70.0, False),
        Maker("wreath", 24.0),
        BRICK,
        CREAM,
    ),
    "jumbo-bold": FaceDesign(
        Index("poster", 14.0, 13.0, 8.8, 4.0, 12.0, 1.4),
        Pips(9.0, 8.0, 29.0),
        Figure("bold", 36.0, 80.0),
        Maker(),
        WINE,
    ),
    "four-corner": FaceDesign(
        Index("gothic", 9.0, 6.0, 5.6, 4.0, 7.0, corners=4),
        Pips(10.5, 9.5, 30.0, "round"),
        Figure("french", 38.0, 74.0),
        Maker("wreath", 30.0, "RIVER CARD CO."),
    ),
    "four-corner-jumbo": FaceDesign(
        Index("poster", 13.0, 8.5, 7.4, 3.6, 10.5, 1.4, corners=4),
        Pips(8.5, 8.0, 29.0, "slim"),
        Figure("casino", 34.0, 74.0, False),
        Maker(),
        ROSE,
    ),
    "magnum": FaceDesign(
        Index("gothic", 24.0, 16.0, 11.6, 4.0, 17.0, 1.6),
        Pips(0.0),
        Figure("royal", 33.0, 78.0, False),
    ),
    "beside-four-colour": FaceDesign(
        Index("thin", 11.0, 8.0, 3.0, 4.0, 8.0, is_beside=True),
        Pips(10.0, row=25.0),
        Figure("royal", 42.0, 54.0),
        Maker(),
        SOFT_FOUR_COLOURS,
    ),
    # reserved, see `drawers`
    "grotesque-wide": FaceDesign(
        Index("grotesque", 12.5, 8.0, 6.6, 3.8, 9.0, 1.2),
        Pips(11.0, 10.5, 29.0, "slim"),
        Figure("lodge", 37.0, 73.0, False),
        Maker("wreath", 28.0, "UNION CARD"),
        HARBOUR,
        CREAM,
    ),
    "egyptian-beside": FaceDesign(
        Index("egyptian", 10.0, 8.5, 3.0, 4.0, 8.0, is_beside=True),
        Pips(11.0, row=25.5, has_inlay=True),
        Figure("opera", 42.0, 55.0),
        Maker("filigree", 30.0),
        BRICK,
        IVORY,
    ),
    "hairline-blue": FaceDesign(
        Index("hairline", 13.0, 7.0, 6.0, 4.0, 8.0, 1.3),
        Pips(9.5, 11.0, 28.5, "round"),
        Figure("abbey", 39.0, 72.0),
        Maker(name="FINE LINEN", signs=("As", "Ah")),
        MARINE,
        WHITE,
        11.0,
    ),
    "fat-jumbo": FaceDesign(
        Index("fat", 16.0, 10.5, 9.2, 3.8, 13.5, 1.4),
        Pips(9.0, 8.0, 29.0, "round"),
        Figure("tavern", 34.0, 75.0, False),
        Maker("filigree", 24.0, "PIT BOSS"),
        ROSE,
    ),
    "deco-four-corner": FaceDesign(
        Index("deco", 12.0, 7.0, 6.2, 3.8, 8.5, 1.2, corners=4),
        Pips(9.5, 8.5, 29.5, "slim"),
        Figure("arcade", 36.0, 74.0),
        Maker("wreath", 26.0),
        SUNSET,
        IVORY,
    ),
    "stadium-magnum": FaceDesign(
        Index("stadium", 22.0, 15.0, 11.0, 4.2, 16.0, 1.6),
        Pips(0.0),
        Figure("lodge", 33.0, 78.0, False),
        Maker(),
        FOUR_COLOURS,
    ),
}
