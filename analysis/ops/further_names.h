// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/ops/event_ops.h"
#include "core/base/context.h"
#include "core/store/store.h"

// Names of device work that records no operation itself.

namespace tfprof {

struct FurtherNames {
  Names names;                                      // NAME:TYPE
  std::vector<EventClass> of_name;                  // of the host event that has the name, by name
  std::vector<std::pair<uint32_t, NameId>> of_row;  // a row, and its name
};

// Names the rows of a device that `lacks_name` accepts, by the first that exists: the innermost
// NAME:TYPE of the regions around its launch; with OpSources::all, for a kernel, the enclosing
// framework operation that the recorder derived; the innermost host operation around its launch.
// Error: cancelled.
Result<FurtherNames> FindFurtherNames(const Store& store, const Indexes& indexes, ProcessId device,
                                      OpSources sources,
                                      const std::function<bool(uint32_t row)>& lacks_name,
                                      Context& context);

// The operation in such regions: "a::b/c:Relu#id=1#" is "b/c:Relu"; empty: none has a type.
std::string_view OpOfAnnotation(std::string_view annotation);

}  // namespace tfprof
