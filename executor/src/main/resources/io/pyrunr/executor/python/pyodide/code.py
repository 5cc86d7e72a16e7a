"""Pyodide's evaluator, which is pure Python; what runs JavaScript is refused."""

from _pyodide._base import CodeRunner, eval_code, eval_code_async, find_imports, should_quiet

__all__ = ["CodeRunner", "eval_code", "eval_code_async", "find_imports", "run_js", "should_quiet"]


def run_js(code, /):
    """There is no JavaScript here."""
    raise NotImplementedError("run_js: this Python runs in a JVM, without JavaScript")
