"""The houses of the suites: every shipped house sheet enters, and leaves once per way of dealing."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from studio.art.felt_form import FOUR_CARD_POKER
from vision.rules.book.sheet import HouseSheet, read_sheet
from vision.values.resources import shipped

MACHINE: Final = "automated"


Place = tuple[str, str]  # the house, and how it deals


def sheet_path(folder: Path, place: Place) -> Path:
    """Return where the sheet of a house that deals in this way lies."""
    return folder / f"{'-'.join(place)}.toml"


def write_houses(folder: Path, game: str = FOUR_CARD_POKER) -> dict[Place, HouseSheet]:
    """Write the sheets of a game's houses into a folder, and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets: dict[Place, HouseSheet] = {}
    for place, text in _variants(game):
        path = sheet_path(folder, place)
        half = path.with_suffix(".half")  # another run of the suite may be reading: whole or not at all
        half.write_text(text, encoding="utf-8")
        half.replace(path)
        sheets[place] = read_sheet(path)
    return sheets


def games_with_houses() -> list[str]:
    """Return the games that a shipped house sheet plays."""
    sheets = (read_sheet(path) for path in (shipped("calibration") / "houses").glob("*.toml"))
    return sorted({sheet.game.partition("/")[0] for sheet in sheets})


def _variants(game: str) -> Iterator[tuple[Place, str]]:
    for path in sorted((shipped("calibration") / "houses").glob("*.toml")):
        sheet, text = read_sheet(path), path.read_text(encoding="utf-8")
        for method in sheet.house.game.file.deal if sheet.game.partition("/")[0] == game else ():
            yield (path.stem, method), _dealt(text, path.stem, method)


def _dealt(text: str, house: str, method: str) -> str:
    """Return a sheet with another way of dealing; without the machine nobody but the dealer counts the stub."""
    text = re.sub(r"(?m)^deal_method = .*$", f'deal_method = "{method}"', text)
    text = re.sub(r"(?m)^name = .*$", f'name = "{house}, dealt {method.replace("_", " ")}"', text)
    return text if method == MACHINE else text.replace("counting = true", "counting = false")
