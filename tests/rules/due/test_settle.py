"""Settlement by hand-made rounds: one row, one rule. Amounts in cents."""

from fractions import Fraction
from typing import Any

import pytest

from vision.rules.book.game import load_game
from vision.rules.book.house import House
from vision.rules.due.record import Irregularity, PlayedRound, SeatPlay, Settlement
from vision.rules.due.settle import settle
from vision.values.cards import DealtHand, parse_seen
from vision.values.money import Cents

DEALER = "Kc Kd 9h 7s 4c 2d"  # a pair of kings
LOSER = "Qh Jd 8s 6c 3h"
BOTH: dict[str, Any] = {"ante": 100, "play": 100}
FULL = {"aces_up": "A", "six_card": "A", "progressive": "A", "envy": "A"}


def hand(text: str) -> DealtHand:
    return tuple(parse_seen(card) for card in text.split())


def seat(n: int, cards: str, *, folded: bool = False, player: str | None = None, **wagers: Any) -> SeatPlay:
    """Make a seat; wagers in cents by name."""
    return SeatPlay(n, hand(cards), wagers, folded, player)


def due(
    *seats: SeatPlay,
    game: str = "four-card-poker/md",
    paytable: dict[str, str | None] | None = None,
    options: dict[str, Any] | None = None,
    dealer: str = DEALER,
    bonus: str = "",
    **rest: Any,
) -> Settlement:
    house = House.choose(load_game(game), FULL if paytable is None else paytable, options or {})
    return settle(house, PlayedRound(seats, dealer=hand(dealer), bonus=hand(bonus), **rest))


def line(settlement: Settlement, wager: str, at: int = 0) -> tuple[str, Cents | None, int | None]:
    found = settlement.seats[at].lines[wager]
    return (str(found.outcome), found.paid, found.stake_returned)


WIN, LOSE, FORFEIT, BACK, OPEN = "win", "lose", "forfeit", "returned", "unresolved"


@pytest.mark.parametrize(
    ("cards", "ante", "play", "bonus", "aces_up"),
    [
        ("As Ad 8s 6c 3h", (WIN, 1000, 1000), (WIN, 2000, 2000), None, (WIN, 500, 500)),  # aces beat kings
        ("Qh Qd 8s 6c 3h", (LOSE, 0, 0), (LOSE, 0, 0), None, (LOSE, 0, 0)),  # queens do not
        ("Kh Ks 9c 7d 3h", (WIN, 1000, 1000), (WIN, 2000, 2000), None, (LOSE, 0, 0)),  # a tie wins
        ("Kh Ks 9c 6d 3h", (LOSE, 0, 0), (LOSE, 0, 0), None, (LOSE, 0, 0)),  # one kicker short of it
        ("3s 3d 3h 6c 9s", (WIN, 1000, 1000), (WIN, 2000, 2000), (WIN, 2000, 0), (WIN, 4500, 500)),
        ("5s 5d 5h 5c 9s", (WIN, 1000, 1000), (WIN, 2000, 2000), (WIN, 25_000, 0), (WIN, 25_000, 500)),
        ("5s 6s 7s 8s Ah", (WIN, 1000, 1000), (WIN, 2000, 2000), (WIN, 20_000, 0), (WIN, 15_000, 500)),
    ],
)  # fmt: skip
def test_against_the_dealer(cards: str, ante: Any, play: Any, bonus: Any, aces_up: Any) -> None:
    dealer = "Kc Kd 9h 7c 4c 2d"  # leaves the sevens of the rows free
    settled = due(seat(2, cards, ante=1000, play=2000, aces_up=500), dealer=dealer)
    assert line(settled, "ante") == ante
    assert line(settled, "play") == play
    assert line(settled, "aces_up") == aces_up
    assert ("ante_bonus" in settled.seats[0].lines) == (bonus is not None)
    assert bonus is None or line(settled, "ante_bonus") == bonus


