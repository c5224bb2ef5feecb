// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/hlo/program.h"

// Reads programs in XLA's serialized form (proto/hlo.proto) and in its text form.

namespace tfprof::hlo {

// Reads a serialized HloProto. Returns null, or the place where the wire format is invalid;
// *program then has the part before that place. Time is linear; memory is a few times the input.
// Inputs of more than 4 GiB are refused. Constants are not read. REQUIRES: 16 readable bytes follow
// `message` (loaders/wire/wire.h).
const char* ReadModule(std::string_view message, Program* program);
// Likewise, for a serialized HloModule, which an HloProto contains.
const char* ReadBareModule(std::string_view message, Program* program);

// The first word of the text of a module.
inline constexpr std::string_view kTextBegins = "HloModule";

struct TextError {
  const char* at = nullptr;  // null: none
  std::string_view what = {};
};

// Reads the text that XLA prints of a module. After an error, *program has the part before it. Time
// is linear. Attributes that are not known are kept as text, and so are short constants.
TextError ReadModuleText(std::string_view text, Program* program);

}  // namespace tfprof::hlo
