"""Runs one job: bytes in, bytes out.

Request: five little-endian 32-bit figures (length of the code, limit of the result in bytes, wall time
in milliseconds, length of the view, length of the file's name), the code, the view, the name, the parameters
as JSON; text is UTF-8, lone surrogates allowed. The view says as JSON which wheels the job sees; empty, it
sees all. Without a name the code is from no file.

Reply: one letter and JSON text. ``V`` the value. ``E`` an error, ``L`` a result beyond its limit, ``T`` a job
whose wall time was over: all three followed by an array of type, message and traceback.
"""

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
from _signal import getsignal

from . import entropy, errors, event_loop, imports, lifecycle, stopped, values, wheels
from .evaluator import JobRunner, unindented

_HEADER = Struct("<IIIII")
_RECURSION_LIMIT = sys.getrecursionlimit()
_PRELOADED = (
    "base64 bisect calendar collections contextlib copy csv dataclasses datetime decimal enum fractions "
    "functools hashlib heapq html inspect io itertools json math micropip operator os pathlib pickle pyrunr random "
    "re secrets shutil statistics string struct tempfile textwrap time types typing urllib.parse uuid "
    "warnings zlib"
).split()

_wall_time_over = False
_wall_time_text = ""
_stopped_at = ""
_pristine = True  # so it is in the image: after a restore there is nothing to put right

# Given up when memory runs out, so that the report of it finds some.
_reserve = [bytearray(1 << 18)]


def prepare(_):
    """Makes a started interpreter ready for jobs, before its image is taken.

    Returns what the host must know to give each job random states of its own.
    """
    lifecycle.prepare()
    imports.install()
    event_loop.install()
    _listen()
    for name in _PRELOADED:
        import_module(name)
    # One job of each kind, so that what is created lazily is part of the image.
    for code in ("1 + 1", "import asyncio\nawait asyncio.sleep(0)\n[float('nan')]", "1 /", "1 / 0"):
        request = code.encode()
        run(_HEADER.pack(len(request), 1 << 20, 1000, 0, 0) + request + b"{}")
    leave_no_trace()
    return entropy.states().encode()


def preload(modules):
    """Imports more modules, separated by spaces, before the image is taken; returns as prepare does."""
    invalidate_caches()  # the files may be others than when the base image was taken
    for name in modules.decode().split():
        import_module(name)
    lifecycle.remember()
    return entropy.states().encode()


def run(request):
    """Runs the job of a request and returns its reply."""
    global _wall_time_over, _pristine
    _wall_time_over = False
    if not _pristine:
        lifecycle.begin()
        _listen()
    _pristine = False
    main = ModuleType("__main__")
    reply = _reply(request, main)
    in_time = not _wall_time_over
    try:
        lifecycle.end(main)
    except (errors.TimeLimitExceeded, errors.JobCancelled) as raised:
        if reply[:1] == b"V":
            reply = _failure(raised)
    except BaseException:
        pass  # no memory, no stack: the job's own end is known
    if _wall_time_over and in_time:
        reply = _failure(errors.TimeLimitExceeded())
    return reply


def _reply(request, main):
    global _wall_time_text
    try:
        length, limit, milliseconds, view_length, name_length = _HEADER.unpack_from(request)
        _wall_time_text = f"{milliseconds / 1000:g} s"
        start = _HEADER.size
        source = request[start : start + length].decode("utf-8", "surrogatepass")
        start += length
        if view_length:
            wheels.restrict(json.loads(request[start : start + view_length]))
            start += view_length
        file = errors.INLINE
        if name_length:
            file = request[start : start + name_length].decode("utf-8", "surrogatepass")
            start += name_length
        params = request[start:].decode("utf-8", "surrogatepass")
        logging._startTime = time_ns()
        value = _evaluate(main, file, source, _parse(params))
        if not _wall_time_over:
            sys.setrecursionlimit(_RECURSION_LIMIT)
            return b"V" + values.to_json(value, limit)
        error = None
    except BaseException as raised:
        error = raised
        if isinstance(raised, MemoryError):
            _reserve.clear()
    try:
        return _failure(error)
    finally:
        error = None  # its traceback holds this frame, and all that the job's frames do


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


def _evaluate(main, file, source, params):
    if source[:1].isspace():
        source = unindented(source)
    main.__builtins__ = builtins
    main.__file__ = file
    main.params = params
    sys.modules["__main__"] = main
    sys.argv = [file]
    errors.show_source(file, source)
    runner = JobRunner(source)
    if runner.is_async:
        return event_loop.run(_completed(runner, main.__dict__))
    value = runner.run(main.__dict__)
    return event_loop.run(_awaited(value)) if _is_awaitable(value) else value


async def _completed(runner, namespace):
    value = await runner.run_async(namespace)
    return await value if _is_awaitable(value) else value


async def _awaited(value):
    return await value


def _is_awaitable(value):
    return hasattr(type(value), "__await__")


def _failure(error):
    sys.setrecursionlimit(max(_RECURSION_LIMIT, sys.getrecursionlimit()))
    if _wall_time_over:
        message = _time_limit_message()
        text = _stopped_at or errors.describe(error or errors.TimeLimitExceeded(message))[2]
        report = [errors.TimeLimitExceeded.__name__, message, text]
        kind = b"T"
    else:
        report = errors.describe(error)
        kind = b"L" if type(error) is values.ResultTooLargeError else b"E"
    return kind + json.dumps(report).encode()


def leave_no_trace():
    """Drops the last job's module and source, for what is imported into the image next."""
    global _pristine
    lifecycle.begin()
    _listen()
    _pristine = True
    main = ModuleType("__main__")
    main.__file__ = errors.INLINE  # without one, libraries take it for somebody typing
    sys.modules["__main__"] = main
    errors.show_source(errors.INLINE, "")


def _listen():
    """Has the host's requests to stop heard, whatever a job before has made of them."""
    for number, handler in _HANDLERS:
        if getsignal(number) is not handler:
            signal.signal(number, handler)


def _time_limit_message():
    return f"the job ran longer than its wall time of {_wall_time_text}"


def _on_time_limit(signum, frame):
    global _wall_time_over, _stopped_at
    _wall_time_over = True
    message = _time_limit_message()
    try:
        last_line = f"{errors.TimeLimitExceeded.__name__}: {message}\n"
        stopped.tell(stopped.nearest(frame, last_line))
        _stopped_at = stopped.text(frame, last_line)
        stopped.tell(_stopped_at)
    except Exception:
        _stopped_at = ""  # the job has broken something of ours or has no memory left
    raise errors.TimeLimitExceeded(message)


def _on_cancel(signum, frame):
    raise errors.JobCancelled("nobody waits for the job's result any more")


# SIGXFSZ stands for itself: nothing sends it here, and what a job does with SIGTERM is its own affair.
_HANDLERS = ((signal.SIGXCPU, _on_time_limit), (signal.SIGXFSZ, _on_cancel))
