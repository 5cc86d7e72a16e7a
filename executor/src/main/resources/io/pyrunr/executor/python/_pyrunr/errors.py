"""An exception of a job as the three texts its result shows: type, message, traceback."""

import linecache
from builtins import *  # our own names: the job may have replaced those of the builtins module
from os.path import dirname
from traceback import FrameSummary, StackSummary, TracebackException

JOB = "<job>"
"""File name of the job's own code in tracebacks."""

_MAX_TEXT = 64 * 1024
_MAX_FRAMES = 1200
"""More than a recursion of the usual limit has."""

_ALIKE = 3
"""So many frames that are alike are shown, as Python does; the others are counted."""

_MOST_SHOWN = 200
_OURS = (dirname(__file__) + "/", "_pyodide/_base.py")


class TimeLimitExceeded(KeyboardInterrupt):
    """Raised inside a job whose wall time is over.

    A KeyboardInterrupt, because libraries (asyncio first of all) let that one through at once and do
    not take it for an error of the code they run.
    """


class JobCancelled(KeyboardInterrupt):
    """Raised inside a job that nobody waits for any more."""


for _kind in (TimeLimitExceeded, JobCancelled):
    _kind.__module__ = "builtins"  # tracebacks show the bare name


def show_source(source):
    """Lets tracebacks quote the job's lines."""
    # Without a modification time linecache never looks for the file.
    linecache.cache[JOB] = (len(source), None, source.splitlines(keepends=True), JOB)


def describe(error):
    """Type, message and traceback of an exception. Never raises an Exception."""
    name = type(error).__name__
    try:
        return name, _cut(_message(error)), _cut(_traceback(error))
    except Exception as failure:
        # No memory, a __str__ that fails, a job that broke the traceback module.
        return name, "", f"{name} (its traceback could not be written: {type(failure).__name__})\n"


def _message(error):
    try:
        return str(error)
    except Exception as failure:
        return f"<str() of the exception failed: {type(failure).__name__}>"


def _cut(text):
    if len(text) <= _MAX_TEXT:
        return text
    half = _MAX_TEXT // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


def _traceback(error):
    frames = 0
    entry = error.__traceback__
    while entry is not None and frames <= _MAX_FRAMES:
        frames += 1
        entry = entry.tb_next
    limit = -_MAX_FRAMES if frames > _MAX_FRAMES else None
    report = TracebackException.from_exception(error, limit=limit, lookup_lines=False, compact=True)
    _keep_frames_of_job(report)
    return "".join(report.format())


def _keep_frames_of_job(report):
    """Drops the frames of ours: above the job's first frame, and wherever the job called back into us."""
    stack = report.stack
    first = next((i for i, frame in enumerate(stack) if frame.filename == JOB), len(stack))
    del stack[:first]
    pending = [report]
    while pending:
        part = pending.pop()
        part.stack = _Stack([frame for frame in part.stack if not _is_ours(frame.filename)])
        pending.extend(p for p in (part.__cause__, part.__context__) if p is not None)
        pending.extend(part.exceptions or ())


class _Stack(StackSummary):
    """A stack whose text does not take seconds, as that of a thousand frames with their source does."""

    def format(self, **options):
        shown = _alike_without_source(self)
        full = [i for i, frame in enumerate(shown) if frame is self[i]]
        if len(full) <= _MOST_SHOWN:
            return StackSummary(shown).format(**options)
        begin, end = full[_MOST_SHOWN // 2], full[-_MOST_SHOWN // 2]
        return [
            *StackSummary(shown[:begin]).format(**options),
            f"  … {end - begin} frames left out …\n",
            *StackSummary(shown[end:]).format(**options),
        ]


def _alike_without_source(frames):
    """Python writes the text of every frame of a recursion and then shows three."""
    result = []
    last, alike = None, 0
    for frame in frames:
        place = (frame.filename, frame.lineno, frame.name)
        last, alike = place, alike + 1 if place == last else 0
        result.append(frame if alike < _ALIKE else FrameSummary(*place, lookup_line=False, line=""))
    return result


def _is_ours(filename):
    return filename.startswith(_OURS[0]) or filename.endswith(_OURS[1])
