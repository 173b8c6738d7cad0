"""Felt designs as data: colours, seats, spots, words. `felts` lays them out and prints them."""

from studio.art.felt_form import FeltDesign, Place, Wording
from studio.art.felt_games import GAME_FELTS, GAME_TEMPLATES, GAME_WORDS

SPOTS = ("play", "ante", "aces_up", "six_card", "bad_beat", "progressive")

_TEMPLATES: dict[str, dict[str, Place]] = {
    "column": {"play": (0, 0), "ante": (0, 1), "aces_up": (0, 2)}
    | {"six_card": (-1.4, 1.4), "bad_beat": (1.4, 1.4), "progressive": (0, 2.8)},
    "mirrored": {"play": (0, 0), "ante": (0, 1), "aces_up": (0, 2)}
    | {"six_card": (1.4, 0.9), "bad_beat": (-1.4, 0.9), "progressive": (1.2, 2.1)},
    "pairs": {"play": (0, 0), "ante": (-0.7, 1), "aces_up": (0.7, 1)}
    | {"six_card": (-0.7, 2.05), "bad_beat": (0.7, 2.05), "progressive": (0, 2.75)},
    "crown": {"play": (0, 0), "ante": (0, 1.05), "aces_up": (0, 2.2)}
    | {"six_card": (-1.4, 2.0), "bad_beat": (1.4, 2.0), "progressive": (0, 2.98)},
    "row": {"play": (0, 0), "ante": (0, 1.05), "aces_up": (-1.15, 0.75)}
    | {"six_card": (1.15, 0.75), "bad_beat": (0, 2.1), "progressive": (-1.0, 1.9)},
    "diagonal": {"play": (-0.55, 0), "ante": (0.55, 0.35), "aces_up": (-0.55, 1.15)}
    | {"six_card": (0.55, 1.5), "bad_beat": (-0.5, 2.3), "progressive": (0.55, 2.45)},
    "clover": {"play": (0, 0), "ante": (-0.62, 0.95), "aces_up": (0.62, 0.95)}
    | {"six_card": (-1.25, 1.95), "bad_beat": (1.25, 1.95), "progressive": (0, 2.0)},
}


_WORDS = {
    "en": Wording(
        spots={"play": "PLAY", "ante": "ANTE", "aces_up": "ACES UP", "six_card": "6 CARD BONUS"}
        | {"bad_beat": "BAD BEAT", "progressive": ""},
        title="FOUR CARD POKER",
        motto="PLAY 1 TO 3 TIMES THE ANTE  ·  DEALER ALWAYS PLAYS",
        dealer="DEALER",
        bonus="ANTE BONUS",
        hands=("Four of a Kind", "Straight Flush", "Three of a Kind", "Flush", "Straight", "Two Pair", "Pair of Aces"),
    ),
    "es": Wording(
        spots={"play": "JUGADA", "ante": "ANTE", "aces_up": "ASES O MÁS", "six_card": "BONO 6 CARTAS"}
        | {"bad_beat": "MALA SUERTE", "progressive": ""},
        title="PÓKER DE CUATRO CARTAS",
        motto="JUEGUE DE 1 A 3 VECES EL ANTE  ·  LA BANCA SIEMPRE JUEGA",
        dealer="BANCA",
        bonus="BONO DE ANTE",
        hands=("Póker", "Escalera de color", "Trío", "Color", "Escalera", "Doble pareja", "Pareja de ases"),
    ),
    "fr": Wording(
        spots={"play": "JEU", "ante": "ANTE", "aces_up": "AS ET PLUS", "six_card": "BONUS 6 CARTES"}
        | {"bad_beat": "COUP DUR", "progressive": ""},
        title="POKER À QUATRE CARTES",
        motto="JOUEZ 1 À 3 FOIS L'ANTE  ·  LE CROUPIER JOUE TOUJOURS",
        dealer="CROUPIER",
        bonus="BONUS D'ANTE",
        hands=("Carré", "Quinte flush", "Brelan", "Couleur", "Quinte", "Deux paires", "Paire d'as"),
    ),
    "de": Wording(
        spots={"play": "SPIEL", "ante": "EINSATZ", "aces_up": "ASSE PLUS", "six_card": "6-KARTEN BONUS"}
        | {"bad_beat": "PECHVOGEL", "progressive": ""},
        title="VIER KARTEN POKER",
        motto="SPIEL: 1 BIS 3 MAL EINSATZ  ·  DIE BANK SPIELT IMMER",
        dealer="BANK",
        bonus="EINSATZBONUS",
        hands=("Vierling", "Straight Flush", "Drilling", "Flush", "Straße", "Zwei Paare", "Asspaar"),
    ),
    "it": Wording(
        spots={"play": "GIOCO", "ante": "ANTE", "aces_up": "ASSI SU", "six_card": "BONUS 6 CARTE"}
        | {"bad_beat": "SFORTUNA", "progressive": ""},
        title="POKER A QUATTRO CARTE",
        motto="GIOCO DA 1 A 3 VOLTE L'ANTE  ·  IL BANCO GIOCA SEMPRE",
        dealer="BANCO",
        bonus="BONUS ANTE",
        hands=("Poker", "Scala colore", "Tris", "Colore", "Scala", "Doppia coppia", "Coppia d'assi"),
    ),
    "pt": Wording(
        spots={"play": "JOGADA", "ante": "ANTE", "aces_up": "ASES ACIMA", "six_card": "BÓNUS 6 CARTAS"}
        | {"bad_beat": "AZAR", "progressive": ""},
        title="PÓQUER DE QUATRO CARTAS",
        motto="JOGUE 1 A 3 VEZES A ANTE  ·  A BANCA JOGA SEMPRE",
        dealer="BANCA",
        bonus="BÓNUS ANTE",
        hands=("Póquer", "Sequência de cor", "Trio", "Cor", "Sequência", "Dois pares", "Par de ases"),
    ),
}

