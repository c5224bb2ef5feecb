// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "analysis/durations.h"
#include "analysis/ops/op_times.h"
#include "core/base/arith.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// Launches of one kernel with equal parameters for one operation on the GPUs of one host. Texts
// live in the store or in KernelRows::texts.
struct KernelRow {
  std::string_view host;
  std::string_view name;
  std::string_view op_name;       // empty: not recorded
  int64_t registers = kNoInt;     // kNoInt: not recorded; likewise the others
  int64_t shared_bytes = kNoInt;  // kNoInt also if launches differ
  int64_t shmem_bytes = kNoInt;   // of these, the part that xprof knows
  std::string_view block;         // data() == nullptr: not recorded
  std::string_view grid;
  double occupancy_pct = kNoReal;
  // names show whether kernels use tensor cores; if not, the next fields are false
  bool names_are_conclusive = false;
  bool uses_tensor_cores = false;  // by an old name
  bool uses_tensor_cores_by_any_name = false;
  bool name_is_conclusive = false;  // TensorCoreUse::tells
  bool op_could = false;            // its operation could use tensor cores, or does
  int64_t occurrences = 0;
  int64_t total_ps = 0;  // saturated
  int64_t min_ps = 0;
  int64_t max_ps = 0;
  uint32_t number = 0;  // as the durations beside the rows name it
  // Of rows that merge others (analysis/ops/kernels/kernel_groups.h).
  int64_t kernels = 1;           // different names
  std::string_view launched_by;  // the call on the host; empty: not recorded
};

struct KernelRows {
  std::vector<KernelRow> rows;  // descending by total
  int64_t launches = 0;
  int64_t total_ps = 0;
  Names texts;
  std::vector<RowDuration> durations;  // of single launches, by KernelRow::number; see Key

  // An index: kernels on the GPUs and in the steps of the query. Kernels are events on streams with
  // launch parameters; for xprof, those that take at least a nanosecond. Errors: usage, no such
  // step; cancelled.
  struct Key {
    PlaceFilter place;
    OpAccounting accounting = OpAccounting::exact;
    bool durations = false;  // keeps those of single launches
    bool operator==(const Key&) const = default;
  };
  static Result<KernelRows> Build(const Indexes& indexes, const Key& key, Context& context);
};

// By total, descending; ties in the order of names and parameters.
bool PrecedesKernel(const KernelRow& a, const KernelRow& b);

}  // namespace tfprof