def test_the_ante_bonus_is_paid_on_a_beaten_hand() -> None:
    settled = due(seat(1, "3s 3d 3h 6c 9s", ante=1000, play=1000), dealer="Ac Ad Ah 7c 4c 2d")
    assert line(settled, "ante") == (LOSE, 0, 0)
    assert line(settled, "ante_bonus") == (WIN, 2000, 0)
    assert settled.seats[0].versus == "lose"


@pytest.mark.parametrize(
    ("game", "paytable", "options", "want"),
    [
        # Maryland: only Ante and progressive are lost
        ("four-card-poker/md", FULL, {}, {"ante": FORFEIT, "aces_up": WIN, "six_card": WIN, "progressive": FORFEIT}),
        # South Dakota: the progressive stays in play
        (
            "four-card-poker/sd",
            {"aces_up": "FCP-01", "progressive": "FCPP-1"},
            {},
            {"aces_up": WIN, "progressive": WIN},
        ),
        # Washington leaves it to the house, and to nobody where the house is silent
        (
            "four-card-poker/wa",
            {"aces_up": "FCP-01", "progressive": "Pays 1"},
            {},
            {"aces_up": WIN, "progressive": OPEN},
        ),
        (
            "four-card-poker/wa",
            {"aces_up": "FCP-01", "progressive": "Pays 1"},
            {"folded_progressive_live": False},
            {"progressive": FORFEIT},
        ),
        ("four-card-poker/wa", {"progressive": "Pays 1"}, {"folded_progressive_live": True}, {"progressive": WIN}),
        # a folded bad beat loses
        ("four-card-poker/wa", {"bad_beat": "BBB-01"}, {}, {"bad_beat": LOSE}),
        # Pennsylvania: Aces Up goes with the Ante, the Six Card Bonus stays
        ("four-card-poker/pa", {"six_card": "A"}, {}, {"ante": FORFEIT, "aces_up": FORFEIT, "six_card": WIN}),
    ],
)
def test_folds(game: str, paytable: dict[str, str | None], options: dict[str, Any], want: dict[str, str]) -> None:
    wagers = {"ante": 1000, "aces_up": 500, "progressive": 100, "six_card": 100, "bad_beat": 100}
    known: dict[str, Any] = {wager: cents for wager, cents in wagers.items() if wager in load_game(game).stakes}
    settled = due(
        seat(1, "3s 3d 3h 6c 9s", folded=True, **known), game=game, paytable=paytable, options=options, bonus="3c"
    )
    assert {wager: str(settled.seats[0].lines[wager].outcome) for wager in want} == want


def test_an_aces_up_hand_cannot_fold() -> None:
    settled = due(seat(1, "As Ad 8s 6c 3h", folded=True, aces_up=500, progressive=100))
    assert line(settled, "aces_up") == (WIN, 500, 500)
    assert line(settled, "progressive") == (LOSE, 0, 0)  # not forfeited: that takes an Ante
    assert "nothing to fold" in settled.notes[0]


@pytest.mark.parametrize(
    ("wagers", "folded", "code"),
    [
        ({"ante": 1000, "play": 999}, False, "play-out-of-range"),  # a cent below one times
        ({"ante": 1000, "play": 3001}, False, "play-out-of-range"),  # a cent above three times
        ({"play": 1000, "aces_up": 500}, False, "play-without-ante"),
        ({"ante": 1000}, False, "neither-play-nor-fold"),
        ({"ante": 1000, "play": 1000}, True, "play-and-fold"),
    ],
)
def test_an_illegal_raise_is_left_to_a_person(wagers: dict[str, Any], folded: Any, code: str) -> None:
    settled = due(seat(1, "3s 3d 3h 6c 9s", folded=folded, **{**wagers, "aces_up": 500}))
    assert [violation.code for violation in settled.violations] == [code]
    assert settled.violations[0].cite
    for wager in set(wagers) - {"aces_up"}:
        assert line(settled, wager) == (OPEN, None, None)
    assert line(settled, "aces_up") == (WIN, 4500, 500)  # the other wagers settle
    assert "ante_bonus" not in settled.seats[0].lines


