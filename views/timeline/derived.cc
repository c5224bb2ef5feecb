// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/derived.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/intervals/first_free.h"
#include "analysis/ops/event_ops.h"
#include "analysis/place.h"
#include "analysis/runs/gpu_runs.h"
#include "analysis/steps/grouping/event_groups.h"
#include "core/base/arith.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

constexpr size_t kDeepestScope = 8;

struct Kernel {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  uint32_t step = EventGroups::kNone;   // marked group; kNone: none until then
  uint32_t execution = GpuRuns::kNone;  // of its program; kNone: unknown
  bool begins = true;                   // an execution of its instruction

  bool IsWith(const Kernel& other) const {
    return step == other.step && execution == other.execution;
  }
};

// Overlapping spans get different levels.
void Place(Column<DerivedSpan>* spans) {
  FirstFree free;
  for (DerivedSpan& span : *spans) span.level = free.Place(span.start_ps, span.end_ps);
}

// Merges successive kernels of one name in one execution of a program.
class FlatTrack {
 public:
  // `apart`: the kernel does not continue what the one before it is of.
  void Add(NameId name, const Kernel& kernel, bool apart = false) {
    const bool continues = !apart && name.some() && name == name_ && kernel.IsWith(last_);
    name_ = name;
    last_ = kernel;
    if (!name.some()) return;
    if (continues) {
      spans_.back().end_ps = std::max(spans_.back().end_ps, kernel.end_ps);
    } else {
      spans_.Push({kernel.start_ps, kernel.end_ps, name});
    }
  }
  Column<DerivedSpan> Take() {
    Place(&spans_);
    return std::move(spans_);
  }

 private:
  Column<DerivedSpan> spans_;
  NameId name_;
  Kernel last_;
};

// Merges successive kernels of one scope, on each depth: the spans nest.
class ScopeTrack {
 public:
  void Add(const std::vector<NameId>& scopes, const Kernel& kernel) {
    size_t common = 0;
    while (kernel.IsWith(last_) && common < open_.size() && common < scopes.size() &&
           spans_[open_[common]].name == scopes[common]) {
      ++common;
    }
    open_.resize(common);
    last_ = kernel;
    for (const size_t span : open_) {
      spans_[span].end_ps = std::max(spans_[span].end_ps, kernel.end_ps);
    }
    for (size_t depth = common; depth < scopes.size(); ++depth) {
      if (depth == 0) outermost_.push_back(spans_.size());
      open_.push_back(spans_.size());
      spans_.Push({kernel.start_ps, kernel.end_ps, scopes[depth]});
    }
  }
  // A scope has the level of the outermost one around it.
  Column<DerivedSpan> Take() {
    FirstFree free;
    for (size_t i = 0; i < outermost_.size(); ++i) {
      const size_t begin = outermost_[i];
      const size_t end = i + 1 < outermost_.size() ? outermost_[i + 1] : spans_.size();
      const uint32_t level = free.Place(spans_[begin].start_ps, spans_[begin].end_ps);
      for (size_t span = begin; span < end; ++span) spans_[span].level = level;
    }
    return std::move(spans_);
  }

 private:
  Column<DerivedSpan> spans_;
  std::vector<size_t> open_;       // by depth
  std::vector<size_t> outermost_;  // of spans_
  Kernel last_;
};

// The names of one operation on each track.
struct NamesOfOp {
  NameId program;
  NameId instruction;
  NameId operation;
  std::vector<NameId> scopes;
};

NamesOfOp NamesOf(const Store& store, const EventOp& op, Names* names) {
  NamesOfOp of;
  if (op.module.some()) of.program = names->Intern(store.Text(store.modules[op.module.value].name));
  if (!op.hlo_name.empty()) of.instruction = names->Intern(op.hlo_name);
  std::string_view path = op.op.name;
  if (path.empty()) return of;
  of.operation = names->Intern(path);
  for (size_t slash = path.find('/'); slash != path.npos && of.scopes.size() < kDeepestScope;
       slash = path.find('/')) {
    of.scopes.push_back(names->Intern(path.substr(0, slash)));
    path.remove_prefix(slash + 1);
  }
  return of;
}

bool IsCopy(EventRole role) {
  return role == EventRole::copy_to_device || role == EventRole::copy_to_host ||
         role == EventRole::copy_on_device || role == EventRole::copy_to_peer ||
         role == EventRole::copy_on_host;
}

// The tracks of one stream.
struct StreamTracks {
  LaneId lane;
  FlatTrack programs, instructions, operations;
  ScopeTrack scopes;
};

class Deriver {
 public:
  Deriver(const ExportedLanes& exported, const GpuRuns& runs, const EventGroups& groups,
          Names* names)
      : exported_(exported), store_(*exported.store), runs_(runs), groups_(groups), names_(names) {
    for (const EventOp& op : runs.ops.ops) names_of_op_.push_back(NamesOf(store_, op, names));
  }

