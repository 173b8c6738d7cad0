"""What a command line calls a table or a layout: a name, a file or a folder enters, the path of the file leaves."""

from pathlib import Path

from vision.values.errors import InputError, shown
from vision.values.resources import shipped

TABLE_FILE, LAYOUT_FILE = "table.toml", "layout.toml"
NOT_TABLES = (".camera.toml", ".previous.toml")  # what calibrating leaves beside a table file


def find_table(name: str) -> Path:
    """Return a table's file: of a name in `calibration/tables`, of a folder that holds `table.toml`, or the file."""
    given, tables = Path(name), shipped("calibration") / "tables"
    if given.is_dir() and not (given / TABLE_FILE).is_file():
        raise InputError(f"{given}: no {TABLE_FILE} in this folder")
    for path in (given / TABLE_FILE, given, tables / f"{name}.toml", tables / name / TABLE_FILE):
        if path.is_file():
            return path
    raise InputError(f"{shown(name)}: no such table: want a table's file, its folder, {_or_names(table_names())}")


def find_layout(name: str) -> Path:
    """Return a layout's folder: of a name in `calibration/layouts`, or the folder that holds `layout.toml`."""
    given, layouts = Path(name), shipped("calibration") / "layouts"
    if given.is_dir() and not (given / LAYOUT_FILE).is_file():
        raise InputError(f"{given}: no {LAYOUT_FILE} in this folder")
    for folder in (given, layouts / name):
        if (folder / LAYOUT_FILE).is_file():
            return folder
    raise InputError(f"{shown(name)}: no such layout: want a layout's folder, {_or_names(layout_names())}")


def table_names() -> list[str]:
    """Return the tables that ship with the program."""
    tables = shipped("calibration") / "tables"
    files = [path.stem for path in tables.glob("*.toml") if not path.name.endswith(NOT_TABLES)]
    return sorted(files + [path.parent.name for path in tables.glob(f"*/{TABLE_FILE}")])


def layout_names() -> list[str]:
    """Return the layouts that ship with the program."""
    return sorted(path.parent.name for path in (shipped("calibration") / "layouts").glob(f"*/{LAYOUT_FILE}"))


def _or_names(names: list[str]) -> str:
    return f"or one of {', '.join(names)}" if names else "or the name of a shipped one (there is none)"
