"""Detections as `feltwatch detect` writes them: one JSON object for each picture."""

from collections.abc import Sequence
from typing import Any

from vision.detect.detection import Detection
from vision.values.picture import Quad


def report(image: str, size: tuple[int, int], detections: Sequence[Detection]) -> dict[str, Any]:
    """Return the record of one picture; `size` is its width and height."""
    return {
        "image": image,
        "w": size[0],
        "h": size[1],
        "cards": [_card(one) for one in detections if one.found.kind.startswith("card")],
        "chips": [_stack(one) for one in detections if one.found.kind == "stack"],
        "hands": [_thing(one) for one in detections if one.found.kind == "hand"],
        "others": [_thing(one) for one in detections if one.found.kind == "other"],
    }


def _card(one: Detection) -> dict[str, Any]:
    up = one.found.kind == "card_up"
    card = one.face.card if one.face else None
    p = one.face.confidence if one.face else None
    return {
        "quad": _points(one.found.quad),
        "face": "up" if up else "down",
        "card": None if card is None else str(card),
        "p": None if card is None or p is None else round(p, 4),
        "score": round(one.found.score, 4),
    }


def _stack(one: Detection) -> dict[str, Any]:
    record: dict[str, Any] = {"quad": _points(one.found.quad)}
    if one.stack is not None:
        record |= {
            "count": one.stack.count,
            "count_bounds": list(one.stack.count_bounds),
            "denominations": list(one.stack.denominations),
            "value_cents": one.stack.value_cents,
            "value_bounds": None if one.stack.value_bounds is None else list(one.stack.value_bounds),
            "p": round(one.stack.value_p if one.stack.value_cents is not None else one.stack.count_p, 4),
        }
    return {**record, "score": round(one.found.score, 4)}


def _thing(one: Detection) -> dict[str, Any]:
    return {"quad": _points(one.found.quad), "score": round(one.found.score, 4)}


def _points(quad: Quad) -> list[list[float]]:
    return [[round(u, 2), round(v, 2)] for u, v in quad]
