// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "analysis/tfdata/iterator_facts.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// What an operation of the input pipeline does, as xprof tells it from its name.
enum class InputKind : uint8_t { enqueue, demanded_read, advanced_read, preprocessing };
constexpr size_t kInputKinds = 4;
std::string_view NameOf(InputKind kind);  // "Demanded file read"

// An operation of the host that makes input or hands it to devices: iterators of tf.data, infeed,
// copies to devices.
struct InputOp {
  std::string_view name;  // of the store: Iterator::Root::Map
  InputKind kind = InputKind::preprocessing;
  int64_t count = 0;
  int64_t total_ps = 0;
  int64_t self_ps = 0;  // less the operations within, on the same thread
  // Less also the time in which iterators of other threads work for it; kNoInt: nobody asked.
  int64_t own_ps = kNoInt;

  int64_t OwnPs() const { return own_ps == kNoInt ? self_ps : own_ps; }
};

struct InputOps {
  std::vector<InputOp> ops;  // by self time, the longest first
  double infeed_ratio = 0;   // durations of infeeds / times from one to the next; NaN: no infeed
  IteratorFacts of_costliest = {};  // of Costliest(), where somebody asked

  // Of those that make input the one with the largest OwnPs; null: there is none.
  const InputOp* Costliest() const;
};

// Of the hosts that -host lets through and the events that -step asks for; not of -device, since a
// host feeds all of its devices. Cost: one pass over the events of the hosts. Errors: usage, there
// is no such step; cancelled.
Result<InputOps> FindInputOps(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                              Context& context);

// Whether a host that -host lets through recorded any, or who waits for it, in whatever step. Cost:
// their names.
bool HasInputOps(const Store& store, const PlaceFilter& place);

// Sets own_ps of all of them, of the same hosts and events. Cost: that of Pipelines.
// Errors: as Pipelines::Build.
Result<void> AddOwnTimes(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                         InputOps* ops, Context& context);

// How the costliest of them works, in the calls of its pipelines that -host and -step let through.
// Errors: as FactsOf, Pipelines::Build.
Result<IteratorFacts> FactsOfCostliest(const Store& store, const Indexes& indexes,
                                       const InputOps& ops, const PlaceFilter& place,
                                       Context& context);

// us, by InputKind, and what is left: host time for input. Where a part r of the step goes to
// handing over (`ratio`: infeed_ratio, else copies to the device / step time), the time outside of
// that is enqueue * (1 - r) / r, shared out by self time; r = 0: all self times count as they are
// (op_stats_to_input_pipeline_analysis.cc of xprof).
struct InputTimes {
  std::array<double, kInputKinds> us{};
  double unclassified_us = 0;
};
InputTimes ShareOut(const InputOps& ops, double ratio);

}  // namespace tfprof
