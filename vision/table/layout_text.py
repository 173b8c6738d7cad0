"""A layout as its file has it: a Layout enters, the text of a `layout.toml` leaves; the inverse of `read_layout`."""

import json

from vision.table.layout import Layout, SeatLayout, Shape


def layout_text(layout: Layout, remark: str) -> str:
    """Return the text of a layout's file, with a remark on its first lines."""
    lines = [f"# {line}".rstrip() for line in remark.splitlines()]
    lines += [f"name = {_quoted(layout.name)}", f"size_mm = {layout.size_mm}", f"outline = {layout.outline}"]
    lines += [f"artwork = {_quoted(layout.artwork)}"] if layout.artwork is not None else []
    lines += [f"mm_per_px = {layout.mm_per_px}"]
    lines += ["photographed = true"] if layout.photographed else []
    lines += [f"rail = [{', '.join(map(_inline, layout.rail))}]"] if layout.rail else []
    lines += ["", "[dealer]", *(f"{zone} = {_inline(shape)}" for zone, shape in layout.dealer.zones().items())]
    for seat in layout.seat:
        lines += ["", "[[seat]]", *_seat_lines(seat)]
    return "\n".join(lines) + "\n"


def _seat_lines(seat: SeatLayout) -> list[str]:
    lines = [f"number = {seat.number}", f"angle = {seat.angle}", f"cards = {_inline(seat.cards)}"]
    lines += [f"spots.{name} = {_inline(shape)}" for name, shape in seat.spots.items()]
    return lines + [f"payouts.{name} = {_inline(shape)}" for name, shape in seat.payouts.items()]


def _inline(shape: Shape) -> str:
    return f"{{ circle = {shape.circle} }}" if shape.circle else f"{{ polygon = {shape.polygon} }}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a JSON string is a TOML string
