#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when README.md or a page of docs/ names or links a file or folder of this repository that does not exist."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A path is a name in `backticks` or the first word of a line in a code block. It is ours when it
# starts with one of our folders, or is a single file name of a kind that we keep at the top.
FOLDERS = ("core proto loaders analysis views emitters writers cli api capture remote python testdata tests bench docs "
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
    if re.search(r"(^|[/_])[xX]([_./]|$)", word):
        return False  # `views/x.cc`: the reader's own name
    return first in FOLDERS if slash else bool(TOP_FILE.fullmatch(word))


def missing(text):
    """(line, path) for each path that nothing in the repository answers to."""
    return [(number, word) for number, word in candidates(text)
            if is_ours(word) and not any(ROOT.glob(word.rstrip("/")))]


def broken(page):
    """(line, link) for each link to a file that is not there, from the folder of the page."""
    return [(number, link) for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1)
            for link in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)", line) if not (page.parent / link).exists()]


def self_test():
    assert missing("see `core/no_such_file.h` and `a/b`") == [(1, "core/no_such_file.h")]
    assert missing("```\nno_such_folder/ x\nviews/none.cc  x\n```\n") == [(3, "views/none.cc")]
    assert missing("`views/reports/x.cc` `tests/unit/views/x_test.cc`") == []
    assert missing("`tests/` `tests/*.py` `CMakeLists.txt` `/etc/core/x`") == []


def main():
    self_test()
    bad = 0
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]:
        for number, word in missing(page.read_text(encoding="utf-8")) + broken(page):
            print(f"{page.relative_to(ROOT)}:{number}: no such file or folder: {word}", file=sys.stderr)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
