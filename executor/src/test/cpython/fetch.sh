#!/usr/bin/env bash
# Puts CPython 3.13's own test suite, and what it needs of the library that Pyodide leaves out, into the folder $1, laid out
# as an installed Lib. It comes from Debian 13's packages, out of the mirror that this machine's apt uses, with lists and a
# cache of their own: nothing is installed, and apt's own lists stay as they are. It is test material and not to be
# committed. Needs apt and dpkg-deb on Debian; takes some seconds and 60 MB.
set -euo pipefail
release=trixie
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
mirror=$(apt-get --print-uris update | sed -n "s#^'\\(.*\\)/dists/[a-z]*/InRelease'.*#\\1#p" | awk 'NR == 1')
if [[ -z $mirror ]]; then
  echo "no Debian mirror is named in apt's sources" >&2
  exit 1
fi
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [[ -e $keyring ]]; then
  echo "deb [signed-by=$keyring] $mirror $release main"
else
  echo "deb $mirror $release main"
fi >sources.list
mkdir -p lists/partial cache/archives/partial debs
cat >apt.conf <<CONF
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
Acquire::Languages "none";
CONF
export APT_CONFIG=$work/apt.conf
apt-get -qq update
(cd debs && apt-get -qq download libpython3.13-testsuite libpython3.13-stdlib 2>/dev/null)
for deb in debs/*.deb; do
  dpkg-deb -x "$deb" tree
done
cp -R tree/usr/lib/python3.13/. "$out"
test -e "$out/test/support/__init__.py"
test -e "$out/test/test_grammar.py"
