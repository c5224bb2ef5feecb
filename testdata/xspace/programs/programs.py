#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns train_step.hlo into what a trace keeps of a program, train_step.hlo.pb (an HloProto), and
into what XLA itself prints of its instructions, train_step.txt. Needs JAX."""

from jaxlib import _hlo


def varint(number):
    out = bytearray()
    while True:
        out.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(out)


def main():
    module = _hlo.hlo_module_from_text(open("train_step.hlo").read())
    proto = module.as_serialized_hlo_module_proto()
    with open("train_step.hlo.pb", "wb") as out:
        out.write(b"\x0a" + varint(len(proto)) + proto)  # HloProto.hlo_module
    options = _hlo.HloPrintOptions()
    options.print_metadata = False
    options.print_backend_config = False
    options.print_large_constants = False
    options.print_operand_shape = True
    with open("train_step.txt", "w") as out:
        out.write(module.to_string(options))


if __name__ == "__main__":
    main()