@pytest.mark.parametrize("play", [1000, 1500, 2750, 3000])
def test_any_amount_from_one_to_three_times_is_legal(play: int) -> None:
    assert not due(seat(1, LOSER, ante=1000, play=play)).violations


@pytest.mark.parametrize(
    ("game", "wagers", "codes"),
    [
        ("four-card-poker/md", {"ante": 100, "play": 100, "six_card": 100}, ["six-card-needs-ante-and-aces-up"]),
        ("four-card-poker/md", {"progressive": 100}, ["progressive-needs-base-wager"]),
        ("four-card-poker/sd", {"progressive": 100}, []),  # may stand alone there
        ("four-card-poker/wa", {"aces_up": 100, "bad_beat": 100}, ["bad-beat-needs-ante"]),
        ("four-card-frenzy/pa", {"ante": 100, "odds": 200, "raise": 100}, ["odds-not-equal-to-ante"]),
    ],
)
def test_missing_base_wagers(game: str, wagers: dict[str, Any], codes: list[str]) -> None:
    dealer = DEALER if load_game(game).file.counts["dealer.hand"] == 6 else DEALER[:-3]
    settled = due(seat(1, LOSER, **wagers), game=game, paytable={}, dealer=dealer)
    assert [violation.code for violation in settled.violations] == codes


def test_a_seat_too_many_is_a_violation() -> None:
    settled = due(seat(8, LOSER, **BOTH))
    assert [(violation.code, violation.seat) for violation in settled.violations] == [("too-many-seats", 8)]


def test_two_winners_of_one_meter_are_paid_in_turn() -> None:
    """From the dealer's right; the second meets seed plus reserve, a third would meet the seed alone."""
    settled = due(
        seat(1, "As Ks Qs Js Ts", ante=500, play=500, progressive=100),
        seat(4, "Ah Kh Qh Jh Th", ante=500, play=500, progressive=100),
        seat(6, "Ad Jd Qd Td 8d", ante=500, play=500, progressive=100),
        paytable={"progressive": "C"},
        dealer="2c 3d 5h 7s 8c 9c",
        meters={"main": 1_500_001},
        seeds={"main": 1_000_000},
        reserve={"main": 30_000},
    )
    assert settled.settle_order == (6, 4, 1)
    assert line(settled, "progressive", at=2) == (WIN, 4000, 0)  # a flush, off the tray
    assert line(settled, "progressive", at=1) == (WIN, 1_500_001, 0)
    assert line(settled, "progressive", at=0) == (WIN, 1_030_000, 0)
    assert settled.meters_after == {"main": 1_000_000}


def test_a_share_of_a_meter_is_exact_and_leaves_the_rest() -> None:
    settled = due(
        seat(1, "8s 9s Ts Js Qs", ante=500, play=500, progressive=100),
        seat(2, "8c 9c Tc Jc Qc", ante=500, play=500, progressive=100),
        paytable={"progressive": "C"},
        meters={"main": 1_534_205},
    )
    assert line(settled, "progressive", at=1) == (WIN, Fraction(306_841, 2), 0)
    assert line(settled, "progressive", at=0) == (WIN, Fraction(2_761_569, 20), 0)  # ten percent of what was left
    assert settled.meters_after == {"main": 1_534_205 * Fraction(81, 100)}


def test_without_the_meter_a_jackpot_is_unresolved() -> None:
    settled = due(seat(1, "As Ks Qs Js Ts", ante=500, play=500, progressive=100), paytable={"progressive": "C"})
    assert line(settled, "progressive") == (OPEN, None, None)
    assert settled.seats[0].lines["progressive"].why == "the main meter was not given"


def test_several_meter_winners_may_be_left_to_the_house() -> None:
    settled = due(
        seat(1, "As Ks Qs Js Ts", ante=500, play=500, progressive=100),
        seat(2, "Ah Kh Qh Jh Th", ante=500, play=500, progressive=100),
        paytable={"progressive": "C"},
        options={"meter_winners": "house_procedure"},
        meters={"main": 1000},
    )
    assert line(settled, "progressive", at=0) == line(settled, "progressive", at=1) == (OPEN, None, None)
    assert settled.meters_after == {"main": 1000}


