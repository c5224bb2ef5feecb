// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// `text` with white space added to the answers of -format json in it (`{"view":` at the begin of a
// line): one value a line, so that a difference names it; declarations of columns, which are words
// rather than data, stay on a line each. Other lines are kept.
std::string PrettyJson(std::string_view text);

}  // namespace tfprof
