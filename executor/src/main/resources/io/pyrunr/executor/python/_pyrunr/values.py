"""A job's value as JSON text.

JSON's own types map to themselves, integers exactly at any size. What lies beyond JSON follows the
proto3 JSON mapping where that has a rule (NaN and infinities, bytes, durations), ISO 8601 for dates.
Nothing becomes null silently: a value without a JSON form is an error that names its path. What pandas
labels keeps its labels; docs/values.md has the whole table.

There are two ways to write. Values made of JSON's types alone, finite and with string keys, go through
the C encoder of the json module; a scan by levels, at C speed, finds out whether that is so. All
others, and all errors, take the writer below, which knows the path to where it is.
"""

import base64
import sys
from builtins import *  # our own names: the job may have replaced those of the builtins module
from dataclasses import fields as dataclass_fields
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from itertools import chain
from math import isfinite
from uuid import UUID

from _json import encode_basestring, make_encoder

MAX_DEPTH = 200
"""Containers inside containers. C recursion in the json module allows for more, JSON readers often not."""

_MAX_PATH = 200
_SCALARS = frozenset((str, int, float, bool, type(None)))
_PLAIN = _SCALARS | {list, tuple, dict}
_NOT_A_NUMBER = {"nan": '"NaN"', "inf": '"Infinity"', "-inf": '"-Infinity"'}
_float_repr = float.__repr__
_int_repr = int.__repr__


class ResultConversionError(Exception):
    """The job's value, or a part of it, has no JSON form."""


class ResultTooLargeError(Exception):
    """The JSON text of the job's value is larger than the job's limit."""


for _kind in (ResultConversionError, ResultTooLargeError):
    _kind.__module__ = "builtins"  # tracebacks show the bare name


def _refuse(value):
    raise TypeError(type(value))


_encode_plain = make_encoder(
    None, _refuse, encode_basestring, None, ":", ",", False, False, False
)