QUADS = "5s 5d 5h 5c 9s"


@pytest.mark.parametrize(
    ("seats", "paid"),
    [
        # each other bettor is paid, the holder is not
        ([seat(1, QUADS, **BOTH, progressive=100), seat(2, LOSER, **BOTH, progressive=100)], [None, 1000]),
        # the holder need not have bet the progressive
        ([seat(1, QUADS, **BOTH), seat(2, LOSER, **BOTH, progressive=100)], [None, 1000]),
        # who did not bet it is not envious
        ([seat(1, QUADS, **BOTH, progressive=100), seat(2, LOSER, **BOTH)], [None, None]),
        # five dollars, five times as much
        ([seat(1, QUADS, **BOTH), seat(2, LOSER, **BOTH, progressive=500)], [None, 5000]),
        # two great hands, two payments
        (
            [
                seat(1, QUADS, **BOTH, progressive=100),
                seat(2, "As Ad Ah Ac 3c", **BOTH, progressive=100),
                seat(3, LOSER, **BOTH, progressive=100),
            ],
            [10_000, 1000, 11_000],
        ),
        # nobody envies himself, on two boxes
        (
            [seat(1, QUADS, player="ann", **BOTH), seat(2, LOSER, player="ann", **BOTH, progressive=100)],
            [None, None],
        ),
        # a folded player keeps the claim in Maryland
        ([seat(1, QUADS, **BOTH), seat(2, LOSER, folded=True, ante=100, progressive=100)], [None, 1000]),
        # a folded hand earns nobody anything
        ([seat(1, QUADS, folded=True, ante=100), seat(2, LOSER, **BOTH, progressive=100)], [None, None]),
    ],
)  # fmt: skip
def test_envy(seats: list[SeatPlay], paid: list[int | None]) -> None:
    settled = due(*seats, dealer="Kc Kd 9h 7s 4c 2d", meters={"main": 1_000_000})
    lines = [found.lines.get("envy") for found in settled.seats]
    assert [None if found is None else found.paid for found in lines] == paid


def test_envy_for_a_stake_that_no_table_prints() -> None:
    settled = due(seat(1, QUADS, **BOTH), seat(2, LOSER, ante=100, play=100, progressive=200))
    assert [violation.code for violation in settled.violations] == ["no-envy-table"]
    assert "envy" not in settled.seats[1].lines


def test_south_dakota_scales_envy_and_a_folded_hand_can_earn_it() -> None:
    settled = due(
        seat(1, "As Ks Qs Js Ts", folded=True, ante=100, progressive=500),
        seat(2, LOSER, ante=100, play=100, progressive=250),
        game="four-card-poker/sd",
        paytable={"aces_up": "FCP-01", "progressive": "PMG-02", "envy": "PMG-02"},
        meters={"main": 700_000},
    )
    assert line(settled, "progressive") == (WIN, 700_000, 0)
    assert line(settled, "envy", at=1) == (WIN, 250_000, 0)  # half of the five thousand printed for five dollars


@pytest.mark.parametrize(
    ("player", "dealer", "options", "want"),
    [
        ("Qh Qd Js Jc 3h", "Kc Kd 9h 9s 4c 2d", {}, (WIN, 400, 100)),  # loses with two pair: paid for two pair
        ("Ah Ad Js Jc 3h", "Kc Kd 9h 9s 4c 2d", {}, (WIN, 400, 100)),  # beats two pair: paid for the dealer's
        ("3s 3d 3h 6c 9s", "Kc Kd Kh 9h 4c 2d", {}, (WIN, 10_000, 100)),  # trips beaten by trips
        ("Qh Qd 8s 6c 3h", "Kc Kd 9h 7s 4c 2d", {}, (LOSE, 0, 0)),  # a pair is no beat
        ("Kh Ks 9c 9d 3h", "Kc Kd 9h 9s 4c 2d", {}, (LOSE, 0, 0)),  # a tie is none either
        (
            "Kh Ks 9c 9d 3h",
            "Kc Kd 9h 9s 4c 2d",
            {"bad_beat_tie_wins": True},
            (WIN, 400, 100),
        ),  # unless the house says so
    ],
)
def test_bad_beat(player: str, dealer: str, options: dict[str, Any], want: Any) -> None:
    settled = due(
        seat(1, player, ante=100, play=100, bad_beat=100),
        game="four-card-poker/wa",
        paytable={"aces_up": "FCP-01", "bad_beat": "BBB-01"},
        options=options,
        dealer=dealer,
    )
    assert line(settled, "bad_beat") == want


