// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/attributes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/lanes.h"
#include "core/store/rounded_time.h"
#include "core/store/store.h"

// What counts for a node: by the original's rules, which no other file knows, or exactly
// (PlaceFilter::exact).

namespace tfprof {

class Indexes;

// Which measures of a row were measured; sums OR them.
enum Present : uint8_t {
  kHasTime = 1,    // micros
  kHasMemory = 2,  // bytes, but those of outputs
  kHasParams = 4,
  kHasFlops = 8,
  kHasAccelerator = 16,  // accelerator_micros: a lane of the profile measures it
  kHasRuns = 32,         // run_count: the profile has steps
  kHasCpu = 64,          // cpu_micros: a profile, or a trace with host operations
  kHasOutputs = 128,     // output_bytes
};

// Facts of a node that are the same in every step.
struct NodeAccounts {
  // The first lane of the node whose name has the form `.*/(device:gpu|gpu|device:cpu|cpu):N`. For
  // a trace, which records an execution on one lane only: all lanes.
  CountingLanes counting_lane;
  // By node: its types (op type, added types, names of the counting lanes), each once, ascending by
  // bytes: types[first_type[node] .. first_type[node + 1]).
  Column<uint32_t> first_type;
  Column<NameId> types;
  std::vector<bool> lane_counts;    // by lane: has that form and is selected
  std::vector<bool> lane_selected;  // by lane: selected by -device and -host
  bool all_places = true;           // neither option is given
  // Notes about records that these rules omit, with their time. Records without node or without
  // start are not included: their loader added notes.
  std::vector<Note> notes;

  // An index over the place filter alone, see MakeAccounts. The one for all places is used all the
  // time.
  struct Key {
    std::string host, device;
    Key() = default;
    Key(const PlaceFilter& place)  // NOLINT(google-explicit-constructor): the part that counts
        : host(place.host), device(place.device) {}
    bool operator==(const Key&) const = default;
  };
  static constexpr size_t kKept = 2;
  static Result<NodeAccounts> Build(const Indexes& indexes, const Key& places, Context& context);
};

// Time within executions of a node that belongs to what they call.
struct ContainedTime {
  NodeId node;
  StepId step;  // none: of all selected steps
  int64_t ps = 0;
};

// Self values of every node for the selected steps, and which of them were measured.
// ScaleOf(store, place) says what the integers mean.
struct NodeSums {
  Column<MeasureValues> values;  // definition_count is 1; absent values are 0
  Column<uint8_t> present;       // Present bits
  // Exact sums of a profile: what the times lack. Ascending by node, one row each.
  std::vector<ContainedTime> contained;
  std::vector<Note> notes;  // about flops that are counted: PlaceFilter::flops

  int64_t ContainedPs(NodeId node) const;

  // See SumNodes. Values of single steps are large, and queries use them one after the other.
  using Key = PlaceFilter;
  static constexpr size_t kKept = 6;
  static Result<NodeSums> Build(const Indexes& indexes, const PlaceFilter& place, Context& context);
};

// Counts on the devices selected by -device and -host. For a node of a profile that ran on several
// devices, the first selected one counts, so selecting a replica's host shows what that replica
// did.
Result<NodeAccounts> MakeAccounts(const Store& store, const PlaceFilter& place, Context& context);

// Sums the steps that `place` selects. Exact: times of accelerators, where the profile has any,
// else of hosts without what they contain; flops of the runs; parameters of variables. By the
// original's rules, for all steps or a range: the average over the steps in which a node has
// records, each value summed and divided separately, in 64 bits, rounding down. Error: usage, no
// such step.
Result<NodeSums> SumNodes(const Store& store, const NodeAccounts& accounts,
                          const PlaceFilter& place, Context& context);

// Returns true if the profile has accelerator times: they are then the times of its rows.
bool IsAccelerated(const Store& store);

// Returns true if one of the steps that -step selects exists; without -step, true.
bool HasSelectedStep(const Store& store, const PlaceFilter& place);

// Returns the step with this number; none: there is none.
StepId StepOfNumber(const Store& store, int64_t number);

// Returns how often a node counts under -account_type_regexes. CountAny: 1 if any expression
// matches any of its types (scope, graph). CountTimes: the number of expressions that match (op,
// code). The list `.*` counts every node once. Nodes that never ran in the selected places do not
// count, nor do those that -focus, -ignore or -under exclude.
Result<Column<uint8_t>> CountAny(const Store& store, const NodeAccounts& accounts,
                                 const NodeFilter& nodes, Context& context);
Result<Column<uint32_t>> CountTimes(const Store& store, const NodeAccounts& accounts,
                                    const NodeFilter& nodes, Context& context);
// Returns true for the node of that name and for those in its scope.
inline bool IsUnder(std::string_view name, std::string_view scope) {
  return name.starts_with(scope) && (name.size() == scope.size() || name[scope.size()] == '/');
}

// Returns true if every node counts once.
bool CountsAll(const NodeFilter& nodes, const PlaceFilter& place);

// How long a row counts; one without a start has no time. A saved profile keeps whole us, where a
// record of an accelerator, of which it has no other time, is 1 us long at least.
inline int64_t TimeOfRow(const Store& store, const Lane& lane, uint32_t row,
                         const PlaceFilter& place) {
  if (store.events.start_ps[row] == kNoTime) return 0;
  if (!place.exact) return RoundedDuration(store, lane, row);
  if (!place.whole_us) return store.events.duration_ps[row];
  const bool at_least_1 = lane.measures == Measures::accelerator_time;
  return at_least_1 ? RoundedDuration(store, lane, row) : RoundedLength(store, row);
}

// Writes `values` into a report row: absent measures become kNoInt.
MeasureValues MarkAbsent(const MeasureValues& values, uint8_t present);

}  // namespace tfprof
