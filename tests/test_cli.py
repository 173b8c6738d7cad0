"""The command as a user meets it: exit codes, streams, help, and a README that knows every command."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

from vision.cli import _parser, main
from vision.demo.tour import ROUNDS

README = Path(__file__).parents[1] / "README.md"


def commands(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Collect the commands with their verbs."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        return [words]
    return [found for name, child in below[0].choices.items() for found in commands(child, (*words, name))]


@pytest.mark.parametrize("words", commands(_parser()), ids=" ".join)
def test_every_command_is_in_the_readme(words: tuple[str, ...]) -> None:
    assert f"feltwatch {' '.join(words)}" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", commands(_parser()), ids=" ".join)
def test_every_command_has_help(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*words, "--help"])
    assert caught.value.code == 0
    assert "usage: feltwatch" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["settle"], ["rules"], ["rules", "shew"], ["bench", "moon"], ["fly"]])
def test_wrong_use_ends_with_two(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2


def test_settle_answers_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settle", str(ROUNDS)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["settled", "settled", "settled", "void", "settled"]


def test_settle_fails_when_a_line_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b'\n{"id": "a"}\n\xff\xfe\n')
    assert main(["settle", str(path)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(found["id"], found["line"]) for found in answers] == [("a", 2), (None, 3)]


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settle", "nowhere.jsonl"]) == 1
    assert capsys.readouterr().err == "feltwatch: nowhere.jsonl: cannot be read: No such file or directory\n"


def test_rules_show_and_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    assert main(["rules", "show", "four-card-poker/wa", "--paytables"]) == 0
    out = capsys.readouterr().out
    assert "four-card-prime/pa" in out
    assert "BBB-02" in out
    assert main(["rules", "show", "four-card-poker/md", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["game"]["id"] == "four-card-poker/md"
    assert main(["rules", "show", "baccarat/md"]) == 1


def test_a_house_sheet_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = README.parent / "calibration" / "houses" / "washington.toml"
    assert main(["rules", "show", str(sheet)]) == 0
    assert "cards_dealt_face_up" in capsys.readouterr().out


def test_the_tour_runs_from_any_folder(tmp_path: Path) -> None:
    feltwatch = Path(sys.executable).parent / "feltwatch"
    done = subprocess.run([feltwatch, "demo", "--rounds"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "MD ch.12 §C(1)(c)" in done.stdout
    assert done.stderr == ""


def test_a_reader_who_leaves_early_is_no_error(tmp_path: Path) -> None:
    feltwatch = Path(sys.executable).parent / "feltwatch"
    many = tmp_path / "many.jsonl"
    many.write_text(ROUNDS.read_text(encoding="utf-8") * 200, encoding="utf-8")
    with subprocess.Popen(
        [feltwatch, "settle", many], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == ""


def test_bench_settle_reports_a_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "settle"]) == 0
    assert json.loads(capsys.readouterr().out)["ranking_ratio"] > 0
