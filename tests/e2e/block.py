# SPDX-License-Identifier: Apache-2.0
"""Blocks of a page, as emitters/page/block.h writes them."""

import gzip
import json


def header_of(block):
    data = gzip.decompress(block)
    return json.loads(data[4:4 + int.from_bytes(data[:4], "little")])
