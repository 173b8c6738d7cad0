"""A second program for the single wagers, written from the texts alone: plain loops over cards, no part of the engine.

`NAME(rng)` draws a wager with random cards, dice, tiles or spins; `NAME_due(inputs)` says what it is due.
Paytables are typed in again from the texts. An answer is (outcome, odds, paid in cents, whether the stake comes back).
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

Answer = tuple[str, str | None, Fraction | None, bool | None]
Inputs = dict[str, Any]
RANKS, SUITS = "23456789TJQKA", "cdhs"
OPEN: Answer = ("unresolved", None, None, None)
LOST: Answer = ("lose", None, Fraction(0), False)
BACK: Answer = ("push", None, Fraction(0), True)


def to(odds: str, stake: int, times: int = 1) -> Answer:
    """Pay '3 to 2' or '5 for 1'."""
    top, word, bottom = odds.split()
    return "win", odds, Fraction(stake * times * int(top), int(bottom)), word == "to"


def dollars(amount: int, *, back: bool = False, of: str | None = None) -> Answer:
    return "win", of or f"${amount:,}", Fraction(amount * 100), back


def meter(percent: int, cents: int, name: str, share: int = 1) -> Answer:
    return "win", f"{percent}% {name}", Fraction(cents * percent, 100 * share), False


# ---- drawing


def deck(rng: Random, decks: int) -> list[str]:
    """Shuffle a shoe; often only a few ranks or suits of it, so that rare hands come up."""
    ranks, suits = RANKS, SUITS
    mood = rng.random()
    if mood > 0.97:
        ranks, suits = rng.choice(["9TJQKA", "TJQKA", "56789", "A2345"]), rng.choice("dhs")
    if mood < 0.5:
        ranks = "".join(rng.sample(RANKS, rng.randint(3, 6)))
    if (mood < 0.2 and decks > 1) or 0.5 < mood < 0.7:
        suits = "".join(rng.sample(SUITS, rng.randint(1, 2)))
    if 0.9 < mood < 0.97:
        ranks = rng.choice(["TJQKA", "9TJQKA", "A2345", "7A", "9K", "AKT"])
    few = [rank + suit for rank in ranks for suit in suits] * decks
    rest = [rank + suit for rank in RANKS for suit in SUITS] * decks
    rng.shuffle(few)
    rng.shuffle(rest)
    spare = Counter(rest) - Counter(few)
    return few + [card for card in rest if spare[card] > 0]


# ---- five cards


def in_line(ranks: list[int]) -> bool:
    low = sorted(1 if rank == 14 else rank for rank in ranks)
    high = sorted(ranks)
    return any(line == list(range(line[0], line[0] + len(line))) for line in (low, high))


def values(cards: list[str]) -> list[int]:
    return [RANKS.index(card[0]) + 2 for card in cards]


def poker(cards: tuple[str, ...]) -> tuple[int, list[int]]:
    """Return the class of five cards (8 straight flush .. 0 nothing) and what breaks ties."""
    ranks = values(list(cards))
    counted = sorted(Counter(ranks).items(), key=lambda pair: (-pair[1], -pair[0]))
    shape = [count for _, count in counted]
    order = [rank for rank, _ in counted]
    flush, line = len({card[1] for card in cards}) == 1, in_line(ranks) and len(set(ranks)) == 5
    if line and sorted(ranks) == [2, 3, 4, 5, 14]:
        order = [5]
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0)
    if flush and line:
        return 8, order
    if flush and kind < 6:
        return 5, order
    return (4, order) if line else (kind, order)


def best(cards: list[str]) -> tuple[int, list[int], str]:
    """Return the best five of the cards, and the suit of a royal flush."""
    hands = [(*poker(five), five) for five in combinations(cards, 5)]
    cls, order, _ = max(hands, key=lambda hand: hand[:2])
    royal = next((five[0][1] for cls, order, five in hands if cls == 8 and order[0] == 14), "")
    return cls, order, royal


# ---- poker family

SIX = {8: "200 to 1", 7: "50 to 1", 6: "20 to 1", 5: "15 to 1", 4: "10 to 1", 3: "5 to 1"}
OWN = {"643b.1": 3, "647b.1": 2, "653b.1": 2, "655b.1": 2, "657b.1": 5}


def six_card(rng: Random) -> tuple[str, str, None, Inputs]:
    section, cards = rng.choice(list(OWN)), deck(rng, 1)
    own = OWN[section]
    return section, "Six Card Bonus Wager", None, {
        "decks": 1, "player": cards[:own], "six_card_bonus_cards": cards[own:6], "folded": rng.random() < 0.2,
    }  # fmt: skip


def six_card_due(it: Inputs) -> Answer:
    cards = it["player"] + it["six_card_bonus_cards"]
    for suit in SUITS:
        if all(rank + suit in cards for rank in "AKQJT9"):
            return dollars(1_000_000 if suit == "d" else 100_000, back=True)
    cls, _, royal = best(cards)
    odds = "1000 to 1" if royal else SIX.get(cls)
    return to(odds, it["stake_cents"]) if odds else LOST


LINKED = {"639b.3": "FGH", "643b.4": "BCD", "647b.4": "BCD", "653b.4": "BCD", "655b.3": "BCD", "657b.4": "BCD"}


def linked(rng: Random) -> tuple[str, str, str, Inputs]:
    section = rng.choice(list(LINKED))
    name = "Five-Card Progressive Payout Wager" if section in ("643b.4", "657b.4") else "Progressive Payout Wager"
    meters = {"mega": rng.randint(10**6, 10**7), "major": rng.randint(10**5, 10**6), "minor": rng.randint(25000, 10**5)}
    return section, name, rng.choice(LINKED[section]), {
        "decks": 1, "hand5": deck(rng, 1)[:5], "meter_cents": meters, "linked_games": rng.random() < 0.95,
        "winners_of_row_in_round": rng.choice([1, 1, 1, 2]),
    }  # fmt: skip


def linked_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    if not it["linked_games"]:
        return OPEN
    cls, order = poker(tuple(it["hand5"]))
    quads_for_300 = letter in ("B", "F")
    if cls == 8 or (cls == 7 and not quads_for_300):
        name = "minor" if cls == 7 else "mega" if order[0] == 14 else "major"
        one = it["winners_of_row_in_round"] == 1
        return meter(100, it["meter_cents"][name], f"{name.title()} Jackpot") if one else OPEN
    three = "10 for 1" if letter in ("C", "G") else "9 for 1"
    odds = {7: "300 for 1", 6: "50 for 1", 5: "40 for 1", 4: "30 for 1", 3: three}.get(cls)
    return to(odds, it["stake_cents"]) if odds else LOST


def five_of_six(rng: Random) -> tuple[str, str, None, Inputs]:
    cards = deck(rng, 1)
    return "649b.1", "5 of 6 Progressive Payout Wager", None, {
        "decks": 1, "player": cards[:3], "dealer": cards[3:6], "meter_cents": rng.randint(10**6, 10**7),
    }  # fmt: skip


def five_of_six_due(it: Inputs) -> Answer:
    cls, _, royal = best(it["player"] + it["dealer"])
    if royal:
        return meter(100 if royal == "s" else 25, it["meter_cents"], "of meter")
    odds = {8: "250 for 1", 7: "100 for 1", 6: "20 for 1", 5: "10 for 1", 4: "5 for 1"}.get(cls)
    return to(odds, it["stake_cents"]) if odds else LOST


def bad_beat(rng: Random) -> tuple[str, str, str, Inputs]:
    cards = deck(rng, 1)
    return "653b.3", "Bad Beat Bonus Wager", rng.choice("AB"), {
        "decks": 1, "player": cards[:2], "dealer": cards[2:4], "community": cards[4:9], "folded": rng.random() < 0.05,
    }  # fmt: skip


def bad_beat_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    if it["folded"]:
        return OPEN
    mine, theirs = best(it["player"] + it["community"])[:2], best(it["dealer"] + it["community"])[:2]
    if mine == theirs:
        return LOST
    tables = {"A": ["9 to 1", "20 to 1", "25 to 1", "40 to 1", "500 to 1", "10000 to 1"]}
    tables["B"] = ["9 to 1", "20 to 1", "30 to 1", "50 to 1", "500 to 1", "7500 to 1"]
    cls = min(mine, theirs)[0]
    return to(tables[letter][cls - 3], it["stake_cents"]) if cls >= 3 else LOST


def tiger(rng: Random) -> tuple[str, str, None, Inputs]:
    low = rng.choice([deck(rng, 1)[:2], ["9s", rng.choice("2345678") + "c"], ["9c", "joker"]])
    wager = rng.choice(["Tiger 9 Wager", "Commission Free Pai Gow Poker Wager"])
    return "645b.2", wager, None, {"dealer_low_hand": low, "_wager": wager}


def tiger_due(it: Inputs) -> Answer:
    cards = it["dealer_low_hand"]
    nine_high = "joker" not in cards and cards[0][0] != cards[1][0] and max(values(cards)) == 9
    if it["_wager"] == "Tiger 9 Wager":
        return to("30 to 1", it["stake_cents"]) if nine_high else LOST
    return BACK if nine_high else OPEN


def crazy4(rng: Random) -> tuple[str, str, str, Inputs]:
    hits = rng.choice([1, 1, 2])
    hand = rng.choice([deck(rng, 1)[:4], ["As", "Ah", "Ad", "Ac"], ["7s", "7h", "7d", "7c"], ["As", "2s", "3s", "4s"]])
    return "004.3", "Crazy 4 Poker Progressive", "sample", {
        "decks": 1, "hand4": hand, "meter_cents": rng.randint(5 * 10**5, 10**7), "meter_hits_in_round": hits,
    }  # fmt: skip


def crazy4_due(it: Inputs) -> Answer:
    cards = it["hand4"]
    most = max(Counter(card[0] for card in cards).values())
    if [card[0] for card in cards] == ["A"] * 4:
        return meter(100, it["meter_cents"], "of meter") if it["meter_hits_in_round"] == 1 else OPEN
    straight_flush = len({card[1] for card in cards}) == 1 and in_line(values(cards))
    odds = "300 for 1" if most == 4 else "100 for 1" if straight_flush else "9 for 1" if most == 3 else None
    return to(odds, it["stake_cents"]) if odds else LOST


def poker_envy(rng: Random) -> tuple[str, str, str, Inputs]:
    """The others' royal flushes with the dealer's cards, or their great four-card hands."""
    if rng.random() < 0.5:
        suit = rng.choice("sd")
        others = [rng.choice([["A" + suit, "T" + suit, "2c"], ["3c", "4h", "5d"]]) for _ in range(rng.randint(0, 3))]
        it = {"dealer": ["K" + suit, "Q" + suit, "J" + suit], "other_players": others, "player": ["9c", "9h", "9d"]}
        return "649b.1", "5 of 6 Envy Bonus", rng.choice(["$1", "$5"]), it
    great = [["As", "Ah", "Ad", "Ac"], ["7s", "7h", "7d", "7c"], ["As", "2s", "3s", "4s"], ["2c", "3c", "4c", "9c"]]
    others = [rng.choice(great) for _ in range(rng.randint(0, 2))]
    made = rng.random() < 0.8
    it = {"hand4": great[0], "other_players": others, "progressive_wager_made": made}
    return "004.10", "Crazy 4 Poker Envy", "sample", it


def poker_envy_due(it: Inputs) -> Answer:
    if it["_section"] == "649b.1":
        royals = sum(hand[0][0] == "A" for hand in it["other_players"])
        each = (100 if it["dealer"][0][1] == "s" else 50) * (5 if it["_letter"] == "$5" else 1)
        return ("win", f"${each}", Fraction(each * royals * 100), False) if royals else LOST
    amounts = [{"As": 100, "7s": 10}.get(hand[0], 0) for hand in it["other_players"]]
    for i, hand in enumerate(it["other_players"]):
        amounts[i] = 5 if hand[1] == "2s" else amounts[i]
    if not sum(amounts) or not it["progressive_wager_made"]:
        return LOST
    return "win", f"${max(amounts)}", Fraction(sum(amounts) * it["stake_cents"]), False


# ---- baccarat family


def count(cards: list[str]) -> int:
    return sum({"A": 1}.get(card[0], int(card[0]) if card[0].isdigit() else 0) for card in cards) % 10


def pair_name(cards: list[str]) -> int | None:
    """0 perfect, 1 colored, 2 mixed."""
    one, other = cards[:2]
    if one[0] != other[0]:
        return None
    return 0 if one == other else 1 if {one[1], other[1]} in ({"c", "s"}, {"d", "h"}) else 2


PAIRS = {"A": ["25 to 1", "12 to 1", "6 to 1"], "B": ["30 to 1", "10 to 1", "5 to 1"]}
PAIRS["C"] = ["25 to 1", "15 to 1", "5 to 1"]


def hands(rng: Random) -> Inputs:
    cards = deck(rng, 8)
    cut = rng.choice([4, 5, 6])
    player = cards[:2] + cards[4 : 4 + (cut == 6 or (cut == 5 and rng.random() < 0.5))]
    banker = cards[2:4] + cards[5 : 5 + (cut == 6 or (cut == 5 and len(player) == 2))]
    if rng.random() < 0.15:
        banker = player[::-1]
    return {
        "decks": 8,
        "player": player,
        "banker": banker,
        "points": {"player": count(player), "banker": count(banker)},
    }


def perfect_pairs(rng: Random) -> tuple[str, str, str, Inputs]:
    where = rng.choice(["player", "banker"])
    section = rng.choice(["627b.1", "629b.1", "631b.1"])
    return section, "Perfect Pairs Wager", rng.choice("ABC"), {**hands(rng), "wager_on": where}


def perfect_pairs_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    name = pair_name(it[it["wager_on"]])
    return LOST if name is None else to(PAIRS[letter][name], it["stake_cents"])


FREE = ["Player Pair Wager", "Banker Pair Wager", "Player Hand", "Banker Hand", "Tie Wager", "Lucky Six Wager"]


def commission_free(rng: Random) -> tuple[str, str, None, Inputs]:
    wager = rng.choice(FREE)
    section = rng.choice(["627b.4", "629b.4", "631b.5"])
    return section, f"Commission Free: {wager}", None, {**hands(rng), "_wager": wager}


def commission_free_due(it: Inputs) -> Answer:
    stake, wager = it["stake_cents"], it["_wager"]
    player, banker = it["points"]["player"], it["points"]["banker"]
    if "Pair" in wager:
        paired = pair_name(it["player" if wager.startswith("Player") else "banker"]) is not None
        return to("11 to 1", stake) if paired else LOST
    if wager == "Tie Wager":
        return to("8 to 1", stake) if player == banker else LOST
    if wager == "Lucky Six Wager":
        if banker != 6 or player > 6:
            return LOST
        return OPEN if player == 6 else to("12 to 1" if len(it["banker"]) == 2 else "20 to 1", stake)
    if player == banker:
        return BACK
    if (player > banker) != (wager == "Player Hand"):
        return LOST
    return to("1 to 2" if wager == "Banker Hand" and banker == 6 else "1 to 1", stake)


def royal_9(rng: Random) -> tuple[str, str, str, Inputs]:
    combos = [[f"K{king}", f"9{nine}"] for king in SUITS for nine in SUITS]
    personal = {str(i + 1): combo for i, combo in enumerate(rng.sample(combos, 7))}
    it = hands(rng)
    for hand in ("player", "banker"):
        if rng.random() < 0.5:
            it[hand] = rng.sample(rng.choice([*personal.values(), ["Qh", "9h"], ["Js", "9d"]]), 2)
    if rng.random() < 0.3:
        it["banker"] = it["player"][::-1] if len(it["player"]) == 2 else it["player"]
    it["points"] = {"player": count(it["player"]), "banker": count(it["banker"])}
    meters = {"mega": 5_000_017, "major": 45_003, "minor": 45_001}
    extra = {"position": rng.randint(1, 7), "personal_combinations": personal, "meter_cents": meters}
    return rng.choice(["627b.5", "629b.5"]), "Royal 9 Progressive Wager", rng.choice(["$5", "$1"]), {**it, **extra}


def royal_9_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    player, banker = sorted(it["player"][:2]), sorted(it["banker"][:2])
    own = sorted(it["personal_combinations"][str(it["position"])])
    jackpots = [("mega", player == own == banker), ("major", banker == own), ("minor", player == own)]
    for name, won in jackpots:
        if won:
            return meter(100, it["meter_cents"][name], f"{name.title()} Jackpot")
    everyones = [sorted(combo) for combo in it["personal_combinations"].values()]
    royals = [{card[0] for card in hand} in ({"9", "K"}, {"9", "Q"}, {"9", "J"}) for hand in (player, banker)]
    suited = [royal and hand[0][1] == hand[1][1] for royal, hand in zip(royals, (player, banker), strict=True)]
    rows = [player == banker and player in everyones, all(suited), all(royals), any(suited), any(royals)]
    amounts = {"$5": [5000, 1500, 250, 50, 25], "$1": [1000, 300, 50, 10, 5]}[letter]
    return next((dollars(amount) for won, amount in zip(rows, amounts, strict=True) if won), LOST)


TREASURES = ["Fortune 7", "Golden 8", "Heavenly 9", "Blazing 7s", "Cover All"]


def treasures(rng: Random) -> tuple[str, str, str, Inputs]:
    wager, it = rng.choice(TREASURES), hands(rng)
    if rng.random() < 0.6:
        it["points"] = {"player": rng.choice([7, 7, 8, 9]), "banker": rng.choice([7, 7, 8, 9])}
    return "631b.3", f"{wager} Bonus Wager", rng.choice("AB"), {**it, "_wager": wager}


def treasures_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    stake = it["stake_cents"]
    player, banker = (it["points"]["player"], len(it["player"])), (it["points"]["banker"], len(it["banker"]))
    nines = [player, banker].count((9, 3))
    wins = {
        "Fortune 7": "40 to 1" if banker == (7, 3) and player[0] < 7 else None,
        "Golden 8": "25 to 1" if player == (8, 3) and banker[0] < 8 else None,
        "Heavenly 9": [None, "10 to 1", "75 to 1"][nines],
        "Blazing 7s": None,
    }
    mixed = {player, banker} == {(7, 2), (7, 3)}
    if player == banker == (7, 3):
        wins["Blazing 7s"] = "400 to 1" if letter == "A" else "200 to 1"
    if player == banker == (7, 2) and letter == "B":
        wins["Blazing 7s"] = "50 to 1"
    if mixed and it["_wager"] in ("Blazing 7s", "Cover All"):
        return OPEN
    odds = ("6 to 1" if any(wins.values()) else None) if it["_wager"] == "Cover All" else wins[it["_wager"]]
    return to(odds, stake) if odds else LOST


LUCKY = {
    "A": ["500 to 1", "250 to 1", "20 to 1", "8 to 1", "5 to 1"],
    "B": ["500 to 1", "250 to 1", "30 to 1", "12 to 1", "5 to 1"],
    "C": ["1000 to 1", "500 to 1", "35 to 1", "16 to 1", "5 to 1"],
    "D": ["2000 to 1", "500 to 1", "15 to 1", "10 to 1", "4 to 1"],
}


def lucky(rng: Random) -> tuple[str, str, str, Inputs]:
    section, name, rank, other = rng.choice([("631b.4", "Nines", "9", "banker"), ("633b.8", "Aces", "A", "dealer")])
    cards = deck(rng, 8)[:4]
    for i in range(4):
        if rng.random() < 0.4:
            cards[i] = rank + rng.choice("ddch")
    return section, f"Lucky {name} Wager", rng.choice("ABCD"), {
        "decks": 8, "player": cards[:2], other: cards[2:], "_four": cards, "_rank": rank,
    }  # fmt: skip


def lucky_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    suits = [card[1] for card in it["_four"] if card[0] == it["_rank"]]
    if not suits:
        return LOST
    if len(suits) == 1:
        return to("2 to 1" if suits == ["d"] else "1 to 1", it["stake_cents"])
    same = len(set(suits)) == 1
    row = {4: 0, 3: 1 if same else 2, 2: 3 if same else 4}[len(suits)]
    return to(LUCKY[letter][row], it["stake_cents"])
