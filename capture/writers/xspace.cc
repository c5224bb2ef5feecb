// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/xspace.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "capture/writers/wire.h"
#include "proto/xplane_fields.h"

namespace tfprof::capture {
namespace {

namespace field = tfprof::field;

template <class MapField, class IdField, class NameField>
void AddName(MapField map, IdField id_field, NameField name_field, uint64_t id,
             std::string_view name, std::string_view further, std::string* to) {
  std::string metadata;
  wire::Number(id_field, id, &metadata);
  wire::Bytes(name_field, name, &metadata);
  metadata += further;
  std::string entry;
  wire::Number(wire::MapEntry::key, id, &entry);  // which the value repeats
  wire::Bytes(wire::MapEntry::value, metadata, &entry);
  wire::Bytes(map, entry, to);
}

// Writes in pieces of a megabyte.
class Output {
 public:
  explicit Output(int file) : file_(file) {}

  void Add(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= (size_t{1} << 20)) Flush();
  }
  int Finish() {
    Flush();
    return error_;
  }

 private:
  void Flush() {
    const char* at = buffer_.data();
    size_t left = buffer_.size();
    while (left > 0 && error_ == 0) {
      const ssize_t done = write(file_, at, left);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) error_ = done < 0 ? errno : EIO;
      if (done <= 0) break;
      at += done;
      left -= static_cast<size_t>(done);
    }
    buffer_.clear();
  }

  int file_;
  std::string buffer_;
  int error_ = 0;
};

}  // namespace

XSpace::PlaneId XSpace::AddPlane(std::string name) {
  planes_.emplace_back().name = std::move(name);
  return static_cast<PlaneId>(planes_.size() - 1);
}

XSpace::LineId XSpace::AddLine(PlaneId plane, int64_t id, std::string name) {
  const auto line = static_cast<LineId>(lines_.size());
  lines_.push_back({.plane = plane, .id = id, .name = std::move(name), .bytes = events_.AddLine()});
  planes_[plane].lines.push_back(line);
  return line;
}

uint64_t XSpace::EventName(PlaneId plane, std::string_view name, std::string_view display,
                           std::string_view ranges) {
  Plane& in = planes_[plane];
  std::string key(name);
  // Names of several ranges may differ in characters that XProf does not read.
  key.append(1, '\0').append(ranges);
  const auto [found, is_new] = in.event_ids.try_emplace(std::move(key), in.event_ids.size() + 1);
  if (is_new) {
    std::string further;
    if (!display.empty()) wire::Bytes(field::XEventMetadata::display_name, display, &further);
    if (!ranges.empty()) {
      std::string stat;
      wire::Number(field::XStat::metadata_id, StatName(kRanges, &in), &stat);
      wire::Bytes(field::XStat::str_value, ranges, &stat);
      wire::Bytes(field::XEventMetadata::stats, stat, &further);
    }
    AddName(field::XPlane::event_metadata, field::XEventMetadata::id, field::XEventMetadata::name,
            found->second, name, further, &in.event_names);
  }
  return found->second;
}

uint64_t XSpace::StatName(std::string_view name, Plane* in) {
  const auto [found, is_new] = in->stat_ids.try_emplace(std::string(name), in->stat_ids.size() + 1);
  if (is_new) {
    AddName(field::XPlane::stat_metadata, field::XStatMetadata::id, field::XStatMetadata::name,
            found->second, name, {}, &in->stat_names);
  }
  return found->second;
}

void XSpace::Begin(LineId line, uint64_t name, uint64_t start_ns, uint64_t end_ns, uint32_t level) {
  start_ns = std::max(start_ns, start_ns_);  // the clock may have been set, and samples reach back
  open_line_ = line;
  open_level_ = level;
  open_start_ = start_ns;
  open_end_ = end_ns;
  open_plane_ = lines_[line].plane;
  event_.clear();
  wire::Number(field::XEvent::metadata_id, name, &event_);
  wire::Number(field::XEvent::offset_ps, (start_ns - start_ns_) * 1000, &event_);
  wire::Number(field::XEvent::duration_ps, (std::max(end_ns, start_ns) - start_ns) * 1000, &event_);
}

void XSpace::Integer(std::string_view key, int64_t value) {
  stat_.clear();
  wire::Number(field::XStat::metadata_id, StatName(key, &planes_[open_plane_]), &stat_);
  wire::Number(field::XStat::int64_value, static_cast<uint64_t>(value), &stat_);
  wire::Bytes(field::XEvent::stats, stat_, &event_);
}

void XSpace::Real(std::string_view key, double value) {
  stat_.clear();
  wire::Number(field::XStat::metadata_id, StatName(key, &planes_[open_plane_]), &stat_);
  wire::Tag(field::XStat::double_value, wire::Type::fixed64, &stat_);
  stat_.append(reinterpret_cast<const char*>(&value), sizeof value);
  wire::Bytes(field::XEvent::stats, stat_, &event_);
}

