"""The second program for blackjack wagers, dice, tiles and spins: written from the texts alone, by brute force."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

from second_opinion import (
    BACK,
    LOST,
    OPEN,
    PAIRS,
    RANKS,
    SUITS,
    Answer,
    Inputs,
    deck,
    dollars,
    in_line,
    meter,
    pair_name,
    to,
    values,
)

# ---- blackjack


def worth(cards: list[str]) -> int:
    """Return the best total of 21 or less, else the least."""
    each = [[1, 11] if card[0] == "A" else [int(card[0])] if card[0].isdigit() else [10] for card in cards]
    sums = {sum(way) for way in product(*each)}
    return max((total for total in sums if total <= 21), default=min(sums))


def is_natural(cards: list[str]) -> bool:
    return len(cards) == 2 and worth(cards) == 21


def table_hands(rng: Random, decks: int = 6) -> Inputs:
    """Deal a player and a dealer who play to 17."""
    cards = deck(rng, decks)
    player, dealer, rest = cards[:2], cards[2:4], cards[4:]
    if rng.random() < 0.3:
        dealer = rng.sample(["A" + rng.choice(SUITS), rng.choice("TJQK") + rng.choice(SUITS)], 2)
    if rng.random() < 0.2:
        player = rng.choice(
            [dealer[::-1], ["A" + rng.choice(SUITS), rng.choice("TJQK") + rng.choice(SUITS)], ["Kd", "Kd"]]
        )
    while worth(player) < rng.randint(12, 18):
        player = [*player, rest.pop()]
    while worth(dealer) < 17:
        dealer = [*dealer, rest.pop()]
    return {"decks": decks, "player": list(player), "dealer": list(dealer)}


def compare(player: list[str], dealer: list[str]) -> str:
    """Return how a player's hand stands against the dealer's."""
    if worth(player) > 21:
        return "lose"
    if is_natural(player) or is_natural(dealer):
        if is_natural(player) and is_natural(dealer):
            return "tie"
        return "win" if is_natural(player) else "lose"
    if worth(dealer) > 21 or worth(player) > worth(dealer):
        return "win"
    return "tie" if worth(player) == worth(dealer) else "lose"


def one_colour(cards: list[str]) -> bool:
    return len({card[1] in "dh" for card in cards}) == 1


def blackjack_pairs(rng: Random) -> tuple[str, str, str, Inputs]:
    return "633b.1", "Perfect Pairs Wager", rng.choice("AB"), table_hands(rng)


def blackjack_pairs_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    name = pair_name(it["player"])
    return LOST if name is None else to(PAIRS[letter][name], it["stake_cents"])


def switch(rng: Random) -> tuple[str, str, None, Inputs]:
    premium = rng.random() < 0.5
    name = "Blackjack Premium: Blackjack Wager" if premium else "Switch Hands: Blackjack Wager"
    return "633b.4", name, None, {
        **table_hands(rng), "switched": rng.random() < 0.5, "_premium": premium,
        "switch_ante_cents": rng.choice([0, 100]), "tie_blackjack_option": rng.random() < 0.5,
    }  # fmt: skip


def switch_due(it: Inputs) -> Answer:
    player, dealer, stake = it["player"], it["dealer"], it["stake_cents"]
    result = compare(player, dealer)
    if result == "tie" and is_natural(player):
        pays = it["_premium"] or (it["switched"] and it["tie_blackjack_option"])
        return to("1 to 2", stake) if pays else BACK
    if result != "win":
        return BACK if result == "tie" else LOST
    if not is_natural(player):
        return to("1 to 1", stake)
    better = it["switch_ante_cents"] if it["_premium"] else it["switched"]
    return to("2 to 1" if better and one_colour(player) else "3 to 2", stake)


def hybrid(rng: Random) -> tuple[str, str, None, Inputs]:
    wager = rng.choice(["Blackjack Wager", "Insurance Wager", "Buzzer Beater Wager", "King's Bounty Wager"])
    return "633b.5", f"Hybrid {wager}", None, {**table_hands(rng), "version": "hole card", "_wager": wager}


def hybrid_due(it: Inputs) -> Answer:
    player, dealer, stake = it["player"], it["dealer"], it["stake_cents"]
    mine, theirs = worth(player), worth(dealer)
    if it["_wager"] == "Insurance Wager":
        return OPEN if dealer[0][0] != "A" else to("2 to 1", stake) if is_natural(dealer) else LOST
    if it["_wager"] == "King's Bounty Wager":
        return OPEN
    if it["_wager"] == "Buzzer Beater Wager":
        return buzzer_beater(player, dealer, stake)
    if mine > 21 and theirs > 21:
        return OPEN
    result = compare(player, dealer)
    if result != "win":
        return BACK if result == "tie" else LOST
    return to("3 to 2" if is_natural(player) else "1 to 1", stake)


def buzzer_beater(player: list[str], dealer: list[str], stake: int) -> Answer:
    mine, theirs = worth(player), worth(dealer)
    if is_natural(player):
        return to("5 to 1", stake) if is_natural(dealer) else LOST
    if mine < 19 or mine > 21 or theirs > 21 or theirs < mine:
        return LOST
    if mine == 21:
        return OPEN
    return to({(20, 20): "5 to 1", (20, 21): "30 to 1", (19, 19): "5 to 1"}.get((mine, theirs), "10 to 1"), stake)


SUPER = ["100 for 1", "75 for 1", "50 for 1", "25 for 1", "15 for 1", "10 for 1", "4 for 1", "2 for 1"]
SUPER5 = ["750 for 5", "350 for 5", "250 for 5", "150 for 5", "75 for 5", "50 for 5", "25 for 5", "15 for 5"]


def super_4(rng: Random) -> tuple[str, str, str, Inputs]:
    it = table_hands(rng)
    if rng.random() < 0.3:
        suit = rng.choice(SUITS)
        ace, *others = ["A" + suit, *rng.sample(["K" + suit, "Q" + suit, "J" + rng.choice([suit, "c"])], 3)]
        it = {"decks": 6, "player": others[:2], "dealer": rng.sample([ace, others[2]], 2)}
    extra = {"meter_cents": rng.randint(10**6, 10**7), "winners_of_row_in_round": rng.choice([1, 1, 2])}
    return "633b.6", "Super 4 Progressive Wager", rng.choice("ABCD"), {**it, "dealer_up": it["dealer"][0], **extra}


def super_4_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    player, dealer = it["player"][:2], it["dealer"][:2]
    four, pays = player + dealer, SUPER if letter in ("A", "C") else SUPER5
    suits = {card[1] for card in four}
    if sorted(card[0] for card in four) == sorted("AKQJ") and len(suits) == 1 and "A" in (dealer[0][0], dealer[1][0]):
        percent = 100 if suits == {"d"} else 10
        return meter(percent, it["meter_cents"], "of meter") if it["winners_of_row_in_round"] == 1 else OPEN
    if not is_natural(dealer):
        return to(pays[7], it["stake_cents"]) if dealer[0][0] == "A" else LOST
    tests = [
        max(Counter(card[0] for card in four).values()) >= 3,
        len(set(values(four))) == 4 and in_line(values(four)),
        len(suits) == 1,
        sorted(player) == sorted(dealer),
        one_colour(four),
        len(set(four)) < 4,
        True,
    ]
    return to(pays[tests.index(True)], it["stake_cents"])


def three_cards(rng: Random) -> tuple[str, str, str, Inputs]:
    if rng.random() < 0.5:
        return "633b.7", "Top 3 Wager", rng.choice("AB"), table_hands(rng)
    decks, letter = rng.choice([(1, "TLX-1"), (2, "TLX-2"), (4, "TLX-3"), (6, "TLX-3"), (8, "TLX-3")])
    cards = deck(rng, decks)
    it = {"decks": decks, "player": cards[:2], "dealer": cards[2:4], "blackjack_wager_cents": 10**6}
    return "633b.11", "TriLux Deluxe Wager", letter, it


def three_cards_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    section = it["_section"]
    three = [*it["player"][:2], it["dealer"][0]]
    alike, flush = len({card[0] for card in three}) == 1, len({card[1] for card in three}) == 1
    line = len(set(values(three))) == 3 and in_line(values(three))
    if section == "633b.7":
        row = 0 if alike and flush else 1 if flush and line else 2 if alike else None
        table = {"A": ["270 to 1", "180 to 1", "90 to 1"], "B": ["1000 to 1", "100 to 1", "70 to 1"]}[letter]
    else:
        row = 0 if flush and line else 1 if alike else 2 if line else 3 if flush else None
        table = {"TLX-1": ["20 to 1", "15 to 1", "9 to 1", "6 to 1"],
                 "TLX-2": ["20 to 1", "15 to 1", "9 to 1", "5 to 1"],
                 "TLX-3": ["25 to 1", "15 to 1", "8 to 1", "5 to 1"]}[letter]  # fmt: skip
    return LOST if row is None else to(table[row], it["stake_cents"])


def blazing(rng: Random) -> tuple[str, str, str, Inputs]:
    cards = [
        rng.choice(["7" + rng.choice("dddchs"), "7" + rng.choice("dh"), rng.choice("2345689TJQKA") + "c"])
        for _ in "1234"
    ]
    up = rng.random() < 0.3
    drawn = cards[2:3] if rng.random() < 0.7 else []
    extra = {"procedure": "dealer up card" if up else "drawn card", "winners_of_row_in_round": rng.choice([1, 2, 3])}
    it = {"decks": 8, "player": [*cards[:2], *drawn], "dealer": [cards[3], "5c", "6c"], "meter_cents": 1_000_001}
    return "633b.9", "Blazing 7s Progressive Wager", rng.choice("AB"), {**it, **extra}


def blazing_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    stake, first = it["stake_cents"], it["player"][:2]
    third = it["dealer"][:1] if "up" in it["procedure"] else it["player"][2:3]
    sevens = sum(card[0] == "7" for card in first)
    if sevens < 2:
        return to("2 for 1", stake) if sevens else LOST
    if not third or third[0][0] != "7":
        return to("25 for 1", stake)
    suits = {card[1] for card in [*first, *third]}
    share, cents = it["winners_of_row_in_round"], it["meter_cents"]
    if len(suits) == 1:
        whole = letter == "A" or suits == {"d"}
        return meter(100, cents, "of meter", share) if whole else meter(10, cents, "of meter")
    if suits in ({"c", "s"}, {"d", "h"}):
        return meter(10, cents, "of meter") if letter == "A" else to("500 for 1", stake)
    return to("200 for 1", stake)


def match(rng: Random) -> tuple[str, str, str, Inputs]:
    extra = {"meter_cents": rng.randint(10**6, 10**7), "winners_of_row_in_round": rng.choice([1, 2, 3])}
    return "633b.10", "Blackjack Match Progressive Wager", rng.choice("ABCD"), {**table_hands(rng), **extra}


def match_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    player, dealer, stake = sorted(it["player"][:2]), sorted(it["dealer"][:2]), it["stake_cents"]
    rich = letter in ("C", "D")
    aces = sum(card[0] == "A" for card in player)
    if not is_natural(player):
        return to("2 for 1" if rich else "3 for 1", stake) if aces else LOST
    if not is_natural(dealer):
        return to("10 for 1" if player[0][1] == player[1][1] else "5 for 1", stake)
    if player == dealer:
        king = any(card[0] == "K" for card in player)
        return meter(100 if king else 10, it["meter_cents"], "of meter", it["winners_of_row_in_round"])
    if [card[1] for card in player] == [card[1] for card in dealer]:  # sorted: the ace first in both
        return to("300 for 1" if rich else "200 for 1", stake)
    return to("50 for 1" if rich else "30 for 1", stake)


def press(rng: Random) -> tuple[str, str, None, Inputs]:
    return "633b.11", "TriLux Deluxe Press", None, {**table_hands(rng), "trilux_winnings_cents": 10**6}


def press_due(it: Inputs) -> Answer:
    if is_natural(it["dealer"]):
        return OPEN
    return {"win": to("1 to 1", it["stake_cents"]), "tie": BACK, "lose": LOST}[compare(it["player"], it["dealer"])]


AXMAN = ["1000 to 1", "500 to 1", "200 to 1", "100 to 1", "50 to 1", "30 to 1", "20 to 1", "12 to 1", "5 to 1"]


def axman(rng: Random) -> tuple[str, str, None, Inputs]:
    it = table_hands(rng, rng.choice([6, 8]))
    if rng.random() < 0.4:
        it["dealer"][rng.randrange(len(it["dealer"]))] = "Kd"
    if rng.random() < 0.1:
        it["dealer"] = rng.choice(
            [["2d", "3d", "Kd", "5d", "6d"], ["2d", "2c", "2h", "Kd", "2s"], ["3d", "3c", "3h", "3d", "Kd"]]
        )
    return "633b.12", "AxMan Wager", None, it


def axman_row(cards: list[str]) -> int:
    """Return the row of the paytable for cards without a wild one; 9 for none."""
    shape = sorted(Counter(card[0] for card in cards).values(), reverse=True)
    five, flush = len(cards) == 5, len({card[1] for card in cards}) == 1
    line = len(shape) == len(cards) and in_line(values(cards))
    faces = [card[0] for card in cards if card[0] in "JQKA"]
    tests = [five and flush and line, shape[0] == 5, five and flush, five and line, shape[0] == 4, shape == [3, 2]]
    tests += [shape[0] == 3, shape.count(2) == 2, len(set(faces)) < len(faces), True]
    return tests.index(True)


def axman_due(it: Inputs) -> Answer:
    low_ace = "A23456789TJQK"
    cards = sorted(it["dealer"], key=lambda card: low_ace.index(card[0]), reverse=True)[:5]
    if len(it["dealer"]) <= 5:
        cards = it["dealer"]
    ways = [[rank + "d" for rank in RANKS] if card == "Kd" else [card] for card in cards]
    row = min(axman_row(list(way)) for way in product(*ways))
    if row == 9:
        return LOST
    return "win", AXMAN[row], to(AXMAN[row], it["stake_cents"], [1, 2, 5][it["player"][:2].count("Kd")])[2], True


BUSTER = {"A": (250, 50, 15, 4, 2, 2), "B": (200, 50, 15, 4, 2, 2), "C": (250, 50, 12, 4, 2, 2),
          "D": (200, 50, 12, 4, 2, 2), "E": (250, 50, 12, 3, 2, 2), "F": (250, 50, 20, 8, 2, 1)}  # fmt: skip


def buster(rng: Random) -> tuple[str, str, str, Inputs]:
    decks, words = rng.choice([(1, "single deck"), (6, "six-deck"), (8, "eight-deck")])
    small = ["2c", "2d", "2h", "2s", "3c", "3d", "Ac", "Ad"]  # 16 in eight cards, the aces last
    dealer = [*small[: rng.randint(0, 8)], *rng.sample(["Tc", "Td", "6h", "8s"], 3)]
    end = next(i for i in range(2, len(dealer) + 1) if worth(dealer[:i]) >= 17)
    dealer = dealer[:end]
    return "633b.13", "Buster Blackjack Wager", f"{words} {rng.choice('ABCDEF')}", {
        "decks": decks, "player": ["2s", "3s"] if not {"2s", "3s"} & set(dealer) else [], "dealer": dealer,
    }  # fmt: skip


def buster_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    if worth(it["dealer"]) <= 21:
        return LOST
    return to(f"{BUSTER[letter[-1]][8 - min(len(it['dealer']), 8)]} to 1", it["stake_cents"])


def envy(rng: Random) -> tuple[str, str, str, Inputs]:
    """Super 4 and Blackjack Match: the others' great hands."""
    suit = rng.choice(SUITS)
    dealer = ["A" + suit, rng.choice("KJ") + suit]
    rest = [rank + suit for rank in "KQJ" if rank + suit not in dealer]
    others = [rng.choice([rest, rest[::-1], dealer, dealer[::-1], ["2c", "3d"]]) for _ in range(rng.randint(0, 4))]
    section, name, letters = rng.choice([("633b.6", "Super 4", "ABCD"), ("633b.10", "Blackjack Match", ["$1", "$5"])])
    it = {"decks": 8, "player": ["2d", "4h"], "dealer": dealer, "other_players": others}
    return section, f"{name} Envy Bonus", rng.choice(letters), it


