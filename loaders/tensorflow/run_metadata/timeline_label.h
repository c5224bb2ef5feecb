// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

namespace tfprof {

// Returns the operation type in the text that TensorFlow's executors write for a record,
// `NAME = TYPE(INPUT, INPUT)`, perhaps behind the memory in brackets, or `TYPE(INPUT)`: that of the
// kernel, which a rewrite of the graph may have chosen. Empty: the text has another form.
std::string_view TypeInTimelineLabel(std::string_view text);

// Returns the inputs in such a text: NODE:OUTPUT, NODE or, for control, ^NODE.
std::vector<std::string_view> InputsInTimelineLabel(std::string_view text);

}  // namespace tfprof
