// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// What to do about a pipeline that is slow because of an iterator of this kind ("Map"), and why.
std::string_view AdviceFor(std::string_view iterator);

}  // namespace tfprof
