// SPDX-License-Identifier: Apache-2.0
// What holds for a whole spool: names, places, facts and steps. It is read before the events, so
// that these can be translated one by one, in any order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "capture/model/name_facts.h"
#include "capture/spool/reader.h"

namespace tfprof::capture {

// A range that is a step; those inside one of the same thread are not. Or a window, where no range
// is a step.
struct StepSpan {
  uint64_t start = 0;
  uint64_t end = 0;
  int64_t number = 0;
  uint32_t thread = 0;
};

// A thread was in a stack.
struct PythonSample {
  uint64_t since = 0;
  uint64_t time = 0;
  uint32_t stack = 0;
};

// What the program holds of a device from an instant on.
struct MemoryLevel {
  uint64_t time = 0;
  int64_t change_bytes = 0;
  int64_t live_bytes = 0;
  int64_t peak_bytes = 0;  // of all levels until then
};

struct Definitions {
  // Tables by ID, which a damaged file may have any of.
  std::unordered_map<uint32_t, NameFacts> names;
  std::unordered_map<uint32_t, uint32_t> domain_names;
  // Further domains whose ranges are scopes, like those of the default one; "all" is all.
  std::vector<std::string> scope_domains;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> categories;  // (domain, category): name
  std::unordered_map<uint32_t, std::string> thread_names;
  std::unordered_set<uint32_t> threads_with_ranges;
  std::unordered_map<uint32_t, std::string> call_names;  // domain << 24 | callback
  std::unordered_map<uint32_t, LaneRecord> lanes;
  std::unordered_map<uint32_t, KernelShapeRecord> shapes;
  std::map<uint32_t, DeviceRecord> devices;
  // Python calls; frames of one line have one ID here, whichever of its instructions they are at.
  std::unordered_map<uint32_t, FrameRecord> frames;
  std::unordered_map<uint32_t, std::vector<uint32_t>> stacks;  // frames, the innermost first
  std::vector<PythonSample> samples;                           // by time
  uint32_t sampled_thread = 0;
  std::multimap<std::string, std::string> facts;
  std::map<uint32_t, uint64_t> dropped;  // by DropReason
  std::unordered_map<uint32_t, WaitRecord>
      waits;  // of calls, by correlation ID; the first kMostWaits
  std::map<RecordKind, uint64_t> counts;
  std::map<uint32_t, std::vector<MemoryLevel>> memory;  // by device and then by time
  std::vector<ClockRecord> clocks;                      // the first and the last
  std::vector<StepSpan> steps;                          // by start
  bool steps_are_windows = false;
  bool step_numbers_differ = true;  // no two are equal, and none is negative
  // Times in which records were taken, by ID and then by start, in which those are one that follow
  // each other without a pause. Without has_windows it is all of the time.
  std::map<uint32_t, WindowRecord> window_records;
  std::vector<WindowRecord> windows;
  bool has_windows = false;
  bool is_cut = false;  // older events were dropped (--ring), or are left out (--last)
  uint64_t kept_from = 0;
  uint64_t first_time = 0;  // the earliest of all; 0: there are no events
  uint64_t last_time = 0;
  bool has_end = false;
  SpoolDamage damage;

  // Keeps what is known of the process.
  void ForgetTables();
  // An empty name if there is none.
  const NameFacts& Name(uint32_t id) const;
  std::string_view DomainName(uint32_t domain) const;
  // Whether the window follows another one without a pause.
  bool ContinuesWindow(uint32_t id) const;
  // What is held after an allocation or release of that time.
  MemoryLevel MemoryAt(uint32_t device, uint64_t time) const;
  // The latest window that began by then, while window_records are read; null: none.
  const WindowRecord* WindowAt(uint64_t time) const;
  // Whether a record of that time is kept.
  bool IsInWindow(uint64_t time) const;
  // When what was open at an instant was over for the recorder.
  uint64_t EndOfWindow(uint64_t time) const;
  // The first value of a fact; empty: there is none.
  std::string_view Fact(const std::string& key) const;
};

// Allocators and programs use other memory as well: that of the host.
inline bool IsDeviceMemory(uint8_t kind) { return kind >= 3 && kind <= 7; }

}  // namespace tfprof::capture
