// SPDX-License-Identifier: Apache-2.0
// Loader of Chrome's trace format, which PyTorch's profiler (Kineto) and many other programs write:
// docs/formats/kineto.md.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/parallel.h"
#include "core/store/check.h"
#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/formats.h"
#include "loaders/inputs/opened.h"
#include "loaders/kineto/categories.h"
#include "loaders/kineto/clocks.h"
#include "loaders/kineto/details.h"
#include "loaders/kineto/python_names.h"
#include "loaders/kineto/scan.h"
#include "loaders/kineto/score.h"
#include "loaders/torch_names.h"

namespace tfprof {
namespace {

using kineto::Scanned;
using kineto::ScannedProcess;
using kineto::Track;

// Translates a scanned file.
class Translation {
 public:
  Translation(const SourceFile& file, Scanned& scanned, StoreBuilder& store)
      : file_(file), scanned_(scanned), store_(store) {}

  void Run() {
    AddSource();
    store_.SetTrace();
    const HostId host = AddHost();
    label_of_.resize(scanned_.labels.size());
    lane_of_.resize(scanned_.tracks.size());
    for (uint32_t i = 0; i < scanned_.processes.size(); ++i) AddProcess(i, host);
    AddRows();
    NoteProblems();
    store_.source(source_).details = kineto::MakeDetailReader(file_);
  }

  // Its rows are the last ones of the store.
  kineto::RankRows Rows() const {
    const size_t count = scanned_.label.size();
    kineto::RankRows rows{
        scanned_.header.rank, EventId(store_.next_event().value - count), count, {}};
    kineto::FindCollectives(store_, kineto::Places(file_.bytes), scanned_.detail.data(), &rows);
    return rows;
  }

 private:
  NameId Name(NameId scanned) {
    return scanned.some() ? store_.Name(scanned_.names[scanned]) : NameId();
  }

  void AddSource() {
    Source source;
    source.path = file_.path;
    source.format = "kineto";
    source.file_bytes = file_.file_bytes;
    source.bytes = file_.bytes.size();
    source.rank = scanned_.header.rank;
    source.world_size = scanned_.header.world_size;
    source.errors = scanned_.header.errors;
    source.warnings = scanned_.header.warnings;
    for (const kineto::Category& category : scanned_.categories) {
      for (size_t phase = 0; phase < category.counts.size(); ++phase) {
        EntryCount count = category.counts[phase];
        if (count.entries == 0) continue;
        const auto letter = static_cast<char>(phase);
        count.phase = phase == 0 ? NameId() : store_.Name({&letter, 1});
        count.category = Name(category.as_written);
        source.entries.push_back(count);
      }
    }
    for (const std::string& text : source.errors) {
      store_.AddNote(note::With(note::recorder_error, {text}), file_.path);
    }
    for (const std::string& text : source.warnings) {
      store_.AddNote(note::With(note::recorder_warning, {text}), file_.path);
    }
    source_ = store_.AddSource(std::move(source));
  }

  // A file is of one process of a job, so each is a host of its own.
  HostId AddHost() {
    std::string_view file = file_.path;
    file.remove_prefix(file.rfind('/') + 1);
    for (const std::string_view suffix : {".gz", ".json", ".trace", ".pt"}) {
      if (file.ends_with(suffix) && file.size() > suffix.size()) file.remove_suffix(suffix.size());
    }
    const bool has_rank = scanned_.header.rank != kNoInt;
    std::string name =
        has_rank ? "rank " + std::to_string(scanned_.header.rank) : std::string(file);
    for (const SourceId other : OtherSources()) {
      if (has_rank && store_.source(other).rank == scanned_.header.rank) name = file;
    }
    return store_.AddHost(store_.Name(name));
  }

  std::vector<SourceId> OtherSources() const {
    std::vector<SourceId> others;
    for (uint32_t i = 0; i < source_.value; ++i) others.emplace_back(i);
    return others;
  }

