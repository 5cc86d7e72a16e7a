"""The part of Pyodide's package that works without JavaScript."""

from _pyrunr.version import PYODIDE_VERSION as __version__

__all__ = ["__version__", "code", "ffi"]
