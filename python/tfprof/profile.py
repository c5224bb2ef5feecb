# SPDX-License-Identifier: Apache-2.0
"""An open profile. Its methods are the views and the commands that write files, as the library lists them."""
import inspect
import io
import os
import re
import typing

from tfprof import native
from tfprof.report import Report

# A quantifier of an expression: the only place where a comma cannot be written as its code.
_QUANTIFIER = re.compile(r'\{\d*,\d*\}')


def _expression(text):
    """An expression as one of a list, in which commas separate."""
    if _QUANTIFIER.search(text):
        raise ValueError('an expression with {m,n} cannot be one of a list: %r' % text)
    return text.replace(',', r'\x2c')


def _value(option, value):
    """The value as it is typed."""
    kind = option['type']
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, str) or not isinstance(value, (list, tuple, set, frozenset)):
        return str(value)
    if kind == 'expressions':
        return ','.join(map(_expression, value))
    if kind == 'names':
        return ','.join(text.replace(',', r'\,') for text in value)
    if kind == 'list':
        return ','.join(map(str, value))
    if option['name'] == 'step' and len(value) == 2:
        return '%d:%d' % tuple(value)
    raise TypeError('%s takes one value' % option['name'])


def _typed(options, given):
    """[(name, value as it is typed)] of keywords; None is as if it were not given."""
    known = {_keyword(option): option for option in options}
    typed = []
    for name, value in given.items():
        if value is None:
            continue
        # The library refuses what it does not know, and says what is near.
        option = known.get(name, {'name': name, 'type': 'text'})
        values = _shapes(value) if name == 'shape' else [value]
        typed += [(option['name'], _value(option, one)) for one in values]
    return typed


def _shapes(given):
    """Those of several inputs add up: a dictionary of names, or texts NAME=DIMS. None is an unknown dimension."""
    if isinstance(given, dict):
        return ['%s=%s' % (name, ','.join('?' if size is None else str(size) for size in sizes))
                for name, sizes in given.items()]
    return [given] if isinstance(given, str) else given


def _keyword(option):
    return option['name'].replace('-', '_')


def _annotation(option):
    many = typing.Union[str, typing.Sequence[str]]
    if option['name'] == 'shape':
        return typing.Optional[typing.Union[many, typing.Dict[str, typing.Sequence[typing.Optional[int]]]]]
    kinds = {'number': typing.Union[int, str], 'flag': bool, 'text': str}
    return typing.Optional[kinds.get(option['type'], many)]


def _parameters(first, options):
    kind = inspect.Parameter
    parameters = [kind('self', kind.POSITIONAL_OR_KEYWORD)] + first
    for option in options:
        if all(_keyword(option) != known.name for known in parameters):
            parameters.append(kind(_keyword(option), kind.KEYWORD_ONLY, default=None, annotation=_annotation(option)))
    return inspect.Signature(parameters)


def _document(summary, text, options):
    lines = [summary[:1].upper() + summary[1:] + '.', '', text, '']
    for option in options:
        unit = ' (%s)' % option['unit'] if option['unit'] else ''
        lines.append('    %s: %s%s' % (_keyword(option), option['meaning'], unit))
    return '\n'.join(lines)


def _view_method(view):
    about, options = view['about'], view['options']

    def ask(self, *words, **given):
        if len(words) > (1 if about else 0):
            raise TypeError('%s takes %s' % (view['name'], 'one word' if about else 'no words'))
        if about and about in given:
            words = (given.pop(about),)
        word = words[0] if words and words[0] is not None else ''
        return self._ask(view['name'], word, _typed(options, given))

    first = []
    if about:
        kind = inspect.Parameter
        default = kind.empty if view['needs_about'] else None
        first.append(kind(about, kind.POSITIONAL_OR_KEYWORD, default=default))
    ask.__name__ = ask.__qualname__ = view['name']
    ask.__doc__ = _document(view['summary'], view['help'], options)
    ask.__signature__ = _parameters(first, options)
    return ask


def _file_method(command):
    options = command['options']

    def write(self, path, **given):
        return self.native.write(command['name'], os.fspath(path), _typed(options, given)).rstrip('\n')

    kind = inspect.Parameter
    write.__name__ = write.__qualname__ = command['name']
    write.__doc__ = _document(command['summary'], command['help'], options)
    write.__signature__ = _parameters([kind('path', kind.POSITIONAL_OR_KEYWORD)], options)
    return write


class Profile:
    """An open profile: one method for each view, and one for each command that writes a file.

    Several threads may ask about one profile at once.
    """

    def __init__(self, opened, paths=()):
        self.native = opened
        self.paths = list(paths)

    def ask(self, line):
        """The answer to a command as it is typed in the shell: profile.ask('op -order_by micros -n 10')."""
        return Report(self.native.ask(line), lambda more: None)

    def _ask(self, view, word, options):
        base = None
        if isinstance(word, Profile):
            base, word = word.native, ''

        def again(more):
            given = dict(options)
            return self.native.answer(view, word, options + [pair for pair in more if pair[0] not in given], base)

        word = os.fspath(word) if isinstance(word, os.PathLike) else str(word)
        return Report(again([]), again)

    def __copy__(self):  # it never changes
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return 'tfprof.open(%r)' % (self.paths,)

    def _repr_html_(self):
        return self.summary()._repr_html_()


for _view in native.views():
    setattr(Profile, _view['name'], _view_method(_view))
for _command in native.file_commands():
    setattr(Profile, _command['name'], _file_method(_command))


def open(path, *more, format: str = '', run: str = '', ranks: str = '', partial: bool = False) -> Profile:  # pylint: disable=redefined-builtin
    """Opens files, folders or bytes as one profile. Formats are found by content.

    path: a path, bytes, a file that is open for reading bytes, or several of these. format: the name of a format, where the content does not tell.
    run: the run in a folder of several; the newest by default. ranks: '0,8:16' reads the files of these ranks only.
    partial: keep what is before the first damage.
    """
    several = list(path) if isinstance(path, (list, tuple)) else [path]
    several += more
    if all(isinstance(one, (str, os.PathLike)) for one in several):
        paths = [os.fspath(one) for one in several]
        return Profile(native.open(paths, format, run, ranks, partial), paths)
    named = [_named_bytes('(bytes %d)' % (i + 1), one) for i, one in enumerate(several)]
    return Profile(native.open_bytes(named, format, partial), [name for name, _ in named])


def _named_bytes(name, given):
    if isinstance(given, (bytes, bytearray, memoryview)):
        return name, bytes(given)
    if hasattr(given, 'read'):
        return getattr(given, 'name', name), given.read()
    path = os.fspath(given)
    with io.open(path, 'rb') as file:
        return path, file.read()


def diff(base, now, **options) -> Report:
    """What changed from `base` to `now`; each is an open profile or a path."""
    profiles = [one if isinstance(one, Profile) else open(one) for one in (base, now)]
    return profiles[1].diff(profiles[0], **options)
