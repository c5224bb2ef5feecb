#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Field numbers for our own readers and writers: fields.py X.proto X_fields.h writes an enum per message,
tfprof::field::XPlane for message XPlane and field::CodeDef_Trace for a Trace within CodeDef."""

import pathlib
import re
import sys

# Only what the schemas of this folder use: fields on one line, no options blocks.
PACKAGE = re.compile(r"^package ([\w.]+);", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*")
TOKEN = re.compile(r"(message|enum|oneof)\s+(\w+)\s*\{|(\})|"
                   r"(?:repeated\s+|optional\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*(\d+)\s*(?:\[[^\]]*\])?;")


def messages(text):
    """{name of a message: [(field, number)]}, in the order of the schema."""
    found, nest = {}, []
    for kind, name, closes, field, number in TOKEN.findall(COMMENT.sub("", text)):
        if closes:
            nest.pop()
        elif kind:
            nest.append((kind, name))
            if kind == "message":
                found["_".join(n for k, n in nest if k == "message")] = []
        elif nest[-1][0] != "enum":
            found["_".join(n for k, n in nest if k == "message")].append((field, number))
    return found


def header(text):
    enums = "".join(
        f"enum class {name} : uint32_t {{\n" + "".join(f"  {field} = {number},\n" for field, number in fields) + "};\n"
        for name, fields in messages(text).items())
    namespace = PACKAGE.search(text)[1].replace("tfprof.pb", "tfprof::field").replace(".", "::")
    return f"#pragma once\n#include <cstdint>\n\nnamespace {namespace} {{\n{enums}}}  // namespace {namespace}\n"


if __name__ == "__main__":
    schema, out = map(pathlib.Path, sys.argv[1:])
    out.write_text(header(schema.read_text(encoding="utf-8")), encoding="utf-8")
