#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python/tfprof/profile.pyi, by which editors and type checkers know the methods that are made from the registry.

    PYTHONPATH=build/release/python make_stubs.py
"""
import inspect
import pathlib
import sys

# The package beside this file has no compiled part.
sys.path = [path for path in sys.path if pathlib.Path(path).resolve() != pathlib.Path(__file__).resolve().parent]
from tfprof import native, profile

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Made by: python/make_stubs.py
import os
from typing import IO, Any, Dict, List, Optional, Sequence, Tuple, Union

from tfprof.report import Report

_File = Union[str, os.PathLike, bytes, IO[bytes]]

class Profile:
    native: Any
    paths: List[str]
    def __init__(self, opened: Any, paths: Sequence[str] = ...) -> None: ...
    def ask(self, line: str) -> Report: ...
'''
TAIL = '''
def open(path: Union[_File, Sequence[_File]], *more: _File, format: str = ..., run: str = ..., ranks: str = ...,
         partial: bool = ...) -> Profile: ...
def diff(base: Union[Profile, _File], now: Union[Profile, _File], **options: Any) -> Report: ...
'''


def typed(parameter):
    kind = parameter.annotation
    if kind is parameter.empty:
        kind = {'path': 'Union[str, os.PathLike]', 'base': "Union['Profile', str]"}.get(parameter.name, 'str')
        if parameter.default is None:
            kind = 'Optional[%s]' % kind
    else:
        kind = str(kind).replace('typing.', '')
    return '%s: %s%s' % (parameter.name, kind, '' if parameter.default is parameter.empty else ' = ...')


def method(name, result):
    signature = inspect.signature(getattr(profile.Profile, name))
    words = ['self']
    for parameter in list(signature.parameters.values())[1:]:
        if parameter.kind is parameter.KEYWORD_ONLY and '*' not in words:
            words.append('*')
        words.append(typed(parameter))
    return '    def %s(%s) -> %s: ...\n' % (name, ', '.join(words), result)


def stub():
    views = [method(view['name'], 'Report') for view in native.views()]
    files = [method(command['name'], 'str') for command in native.file_commands()]
    return HEAD + ''.join(views + files) + TAIL


if __name__ == '__main__':
    pathlib.Path(__file__).with_name('tfprof').joinpath('profile.pyi').write_text(stub())
