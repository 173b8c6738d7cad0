"""The documentation names files and folders: each of them is there."""

import re
from pathlib import Path

import pytest

import vision

ROOT = Path(vision.__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BASES = [ROOT, ROOT / "vision", ROOT / "studio", ROOT / "vision" / "rules"]  # pages on a part name its files from there
BLANK = re.compile(r"\b(?!README\b)[A-Z]{2,}\b|\bmy-")  # in a name that readers fill in: NAME, DIR, my-house
URL = re.compile(r"\w+://\S+")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PATH = re.compile(r"(?<![\w/.$<>*-])((?:\.?[\w-]+/)+[\w.*-]*|[\w-]+\.py)(?![\w/<$])")
MODULES = {path.name for base in ("vision", "studio", "tests") for path in (ROOT / base).rglob("*.py")}


def is_ours(name: str) -> bool:
    """Say whether a name begins as a path of the repository does, and is to be taken as it stands."""
    first = name.split("/")[0]
    return any((base / first).is_dir() for base in BASES) and not BLANK.search(name)


def is_there(name: str) -> bool:
    """Say whether a path is there, from the repository's folder or a package's; `*` stands for anything."""
    return any(next(base.glob(name.rstrip("/")), None) for base in BASES)


def missing(page: Path) -> list[str]:
    text = URL.sub("", page.read_text(encoding="utf-8"))
    links = [link for link in LINK.findall(text) if not (page.parent / link).exists()]
    named = [name.rstrip(".") for name in PATH.findall(LINK.sub("]", text))]
    paths = [name for name in named if "/" in name and is_ours(name) and not is_there(name)]
    return links + paths + [name for name in named if "/" not in name and name not in MODULES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    assert missing(page) == []


def test_what_is_not_there_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "`vision/rules/`, `alerts/judge.py`, `models/NAME.onnx`, `tests/no.py`, `story/gone.py`, [x](y.md), `zz.py`"
    )
    assert missing(page) == ["y.md", "tests/no.py", "story/gone.py", "zz.py"]
