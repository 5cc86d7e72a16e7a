"""Packs the tests that a package's Pyodide wheel leaves out as a wheel: pack_tests.py OUT NAME VERSION ROOT

ROOT is a folder that holds the package, with its tests, such as a source tree or a Linux wheel's content.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

out, name, version, root = sys.argv[1:]
TAKEN = {"numpy": ("numpy/pytest.ini",), "pandas": ("pandas/conftest.py",)}  # besides the tests


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


files = {}
for path in sorted(pathlib.Path(root, name).rglob("*")):
    inside = path.relative_to(root).as_posix()
    if path.is_file() and path.suffix != ".pyc" and ("/tests/" in inside or inside in TAKEN[name]):
        files[inside] = path.read_bytes()
if name == "numpy" and "numpy/pytest.ini" not in files:  # in the source tree it is one folder above
    files["numpy/pytest.ini"] = pathlib.Path(root, "pytest.ini").read_bytes()
info = f"{name}_tests-{version}.dist-info"
files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}-tests\nVersion: {version}\n".encode()
files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
record = [f"{path},sha256={digest(data)},{len(data)}" for path, data in files.items()]
files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
wheel = pathlib.Path(out, f"{name}_tests-{version}-py3-none-any.whl")
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for path, data in files.items():
        archive.writestr(path, data)
print(wheel.name, len(files), "files")
