"""Games, paytables, settlements and figures as tables in a terminal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid
from rich.text import Text

from vision.rules.book.game import Game
from vision.rules.book.house import SINGLE
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import PlayedRound, SeatDue, Settlement
from vision.rules.odds.figures import Computed
from vision.rules.text.gamefile import WagerSpec
from vision.values.cards import Card, DealtHand
from vision.values.money import Cents, dollars

PIPED_WIDTH = 120  # nobody's window to fit
OUT = Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)
PROSE = {
    "rule",
    "about",
    "remedy",
    "remark",
    "condition",
    "text",
    "wagers",
    "where",
    "title",
    "seen by a camera",
    "needs",
}
COLOUR = {"win": "green", "lose": "red", "forfeit": "red", "returned": "cyan", "unresolved": "yellow"}


@contextmanager
def progress(what: str, steps: int) -> Iterator[Callable[[str], None]]:
    """Show on stderr how far a long work is; each call of the yielded function is one step begun."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=steps)

        def report(step: str) -> None:
            bar.update(task, advance=1, description=f"{what}: {step}")

        yield report


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on stderr how far a work is that counts by itself: each call says how many are done, and of how many."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class _Speed(ProgressColumn):
    """How many times faster than real time a recording is played."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.completed / task.elapsed:.2f} × real time" if task.elapsed else "")


@contextmanager
def playing(what: str) -> Iterator[Callable[[float, float | None], None]]:
    """Show on stderr how far a recording is played: each call says the second it is at, and how many there are."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:.1f} s"), _Speed())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def games(known: Sequence[Game]) -> None:
    """Print the list of games."""
    grid = make_grid("Games", "id", "game", "place", "wagers", "text")
    for game in known:
        about = game.file.game
        grid.add_row(game.id, about.name, about.place, ", ".join(game.stakes), about.source)
    OUT.print(grid)


def game(shown: Game, *, paytables: bool) -> None:
    """Print one game."""
    about = shown.file.game
    OUT.print(f"[bold]{about.name}, {about.place}[/] ({about.id})\n{about.source}")
    if about.missing:
        OUT.print(f"[yellow]Not in the text:[/] {about.missing}")
    OUT.print(_wagers(shown), _options(shown), _irregularities(shown))
    if paytables:
        for grid in _paytables(shown):
            OUT.print(grid)


def house(sheet: HouseSheet) -> None:
    """Print a house's choices."""
    OUT.print(f"[bold]{sheet.name or 'House sheet'}[/]: {sheet.game}, dealt {sheet.deal_method.replace('_', ' ')}")
    grid = make_grid("Choices", "what", "choice")
    for name, letter in sheet.house.letters.items():
        grid.add_row(f"paytable {name}", "the only one" if letter == SINGLE else letter)
    for name, value in sheet.house.options.items():
        grid.add_row(f"option {name}", "unset" if value is None else str(value))
    for wager, (least, most) in sheet.limits_cents.items():
        grid.add_row(f"limits {wager}", f"{dollars(least)} to {dollars(most)}")
    OUT.print(grid)


def settlement(title: str, played: PlayedRound, due: Settlement) -> None:
    """Print a round and what it is due, wager by wager."""
    OUT.print(f"[bold]{title}[/]")
    if played.dealer:
        OUT.print(f"dealer  {_cards(played.dealer)}  {_words(due.dealer_hand)}")
    if played.bonus:
        OUT.print(f"bonus   {_cards(played.bonus)}")
    cards = {play.seat: play.cards for play in played.seats}
    for seat in due.seats:
        OUT.print(f"seat {seat.seat}  {_cards(cards[seat.seat])}  {_words(seat.hand)}")
        OUT.print(_lines(seat))
    if due.remedy:
        OUT.print(f"[yellow]{due.status}:[/] {due.remedy} ({due.cite})")
    for violation in due.violations:
        OUT.print(f"[yellow]{violation.code}:[/] {violation.detail} ({violation.cite})")
    for note in due.notes:
        OUT.print(f"[dim]note:[/] {note}")


