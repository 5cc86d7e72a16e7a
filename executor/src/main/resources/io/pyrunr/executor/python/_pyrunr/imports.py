"""What cannot be imported here, and why."""

import sys

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
    sys.meta_path.append(_JavaScriptBridge)
    # Its initialisation reaches for JavaScript objects at once.
    sys.modules["_pyodide_core"] = None
