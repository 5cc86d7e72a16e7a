"""Pyodide's evaluator, without what makes it slow for small jobs."""

import ast
from builtins import *  # our own names: the job may have replaced those of the builtins module
from inspect import CO_COROUTINE
from textwrap import dedent

from _pyodide._base import CodeRunner, should_quiet

from . import errors

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class JobRunner(CodeRunner):
    """Runs a job as CodeRunner does: the value of its last expression is the job's.

    CodeRunner makes a tree of Python objects of the program, replaces the last statement by one that
    raises its value, and compiles the tree. To compile objects takes several times as long as text, and
    was most of a job like ``1 + 1``. So a last line that is an expression by itself is compiled apart from
    what is above, both as text. What that does not fit is run with CodeRunner's own methods; the statement
    that raises is built with line numbers then, where CodeRunner copies a template and visits every node
    for missing ones.
    """

    def __init__(self, source):
        source = unindented(source)
        self._source = source
        self._compiled = True
        self.code, self._last_line = _compile_apart(source) or (_compile_tree(source), None)

    @property
    def is_async(self):
        """Whether the job awaits something, so that it has to be run with run_async."""
        return any(part.co_flags & CO_COROUTINE for part in self._parts())

    def _parts(self):
        return [part for part in (self.code, self._last_line) if part]

    def run(self, globals):
        if not self._last_line:
            return super().run(globals)
        for part in self._parts():
            value = eval(part, globals)
        return value

    async def run_async(self, globals):
        if not self._last_line:
            return await super().run_async(globals)
        for part in self._parts():
            value = eval(part, globals)
            if part.co_flags & CO_COROUTINE:
                value = await value
        return value


def unindented(source):
    """Without the indentation that all lines share, as CodeRunner takes it.

    Only removed where there is some, since dedent also empties lines of blanks inside of string literals.
    """
    return dedent(source) if source.lstrip("\r\n")[:1] in ("", " ", "\t") else source


def _compile_apart(source):
    """The code above the last line, or None, and that of the last line; nothing if it cannot be apart.

    If both compile, they mean the same as together: a last line that belongs to what is above, for a
    bracket, a string, a backslash or a decorator, leaves that incomplete.
    """
    text = source.rstrip(" \t\n")
    start = text.rfind("\n") + 1
    line = text[start:]
    if line[:1] in ("", " ", "\t", "#") or ";" in line or "\r" in text:
        return None
    try:
        # The last line first: it is short, and rarely one that compiles when the rest does not.
        value = compile("\n" * text.count("\n") + line, errors.job_file, "eval", _FLAGS)
        return compile(text[:start], errors.job_file, "exec", _FLAGS) if start else None, value
    except SyntaxError:
        return None  # not an expression, or an error, which is better told of the whole


def _compile_tree(source):
    tree = compile(source, errors.job_file, "exec", _FLAGS | ast.PyCF_ONLY_AST)
    body = tree.body
    if body and type(body[-1]) is ast.Expr and not (";" in source and should_quiet(source)):
        body[-1] = _give_back(body[-1])
    return compile(tree, errors.job_file, "exec", _FLAGS)


def _give_back(statement):
    """The statement that hands the value of an expression statement to CodeRunner."""
    place = {
        "lineno": statement.lineno,
        "col_offset": statement.col_offset,
        "end_lineno": statement.end_lineno,
        "end_col_offset": statement.end_col_offset,
    }
    carrier = ast.Subscript(
        ast.Name("___EvalCodeResultException", ast.Load(), **place),
        ast.Constant(0, **place),
        ast.Load(),
        **place,
    )
    return ast.Raise(ast.Call(carrier, [statement.value], [], **place), **place)
