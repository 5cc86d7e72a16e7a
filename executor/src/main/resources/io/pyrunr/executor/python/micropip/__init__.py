"""micropip for a place without network: installs from the wheel cache of the system that runs the job.

Nothing is ever downloaded. What is installed is seen by this job only, as all that a job changes.
"""

import csv
import hashlib
import importlib
import importlib.metadata
import json
import os
import sys
import tempfile
import urllib.parse
import warnings
import zipfile
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from _pyrunr import wheels as _host

__all__ = ["PackageDict", "PackageMetadata", "freeze", "install", "list", "uninstall"]

_list = list
_local = {}
"""Wheels of the job's own files that were installed: folder by normalised name."""


@dataclass
class PackageMetadata:
    """An installed package and where it came from."""

    name: str
    version: str = ""
    source: str = ""


class PackageDict(dict):
    """Installed packages by name; prints as a table."""

    def __repr__(self):
        rows = [("Name", "Version", "Source")]
        rows += [(p.name, p.version, p.source) for p in self.values()]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        rows.insert(1, tuple("-" * width for width in widths))
        return "\n".join(" | ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows)


async def install(
    requirements,
    keep_going=False,
    deps=True,
    credentials=None,
    pre=False,
    index_urls=None,
    *,
    constraints=None,
    reinstall=False,
    verbose=None,
):
    """Makes packages and what they need importable.

    ``requirements`` is a string or a list of them: names with versions and extras, resolved from the
    wheel cache, or ``file:`` and ``emfs:`` addresses of wheels in the job's own files. With ``deps`` false
    their dependencies are left out. What is missing is named in a ValueError, only the first or, with
    ``keep_going``, all of it; nothing has been installed then.
    """
    if index_urls:
        raise ValueError("micropip.install: there are no package indexes here, only the wheel cache")
    if isinstance(requirements, str):
        requirements = [requirements]
    names, local = [], []
    for requirement in requirements:
        path = _local_path(requirement)
        if path is None:
            names.append(requirement)
        else:
            local.append(_LocalWheel(path))
    question = {
        "op": "install",
        "requirements": names,
        "local": [{"file_name": wheel.path.name, "metadata": wheel.metadata} for wheel in local],
        "present": {name: _version(folder) for name, folder in _local.items()},
        "deps": bool(deps),
    }
    plan = _host.ask(question)
    problems = plan["problems"] + _already_imported(plan["wheels"])
    if problems:
        raise ValueError("\n".join(problems if keep_going else problems[:1]))
    for wheel in local:
        wheel.check()
    for wheel in plan["wheels"]:
        _show(wheel)
    for wheel in local:
        _local[wheel.name] = wheel.unpack()
    importlib.invalidate_caches()


def _local_path(requirement):
    """The path of a wheel in the job's files, or None for a requirement that is a name."""
    scheme, colon, rest = str(requirement).partition(":")
    scheme = scheme.strip().lower()
    if colon and scheme in ("file", "emfs"):
        path = urllib.parse.unquote(urllib.parse.urlsplit(requirement).path)
        if not os.path.isfile(path):
            raise ValueError(f"micropip.install: there is no file {path} in the job's file system")
        return Path(path)
    if colon and scheme in ("http", "https", "ftp", "data", "blob"):
        raise ValueError(
            f"micropip.install: {requirement}: nothing is downloaded here; put the wheel into the wheel cache "
            "and install it by its name"
        )
    return None


class _LocalWheel:
    """A wheel in the job's own files."""

    def __init__(self, path):
        self.path = path
        try:
            self.archive = zipfile.ZipFile(path)
            self.info = next(n[:-9] for n in self.archive.namelist() if n.endswith(".dist-info/METADATA"))
            self.metadata = self.archive.read(self.info + "/METADATA").decode()
        except (OSError, StopIteration, UnicodeDecodeError, zipfile.BadZipFile) as error:
            raise ValueError(f"micropip.install: {path} is not a wheel: {error or 'it has no METADATA'}") from None
        self.name = _normalize(self.info.partition("-")[0])

    def check(self):
        """Compares the files with RECORD."""
        record = self.archive.read(self.info + "/RECORD").decode().splitlines()
        for name, digest, _ in csv.reader(record):
            kind, _, expected = digest.partition("=")
            if kind == "sha256":
                digest = hashlib.sha256(self.archive.read(name)).digest()
                if urlsafe_b64encode(digest).rstrip(b"=").decode() != expected:
                    raise ValueError(f"micropip.install: {self.path}: {name} is not what RECORD says")

    def unpack(self):
        """Unpacks into a folder of its own, puts that on the path and returns it."""
        # The linker knows by the name site-packages where a wheel keeps its own libraries.
        folder = os.path.join(tempfile.mkdtemp(prefix="micropip-"), "site-packages")
        data = self.info.removesuffix(".dist-info") + ".data"
        for member in self.archive.infolist():
            place = PurePosixPath(member.filename)
            if ".." in place.parts:
                raise ValueError(f"micropip.install: {self.path}: the path {place} leads out of the wheel")
            if place.parts[0] == data:
                if len(place.parts) < 3 or place.parts[1] not in ("purelib", "platlib"):
                    continue
                member.filename = "/".join(place.parts[2:])
            self.archive.extract(member, folder)
        sys.path.insert(_site_index(), folder)
        return folder


def _normalize(name):
    for separator in "_.":
        name = name.replace(separator, "-")
    return "-".join(part for part in name.lower().split("-") if part)


def _version(folder):
    return next(iter(importlib.metadata.distributions(path=[folder]))).version


def _environment():
    return _host.ask({"op": "environment"})


def _site_index():
    """Where on the path folders go that come before all other packages."""
    site = _environment()["site"]
    for index, entry in enumerate(sys.path):
        if entry == site or entry.startswith("/lib/wheels/"):
            return index
    return len(sys.path)


def _visible(wheel, environment):
    """Whether imports find this wheel rather than another version of it."""
    same = {w["folder"] for w in environment["wheels"] if w["name"] == wheel["name"]}
    for entry in sys.path:
        if entry in same:
            return entry == wheel["folder"]
        if entry == environment["site"]:
            if any(w["chosen"] for w in environment["wheels"] if w["folder"] in same):
                return wheel["chosen"]
    return False


def _already_imported(planned):
    environment = _environment()
    problems = []
    for wheel in planned:
        if _visible(wheel, environment):
            continue
        for other in environment["wheels"]:
            if other["name"] == wheel["name"] and _visible(other, environment):
                if any(root in sys.modules for root in other["imports"]):
                    problems.append(
                        f"Requested '{wheel['name']}=={wheel['version']}', but {other['name']}=={other['version']} "
                        "is already imported; let the job require the version it needs"
                    )
    return problems


def _show(wheel):
    environment = _environment()
    if _visible(wheel, environment):
        return
    for other in environment["wheels"]:
        if other["name"] == wheel["name"] and other["folder"] in sys.path:
            sys.path.remove(other["folder"])
    sys.path.insert(_site_index(), wheel["folder"])


def list():
    """The packages this job can import, as a dict by name that prints as a table."""
    environment = _environment()
    found = {
        wheel["name"]: PackageMetadata(wheel["name"], wheel["version"], "wheel cache")
        for wheel in environment["wheels"]
        if _visible(wheel, environment)
    }
    for name, folder in _local.items():
        found[name] = PackageMetadata(name, _version(folder), "file")
    return PackageDict(sorted(found.items()))


def freeze():
    """The packages this job can import, as JSON in the form of pyodide-lock.json."""
    environment = _environment()
    packages = {}
    for wheel in environment["wheels"]:
        if _visible(wheel, environment):
            packages[wheel["name"]] = {
                "name": wheel["name"],
                "version": wheel["version"],
                "file_name": wheel["file_name"],
                "install_dir": "site",
                "sha256": wheel["sha256"],
                "package_type": "package",
                "imports": wheel["imports"],
                "depends": wheel["depends"],
            }
    return json.dumps({"info": {"python": environment["python"]}, "packages": packages})


def uninstall(packages, *, verbose=None):
    """Hides packages from the rest of this job."""
    names = [packages] if isinstance(packages, str) else _list(packages)
    environment = _environment()
    visible = [wheel for wheel in environment["wheels"] if _visible(wheel, environment)]
    for name in map(_normalize, names):
        folder = _local.pop(name, None)
        if folder is not None:
            sys.path.remove(folder)
            continue
        gone = [wheel for wheel in visible if wheel["name"] == name]
        if not gone:
            warnings.warn(f"Skipping '{name}' as it is not installed.", stacklevel=2)
            continue
        visible.remove(gone[0])
        own = {wheel["folder"] for wheel in environment["wheels"]}
        sys.path[:] = [entry for entry in sys.path if entry not in own]
        _host.restrict(_host.ask({"op": "view", "folders": [wheel["folder"] for wheel in visible]}))
        _host.hide(gone[0]["imports"])
    importlib.invalidate_caches()
