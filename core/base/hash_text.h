// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/hash.h"

namespace tfprof {

// For containers of std::string that are asked for a std::string_view.
struct HashText {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return Hash(text); }
};

}  // namespace tfprof
