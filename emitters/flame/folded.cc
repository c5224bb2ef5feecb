// SPDX-License-Identifier: Apache-2.0
// Flame graphs for other tools. folded: a line `outer;inner 12` for each row with self value, for
// flamegraph.pl and similar tools; a `;` in a name becomes \x3b. speedscope: its file format
// (https://www.speedscope.app/file-format-schema.json), frames as open and close events.
#include <cmath>
#include <unordered_map>

#include "core/store/store.h"
#include "emitters/cells.h"
#include "emitters/data/json_values.h"
#include "emitters/emitter.h"
#include "emitters/flame/frames.h"

namespace tfprof {
namespace {

// Readers of the format accept integers only: picoseconds become ns.
int64_t Folded(double value, const Flame& flame) {
  const double unit = flame.unit == Unit::ps_as_us ? kPsPerNs : 1;
  return std::llround(value / unit / static_cast<double>(flame.divisor));
}

// Appends "outer;inner 12"; of changes "outer;inner BASE NOW", as difffolded.pl writes.
void AddFolded(std::string_view path, const Flame& flame, const FlameFrame& frame, Sink& sink) {
  const int64_t unit = flame.unit == Unit::ps_as_us ? kPsPerNs : 1;
  const int64_t self = RoundedQuotient(frame.self, unit, flame.divisor);
  const int64_t base = flame.has_base ? Folded(frame.base_self, flame) : 0;
  if (self == 0 && base == 0) return;
  sink.Append(path);
  if (flame.has_base) sink.Append(" " + std::to_string(base));
  sink.Append(" " + std::to_string(self) + "\n");
}

void AddGone(const Flame& flame, Sink& sink) {
  for (const GoneFrame& gone : flame.gone) {
    const int64_t base = Folded(gone.self, flame);
    const std::string_view path = gone.path.empty() ? kNotShown : std::string_view(gone.path);
    if (base != 0) sink.Append(std::string(path) + " " + std::to_string(base) + " 0\n");
  }
}

std::string_view SpeedscopeUnit(const Flame& flame) {
  if (IsTime(flame.measure)) return "microseconds";
  return flame.unit == Unit::bytes ? "bytes" : "none";
}

// Returns, by frame, an index into shared.frames; equal names share one.
Result<std::vector<size_t>> AddSharedFrames(const Report& report, const Flame& flame, Sink& sink) {
  const Table& table = report.tables[0];
  const ReportColumn* files = table.Find("file");
  std::unordered_map<std::string, size_t> ids;
  std::vector<size_t> id_of;
  sink.Append("\"shared\":{\"frames\":[");
  for (const FlameFrame& frame : flame.frames) {
    std::string one = "{\"name\":";
    AppendJsonString(FrameName(report, frame), &one);
    if (files != nullptr && frame.depth > 0 && frame.row != Table::kNoRow) {
      one += ",\"file\":";
      AppendJsonString(files->texts[frame.row], &one);
      one += ",\"line\":";
      AppendInteger(table.Find("line")->Integer(frame.row), &one);
    }
    const auto [at, is_new] = ids.try_emplace(std::move(one) + "}", ids.size());
    id_of.push_back(at->second);
    if (!is_new) continue;
    sink.Append(at->second > 0 ? ",\n" : "\n");
    sink.Append(at->first);
    TFPROF_TRY(sink.MaybeFlush());
  }
  sink.Append("]},\n");
  return id_of;
}

struct Event {
  char type;  // O: opens, C: closes
  size_t frame;
  int64_t at;
};

Result<void> AddEvents(const Flame& flame, const std::vector<size_t>& id_of, Sink& sink) {
  bool first = true;
  const auto add = [&](const Event& event) -> Result<void> {
    sink.Append(first ? "\n{\"type\":\"" : ",\n{\"type\":\"");
    first = false;
    sink.buffer.push_back(event.type);
    sink.Append("\",\"frame\":");
    AppendInteger(event.frame, &sink.buffer);
    sink.Append(",\"at\":");
    AppendScaled(event.at, flame.unit, &sink.buffer, flame.divisor);
    sink.Append("}");
    return sink.MaybeFlush();
  };
  struct Open {
    size_t frame;
    int64_t next;  // where its next child opens
    int64_t end;
  };
  std::vector<Open> open;
  for (size_t i = 0; i <= flame.frames.size(); ++i) {
    const uint32_t depth = i < flame.frames.size() ? flame.frames[i].depth : 0;
    for (; open.size() > depth; open.pop_back()) {
      TFPROF_TRY(add({'C', open.back().frame, open.back().end}));
    }
    if (i == flame.frames.size()) break;
    const int64_t begin = open.empty() ? 0 : open.back().next;
    const int64_t end = SaturatingAdd(begin, flame.frames[i].total);
    if (!open.empty()) open.back().next = end;
    TFPROF_TRY(add({'O', id_of[i], begin}));
    open.push_back({id_of[i], begin, end});
  }
  return {};
}

}  // namespace

Result<void> EmitFolded(const Report& report, const Query&, const Style&, Sink& sink,
                        Context& context) {
  TFPROF_ASSIGN(const Flame flame, FlameOf(report, context));
  std::string path;
  std::vector<size_t> ends;  // length of `path` before each open frame
  TFPROF_TRY(EachRow(flame.frames.size(), sink, context, [&](size_t i) {
    const FlameFrame& frame = flame.frames[i];
    if (frame.depth == 0) return AddFolded(kNotShown, flame, frame, sink);
    ends.resize(frame.depth - 1);
    ends.push_back(frame.depth == 1 ? 0 : ends.back());
    path.resize(ends.back());
    if (frame.depth > 1) path += ';';
    AppendFoldedLabel(report, frame, &path);
    ends.back() = path.size();
    AddFolded(path, flame, frame, sink);
  }));
  AddGone(flame, sink);
  return {};
}

Result<void> EmitSpeedscope(const Report& report, const Query&, const Style&, Sink& sink,
                            Context& context) {
  TFPROF_ASSIGN(const Flame flame, FlameOf(report, context));
  sink.Append("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n");
  TFPROF_ASSIGN(const std::vector<size_t> id_of, AddSharedFrames(report, flame, sink));
  sink.Append("\"profiles\":[{\"type\":\"evented\",\"name\":");
  AppendJsonString(FlameTitle(report, flame), &sink.buffer);
  sink.Append(",\"unit\":\"");
  sink.Append(SpeedscopeUnit(flame));
  sink.Append("\",\"startValue\":0,\"endValue\":");
  AppendScaled(flame.frames[0].total, flame.unit, &sink.buffer, flame.divisor);
  sink.Append(",\"events\":[");
  TFPROF_TRY(AddEvents(flame, id_of, sink));
  sink.Append("]}],\n\"name\":");
  AppendJsonString(FlameSources(report), &sink.buffer);
  sink.Append(",\"activeProfileIndex\":0,\"exporter\":\"tfprof\"}\n");
  return {};
}

}  // namespace tfprof
