// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/sink.h"

namespace tfprof {

// Appends a text with each {{key}} replaced by what `add(key)` -> Result<void> appends.
template <class Add>
Result<void> FillTemplate(std::string_view text, Sink& sink, const Add& add) {
  for (size_t at = text.find("{{"); at != text.npos; at = text.find("{{")) {
    sink.Append(text.substr(0, at));
    const size_t end = text.find("}}", at);
    const std::string_view key = text.substr(at + 2, end - at - 2);
    text.remove_prefix(end + 2);
    TFPROF_TRY(add(key));
  }
  sink.Append(text);
  return {};
}

}  // namespace tfprof
