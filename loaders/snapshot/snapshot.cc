// SPDX-License-Identifier: Apache-2.0
// Snapshots of PyTorch's caching allocator: torch.cuda.memory._dump_snapshot().
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/formats.h"
#include "loaders/inputs/opened.h"
#include "loaders/snapshot/details.h"
#include "loaders/snapshot/facts.h"
#include "loaders/snapshot/pickle.h"

namespace tfprof::snapshot {
namespace {

constexpr std::string_view kHeldBefore = "held before the history";

int ScoreSnapshot(std::string_view bytes) {
  constexpr size_t kLookedAt = 4096;
  if (bytes.size() < 2 || bytes[0] != '\x80' || bytes[1] < 2 || bytes[1] > 5) return 0;
  const std::string_view beginning = bytes.substr(0, kLookedAt);
  for (const std::string_view key : {"segments", "device_traces", "total_size"}) {
    if (beginning.find(key) != beginning.npos) return 100;
  }
  return 0;
}

class Loading {
 public:
  Loading(const SourceFile& file, StoreBuilder& store, DetailState* state)
      : file_(file), store_(store), state_(state) {}

  void Load(const LoadArguments& arguments) {
    source_ = store_.AddSource({file_.path, "snapshot", file_.file_bytes, file_.bytes.size()});
    host_ = store_.AddHost(store_.Name(arguments.host.empty() ? NameOfFile() : arguments.host));
    AddProcess();
    for (const int64_t device : snapshot::DevicesOf(state_->facts)) AddAllocator(device);
    AddMarks();
    FinishLabels();
    odd_entries_.count = state_->facts.odd_entries;
    odd_entries_.AddNoteTo(note::odd_snapshot_entries, file_, store_);
  }
  SourceId source() const { return source_; }

 private:
  std::string NameOfFile() const {
    const std::string_view name = std::string_view(file_.path).substr(file_.path.rfind('/') + 1);
    return std::string(name.substr(0, name.find('.')));
  }

  void AddProcess() {
    Process process;
    process.name = store_.Name("memory allocators");
    process.host = host_;
    process.source = source_;
    process.kind = ProcessKind::host;
    process_ = store_.AddProcess(process);
    first_label_ = store_.next_label();
  }

  LabelId LabelOf(std::string_view name, EventRole role) {
    const auto [known, is_new] = labels_.try_emplace(std::string(name));
    if (is_new) {
      Label label;
      label.name = store_.Name(name);
      label.role = role;
      known->second = store_.AddLabel(label);
    }
    return known->second;
  }
  void FinishLabels() {
    Process& process = store_.process(process_);
    process.labels = {first_label_.value, store_.next_label().value - first_label_.value};
    process.names = process.labels.count;
  }

  void AddLane(std::string_view name, LaneRole role, Nesting nesting) {
    Lane lane;
    lane.name = lane.display = store_.Name(name);
    lane.process = process_;
    lane.index = lanes_++;
    lane.role = role;
    lane.nesting = nesting;
    store_.BeginRows(store_.AddLane(lane), StepId());
  }

  LabelId LabelOf(const Change& change) {
    switch (change.kind) {
      case ChangeKind::held_before: return LabelOf(kHeldBefore, EventRole::allocation);
      case ChangeKind::alloc: return LabelOf(change.name, EventRole::allocation);
      case ChangeKind::free: return LabelOf(change.name, EventRole::deallocation);
      default: return LabelOf(change.name, EventRole::none);
    }
  }

  void AddAllocator(int64_t device) {
    const std::string name = "GPU:" + std::to_string(device);
    const auto allocator = static_cast<uint32_t>(state_->allocators.size());
    state_->allocators.push_back(name);
    AddLane(name, LaneRole::other, Nesting::parallel);
    int64_t last_us = kNoInt;
    for (const Change& change : snapshot::HistoryOf(state_->facts, device)) {
      last_us = std::max(last_us, change.time_us);  // in the order of recording
      AddRow({change, allocator}, last_us, 0, LabelOf(change));
    }
    AddSegments(device, store_.Name(name));
  }

