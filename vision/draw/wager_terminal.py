"""Single wagers, their families and the sections of the texts as tables in a terminal."""

from collections.abc import Iterable, Iterator, Sequence

from rich.table import Table as Grid

from vision.draw.terminal import OUT, make_grid
from vision.rules.book.coverage import Covered
from vision.rules.book.wagers import BookWager, Family, wagers_of
from vision.rules.odds.examples import Worked
from vision.rules.text.wagerfile import SETTLED_ONLY, PayMatrix


def families(known: Sequence[Family]) -> None:
    """Print every family with its sections: what is settled, what waits for a missing chapter."""
    grid = make_grid(
        "Single wagers, by family", "family", "section", "title", "settled", "open", "watched", "paytables"
    )
    for family in known:
        for section, spec in family.file.section.items():
            wagers = [wager for wager in wagers_of(family) if wager.section == section]
            unresolved = sum(wager.is_unresolved for wager in wagers)
            letters = dict.fromkeys(letter for wager in wagers for letter in wager.letters if letter != "only")
            watched = sum(wager.spec.watched != SETTLED_ONLY for wager in wagers)
            counts = (str(len(wagers) - unresolved), str(unresolved or ""), str(watched or SETTLED_ONLY))
            grid.add_row(family.file.about.family, section, spec.title, *counts, _brief(letters))
        for title in dict.fromkeys(procedure.title for procedure in family.file.procedure):
            grid.add_row(family.file.about.family, "", title, "procedure", "", _witnessed(family, title), "")
    OUT.print(grid)


def _witnessed(family: Family, title: str) -> str:
    """Tell whether a camera could witness anything of a procedure."""
    seen = any(procedure.witness for procedure in family.file.procedure if procedure.title == title)
    return "in part" if seen else ""


def family(shown: Family, section: str | None, *, paytables: bool) -> None:
    """Print one family, or one section of it."""
    about = shown.file.about
    OUT.print(f"[bold]{about.name}, {about.place}[/]\n{about.source}")
    OUT.print(f"[yellow]Not in the text:[/] {about.missing}")
    wagers = [wager for wager in wagers_of(shown) if section in (None, wager.section)]
    OUT.print(_wagers(wagers), _options(shown))
    for procedure in shown.file.procedure:
        if section is None or section in procedure.sections:
            OUT.print(_steps(procedure.title, procedure.steps, procedure.witness, procedure.cite))
    if paytables:
        names = dict.fromkeys(wager.spec.paytable for wager in wagers if wager.spec.paytable)
        OUT.print(*(_paytable(name, shown.file.pay[name]) for name in names))


def coverage(covered: Iterable[Covered]) -> None:
    """Print every section of the texts: its state, and where it lives or why not."""
    grid = make_grid("Sections of the texts", "section", "state", "where", "title")
    for entry in covered:
        grid.add_row(entry.section.id, str(entry.state), entry.where, entry.section.title)
    OUT.print(grid)


def examples(worked: Sequence[Worked]) -> None:
    """Print what the texts say of their own examples, and what the engine says."""
    grid = make_grid("The texts' own examples", "example", "wager", "printed", "computed", "agree")
    for entry in worked:
        verdict = "[green]yes[/]" if entry.agrees else "[red]NO[/]"
        grid.add_row(entry.example.cite, entry.example.wager, entry.example.says, entry.found, verdict)
    OUT.print(grid)


def _wagers(wagers: Sequence[BookWager]) -> Grid:
    grid = make_grid("Wagers", "section", "wager", "state", "seen by a camera", "needs")
    for wager in wagers:
        state = "unresolved" if wager.is_unresolved else "settled"
        grid.add_row(wager.section, wager.name, state, wager.spec.watched, ", ".join(wager.spec.inputs))
    return grid


def _options(shown: Family) -> Grid:
    grid = make_grid("Options", "option", "values", "default", "about")
    for name, option in shown.file.option.items():
        grid.add_row(name, ", ".join(map(str, option.values)), str(option.default), option.about)
    return grid


def _steps(title: str, steps: Sequence[str], witness: Sequence[str], cite: str) -> Grid:
    grid = make_grid(f"{title} ({cite})", "", "rule")
    for step in steps:
        grid.add_row("to be done", step)
    for seen in witness:
        grid.add_row("a camera could witness", seen)
    return grid


def _paytable(name: str, matrix: PayMatrix) -> Grid:
    letters = ["" if letter == "only" else letter for letter in matrix.tables]
    grid = make_grid(f"Paytable {name.replace('_', ' ')} ({matrix.cite})", "row", *letters)
    for i, row in enumerate(matrix.rows):
        grid.add_row(row, *_cells(matrix, i))
    return grid


def _cells(matrix: PayMatrix, row: int) -> Iterator[str]:
    for cells in matrix.tables.values():
        yield str(cells[row])


def _brief(letters: Iterable[str]) -> str:
    names = list(letters)
    return ", ".join(names) if len(names) <= 8 else f"{names[0]} … {names[-1]} ({len(names)})"
