"""The felts of the other games that are filmed: one each, with the spots, words and odds of its own text."""

from studio.art.felt_form import FeltDesign, Place, Wording

PRIME, FRENZY, CAJUN = "four-card-prime", "four-card-frenzy", "cajun-stud"

GAME_TEMPLATES: dict[str, dict[str, Place]] = {
    PRIME: {
        "raise": (0, 0),
        "ante": (0, 1.05),
        "prime": (-1.15, 0.75),
        "aces_bonus": (1.15, 0.75),
        "all_six": (0, 2.1),
    },
    FRENZY: {"raise": (0, 0), "ante": (-0.62, 0.95), "odds": (0.62, 0.95)}
    | {"prime": (-0.62, 2.0), "four_card_bonus": (0.62, 2.0), "all_six": (0, 2.95)},
    CAJUN: {"raise3": (-1.1, 0), "raise2": (0, 0), "raise1": (1.1, 0), "ante": (0, 1.05)}
    | {"pocket": (-1.1, 1.05), "board": (1.1, 1.05), "lo_ball": (-0.6, 2.1), "all_six": (0.6, 2.1)},
}

GAME_WORDS: dict[str, Wording] = {
    PRIME: Wording(
        spots={
            "raise": "RAISE",
            "ante": "ANTE",
            "prime": "PRIME",
            "aces_bonus": "ACES BONUS",
            "all_six": "ALL SIX BONUS",
        },
        title="FOUR CARD PRIME",
        motto="RAISE 1, 2 OR 3 TIMES THE ANTE  ·  DEALER PLAYS THE BEST FOUR OF SIX",
        dealer="DEALER",
        bonus="WIN BONUS",
        odds=(
            ("WIN BONUS", ("Four of a Kind", "Straight Flush", "Three of a Kind"), ("25 FOR 1", "20 FOR 1", "2 FOR 1")),
            ("PRIME", ("Five red or five black", "Four red or four black"), ("6 : 1", "1 : 1")),
        ),
    ),
    FRENZY: Wording(
        spots={"raise": "RAISE", "ante": "ANTE", "odds": "ODDS", "prime": "PRIME"}
        | {"four_card_bonus": "4 CARD BONUS", "all_six": "ALL SIX BONUS"},
        title="FOUR CARD FRENZY",
        motto="ANTE AND ODDS ARE EQUAL  ·  RAISE UP TO 3 TIMES WITH A PAIR OF ACES OR BETTER",
        dealer="DEALER",
        bonus="ODDS",
        odds=(
            (
                "ODDS",
                ("Four Aces", "Four of a Kind", "Straight Flush", "Three of a Kind", "Flush", "Straight"),
                ("200 : 1", "30 : 1", "15 : 1", "2 : 1", "3 : 2", "1 : 1"),
            ),
        ),
    ),
    CAJUN: Wording(
        spots={"ante": "ANTE", "raise1": "RAISE 1", "raise2": "RAISE 2", "raise3": "RAISE 3"}
        | {"pocket": "POCKET BONUS", "board": "BOARD BONUS", "lo_ball": "LO BALL", "all_six": "ALL SIX BONUS"},
        title="CAJUN STUD",
        motto="RAISE 1, 2 OR 3 TIMES THE ANTE, THREE TIMES  ·  SIXES TO TENS PUSH, JACKS OR BETTER WIN",
        dealer="COMMUNITY CARDS",
        bonus="ALL SIX",
    ),
}

# One design, a few lines: they are read side by side.
# fmt: off
GAME_FELTS = (
    FeltDesign(
        "midnight-prime", "#1b2740", "#131c30", "#eef2f7", "#e2b33c", 6,
        game=PRIME, template=PRIME, width_mm=2180, height_mm=1040, pattern="vignette", logo="diamonds",
        house="MIDNIGHT ROOM", shapes={"raise": "square", "prime": "diamond", "aces_bonus": "diamond"},
        ornaments=("title", "motto", "seat-arcs"), cards_print="five", line_mm=2.6, spot_mm=60, pitch_mm=72,
    ),
    FeltDesign(
        "frenzy-red", "#a3262c", "#861d23", "#fff3df", "#ffd23f", 6,
        game=FRENZY, template=FRENZY, arrangement="kidney", width_mm=2220, height_mm=1060, squareness=2.3,
        shoulder_mm=150, pull_mm=40, edge_share=0.13, pattern="rays", logo="star", house="RED RIVER",
        shapes={"raise": "ring", "odds": "square", "all_six": "hexagon"}, filled=("prime",),
        ornaments=("title", "motto"), cards_print="corners", font="italic", line_mm=3.0, spot_mm=60, pitch_mm=72,
        weave="speed",
    ),
    FeltDesign(
        "bayou-green", "#2f5d50", "#264c42", "#f5ecd2", "#e07a2f", 6,
        game=CAJUN, template=CAJUN, width_mm=2260, height_mm=1080, pattern="lattice", logo="sun", house="BAYOU CLUB",
        shapes={"raise1": "square", "raise2": "square", "raise3": "square", "pocket": "diamond", "board": "diamond"},
        ornaments=("title", "motto", "numbers"), odds="none", cards_print="box", line_mm=2.4, spot_mm=58, pitch_mm=70,
        shared=3, bonus_cards=4, weave="suede",
    ),
)
# fmt: on