def envy_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    section = it["_section"]
    dealer, paid = it["dealer"], []
    for other in it["other_players"]:
        royal = sorted(card[0] for card in [*other, *dealer]) == sorted("AKQJ")
        if section == "633b.6" and royal and letter in ("C", "D"):
            paid.append((600 if dealer[0][1] == "d" else 200) * (5 if letter == "D" else 1))
        if section == "633b.10" and sorted(other) == sorted(dealer):
            paid.append((600 if "K" in dealer[1] else 200) * (5 if letter == "$5" else 1))
    return ("win", f"${max(paid):,}", Fraction(sum(paid) * 100), False) if paid else LOST


def bonus(rng: Random) -> tuple[str, str, str, Inputs]:
    dealer = rng.choice(
        [
            ["2c", "2d", "2h", "3c", "3d", "3h", "Tc"],
            ["Ac", "Ad", "Ah", "As", "2c", "2d", "8c", "9c"],
            ["Tc", "6c", "9c"],
        ]
    )
    player = rng.choice([["As", "Kd"], ["Ts", "Kd"]])
    return (
        "633b.13",
        "Buster Blackjack cash bonus",
        rng.choice(["B1", "B2"]),
        {"decks": 6, "player": player, "dealer": dealer},
    )


def bonus_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    cards = min(len(it["dealer"]), 8)
    if it["stake_cents"] < 500 or not is_natural(it["player"]) or worth(it["dealer"]) <= 21 or cards < 7:
        return LOST
    return dollars(1000 if cards == 7 else 8000 if letter == "B1" else 5000)


