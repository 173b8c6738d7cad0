"""Stakes that fit together: a raise and its base, each with its doubt, enter; the likeliest legal pair leaves.

Where the likeliest readings make an illegal raise and the doubt allows a legal one, the legal one is believed: players
raise by the rules far more often than chips are read right.
"""

from collections.abc import Iterator
from dataclasses import replace

from vision.rules.due.decision import raise_fits
from vision.rules.text.gamefile import WagerSpec
from vision.story.amounts import Amount, among, within
from vision.story.floor import Floor
from vision.story.playing import RoundInPlay
from vision.story.spots import Spot


def stake_of(floor: Floor, played: RoundInPlay, spot: Spot) -> Amount:
    """Return what was wagered on a spot."""
    for raised in floor.game.decisions:
        high, base = (played.spots.get((spot.seat, wager)) for wager in (raised.id, raised.of or ""))
        is_made = high is not None and base is not None and bool(high.stakes) and bool(base.stakes)
        if spot.wager not in (raised.id, raised.of) or not is_made or high is None or base is None:
            continue
        pair = legal_pair(high.stake, _limited(floor, base), raised)
        if pair is not None:
            stake = spot.stake
            cents = pair[0] if spot.wager == raised.id else pair[1]
            return stake if cents == stake.cents else replace(stake, cents=cents, p=stake.chance_of(cents))
    return _limited(floor, spot)


def _limited(floor: Floor, spot: Spot) -> Amount:
    """Return a stake by the stakes or limits of the table: they are kept far more often than chips are read right."""
    if spot.worths and spot.is_made:
        return among(spot.stake, spot.worths)
    limits = floor.sheet.limits_cents.get(spot.wager)
    return spot.stake if limits is None or not spot.is_made else within(spot.stake, *limits)


def legal_pair(raised: Amount, base: Amount, spec: WagerSpec) -> tuple[int, int] | None:
    """Return the likeliest raise and base that fit; None where the likeliest fit anyway, or none do."""
    if raised.cents is None or base.cents is None or not spec.times or _fits(raised.cents, base.cents, spec):
        return None
    pairs = [pair for pair in _pairs(raised, base, spec) if _fits(*pair, spec)]
    chances = [(raised.chance_of(high) * base.chance_of(low), high, low) for high, low in pairs]
    best = max(chances, default=(0.0, 0, 0))
    return (best[1], best[2]) if best[0] > 0 else None


def legal_raise(raised: int, base: int, spec: WagerSpec) -> int:
    """Return the legal raise that is nearest to one that was not read surely."""
    factors = {factor for times in spec.times for factor in (times.least, times.most, *times.exactly) if factor}
    if not factors or _fits(raised, base, spec):
        return raised
    return min((factor * base for factor in sorted(factors)), key=lambda legal: abs(legal - raised))


def _fits(raised: int, base: int, spec: WagerSpec) -> bool:
    return any(raise_fits(raised, base, times) for times in spec.times)


def _pairs(raised: Amount, base: Amount, spec: WagerSpec) -> Iterator[tuple[int, int]]:
    """Yield raises and bases that some readings, or the bounds, allow."""
    factors = sorted({times.most or max(times.exactly) for times in spec.times} | {1, 2, 3})
    highs, lows = [value for value, _ in raised.chances], [value for value, _ in base.chances]
    yield from ((high, low) for high in highs for low in lows)
    yield from ((high, high // k) for high in highs for k in factors if high % k == 0 and base.may_be(high // k))
    yield from ((low * k, low) for low in lows for k in factors if raised.may_be(low * k))