@pytest.mark.parametrize(
    ("letter", "bonus", "want"),
    [
        ("A", "9d", (WIN, 100_000_000, 500)),  # a Super Royal of diamonds, a million; the stake comes back
        ("B", "9d", (WIN, 10_000_000, 500)),  # a hundred thousand in any suit
        ("A", "2c", (WIN, 500_000, 500)),  # a royal flush without the nine: 1,000 to 1
        ("A", "", (OPEN, None, None)),  # no bonus card was dealt
        ("A", "??", (OPEN, None, None)),  # or nobody saw it
    ],
)
def test_six_card_bonus(letter: str, bonus: str, want: Any) -> None:
    settled = due(
        seat(1, "Ad Kd Qd Jd Td", ante=100, play=100, aces_up=100, six_card=500),
        paytable={"aces_up": "A", "six_card": letter},
        dealer="Kc Ks 9h 7s 4c 2s",
        bonus=bonus,
    )
    assert line(settled, "six_card") == want


@pytest.mark.parametrize(
    ("game", "irregularity", "status"),
    [
        ("md", Irregularity("dealer-card-exposed"), "void"),
        ("sd", Irregularity("dealer-card-exposed"), "supervisor"),
        ("wa", Irregularity("dealer-card-exposed"), "supervisor"),
        ("pa", Irregularity("dealer-card-exposed"), "supervisor"),
        ("md", Irregularity("card-faced-in-deck", 1), "settled"),  # one faced card never voids
        ("pa", Irregularity("card-faced-in-deck", 1), "settled"),
        ("md", Irregularity("card-faced-in-deck", 2), "void"),
        ("wa", Irregularity("card-faced-in-deck", 2), "supervisor"),
        ("md", Irregularity("shoe-jam"), "void"),
        ("sd", Irregularity("shoe-jam"), "supervisor"),
        ("md", Irregularity("stub-count", 51), "void"),
        ("md", Irregularity("stub-count", 52), "settled"),
        ("wa", Irregularity("stub-count", 51), "supervisor"),
        ("sd", Irregularity("card-drawn-unexposed"), "settled"),
        ("md", Irregularity("player-left"), "settled"),  # the house may treat the wagers as lost: an alert, no more
    ],
)
def test_irregularities(game: str, irregularity: Irregularity, status: str) -> None:
    settled = due(
        seat(1, LOSER, ante=1000, play=1000),
        game=f"four-card-poker/{game}",
        paytable={},
        irregularities=(irregularity,),
        meters={"main": 5},
    )
    assert settled.status == status
    assert settled.meters_after == {"main": 5}
    if status == "void":
        assert line(settled, "ante") == (BACK, 0, 1000)
        assert settled.remedy
        assert settled.cite
        assert settled.seats[0].net == 0
    if status == "supervisor":
        assert settled.seats == ()
        assert settled.remedy


def test_faced_cards_add_up() -> None:
    one = Irregularity("card-faced-in-deck", 1)
    assert due(seat(1, LOSER, **BOTH), irregularities=(one, one)).status == "void"


