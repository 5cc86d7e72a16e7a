"""An exception of a job as the three texts its result shows: type, message, traceback."""

import linecache
from builtins import *  # our own names: the job may have replaced those of the builtins module
from os.path import dirname
from traceback import StackSummary, TracebackException

INLINE = "<job>"
"""File name of the code of a job that has no file."""

job_file = INLINE
"""File name of the job's own code in tracebacks."""

_MAX_TEXT = 64 * 1024

ALIKE = 3
"""So many frames that are alike are shown, as Python does; the others are counted."""

_MOST_SHOWN = 200
_MOST_ERRORS = 1000
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


def show_source(file, source):
    """Lets tracebacks quote the job's lines, and everybody else read them."""
    global job_file
    if file != job_file:
        linecache.cache.pop(job_file, None)
        job_file = file
    # Without a modification time linecache never looks for the file.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)


def describe(error):
    """Type, message and traceback of an exception. Never raises an Exception."""
    name = type(error).__name__
    try:
        return name, cut(_message(error)), cut(_traceback(error))
    except Exception as failure:
        # No memory, a __str__ that fails, a job that broke the traceback module.
        return name, "", f"{name} (its traceback could not be written: {type(failure).__name__})\n"


def _message(error):
    try:
        return str(error)
    except Exception as failure:
        return f"<str() of the exception failed: {type(failure).__name__}>"


def cut(text):
    if len(text) <= _MAX_TEXT:
        return text
    half = _MAX_TEXT // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


def _traceback(error):
    errors = _all_errors(error)
    _begin_at_job(error)
    left_out = {id(each): _shorten(each) for each in errors}
    if isinstance(error, SyntaxError):
        _quote_line(error)
    report = TracebackException.from_exception(error, lookup_lines=False, compact=True)
    pending = [(report, error)]
    while pending:
        part, its = pending.pop()
        part.stack = _Stack(part.stack)
        part.stack.left_out = left_out.get(id(its), {})
        pending.extend((p, e) for p, e in _below(part, its) if p is not None and e is not None)
    return "".join(report.format())


def _below(part, error):
    yield part.__cause__, error.__cause__
    yield part.__context__, error.__context__
    if part.exceptions:
        yield from zip(part.exceptions, error.exceptions)


def _all_errors(error):
    """The exception, its causes and contexts, the members of groups."""
    found = []
    seen = set()
    pending = [error]
    while pending and len(found) < _MOST_ERRORS:
        each = pending.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        found.append(each)
        pending += (each.__cause__, each.__context__)
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions
    return found


def _begin_at_job(error):
    """Drops the frames of ours above the job's first one."""
    entry = error.__traceback__
    while entry is not None and entry.tb_frame.f_code.co_filename != job_file:
        entry = entry.tb_next
    error.__traceback__ = entry


def _shorten(error):
    """Takes out of a traceback what would not be shown: to write all frames of a recursion takes seconds.

    That is frames of ours, wherever the job called back into us; frames like the three before them; and of
    what is left then, those in the middle. Returns what to say behind which frame.
    """
    kept = []
    alike = {}  # how many there are, at the last that is kept
    last, count = None, 0
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if not is_ours(code.co_filename):
            place = (code, entry.tb_lineno)
            last, count = place, count + 1 if place == last else 1
            if count <= ALIKE:
                kept.append(entry)
            else:
                alike[len(kept) - 1] = count
        entry = entry.tb_next
    notes = {at: repeated(count) for at, count in alike.items()}
    surplus = len(kept) - _MOST_SHOWN
    if surplus > 0:
        begin = _MOST_SHOWN // 2
        end = begin + surplus
        hidden = surplus + sum(count - ALIKE for at, count in alike.items() if begin <= at < end)
        del kept[begin:end]
        notes = {at if at < begin else at - surplus: note for at, note in notes.items() if not begin <= at < end}
        notes[begin - 1] = notes.get(begin - 1, "") + left_out(hidden)
    # From the end: each assignment looks for a loop in what follows.
    following = None
    for entry in reversed(kept):
        if entry.tb_next is not following:
            entry.tb_next = following
        following = entry
    error.__traceback__ = following
    return notes


def repeated(count):
    """The line behind so many frames that are alike; empty if they are all shown."""
    more = count - ALIKE
    return f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n" if more > 0 else ""


def left_out(count):
    """The line in the place of frames that are not shown."""
    return f"  … {count} frames left out …\n"


class _Stack(StackSummary):
    """A stack that says where frames were left out."""

    left_out = {}

    def format(self, **options):
        return [
            text
            for at, frame in enumerate(self)
            for text in (*StackSummary([frame]).format(**options), self.left_out.get(at, ""))
        ]


def _quote_line(error):
    """Gives a SyntaxError its line, which the compiler reads from the file, and there is none."""
    if error.text is None and error.filename == job_file and error.lineno is not None:
        error.text = linecache.getline(job_file, error.lineno)


def is_ours(filename):
    """Whether a frame of this file is none that the job has to see."""
    return filename.startswith(_OURS[0]) or filename.endswith(_OURS[1])
