// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/wall/loop/driving_thread.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// A call of a function in which it was traced or compiled. kNoInt: it was not, or not recorded.
struct Compilation {
  HostId host;
  std::string_view function;  // empty: outside of any call
  int64_t start_ps = 0;       // of the call
  // Python runs the function to build its graph or program. Where the trace marks only what
  // follows: from the start of the call to that.
  int64_t tracing_ps = kNoInt;
  int64_t lowering_ps = kNoInt;  // what was traced becomes what the compiler reads
  int64_t compiling_ps = kNoInt;
  int64_t traces = kNoInt;  // how often the function was traced until then, as recorded
  bool is_traced = false;
  bool is_compiled = false;

  int64_t TimePs() const;  // of all three; kNoInt: none is recorded
};

// An index: what was traced and compiled on the threads of hosts. Errors: cancelled; usage, no such
// step; those of Indexes::Details.
struct Compilations {
  using Function = std::pair<uint32_t, std::string_view>;  // host, name

  std::vector<Compilation> made;       // by start
  std::map<Function, int64_t> calls;   // whether they trace and compile or not
  std::vector<ThreadColumns> columns;  // own the names

  using Key = PlaceFilter;
  static Result<Compilations> Build(const Indexes& indexes, const PlaceFilter& place,
                                    Context& context);
};

}  // namespace tfprof
