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

from . import errors

_DEVICE = "/dev/pyrunr"
_DEEPEST = 100_000
_MOST_SHOWN = 100
_MOST_TASKS = 10


def text(frame, last_line):
    """The stack at a frame and the lines where tasks wait, written as a traceback that ends with a line."""
    stack = _from_job_on(_places_of_frames(frame))
    groups = [stack]
    loop = _get_running_loop()
    if loop is not None:
        waiting = [(task.get_name(), _places_of_waiting(task.get_coro())) for task in all_tasks(loop)]
        waiting = [(name, _from_job_on(places)) for name, places in waiting]
        waiting = sorted(each for each in waiting if each[1])
        waiting.sort(key=lambda each: len(each[0]))  # Task-2 before Task-10
        running = bool(stack) and _is_of_job(stack[-1])
        if waiting and not running:
            while stack and not _is_of_job(stack[-1]):
                stack.pop()  # the event loop's own
            stack += waiting.pop(0)[1]
        groups += waiting[:_MOST_TASKS]
    lines = ["Traceback (most recent call last):\n", *_written(stack)] if stack else []
    for name, places in groups[1:]:
        lines += [f"{name} waits:\n", *_written(places)]
    return errors.cut("".join(lines)) + last_line


def tell(report):
    """Lets the host know, should the job not end in time."""
    device = os.open(_DEVICE, os.O_WRONLY)
    try:
        os.write(device, b"stopped " + report.encode("utf-8", "backslashreplace"))
    finally:
        os.close(device)


def _places_of_frames(frame):
    places = []
    while frame is not None and len(places) < _DEEPEST:
        places.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back
    places.reverse()
    return places


def _places_of_waiting(awaited):
    """From a coroutine to the innermost one that it awaits."""
    places = []
    while awaited is not None and len(places) < _DEEPEST:
        for kind in ("cr", "gi", "ag"):
            frame = getattr(awaited, kind + "_frame", None)
            if frame is not None:
                break
        else:
            break
        places.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        awaited = getattr(awaited, "gi_yieldfrom" if kind == "gi" else kind + "_await", None)
    return places


def _is_of_job(place):
    return place[0] == errors.job_file


def _from_job_on(places):
    first = next((i for i, place in enumerate(places) if _is_of_job(place)), len(places))
    return [place for place in places[first:] if not errors.is_ours(place[0])]


def _written(places):
    if len(places) > 2 * _MOST_SHOWN:
        left_out = errors.left_out(len(places) - 2 * _MOST_SHOWN)
        return [
            *map(_line, places[:_MOST_SHOWN]),
            left_out,
            *map(_line, places[-_MOST_SHOWN:]),
        ]
    return map(_line, places)


def _line(place):
    file, number, name = place
    line = f'  File "{file}", line {number}, in {name}\n'
    if _is_of_job(place):
        source = linecache.getline(file, number).strip()
        if source:
            line += f"    {source}\n"
    return line