@pytest.mark.parametrize(
    ("game", "cards", "dealer", "status"),
    [
        ("md", "Qh Jd 8s 6c", DEALER, "void"),  # four cards
        ("md", "Qh Jd 8s 6c 3h 3d", DEALER, "void"),  # six
        ("sd", LOSER, "Kc Kd 9h 7s 4c", "void"),  # five to the dealer
        ("wa", LOSER, DEALER + " 5h", "void"),  # seven
        ("pa", LOSER, DEALER + " 5h", "supervisor"),  # no text
        ("md", "Kc Jd 8s 6c 3h", DEALER, "invalid_cards"),  # the king of clubs twice
        ("md", "Kc Jd 8s 6c", DEALER, "invalid_cards"),  # twice comes before too few
    ],
)
def test_wrong_cards(game: str, cards: str, dealer: str, status: str) -> None:
    settled = due(seat(1, cards, **BOTH), game=f"four-card-poker/{game}", paytable={}, dealer=dealer)
    assert settled.status == status


def test_unseen_cards_are_never_guessed() -> None:
    settled = due(
        seat(1, "?? ?? ?? ?? ??", folded=True, ante=1000),
        seat(2, "As Ad 8s ?? 3h", ante=1000, play=1000, aces_up=500),
    )
    assert line(settled, "ante", at=0) == (FORFEIT, 0, 0)  # a fold is a fold, whatever it held
    assert line(settled, "ante", at=1) == line(settled, "aces_up", at=1) == (OPEN, None, None)
    assert settled.seats[1].lines["ante"].why == "a card of the hand was not seen"


def test_wagers_the_text_does_not_know_are_unresolved() -> None:
    settled = due(seat(1, LOSER, ante=100, play=100, bad_beat=100))
    assert line(settled, "bad_beat") == (OPEN, None, None)
    assert "knows no Bad Beat" in (settled.seats[0].lines["bad_beat"].why or "")


@pytest.mark.parametrize(
    ("basis", "letter", "cards", "want"),
    [
        (None, "FCPP-1", "5s 6s 7s 8s Ah", (WIN, 10_000, 0)),  # four to a straight flush, by the four-card table
        ("five", "FCPP-1", "5s 6s 7s 8s Ah", (LOSE, 0, 0)),  # by the letter of (13), all five cards
        ("five", "FCPP-1", "5s 5d 5h 8s 8h", (WIN, 900, 0)),  # a full house counts as three of a kind there
        (None, "PMG-01", "5s 5d 5h 8s 8h", (WIN, 5000, 0)),  # and as itself where the table has it
        (None, "PMG-01", "5s 6s 7s 8s Ah", (LOSE, 0, 0)),
    ],
)
def test_progressive_basis(basis: str | None, letter: str, cards: str, want: Any) -> None:
    settled = due(
        seat(1, cards, **BOTH, progressive=100),
        game="four-card-poker/sd",
        paytable={"progressive": letter},
        options={} if basis is None else {"progressive_basis": basis},
        dealer="Kc Kd 9h 7c 4c 2d",
    )
    assert line(settled, "progressive") == want


CAP = 5_000_000
RAISE: dict[str, Any] = {"raise": 500}


@pytest.mark.parametrize(
    ("players", "paid"),
    [
        (("ann", "ann"), [(0, 0), (3_000_000, 2_000_000)]),  # two boxes of one player share one limit
        (("ann", "bob"), [(3_000_000, 2_000_000), (3_000_000, 2_000_000)]),  # two players have two
    ],
)  # fmt: skip
def test_a_payout_limit_is_per_player(players: tuple[str, str], paid: list[tuple[int, int]]) -> None:
    wagers: dict[str, Any] = {"ante": 3_000_000, "raise": 3_000_000, "prime": 100}
    settled = due(
        seat(1, "Ac Ad 8s 6c 3h", player=players[0], **wagers),
        seat(2, "As Ah 8c 6h 3s", player=players[1], **wagers),
        game="four-card-prime/pa",
        paytable={"prime": "A"},
        options={"payout_cap_cents": CAP},
        dealer="Kc Kd 9h 7s 4c 2d",
    )
    assert [(found.lines["ante"].paid, found.lines["raise"].paid) for found in settled.seats] == paid
    assert any("payout limit" in note for note in settled.notes)


