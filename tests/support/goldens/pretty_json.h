// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// `text` with white space added to the answers of -format json in it (`{"view":` at the start of a
// line): one value per line, so that a difference points to it. Declarations of columns, which are
// text rather than data, stay on one line each. Other lines are unchanged.
std::string PrettyJson(std::string_view text);

}  // namespace tfprof
