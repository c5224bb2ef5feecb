#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where a string of the program, a page or the README uses a word that has a better one.

The table has the words of the field on the right. Strings of classic text are the original's and exempt.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("core", "loaders", "analysis", "views", "emitters", "writers", "cli", "capture", "remote")

# What is refused, and what to write instead.
WORDS = [
    (r"\btells?\b|\btold\b", "reports, shows, records"),
    (r"\bstands? (?:still|for|in|behind|beside)\b", "is idle; is; is in"),
    (r"\b(?:gave|given|gives?|put|puts) out\b", "allocated, produced"),
    (r"\bso far\b|\brun%|\brunning percent\b", "cum %, cumulative"),
    (r"\bnr\b", "#, ID"),
    (r"^(?:least|most)$", "min, max"),
    (r"(?<!standard )(?<!absolute )\bdeviation\b", "std dev, standard deviation"),
    (r"\bthe middle one\b", "the median"),
    (r"\bits own time\b(?!;)", "self time"),
    (r"\bof it (?:waiting|collectives)\b", "stalled; exposed communication"),
    (r"\bmemory rate\b|\bflop rate\b", "memory bandwidth; FLOP/s"),
    (r"\bunder the roof\b", "of the roofline"),
    (r"\brun eagerly\b", "eager execution"),
    (r"\bthe interpreter's lock\b", "the GIL"),
    (r"\bcalls itself\b", "hostname"),
    (r"\bnothing is (?:called|known of)\b", "no node, scope or type named"),
    (r"\bopen them apart\b", "open them separately"),
    (r"\bbelongs? to no graph node\b", "matching no graph node"),
    (r"\bno profile that is known\b|\bthe format is not clear\b", "unrecognized format; ambiguous format"),
    (r"\bcut off\b", "truncated"),
    (r"\bleft out\b", "skipped, excluded, dropped"),
    (r"\bwork that names none\b|\bin no operation\b", "unattributed; idle"),
    (r"\btold from\b|\bto do:", "threshold; fix"),
    (r"\bsays how the program is called\b", "shows usage"),
    (r"\b(?:first|second) door\b|\bdoors\b", "classic mode, default mode"),
    (r"\b(?:is|are) asked (?:for|to)\b|\basked for\b", "requested, selected"),
    (r"\bpeople\b", "tables, readers"),
    (r"\bcolours?\b|\bbehaviours?\b", "American spelling"),
    (r"(?:\d|\}) %(?=[\s.,;:)]|$)", "12.3%, without a blank"),
]
TABLE = [(re.compile(pattern, re.IGNORECASE), better) for pattern, better in WORDS]

# Literals of C++: neighbors are one string.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r"\s*#\s*include")
BLOCK = re.compile(r"^```.*?^```$|^<!--.*?-->$|`[^`\n]*`", re.S | re.M)


def strings(text):
    """(line, string) of every literal of prose: several words, or one of a heading."""
    found = []
    last_end = None
    for match in TOKEN.finditer(text):
        token = match[0]
        if token[0] == "/":
            continue
        start_of_line = text.rfind("\n", 0, match.start()) + 1
        if token[0] != '"' or INCLUDE.match(text[start_of_line:match.start()]):
            last_end = None
            continue
        if last_end is not None and not text[last_end:match.start()].strip():
            found[-1][1] += token[1:-1]
        else:
            found.append([text.count("\n", 0, match.start()) + 1, token[1:-1]])
        last_end = match.end()
    return found


def faults_in(line, string):
    for pattern, better in TABLE:
        match = pattern.search(string)
        if match:
            yield line, f"'{match[0]}' in \"{string[:70]}\": write {better}"


def faults(path, text):
    if path.suffix in (".cc", ".h"):
        for line, string in strings(text):
            yield from faults_in(line, string)
        return
    prose = BLOCK.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    for number, line in enumerate(prose.split("\n"), 1):
        yield from faults_in(number, line)


def self_test():
    def found(name, text):
        return [line for line, _ in faults(pathlib.Path(name), text)]
    assert found("a.cc", 'f("x"\n  " tells");\n') == [1]
    assert found("a.cc", '// tells\nf("at least 3");\n') == []
    assert found("a.cc", '#include "told/so far.h"\n') == []
    assert found("a.md", "one\nis told\n") == [2]
    assert found("a.md", "```\nis told\n```\n`nr`\n") == []


def main():
    self_test()
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for folder in SOURCES:
        files += sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".cc", ".h"))
    bad = 0
    for path in files:
        if "classic" in path.relative_to(ROOT).parts:
            continue  # the original's words
        for line, fault in faults(path, path.read_text(encoding="utf-8")):
            print(f"{path.relative_to(ROOT)}:{line}: {fault}", file=sys.stderr)
            bad += 1
    print(f"{len(files)} files, {bad} faults")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
