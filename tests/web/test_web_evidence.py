"""Evidence packs: whole, signed, checked anywhere; and none that was changed passes."""

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_room import WebRoom, open_room, token_in

from vision.cli import main
from vision.store import work
from vision.web import verify
from vision.web.pack import Signer, export


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRoom]:
    with open_room(tmp_path / "home") as room:
        yield room


@pytest.fixture
def pack(web: WebRoom, tmp_path: Path) -> Path:
    round_id = web.tell_round()
    web.tell_clip()
    path = tmp_path / "pack.zip"
    export(web.room, round_id, "ada", path)
    return path


def changed(pack: Path, name: str, content: bytes | None) -> Path:
    """Return a copy of a pack in which a file is another, is new, or (None) is missing."""
    copy = pack.with_name("changed.zip")
    with zipfile.ZipFile(pack) as old, zipfile.ZipFile(copy, "w") as new:
        kept = {info.filename: old.read(info) for info in old.infolist()} | {name: content}
        for each, body in kept.items():
            if body is not None:
                new.writestr(each, body)
    return copy


def test_a_pack_holds_all_and_is_good(web: WebRoom, pack: Path) -> None:
    found = verify.check(pack)
    assert (found["ok"], found["wrong"], found["round"], found["exported_by"]) == (True, [], "t-0001", "ada")
    assert found["signed_by"] == verify.key_fingerprint(Signer.of(web.home).public_pem)
    with zipfile.ZipFile(pack) as opened:
        names = set(opened.namelist())
        assert names >= {"round.json", "alerts.json", "reviews.json", "log.jsonl", "rules.json", "software.json"}
        assert names >= {"report.html", "verify.py", "clip-1.mp4", "clip-1-before.jpg", "clip-1-after.jpg"}
        assert json.loads(opened.read("rules.json"))["cited"]["MD ch.12 §A"].startswith("MD ch.12 §A: Payout Odds")
        assert "Underpaid" in opened.read("report.html").decode()
        assert len(opened.read("log.jsonl").splitlines()) == 2  # the alert and the round


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("round.json", b"{}", "round.json: changed"),
        ("clip-1.mp4", None, "clip-1.mp4: missing"),
        ("more.txt", b"hm", "more.txt: not in the manifest"),
        ("manifest.sig", bytes(64), "the signature is not that of manifest.json"),
        ("log.jsonl", b"", "log.jsonl: changed"),
    ],
)
def test_a_pack_that_was_changed_is_refused(pack: Path, name: str, content: bytes | None, why: str) -> None:
    found = verify.check(changed(pack, name, content))
    assert not found["ok"]
    assert why in " ".join(found["wrong"])


def test_a_pack_signed_with_another_key_is_refused_if_the_key_is_named(
    web: WebRoom, pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = verify.key_fingerprint(Signer.of(web.home).public_pem)
    assert main(["evidence", "verify", str(pack), "--key", mine]) == 0
    assert main(["evidence", "verify", str(pack), "--key", "0" * 64]) == 1
    assert f"signed by {mine}, want 000" in capsys.readouterr().out
    pack.write_bytes(b"no zip")
    assert main(["evidence", "verify", str(pack)]) == 1


@pytest.mark.parametrize("has_library", [True, False], ids=["cryptography", "openssl"])
def test_the_verifier_in_the_pack_stands_alone(pack: Path, tmp_path: Path, *, has_library: bool) -> None:
    """With the library, or with OpenSSL's program alone; without Feltwatch on the path."""
    if not has_library and shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    with zipfile.ZipFile(pack) as opened:
        opened.extract("verify.py", tmp_path)
    words = [sys.executable, *([] if has_library else ["-S"]), "-P", str(tmp_path / "verify.py")]
    assert subprocess.run([*words, str(pack)], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    forged = changed(pack, "manifest.sig", bytes(64))
    assert subprocess.run([*words, str(forged)], cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_the_command_exports_what_it_then_verifies(
    web: WebRoom, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    web.tell_round()
    monkeypatch.chdir(tmp_path)
    assert main(["evidence", "export", "t-0001", "--home", str(web.home.folder)]) == 0
    assert main(["evidence", "verify", "t-0001.zip"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["ok"] is True
    assert main(["evidence", "export", "t-0099", "--home", str(web.home.folder)]) == 1
    assert "t-0099: no such round" in capsys.readouterr().err


def test_a_pack_is_taken_from_the_page_and_that_is_noted(web: WebRoom, tmp_path: Path) -> None:
    round_id = web.tell_round()
    browser = web.browser()
    form = {"form_token": token_in(browser.get("/rounds").text)}
    answer = browser.post(f"/rounds/{round_id}/evidence", data=form)
    path = tmp_path / "taken.zip"
    path.write_bytes(answer.content)
    assert verify.check(path)["ok"]
    assert [(each.by, each.did, each.subject) for each in work.noted(web.store)] == [("ada", "exported", round_id)]
    assert web.browser("vic", "viewer").post(f"/rounds/{round_id}/evidence", data=form).status_code == 403
    assert browser.post("/rounds/t-0009/evidence", data=form).status_code == 404


def test_a_case_keeps_its_hands_whatever_becomes_of_the_footage(web: WebRoom) -> None:
    round_id = web.tell_round()
    film = web.tell_clip()
    browser = web.browser()
    form = {"form_token": token_in(browser.get("/rounds").text)}
    assert browser.post(f"/rounds/{round_id}/hold", data=form | {"case": "2026/11 Aces Up"}).status_code == 303
    assert browser.post(f"/rounds/{round_id}/hold", data=form | {"case": "<b>"}).status_code == 400
    film.unlink()
    text = browser.get("/cases").text
    assert "2026/11 Aces Up" in text
    assert "as it was signed" in text
    assert len(browser.get(f"/cases/{round_id}").content) > 10_000
    assert browser.get("/cases/t-0009").status_code == 404
    (web.home.holds / f"{round_id}.zip").write_bytes(b"damaged")
    assert "not an evidence pack" in browser.get("/cases").text
