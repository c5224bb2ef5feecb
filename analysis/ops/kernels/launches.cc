// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/kernels/launches.h"

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "core/base/hash.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

struct LaunchKey {
  uint32_t label = 0;
  uint32_t op = 0;
  uint32_t launch = NameId::kNone;  // in the column `launch`
  bool is_product = false;

  bool operator==(const LaunchKey&) const = default;
  uint64_t Hash() const {
    return HashPair(uint64_t{label} << 32 | op, uint64_t{launch} << 1 | (is_product ? 1u : 0u));
  }
};

// Cache: launches of a kernel mostly have equal parameters.
struct LastLaunch {
  uint32_t launch = kNone;  // the text id in the column; kNone: none
  uint32_t op = 0;
  uint32_t is_product = 0;
  uint32_t group = kNone;  // kNone: no launch yet

  static constexpr uint32_t kNone = 0xFFFFFFFFu;
};

constexpr uint32_t kLaunchesAhead = 8;  // rows

struct LaunchReading {
  const Store& store;
  const ChosenEvents& chosen;
  const EventOps& ops;
  const DetailColumn& launch;
  const DetailColumn& equation;
  int64_t min_ps;                        // duration of the shortest launch that counts
  std::vector<uint8_t> is_product = {};  // by text of `equation`
  GroupIndex<LaunchKey> index = {};
  std::vector<LastLaunch> last = {};  // by label of the process
  uint32_t first_label = 0;
  std::vector<RowDuration>* durations = nullptr;  // null: only sums count
};

LaunchGroup MakeGroup(const LaunchKey& key, uint32_t row, int64_t ps) {
  LaunchGroup made;
  made.label = LabelId(key.label);
  made.op = key.op;
  made.is_product = key.is_product;
  made.first = EventId(row);
  made.min_ps = ps;
  return made;
}

void AddLaunch(int64_t ps, LaunchGroup* into) {
  ++into->occurrences;
  into->total_ps = SaturatingAdd(into->total_ps, ps);
  into->min_ps = std::min(into->min_ps, ps);
  into->max_ps = std::max(into->max_ps, ps);
}

// Finds the group of a launch that differs from the last one of its label.
__attribute__((noinline)) uint32_t FindGroup(uint32_t row, const LastLaunch& found,
                                             LaunchReading* of, std::vector<LaunchGroup>* groups) {
  const LabelId label = of->store.events.label[row];
  const LaunchKey key{label.value, found.op, of->launch.TextId(row).value, found.is_product != 0};
  const uint32_t group = of->index.Of(key);
  if (group == groups->size()) {
    groups->push_back(MakeGroup(key, row, of->store.events.duration_ps[row]));
  }
  LastLaunch& last = of->last[label.value - of->first_label];
  last = found;
  last.group = group;
  return group;
}

// Skips the per-row checks if, as in most traces, all rows are selected and record a launch, and
// the operation alone determines what it computes.
template <bool kPlain>
bool FindLaunchOf(uint32_t row, const DetailRange& launch, const LaunchReading& of,
                  LastLaunch* found) {
  found->op = of.ops.Of(row);
  if (kPlain) {
    found->launch = static_cast<uint32_t>(launch.Bits(row));
    return true;
  }
  const ValueKind kind = launch.Kind(row);
  if (kind == ValueKind::absent || !of.chosen.Takes(row)) return false;
  const bool is_text = kind == ValueKind::text || kind == ValueKind::bytes;
  if (is_text) found->launch = static_cast<uint32_t>(launch.Bits(row));
  if (of.equation.rows.count == 0) return true;
  const NameId text = of.equation.TextId(row);
  found->is_product = text.some() ? of.is_product[text.value] : 0;
  return true;
}

// Adds consecutive rows of a lane that the column `launch` stores together. Names come in random
// order, with their groups at random addresses: both are prefetched.
template <bool kPlain, bool kKeeps>
__attribute__((noinline)) void AddLaunches(uint32_t row, const DetailRange launch,
                                           LaunchReading* of, std::vector<LaunchGroup>* groups) {
  const int64_t* const duration_ps = of->store.events.duration_ps.data();
  const LabelId* const labels = of->store.events.label.data();
  const LastLaunch* const last = of->last.data();
  const uint32_t first_label = of->first_label;
  const auto last_of = [&](uint32_t of_row) { return last + (labels[of_row].value - first_label); };
  LaunchGroup* group = groups->data();
  for (; row < launch.end; ++row) {
    if (launch.end - row > 2 * kLaunchesAhead) {
      __builtin_prefetch(last_of(row + 2 * kLaunchesAhead));
      const size_t ahead = last_of(row + kLaunchesAhead)->group;  // may be kNone: only an address
      __builtin_prefetch(reinterpret_cast<const char*>(reinterpret_cast<uintptr_t>(group) +
                                                       ahead * sizeof(LaunchGroup)));
    }
    const int64_t ps = duration_ps[row];
    LastLaunch found;
    if (ps < of->min_ps || !FindLaunchOf<kPlain>(row, launch, *of, &found)) continue;
    const LastLaunch known = *last_of(row);
    found.group = known.group;
    const bool same = known.launch == found.launch && known.op == found.op &&
                      (kPlain || known.is_product == found.is_product);
    if (!same || known.group == LastLaunch::kNone) [[unlikely]] {
      found.group = FindGroup(row, found, of, groups);
      group = groups->data();
    }
    AddLaunch(ps, group + found.group);
    if (kKeeps) of->durations->push_back({found.group, ps});
  }
}

