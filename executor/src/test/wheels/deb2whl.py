"""Turns Debian packages of pure-Python distributions into wheels: test material, not for use.

    python3 deb2whl.py OUT PACKAGE.deb...

Compiled modules are left out: the packages that come as test material here work without theirs.
"""

import base64
import email
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile


def convert(deb, out):
    with tempfile.TemporaryDirectory() as unpacked:
        subprocess.check_call(["dpkg-deb", "-x", deb, unpacked])
        root = pathlib.Path(unpacked, "usr/lib/python3/dist-packages")
        [info] = [entry for entry in root.iterdir() if re.search(r"\.(dist|egg)-info$", entry.name)]
        name = "METADATA" if info.name.endswith("dist-info") else "PKG-INFO"
        metadata = (info if info.is_file() else info / name).read_text(encoding="utf8")
        if info.is_dir() and (info / "requires.txt").exists() and "Requires-Dist:" not in metadata:
            metadata = with_requirements(metadata, (info / "requires.txt").read_text())
        files = {}
        for path in sorted(root.rglob("*")):
            inside = path.relative_to(root)
            compiled = path.suffix in (".pyc", ".so") or "__pycache__" in inside.parts
            if path.is_file() and inside.parts[0] != info.name and not compiled:
                files[inside.as_posix()] = path.read_bytes()
    headers = email.message_from_string(metadata)
    stem = re.sub(r"[-.]+", "_", headers["Name"]) + "-" + headers["Version"].replace("-", "_")
    files[f"{stem}.dist-info/METADATA"] = metadata.encode()
    files[f"{stem}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = f"{stem}.dist-info/RECORD"
    lines = [f"{path},sha256={digest(data)},{len(data)}" for path, data in files.items()]
    files[record] = "\n".join([*lines, record + ",,", ""]).encode()
    wheel = pathlib.Path(out, f"{stem}-py3-none-any.whl")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    print(wheel.name)


def with_requirements(metadata, requires):
    """The first section of an egg's requires.txt as headers; the others are extras."""
    needed = requires.split("\n[")[0].split()
    head, blank, rest = metadata.partition("\n\n")
    return head + "".join(f"\nRequires-Dist: {name}" for name in needed if name[0] != "[") + (blank + rest or "\n")


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    for package in sys.argv[2:]:
        convert(package, sys.argv[1])
