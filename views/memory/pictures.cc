// SPDX-License-Identifier: Apache-2.0
#include "views/memory/pictures.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr size_t kCurves = 3;
constexpr size_t kParts = 60;
constexpr size_t kLongestName = 40;

// Titles are plain ASCII, and short.
std::string TitleOf(std::string_view allocator) {
  std::string title = "in use of ";
  if (allocator.size() > kLongestName) {
    title += "...";
    allocator.remove_prefix(allocator.size() - kLongestName);
  }
  for (const char c : allocator) title += c >= ' ' && c <= '~' ? c : '?';
  return title;
}

// Returns the index of the part of [first, last] that contains a time.
size_t PartOf(int64_t time_ps, int64_t first_ps, int64_t last_ps) {
  const double span = static_cast<double>(last_ps) - static_cast<double>(first_ps);
  if (span <= 0) return 0;
  const double share = (static_cast<double>(time_ps) - static_cast<double>(first_ps)) / span;
  return std::min(kParts - 1, static_cast<size_t>(share * static_cast<double>(kParts)));
}

// The bytes in use stay constant until the next event.
std::vector<int64_t> MostByPart(const std::vector<const MemoryEvent*>& events) {
  std::vector<int64_t> most(kParts, kNoInt);
  size_t part = 0;
  int64_t now = kNoInt;
  for (const MemoryEvent* event : events) {
    const size_t at = PartOf(event->time_ps, events.front()->time_ps, events.back()->time_ps);
    while (part < at) most[++part] = now;
    if (event->InUseBytes() == kNoInt) continue;
    now = std::max(int64_t{0}, event->InUseBytes());
    most[at] = std::max(most[at], now);
  }
  while (part + 1 < kParts) most[++part] = now;
  return most;
}

}  // namespace

std::vector<Picture> CurvesInUse(const MemoryCells& tables) {
  std::vector<const ShownAllocator*> shown;
  for (const ShownAllocator& allocator : tables.shown) {
    if (allocator.peak != kNoMemoryEvent) shown.push_back(&allocator);
  }
  const auto peak = [&](const ShownAllocator* s) {
    return tables.memory.events[s->peak].InUseBytes();
  };
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const auto* a, const auto* b) { return peak(a) > peak(b); });
  shown.resize(std::min(kCurves, shown.size()));
  std::vector<Picture> curves;
  for (const ShownAllocator* allocator : shown) {
    Picture curve;
    curve.kind = Picture::Kind::curve;
    curve.title = TitleOf(tables.Text(allocator->allocator->name));
    curve.unit = Unit::bytes;
    curve.parts = {"in use"};
    curve.values = MostByPart(allocator->events);
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace tfprof
