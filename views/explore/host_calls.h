// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/report/report.h"
#include "core/store/store.h"

namespace tfprof {

// A function of Python or a region of the program, on the threads of hosts of a trace. Its name is
// the one that the wall time of summary has.
struct HostCalls {
  std::string name;
  bool is_python = false;
  int64_t calls = 0;
  int64_t ps = 0;  // calls within one another count once

  std::string_view Kind() const { return is_python ? "Python function" : "host region"; }
};

// Returns those whose name contains the text, in any case, by time, descending. Empty for a profile
// that is no trace. Error: cancelled.
Result<std::vector<HostCalls>> HostCallsNamed(const Store& store, std::string_view text,
                                              Context& context);

// Returns the answer of `why` about the one of that name, else the only one whose name contains it.
// Errors: `unknown`, if there is none or there are several; those of WallTimes.
Result<Report> WhyHostCalls(const StorePtr& store, const Indexes& indexes, std::string_view name,
                            const Error& unknown, Context& context);

}  // namespace tfprof
