"""How imports differ here: what cannot be imported, and where the library says it is."""

import sys
import zipimport

_NO_BRIDGE = {
    "js": "the browser's JavaScript objects",
    "pyodide_js": "Pyodide's JavaScript API",
}


class _JavaScriptBridge:
    """Names the reason when a job asks for Pyodide's bridge to JavaScript."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        what = _NO_BRIDGE.get(name.partition(".")[0])
        if what is None:
            return None
        raise ModuleNotFoundError(
            f"No module named '{name}': it is {what}, and this Python runs in a JVM, without JavaScript",
            name=name,
        )


def install():
    """Adds the finder behind all others, so that a job's own module of such a name still wins."""
    _name_sources()
    sys.meta_path.append(_JavaScriptBridge)
    # Its initialisation reaches for JavaScript objects at once.
    sys.modules["_pyodide_core"] = None


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