  const kineto::DeviceProperties* PropertiesOf(int64_t device) const {
    const auto& devices = scanned_.header.devices;
    const auto found = std::ranges::find(devices, device, &kineto::DeviceProperties::id);
    return found == devices.end() ? nullptr : &*found;
  }

  static std::string_view VendorOf(std::string_view model) {
    for (const std::string_view begins : {"NVIDIA", "Tesla", "Quadro", "GeForce"}) {
      if (BeginsWithAnyCase(model, begins)) return "Nvidia";
    }
    return BeginsWithAnyCase(model, "AMD") ? "AMD" : std::string_view();
  }

  DeviceId AddDevice(const ScannedProcess& scanned, HostId host, ProcessId process) {
    Device device;
    device.host = host;
    device.process = process;
    device.ordinal = scanned.device >= 0 ? static_cast<int32_t>(scanned.device) : -1;
    const kineto::DeviceProperties* known = PropertiesOf(scanned.device);
    const bool has_cores = known != nullptr && known->cores != kNoInt;
    device.kind = scanned.has_work || has_cores ? DeviceKind::gpu : DeviceKind::other;
    if (known != nullptr) {
      device.cores = known->cores;
      device.memory_bytes = known->memory_bytes;
      device.capability_major = known->major;
      device.capability_minor = known->minor;
      if (!known->name.empty()) device.model = store_.Name(known->name);
      const std::string_view vendor = VendorOf(known->name);
      if (!vendor.empty()) device.vendor = store_.Name(vendor);
    }
    return store_.AddDevice(device);
  }

  std::string NameOf(const ScannedProcess& scanned) const {
    const auto& given = scanned_.given.process;
    const auto name = given.find(scanned.id);
    if (scanned.kind != ProcessKind::device) {
      if (name == given.end() || name->second.empty()) return scanned.id;
      return name->second + " " + scanned.id;
    }
    const std::string number =
        scanned.device == kNoInt ? scanned.id : std::to_string(scanned.device);
    return (scanned.has_work || PropertiesOf(scanned.device) != nullptr ? "GPU:" : "device ") +
           number;
  }

  void AddProcess(uint32_t index, HostId host) {
    const ScannedProcess& scanned = scanned_.processes[index];
    Process process;
    const std::string name = NameOf(scanned);
    process.name = store_.Name(name.empty() ? "(no process)" : name);
    process.host = host;
    process.source = source_;
    process.index = index;
    process.id = kineto::ReadInteger(scanned.id).value_or(0);
    process.text_id = store_.Name(scanned.id);
    process.kind = scanned.kind;
    const auto given = [&](const auto& names) {
      const auto found = names.find(scanned.id);
      return found == names.end() ? NameId() : store_.Name(found->second);
    };
    process.own_name = given(scanned_.given.process);
    process.tags = given(scanned_.given.labels);
    const ProcessId id = store_.AddProcess(process);
    if (scanned.kind == ProcessKind::device) {
      const DeviceId device = AddDevice(scanned, host, id);
      store_.process(id).device = device;
    }
    AddLabels(index, id);
    AddLanes(index, id);
  }

  void AddLabels(uint32_t index, ProcessId id) {
    const uint32_t first = store_.next_label().value;
    for (uint32_t i = 0; i < scanned_.labels.size(); ++i) {
      const kineto::LabelKey& key = scanned_.labels.keys()[i];
      if (key.process != index) continue;
      Label label;
      label.name = Name(key.name);
      label.category = Name(key.category);
      label.of =
          label.category.some() ? kineto::ClassOf(store_.Text(label.category)) : EventClass::none;
      label.role = key.role == 1   ? EventRole::allocation
                   : key.role == 2 ? EventRole::deallocation
                                   : kineto::RoleOf(store_.Text(label.name), label.of);
      const std::string_view display = torch::DisplayNameOf(store_.Text(label.name), label.role);
      if (!display.empty()) label.display = store_.Name(display);
      if (label.of == EventClass::python_call) {
        label.python = AddPythonFunction(kineto::ParsePythonName(store_.Text(label.name)), &store_);
        store_.SetTrimmedPaths();
      } else if (label.of == EventClass::none) {  // JAX writes its traces in this format, too
        label.python = AddPythonFunction(ParseXlaPythonName(store_.Text(label.name)), &store_);
      }
      label_of_[i] = store_.AddLabel(label);
    }
    Process& process = store_.process(id);
    process.labels = {first, store_.next_label().value - first};
    process.names = process.labels.count;
  }

