// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/hash.h"

namespace tfprof {

// Lets containers of std::string be searched by std::string_view.
struct HashText {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return Hash(text); }
};

}  // namespace tfprof