# ---- spins, dice, tiles


def bonus_craps(rng: Random) -> tuple[str, str, str, Inputs]:
    wager = rng.choice(["All Small", "All Tall", "Make 'em All"])
    met = rng.choice([True, False, None])
    return "623b.4", f"Bonus Craps: {wager}", rng.choice("12"), {"condition_met_under_623a": met, "_wager": wager}


def bonus_craps_due(it: Inputs) -> Answer:
    if it["condition_met_under_623a"] is None:
        return OPEN
    first, second = (175, 150) if it["_wager"] == "Make 'em All" else (34, 30)
    odds = f"{first if it['_letter'] == '1' else second} to 1"
    return to(odds, it["stake_cents"]) if it["condition_met_under_623a"] else LOST


def touchdown(rng: Random) -> tuple[str, str, str, Inputs]:
    spins = [{"number": str(n), "color": rng.choice(["red", "black"])} for n in range(1, 37)]
    green = [{"number": n, "color": "green"} for n in ("0", "00")]
    trigger = rng.choice([*green, *green, spins[4]])
    downs = [rng.choice([*spins, *green]) for _ in "1234"]
    return "617b.1", "Touchdown Roulette Wager", rng.choice("ABCD"), {"trigger": trigger, "team": "red", "downs": downs}


