"""Evidence of a round as one file that anyone can check: the store enters, a signed zip leaves.

It holds the record, its alerts and reviews, the entries of the sealed log, the clips and stills, the rules that were
applied with the files they stand in, what the program was, a report to print, and the program that checks it all.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from vision.records.record import canonical
from vision.store import reading
from vision.store.home import Home
from vision.store.work import entries_of_round
from vision.values.errors import InputError
from vision.values.resources import GAMES, shipped
from vision.web import words
from vision.web.film import SECOND_NS, clip_film, round_film, still_at
from vision.web.pages import Pages, Room
from vision.web.review import Reviewed, reviewed
from vision.web.verify import KEY, LOG, MANIFEST, SIGNATURE, key_fingerprint

EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # of every file in a pack: a zip knows no earlier time
VERIFIER: Final = Path(__file__).with_name("verify.py")
Contents = dict[str, bytes | Path]  # what is in a pack, by name


@dataclass(frozen=True, slots=True)
class Signer:
    """The key of a house, with which evidence is signed."""

    private: Ed25519PrivateKey

    @classmethod
    def of(cls, home: Home) -> "Signer":
        """Return the key of a home; the first time, one is made."""
        path = home.evidence_key
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            made = Ed25519PrivateKey.generate()
            path.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        private = load_pem_private_key(path.read_bytes(), None)
        if not isinstance(private, Ed25519PrivateKey):
            raise InputError(f"{path}: want an Ed25519 key")
        return cls(private)

    @property
    def public_pem(self) -> bytes:
        """Return the public key."""
        return self.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def export(room: Room, round_id: str, by: str, path: Path) -> dict[str, Any]:
    """Write the evidence of a round; it appears whole or not at all. Return its manifest."""
    found = reviewed(room, round_id, "")
    if found is None or found.row is None:
        raise InputError(f"round: {round_id}: no such round in the store")
    signer, part = Signer.of(room.home), path.with_name(path.name + ".part")
    contents = dict(_contents(room, found)) | {KEY: signer.public_pem}
    listed = [{"name": name, **_seen(content)} for name, content in sorted(contents.items())]
    now_ns = room.clock.now_ns()
    manifest = {"format": 1, "round": round_id, "table": found.table, "exported_by": by, "exported_wall_ns": now_ns}
    manifest |= {"exported": words.day_and_time(now_ns), "key": key_fingerprint(signer.public_pem), "files": listed}
    text = canonical(manifest).encode()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(part, "w") as pack:
            for name, content in {**contents, MANIFEST: text, SIGNATURE: signer.private.sign(text)}.items():
                _write(pack, name, content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _contents(room: Room, found: Reviewed) -> Iterator[tuple[str, bytes | Path]]:
    row = found.row
    if row is None:
        return
    if row.body is not None:
        yield "round.json", _json(row.body.plain())
    yield "alerts.json", _json([alert.body.plain() for alert in found.alerts])
    yield "reviews.json", _json([said.body.plain() for said in found.said])
    yield LOG, _lines(entries_of_round(room.store, row))
    yield "rules.json", _json(_rules(found))
    yield "software.json", _json(_software())
    yield "verify.py", VERIFIER.read_bytes()
    stills = dict(_films(room, found))
    yield from stills.items()
    yield "report.html", report(found, [name for name in stills if name.endswith(".jpg")], room.clock.now_ns()).encode()


def _films(room: Room, found: Reviewed) -> Iterator[tuple[str, bytes | Path]]:
    """Yield the clips of the alerts with stills of the evidence, and the film of the whole round."""
    for i, alert in enumerate(found.alerts, 1):
        clip = reading.clip_of(room.store, alert.id)
        film = None if clip is None else clip_film(room.home, clip.body)
        if film is None:
            continue
        yield f"clip-{i}.mp4", film.path
        proof = alert.body.evidence
        for name, t_ns in (("before", proof.start_ns), ("after", max(proof.end_ns, alert.body.t_ns))):
            second = max(t_ns - film.start_ns, 0) / SECOND_NS
            still = still_at(film.path, film.path.stat().st_mtime_ns, second, film.place)
            if still is not None:
                yield f"clip-{i}-{name}.jpg", still
    whole = round_film(room.store, room.home, found.row) if found.row is not None else None
    if whole is not None:
        yield "hand.mp4", whole.path


def report(found: Reviewed, stills: list[str], now_ns: int) -> str:
    """Return one page to print."""
    return _pages().fragment("report.html", {"found": found, "stills": stills, "now_ns": now_ns})


def _rules(found: Reviewed) -> dict[str, Any]:
    """Return what the verdicts rest on: each citation with its heading, and the files of game and house."""
    cites = {each.record.cite: each.rule for each in found.sums if each.record.cite}
    record = found.record
    game = record.game if record is not None else ""
    files = [GAMES / f"{game}.toml", *(shipped("calibration") / "houses").glob("*.toml")]
    known = {path.name if path.parent.name == "houses" else game: _sha256(path) for path in files if path.is_file()}
    return {"game": game, "house": record.house if record is not None else "", "cited": cites, "sha256": known}


@cache
def _software() -> dict[str, Any]:
    """Return what the program was that came to the verdicts."""
    models = {path.name: _sha256(path) for path in sorted(shipped("models").rglob("*.onnx"))}
    return {"feltwatch": version("feltwatch"), "models_sha256": models}


@cache
def _pages() -> Pages:
    return Pages()


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def _lines(entries: list[dict[str, Any]]) -> bytes:
    return "".join(canonical(entry) + "\n" for entry in entries).encode()


def _seen(content: bytes | Path) -> dict[str, Any]:
    if isinstance(content, Path):
        return {"bytes": content.stat().st_size, "sha256": _sha256(content)}
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(pack: zipfile.ZipFile, name: str, content: bytes | Path) -> None:
    info = zipfile.ZipInfo(name, EPOCH)
    is_film = isinstance(content, Path)
    info.compress_type = zipfile.ZIP_STORED if is_film else zipfile.ZIP_DEFLATED  # films are small already
    if isinstance(content, bytes):
        pack.writestr(info, content)
        return
    with content.open("rb") as source, pack.open(info, "w", force_zip64=True) as target:
        while part := source.read(1 << 20):
            target.write(part)