def to_json(value, limit):
    """The value as UTF-8 JSON text of at most ``limit`` bytes; lone surrogates become ``\\udXXX``."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        if type(value) in _SCALARS and value == value or _is_plain(value, limit):
            try:
                text = "".join(_encode_plain(value, 0))
            except ValueError:  # infinity, alone
                text = _Writer(limit).text(value)
        else:
            text = _Writer(limit).text(value)
    finally:
        sys.set_int_max_str_digits(digits)
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > limit:
        raise _too_large(limit)
    return data


def _too_large(limit):
    return ResultTooLargeError(
        f"the result needs more than its limit of {limit} bytes as JSON; return less, or raise the limit"
    )


def _is_plain(value, limit):
    """Whether the C encoder writes the value as we would. Looks at one nesting level at a time."""
    level = [value]
    seen = 0
    for _ in range(MAX_DEPTH):
        kinds = set(map(type, level))
        if not kinds <= _PLAIN:
            return False
        if float in kinds and not all(map(isfinite, [v for v in level if type(v) is float])):
            return False
        if kinds <= _SCALARS:
            return True
        sequences = [v for v in level if type(v) is list or type(v) is tuple]
        objects = [v for v in level if type(v) is dict]
        if not set(map(type, chain.from_iterable(objects))) <= {str}:
            return False
        # Counted before they are gathered: shared parts can multiply without end.
        seen += sum(map(len, sequences)) + sum(map(len, objects))
        if seen > limit:
            raise _too_large(limit)
        level = list(chain.from_iterable(sequences))
        level.extend(chain.from_iterable(map(dict.values, objects)))
    return False


class _Writer:
    """Writes any value, knowing the path to where it is."""

    def __init__(self, limit):
        self._limit = limit
        self._size = 0
        self._out = []
        self._path = []
        self._open = set()  # ids of the containers around the current value

    def text(self, value):
        self._write(value)
        return "".join(self._out)

    def _emit(self, text):
        self._size += len(text)
        if self._size > self._limit:
            raise _too_large(self._limit)
        self._out.append(text)

    def _error(self, text):
        path = "value" + "".join(self._path)
        if len(path) > _MAX_PATH:
            path = path[: _MAX_PATH // 2] + "…" + path[-_MAX_PATH // 2 :]
        return ResultConversionError(f"{path} {text}")

    def _write(self, value):
        writer = _WRITERS.get(type(value))
        if writer is None:
            writer = _writer_by_ancestry(value)
        if writer is None:
            kind = type(value)
            name = kind.__qualname__
            if kind.__module__ not in ("builtins", "__main__"):
                name = f"{kind.__module__}.{name}"
            raise self._error(
                f"is of type {name}, which has no JSON form; return plain data, or its str()"
            )
        writer(self, value)

    # Scalars

    def _null(self, _):
        self._emit("null")

    def _bool(self, value):
        self._emit("true" if value else "false")

    def _int(self, value):
        self._emit(_int_repr(value))

    def _float(self, value):
        text = _float_repr(value)
        self._emit(_NOT_A_NUMBER.get(text, text))

    def _str(self, value):
        self._emit(encode_basestring(value))

    def _text_of(self, value):
        self._str(str(value))

    def _bytes(self, value):
        self._emit('"' + base64.b64encode(value).decode() + '"')

    def _iso(self, value):
        self._str(value.isoformat())

    def _duration(self, value):
        self._emit('"' + _duration_text(value) + '"')

    def _enum(self, value):
        self._write(value.value)

    # Containers

    def _enter(self, value):
        if id(value) in self._open:
            raise self._error("contains itself")
        if len(self._path) >= MAX_DEPTH:
            raise self._error(f"is nested more than {MAX_DEPTH} levels deep")
        self._open.add(id(value))

    def _array(self, values, owner=None):
        owner = values if owner is None else owner
        self._enter(owner)
        self._emit("[")
        self._path.append("")
        separator = ""
        for index, value in enumerate(values):
            if separator:
                self._emit(separator)
            separator = ","
            self._path[-1] = f"[{index}]"
            self._write(value)
        self._path.pop()
        self._emit("]")
        self._open.remove(id(owner))

    def _set(self, values):
        # The order of a set depends on hash seed and history: sorted if it can be, so that equal sets
        # give equal results.
        try:
            ordered = sorted(values)
        except TypeError:
            ordered = list(values)
        self._array(ordered, values)

    def _object(self, items, owner, path):
        self._enter(owner)
        self._emit("{")
        self._path.append("")
        seen = set()
        for key, value in items:
            name = self._key(key)
            if name in seen:
                self._path.pop()
                raise self._error(
                    f"has two keys that are both {encode_basestring(name)} in JSON; make its keys strings"
                )
            self._emit(("," if seen else "") + encode_basestring(name) + ":")
            seen.add(name)
            self._path[-1] = path(key)
            self._write(value)
        self._path.pop()
        self._emit("}")
        self._open.remove(id(owner))

    def _dict(self, value):
        self._object(value.items(), value, _item_path)

    def _dataclass(self, value):
        names = [field.name for field in dataclass_fields(value)]
        self._object(((name, getattr(value, name)) for name in names), value, _attribute_path)

    def _key(self, key):
        if isinstance(key, Enum):
            key = key.value
        elif _is_numpy(key) and hasattr(key, "item"):
            key = key.item()
        if isinstance(key, str):
            return str.__str__(key)
        if key is None:
            return "null"
        if key is True:
            return "true"
        if key is False:
            return "false"
        if isinstance(key, int):
            return _int_repr(key)
        if isinstance(key, float):
            text = _float_repr(key)
            return _NOT_A_NUMBER.get(text, text).strip('"')
        self._path.pop()
        raise self._error(
            f"has a key of type {type(key).__qualname__}; JSON keys are strings, numbers, booleans or None"
        )

    # numpy and pandas, without importing them

    def _numpy_scalar(self, value):
        kind = value.dtype.kind
        if value.dtype.names:
            self._structured(value)
        elif kind == "M":
            self._text_of(value)
        elif kind == "m":
            self._numpy_durations(value)
        else:
            plain = value.item()
            if type(plain) is type(value):  # longdouble gives itself back
                plain = float(value)
            self._write(plain)

    def _numpy_array(self, value):
        kind = value.dtype.kind
        if value.dtype.names:
            self._structured(value)
        elif kind == "M":
            self._nested(value.astype("U").tolist(), value)
        elif kind == "m":
            self._numpy_durations(value)
        else:
            self._nested(value.tolist(), value)

    def _numpy_durations(self, value):
        self._nested(_durations(value.astype("m8[ns]").astype("i8").tolist()), value)

    def _nested(self, plain, owner):
        if type(plain) is list:
            self._array(plain, owner)
        else:
            self._write(plain)

    def _structured(self, value):
        """A record, or an array of them: an object for each, whose keys are the fields."""
        names = value.dtype.names
        if value.ndim == 0:
            self._row(_Row(names, [value[name] for name in names]))
        elif value.ndim == 1:
            columns = [_each(value[name]) for name in names]
            self._array((_Row(names, row) for row in zip(*columns)), value)
        else:
            self._array(iter(value), value)

    def _series(self, series):
        index = series.index
        if _is_default(index):
            return self._array(series.tolist(), series)
        labels = self._labels(index)
        if labels is not None:
            return self._object(zip(labels, series.tolist()), series, _item_path)
        # As reset_index has it, except that it refuses a name that a level has.
        name = 0 if series.name is None else series.name
        names, levels = _levels(index, ())
        name = "value" if name in names else name
        self._records([*names, name], [*levels, series.tolist()], series)

    def _frame(self, frame):
        names = frame.columns.tolist()
        columns = [frame.iloc[:, i].tolist() for i in range(len(names))]
        if not _is_default(frame.index):
            index_names, levels = _levels(frame.index, names)
            names = index_names + names
            columns = levels + columns
        self._records(names, columns, frame)

    def _records(self, names, columns, owner):
        names = [self._key_of_column(name) for name in names]
        rows = zip(*columns) if columns else [()] * len(owner)
        self._array((_Row(names, row) for row in rows), owner)

    def _labels(self, index):
        """The labels of an index as keys, or None if they cannot be the keys of one object."""
        if index.nlevels > 1:
            return None
        keys = []
        for label in index.tolist():
            if _is_numpy(label) and hasattr(label, "item"):
                label = label.item()
            elif isinstance(label, Enum):
                label = label.value
            if isinstance(label, (datetime, date, time)):
                key = label.isoformat()
            elif isinstance(label, timedelta):
                key = _duration_text(label)
            elif isinstance(label, (Decimal, UUID)) or _is_pandas(label, "Period", "Interval"):
                key = str(label)
            elif _is_pandas(label, "NAType"):
                key = "null"
            elif label is None or isinstance(label, (str, int, float)):
                key = self._key(label)
            else:
                return None
            keys.append(key)
        return keys if len(set(keys)) == len(keys) else None

    def _key_of_column(self, name):
        # A multi-index has tuples; its levels joined read as they do in pandas' own flat exports.
        return "_".join(map(str, name)) if type(name) is tuple else name

    def _row(self, row):
        self._object(zip(row.columns, row.values), row, _item_path)


def _is_default(index):
    """Whether an index only counts the rows."""
    return (
        type(index).__name__ == "RangeIndex"
        and (index.start, index.step) == (0, 1)
        and index.name is None
    )


def _levels(index, taken):
    """The levels of an index as columns: their names, as reset_index gives them, and their values."""
    if index.nlevels == 1:
        unnamed = ["level_0" if "index" in taken else "index"]
        levels = [index]
    else:
        unnamed = [f"level_{i}" for i in range(index.nlevels)]
        levels = [index.get_level_values(i) for i in range(index.nlevels)]
    names = [other if name is None else name for name, other in zip(index.names, unnamed)]
    return names, [level.tolist() for level in levels]


def _each(field):
    """The elements of a structured array's field, as values that have a writer."""
    return field.tolist() if field.dtype.kind in "biufSU?" and field.ndim == 1 else list(field)


