#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the schemas of proto/ as their authors publish them, for programs that read these files
through libprotobuf. Ours have `bytes` for texts that may not be UTF-8, and repeated entries for maps
with text keys; the published ones have `string` and `map`.

    published_schemas.py PROTO_FOLDER OUT_FOLDER NAME...
"""
import pathlib
import re
import sys

# Fields that are bytes in the published schemas, too.
TRUE_BYTES = {'metadata', 'bytes_value', 'compressed_str_value', 's', 'tensor_content',
              'string_val', 'float8_val'}


def published(text):
    text = text.replace('package tfprof.pb;', 'package tfprof.published;')
    text = text.replace('import "proto/', 'import "published/')
    text = re.sub(r'\bbytes( (\w+) = \d)',
                  lambda m: m.group(0) if m.group(2) in TRUE_BYTES else 'string' + m.group(1), text)
    text = re.sub(r'(map<\w+, )bytes>', r'\1string>', text)
    text = text.replace('repeated AttrEntry ', 'map<string, AttrValue> ')
    return text.replace('repeated ExecTimeEntry ', 'map<string, ExecTime> ')


def main():
    proto, out = (pathlib.Path(folder) for folder in sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[3:]:
        (out / f'{name}.proto').write_text(published((proto / f'{name}.proto').read_text()))


main()
