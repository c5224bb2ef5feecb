// SPDX-License-Identifier: Apache-2.0
#include "capture/model/definitions.h"

#include <algorithm>
#include <iterator>

namespace tfprof::capture {

void Definitions::ForgetTables() {
  names = {};
  thread_names = {};
  shapes = {};
  frames = {};
  stacks = {};
}

const NameFacts& Definitions::Name(uint32_t id) const {
  static const NameFacts kNone;
  const auto found = names.find(id);
  return found != names.end() ? found->second : kNone;
}

std::string_view Definitions::DomainName(uint32_t domain) const {
  const auto found = domain_names.find(domain);
  return found != domain_names.end() ? std::string_view(Name(found->second).base)
                                     : std::string_view();
}

std::string_view Definitions::Fact(const std::string& key) const {
  const auto found = facts.lower_bound(key);
  return found != facts.end() && found->first == key ? std::string_view(found->second)
                                                     : std::string_view();
}

bool Definitions::ContinuesWindow(uint32_t id) const {
  const auto found = window_records.find(id);
  return found != window_records.end() && found->second.cause == WindowCause::ring;
}

MemoryLevel Definitions::MemoryAt(uint32_t device, uint64_t time) const {
  const auto found = memory.find(device);
  if (found == memory.end()) return {};
  const auto after =
      std::upper_bound(found->second.begin(), found->second.end(), time,
                       [](uint64_t t, const MemoryLevel& level) { return t < level.time; });
  return after == found->second.begin() ? MemoryLevel() : *std::prev(after);
}

const WindowRecord* Definitions::WindowAt(uint64_t time) const {
  for (auto at = window_records.rbegin(); at != window_records.rend(); ++at) {
    if (at->second.start <= time) return &at->second;
  }
  return nullptr;
}

bool Definitions::IsInWindow(uint64_t time) const {
  const auto after =
      std::upper_bound(windows.begin(), windows.end(), time,
                       [](uint64_t t, const WindowRecord& window) { return t < window.start; });
  if (is_cut && time < kept_from) return false;
  return !has_windows || (after != windows.begin() && time <= std::prev(after)->end);
}

uint64_t Definitions::EndOfWindow(uint64_t time) const {
  const auto after =
      std::upper_bound(windows.begin(), windows.end(), time,
                       [](uint64_t t, const WindowRecord& window) { return t < window.start; });
  return after == windows.begin() ? last_time : std::max(time, std::prev(after)->end);
}

}  // namespace tfprof::capture
