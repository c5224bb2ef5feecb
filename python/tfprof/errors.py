# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions."""


class Error(Exception):
    """A question or a file that cannot be answered or read.

    kind: usage, unreadable, corrupt, unwritable, limit, cancelled or internal.
    what: one sentence. where: a file, or the marked word of a question. hint: what to try.
    """

    def __init__(self, kind, what, where='', hint=''):
        self.kind, self.what, self.where, self.hint = kind, what, where, hint
        super().__init__(self._text())

    def __reduce__(self):  # errors of other processes arrive here
        return type(self), (self.kind, self.what, self.where, self.hint)

    def _text(self):
        text = self.what
        if '\n' in self.where:  # a line with a mark
            text += '\n' + self.where
        elif self.where:
            text = self.where + ': ' + text
        return text + ('\n' + self.hint if self.hint else '')


class UsageError(Error, ValueError):
    """An option, a name or a view that does not exist or does not fit."""


class UnreadableError(Error, OSError):
    """A path that cannot be opened, read or written."""


_KINDS = {1: 'internal', 2: 'usage', 3: 'unreadable', 4: 'corrupt', 5: 'unwritable', 6: 'limit', 130: 'cancelled'}


def make(status, what, where, hint):
    """The exception of an error of the library."""
    kind = _KINDS[status]
    of = {'usage': UsageError, 'unreadable': UnreadableError, 'unwritable': UnreadableError}.get(kind, Error)
    return of(kind, what, where, hint)
