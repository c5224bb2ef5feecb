// SPDX-License-Identifier: Apache-2.0
#include "core/text/append_format.h"

#include <iterator>

namespace tfprof {

void AppendFormatted(fmt::string_view format, fmt::format_args args, std::string* out) {
  fmt::vformat_to(std::back_inserter(*out), format, args);
}

}  // namespace tfprof
