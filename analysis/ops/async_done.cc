// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/async_done.h"

namespace tfprof {

bool IsAsyncDone(std::string_view category, std::string_view name) {
  constexpr std::string_view kEnd = "-done";
  return category.ends_with(kEnd) || name.substr(0, name.find('.')).ends_with(kEnd);
}

}  // namespace tfprof
