// SPDX-License-Identifier: Apache-2.0
// Loader of XSpace (NAME.xplane.pb): recordings of TensorFlow 2, JAX and PyTorch/XLA, one file per
// host. See proto/xplane.proto.
#include <algorithm>
#include <memory>
#include <optional>

#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/detect/format_detection.h"
#include "loaders/formats.h"
#include "loaders/python_names.h"
#include "loaders/torch_names.h"
#include "loaders/wire/unknown.h"
#include "loaders/wire/wire.h"
#include "loaders/xspace/details.h"
#include "loaders/xspace/event_roles.h"
#include "loaders/xspace/events.h"
#include "loaders/xspace/keys.h"
#include "loaders/xspace/layout.h"
#include "loaders/xspace/planes.h"
#include "loaders/xspace/recorded.h"
#include "proto/xplane_fields.h"

namespace tfprof {
namespace {

using xspace::DetailState;
using xspace::LaneLine;
using xspace::Line;
using xspace::Plane;
using xspace::PlaneLabels;

// Returns the host of a path: "dir/worker-0.xplane.pb.gz" is of the host worker-0.
std::string_view HostName(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  for (const std::string_view suffix : {".gz", ".pb", ".xplane", ".xspace"}) {
    if (path.ends_with(suffix) && path.size() > suffix.size()) path.remove_suffix(suffix.size());
  }
  return path;
}

struct LoadingTrace {
  const SourceFile& file;
  StoreBuilder& store;
  SourceId source;
  HostId host;
  std::vector<std::unique_ptr<PlaneLabels>> labels = {};  // by plane
  EventsRead read = {};
  std::vector<LaneLine> lines = {};    // lines whose events are read
  std::vector<int64_t> times_ns = {};  // of all lines with a time
  UnknownFields unknown = {};
};

struct LabelNames {
  std::string_view name;
  std::string_view display;
  std::string_view path;  // of ranges
};

// Reads the names without ReadEventMetadata: there may be a million entries, and their stats are
// not needed, but for `path_key`.
LabelNames ReadNames(std::string_view metadata, std::optional<int64_t> path_key,
                     UnknownFields* unknown) {
  constexpr uint64_t kUnread =
      FieldSet(field::XEventMetadata::id, field::XEventMetadata::metadata,
               field::XEventMetadata::stats, field::XEventMetadata::child_id);
  LabelNames names;
  wire::Fields fields(metadata);
  while (fields.Next()) {
    if (fields.tag() == wire::Tag(field::XEventMetadata::name, wire::kBytes)) {
      names.name = fields.Bytes();
    } else if (fields.tag() == wire::Tag(field::XEventMetadata::display_name, wire::kBytes)) {
      names.display = fields.Bytes();
    } else if (path_key && fields.tag() == wire::Tag(field::XEventMetadata::stats, wire::kBytes)) {
      const xspace::Stat stat = xspace::ReadStat(fields.Bytes());
      const bool is_path = stat.key == *path_key && stat.kind == ValueKind::text;
      if (is_path && stat.form == xspace::Stat::Form::plain) names.path = stat.text;
    } else {
      SkipOther(fields, "XEventMetadata", kUnread, unknown);
    }
  }
  return names;
}

std::optional<int64_t> PathKeyOf(const xspace::StatNames& names) {
  const auto at = std::ranges::find(names.names, xspace::kRangePath);
  if (at == names.names.end()) return std::nullopt;
  return names.ids[static_cast<size_t>(at - names.names.begin())];
}

// XProf takes events for steps whose names begin so; tfprof-capture names a step "train NAME".
constexpr std::string_view kStepBegin = "train ";

bool IsStepOf(const LabelNames& names) {
  return names.name.starts_with(kStepBegin) && !names.display.empty() &&
         names.name.substr(kStepBegin.size()) == names.display;
}

Label LabelOf(const LabelNames& names, ProcessKind kind, StoreBuilder& store) {
  Label label;
  const auto [role, suffix, prefix] = xspace::EventRoleOf(names.name, kind);
  label.role = role;
  if (kind == ProcessKind::host && IsStepOf(names)) {
    label.name = store.Name(names.display);
    return label;
  }
  if (names.path.empty()) {
    label.name = store.Name(names.name);
    if (!names.display.empty()) label.display = store.Name(names.display);
    label.suffix = suffix;
    label.prefix = prefix;
    if (kind == ProcessKind::host && xspace::IsRuntimeCall(names.name)) {
      label.of = EventClass::runtime_call;
    }
    if (kind != ProcessKind::device) {
      label.python = AddPythonFunction(ParseXlaPythonName(names.name), &store);
    }
    return label;
  }
  label.path = store.Name(names.path);
  label.name = store.Name(names.display);
  label.of = torch::ClassOf(names.display);
  const EventRole of_torch = torch::RoleOf(names.display, label.of);
  if (of_torch != EventRole::none) label.role = of_torch;
  const std::string_view shown = torch::DisplayNameOf(names.display, label.role);
  if (!shown.empty()) label.display = store.Name(shown);
  return label;
}

// Adds one label per event metadata, and one for events without metadata.
void AddLabels(const Plane& plane, const xspace::StatNames& names, ProcessId process,
               LoadingTrace* loading) {
  StoreBuilder& store = loading->store;
  auto labels = std::make_unique<PlaneLabels>();
  std::vector<int64_t> ids;
  ids.reserve(plane.event_metadata.size());
  labels->first = store.next_label();
  const ProcessKind kind = store.process(process).kind;
  const auto path_key = kind == ProcessKind::host ? PathKeyOf(names) : std::nullopt;
  for (const auto& entry : plane.event_metadata) {
    ids.push_back(entry.key);
    store.AddLabel(LabelOf(ReadNames(entry.value, path_key, &loading->unknown), kind, store));
  }
  labels->unknown = store.AddLabel(Label{store.Name(""), NodeId(), NameId()});
  labels->index = IdIndex(ids);
  const auto count = static_cast<uint32_t>(plane.event_metadata.size() + 1);
  store.process(process).labels = {labels->first.value, count};
  loading->labels.push_back(std::move(labels));
}

// Adds one module per entry with a program.
void AddModules(const Plane& plane, const xspace::StatNames& names, ProcessId process,
                LoadingTrace* loading) {
  const uint32_t first = loading->store.process(process).labels.first;
  for (uint32_t i = 0; i < plane.event_metadata.size(); ++i) {
    const auto& entry = plane.event_metadata[i];
    const std::optional<uint64_t> program_id = xspace::ProgramIdOf(entry.key, entry.value, names);
    if (!program_id) continue;
    const LabelId label(first + i);
    const NameId name = loading->store.label(label).name;
    loading->store.AddModule({*program_id, name, process, label});
  }
}

DeviceId AddDevice(const Plane& plane, const xspace::StatNames& names, ProcessId process,
                   LoadingTrace* loading) {
  StoreBuilder& store = loading->store;
  xspace::DeviceFacts facts = ReadDevice(plane, names);
  facts.device.host = loading->host;
  facts.device.process = process;
  if (!facts.model.empty()) facts.device.model = store.Name(facts.model);
  if (!facts.vendor.empty()) facts.device.vendor = store.Name(facts.vendor);
  return store.AddDevice(facts.device);
}

void NameLane(const Line& line, Lane* lane, StoreBuilder& store) {
  lane->id = line.id;
  lane->name = store.Name(line.name);
  lane->display = store.Name(line.display_name.empty() ? line.name : line.display_name);
}

void AddLanes(const Plane& plane, ProcessId id, LoadingTrace* loading) {
  StoreBuilder& store = loading->store;
  const Process process = store.process(id);
  const bool reads = loading->read.hosts || process.kind == ProcessKind::device;
  for (const Line& line : plane.lines) {
    const Device* device = process.device.some() ? &store.device(process.device) : nullptr;
    Lane lane = ClassifyLine(line, process.kind, device);
    lane.process = id;
    lane.index = static_cast<uint32_t>(&line - plane.lines.data());
    NameLane(line, &lane, store);
    const LaneId lane_id = store.AddLane(lane);
    if (reads) loading->lines.push_back({line, lane_id, loading->labels.back().get()});
    const bool has_events = line.events < line.bytes.data() + line.bytes.size();
    if (has_events) loading->times_ns.push_back(line.timestamp_ns);
  }
}

void AddPlane(const DetailState& state, uint32_t index, LoadingTrace* loading) {
  StoreBuilder& store = loading->store;
  const Plane& plane = state.layout.planes[index];
  Process process;
  process.name = store.Name(plane.name);
  process.host = loading->host;
  process.source = loading->source;
  process.index = index;
  process.id = plane.id;
  process.kind = xspace::KindOf(plane.name);
  process.names = static_cast<int64_t>(plane.event_metadata.size());
  process.keys = static_cast<int64_t>(plane.stat_metadata.size());
  const ProcessId id = store.AddProcess(process);
  if (process.kind == ProcessKind::device) {
    const DeviceId device = AddDevice(plane, state.names[index], id, loading);
    store.process(id).device = device;
  }
  if (process.kind == ProcessKind::environment) {
    store.source(loading->source).recorder = xspace::ReadRecorderOptions(plane, state.names[index]);
  }
  AddLabels(plane, state.names[index], id, loading);
  AddLanes(plane, id, loading);
  if (xspace::KeepsModules(plane.name)) AddModules(plane, state.names[index], id, loading);
}

// Sets time 0 to the median of the lines' times, so that an outlier does not move all others out of
// range. It does not depend on which lines are read.
void SetMedianEpoch(std::vector<int64_t> times_ns, StoreBuilder& store) {
  if (times_ns.empty() || store.has_epoch()) return;
  const auto middle = times_ns.begin() + static_cast<ptrdiff_t>(times_ns.size() / 2);
  std::nth_element(times_ns.begin(), middle, times_ns.end());
  store.SetEpoch(*middle);
}

// Updates lines with names after their events. For lines that are not read, these names stay
// unknown.
void NameAgain(const DetailState& state, LoadingTrace* loading) {
  for (const LaneLine& of : loading->lines) {
    Lane* lane = &loading->store.lane(of.lane);
    const Process& process = loading->store.process(lane->process);
    const Line& before = state.layout.planes[process.index].lines[lane->index];
    const bool same = of.line.id == before.id && of.line.name.data() == before.name.data() &&
                      of.line.display_name.data() == before.display_name.data();
    if (!same) NameLane(of.line, lane, loading->store);
  }
}

void NoteRecorder(const xspace::Layout& layout, LoadingTrace* loading) {
  Source& source = loading->store.source(loading->source);
  if (const auto recorded = xspace::ReadRecorded(loading->file.bytes)) {
    source.machine = recorded->machine;
    source.began_ns = recorded->begin_ns;
  }
  for (const std::string_view text : layout.errors) source.errors.emplace_back(text);
  for (const std::string_view text : layout.warnings) source.warnings.emplace_back(text);
  for (const std::string& text : source.errors) {
    loading->store.AddNote(note::With(note::recorder_error, {text}), loading->file.path);
  }
  for (const std::string& text : source.warnings) {
    loading->store.AddNote(note::With(note::recorder_warning, {text}), loading->file.path);
  }
}

Result<void> LoadSpace(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                       Context& context) {
  TFPROF_TRY(Poll(context));
  const auto state = std::make_shared<DetailState>();
  state->file = file;
  state->layout = xspace::ReadLayout(file.bytes);
  store.SetEventsRead(arguments.read);
  const SourceId source =
      store.AddSource({file.path, "xspace", file.file_bytes, file.bytes.size()});
  LoadingTrace loading{file, store, source, store.AddHost(store.Name(HostName(file.path)))};
  loading.read = arguments.read;
  for (uint32_t i = 0; i < state->layout.planes.size(); ++i) {
    state->names.emplace_back(state->layout.planes[i].stat_metadata);
    AddPlane(*state, i, &loading);
  }
  ReleasePages(file, file.bytes);  // around lines
  SetMedianEpoch(std::move(loading.times_ns), store);
  const char* bad = state->layout.bad;
  loading.unknown.Add(state->layout.unknown);
  TFPROF_TRY(LoadEvents(file, &loading.lines, store, context, &bad, &loading.unknown));
  loading.unknown.AddNoteTo(file, store);
  NameAgain(*state, &loading);
  NoteRecorder(state->layout, &loading);
  store.source(loading.source).details = MakeDetailReader(state);
  if (bad == nullptr) return {};
  return Damaged(bad, file, "", store, context,
                 "; names are stored at the end of a plane, so the truncated plane has times but "
                 "few or no names");
}

}  // namespace

constexpr std::string_view kXSpaceEndings[] = {".xplane.pb", ".xplane.pb.gz", ".xspace.pb",
                                               ".xspace.pb.gz"};

const Loader kXSpaceLoader = {
    .name = "xspace",
    .noun = "an XSpace",
    .summary = "XSpace of TensorFlow 2, JAX and PyTorch/XLA (NAME.xplane.pb), one file per host",
    .order = 4,
    .role = MergeRole::whole,
    .score = ScoreXSpace,
    .load = LoadSpace,
    .endings = kXSpaceEndings,
    .recorded = xspace::ReadRecorded,
};

}  // namespace tfprof
