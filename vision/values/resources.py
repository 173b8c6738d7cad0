"""Where the files that ship with the program lie: beside the package in a checkout, inside it in a wheel."""

from pathlib import Path

PACKAGE = Path(__file__).parent.parent
GAMES = PACKAGE / "rules" / "games"
WAGERS = GAMES / "wagers"  # single wagers, a file per family; the other folders hold whole games


def shipped(folder: str) -> Path:
    """Return the folder `calibration` or `models`, wherever this copy of the program keeps it."""
    beside = PACKAGE.parent / folder
    return beside if beside.is_dir() else PACKAGE / "shipped" / folder