def touchdown_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    if it["trigger"]["color"] != "green":
        return LOST
    ball = 50  # yards to the end zone of the chosen team
    for down in it["downs"]:
        ball -= {"red": 1, "black": -1, "green": 0}[down["color"]] * int(down["number"])
    if ball > 50:
        return to("1 to 1", it["stake_cents"])
    first = {"A": (1000, 150, 75), "B": (500, 250, 75), "C": (1000, 200, 75), "D": (500, 200, 100)}[letter]
    odds = [*first, 50, 25, 10, 5]
    limits = [0, 10, 20, 30, 40, 49, 50]
    row = next(i for i, limit in enumerate(limits) if ball <= limit)
    return to(f"{odds[row]} to 1", it["stake_cents"])


def b2b(rng: Random) -> tuple[str, str, None, Inputs]:
    numbers = [{"number": n, "color": "red"} for n in ("1", "3", "00")]
    before, drawn = rng.choice([*numbers, None]), rng.choice(["1000 to 1", 25, 500, 10, 50, 100, "250 to 1"])
    return "617b.2", "B2B Roulette Wager", None, {
        "previous_spin": before, "spin": rng.choice(numbers), "rng_payout": drawn,
    }  # fmt: skip


def b2b_due(it: Inputs) -> Answer:
    if it["previous_spin"] is None:
        return OPEN
    same = it["previous_spin"]["number"] == it["spin"]["number"]
    return to(f"{str(it['rng_payout']).split()[0]} to 1", it["stake_cents"]) if same else LOST