  static void Classify(const Track& track, Lane* lane) {
    lane->nesting = Nesting::stack;
    lane->measures = Measures::nothing;
    switch (track.layer) {
      case kineto::kThread:
        lane->role = LaneRole::thread;
        lane->measures = Measures::host_time;
        break;
      case kineto::kWork:
        lane->role = LaneRole::stream;
        lane->measures = Measures::accelerator_time;
        lane->nesting = Nesting::serial;
        break;
      case kineto::kInstants:
        lane->role = LaneRole::instants;
        lane->nesting = Nesting::parallel;
        break;
      case kineto::kAsync: lane->nesting = Nesting::parallel; break;
      default: lane->derived = track.first_class == EventClass::device_annotation;
    }
  }

  std::string LaneName(const Track& track, const std::string* given) const {
    std::string name = given != nullptr ? *given : track.thread;
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (track.layer == kineto::kInstants) return name + " instants";
    if (track.layer == kineto::kAsync) return name + " async";
    if (track.layer < kineto::kOthers || track.first_class == EventClass::recorder) return name;
    return name + " " + std::string(scanned_.names[track.category]);
  }

  void AddLanes(uint32_t index, ProcessId id) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < scanned_.tracks.size(); ++i) {
      const Track& track = scanned_.tracks[i];
      if (track.process != index) continue;
      const auto given = scanned_.given.thread.find({scanned_.processes[index].id, track.thread});
      const bool is_given = given != scanned_.given.thread.end();
      Lane lane;
      lane.tick_ps = 1;
      lane.process = id;
      lane.index = number++;
      lane.text_id = store_.Name(track.thread);
      if (is_given) lane.own_name = store_.Name(given->second);
      const int64_t thread = kineto::ReadInteger(track.thread).value_or(0);
      lane.id = track.stream == kNoInt ? thread : track.stream;
      lane.name = lane.display = store_.Name(LaneName(track, is_given ? &given->second : nullptr));
      Classify(track, &lane);
      lane_of_[i] = store_.AddLane(lane);
    }
  }

  // The distance of the file's rows from time 0 of the store, which the first file sets.
  int64_t ShiftPs() {
    const kineto::WidePs epoch =
        scanned_.epoch_ps + kineto::WidePs{scanned_.header.base_ns} * kPsPerNs;
    if (!store_.has_epoch()) {
      bool clamped = false;
      store_.SetEpoch(kineto::ClampedDifference(epoch / kPsPerNs, 0, &clamped));
    }
    bool clamped = false;
    const int64_t shift =
        kineto::ClampedDifference(epoch, kineto::WidePs{store_.epoch_ns()} * kPsPerNs, &clamped);
    if (clamped) scanned_.problems.far.Add(nullptr);
    return shift;
  }

  void AddRows() {
    const size_t count = scanned_.label.size();
    if (count == 0) return;  // its clock is that of no event
    const int64_t shift_ps = ShiftPs();
    const EventId first = store_.next_event();
    const StoreBuilder::RawRows rows = store_.ExtendRows(count, true);
    for (size_t i = 0; i < count; ++i) {
      rows.start_ps[i] = SaturatingAdd(scanned_.start_ps[i], shift_ps);
      rows.label[i] = label_of_[scanned_.label[i]];
    }
    std::copy_n(scanned_.duration_ps.data(), count, rows.duration_ps);
    std::copy_n(scanned_.detail.data(), count, rows.detail);
    for (const kineto::TrackRun& run : scanned_.runs) {
      store_.BeginRows(lane_of_[run.track], StepId(), EventId(first.value + run.first_row));
    }
  }