def test_a_payout_limit_leaves_what_is_unresolved_alone() -> None:
    settled = due(
        seat(1, "Ac Ad 8s 6c 3h", ante=500),
        game="four-card-prime/pa",
        paytable={},
        options={"payout_cap_cents": CAP},
    )
    assert line(settled, "ante") == (OPEN, None, None)


def test_halves_of_a_cent_that_add_up_are_whole() -> None:
    settled = due(
        seat(1, "Kc Kd", ante=1, raise1=1, raise2=1, raise3=1),
        game="cajun-stud/pa",
        paytable={"main": "B"},
        dealer="",
        community=hand("9h 9s 4c"),
    )
    assert line(settled, "ante") == (WIN, Fraction(3, 2), 1)
    assert settled.seats[0].net == 6
    assert isinstance(settled.seats[0].net, int)


@pytest.mark.parametrize(
    ("bonus", "why"),
    [
        ("", "no bonus cards were dealt"),
        ("Ah", "1 bonus cards lie on the table, should be 4"),  # three aces in all, and still no hand of six
        ("Ah 2c 3c", "3 bonus cards lie on the table, should be 4"),
    ],
)
def test_a_bonus_hand_needs_all_its_cards(bonus: str, why: str) -> None:
    settled = due(
        seat(1, "Ac Ad", ante=100, raise1=100, raise2=100, raise3=100, all_six=100),
        game="cajun-stud/pa",
        paytable={"main": "A", "all_six": "A"},
        dealer="",
        bonus=bonus,
        community=hand("9h 8s 4d"),
    )
    assert settled.seats[0].lines["all_six"].why == why


def test_a_side_bet_alone_gets_no_cards_and_voids_nothing() -> None:
    settled = due(
        seat(1, "Ac Ad 8s 6c 3h", ante=500, **RAISE),
        seat(2, "", prime=100),
        game="four-card-prime/pa",
        paytable={"prime": "A"},
    )
    assert settled.status == "settled"
    assert [violation.code for violation in settled.violations] == ["prime-needs-ante"]
    assert line(settled, "prime", at=1) == (OPEN, None, None)


@pytest.mark.parametrize(
    ("raises", "want"),
    [
        ({}, {"ante": FORFEIT}),  # folded at the first decision
        ({"raise1": 100}, {"ante": FORFEIT, "raise1": FORFEIT}),
        ({"raise1": 100, "raise2": 300}, {"ante": FORFEIT, "raise1": FORFEIT, "raise2": FORFEIT}),
    ],
)
def test_cajun_folds_at_every_stage(raises: dict[str, Any], want: dict[str, str]) -> None:
    settled = due(
        seat(1, "Ac Ad", folded=True, ante=100, pocket=100, **raises),
        game="cajun-stud/pa",
        paytable={"main": "A", "pocket": "A"},
        dealer="",
        community=hand("9h 8s 4d"),
    )
    assert not settled.violations
    assert {wager: str(settled.seats[0].lines[wager].outcome) for wager in want} == want
    assert line(settled, "pocket") == (WIN, 3000, 100)  # a pair of aces, folded or not


@pytest.mark.parametrize(
    ("late", "status"),
    [
        (False, "void"),  # a dealer card seen before the Raises
        (True, "supervisor"),  # afterwards the text has no rule
    ],
)
def test_an_exposure_in_prime_voids_only_before_the_raises(late: Any, status: str) -> None:
    settled = due(
        seat(1, "Ac Ad 8s 6c 3h", ante=500, prime=100, **RAISE),
        game="four-card-prime/pa",
        paytable={"prime": "A"},
        irregularities=(Irregularity("dealer-card-exposed", after_raises=late),),
    )
    assert settled.status == status
    if status == "void":
        assert line(settled, "ante") == (BACK, 0, 500)
        assert line(settled, "prime") == (LOSE, 0, 0)  # still settled: three black, two red