def balls(rng: Random) -> tuple[str, str, str, Inputs]:
    three = [{"number": n, "color": "red"} for n in rng.sample(["7", "17", "27", "1", "3", "5"], 3)]
    spin = {"number": rng.choice(["7", "17", "27", "8"]), "color": "red"}
    return "617b.3", "Blazing 7's Wager", rng.choice("1234"), {"spin": spin, "bonus_balls": three}


def balls_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    if it["spin"]["number"] == "8":
        return LOST
    hits = sum(ball["number"] in ("7", "17", "27") for ball in it["bonus_balls"])
    if hits < 2:
        return OPEN if letter in ("3", "4") else to("17 to 1" if hits else "7 to 1", it["stake_cents"])
    return to("100 to 1" if hits == 2 else "1000 to 1" if letter in ("1", "3") else "299 to 1", it["stake_cents"])


TILES = ["6-6", "6-6", "1-1", "1-1", "4-4", "4-4", "3-1", "3-1", "5-5", "5-5", "3-3", "3-3", "2-2", "2-2", "6-5", "6-5"]
TILES += [
    "6-4",
    "6-4",
    "6-1",
    "6-1",
    "5-1",
    "5-1",
    "6-3",
    "5-4",
    "6-2",
    "5-3",
    "5-2",
    "4-3",
    "4-2",
    "4-1",
    "3-2",
    "2-1",
]