def _lines(seat: SeatDue) -> Grid:
    grid = make_grid("", "", "wager", "stake", "outcome", "odds", "paid", "rule")
    for wager, line in seat.lines.items():
        outcome = f"[{COLOUR[line.outcome]}]{line.outcome}[/]"
        rule = f"{line.cite}: {line.why}" if line.why else line.cite
        grid.add_row("", _words(wager), _money(line.stake), outcome, str(line.pay or ""), _money(line.paid), rule)
    return grid


def _cards(cards: DealtHand) -> str:
    """Write cards with the suits' own signs, the red ones red."""
    signs = {"c": "♣", "d": "[red]♦[/]", "h": "[red]♥[/]", "s": "♠"}
    return " ".join(card.rank + signs[card.suit] if isinstance(card, Card) else str(card) for card in cards)


def figures(computed: Sequence[Computed]) -> None:
    """Print published against computed."""
    grid = make_grid("The texts' own figures", "figure", "measure", "published", "computed", "agree", "remark")
    for result in computed:
        verdict = "[green]yes[/]" if result.agrees else "[yellow]no[/]" if result.figure.remark else "[red]NO[/]"
        figure = result.figure
        grid.add_row(figure.cite, _words(figure.measure), figure.published, result.text, verdict, figure.remark or "")
    OUT.print(grid)
    differing = sum(not result.agrees for result in computed)
    OUT.print(f"{len(computed) - differing} of {len(computed)} printed figures are reproduced.")


def _money(cents: Cents | None) -> str:
    return "?" if cents is None else dollars(cents)


def _words(name: str | None) -> str:
    return (name or "").replace("_", " ")


def make_grid(title: str, *columns: str) -> Grid:
    """Return an empty table of the house style."""
    grid = Grid(title=title or None, title_justify="left", title_style="bold", header_style="dim", box=SIMPLE_HEAD)
    for column in columns:
        prose = column in PROSE
        grid.add_column(column, justify="right" if column in ("stake", "paid") else "left", no_wrap=not prose)
    return grid


def _wagers(game: Game) -> Grid:
    grid = make_grid("Wagers", "wager", "placed", "condition", "on a fold", "rule")
    for wager in game.wagers.values():
        fates = " / ".join(dict.fromkeys(row.fate for row in wager.fold))
        grid.add_row(wager.name, wager.placed or f"on {wager.on}", _condition(wager), fates, wager.cite)
    return grid


def _condition(wager: WagerSpec) -> str:
    parts = []
    if wager.needs_all:
        parts.append("needs " + " and ".join(wager.needs_all))
    if wager.needs_any:
        parts.append("needs " + " or ".join(wager.needs_any))
    if wager.equal_to:
        parts.append(f"equal to {wager.equal_to}")
    for times in wager.times:
        size = ", ".join(map(str, times.exactly)) or f"{times.least} to {times.most}"
        parts.append(f"{size} times {wager.of}")
    return "; ".join(dict.fromkeys(map(_words, parts)))


def _options(game: Game) -> Grid:
    grid = make_grid("Options", "option", "values", "default", "about", "rule")
    for name, option in game.file.option.items():
        values = ", ".join(map(str, option.values)) or "cents"
        default = "unset" if option.default is None else str(option.default)
        grid.add_row(name, values, default, option.about, option.cite)
    return grid


def _irregularities(game: Game) -> Grid:
    grid = make_grid("Irregularities", "what", "effect", "remedy", "rule")
    for entry in game.file.irregular:
        what = ", ".join(entry.on)
        if entry.at_least:
            what += f" ({entry.at_least} or more)"
        if entry.other_than:
            what += f" (other than {entry.other_than})"
        grid.add_row(what, entry.effect, entry.remedy, entry.cite)
    return grid


def _paytables(game: Game) -> Iterator[Grid]:
    for name, group in game.file.pay.items():
        if not group.tables:
            continue
        letters = list(group.tables)
        grid = make_grid(
            f"Paytable {_words(name)}", "hand", *("" if letter == SINGLE else letter for letter in letters)
        )
        classes = dict.fromkeys(row.cls for table in group.tables.values() for row in table.rows)
        for cls in classes:
            pays = [{row.cls: str(row.pay) for row in group.tables[letter].rows} for letter in letters]
            grid.add_row(_words(cls), *(pay.get(cls, "") for pay in pays))
        yield grid
