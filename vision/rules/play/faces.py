"""How many faces of the house's own cards may show, stage by stage."""

from vision.rules.play.tablestate import TableState
from vision.rules.text.gamefile import Stage


def legal_faces(state: TableState, zone: str) -> int:
    """Return how many faces of a zone may show now: the up-cards dealt so far, then what was to be revealed."""
    stages = state.house.game.file.stage
    reveals = [stage for stage in stages if stage.does == "reveal" and stage.zone == zone]
    begun = [stage for stage in reveals if not state.comes_later(stage)]
    if begun:
        return begun[-1].cards or state.house.game.file.counts[zone]
    if not reveals and _is_bonus_due(state, zone):
        return state.house.game.file.counts.get(zone, 0)
    return state.deal.faces_of(zone)


def is_revealed_by_stage(state: TableState, zone: str) -> bool:
    """Tell whether a zone's cards have a stage of their own in which they are turned."""
    return any(stage.does == "reveal" and stage.zone == zone for stage in state.house.game.file.stage)


def is_over(state: TableState, decision: Stage) -> bool:
    """Tell whether a decision has ended: the cards that follow it were turned. A flash of one ends nothing."""
    stages = state.house.game.file.stage
    following = stages[stages.index(decision) + 1]
    return following.does == "reveal" and state.is_revealed(following)


def _is_bonus_due(state: TableState, zone: str) -> bool:
    """A bonus card turns during settling; where the text says so, after the bettor's earlier wagers."""
    game = state.house.game
    if state.stage.does not in ("settle", "clear"):
        return False
    if not any(entry.id == "bonus-card" for entry in game.file.procedure):
        return True
    turn = {wager: i for i, group in enumerate(game.file.order.wagers) for wager in group}
    users = [
        wager
        for wager, plan in state.house.plans.items()
        if any(zone in game.zones.get(r.hand, ()) for r in plan.rules)
    ]
    for seat in reversed(state.seats):
        bonus = [wager for wager in users if state.stake(seat, wager)]
        if bonus:
            return not any(turn[wager] < turn[bonus[0]] for wager in state.live(seat))
    return True
