// SPDX-License-Identifier: Apache-2.0
// Writes a trace in the format of proto/xplane.proto, event by event: memory is O(names), not
// O(events).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/writers/line_bytes.h"

namespace tfprof::capture {

class XSpace {
 public:
  // `start_ns`: the wall time that all lines count from.
  XSpace(std::string folder, uint64_t start_ns, uint64_t most_in_memory = LineBytes::kMostInMemory)
      : events_(std::move(folder), most_in_memory), start_ns_(start_ns) {}

  using PlaneId = uint32_t;
  using LineId = uint32_t;

  PlaneId AddPlane(std::string name);
  LineId AddLine(PlaneId plane, int64_t id, std::string name);
  // Events of such a line arrive when they end; they are written by start, what encloses others
  // first, as XProf expects. Order is kept up for all events between two calls of Release, if they
  // are not too many.
  void HoldEvents(LineId line) { lines_[line].is_held = true; }
  void Release(LineId line);
  // Lines get their names when all of their events are known.
  void NameLine(LineId line, std::string name) { lines_[line].name = std::move(name); }

  // The ID of the name that events of the plane have. `ranges`: what tfprof reads instead of the
  // name, which has the characters alone that XProf reads.
  uint64_t EventName(PlaneId plane, std::string_view name, std::string_view display = {},
                     std::string_view ranges = {});

  // Begins an event; attributes follow, then End. Of held events of one time, that of the lowest
  // level encloses the others.
  static constexpr uint32_t kInnermost = UINT32_MAX;
  void Begin(LineId line, uint64_t name, uint64_t start_ns, uint64_t end_ns,
             uint32_t level = kInnermost);
  void Integer(std::string_view key, int64_t value);
  void Real(std::string_view key, double value);
  void Text(std::string_view key, std::string_view value);
  void End();

  // Attributes of a plane, as of an event.
  void BeginPlane(PlaneId plane);
  void EndPlane();

  // The attribute of an event, or of its name, that has a path of ranges.
  static constexpr std::string_view kRanges = "range_path";

  void AddWarning(std::string text) { warnings_.push_back(std::move(text)); }
  void AddError(std::string text) { errors_.push_back(std::move(text)); }
  void SetHost(std::string host) { host_ = std::move(host); }

  uint64_t start_ns() const { return start_ns_; }
  uint64_t event_count() const { return event_count_; }

  // Writes all of it to a new file of this descriptor. Returns 0 or an errno.
  int Write(int file);

 private:
  struct Plane {
    std::string name;
    std::unordered_map<std::string, uint64_t> event_ids;
    std::string event_names;  // encoded
    std::unordered_map<std::string, uint64_t> stat_ids;
    std::string stat_names;
    std::string stats;
    std::vector<LineId> lines;
  };
  struct HeldEvent {
    uint64_t start = 0;
    uint64_t end = 0;
    uint32_t from = 0;  // in Line::held
    uint32_t bytes = 0;
    uint32_t level = kInnermost;
  };
  struct Line {
    PlaneId plane = 0;
    int64_t id = 0;
    std::string name;
    LineBytes::Id bytes = 0;
    bool is_held = false;
    std::string held;
    std::vector<HeldEvent> events;
  };
  // Of all lines.
  static constexpr uint64_t kMostHeld = uint64_t{16} << 20;

  void ReleaseAll();
  static uint64_t StatName(std::string_view name, Plane* in);
  std::string LineHead(const Line& line) const;
  uint64_t PlaneBytes(const Plane& plane, PlaneId id, const std::vector<std::string>& heads) const;

  LineBytes events_;
  uint64_t start_ns_ = 0;
  uint64_t event_count_ = 0;
  std::vector<Plane> planes_;
  std::vector<Line> lines_;
  std::vector<std::string> warnings_;
  std::vector<std::string> errors_;
  std::string host_;
  uint64_t held_bytes_ = 0;
  // The event that is open
  uint64_t open_start_ = 0;
  uint64_t open_end_ = 0;
  uint32_t open_level_ = kInnermost;
  PlaneId open_plane_ = 0;
  LineId open_line_ = 0;
  std::string event_;
  std::string stat_;
};

}  // namespace tfprof::capture
