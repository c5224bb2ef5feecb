// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "analysis/durations.h"
#include "analysis/tfdata/iterator_facts.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// The kind of an operation of the input pipeline, which xprof derives from its name.
enum class InputKind : uint8_t { enqueue, demanded_read, advanced_read, preprocessing };
constexpr size_t kInputKinds = 4;
std::string_view NameOf(InputKind kind);  // "Demanded file read"

// A host operation that produces input or transfers it to devices: iterators of tf.data, infeed,
// copies to devices.
struct InputOp {
  std::string_view name;  // in the store: Iterator::Root::Map
  InputKind kind = InputKind::preprocessing;
  int64_t count = 0;
  int64_t total_ps = 0;
  int64_t self_ps = 0;  // minus enclosed operations on the same thread
  // self_ps minus the time in which iterators on other threads work for it; kNoInt: not computed.
  int64_t own_ps = kNoInt;

  int64_t OwnPs() const { return own_ps == kNoInt ? self_ps : own_ps; }
};

struct InputOps {
  std::vector<InputOp> ops;  // descending by self time
  // durations of infeeds divided by the intervals between them; NaN: no infeed
  double infeed_ratio = 0;
  IteratorFacts of_costliest = {};          // facts of Costliest(), if computed
  std::vector<RowDuration> durations = {};  // of single calls, by position in `ops`, if asked for

  // Returns the input-producing operation with the largest OwnPs; null: there is none.
  const InputOp* Costliest() const;
};

// Covers the hosts selected by -host and the events selected by -step. Ignores -device: a host
// feeds all of its devices. Cost: one pass over the events of the hosts. Errors: usage, no such
// step; cancelled.
Result<InputOps> FindInputOps(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                              Context& context, bool durations = false);

// Returns true if a host selected by -host recorded input operations, or waits for input, in any
// step. Cost: one pass over names.
bool HasInputOps(const Store& store, const PlaceFilter& place);

// Sets own_ps of all operations, over the same hosts and events. Cost: that of Pipelines. Errors:
// those of Pipelines::Build.
Result<void> AddOwnTimes(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                         InputOps* ops, Context& context);

// Returns facts of the costliest operation, in the calls of its pipelines that -host and -step
// select. Errors: those of FactsOf and Pipelines::Build.
Result<IteratorFacts> FactsOfCostliest(const Store& store, const Indexes& indexes,
                                       const InputOps& ops, const PlaceFilter& place,
                                       Context& context);

// Host time for input in us, by InputKind and the rest. If a part r of the step is spent on the
// transfer (`ratio`: infeed_ratio, else copies to the device / step time), the time outside of that
// is enqueue * (1 - r) / r, distributed by self time. If r = 0, all self times count unchanged
// (op_stats_to_input_pipeline_analysis.cc of xprof).
struct InputTimes {
  std::array<double, kInputKinds> us{};
  double unclassified_us = 0;
};
InputTimes DistributeInputTime(const InputOps& ops, double ratio);

}  // namespace tfprof