Result<void> AddLane(const Lane& lane, LaunchReading* of, std::vector<LaunchGroup>* groups,
                     Context& context) {
  DetailCursor launch(of->launch);
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first; row < end;) {
    TFPROF_TRY(Poll(context));
    const DetailRange rows = launch.RangeAt(row, end);
    const bool plain = of->chosen.All() && of->equation.rows.count == 0 && rows.AllTexts();
    if (of->durations != nullptr) {
      AddLaunches<false, true>(row, rows, of, groups);
    } else {
      (plain ? AddLaunches<true, false> : AddLaunches<false, false>)(row, rows, of, groups);
    }
    row = rows.end;
  }
  return {};
}

// The size of a multiprocessor's register file. A recorder that reports more registers per thread
// read uninitialized memory, also for shared memory.
constexpr int64_t kMaxRegisters = 1 << 16;

// Recorders write 0 for unknown sizes, but a block may really use no shared memory.
void SetSizes(int64_t registers, int64_t shared_bytes, int64_t shmem_bytes, LaunchGroup* group) {
  if (registers > kMaxRegisters) return;
  if (registers > 0) group->registers = registers;
  group->shared_bytes = shared_bytes;
  group->shmem_bytes = shmem_bytes;
}

// Reads the parameters of the first launch of each group; all its launches share them.
Result<void> ReadParameters(const Store& store, ProcessId process, Launches* launches,
                            Context& context) {
  std::vector<EventId> firsts;
  for (const LaunchGroup& group : launches->groups) firsts.push_back(group.first);
  constexpr DetailKey kKeys[] = {AttributeKey::registers,     AttributeKey::shmem_bytes,
                                 AttributeKey::shared_memory, AttributeKey::occupancy_pct,
                                 AttributeKey::grid,          AttributeKey::block};
  TFPROF_ASSIGN(std::vector<DetailColumn> columns,
                ReadColumns(store, process, firsts, kKeys, context));
  const DetailColumn &registers = columns[0], &shmem = columns[1], &shared = columns[2];
  const DetailColumn& occupancy = columns[3];
  DetailColumn &grid = columns[4], &block = columns[5];
  const auto has = [](const DetailColumn& c, uint32_t i) { return c.rows.count > 0 && c.Has(i); };
  const auto integer = [&](const DetailColumn& c, uint32_t i) {
    return has(c, i) && c.Integer(i) >= 0 ? c.Integer(i) : kNoInt;
  };
  for (uint32_t i = 0; i < launches->groups.size(); ++i) {
    LaunchGroup& group = launches->groups[i];
    SetSizes(integer(registers, i), integer(shared, i), integer(shmem, i), &group);
    if (has(occupancy, i) && occupancy.Real(i) > 0) group.occupancy_pct = occupancy.Real(i);
    if (has(grid, i)) group.grid = grid.TextId(i);
    if (has(block, i)) group.block = block.TextId(i);
  }
  launches->grids = std::move(grid.texts);
  launches->blocks = std::move(block.texts);
  return {};
}

// True if the class of each event is known. Then host events were read as well, which launch work;
// else those of devices alone may have been read.
bool HasClasses(const Store& store, const Process& process) {
  return std::ranges::any_of(store.LabelsOf(process),
                             [](const Label& label) { return label.of == EventClass::kernel; });
}

}  // namespace

Result<Launches> GroupLaunches(const Store& store, const Indexes& indexes, ProcessId id,
                               OpAccounting accounting, const ChosenEvents& chosen, bool durations,
                               Context& context) {
  Launches launches;
  // Includes the keys of FindEventOps.
  constexpr auto kKeys =
      WithOpKeys(AttributeKey::launch, AttributeKey::equation, AttributeKey::annotation);
  TFPROF_ASSIGN(const auto columns, indexes.Details(id, kKeys, context));
  const auto &launch = columns[0], &equation = columns[1];
  if (launch->rows.count == 0) return launches;
  const bool is_exact = accounting == OpAccounting::exact;
  const OpSources sources = !is_exact                                      ? OpSources::recorded
                            : HasClasses(store, store.processes[id.value]) ? OpSources::all
                                                                           : OpSources::annotated;
  TFPROF_ASSIGN(launches.ops, FindEventOps(store, indexes, id, sources, context));
  LaunchReading of{store, chosen, launches.ops, *launch, *equation, is_exact ? 0 : kPsPerNs};
  for (size_t i = 0; i < equation->texts.size(); ++i) {
    of.is_product.push_back(IsMatrixProduct(equation->texts[NameId(i)]));
  }
  if (durations) of.durations = &launches.durations;
  const Process& process = store.processes[id.value];
  of.last.resize(process.labels.count);
  of.first_label = process.labels.first;
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (!lane.derived) TFPROF_TRY(AddLane(lane, &of, &launches.groups, context));
  }
  TFPROF_TRY(ReadParameters(store, id, &launches, context));
  return launches;
}

}  // namespace tfprof
