// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// Launches of one kernel with equal parameters for one operation on the GPUs of one machine. Texts
// live in the store or in KernelRows::texts.
struct KernelRow {
  std::string_view host;
  std::string_view name;
  std::string_view op_name;       // empty: not told
  int64_t registers = kNoInt;     // not told, as all of these
  int64_t shared_bytes = kNoInt;  // also where launches differ
  int64_t shmem_bytes = kNoInt;   // of them, what xprof knows of
  std::string_view block;         // data() == nullptr: not told
  std::string_view grid;
  double occupancy_pct = kNoReal;
  bool names_tell = false;  // whether kernels use tensor cores; the next ones are false otherwise
  bool uses_tensor_cores = false;  // by an old name
  bool uses_tensor_cores_by_any_name = false;
  bool name_tells = false;  // TensorCoreUse::tells
  bool op_could = false;    // its operation could use tensor cores, or does
  int64_t occurrences = 0;
  int64_t total_ps = 0;  // saturated
  int64_t min_ps = 0;
  int64_t max_ps = 0;
};

struct KernelRows {
  std::vector<KernelRow> rows;  // longest total first
  int64_t launches = 0;
  int64_t total_ps = 0;
  Names texts;

  // An index: kernels of the GPUs and steps that were asked, which are events of streams with
  // launch parameters that take a nanosecond at least; what is shorter was not measured. Errors:
  // usage, there is no such step; cancelled.
  using Key = PlaceFilter;
  static Result<KernelRows> Build(const Indexes& indexes, const PlaceFilter& place,
                                  Context& context);
};

}  // namespace tfprof
