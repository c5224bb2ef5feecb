#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an #include goes against the arrows of docs/architecture.md, when a view knows
which file format the facts came from, when a field of a schema is read or written by its number, or when
two headers define types of one name."""

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
    "cli": {"core", "loaders", "analysis", "views", "emitters", "writers", "remote"},
    "api": {"core", "loaders", "analysis", "views", "emitters", "writers", "cli"},
    "python": set(),
    "capture": {"proto"},
    "remote": {"core", "loaders", "proto"},
}
# The order within core/, and what the lower half of the answer may not know: (files of, may not include).
REFUSED = [
    ("core/base/", ("core/text/", "core/store/", "core/hlo/", "core/query/", "core/report/")),
    ("core/text/", ("core/store/", "core/hlo/", "core/query/", "core/report/")),
    ("core/store/", ("core/hlo/", "core/query/", "core/report/")),
    ("core/hlo/", ("core/query/", "core/report/")),
    ("core/query/", ("core/store/", "core/hlo/", "core/report/")),
    ("analysis/", ("core/report/",)),
]
FOLDERS = set(ALLOWED) | {"proto", "tests", "bench"}

# Libraries that belong to some folders alone.
ONLY_IN = {
    "google/protobuf/": {"loaders", "emitters", "writers", "capture"},
    "zlib.h": {"loaders", "emitters", "writers", "capture"},
    "isa-l": {"core", "loaders"},
    "snappy": {"loaders"},
    "CLI/": {"cli"},
    "nghttp2/": {"remote"},
    "openssl/": {"remote"},
    "histedit.h": {"cli"},
}

# What says one of these outside of loaders would answer differently for different formats.
FORMATS = re.compile(
    r"run_?meta|graph_?def|op_?log|profile_?proto|pbtxt|x_?space|x_?plane|kineto", re.IGNORECASE)

# A number where a field of proto/ should stand; FieldNumber takes no other. Shapes of formats know fields
# that no schema of ours has.
NUMBERS = re.compile(r"FieldNumber\(\s*\d|fields\.number\(\)\s*[=!<>]=?\s*[1-9]")
MAY_NUMBER = {"loaders/detect/format_detection.cc"}

# `oplog` is an option of `save` (core/query/) and `-output`; writers and the command line write formats.
KNOWS_NO_FORMAT = ("views/", "analysis/", "core/base/", "core/text/", "core/store/", "core/hlo/", "core/report/")
# Lines of traces that loaders make LaneRoles of.
LANES = re.compile(r'"(?:Steps|Async XLA Ops|XLA Modules|XLA Ops|XLA TraceMe|Framework Ops)"')
# Recorders' names of attributes; loaders map them to AttributeKeys (core/store/attribute_keys.h).
STATS_FILE = "loaders/xspace/keys.cc"
# Of these names, those that are also ids of columns.
COLUMNS = {"data_type", "id", "iterator_id", "name", "program_id", "region_type", "source", "step_name",
           "step_num"}
WORD = re.compile(r'"(\w+)"')
# Recorders' names of events; loaders make EventRoles of them (core/store/lanes.h).
EVENTS_FILE = "loaders/xspace/event_roles.cc"

# How Python tracers spell calls; loaders make PythonFunctions of their names (core/store/lanes.h).
PYTHON = re.compile(r"""'\$'|"(?:\$"|\$[^"\n]* |<built-in|nn\.Module)""")

# As many files as a reader takes in at a glance.
MOST_FILES = 30

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


def stats_of(text):
    """The names of attributes in the table of spellings of a loader."""
    table = text[text.index("kSpellings[]"):]
    return {word for word in WORD.findall(table[:table.index("};")])} - COLUMNS


def events_of(text):
    """What finds literals that are a name in the table of a loader, or continue one: "Iterator::Map"."""
    names = re.findall(r'\{"([^"]+)", EventRole::', text)
    return re.compile(r'"(?:' + "|".join(map(re.escape, names)) + r')(?![ a-z])[^"\n]*"')


def folder_faults(files):
    """Sentences about the folders of these paths."""
    count = {}
    for path in map(pathlib.PurePath, files):
        count[path.parent] = count.get(path.parent, 0) + 1
        if path.stem.startswith(path.parent.name + "_"):
            yield f"{path}: the folder says {path.parent.name} already"
    for folder, number in sorted(count.items()):
        if number > MOST_FILES:
            yield f"{folder}: {number} files, more than {MOST_FILES}"


def type_faults(headers):
    """Two types of one name in a namespace: the linker takes either, so a program may mix them."""
    first = {}
    for file, text in headers:
        space = re.search(r"^namespace ([\w:]+)", text, re.M)
        for name in re.findall(r"^(?:struct|class|enum class) (?:TFPROF_EXPORT )?(\w+)[^;{]*\{", without_comments(text), re.M):
            other = first.setdefault((space and space[1], name), file)
            if other != file:
                yield f"{file}: {name} is also in {other}"