void XSpace::Text(std::string_view key, std::string_view value) {
  stat_.clear();
  wire::Number(field::XStat::metadata_id, StatName(key, &planes_[open_plane_]), &stat_);
  wire::Number(field::XStat::ref_value, StatName(value, &planes_[open_plane_]), &stat_);
  wire::Bytes(field::XEvent::stats, stat_, &event_);
}

void XSpace::End() {
  ++event_count_;
  Line& line = lines_[open_line_];
  if (!line.is_held) {
    wire::Bytes(field::XLine::events, event_, events_.Open(line.bytes));
    events_.AppendedTo(line.bytes);
    return;
  }
  const auto from = static_cast<uint32_t>(line.held.size());
  wire::Bytes(field::XLine::events, event_, &line.held);
  const auto bytes = static_cast<uint32_t>(line.held.size()) - from;
  line.events.push_back({open_start_, open_end_, from, bytes, open_level_});
  held_bytes_ += bytes;
  if (held_bytes_ > kMostHeld) ReleaseAll();
}

void XSpace::Release(LineId id) {
  Line& line = lines_[id];
  if (line.events.empty()) return;
  std::stable_sort(line.events.begin(), line.events.end(),
                   [](const HeldEvent& a, const HeldEvent& b) {
                     if (a.start != b.start) return a.start < b.start;
                     return a.end != b.end ? a.end > b.end : a.level < b.level;
                   });
  std::string* to = events_.Open(line.bytes);
  for (const HeldEvent& event : line.events) to->append(line.held, event.from, event.bytes);
  events_.AppendedTo(line.bytes);
  held_bytes_ -= line.held.size();
  line.held.clear();
  line.events.clear();
}

// The stats of a plane have another number than those of an event.
void XSpace::BeginPlane(PlaneId plane) {
  open_plane_ = plane;
  event_.clear();
}

void XSpace::EndPlane() {
  static_assert(static_cast<int>(field::XEvent::stats) < 16 &&
                static_cast<int>(field::XPlane::stats) < 16);
  std::string& to = planes_[open_plane_].stats;
  for (size_t at = 0; at < event_.size();) {  // tag, length of one byte, stat
    const size_t bytes = static_cast<uint8_t>(event_[at + 1]);
    wire::Bytes(field::XPlane::stats, std::string_view(event_).substr(at + 2, bytes), &to);
    at += 2 + bytes;
  }
}

void XSpace::ReleaseAll() {
  for (LineId line = 0; line < lines_.size(); ++line) Release(line);
}

std::string XSpace::LineHead(const Line& line) const {
  std::string head;
  wire::Number(field::XLine::id, static_cast<uint64_t>(line.id), &head);
  wire::Bytes(field::XLine::name, line.name, &head);
  wire::Number(field::XLine::timestamp_ns, start_ns_, &head);
  return head;
}

uint64_t XSpace::PlaneBytes(const Plane& plane, PlaneId id,
                            const std::vector<std::string>& heads) const {
  std::string head;
  wire::Number(field::XPlane::id, id + 1, &head);
  wire::Bytes(field::XPlane::name, plane.name, &head);
  uint64_t bytes =
      head.size() + plane.event_names.size() + plane.stat_names.size() + plane.stats.size();
  for (const LineId line : plane.lines) {
    const uint64_t inner = heads[line].size() + events_.BytesOf(lines_[line].bytes);
    bytes += 1 + wire::VarintBytes(inner) + inner;
  }
  return bytes;
}

int XSpace::Write(int file) {
  ReleaseAll();
  std::vector<std::string> heads;
  for (const Line& line : lines_) heads.push_back(LineHead(line));
  Output out(file);
  std::string head;
  for (PlaneId id = 0; id < planes_.size(); ++id) {
    const Plane& plane = planes_[id];
    head.clear();
    wire::Tag(field::XSpace::planes, wire::Type::bytes, &head);
    wire::Varint(PlaneBytes(plane, id, heads), &head);
    wire::Number(field::XPlane::id, id + 1, &head);
    wire::Bytes(field::XPlane::name, plane.name, &head);
    out.Add(head);
    for (const LineId line : plane.lines) {
      head.clear();
      wire::Tag(field::XPlane::lines, wire::Type::bytes, &head);
      wire::Varint(heads[line].size() + events_.BytesOf(lines_[line].bytes), &head);
      out.Add(head + heads[line]);
      events_.EachPart(lines_[line].bytes, [&](std::string_view part) { out.Add(part); });
    }
    for (const std::string* names : {&plane.event_names, &plane.stat_names, &plane.stats}) {
      out.Add(*names);
    }
  }
  std::string tail;
  for (const std::string& error : errors_) wire::Bytes(field::XSpace::errors, error, &tail);
  for (const std::string& text : warnings_) wire::Bytes(field::XSpace::warnings, text, &tail);
  if (!host_.empty()) wire::Bytes(field::XSpace::hostnames, host_, &tail);
  out.Add(tail);
  const int error = out.Finish();
  return error != 0 ? error : events_.error();
}

}  // namespace tfprof::capture
