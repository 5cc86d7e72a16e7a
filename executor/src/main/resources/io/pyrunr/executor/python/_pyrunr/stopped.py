"""Where a job is at the moment its time is over.

An exception raised there shows it only if the job is on the stack. One that waits is not: the event loop is,
and the job's lines are in its tasks. And what is shown must not depend on time the job has no more of: the
text is made of what is in memory, in the signal's handler, and told to the host at once.
"""

import linecache
import os
from asyncio import all_tasks
from asyncio.events import _get_running_loop
from builtins import *  # our own names: the job may have replaced those of the builtins module
from sys import _getframe

from . import errors

_DEVICE = "/dev/pyrunr"
_MOST_SHOWN = 100
"""Frames from each end of the stack that are looked at, and coroutines of a task."""

_MOST_TASKS = 10


def text(frame, last_line):
    """The stack at a frame and the lines where tasks wait, written as a traceback that ends with a line."""
    stack = _from_job_on(_stack(frame))
    waiting = _waiting()
    if waiting and not (stack and _is_of_job(stack[-1])):
        while stack and not _is_of_job(stack[-1]):
            stack.pop()  # the event loop's own
        stack += waiting.pop(0)[1]
    lines = ["Traceback (most recent call last):\n"] if stack else []
    lines += map(_written, stack)
    for name, runs in waiting[:_MOST_TASKS]:
        lines += [f"{name} waits:\n", *map(_written, runs)]
    return errors.cut("".join(lines)) + last_line


def nearest(frame, last_line):
    """The innermost of the job's lines alone, in next to no time."""
    for _ in range(_MOST_SHOWN):
        if frame is None or frame.f_code.co_filename == errors.job_file:
            break
        frame = frame.f_back
    runs = []
    if frame is not None:
        _add(runs, frame)
    return "".join(map(_written, runs)) + last_line


def tell(report):
    """Lets the host know, should the job not end in time."""
    device = os.open(_DEVICE, os.O_WRONLY)
    try:
        os.write(device, b"stopped " + report.encode("utf-8", "backslashreplace"))
    finally:
        os.close(device)


class _Run:
    """A place in the code, and how many frames in a row are there: a recursion is written in no time."""

    __slots__ = ("code", "line", "count")

    def __init__(self, code, line):
        self.code = code
        self.line = line
        self.count = 1


class _Gap:
    """Frames that are not looked at."""

    code = None

    def __init__(self, count):
        self.count = count


def _add(runs, frame):
    code, line = frame.f_code, frame.f_lineno
    if runs and (last := runs[-1]).code is code and last.line == line:
        last.count += 1
    else:
        runs.append(_Run(code, line))


def _stack(innermost):
    """The frames from the outermost on.

    To visit each frame of a deep recursion takes too long; what looks for one by number runs in C.
    """
    inner = []
    frame = innermost
    for seen in range(_MOST_SHOWN):
        _add(inner, frame)
        frame = frame.f_back
        if frame is None:
            return inner[::-1]
    first = 0
    while _getframe(first) is not innermost:
        first += 1
    last, step, growing = first, 1, True
    while step:
        try:
            _getframe(last + step)
        except ValueError:
            growing = False
            step //= 2
        else:
            last += step
            step = step * 2 if growing else step // 2
    rest = last - first + 1 - _MOST_SHOWN
    shown = min(rest, _MOST_SHOWN)
    outer = []
    frame = _getframe(last - shown + 1)
    while frame is not None:
        _add(outer, frame)
        frame = frame.f_back
    gap = [_Gap(rest - shown)] if rest > shown else []
    return outer[::-1] + gap + inner[::-1]


def _waiting():
    """Name and frames of each task that waits, the oldest first."""
    loop = _get_running_loop()
    if loop is None:
        return []
    tasks = [(task.get_name(), _from_job_on(_frames_of(task.get_coro()))) for task in all_tasks(loop)]
    # Task-2 before Task-10.
    return sorted((task for task in tasks if task[1]), key=lambda task: (len(task[0]), task[0]))


def _frames_of(awaited):
    """From a coroutine to the innermost one that it awaits."""
    runs = []
    for _ in range(_MOST_SHOWN):
        for kind in ("cr", "gi", "ag"):
            frame = getattr(awaited, kind + "_frame", None)
            if frame is not None:
                break
        else:
            break
        _add(runs, frame)
        awaited = getattr(awaited, "gi_yieldfrom" if kind == "gi" else kind + "_await", None)
    return runs


def _is_of_job(run):
    return run.code is not None and run.code.co_filename == errors.job_file


def _from_job_on(runs):
    first = next((i for i, run in enumerate(runs) if _is_of_job(run)), len(runs))
    return [run for run in runs[first:] if run.code is None or not errors.is_ours(run.code.co_filename)]


def _written(run):
    if run.code is None:
        return errors.left_out(run.count)
    text = f'  File "{run.code.co_filename}", line {run.line}, in {run.code.co_name}\n'
    if _is_of_job(run):
        text += f"    {linecache.getline(errors.job_file, run.line).strip()}\n"
    return text * min(run.count, errors.ALIKE) + errors.repeated(run.count)
