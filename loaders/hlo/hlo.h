// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/hlo/program.h"

// Reads programs in XLA's serialized form (proto/hlo.proto).

namespace tfprof::hlo {

// Reads a serialized HloProto. Returns null, or the place where the wire format is invalid;
// *program then has the part before that place. Time is linear; memory is a few times the input.
// Inputs of more than 4 GiB are refused. Constants are not read. REQUIRES: 16 readable bytes follow
// `message` (loaders/wire/wire.h).
const char* ReadModule(std::string_view message, Program* program);

}  // namespace tfprof::hlo
