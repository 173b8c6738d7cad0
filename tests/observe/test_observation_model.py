"""The observation models: their files, and what they make of looks."""

from pathlib import Path

import numpy as np
import pytest

from vision.detect.detection import UNREADABLE, FaceReading, StackReading
from vision.observe.chips import ChipBelief, Content
from vision.observe.faces import FaceBelief
from vision.observe.model import ChipRates, FaceRates, ObservationModel, read_model
from vision.observe.presence import Presence
from vision.table.views import view_names
from vision.values.cards import DECK
from vision.values.errors import InputError

S = 1_000_000_000


@pytest.mark.parametrize("view", view_names())
def test_each_view_class_has_a_model(view: str) -> None:
    model = read_model(view)
    assert model.origin is not None
    assert model.origin.view == view
    assert sum(model.origin.looks.values()) > 0


def test_an_unknown_rate_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text("[faces]\nmissread = 0.1\n", encoding="utf-8")
    with pytest.raises(InputError, match="missread"):
        read_model("good", tmp_path)


def test_a_thing_that_a_hand_was_at_is_gone_at_the_first_miss_in_plain_view() -> None:
    touched, alone = (Presence.begin(ObservationModel(), "card_up", by_hand=True) for _ in range(2))
    for presence in (touched, alone):
        for _ in range(10):
            presence.saw(S // 10)
    touched.touched()
    for presence in (touched, alone):
        presence.missed(2 * S, S // 10, 0.0)
    assert touched.log_odds < 0 < alone.log_odds


def test_what_is_missed_without_a_hand_is_believed_to_be_there_for_seconds() -> None:
    presence = Presence.begin(ObservationModel(), "card_up", by_hand=True)
    for _ in range(10):
        presence.saw(S // 10)
    times = iter(range(100))
    while presence.log_odds > 0:
        presence.missed(0, S // 10, 0.0)
        passed = next(times)
    assert 10 < passed < 60


def test_a_miss_where_an_arm_may_hide_it_says_little_however_often() -> None:
    presence = Presence.begin(ObservationModel(), "stack", by_hand=True)
    presence.saw(S // 10)
    presence.saw(S // 10)
    for _ in range(100):
        presence.missed(S, S // 10, 0.5)
    assert presence.log_odds > 0


def _face(card: int, p: float) -> FaceReading:
    chances = np.full(UNREADABLE + 1, (1 - p) / UNREADABLE)
    chances[card] = p
    return FaceReading(chances)


def test_looks_at_one_face_never_make_it_surer_than_lasting_errors_allow() -> None:
    belief = FaceBelief(FaceRates(lasting=0.02, again=1.0))
    for _ in range(50):
        belief.look(_face(7, 0.9))
    assert belief.chance_of(str(DECK[7])) == pytest.approx(0.98, abs=0.001)


def _stack(cents: int, p: float) -> StackReading:
    return StackReading(2, p, (2, 2), (), cents, p, (cents, cents), ((cents, p),))


def test_one_reading_of_a_stack_is_believed_as_it_says() -> None:
    content = Content(ChipRates(lasting=0.0001), 0)
    content.look(_stack(500, 0.8), 0)
    assert content.amounts[500] == pytest.approx(0.8, abs=0.001)


def test_a_stack_changes_when_readings_after_a_hand_differ_and_not_when_one_errs() -> None:
    model = ObservationModel()
    handled, alone = ChipBelief(model, 0), ChipBelief(model, 0)
    for belief in (handled, alone):
        for i in range(5):
            assert belief.look(_stack(500, 0.9), i) is None
    handled.touched(5, model.hands.changed)
    told = [handled.look(_stack(800, 0.9), 5 + i) for i in range(3)]
    assert sum(odds is not None for odds in told) == 1
    assert handled.number == 1
    assert handled.grew > 0.9
    assert [alone.look(_stack(800, 0.9), 5 + i) for i in range(3)] == [None, None, None]
