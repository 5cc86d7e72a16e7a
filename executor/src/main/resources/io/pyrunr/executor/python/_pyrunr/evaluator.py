"""Pyodide's evaluator, without what makes it slow for small jobs."""

import ast
from builtins import *  # our own names: the job may have replaced those of the builtins module
from textwrap import dedent

from _pyodide._base import CodeRunner, should_quiet

from .errors import JOB

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class JobRunner(CodeRunner):
    """Compiles a job as CodeRunner does, and runs it with CodeRunner's own methods.

    The value of the last expression travels in an exception that is raised in its place. CodeRunner
    copies that statement from a template with deepcopy, and visits every node of the program for
    missing line numbers: together most of the time of a job like ``1 + 1``. Here the statement is built
    with line numbers. Indentation is only removed where there is some, since dedent also empties lines
    of blanks inside of string literals.
    """

    def __init__(self, source):
        if source.lstrip("\r\n")[:1] in ("", " ", "\t"):
            source = dedent(source)
        self._source = source
        self._compiled = True
        self.ast = compile(source, JOB, "exec", _FLAGS | ast.PyCF_ONLY_AST)
        body = self.ast.body
        if body and type(body[-1]) is ast.Expr and not (";" in source and should_quiet(source)):
            body[-1] = _give_back(body[-1])
        self.code = compile(self.ast, JOB, "exec", _FLAGS)


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
