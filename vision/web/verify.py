#!/usr/bin/env python3
"""Checks an evidence pack of Feltwatch on any machine: python3 verify.py PACK.zip [FINGERPRINT]

Needs Python 3.9 or newer, and for the signature the package `cryptography` or the program `openssl`. Nothing of
Feltwatch: the same file lies in every pack. It says what is wrong, and ends with 0 if nothing is, else with 1.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional  # noqa: UP035 - for Python 3.9

MANIFEST, SIGNATURE, KEY, LOG = "manifest.json", "manifest.sig", "public_key.pem", "log.jsonl"
UNLISTED = {MANIFEST, SIGNATURE}
LARGEST = 8 * 1024**3  # bytes of a pack when it is unpacked


def check(path: Path, fingerprint: Optional[str] = None) -> Dict[str, Any]:  # noqa: UP006, UP045
    """Return what a pack is, by whose key it is signed, and what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as pack:
            return _checked(pack, fingerprint)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, RuntimeError) as error:
        return {"ok": False, "wrong": [f"{path}: not an evidence pack, or damaged: {error}"]}


def _checked(pack: zipfile.ZipFile, fingerprint: Optional[str]) -> Dict[str, Any]:  # noqa: UP006, UP045
    manifest_bytes, key = pack.read(MANIFEST), pack.read(KEY)
    manifest = json.loads(manifest_bytes)
    signer = key_fingerprint(key)
    wrong = [*_wrong_files(pack, manifest), *_wrong_log(pack)]
    if not is_signed(manifest_bytes, pack.read(SIGNATURE), key):
        wrong.append(f"{SIGNATURE}: the signature is not that of {MANIFEST}")
    if manifest.get("key") != signer:
        wrong.append(f"{KEY}: not the key that {MANIFEST} names")
    if fingerprint is not None and fingerprint.lower() != signer:
        wrong.append(f"{KEY}: signed by {signer}, want {fingerprint}")
    known = {name: manifest.get(name) for name in ("round", "table", "exported_by", "exported")}
    return {"ok": not wrong, **known, "files": len(manifest["files"]), "signed_by": signer, "wrong": wrong}


def _wrong_files(pack: zipfile.ZipFile, manifest: Dict[str, Any]) -> List[str]:  # noqa: UP006
    """Return which files are missing, changed, or not in the manifest."""
    names = [info.filename for info in pack.infolist()]
    if sum(info.file_size for info in pack.infolist()) > LARGEST:
        return ["larger than any pack"]
    wrong = [f"{name}: there twice" for name in sorted({name for name in names if names.count(name) > 1})]
    listed = {entry["name"]: entry for entry in manifest["files"]}
    wrong += [f"{name}: not in the manifest" for name in names if name not in listed and name not in UNLISTED]
    for name, entry in listed.items():
        if name not in names:
            wrong.append(f"{name}: missing")
        elif _sha256(pack, name) != entry["sha256"]:
            wrong.append(f"{name}: changed: not the bytes that were exported")
    return wrong


def _wrong_log(pack: zipfile.ZipFile) -> List[str]:  # noqa: UP006
    """Return which entries of the log are not sealed with those before them."""
    wrong: List[str] = []  # noqa: UP006
    seal, last = "", -1
    for line in pack.read(LOG).decode("utf-8").splitlines():
        entry = json.loads(line)
        seq = entry["envelope"]["seq"]
        if seq == last + 1 and entry["before"] != seal:
            wrong.append(f"{LOG}: entry {seq}: does not follow the one before it")
        text = json.dumps(entry["envelope"], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        seal = hashlib.sha256(f"{entry['before']}\n{entry['wall_ns']}\n{text}".encode()).hexdigest()
        if seal != entry["hash"]:
            wrong.append(f"{LOG}: entry {seq}: not as it was sealed")
        last = seq
    return wrong


def _sha256(pack: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with pack.open(name) as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            digest.update(part)
    return digest.hexdigest()


def key_fingerprint(pem: bytes) -> str:
    """Return the SHA-256 of a public key's file without its line ends: what a house prints on paper."""
    return hashlib.sha256(b"".join(pem.split())).hexdigest()


def is_signed(message: bytes, signature: bytes, key: bytes) -> bool:
    """Tell whether an Ed25519 signature is that of a message."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key
    except ImportError:
        return _is_signed_by_openssl(message, signature, key)
    public = load_pem_public_key(key)
    if not isinstance(public, Ed25519PublicKey):
        raise TypeError("the key is no Ed25519 key")
    try:
        public.verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _is_signed_by_openssl(message: bytes, signature: bytes, key: bytes) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("message", "signature", "key")]
        for path, content in zip(paths, (message, signature, key)):  # noqa: B905 - Python 3.9
            path.write_bytes(content)
        words = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", str(paths[2]), "-in", str(paths[0])]
        try:
            done = subprocess.run([*words, "-sigfile", str(paths[1])], capture_output=True, check=False)  # noqa: S603
        except FileNotFoundError as error:
            raise RuntimeError("install `cryptography` (pip) or `openssl` to check the signature") from error
        return done.returncode == 0


def main(argv: List[str]) -> int:  # noqa: UP006
    """Check the pack that is named, and say how it is."""
    if len(argv) not in (1, 2):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    found = check(Path(argv[0]), *argv[1:])
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