class _Row:
    """One record of a data frame."""

    __slots__ = ("columns", "values")

    def __init__(self, columns, values):
        self.columns = columns
        self.values = values


def seconds_text(amount, digits):
    """A count of ``10 ** -digits`` seconds as proto3 JSON writes a duration: ``-1.5s``."""
    whole, fraction = divmod(abs(amount), 10**digits)
    tail = f".{fraction:0{digits}d}".rstrip("0") if fraction else ""
    return f"{'-' if amount < 0 else ''}{whole}{tail}s"


def _duration_text(value):
    nanos = getattr(value, "nanoseconds", 0)  # pandas has them
    micros = (value.days * 86400 + value.seconds) * 1000000 + value.microseconds
    return seconds_text(micros * 1000 + nanos, 9)


def _durations(nanos):
    if type(nanos) is list:
        return [_durations(n) for n in nanos]
    return "NaT" if nanos == -(2**63) else seconds_text(nanos, 9)


def _item_path(key):
    return f"[{encode_basestring(key)}]" if isinstance(key, str) else f"[{key!r}]"


def _attribute_path(name):
    return "." + name


def _is_numpy(value):
    return _is_from("numpy", type(value))


def _is_pandas(value, *names):
    return type(value).__name__ in names and _is_from("pandas", type(value))


