"""Remarks beside a settlement: what a person should sign off, and what the input itself left odd."""

from collections.abc import Iterator, Mapping

from vision.rules.book.house import House
from vision.rules.due.record import Line, PlayedRound
from vision.rules.text.gamefile import Irregular
from vision.rules.text.pays import Kind
from vision.values.money import dollars


def notes_on(
    house: House, played: PlayedRound, lines: Mapping[int, Mapping[str, Line]], irregular: Irregular | None
) -> Iterator[str]:
    """Yield the remarks on a settled round."""
    if irregular is not None:
        yield f"{irregular.remedy} ({irregular.cite})"
    if played.up_card is not None and played.up_card not in played.dealer:
        yield f"up_card {played.up_card} is not among the dealer's cards"
    for play in played.seats:
        base = house.game.decisions[0].of if house.game.decisions else None
        if play.folded and base and not play.stake(base):
            yield f"seat {play.seat}: no {base} wager, so there is nothing to fold (A-26)"
    yield from _sign_offs(lines)
    yield from _unnamed_tables(house, played)
    yield from _unknown_envy(house, played, lines)
    yield from _doubtful_tables(house, lines)
    yield from _low_seeds(house, played)


def _sign_offs(lines: Mapping[int, Mapping[str, Line]]) -> Iterator[str]:
    for seat, own in lines.items():
        for wager, line in own.items():
            if line.pay is not None and line.pay.kind is Kind.FIXED:
                prize = dollars(line.paid or 0)
                yield f"seat {seat}: {wager} wins {prize}: floor verification and sign-off needed (A-16)"


def _unnamed_tables(house: House, played: PlayedRound) -> Iterator[str]:
    """Yield the bonuses that nobody can check because the house named no paytable, and twins that do not match."""
    for wager in house.game.wagers.values():
        if wager.on and wager.id not in house.offered and any(play.stake(wager.on) for play in played.seats):
            yield f"the house names no paytable for {wager.name}: it is not settled"
    for name, group in house.game.file.pay.items():
        twin = house.letters.get(group.printed_with or "")
        if twin is not None and house.letters.get(name, twin) != twin:
            yield f"{name} {house.letters[name]} with {group.printed_with} {twin}: the text prints them as one table"


def _unknown_envy(house: House, played: PlayedRound, lines: Mapping[int, Mapping[str, Line]]) -> Iterator[str]:
    """Yield a warning where envy is due by a table that the texts lack."""
    group = house.game.file.pay.get("envy")
    if group is None or group.absent is None:
        return
    bettors = [play.seat for play in played.seats if play.stake("progressive")]
    for seat, own in lines.items():
        line = own.get("progressive")
        if line is not None and line.meter is not None and len(bettors) > 1:
            yield f"seat {seat}: others may be due an Envy Bonus by {group.absent}, which is not in the texts"


def _doubtful_tables(house: House, lines: Mapping[int, Mapping[str, Line]]) -> Iterator[str]:
    """Yield the notes of paytables that paid somebody."""
    paid = {wager for own in lines.values() for wager, line in own.items() if line.paid}
    for wager in house.game.wagers.values():
        if wager.id in paid:
            yield from _table_notes(house, house.plans[wager.id].groups)
    if "envy" in paid and house.game.file.envy:
        yield from _table_notes(house, [house.game.file.envy.table])


def _table_notes(house: House, groups: list[str]) -> Iterator[str]:
    for group in groups:
        table = house.table(group)
        if table is not None and table.note:
            yield table.note


def _low_seeds(house: House, played: PlayedRound) -> Iterator[str]:
    for group in house.game.file.pay:
        table = house.table(group)
        if table is None or not table.seeds_minimum:
            continue
        for meter, least in table.seeds_cents.items():
            seed = played.seeds.get(meter)
            if seed is not None and seed < least:
                yield f"seed of the {meter} meter {dollars(seed)}: below {dollars(least)} ({table.seeds_cite})"