def fortunes(rng: Random) -> tuple[str, str, None, Inputs]:
    tiles = rng.sample(TILES if rng.random() < 0.5 else rng.sample(TILES, 8), 4)
    if rng.random() < 0.2:
        tiles = rng.choice([["4-2", "2-1", "6-6", "6-6"], ["2-1", tiles[0], "4-2", "5-5"]])
    return "621b.1", "Pair Fortunes Wager", None, {"tiles": tiles}


def tile_pair(one: str, other: str) -> str | None:
    if {one, other} == {"4-2", "2-1"}:
        return "gee joon"
    if one == other:
        return "identical"
    return "mixed" if sum(map(int, one.split("-"))) == sum(map(int, other.split("-"))) else None


def fortunes_due(it: Inputs) -> Answer:
    tiles = it["tiles"]
    kinds = {tile_pair(one, other) for one, other in combinations(tiles, 2)} - {None}
    if sorted(tiles) == ["2-1", "4-2", "6-6", "6-6"]:
        return to("300 to 1", it["stake_cents"])
    if any(tile_pair(a, b) and tile_pair(c, d) for a, b, c, d in permutations(tiles)):
        return to("25 to 1", it["stake_cents"])
    odds = next(
        (o for kind, o in [("gee joon", "8 to 1"), ("mixed", "4 to 1"), ("identical", "3 to 1")] if kind in kinds), None
    )
    return to(odds, it["stake_cents"]) if odds else LOST


def shaker(rng: Random) -> tuple[str, str, str | None, Inputs]:
    wager, letters = rng.choice([("Sum", "ABCD"), ("Match", ""), ("Beat It", "ABC")])
    one, two, three = (rng.randint(1, 6) for _ in "123")
    it: Inputs = {"dice": {"red": one, "blue": [two, three]}, "_wager": wager}
    if wager == "Match":
        it["selected"] = rng.randint(1, 6)
    return rng.choice(["621b.2", "645b.3"]), f"{wager} Wager", rng.choice(letters) if letters else None, it


def shaker_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    red, (one, two) = it["dice"]["red"], it["dice"]["blue"]
    dice, odds = sorted([red, one, two]), None
    if it["_wager"] == "Match":
        odds = {2: "6 to 1", 3: "100 to 1"}.get(dice.count(it["selected"]))
    elif it["_wager"] == "Sum":
        sums = {"A": {17: "25 to 1", 16: "6 to 1", 8: "3 to 1"}, "B": {3: "25 to 1", 8: "4 to 1", 9: "2 to 1"}}
        odds = sums.get(letter, {}).get(sum(dice))
        if letter == "C":
            odds = {1: "3 to 1", 2: "1 to 1"}.get(len(set(dice)))
        if letter == "D" and dice[2] - dice[1] == dice[1] - dice[0] == 1:
            odds = "15 to 2"
    elif letter == "C":
        odds = "5 to 2" if dice[2] > dice[0] + dice[1] else None
    else:
        odds = {4: "50 to 1" if letter == "A" else "60 to 1", 3: "10 to 1", 2: "10 to 1", 1: "1 to 1", 0: "1 to 1"}.get(
            red - one - two
        )
    return to(odds, it["stake_cents"]) if odds else LOST


def hot_roller(rng: Random) -> tuple[str, str, str, Inputs]:
    rolls = [[rng.randint(1, 6), rng.randint(1, 6)] for _ in range(rng.randint(1, 60))]
    if rng.random() < 0.8:
        rolls = [roll for roll in rolls if sum(roll) != 7] + [[6, 1]]
    return "623b.2", "Hot Roller Wager", rng.choice("AB"), {"dice_rolls": rolls}