def _is_from(package, kind):
    return (kind.__module__ or "").partition(".")[0] == package


_WRITERS = {
    type(None): _Writer._null,
    bool: _Writer._bool,
    int: _Writer._int,
    float: _Writer._float,
    str: _Writer._str,
    list: _Writer._array,
    tuple: _Writer._array,
    dict: _Writer._dict,
    set: _Writer._set,
    frozenset: _Writer._set,
    bytes: _Writer._bytes,
    bytearray: _Writer._bytes,
    memoryview: _Writer._bytes,
    datetime: _Writer._iso,
    date: _Writer._iso,
    time: _Writer._iso,
    timedelta: _Writer._duration,
    Decimal: _Writer._text_of,
    UUID: _Writer._text_of,
    _Row: _Writer._row,
}

# Enum comes first: members of IntEnum or StrEnum are ints or strings as well.
_ANCESTRY = (
    (Enum, _Writer._enum),
    (bool, _Writer._bool),
    (int, _Writer._int),
    (float, _Writer._float),
    (str, _Writer._str),
    (dict, _Writer._dict),
    (list, _Writer._array),
    (tuple, _Writer._array),
    ((set, frozenset), _Writer._set),
    ((bytes, bytearray), _Writer._bytes),
    ((datetime, date, time), _Writer._iso),
    (timedelta, _Writer._duration),
    ((Decimal, UUID), _Writer._text_of),
)


def _writer_by_ancestry(value):
    kind = type(value)
    if any(_is_from("pandas", each) for each in kind.__mro__):
        if kind.__name__ == "NaTType":
            return lambda writer, _: writer._str("NaT")
        if kind.__name__ == "NAType":
            return _Writer._null
        if kind.__name__ in ("Period", "Interval"):
            return _Writer._text_of
        if hasattr(value, "columns") and hasattr(value, "iloc"):
            return _Writer._frame
        if hasattr(value, "index") and hasattr(value, "iloc"):
            return _Writer._series
        if hasattr(value, "dtype") and hasattr(value, "tolist"):
            return lambda writer, index: writer._array(index.tolist(), index)
    if _is_numpy(value) and hasattr(value, "dtype"):
        return _Writer._numpy_array if hasattr(value, "__array_finalize__") else _Writer._numpy_scalar
    if hasattr(kind, "__dataclass_fields__"):
        return _Writer._dataclass
    for ancestors, writer in _ANCESTRY:
        if isinstance(value, ancestors):
            return writer
    return None
