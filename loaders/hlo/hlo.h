// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/hlo/program.h"

// Programs as XLA keeps them (proto/hlo.proto).

namespace tfprof::hlo {

// Reads a serialized HloProto. Returns null, or where it stops to be wire format; *program is of
// what came before then. Time is linear, memory a few times the bytes; more than 4 GiB are refused.
// Constants are not read. REQUIRES: 16 readable bytes behind `message` (loaders/wire/wire.h).
const char* ReadModule(std::string_view message, Program* program);

}  // namespace tfprof::hlo
