#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when docs/architecture.md names a file or folder of this repository that does not exist."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"

# A path is a name in `backticks` or the first word of a line in a code block. It is ours when it
# starts with one of our folders, or is a single file name of a kind that we keep at the top.
FOLDERS = ("core proto loaders views emitters writers cli capture python testdata tests bench docs "
           "cmake .ci").split()
TOP_FILE = re.compile(r"[\w-]+\.(md|json|cmake)|CMakeLists\.txt|\.clang-\w+|LICENSE|dev|deps")
PATH = re.compile(r"[\w.*/-]+")


def candidates(text):
    """(line, word) for each word that may be a path."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            for word in line.split()[:1]:
                yield number, word
        else:
            for word in re.findall(r"`([^`\s]+)`", line):
                yield number, word


def is_ours(word):
    if not PATH.fullmatch(word):
        return False
    first, slash, _ = word.partition("/")
    return first in FOLDERS if slash else bool(TOP_FILE.fullmatch(word))


def missing(text):
    """(line, path) for each path that nothing in the repository answers to."""
    return [(number, word) for number, word in candidates(text)
            if is_ours(word) and not any(ROOT.glob(word.rstrip("/")))]


def self_test():
    assert missing("see `core/no_such_file.h` and `a/b`") == [(1, "core/no_such_file.h")]
    assert missing("```\nno_such_folder/ x\nviews/none.cc  x\n```\n") == [(3, "views/none.cc")]
    assert missing("`tests/` `tests/*.py` `CMakeLists.txt` `/etc/core/x`") == []


def main():
    self_test()
    if not PAGE.exists():
        print("no docs/architecture.md yet")
        return 0
    absent = missing(PAGE.read_text(encoding="utf-8"))
    for number, word in absent:
        print(f"docs/architecture.md:{number}: no such file or folder: {word}", file=sys.stderr)
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
