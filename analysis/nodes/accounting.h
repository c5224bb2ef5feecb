// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/attributes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/lanes.h"
#include "core/store/store.h"

// The original's rules of what counts for a node: the one place that knows them.

namespace tfprof {

class Indexes;

// Which measures of a row were measured at all; sums OR them.
enum Present : uint8_t {
  kHasTime = 1,    // micros
  kHasMemory = 2,  // the four kinds of bytes
  kHasParams = 4,
  kHasFlops = 8,
  kHasAccelerator = 16,  // accelerator_micros: the profile has a lane that measures it
  kHasRuns = 32,         // run_count: the profile has steps
  kHasCpu = 64,          // cpu_micros: a profile, or a trace that has operations of hosts
};

// Facts of a node that no step changes.
struct NodeAccounts {
  // The first of the node's lanes whose name has the form `.*/(device:gpu|gpu|device:cpu|cpu):N`;
  // of a trace, which tells the same execution on one lane only, all of them.
  CountingLanes counting_lane;
  // By node: its types (op type, added types, names of the counting lanes), each once, ascending by
  // bytes: types[first_type[node] .. first_type[node + 1]).
  Column<uint32_t> first_type;
  Column<NameId> types;
  std::vector<bool> lane_counts;  // by lane: has that form, and was asked
  std::vector<bool> lane_asked;   // by lane: -device and -host let it through
  bool all_places = true;         // there is neither
  // What these rules leave out, with its time. Records without node or without start are not in
  // it: the loader that met them has noted them.
  std::vector<Note> notes;

  // An index of the places alone, see MakeAccounts. That of all places is asked all the time.
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

// Own values of every node for one step or for the average, and what of them was measured.
struct NodeSums {
  Column<MeasureValues> values;  // definition_count is 1; absent values are 0; TimeUnit
  Column<uint8_t> present;       // Present bits

  // See SumNodes. Values of single steps are large and asked one after the other.
  using Key = PlaceFilter;
  static constexpr size_t kKept = 6;
  static Result<NodeSums> Build(const Indexes& indexes, const PlaceFilter& place, Context& context);
};

// What counts on the devices that -device and -host let through. Of a node of a profile
// that ran on several that is the first of those, so a replica's host shows what it did.
Result<NodeAccounts> MakeAccounts(const Store& store, const PlaceFilter& place, Context& context);

// Of the step that `place` asks for; of all or of a range of them the average over those in which a
// node has records: each value is summed and divided on its own, in 64 bits, rounding down. Error:
// usage, no such step.
Result<NodeSums> SumNodes(const Store& store, const NodeAccounts& accounts,
                          const PlaceFilter& place, Context& context);

// Whether one of the steps that -step asks for is there; without -step true.
bool HasAskedStep(const Store& store, const PlaceFilter& place);

// Which step has this number; none if none has.
StepId StepOfNumber(const Store& store, int64_t number);

// How often a node counts under -account_type_regexes.
// `any`: 1 when any expression matches any of its types (scope, graph); `times`: the number of
// expressions that do (op, code). The list `.*` gives 1 to all. Nodes that never ran in the asked
// places do not count, nor those that -focus, -ignore or -under leave out.
Result<Column<uint8_t>> CountAny(const Store& store, const NodeAccounts& accounts,
                                 const NodeFilter& nodes, Context& context);
Result<Column<uint32_t>> CountTimes(const Store& store, const NodeAccounts& accounts,
                                    const NodeFilter& nodes, Context& context);
// Whether all nodes count once, whatever they are.
bool CountsAll(const NodeFilter& nodes, const PlaceFilter& place);

// What a row counts as: an unplaced one has no time, and none is shorter than the lane can tell.
inline int64_t TimeOfRow(const Store& store, const Lane& lane, uint32_t row) {
  if (store.events.start_ps[row] == kNoTime) return 0;
  const int64_t duration_ps = store.events.duration_ps[row];
  return duration_ps == 0 ? lane.tick_ps : duration_ps;
}

// Writes `values` into a report row: absent measures become kNoInt.
MeasureValues MarkAbsent(const MeasureValues& values, uint8_t present);

}  // namespace tfprof