  // Without a history, the only moment is that of the snapshot: time 0.
  int64_t TimeOf(int64_t time_us) {
    if (time_us == kNoInt) return 0;
    bool clamped = false;
    if (!store_.has_epoch()) store_.SetEpoch(SaturatingMul(time_us, 1000, &clamped));
    return store_.TimeFromMicros(time_us);
  }

  void AddRow(const Row& row, int64_t time_us, int64_t duration_us, LabelId label) {
    const auto detail = static_cast<uint32_t>(state_->rows.size());
    state_->rows.push_back(row);
    store_.AddEvent(TimeOf(time_us), store_.DurationFromMicros(duration_us), label, detail);
  }

  void AddSegments(int64_t device, NameId allocator) {
    for (const snapshot::Segment& segment : state_->facts.segments) {
      if (segment.device != device) continue;
      MemorySegment added;
      added.host = host_;
      added.allocator = allocator;
      if (!segment.pool.empty()) added.pool = store_.Name(segment.pool);
      added.stream = segment.stream;
      added.bytes = segment.bytes;
      for (const snapshot::Block& block : segment.blocks) {
        if (block.bytes == kNoInt) continue;
        int64_t& sum = block.is_active ? added.held_bytes : added.free_bytes;
        sum = SaturatingAdd(sum, block.bytes);
        if (!block.is_active) {
          added.largest_free_bytes = std::max(added.largest_free_bytes, block.bytes);
        }
      }
      store_.AddSegment(added);
    }
  }

  // Regions that begin and end; one that was open at the end of the recording is left out.
  void AddMarks() {
    const std::vector<Mark>& marks = state_->facts.marks;
    if (marks.empty()) return;
    AddLane("annotations", LaneRole::thread, Nesting::stack);
    std::vector<const Mark*> open;
    for (const Mark& mark : marks) {
      if (mark.begins) {
        open.push_back(&mark);
        continue;
      }
      while (!open.empty() && open.back()->name != mark.name) open.pop_back();
      if (open.empty()) continue;
      AddRegion(*open.back(), mark.time_us);
      open.pop_back();
    }
  }

  // A step of the profiler is a region like others: what takes time is told by its trace.
  void AddRegion(const Mark& begin, int64_t end_us) {
    Row row;
    row.allocator = kNoRow;
    const int64_t duration_us = std::max<int64_t>(0, SaturatingAdd(end_us, -begin.time_us));
    AddRow(row, begin.time_us, duration_us, LabelOf(begin.name, EventRole::none));
  }

  const SourceFile& file_;
  StoreBuilder& store_;
  DetailState* state_;
  SourceId source_;
  HostId host_;
  ProcessId process_;
  LabelId first_label_;
  uint32_t lanes_ = 0;
  std::unordered_map<std::string, LabelId> labels_;
  ProblemCount odd_entries_;
};

Result<void> LoadSnapshot(const SourceFile& file, const LoadArguments& arguments,
                          StoreBuilder& store, Context& context) {
  TFPROF_TRY(Poll(context));
  const auto state = std::make_shared<DetailState>();
  state->file = file;
  Pickle pickle;
  const PickleError error = ReadPickle(file.bytes, &pickle);
  if (error.at != nullptr) {
    return Fail(ErrorKind::corrupt, std::string(error.what), file.At(error.at));
  }
  TFPROF_TRY(Poll(context));
  if (!ReadFacts(pickle, &state->facts)) {
    return Fail(ErrorKind::corrupt, "the pickle is not a snapshot of an allocator", file.path);
  }
  Loading loading(file, store, state.get());
  loading.Load(arguments);
  store.source(loading.source()).details = MakeDetailReader(state);
  return {};
}

}  // namespace
}  // namespace tfprof::snapshot

namespace tfprof {

const Loader kSnapshotLoader = {
    .name = "snapshot",
    .noun = "a snapshot of PyTorch's allocator",
    .summary = "memory of PyTorch's allocator with its history (torch.cuda.memory._dump_snapshot)",
    .order = 6,
    .role = MergeRole::whole,
    .score = snapshot::ScoreSnapshot,
    .load = snapshot::LoadSnapshot,
    .found_by_content = true,
};

}  // namespace tfprof