def hot_roller_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    marked = set()
    for one, two in it["dice_rolls"]:
        if one + two == 7:
            break
        marked.add((min(one, two), max(one, two)))
    else:
        return OPEN
    ways = {n: [(a, n - a) for a in range(1, n // 2 + 1) if n - a <= 6] for n in (4, 5, 6, 8, 9, 10)}
    done = sum(all(way in marked for way in each) for each in ways.values())
    table = {6: "200 to 1" if letter == "A" else "300 to 1", 5: "50 to 1", 4: "20 to 1", 3: "10 to 1", 2: "5 to 1"}
    return to(table[done], it["stake_cents"]) if done >= 2 else LOST


def shooter(rng: Random) -> tuple[str, str, str, Inputs]:
    box = rng.sample([4, 5, 6, 8, 9, 10], rng.randint(1, 6))
    before = [rng.choice([7, 11])] * rng.choice([0, 0, 0, 1, 2])
    after = rng.choice([[7], [box[0]], [box[-1]], [12], []])
    totals = rng.choice([[*before, *box, *after], [*before, rng.choice([2, 3, 12])], [*before, 7]])
    return "623b.3", "Lucky Shooter Wager", rng.choice("ABCD"), {"totals": totals}


def shooter_due(it: Inputs) -> Answer:
    letter = it["_letter"]
    stake, rolls, bonus = it["stake_cents"], list(it["totals"]), 0
    while rolls and rolls[0] in (7, 11):
        rolls.pop(0)
        bonus += 1
    if not rolls:
        return "win", "1 for 1", Fraction(stake * bonus), False
    if rolls[0] in (2, 3, 12):
        return "lose", None, Fraction(stake * bonus), False
    point, seen = rolls.pop(0), set[int]()
    while rolls and rolls[0] in {4, 5, 6, 8, 9, 10} - {point} - seen:
        seen.add(rolls.pop(0))
    if not rolls:
        return OPEN
    table = {
        "A": [1000, 150, 15, 5, 0],
        "B": [500, 100, 10, 4, 2],
        "C": [1000, 150, 20, 5, 0],
        "D": [500, 100, 10, 5, 2],
    }
    rows = [len(seen) == 5 and rolls[0] == point, len(seen) == 5, len(seen) == 4, len(seen) == 3, len(seen) == 2]
    pays = table[letter][rows.index(True)] if any(rows) else 0
    if not pays:
        return "lose", None, Fraction(stake * bonus), False
    return "win", f"{pays} for 1", Fraction(stake * (pays + bonus)), False


def sic_bo(rng: Random) -> tuple[str, str, None, Inputs]:
    dice = [rng.choice([rng.randint(1, 6), 4]) for _ in "123"]
    if rng.random() < 0.3:
        dice = [rng.choice([1, 2, 6]) for _ in "123"]
    bets: dict[str, int | list[int] | None] = {
        "Three of a Kind": 4,
        "Two of a Kind": 4,
        "Any Three of a Kind": None,
        "Total Value Bet": rng.choice([*range(4, 18), *[sum(dice)] * (3 < sum(dice) < 18) * 9]),
    }
    bets |= {
        "Any Two Dice Combination": rng.sample(range(1, 7), 2),
        "Small Bet": None,
        "Big Bet": None,
        "One of a Kind": 4,
    }
    wager = rng.choice(list(bets))
    return "625b.1", f"Sic Bo Blaze: {wager}", None, {"bet": bets[wager], "dice": dice, "_wager": wager}


def sic_bo_due(it: Inputs) -> Answer:
    dice, bet, total = it["dice"], it["bet"], sum(it["dice"])
    triple = len(set(dice)) == 1
    if it["_wager"] == "One of a Kind" and dice.count(bet) in (1, 2):
        return OPEN
    ways = [62, 31, 18, 12, 8, 7, 6]
    won = {
        "Three of a Kind": ("180 to 1", dice.count(bet) == 3),
        "Two of a Kind": ("11 to 1", dice.count(bet) >= 2),
        "Any Three of a Kind": ("31 to 1", triple),
        "Total Value Bet": (f"{ways[min(total, 21 - total) - 4] if 4 <= total <= 17 else 0} to 1", total == bet),
        "Any Two Dice Combination": ("6 to 1", isinstance(bet, list) and set(bet) <= set(dice)),
        "Small Bet": ("1 to 1", 4 <= total <= 10 and not triple),
        "Big Bet": ("1 to 1", 11 <= total <= 17 and not triple),
        "One of a Kind": ("12 to 1", dice.count(bet) == 3),
    }
    odds, wins = won[it["_wager"]]
    return to(odds, it["stake_cents"]) if wins else LOST
