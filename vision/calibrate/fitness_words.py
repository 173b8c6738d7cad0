"""Camera fitness in words and as a record: a Fitness enters; lines for people, or a JSON object, leave."""

from typing import Final

from vision.calibrate.fitness import BRIGHT, DARK, MOST_CHIPS, SOFT_PX, STACK, Fitness, Light, PlaceFitness
from vision.table.views import view_class
from vision.table.zones import Zone

INDICES: Final = {"yes": "indices are read", "doubtful": "indices may be misread", "no": "no index is read"}


def words(fitness: Fitness) -> list[str]:
    """Return what a camera can prove and what it cannot, line by line."""
    return [*_about_view(fitness), *map(_about_spot, fitness.spots), *_about_cards(fitness), *_about_light(fitness)]


def record(fitness: Fitness) -> dict[str, object]:
    """Return all numbers and words as one JSON object."""
    view = fitness.view
    return {
        "view": view.name,
        "megapixels": round(view.megapixels, 1),
        "tilt_deg": round(view.tilt_deg, 1),
        "fill": round(view.fill, 3),
        "least": {key: round(value, 2) for key, value in view.least.model_dump().items()},
        "lacks": list(view.lacks),
        "places": [_place_record(place) for place in fitness.places],
        "says": words(fitness),
    }


def title(name: str) -> str:
    """Return a place as people call it: 'Seat 3 Aces Up', 'Dealer cards'."""
    zone = Zone.parse(name)
    if zone.seat is None:
        return name.replace(".", " ").capitalize()
    return f"Seat {zone.seat} {'cards' if zone.name == 'cards' else zone.name.replace('_', ' ').title()}"


def _about_view(fitness: Fitness) -> list[str]:
    view = fitness.view
    about = f"{view.megapixels:.1f} megapixels, {view.tilt_deg:.0f} degrees off the vertical"
    lines = [f"View: {view.name} ({about}). {_capital(view_class(view.name).about)}."]
    if view.lacks:
        lines.append(f"Not a reference view: {'; '.join(view.lacks)}.")
    exact = [place.exact for place in fitness.spots]
    best = f"Stacks are counted exactly up to {max(exact)} chips at the best spot, {min(exact)} at the worst."
    lines.append(best if max(exact) else "No stack is counted exactly: amounts are told as bounds.")
    return lines


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _about_spot(place: PlaceFitness) -> str:
    if not place.view.is_in_picture:
        return f"{title(place.name)}: out of the picture."
    said = {0: "no stack exact", 1: "single chips exact"}.get(place.exact, f"stacks up to {place.exact} exact")
    covers = [(_other(place, cover.place), cover.chips) for cover in place.covers]
    hidden = [f"hidden behind the {other} stack from {chips} chips on" for other, chips in covers]
    return f"{title(place.name)}: {'; '.join([said, *hidden])}."


def _other(place: PlaceFitness, name: str) -> str:
    """Return another spot's name, without the seat where it is the same one."""
    seat, other = place.view.place.zone.seat, Zone.parse(name)
    return title(name) if other.seat != seat else title(name).removeprefix(f"Seat {seat} ")


def _about_cards(fitness: Fitness) -> list[str]:
    seen = [place for place in fitness.cards if place.view.is_in_picture]
    groups = {text: [place for place in seen if place.reads_index == answer] for answer, text in INDICES.items()}
    groups["out of the picture"] = [place for place in fitness.cards if not place.view.is_in_picture]
    named = {text: ", ".join(title(place.name) for place in found) for text, found in groups.items()}
    return [f"Cards: {text}: {names}." for text, names in named.items() if names]


def _about_light(fitness: Fitness) -> list[str]:
    found: dict[str, list[str]] = {}
    for place in fitness.places:
        for fault in _light_faults(place.light) if place.light else ():
            found.setdefault(fault, []).append(title(place.name))
    return [f"{fault}: {', '.join(names)}." for fault, names in found.items()]


def _light_faults(light: Light) -> list[str]:
    faults = ["Not sharp"] if light.edge_px is not None and light.edge_px > SOFT_PX else []
    faults += ["Too dark"] if light.level < DARK else []
    return faults + (["Overexposed"] if light.burnt > BRIGHT else [])


def _place_record(place: PlaceFitness) -> dict[str, object]:
    view, light = place.view, place.light
    common: dict[str, object] = {
        "place": place.name,
        "in_picture": view.is_in_picture,
        "px_per_mm": round(view.px_per_mm, 3),
        "tilt_deg": round(view.tilt_deg, 1),
        "distance_mm": round(view.distance_mm),
    }
    if view.place.has_cards:
        common |= {"card_px": round(view.card_px, 1), "index_px": round(place.index_px, 1)}
        common["reads_index"] = place.reads_index
    else:
        common |= {
            "chip_edge_px": round(view.chip_edge_px, 2),
            "largest_exact": place.exact,
            "is_largest_bounded": place.exact < MOST_CHIPS,
            f"hidden_by_{STACK}_chips_mm": round(place.hides_mm, 1),
            f"hidden_by_{STACK}_chips": list(place.hides),
            "hidden_behind": [{"place": cover.place, "from_chips": cover.chips} for cover in place.covers],
        }
    if light is not None:
        edge = None if light.edge_px is None else round(light.edge_px, 1)
        common["light"] = {"edge_px": edge, "level": round(light.level), "burnt": round(light.burnt, 3)}
    return common
