// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/intervals/interval_set.h"
#include "core/store/store.h"

namespace tfprof {

// What an operation of a program does on the host instead of computing: the program waits for it.
enum class Callback : uint8_t {
  none,
  python,     // calls a function of Python
  printing,   // formats and prints tensors
  summaries,  // writes them for TensorBoard
};

// `op`: the type of an operation (PyFunc), or the name of an instruction (pure_callback.1).
Callback CallbackOf(std::string_view op);

struct Callbacks {
  Callback what = Callback::none;   // of the first label, or row
  std::vector<Interval> intervals;  // in which no other operation runs
  std::vector<uint32_t> rows;
};

// Finds the operations of a framework on the threads of a host that are such calls. Cost: that of
// the labels; one pass over the events if there is such a label.
Callbacks CallbacksOn(const Store& store, const Process& host);

}  // namespace tfprof
