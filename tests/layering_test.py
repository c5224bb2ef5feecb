#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an #include goes against the arrows of docs/architecture.md, when a view knows
which file format the facts came from, or when a field of a schema is read or written by its number."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Which folders the files of a folder may include, besides their own.
ALLOWED = {
    "core": set(),
    "loaders": {"core", "proto"},
    "analysis": {"core"},
    "views": {"core", "analysis"},
    "emitters": {"core", "proto"},
    "writers": {"core", "proto"},
    "cli": {"core", "loaders", "analysis", "views", "emitters", "writers"},
    "capture": {"proto"},
}
# The order within core/, and what the lower half of the answer may not know: (files of, may not include).
REFUSED = [
    ("core/base/", ("core/store/", "core/hlo/", "core/query/", "core/report/")),
    ("core/store/", ("core/hlo/", "core/query/", "core/report/")),
    ("core/hlo/", ("core/query/", "core/report/")),
    ("core/query/", ("core/store/", "core/hlo/", "core/report/")),
    ("analysis/", ("core/report/",)),
]
FOLDERS = set(ALLOWED) | {"proto", "tests", "bench", "python"}

# Libraries that belong to some folders alone.
ONLY_IN = {
    "google/protobuf/": {"loaders", "emitters", "writers", "capture"},
    "zlib.h": {"loaders", "emitters", "writers", "capture"},
    "isa-l": {"core", "loaders"},
    "snappy": {"loaders"},
    "CLI/": {"cli"},
    "histedit.h": {"cli"},
}

# A view that says one of these would answer differently for different formats.
FORMATS = re.compile(
    r"run_?meta|graph_?def|op_?log|profile_?proto|pbtxt|x_?space|x_?plane|kineto", re.IGNORECASE)

# A number where a field of proto/ should stand; FieldNumber takes no other. Shapes of formats know fields
# that no schema of ours has.
NUMBERS = re.compile(r"FieldNumber\(\s*\d|fields\.number\(\)\s*[=!<>]=?\s*[1-9]")
MAY_NUMBER = {"loaders/detect/format_detection.cc"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
# Comments, and the literals that may hold what looks like one.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def without_comments(text):
    """The text with comments blanked, line numbers kept."""
    return COMMENT.sub(
        lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] == "/" else m[0], text)


def include_fault(file, quote, path):
    """Why `file` may not include `path`; None when it may."""
    folder, first = file.split("/")[0], path.split("/")[0]
    if quote == '"' and first not in FOLDERS:
        return f'write "{path}" from the repository root, or in <> when it is a library'
    if first in FOLDERS and "/" in path and first != folder and first not in ALLOWED[folder]:
        return f"{folder}/ may not include {first}/"
    for files, refused in REFUSED:
        if file.startswith(files) and path.startswith(refused):
            return f"{files} may not include {path}"
    for library, users in ONLY_IN.items():
        if path.startswith(library) and folder not in users:
            return f"{folder}/ may not use {path}: only {', '.join(sorted(users))}"
    return None


def faults(file, text):
    """(line, sentence) for everything wrong in one file."""
    folder = file.split("/")[0]
    text = without_comments(text)
    for match in INCLUDE.finditer(text):
        fault = include_fault(file, match[1], match[2])
        if fault:
            yield text.count("\n", 0, match.start()) + 1, fault
    if file not in MAY_NUMBER:
        for match in NUMBERS.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, f"write the name of the field: {match[0]}"
    if folder in ("views", "analysis"):
        for match in FORMATS.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, f"{folder} names a format: {match[0]}"


def self_test():
    """The rules catch what they are for; a check that cannot fail would guard nothing."""
    def found(file, text):
        return [line for line, _ in faults(file, text)]
    assert found("views", '// x\n#include "loaders/loader.h"\n') == [2]
    assert found("core", "#include <google/protobuf/message.h>\n") == [1]
    assert found("loaders", '#include "loader.h"\n') == [1]
    assert found("views", "/* xspace */\nbool IsXSpace();  // kineto\n") == [2]
    assert found("views", 'auto s = "//run_metadata";\n') == [1]
    assert found("cli", '#include "views/classic/scope.h"\n#include <CLI/CLI.hpp>\n') == []
    assert found("analysis/x.cc", '#include "core/report/report.h"\n') == [1]
    assert found("core/base/x.h", '#include "core/store/store.h"\n') == [1]
    assert found("loaders/x.cc", "wire::Text<FieldNumber(1)>(&a);\nif (fields.number() == 14) {}\n") == [1, 2]
    assert found("views", '#include <vector>\n#include "core/store/store.h"\n// op_log\n') == []


def main():
    self_test()
    files = sorted(p for folder in ALLOWED for p in (ROOT / folder).rglob("*")
                   if p.suffix in (".h", ".cc"))
    bad = 0
    for path in files:
        name = path.relative_to(ROOT)
        for line, fault in faults(str(name), path.read_text(encoding="utf-8")):
            print(f"{name}:{line}: {fault}", file=sys.stderr)
            bad += 1
    print(f"{len(files)} files, {bad} faults")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