  void NoteProblems() {
    const kineto::Problems& of = scanned_.problems;
    if (scanned_.label.empty() && scanned_.bad == nullptr) {
      store_.AddNote(note::no_events, file_.path);
    }
    of.malformed.AddNoteTo(note::malformed_events, file_, store_);
    of.without_time.AddNoteTo(note::events_without_time, file_, store_);
    of.negative.AddNoteTo(note::negative_durations, file_, store_);
    of.unmatched.AddNoteTo(note::unmatched_begins, file_, store_);
    of.far.AddNoteTo(note::far_times_clamped, file_, store_);
  }

  const SourceFile& file_;
  Scanned& scanned_;
  StoreBuilder& store_;
  SourceId source_;
  std::vector<LabelId> label_of_;  // by index of scanned labels
  std::vector<LaneId> lane_of_;    // by index of scanned tracks
};

// `ranks`: of several files; null: there is one.
Result<void> Translate(const SourceFile& file, Scanned& scanned, StoreBuilder& store,
                       std::vector<kineto::RankRows>* ranks, Context& context) {
  if (scanned.label.size() > kMaxRows - store.next_event().value) {
    return Fail(ErrorKind::corrupt, "more than 4 billion events", file.path,
                "load fewer files at once");
  }
  Translation translation(file, scanned, store);
  translation.Run();
  if (ranks != nullptr) ranks->push_back(translation.Rows());
  if (scanned.bad == nullptr) return {};
  return Damaged(scanned.bad, file, "", store, context,
                 "; names of threads are stored at the end of a trace");
}

Result<void> LoadTrace(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                       Context& context) {
  Scanned scanned;
  TFPROF_TRY(Scan(file, context, &scanned));
  return Translate(file, scanned, store, nullptr, context);
}

// Scans as many files at once as there are processors, so that memory is bounded.
Result<void> LoadTraces(std::span<const FileToLoad> files, StoreBuilder& store, Context& context) {
  size_t bytes = 0;
  for (const FileToLoad& of : files) bytes += of.file.bytes.size();
  const size_t threads = ThreadsFor(bytes);
  std::vector<kineto::RankRows> ranks;
  std::vector<kineto::RankRows>* const several = files.size() > 1 ? &ranks : nullptr;
  for (size_t first = 0; first < files.size(); first += threads) {
    const size_t count = std::min(threads, files.size() - first);
    std::vector<Scanned> scanned(count);
    TFPROF_TRY(TryEachTask(count, threads, context, [&](size_t i, Context& own) {
      const SourceFile& file = files[first + i].file;
      return Guarded(file, [&] { return Scan(file, own, &scanned[i]); });
    }));
    for (size_t i = 0; i < count; ++i) {
      const SourceFile& file = files[first + i].file;
      TFPROF_TRY(
          Guarded(file, [&] { return Translate(file, scanned[i], store, several, context); }));
      NoteDamage(file, store);
      scanned[i] = {};
    }
  }
  kineto::AlignClocks(ranks, &store);
  return {};
}

constexpr std::string_view kEndings[] = {".pt.trace.json", ".pt.trace.json.gz"};

}  // namespace

const Loader kKinetoLoader = {
    .name = "kineto",
    .noun = "a Chrome trace",
    .summary =
        "trace of PyTorch's profiler (NAME.pt.trace.json), one file per rank, and other "
        "traces in Chrome's format",
    .order = 4,
    .role = MergeRole::whole,
    .score = kineto::Score,
    .load = LoadTrace,
    .load_several = LoadTraces,
    .endings = kEndings,
    .found_by_content = true,
    .draws_profiles = true,
    .rank = kineto::RankOf,
    .is_answer = kineto::IsTimeline,
};

}  // namespace tfprof
