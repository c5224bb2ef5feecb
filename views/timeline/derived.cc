// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/derived.h"

#include <algorithm>
#include <map>
#include <memory>
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
  std::span<const DerivedSpan> Finish() {
    Place(&spans_);
    return spans_.Rows(0, spans_.size());
  }
  // The next stream takes the same memory.
  void Clear() {
    spans_.Clear();
    name_ = {};
    last_ = {};
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
  std::span<const DerivedSpan> Finish() {
    FirstFree free;
    for (size_t i = 0; i < outermost_.size(); ++i) {
      const size_t begin = outermost_[i];
      const size_t end = i + 1 < outermost_.size() ? outermost_[i + 1] : spans_.size();
      const uint32_t level = free.Place(spans_[begin].start_ps, spans_[begin].end_ps);
      for (size_t span = begin; span < end; ++span) spans_[span].level = level;
    }
    return spans_.Rows(0, spans_.size());
  }
  void Clear() {
    spans_.Clear();
    open_.clear();
    outermost_.clear();
    last_ = {};
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

enum class TrackKind { steps, programs, instructions, scopes, operations };

struct TrackOfKind {
  TrackKind kind = TrackKind::steps;
  LaneId stream = {};
};

class Deriver {
 public:
  Deriver(const ExportedLanes& exported, IndexPtr<GpuRuns> runs, IndexPtr<EventGroups> groups,
          Names* names)
      : exported_(exported),
        store_(*exported.store),
        runs_(std::move(runs)),
        groups_(std::move(groups)) {
    for (const EventOp& op : runs_->ops.ops) names_of_op_.push_back(NamesOf(store_, op, names));
  }

  // Finds the tracks of the streams, and the steps.
  Result<std::vector<std::string>> FindTracks(const std::vector<LaneId>& streams, Names* names,
                                              Context& context) {
    for (const LaneId stream : streams) TFPROF_TRY(FindTracksOf(stream, context));
    PlaceSteps(names);
    if (!step_spans_.empty()) tracks_.insert(tracks_.begin(), TrackOfKind());
    std::vector<std::string> titles;
    for (const TrackOfKind& track : tracks_) titles.push_back(TitleOf(track));
    return titles;
  }

  std::span<const DerivedSpan> SpansOf(size_t track) {
    const TrackOfKind& of = tracks_[track];
    if (of.kind == TrackKind::steps) return step_spans_.Rows(0, step_spans_.size());
    if (of.stream != derived_) DeriveStream(of.stream);
    switch (of.kind) {
      case TrackKind::programs: return programs_.Finish();
      case TrackKind::instructions: return instructions_.Finish();
      case TrackKind::scopes: return scopes_.Finish();
      default: return operations_.Finish();
    }
  }

 private:
  // Calls take(kernel, names, is_copy) for what a stream ran; names are null if it is of no known
  // operation.
  template <class Take>
  Result<void> EachKernel(LaneId stream, Context& context, Take take) const {
    uint32_t step = EventGroups::kNone;
    for (const uint32_t row : store_.lanes[stream.value].PlacedRows()) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      if (!exported_.Exports(row)) continue;
      step = StepOf(row, step);
      const Kernel kernel{store_.events.start_ps[row], store_.events.EndPs(row), step,
                          runs_->ExecutionOf(row), runs_->Starts(row)};
      const bool is_copy = IsCopy(store_.labels[store_.events.label[row].value].role);
      const uint32_t op = is_copy ? EventOps::kNone : runs_->ops.Of(row);
      take(kernel, op == EventOps::kNone ? nullptr : &names_of_op_[op], is_copy);
    }
    return {};
  }

  Result<void> FindTracksOf(LaneId stream, Context& context) {
    bool has_programs = false, has_instructions = false, has_scopes = false, has_ops = false;
    bool has_names = false;
    TFPROF_TRY(EachKernel(stream, context, [&](const Kernel& kernel, const NamesOfOp* of, bool) {
      if (kernel.step != EventGroups::kNone) Widen(kernel);
      if (of == nullptr) return;
      has_names = true;
      has_programs |= of->program.some();
      has_instructions |= of->instruction.some();
      has_scopes |= !of->scopes.empty();
      has_ops |= of->operation.some();
    }));
    if (has_names) ++streams_;
    if (has_programs) tracks_.push_back({TrackKind::programs, stream});
    if (has_instructions) tracks_.push_back({TrackKind::instructions, stream});
    if (has_scopes) tracks_.push_back({TrackKind::scopes, stream});
    if (has_ops) tracks_.push_back({TrackKind::operations, stream});
    return {};
  }

  void DeriveStream(LaneId stream) {
    derived_ = stream;
    programs_.Clear();
    instructions_.Clear();
    scopes_.Clear();
    operations_.Clear();
    const NamesOfOp none;
    Context never;  // one stream takes a moment
    static_cast<void>(
        EachKernel(stream, never, [&](const Kernel& kernel, const NamesOfOp* known, bool is_copy) {
          if (is_copy) return;
          const NamesOfOp& of = known == nullptr ? none : *known;
          programs_.Add(of.program, kernel);
          instructions_.Add(of.instruction, kernel, kernel.begins);
          scopes_.Add(of.scopes, kernel);
          operations_.Add(of.operation, kernel);
        }));
  }

  std::string TitleOf(const TrackOfKind& track) const {
    constexpr std::string_view kTitles[] = {"steps", "programs", "instructions", "name scopes",
                                            "operations"};
    std::string title(kTitles[static_cast<size_t>(track.kind)]);
    if (streams_ > 1 && track.kind != TrackKind::steps) {
      title.append(" of ").append(store_.Text(store_.lanes[track.stream.value].display));
    }
    return title;
  }

  // Work without a step belongs to the one before it on its stream.
  uint32_t StepOf(uint32_t row, uint32_t before) const {
    if (groups_->groups.empty()) return EventGroups::kNone;
    const uint32_t group = groups_->of_event[row];
    const bool is_marked = group != EventGroups::kNone && groups_->groups[group].is_marked;
    return is_marked ? group : before;
  }

  void Widen(const Kernel& kernel) {
    const auto [at, is_new] =
        steps_.try_emplace(kernel.step, DerivedSpan{kernel.start_ps, kernel.end_ps, {}});
    if (is_new) return;
    at->second.start_ps = std::min(at->second.start_ps, kernel.start_ps);
    at->second.end_ps = std::max(at->second.end_ps, kernel.end_ps);
  }

  void PlaceSteps(Names* names) {
    for (auto& [group, span] : steps_) {
      span.name = names->Intern("step " + std::to_string(groups_->groups[group].number));
      step_spans_.Push(span);
    }
    std::ranges::stable_sort(step_spans_, [](const DerivedSpan& a, const DerivedSpan& b) {
      return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.end_ps > b.end_ps;
    });
    Place(&step_spans_);
  }

  const ExportedLanes& exported_;
  const Store& store_;
  const IndexPtr<GpuRuns> runs_;
  const IndexPtr<EventGroups> groups_;
  std::vector<NamesOfOp> names_of_op_;  // by index into EventOps::ops
  std::map<uint32_t, DerivedSpan> steps_;
  Column<DerivedSpan> step_spans_;
  std::vector<TrackOfKind> tracks_;
  size_t streams_ = 0;  // with known operations
  // Of the stream that is read:
  LaneId derived_;
  FlatTrack programs_, instructions_, operations_;
  ScopeTrack scopes_;
};

}  // namespace

Result<DerivedTracks> DeriveTracks(const ExportedLanes& exported, const Indexes& indexes,
                                   ProcessId id, Names* names, Context& context) {
  const Store& store = *exported.store;
  const Process& process = store.processes[id.value];
  if (DeviceKindOf(store, process) != DeviceKind::gpu) return DerivedTracks();
  std::vector<LaneId> streams;
  for (const uint32_t lane : process.lanes) {
    if (store.lanes[lane].derived) return DerivedTracks();
    const bool is_stream = store.lanes[lane].measures == Measures::accelerator_time;
    if (is_stream) streams.push_back(LaneId(lane));
  }
  TFPROF_ASSIGN(auto runs, indexes.Get<GpuRuns>(id, context));
  TFPROF_ASSIGN(auto groups, indexes.Get<EventGroups>(context));
  const auto deriver =
      std::make_shared<Deriver>(exported, std::move(runs), std::move(groups), names);
  DerivedTracks tracks;
  TFPROF_ASSIGN(tracks.names, deriver->FindTracks(streams, names, context));
  tracks.spans = [deriver](size_t track) { return deriver->SpansOf(track); };
  return tracks;
}

}  // namespace tfprof
