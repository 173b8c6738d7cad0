"""How many faces of the house's own cards may show, stage by stage."""

from vision.rules.play.tablestate import TableState
from vision.rules.text.gamefile import Stage


def legal_faces(state: TableState, zone: str, stage: Stage) -> int:
    """Return how many faces of a zone may show in a stage: the up-cards of the deal, then what was to be revealed."""
    stages = state.house.game.file.stage
    here = stages.index(stage)
    reveals = [other for other in stages[: here + 1] if other.does == "reveal" and other.zone == zone]
    if reveals:
        return reveals[-1].cards or state.house.game.file.counts[zone]
    if not is_revealed_by_stage(state, zone) and here >= stages.index(state.stage_doing("settle")):
        return state.house.game.file.counts.get(zone, 0)  # a bonus card turns when its wager is settled
    return sum(delivery.face_up for delivery in state.script if delivery.zone == zone)


def is_revealed_by_stage(state: TableState, zone: str) -> bool:
    """Tell whether a zone's cards have a stage of their own in which they are turned."""
    return any(stage.does == "reveal" and stage.zone == zone for stage in state.house.game.file.stage)


def is_over(state: TableState, decision: Stage) -> bool:
    """Tell whether a decision has ended: the cards that follow it are being turned."""
    stages = state.house.game.file.stage
    following = stages[stages.index(decision) + 1]
    shown = state.turned.get((following.zone or "", None), 0)
    return following.does == "reveal" and shown > legal_faces(state, following.zone or "", decision)
