"""Runs one module of CPython's test suite, in any engine, and returns what became of each test.

``params``: ``module`` below the package ``test``, and ``start``, the number of the first test to run.

Every test's number and outcome is printed at once, so that an engine which dies on a test has told of those
before it: it is started again behind that test. The value is the module's tests in order, as their names, and
what was seen of each: pairs of an outcome and its reason.
"""

import os
import random
import re
import sys
import types
import unittest
import warnings

OUTCOMES = ("pass", "xfail", "skip", "xpass", "fail", "error")
# What differs from run to run although it says the same.
VARYING = re.compile(r"0x[0-9a-f]+|test_python_\w+|@test_\w+_tmp\w*|tmp\w{8}\b|\b\d+\.\d{3,}\b")

# What of the suite asks for sockets, but is content with an event loop.
NEED_NO_SOCKETS = ("test_asyncio.", "test_asyncgen", "test_contextlib_async", "test_coroutines", "test_unittest")


def reason_of(error):
    kind, value, _ = error
    text = str(value).strip()
    if issubclass(kind, ImportError) and value.msg:
        text = value.msg[:]  # what Python says, without Pyrunr's hints
    if issubclass(kind, AssertionError):
        # Its first line is the assertion, the rest a picture of both sides.
        text = text.partition("\n")[0]
    return VARYING.sub("…", f"{kind.__name__}: {text}")[:400]


class Recorder(unittest.TestResult):
    def __init__(self, names):
        super().__init__()
        self.names = names
        self.numbers = {}
        self.seen = {}

    def number(self, tests):
        self.numbers = {id(test): number for number, test in enumerate(tests)}

    def record(self, test, outcome, reason=""):
        test = getattr(test, "test_case", test)  # a sub-test counts for its test
        number = self.numbers.get(id(test))
        if number is None:  # a fixture of a class or module
            number = len(self.names)
            self.names.append(test.id())
            self.numbers[id(test)] = number
            self.seen[number] = [(outcome, reason)]
            tell(number, outcome)
        else:
            self.seen.setdefault(number, []).append((outcome, reason))

    def startTest(self, test):
        super().startTest(test)
        tell(self.numbers[id(test)], "start")

    def stopTest(self, test):
        super().stopTest(test)
        number = self.numbers[id(test)]
        seen = self.seen.setdefault(number, [("pass", "")])
        tell(number, max((outcome for outcome, _ in seen), key=OUTCOMES.index))

    def addError(self, test, error):
        super().addError(test, error)
        self.record(test, "error", reason_of(error))

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.record(test, "fail", reason_of(error))

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            outcome = "fail" if issubclass(error[0], test.failureException) else "error"
            self.record(test, outcome, f"{subtest._subDescription()} {reason_of(error)}"[:400])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.record(test, "skip", reason)

    def addExpectedFailure(self, test, error):
        super().addExpectedFailure(test, error)
        self.record(test, "xfail")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.record(test, "xpass")


def tell(number, outcome):
    print(number, outcome, file=sys.__stdout__, flush=True)


class NotInPyodide(types.ModuleType):
    """Stands in for a C module of the suite's own that Pyodide does not have: what needs it is skipped.

    Without it, whole modules of tests fail to import for the sake of a few.
    """

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def skip(*args, **kwargs):
            raise unittest.SkipTest(f"{self.__name__}.{name} is not in Pyodide")

        return skip


def load(module):
    for _ in range(4):
        try:
            __import__("test." + module)
            break
        except (ImportError, unittest.SkipTest) as problem:
            missing = re.fullmatch(r"No module named '(_test\w*)'", str(problem))
            if not missing:
                raise
            sys.modules[missing[1]] = NotInPyodide(missing[1])
    return flatten(unittest.defaultTestLoader.loadTestsFromName("test." + module), [])


def flatten(suite, found):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            flatten(test, found)
        else:
            found.append(test)
    return found


def run(module, start):
    from test import support
    from test.support import os_helper

    support.use_resources = ()
    support.verbose = 0
    support.has_no_debug_ranges = lambda: False  # asks a module that Pyodide does not have
    # The suite skips all that uses asyncio for want of sockets, although tasks and locks need none.
    support.has_socket_support = module.startswith(NEED_NO_SOCKETS)
    stdout, stderr = sys.stdout, sys.stderr
    with os_helper.temp_cwd("cpython-tests"), open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = sys.stderr = nowhere
        try:
            tests = load(module)
            recorder = Recorder([test.id() for test in tests])
            recorder.number(tests)
            random.seed(20240713)
            with warnings.catch_warnings():
                unittest.TestSuite(tests[start:]).run(recorder)
        except unittest.SkipTest as skip:
            return {"names": [module], "seen": [[0, [["skip", str(skip)]]]]}
        except Exception as problem:  # what the module needs to be imported is not there
            reason = reason_of((type(problem), problem, None))
            return {"names": [module], "seen": [[0, [["error", reason]]]]}
        finally:
            sys.stdout, sys.stderr = stdout, stderr
    return {"names": recorder.names, "seen": [[number, seen] for number, seen in recorder.seen.items()]}


run(params["module"], params["start"])
