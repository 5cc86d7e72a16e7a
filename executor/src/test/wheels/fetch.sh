#!/usr/bin/env bash
# Puts wheels of real pure-Python packages into the folder $1: Debian's, converted by deb2whl.py. They are test material and
# not to be committed. Needs apt, dpkg-deb, perl and python3; takes some seconds and 20 MB.
# Not among them: pytz and typing_extensions, which in Debian 12 need files outside of the package and an older Python.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
debs=$(mktemp -d)
trap 'rm -rf "$debs"' EXIT
cd "$debs"
chmod 755 .
mapfile -t names < <(perl -ne 'print "$1\n" if /"deb":"([^"]+)"/' "$here/uses.jsonl")
mapfile -t available < <(printf '%s\n' "${names[@]}" | sort | comm -12 - <(apt-cache pkgnames python3- | sort))
apt-get -qq download "${available[@]}" 2>/dev/null
python3 "$here/deb2whl.py" "$out" ./*.deb
