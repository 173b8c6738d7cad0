"""Golden cases: recorded observations enter; what they must lead to is held against what the pipeline says."""

import pytest
from golden_cases import case_names, read_case
from golden_checks import complaints
from golden_pipeline import run


def cases() -> list[object]:
    """Return all cases; of one that is known to fail it is told when it does not any more."""
    found = [(name, read_case(name).known_failure) for name in case_names()]
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=why, strict=True)) if why else name for name, why in found
    ]


@pytest.mark.parametrize("name", cases())
def test_case(name: str) -> None:
    case = read_case(name)
    said = run(case)
    found = [text for check in case.checks for text in complaints(check, said[check.get("at")])]
    assert not found, f"{case.about}\n" + "\n".join(found)