def faults(file, text, stats=frozenset(), events=re.compile("(?!)")):
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
    names = []
    if file.startswith(KNOWS_NO_FORMAT):
        names += [(m, "a format") for m in FORMATS.finditer(text)]
    if folder not in ("loaders", "capture"):  # capture is a recorder itself
        names += [(m, "a line of a trace") for m in LANES.finditer(text)]
        names += [(m, "an event of a recorder") for m in events.finditer(text)]
        names += [(m, "an attribute of a recorder") for m in WORD.finditer(text) if m[1] in stats]
    if file.startswith(("core/store/", "analysis/", "views/")):
        names += [(m, "a call of Python") for m in PYTHON.finditer(text)]
    for match, what in names:
        yield text.count("\n", 0, match.start()) + 1, f"{folder} names {what}: {match[0]}"


def self_test():
    """The rules catch what they are for; a check that cannot fail would guard nothing."""
    events = events_of('{"Iterator::", EventRole::iterator, Match::begin},\n{"Produce", EventRole::x}')
    def found(file, text):
        return [line for line, _ in faults(file, text, {"tf_op"}, events)]
    assert found("views", '// x\n#include "loaders/loader.h"\n') == [2]
    assert found("core", "#include <google/protobuf/message.h>\n") == [1]
    assert found("loaders", '#include "loader.h"\n') == [1]
    assert found("views/x.cc", "/* xspace */\nbool IsXSpace();  // kineto\n") == [2]
    assert found("views/x.cc", 'auto s = "//run_metadata";\n') == [1]
    assert found("core/store/x.h", "bool is_xspace;\n") == [1]
    assert found("core/query/x.h", "bool oplog;\n") == []
    assert found("analysis/x.cc", '// "tf_op"\nauto k = "tf_op";\nauto l = "XLA Ops";\n') == [3, 2]
    assert found("analysis/x.cc", 'auto k = "Iterator::Map";\nauto l = "Produce";\n') == [1, 2]
    assert found("views/x.cc", 'auto k = "Produce elements", l = "My Iterator::";\n') == []
    assert found("loaders/x.cc", 'auto k = "Iterator::Map";\n') == []
    assert found("loaders/x.cc", 'auto k = "tf_op", l = "Steps";\n') == []
    assert found("analysis/x.cc", "if (name.starts_with('$')) {}\nauto k = \"$time sleep\";\n") == [1, 2]
    assert found("views/x.cc", 'auto k = "nn.Module: ";\nauto l = "<built-in method ";\n') == [1, 2]
    assert found("loaders/x.cc", "if (name.starts_with('$')) {}\n") == []
    assert found("views/x.cc", 'auto k = "my tf_op", l = "steps";\n') == []
    assert found("capture/writers/x.cc", 'auto k = "tf_op", l = "XLA Ops";\n') == []
    assert found("capture/x.cc", '#include "core/base/hash.h"\n') == [1]
    assert stats_of('int kSpellings[] = {{Key::op, {"tf_op"}}, {Key::id, {"id"}}};\n"x"') == {"tf_op"}
    assert list(folder_faults(["a/b/b.cc", "a/b/c.cc", "a/bees/bee.h"])) == []
    assert len(list(folder_faults(["a/b/b_c.cc"]))) == 1
    assert len(list(folder_faults([f"a/{i}.h" for i in range(MOST_FILES + 1)]))) == 1
    twice = "namespace a {\nstruct B {\n};\n}\n"
    assert len(list(type_faults([("x.h", twice), ("y.h", twice)]))) == 1
    assert list(type_faults([("x.h", twice), ("y.h", twice.replace("a", "c")), ("z.h", "// struct B {\n")])) == []
    assert found("cli", '#include "views/views.h"\n#include <CLI/CLI.hpp>\n') == []
    assert found("analysis/x.cc", '#include "core/report/report.h"\n') == [1]
    assert found("core/base/x.h", '#include "core/store/store.h"\n') == [1]
    assert found("loaders/x.cc", "wire::Text<FieldNumber(1)>(&a);\nif (fields.number() == 14) {}\n") == [1, 2]
    assert found("views", '#include <vector>\n#include "core/store/store.h"\n// op_log\n') == []


def main():
    self_test()
    files = sorted(p for folder in ALLOWED for p in (ROOT / folder).rglob("*")
                   if p.suffix in (".h", ".cc"))
    stats = stats_of((ROOT / STATS_FILE).read_text(encoding="utf-8"))
    events = events_of((ROOT / EVENTS_FILE).read_text(encoding="utf-8"))
    bad = 0
    for fault in folder_faults(str(path.relative_to(ROOT)) for path in files):
        print(fault, file=sys.stderr)
        bad += 1
    headers = [(path.relative_to(ROOT), path.read_text(encoding="utf-8"))
               for path in files if path.suffix == ".h"]
    for fault in type_faults(headers):
        print(fault, file=sys.stderr)
        bad += 1
    for path in files:
        name = path.relative_to(ROOT)
        for line, fault in faults(str(name), path.read_text(encoding="utf-8"), stats, events):
            print(f"{name}:{line}: {fault}", file=sys.stderr)
            bad += 1
    print(f"{len(files)} files, {bad} faults")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
