# SPDX-License-Identifier: Apache-2.0
"""Arguments of public functions are checked against their annotations: a wrong one is a RingsideError that says what to pass.

Ranges and sizes are the functions' own matter. What is annotated as an array is too (objects/arrays.py), and classes without instances, such as protocols.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import numbers
import os
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, Unpack, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from .errors import ArgumentError

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


@dataclass(frozen=True)
class _Wanted:
    """The values that an annotation takes, and how people call them."""

    words: str
    takes: Callable[[Any], bool]


def _is_number(value: object) -> bool:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_buffer(value: object) -> bool:
    try:
        view = memoryview(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return view.contiguous and view.format in ("B", "b", "c")


def _each(value: Any) -> list[Any] | None:
    """The items of what can be gone through more than once."""
    if isinstance(value, (str, bytes, collections.abc.Iterator)):
        return None
    try:
        return list(value)
    except TypeError:
        return None


_PLAIN: dict[Any, _Wanted] = {
    NoneType: _Wanted("None", lambda value: value is None),
    bool: _Wanted("True or False", lambda value: isinstance(value, (bool, np.bool_))),
    int: _Wanted("a whole number", _is_whole),
    float: _Wanted("a number", _is_number),
    str: _Wanted("a string", lambda value: isinstance(value, str)),
    bytes: _Wanted("bytes", lambda value: isinstance(value, bytes)),
    bytearray: _Wanted("a bytearray", lambda value: isinstance(value, bytearray)),
    memoryview: _Wanted("a buffer of bytes", _is_buffer),
}


def _wanted(hint: Any) -> _Wanted | None:
    """None: anything is taken here."""
    if hint in (Any, ArrayLike, DTypeLike):
        return None
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        options = [_wanted(part) for part in parts]
        known = [option for option in options if option is not None]
        words = " or ".join(dict.fromkeys(option.words for option in known))
        return _Wanted(words, lambda value: any(o.takes(value) for o in known)) if len(known) == len(parts) else None
    if origin is Literal:
        return _Wanted(" or ".join(map(repr, parts)), lambda value: isinstance(value, str) and value in parts)
    if origin is collections.abc.Callable:
        return _Wanted("a function", callable)
    if origin is collections.abc.Iterable:
        return _Wanted("a list", lambda value: isinstance(value, collections.abc.Iterator) or _each(value) is not None)
    if origin in (collections.abc.Sequence, tuple):
        item = _wanted(parts[0])
        words = "a list" if item is None else f"a list, each item {item.words}"
        return _Wanted(words, lambda value: _all(_each(value), item))
    if isinstance(hint, type) and not getattr(hint, "_is_protocol", False):
        return _Wanted(_named(hint), lambda value: isinstance(value, hint))
    if isinstance(origin, type) and issubclass(origin, os.PathLike):
        return _Wanted("a path", lambda value: isinstance(value, os.PathLike))
    return None


def _named(kind: type) -> str:
    if issubclass(kind, Path):
        return "a path"
    return f"a{'n' * (kind.__name__[0] in 'AEIOU')} {kind.__name__}"


def _all(items: Sequence[Any] | None, wanted: _Wanted | None) -> bool:
    return items is not None and (wanted is None or all(map(wanted.takes, items)))


def _shown(value: object) -> str:
    """Never what may be long or secret."""
    plain = value is None or isinstance(value, (bool, int, float, str))
    return reprlib.repr(value) if plain else _named(type(value))


def _called(function: Callable[..., Any], args: Sequence[Any]) -> str:
    """The function as users call it, by the class of the object and not by that which has the method."""
    if "." not in function.__qualname__.rpartition("<locals>.")[2]:
        return function.__name__
    owner = args[0] if isinstance(args[0], type) else type(args[0])
    return owner.__name__ if function.__name__ == "__init__" else f"{owner.__name__}.{function.__name__}"


def _with_options(signature: inspect.Signature, hints: dict[str, Any]) -> inspect.Signature:
    """The signature with the keys of an `Unpack[...]` in place of its keyword arguments. A key is Annotated with its default."""
    parameters = list(signature.parameters.values())
    last = parameters[-1] if parameters else None
    if last is None or last.kind is not last.VAR_KEYWORD or get_origin(hints.get(last.name)) is not Unpack:
        return signature
    (options,) = get_args(hints[last.name])
    for name, hint in get_type_hints(options, include_extras=True).items():
        kind, default = get_args(hint)
        parameters.insert(-1, inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind))
    return signature.replace(parameters=parameters[:-1])


def checked(function: AnyFunction) -> AnyFunction:
    """The function, with ArgumentError for arguments that are not of the kinds that its annotations name.

    A function that ends with `**options: Unpack[SomeOptions]` gets all of those options, with their defaults where a caller leaves them out.
    """
    wanted: dict[str, _Wanted | None] = {}
    defaults: dict[str, Any] = {}
    own = inspect.signature(function)
    names = list(own.parameters)
    unpacks = "Unpack" in str(function.__annotations__)

    def read() -> inspect.Signature:
        hints = get_type_hints(function, include_extras=True)
        signature = _with_options(own, hints)
        hints |= {name: one.annotation for name, one in signature.parameters.items() if name not in own.parameters}
        defaults.update({name: one.default for name, one in signature.parameters.items() if name not in own.parameters})
        wanted.update({name: _wanted(hint) for name, hint in hints.items()})
        return signature

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not wanted:  # at the first call: annotations may name classes that are defined later
            read()
        for name, value in (*zip(names, args, strict=False), *kwargs.items()):
            want = wanted.get(name)
            if want is not None and not want.takes(value):
                message = f"{_called(function, args)}: `{name}` cannot be {_shown(value)}."
                raise ArgumentError("ARGUMENT", message, f"Pass {want.words}.")
            if defaults and name not in wanted and name not in names:
                raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}")
        return function(*args, **defaults | kwargs)

    if unpacks:
        call.__signature__ = read()  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def checks_arguments(cls: Class) -> Class:
    """The class, with all its public methods checked, and its constructor unless `_checks_itself` says that it does so."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and (name != "__init__" or getattr(cls, "_checks_itself", False)):
            continue
        if inspect.isfunction(member):
            setattr(cls, name, checked(member))
        elif isinstance(member, classmethod):
            setattr(cls, name, classmethod(checked(member.__func__)))
    return cls
