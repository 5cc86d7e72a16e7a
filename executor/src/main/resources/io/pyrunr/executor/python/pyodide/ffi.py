"""Names of Pyodide's foreign function interface that packages refer to, for a world without JavaScript.

No object is ever a proxy here, so checks with ``isinstance`` are false and conversions have nothing to do.
"""

__all__ = [
    "ConversionError",
    "IN_BROWSER",
    "JsArray",
    "JsBuffer",
    "JsException",
    "JsProxy",
    "can_run_sync",
    "create_once_callable",
    "create_proxy",
    "run_sync",
    "to_js",
]

IN_BROWSER = False


class JsProxy:
    """A JavaScript object; none exists."""

    def __new__(cls, *args, **kwargs):
        raise TypeError(f"{cls.__name__} cannot be instantiated")


class JsArray(JsProxy):
    """A JavaScript array; none exists."""


class JsBuffer(JsProxy):
    """A JavaScript buffer; none exists."""


class JsException(Exception):
    """A JavaScript error; never raised."""


class ConversionError(Exception):
    """A failed conversion to JavaScript."""


def can_run_sync():
    """Whether run_sync works: it does not."""
    return False


def _refused(name):
    def function(*args, **kwargs):
        raise NotImplementedError(f"{name}: this Python runs in a JVM, without JavaScript")

    function.__name__ = name
    return function


create_once_callable = _refused("create_once_callable")
create_proxy = _refused("create_proxy")
run_sync = _refused("run_sync")
to_js = _refused("to_js")