  Result<void> AddStream(LaneId id, Context& context) {
    const Lane& lane = store_.lanes[id.value];
    StreamTracks tracks{id, {}, {}, {}, {}};
    uint32_t step = EventGroups::kNone;
    bool has_names = false;
    const NamesOfOp none;
    for (const uint32_t row : lane.PlacedRows()) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      if (!exported_.Exports(row)) continue;
      step = StepOf(row, step);
      const Kernel kernel{store_.events.start_ps[row], store_.events.EndPs(row), step,
                          runs_.ExecutionOf(row), runs_.Starts(row)};
      if (step != EventGroups::kNone) Widen(kernel);
      if (IsCopy(store_.labels[store_.events.label[row].value].role)) continue;
      const uint32_t op = runs_.ops.Of(row);
      const NamesOfOp& of = op == EventOps::kNone ? none : names_of_op_[op];
      has_names |= op != EventOps::kNone;
      tracks.programs.Add(of.program, kernel);
      tracks.instructions.Add(of.instruction, kernel, kernel.begins);
      tracks.scopes.Add(of.scopes, kernel);
      tracks.operations.Add(of.operation, kernel);
    }
    if (has_names) streams_.push_back(std::move(tracks));
    return {};
  }

  std::vector<DerivedTrack> Take() {
    std::vector<DerivedTrack> tracks;
    const auto add = [&](std::string_view name, std::string_view stream,
                         Column<DerivedSpan> spans) {
      if (spans.empty()) return;
      tracks.push_back({std::string(name), std::move(spans)});
      if (streams_.size() > 1 && !stream.empty())
        tracks.back().name += " of " + std::string(stream);
    };
    add("steps", {}, TakeSteps());
    for (StreamTracks& of : streams_) {
      const std::string_view stream = store_.Text(store_.lanes[of.lane.value].display);
      add("programs", stream, of.programs.Take());
      add("instructions", stream, of.instructions.Take());
      add("name scopes", stream, of.scopes.Take());
      add("operations", stream, of.operations.Take());
    }
    return tracks;
  }

 private:
  // Work without a step belongs to the one before it on its stream.
  uint32_t StepOf(uint32_t row, uint32_t before) const {
    if (groups_.groups.empty()) return EventGroups::kNone;
    const uint32_t group = groups_.of_event[row];
    const bool is_marked = group != EventGroups::kNone && groups_.groups[group].is_marked;
    return is_marked ? group : before;
  }

  void Widen(const Kernel& kernel) {
    const auto [at, is_new] =
        steps_.try_emplace(kernel.step, DerivedSpan{kernel.start_ps, kernel.end_ps, {}});
    if (is_new) return;
    at->second.start_ps = std::min(at->second.start_ps, kernel.start_ps);
    at->second.end_ps = std::max(at->second.end_ps, kernel.end_ps);
  }

  Column<DerivedSpan> TakeSteps() {
    Column<DerivedSpan> spans;
    for (auto& [group, span] : steps_) {
      span.name = names_->Intern("step " + std::to_string(groups_.groups[group].number));
      spans.Push(span);
    }
    std::ranges::stable_sort(spans, [](const DerivedSpan& a, const DerivedSpan& b) {
      return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.end_ps > b.end_ps;
    });
    Place(&spans);
    return spans;
  }

  const ExportedLanes& exported_;
  const Store& store_;
  const GpuRuns& runs_;
  const EventGroups& groups_;
  Names* names_;
  std::vector<NamesOfOp> names_of_op_;  // by index into EventOps::ops
  std::map<uint32_t, DerivedSpan> steps_;
  std::vector<StreamTracks> streams_;
};

}  // namespace

Result<std::vector<DerivedTrack>> DeriveTracks(const ExportedLanes& exported,
                                               const Indexes& indexes, ProcessId id, Names* names,
                                               Context& context) {
  const Store& store = *exported.store;
  const Process& process = store.processes[id.value];
  if (DeviceKindOf(store, process) != DeviceKind::gpu) return std::vector<DerivedTrack>();
  for (const uint32_t lane : process.lanes) {
    if (store.lanes[lane].derived) return std::vector<DerivedTrack>();
  }
  TFPROF_ASSIGN(const auto runs, indexes.Get<GpuRuns>(id, context));
  TFPROF_ASSIGN(const auto groups, indexes.Get<EventGroups>(context));
  Deriver deriver(exported, *runs, *groups, names);
  for (const uint32_t lane : process.lanes) {
    if (store.lanes[lane].measures != Measures::accelerator_time) continue;
    TFPROF_TRY(deriver.AddStream(LaneId(lane), context));
  }
  return deriver.Take();
}

}  // namespace tfprof
