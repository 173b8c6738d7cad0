"""Reserved looks: which designs lie in which drawer. Nobody looks at them before their measurement (`film.ledger`).

*check*: two of each kind, for the closing measurements of single parts. *trial*: four of each kind, for the last one.
"""

from typing import Final

DRAWERS: Final = ("check", "trial")
RESERVED: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "felt": {
        "check": ("harbour-mist", "olive-grove"),
        "trial": ("rosewood", "arctic-white", "sunset-orange", "ink-and-lime"),
    },
    "face": {
        "check": ("grotesque-wide", "egyptian-beside"),
        "trial": ("hairline-blue", "fat-jumbo", "deco-four-corner", "stadium-magnum"),
    },
    "back": {
        "check": ("tartan-green", "waves-rose"),
        "trial": ("hexes-gold", "bricks-grey", "stars-navy", "zigzag-mint"),
    },
    "chips": {
        "check": ("tidewater", "granite-peak"),
        "trial": ("lantern-row", "old-mint", "prairie-star", "night-market"),
    },
    "rig": {
        "check": ("tracks", "window"),
        "trial": ("chandelier", "neon", "corners", "low-sun"),
    },
}


def is_reserved(kind: str, name: str) -> bool:
    """Return whether a design lies in a drawer."""
    return any(name in names for names in RESERVED[kind].values())


def unreserved(kind: str, names: "tuple[str, ...]") -> tuple[str, ...]:
    """Return the designs that lie in no drawer."""
    return tuple(name for name in names if not is_reserved(kind, name))
