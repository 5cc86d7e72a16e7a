"""Runs one file of numpy's or pandas' own tests with pytest, in any engine, and returns what became of each test.

``params``: ``file`` below site-packages, ``start``, the number of the first test to run, and ``seconds``, after
which no further test is begun. A character per test is printed at once, so that an engine which dies on a test has
told of those before it. The value: all tests' names, and [number, outcome, reason] of those that ran.
"""

import fractions
import glob
import os
import re
import sys
import time
import types

OUTCOMES = {"pass": ".", "xfail": "x", "skip": "s", "xpass": "X", "fail": "F", "error": "E"}
# What differs from run to run although it says the same.
VARYING = re.compile(r"0x[0-9a-f]+|pytest-\d+|tmp\w{8}\b|/tmp/[\w./-]+|/\S*(?=/(numpy|pandas)/)")
# C modules that numpy's tests have for themselves; Pyodide's numpy is built without them.
ABSENT = ("_multiarray_tests", "_umath_tests", "_rational_tests", "_struct_ufunc_tests", "_operand_flag_tests")


class NotInPyodide(types.ModuleType):
    """Stands in for such a module: what calls it is skipped, rather than all of a file for the sake of an import."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "get_fpu_mode":  # asked around every test
            return lambda: 0
        if name == "rational":  # made at import
            return fractions.Fraction

        def skip(*args, **kwargs):
            import pytest

            pytest.skip(f"{self.__name__}.{name} is not in Pyodide", allow_module_level=True)

        return skip


def reason_of(report):
    if isinstance(report.longrepr, tuple):  # of a skip: file, line, reason
        text = report.longrepr[2]
    else:
        text = report.longrepr.reprcrash.message if hasattr(report.longrepr, "reprcrash") else str(report.longrepr)
    return VARYING.sub("…", text.strip())[:400]


class Recorder:
    def __init__(self, start, seconds):
        self.start = start
        self.deadline = time.monotonic() + seconds
        self.names = []
        self.seen = {}
        self.broken = []

    def pytest_configure(self, config):
        config.option.tbstyle = "native"  # any other parses all of a file for each failure

    def pytest_collection_finish(self, session):
        self.names = [item.nodeid for item in session.items]
        self.numbers = {name: number for number, name in enumerate(self.names)}
        del session.items[: self.start]

    def pytest_collectreport(self, report):
        if report.outcome != "passed":
            self.broken.append(["skip" if report.skipped else "error", reason_of(report)])

    def pytest_runtest_logreport(self, report):
        if hasattr(report, "wasxfail"):
            outcome = "xfail" if report.skipped else "xpass"
        elif report.failed:
            outcome = "fail" if report.when == "call" else "error"
        else:
            outcome = "skip" if report.skipped else "pass"
        reason = "" if outcome in ("pass", "xfail", "xpass") else reason_of(report)
        number = self.numbers[report.nodeid]
        order = list(OUTCOMES)
        if number not in self.seen or order.index(outcome) > order.index(self.seen[number][0]):
            self.seen[number] = [outcome, reason]

    def pytest_runtest_logfinish(self, nodeid):
        outcome = self.seen[self.numbers[nodeid]][0]
        print(end=OUTCOMES[outcome], file=sys.__stdout__, flush=True)
        if outcome in ("fail", "error"):  # what it has left takes no room from those after it
            for path in filter(os.path.isfile, glob.glob("/tmp/pytest-of-*/**", recursive=True)):
                os.truncate(path, 0)

    def pytest_runtest_setup(self, item):
        if time.monotonic() > self.deadline:
            item.session.shouldstop = "out of time"


def prepare_numpy():
    for name in ABSENT:
        sys.modules[f"numpy._core.{name}"] = NotInPyodide(f"numpy._core.{name}")
    import numpy as np
    from numpy._core.tests import _natype

    def get_stringdtype_dtype(na_object, coerce=True):  # Pyodide's numpy expects it there
        if na_object is _natype.pd_NA or na_object != "unset":
            return np.dtypes.StringDType(na_object=na_object, coerce=coerce)
        return np.dtypes.StringDType(coerce=coerce)

    _natype.get_stringdtype_dtype = get_stringdtype_dtype


def run(file, start, seconds):
    os.chdir("/tmp")
    if file.startswith("numpy"):
        prepare_numpy()
    import pytest

    if file.startswith("pandas"):
        import pandas.util._test_decorators as decorators

        decorators.versioned_importorskip = pytest.importorskip  # Debian's tests use it

    root = os.path.realpath(os.path.join(os.path.dirname(pytest.__file__), ".."))
    package = file.partition("/")[0]
    settings = os.path.join(root, package, {"numpy": "pytest.ini", "pandas": "pyproject.toml"}[package])
    options = ["-o", "addopts=", "-o", "tmp_path_retention_policy=failed", "--assert=plain"]
    options += ["-m", "not slow and not network and not db and not clipboard"]
    plugins = [word for name in ("cacheprovider", "faulthandler", "terminal") for word in ("-p", "no:" + name)]
    recorder = Recorder(start, seconds)
    stdout, stderr = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = sys.stderr = nowhere
        try:
            status = pytest.main(
                ["-c", settings, "--rootdir", root, "--capture=sys", *options, *plugins, os.path.join(root, file)],
                [recorder],
            )
        finally:
            sys.stdout, sys.stderr = stdout, stderr
    if recorder.broken or not recorder.names:
        recorder.names.append(file)
        outcome = recorder.broken[0] if recorder.broken else ["skip" if status == 5 else "error", f"pytest's {status!r}"]
        recorder.seen[len(recorder.names) - 1] = outcome
    return {"names": recorder.names, "seen": [[number, *seen] for number, seen in sorted(recorder.seen.items())]}


run(params["file"], params["start"], params["seconds"])
