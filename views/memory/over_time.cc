// SPDX-License-Identifier: Apache-2.0
#include "views/memory/over_time.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/intervals/interval.h"
#include "core/base/arith.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kOverTimeColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("allocator", "allocator", "Name of the allocator, or the number of its device."),
    TimeDef("start_us", "start", "Start of the interval, from time 0 of the profile."),
    TimeDef("duration_us", "duration", "Length of the interval.").ForMachines(),
    BytesDef("in_use_bytes", "in use", "Most that was in use: heap and reserved bytes."),
    BytesDef("reserved_bytes", "reserved", "Reserved for stacks then, outside of the heap."),
    BytesDef("heap_bytes", "heap", "Allocated on the heap then."),
    BytesDef("free_bytes", "free", "Free then."),
    ShareDef("fragmentation_pct", "fragmentation",
             "Share of the free memory that lies outside the largest free block then."),
    BooleanDef("is_peak", "peak", "The interval contains the peak of the allocator."),
};

constexpr size_t kCurves = 3;
constexpr size_t kParts = 60;
constexpr size_t kLongestName = 40;

using EventList = std::vector<const MemoryEvent*>;

// Returns the index of the part of [first, last] that contains a time.
size_t PartOf(int64_t time_ps, int64_t first_ps, int64_t last_ps) {
  const double span = static_cast<double>(last_ps) - static_cast<double>(first_ps);
  if (span <= 0) return 0;
  const double share = (static_cast<double>(time_ps) - static_cast<double>(first_ps)) / span;
  return std::min(kParts - 1, static_cast<size_t>(share * static_cast<double>(kParts)));
}

// The start of a part, from the first event on.
int64_t StartOf(size_t part, int64_t span_ps) {
  return static_cast<int64_t>(static_cast<double>(span_ps) * static_cast<double>(part) /
                              static_cast<double>(kParts));
}

// Returns by part the event after which most was in use. Memory stays in use until the next event,
// so a part begins with what the event before it left. Null: nothing was recorded until then.
EventList LargestByPart(const EventList& events) {
  EventList largest(kParts, nullptr);
  size_t part = 0;
  const MemoryEvent* now = nullptr;
  for (const MemoryEvent* event : events) {
    const size_t at = PartOf(event->time_ps, events.front()->time_ps, events.back()->time_ps);
    while (part < at) largest[++part] = now;
    if (event->InUseBytes() == kNoInt) continue;
    now = event;
    const MemoryEvent*& of_part = largest[at];
    // The last one of equal ones, as for the peak of the allocator.
    if (of_part == nullptr || event->InUseBytes() >= of_part->InUseBytes()) of_part = event;
  }
  while (part + 1 < kParts) largest[++part] = now;
  return largest;
}

struct Moment {
  const ShownAllocator* shown;
  int64_t start_ps;
  int64_t duration_ps;
  const MemoryEvent* event;
  bool is_peak;
};

std::vector<Moment> MomentsOf(const MemoryCells& tables) {
  std::vector<Moment> moments;
  for (const ShownAllocator& shown : tables.shown) {
    const int64_t first_ps = shown.events.front()->time_ps;
    const int64_t span_ps = SpanOf(first_ps, shown.events.back()->time_ps);
    const EventList largest = LargestByPart(shown.events);
    const MemoryEvent* peak =
        shown.peak == kNoMemoryEvent ? nullptr : &tables.memory.events[shown.peak];
    // All events at one time: one moment.
    for (size_t part = 0; part < (span_ps == 0 ? 1 : kParts); ++part) {
      const int64_t start_ps = StartOf(part, span_ps), end_ps = StartOf(part + 1, span_ps);
      moments.push_back(
          {&shown, SaturatingAdd(first_ps, start_ps), end_ps - start_ps, largest[part], false});
      if (peak == nullptr) continue;
      moments.back().is_peak =
          PartOf(peak->time_ps, first_ps, shown.events.back()->time_ps) == part;
    }
  }
  return moments;
}

// Titles are plain ASCII, and short.
std::string TitleOf(std::string_view what, std::string_view allocator) {
  std::string title(what);
  if (allocator.size() > kLongestName) {
    title += "...";
    allocator.remove_prefix(allocator.size() - kLongestName);
  }
  for (const char c : allocator) title += c >= ' ' && c <= '~' ? c : '?';
  return title;
}

template <class Value>
Chart CurveOf(const EventList& largest, std::string title, Unit unit, std::string part,
              const Value& value) {
  Chart curve;
  curve.kind = Chart::Kind::curve;
  curve.title = std::move(title);
  curve.unit = unit;
  curve.parts = {std::move(part)};
  for (const MemoryEvent* event : largest) {
    curve.values.push_back(event == nullptr ? kNoInt : value(*event));
  }
  return curve;
}

int64_t FragmentationPercent(const MemoryEvent& event) {
  if (!(event.fragmentation >= 0)) return kNoInt;
  return static_cast<int64_t>(std::min(1.0, event.fragmentation) * 100 + 0.5);
}

}  // namespace

constexpr TableDef kOverTimeTable{"over_time", "memory over time", kOverTimeColumns};

Table OverTimeTable(const MemoryCells& tables) {
  const std::vector<Moment> rows = MomentsOf(tables);
  Table table = MakeTable(kOverTimeTable, rows.size());
  Fill(table, "host", rows, [](const Moment& m) { return m.shown->host; }).spec.human_readable =
      tables.store.hosts.size() > 1;
  Fill(table, "allocator", rows,
       [&](const Moment& m) { return tables.Text(m.shown->allocator->name); });
  Fill(table, "start_us", rows,
       [&](const Moment& m) { return SpanOf(tables.first_ps, m.start_ps); });
  Fill(table, "duration_us", rows, [](const Moment& m) { return m.duration_ps; });
  const auto add = [&](std::string_view id, auto cell) {
    Fill(table, id, rows,
         [&](const Moment& m) { return m.event == nullptr ? kNoInt : cell(*m.event); });
  };
  add("in_use_bytes", [](const MemoryEvent& e) { return e.InUseBytes(); });
  add("reserved_bytes", [](const MemoryEvent& e) { return e.reserved_bytes; });
  add("heap_bytes", [](const MemoryEvent& e) { return e.heap_bytes; });
  add("free_bytes", [](const MemoryEvent& e) { return e.available_bytes; });
  Fill(table, "fragmentation_pct", rows,
       [](const Moment& m) { return m.event == nullptr ? kNoReal : m.event->fragmentation; });
  Fill(table, "is_peak", rows, [](const Moment& m) { return m.is_peak ? 1 : 0; });
  return table;
}

std::vector<Chart> MemoryCurves(const MemoryCells& tables) {
  std::vector<Chart> curves;
  size_t shown = 0;
  for (const ShownAllocator& allocator : tables.shown) {
    if (shown == kCurves) break;
    if (allocator.peak == kNoMemoryEvent) continue;
    ++shown;
    const std::string_view name = tables.Text(allocator.allocator->name);
    const EventList largest = LargestByPart(allocator.events);
    curves.push_back(
        CurveOf(largest, TitleOf("in use of ", name), Unit::bytes, "in use",
                [](const MemoryEvent& e) { return std::max(int64_t{0}, e.InUseBytes()); }));
    Chart fragmentation = CurveOf(largest, TitleOf("fragmentation of ", name), Unit::percent,
                                  "fragmentation", FragmentationPercent);
    const bool is_some = std::ranges::any_of(fragmentation.values, [](int64_t v) { return v > 0; });
    if (is_some) curves.push_back(std::move(fragmentation));
  }
  return curves;
}

}  // namespace tfprof
