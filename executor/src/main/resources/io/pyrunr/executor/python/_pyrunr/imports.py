"""How imports differ here: what is said of modules that are missing, and where the library says it is."""

import sys
import zipimport
from builtins import *  # our own names: the job may have replaced those of the builtins module
from importlib import _bootstrap

from zoneinfo import ZoneInfoNotFoundError, _common

from . import wheels

_NO_JAVASCRIPT = "and this Python runs in a JVM, without JavaScript"
_HINTS = {
    "dbm": "Pyodide leaves it out of the standard library; sqlite3 does what it is for"
    " ('pyrunr wheels add sqlite3' adds it)",
    "distutils": "Python has it no more since 3.12; setuptools brings it ('pyrunr wheels add setuptools' adds it)",
    "js": f"it is the browser's JavaScript objects, {_NO_JAVASCRIPT}",
    "pyodide_js": f"it is Pyodide's JavaScript API, {_NO_JAVASCRIPT}",
}
_NO_BRIDGE = (
    f"it is a part of Pyodide that needs JavaScript, {_NO_JAVASCRIPT}; of pyodide there are code and ffi"
)
_NO_NETWORK = "it fetches with the browser's JavaScript, and jobs have no network; give them the data as params"


def install():
    """Changes the import system, once."""
    _name_sources()
    _explain_missing_modules()
    _explain_missing_zones()
    # Its initialisation reaches for JavaScript objects at once.
    sys.modules["_pyodide_core"] = None
    sys.builtin_module_names = tuple(name for name in sys.builtin_module_names if name != "_pyodide_core")


class _Message(str):
    """What an import error says, with a hint when it is shown.

    Most are caught and forgotten, so the host is asked by whoever reads one. str() of an exception asks
    its argument for its text; as a string it is what Python says.
    """

    def __str__(self):
        text = self[:]
        hint = _hint(self.module)
        return f"{text}: {hint}" if hint else text


def _hint(module):
    root, _, rest = module.partition(".")
    if root == "pyodide" and rest:
        return _NO_NETWORK if rest == "http" else _NO_BRIDGE
    return _HINTS.get(root) or _ask(root) or _of_library(root)


def _ask(module):
    try:
        return wheels.ask({"op": "missing", "module": module})["hint"]
    except Exception:
        return ""  # a job without descriptors or memory has its error all the same


def _of_library(module):
    return "Pyodide's standard library is without it" if module in sys.stdlib_module_names else ""


def _explain_missing_modules():
    """Only what imports calls the function here: others, who ask whether there is a module, are told no."""
    find = _bootstrap._find_spec

    def find_spec(name, path, target=None):
        spec = find(name, path, target)
        if spec is None and (path is None or name.startswith("pyodide.")):
            message = _Message(f"No module named {name!r}")
            message.module = name
            raise ModuleNotFoundError(message, name=name)
        return spec

    # A frame of the import system's own, which Python leaves out of tracebacks.
    find_spec.__code__ = find_spec.__code__.replace(co_filename=find.__code__.co_filename)
    _bootstrap._find_spec = find_spec


def _explain_missing_zones():
    """Pyodide's version advises to load a package with JavaScript."""
    find = _common.load_tzdata

    def load_tzdata(key):
        try:
            return find(key)
        except ZoneInfoNotFoundError:
            if "tzdata" in sys.modules:
                raise
        raise ZoneInfoNotFoundError(f"No time zone found with key {key}, for want of tzdata: {_hint('tzdata')}")

    _common.load_tzdata = load_tzdata


def _name_sources():
    """Lets a module whose bytecode lies beside its source in an archive name the source, as everywhere else.

    zipimport names the bytecode. importlib.resources and others compare that with the file a frame's code
    is from, and find it to be another.
    """
    find_code = zipimport._get_module_code

    def get_module_code(importer, name):
        code, is_package, path = find_code(importer, name)
        if path == code.co_filename + "c":
            path = code.co_filename
        return code, is_package, path

    zipimport._get_module_code = get_module_code
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file is None or not file.endswith(".pyc"):
            continue
        module.__file__ = file[:-1]
        spec = module.__spec__
        if spec.origin == file:  # else it is frozen, and importlib has given it a file
            spec.origin = module.__file__
            spec.cached = None  # derived from the origin
            module.__cached__ = spec.cached
