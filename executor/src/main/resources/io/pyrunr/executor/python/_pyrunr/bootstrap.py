"""Runs one job: bytes in, bytes out.

Request: four little-endian 32-bit figures (length of the code, limit of the result in bytes, wall time
in milliseconds, length of the view), the code, the view, the parameters as JSON; text is UTF-8, lone
surrogates allowed. The view says as JSON which wheels the job sees; empty, it sees all.

Reply: one letter and JSON text. ``V`` the value. ``E`` an error, ``L`` a result beyond its limit, ``T`` a job
whose wall time was over: all three followed by an array of type, message and traceback.
"""

import io
import json
import logging
import signal
import sys
from builtins import *  # our own names: the job may have replaced those of the builtins module
from importlib import import_module, invalidate_caches
from struct import Struct
from time import time_ns
from types import ModuleType

import builtins

from . import entropy, errors, event_loop, imports, values, wheels
from .evaluator import JobRunner

_HEADER = Struct("<IIII")
_RECURSION_LIMIT = sys.getrecursionlimit()
_PRELOADED = (
    "base64 bisect calendar collections contextlib copy csv dataclasses datetime decimal enum fractions "
    "functools hashlib heapq html inspect io itertools json math micropip operator os pathlib pickle pyrunr random "
    "re secrets shutil statistics string struct tempfile textwrap time types typing urllib.parse uuid "
    "warnings zlib"
).split()

_wall_time_over = False
_wall_time_text = ""

# Given up when memory runs out, so that the report of it finds some.
_reserve = [bytearray(1 << 18)]


def prepare(_):
    """Makes a started interpreter ready for jobs, before its image is taken.

    Returns what the host must know to give each job random states of its own.
    """
    _open_standard_streams()
    imports.install()
    event_loop.install()
    signal.signal(signal.SIGXCPU, _on_time_limit)
    signal.signal(signal.SIGTERM, _on_cancel)
    sys.argv[:] = [errors.JOB]
    for name in _PRELOADED:
        import_module(name)
    # One job of each kind, so that what is created lazily is part of the image.
    for code in ("1 + 1", "import asyncio\nawait asyncio.sleep(0)\n[float('nan')]", "1 /", "1 / 0"):
        request = code.encode()
        run(_HEADER.pack(len(request), 1 << 20, 1000, 0) + request + b"{}")
    leave_no_trace()
    return entropy.states().encode()


def preload(modules):
    """Imports more modules, separated by spaces, before the image is taken; returns as prepare does."""
    invalidate_caches()  # the files may be others than when the base image was taken
    for name in modules.decode().split():
        import_module(name)
    return entropy.states().encode()


def _open_standard_streams():
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
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run(request):
    """Runs the job of a request and returns its reply."""
    global _wall_time_over, _wall_time_text
    _wall_time_over = False
    try:
        length, limit, milliseconds, view_length = _HEADER.unpack_from(request)
        _wall_time_text = f"{milliseconds / 1000:g} s"
        start = _HEADER.size
        source = request[start : start + length].decode("utf-8", "surrogatepass")
        start += length
        if view_length:
            wheels.restrict(json.loads(request[start : start + view_length]))
        params = request[start + view_length :].decode("utf-8", "surrogatepass")
        logging._startTime = time_ns()
        value = _evaluate(source, _parse(params))
        if not _wall_time_over:
            sys.setrecursionlimit(_RECURSION_LIMIT)
            return b"V" + values.to_json(value, limit)
        error = None
    except BaseException as raised:
        error = raised
        if isinstance(raised, MemoryError):
            _reserve.clear()
    return _failure(error)


def _parse(params):
    if params == "null":
        return None
    try:
        digits = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            return json.loads(params)
        finally:
            sys.set_int_max_str_digits(digits)
    except json.JSONDecodeError as error:
        error.args = (f"params is not JSON: {error.args[0]}",)
        raise


def _evaluate(source, params):
    main = ModuleType("__main__")
    main.__builtins__ = builtins
    main.params = params
    sys.modules["__main__"] = main
    errors.show_source(source)
    runner = JobRunner(source)
    if runner.is_async:
        return event_loop.run(runner.run_async(main.__dict__))
    return runner.run(main.__dict__)


def _failure(error):
    sys.setrecursionlimit(max(_RECURSION_LIMIT, sys.getrecursionlimit()))
    if _wall_time_over:
        kind = b"T"
        if error is None:
            error = errors.TimeLimitExceeded(_time_limit_message())
        _, _, traceback = errors.describe(error)
        report = [errors.TimeLimitExceeded.__name__, _time_limit_message(), traceback]
    else:
        kind = b"L" if type(error) is values.ResultTooLargeError else b"E"
        report = errors.describe(error)
    return kind + json.dumps(report).encode()


def leave_no_trace():
    """Drops the last job's module and source, for jobs that follow without a restore."""
    sys.modules["__main__"] = ModuleType("__main__")
    errors.show_source("")


def _time_limit_message():
    return f"the job ran longer than its wall time of {_wall_time_text}"


def _on_time_limit(signum, frame):
    global _wall_time_over
    _wall_time_over = True
    raise errors.TimeLimitExceeded(_time_limit_message())


def _on_cancel(signum, frame):
    raise errors.JobCancelled("nobody waits for the job's result any more")
