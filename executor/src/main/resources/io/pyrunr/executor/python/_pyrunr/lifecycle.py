"""What a process has and a job needs: its standard streams when it begins, what Python does when it ends.

A script's end is part of what it does: text is flushed, ``atexit`` functions run, objects die and say so.
Here the process goes on, so the same is done for each job, as far as somebody could see the difference, on
the job's own time. A job that uses none of it pays for a few comparisons.
"""

import gc
import io
import logging
import sys
from atexit import _ncallbacks, _run_exitfuncs
from builtins import *  # our own names: the job may have replaced those of the builtins module
from types import BuiltinFunctionType, FunctionType, ModuleType
from weakref import finalize

from . import errors, event_loop

_PLAIN_NAMES = 8
"""Names in the namespace of a job that has not begun."""

_LAST_RESORT = 1
"""The handler that logging itself has, which keeps nothing back."""

_KEPT = frozenset(
    (FunctionType, BuiltinFunctionType, ModuleType, str, bytes, int, float, bool, type(None))
)
"""Values that say nothing when they die, and that those which do may need."""

_handlers = logging._handlerList
_known_handlers = []
_streams = {}


def prepare():
    """To be called before an image is taken."""
    _open_streams()
    # Runs when there is something to flush, see end(); as an exit function it would in every job.
    sys.modules["atexit"].unregister(logging.shutdown)
    remember()


def remember():
    """What there is now is there when each job begins."""
    _known_handlers[:] = [reference() for reference in _handlers]


def _open_streams():
    """Unbuffered, so that a job stopped between two instructions has lost nothing it printed."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = io.TextIOWrapper(
            io.FileIO(descriptor, "w", closefd=False),
            encoding="utf-8",
            errors="backslashreplace",
            newline="\n",
            write_through=True,
        )
        stream.mode = "w"
        _streams[name] = _streams[f"__{name}__"] = stream
    for hook in ("excepthook", "unraisablehook", "displayhook"):
        _streams[hook] = getattr(sys, f"__{hook}__")
    begin()


def begin():
    """Gives the job streams and hooks of its own, whatever one before it has done to them."""
    event_loop.used = False
    sys.__dict__.update(_streams)  # first: a wrapper that this lets go of closes what it wraps
    if not all(map(_is_as_opened, (_streams["stdout"], _streams["stderr"]))):
        _open_streams()


def _is_as_opened(stream):
    try:
        return not stream.closed and stream.write_through
    except ValueError:
        return False  # detached from its descriptor


def end(main):
    """Does what Python does at the end of a script. What fails there says so and spoils nothing else."""
    if _ncallbacks():
        _attempt(_run_exit_functions)
    if len(_handlers) > _LAST_RESORT:
        _attempt(logging.shutdown)
        _attempt(_forget_handlers)
    unbuffered = _are_unbuffered()
    if not unbuffered:
        _flush()
    namespace = main.__dict__
    if len(namespace) > _PLAIN_NAMES or event_loop.used:
        _attempt(_let_go, namespace)
        if not unbuffered:
            _flush()


def _are_unbuffered():
    """Whether the streams are the job's first, and hold nothing back."""
    try:
        out, err = sys.stdout, sys.stderr
        return (
            out is _streams["stdout"]
            and err is _streams["stderr"]
            and out.write_through
            and err.write_through
        )
    except (AttributeError, ValueError):
        return False  # deleted; detached from its descriptor


def _attempt(function, *args):
    try:
        function(*args)
    except (errors.TimeLimitExceeded, errors.JobCancelled):
        raise
    except BaseException as error:
        try:
            _streams["stderr"].write("Exception ignored at the end of the job:\n" + errors.describe(error)[2])
        except ValueError:
            pass  # the job has closed it


def _run_exit_functions():
    try:
        _run_exitfuncs()
    finally:
        # It has run, if anything had registered it; for jobs that follow without a restore it has not.
        finalize._shutdown = False
        finalize._registered_with_atexit = False


def _forget_handlers():
    """For jobs that follow without a restore."""
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if getattr(logger, "handlers", None):
            logger.handlers[:] = [h for h in logger.handlers if h in _known_handlers]


def _flush():
    for stream in (sys.__dict__.get("stdout"), sys.__dict__.get("stderr")):
        if stream is not None:
            _attempt(_flush_stream, stream)


def _flush_stream(stream):
    if not getattr(stream, "closed", False):
        stream.flush()


def _let_go(namespace):
    """Lets the job's objects die: files write what they hold, finalizers and unretrieved errors speak.

    Python collects them all at once, so that finalizers find everything in place; to do that here would
    visit the whole heap. So what has a finalizer goes first, and then the latest first, since what is
    made later may use what was there, not the other way round. Functions and classes stay.
    """
    collect = event_loop.used
    names = [name for name, value in namespace.items() if type(value) not in _KEPT]
    for name in names:
        value = namespace[name]
        if isinstance(value, type):
            collect = collect or hasattr(value, "__del__")
        elif hasattr(type(value), "__del__"):
            namespace[name] = None
        value = None
    for name in reversed(names):
        if not isinstance(namespace[name], type):
            namespace[name] = None
    if collect:
        gc.collect(1)