_DIAMONDS = {"six_card": "diamond", "bad_beat": "diamond"}

# One design, a few lines: they are read side by side.
# fmt: off
_ALL = (
    FeltDesign(
        "emerald-arc", "#0f6b3d", "#0b5530", "#f3efe0", "#f2c230", 7,
        ornaments=("seat-arcs", "title", "motto"),
    ),
    FeltDesign(
        "crimson-club", "#8e1620", "#6a0e17", "#f6e3b4", "#e0b040", 6,
        height_mm=980, pattern="vignette", logo="crown", house="CRIMSON CLUB", template="mirrored", spot_mm=58,
        shapes={"aces_up": "diamond"}, ornaments=("title", "scrolls", "border"), cards_print="box", font="italic",
    ),
    FeltDesign(
        "royal-blue", "#173f8f", "#102e6e", "#f5f5f0", "#f0d050", 6,
        width_mm=2140, pattern="suits", logo="star", house="CASINO REAL", language="es", shapes=_DIAMONDS,
        ornaments=("seat-arcs", "title", "motto", "numbers"), line_mm=2.5, weave="speed",
    ),
    FeltDesign(
        "noir-or", "#24252a", "#17181b", "#d9b45b", "#d9b45b", 5,
        width_mm=2060, height_mm=960, pattern="lattice", logo="monogram", house="LE CERCLE", language="fr",
        template="crown", shapes=dict.fromkeys(SPOTS, "ring"), ornaments=("title", "border", "scrolls"), odds="none",
        cards_print="corners", line_mm=2.0, weight=500, weave="suede",
    ),
    FeltDesign(
        "teal-kidney", "#0d6f78", "#0a565e", "#f7f7f2", "#ff8a3c", 7,
        arrangement="kidney", width_mm=2300, height_mm=1000, squareness=2.3, shoulder_mm=190, pull_mm=60,
        edge_share=0.12, template="pairs", shapes={"ante": "square", "aces_up": "circle", "play": "square"},
        filled=("aces_up",), pattern="band", logo="sun", house="HARBOUR LIGHTS", ornaments=("title", "numbers"),
        cards_print="five", weave="speed",
    ),
    FeltDesign(
        "bordeaux-bank", "#5c1a2e", "#461222", "#f0ead8", "#c9a45c", 6,
        arrangement="straight", width_mm=2260, height_mm=970, squareness=9, edge_share=0.09, language="de",
        template="column", shapes={"play": "square", "ante": "square", "aces_up": "square"} | _DIAMONDS,
        logo="monogram", house="SPIELBANK", ornaments=("title", "motto", "border"), odds="seats", cards_print="box",
        spot_mm=56, pitch_mm=66,
    ),
    FeltDesign(
        "violet-lounge", "#4b2a7b", "#3a1f62", "#f4eefc", "#5fe0d0", 6,
        arrangement="kidney", width_mm=2240, height_mm=1060, squareness=2.4, shoulder_mm=160, pull_mm=40,
        edge_share=0.13, language="it", template="crown", shapes={"aces_up": "hexagon", "play": "ring"},
        pattern="rays", logo="star", house="SALA VIOLA", ornaments=("seat-arcs", "title"), filled=("six_card",),
        font="italic", spot_mm=62, pitch_mm=72,
    ),
    FeltDesign(
        "desert-sand", "#b08a55", "#94713f", "#3c2413", "#9c2f1c", 7,
        language="es", height_mm=1060, template="column", shapes={"ante": "diamond", "aces_up": "diamond"},
        pattern="band", logo="sun", house="SOL DEL DESIERTO", ornaments=("seat-arcs", "title", "motto"), line_mm=3.5,
        spot_mm=62, pitch_mm=74, weave="suede",
    ),
    FeltDesign(
        "racing-green", "#1f4a2c", "#173a22", "#e9e3cf", "#c23b2e", 5,
        arrangement="straight", width_mm=2100, height_mm=980, squareness=7, edge_share=0.11, language="pt",
        template="pairs", spot_mm=64, pitch_mm=74, shapes={"play": "ring"}, pattern="suits", logo="crown",
        house="CLUBE", ornaments=("title", "numbers", "border"), odds="centre", cards_print="none", line_mm=2.5,
    ),
    FeltDesign(
        "slate-modern", "#525a63", "#3f464e", "#e8f6ff", "#35c6f4", 6,
        width_mm=2120, height_mm=1000, template="mirrored", shapes=dict.fromkeys(SPOTS, "ring"),
        filled=("progressive",), pattern="rays", logo="spade", house="NORTHSIDE", ornaments=("title", "motto"),
        odds="seats", cards_print="five", line_mm=2.0, weight=400, weave="speed",
    ),
    FeltDesign(
        "powder-blue", "#5f93b8", "#4d7fa4", "#ffffff", "#14305c", 7,
        language="fr", height_mm=1080, template="column", pattern="lattice", logo="star", house="LA RIVIERE",
        shapes={"play": "hexagon"} | _DIAMONDS, filled=("ante",), ornaments=("seat-arcs", "title", "numbers"),
        odds="centre", cards_print="box",
    ),
    FeltDesign(
        "copper-saloon", "#7a3b12", "#5f2c0b", "#ffe9c2", "#ffc14d", 6,
        arrangement="kidney", width_mm=2180, height_mm=1020, squareness=2.2, shoulder_mm=120, pull_mm=30,
        edge_share=0.12, template="column", shapes={"aces_up": "diamond", "progressive": "circle"},
        pattern="vignette", logo="spade", house="SALOON NO. 9", ornaments=("title", "scrolls", "motto"),
        odds="centre", cards_print="corners", line_mm=4.0, font="italic", spot_mm=64, pitch_mm=74,
    ),
)
_RESERVED = (  # see `drawers`
    FeltDesign(
        "harbour-mist", "#8fa3a0", "#7d918e", "#12302f", "#b3402b", 6,
        width_mm=2160, height_mm=1010, template="row", shapes={"ante": "hexagon", "six_card": "square"},
        pattern="waves", logo="dice", house="HARBOUR MIST", ornaments=("title", "numbers"), odds="seats",
        cards_print="corners", line_mm=2.4, weight=600, spot_mm=58, pitch_mm=72,
    ),
    FeltDesign(
        "olive-grove", "#5d6326", "#4a4f1c", "#f0e6c0", "#d98a2b", 5,
        arrangement="kidney", width_mm=2120, height_mm=1030, squareness=2.3, shoulder_mm=150, pull_mm=45,
        edge_share=0.13, template="diagonal", shapes={"play": "diamond", "ante": "circle"}, filled=("ante",),
        pattern="chevrons", logo="sun", house="OLIVE GROVE", language="it", ornaments=("title", "border"),
        odds="centre", cards_print="box", font="italic", weave="suede", spot_mm=58, pitch_mm=74,
    ),
    FeltDesign(
        "rosewood", "#a2536a", "#8a4358", "#fff4ee", "#3a1020", 6,
        width_mm=2180, height_mm=1040, template="clover", shapes={"play": "ring", "aces_up": "square"},
        pattern="hexes", logo="diamonds", house="ROSEWOOD", ornaments=("seat-arcs", "title"), odds="centre",
        cards_print="five", line_mm=2.2, weave="speed", spot_mm=58, pitch_mm=74,
    ),
    FeltDesign(
        "arctic-white", "#c9d3d6", "#b4c0c4", "#1b2f4a", "#c01f3c", 7,
        height_mm=1070, template="column", shapes={"play": "square", "six_card": "hexagon", "bad_beat": "hexagon"},
        pattern="pinstripe", logo="star", house="ARCTIC", language="de", ornaments=("title", "motto"), odds="none",
        cards_print="box", line_mm=2.0, weight=500,
    ),
    FeltDesign(
        "sunset-orange", "#c7622a", "#ad511f", "#fff1d0", "#3b1a4f", 6,
        arrangement="straight", width_mm=2240, height_mm=990, squareness=6, edge_share=0.1, template="row",
        shapes={"ante": "diamond"}, filled=("aces_up",), pattern="confetti", logo="crown", house="SUNSET STRIP",
        ornaments=("title", "scrolls", "numbers"), odds="seats", cards_print="none", line_mm=3.2, spot_mm=60,
        pitch_mm=72,
    ),
    FeltDesign(
        "ink-and-lime", "#152029", "#1f2f3a", "#b9f23e", "#f4f7ef", 5,
        width_mm=2080, height_mm=1000, template="clover", shapes=dict.fromkeys(SPOTS, "hexagon"), pattern="chevrons",
        logo="dice", house="CLUB 52", language="es", ornaments=("seat-arcs", "motto", "border"), odds="centre",
        cards_print="corners", line_mm=2.8, weight=700, font="italic", weave="speed", spot_mm=58, pitch_mm=76,
    ),
)
# fmt: on
DESIGNS = {design.name: design for design in (*_ALL, *_RESERVED, *GAME_FELTS)}
TEMPLATES = {**_TEMPLATES, **GAME_TEMPLATES}


def words_of(design: FeltDesign) -> Wording:
    """Return what a felt says: in its language, or as its game is called."""
    return GAME_WORDS.get(design.game) or _WORDS[design.language]
