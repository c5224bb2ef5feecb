// SPDX-License-Identifier: Apache-2.0
// The base of a flame graph of changes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/context.h"
#include "core/text/units.h"
#include "emitters/emitter.h"
#include "emitters/flame/frames.h"

namespace tfprof {
namespace {

constexpr uint32_t kNoFrame = Table::kNoRow;

// By frame: the index of the frame above it.
std::vector<uint32_t> ParentsOf(const Flame& flame) {
  std::vector<uint32_t> parents, path;
  for (uint32_t i = 0; i < flame.frames.size(); ++i) {
    path.resize(flame.frames[i].depth);
    parents.push_back(path.empty() ? kNoFrame : path.back());
    path.push_back(i);
  }
  return parents;
}

std::string KeyOf(uint32_t parent, const std::string& name, int order) {
  return std::to_string(parent) + ' ' + std::to_string(order) + ' ' + name;
}

// Frames by their parent, their name, and their order among siblings of that name.
class Siblings {
 public:
  std::string KeyOfNext(uint32_t parent, const std::string& name) {
    return KeyOf(parent, name, seen_[KeyOf(parent, name, 0)]++);
  }

 private:
  std::unordered_map<std::string, int> seen_;
};

// By frame of `now`: that of `base`, or kNoFrame.
Result<std::vector<uint32_t>> Paired(const Report& report, const Flame& now, const Flame& base,
                                     Context& context) {
  std::unordered_map<std::string, uint32_t> of_key;
  const std::vector<uint32_t> base_parents = ParentsOf(base), parents = ParentsOf(now);
  Siblings of_base, of_now;
  for (uint32_t i = 0; i < base.frames.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const std::string name = FrameName(*report.base, base.frames[i]);
    of_key.emplace(of_base.KeyOfNext(base_parents[i], name), i);
  }
  std::vector<uint32_t> paired(now.frames.size(), kNoFrame);
  for (uint32_t i = 0; i < now.frames.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const uint32_t above = i == 0 ? kNoFrame : paired[parents[i]];
    if (i > 0 && above == kNoFrame) continue;
    const auto at = of_key.find(of_now.KeyOfNext(above, FrameName(report, now.frames[i])));
    if (at != of_key.end()) paired[i] = at->second;
  }
  return paired;
}

// The path of a frame, without the frame of the whole.
std::string PathTo(const Report& report, const Flame& flame, const std::vector<uint32_t>& parents,
                   uint32_t frame) {
  std::vector<uint32_t> path;
  for (uint32_t i = frame; flame.frames[i].depth > 0; i = parents[i]) path.push_back(i);
  std::string text;
  for (size_t i = path.size(); i-- > 0;) {
    if (!text.empty()) text += ';';
    AppendFoldedLabel(report, flame.frames[path[i]], &text);
  }
  return text;
}

void AddGone(const Report& base_report, const Flame& base, const std::vector<bool>& is_paired,
             double scale, Flame* flame) {
  const std::vector<uint32_t> parents = ParentsOf(base);
  for (uint32_t i = 0; i < base.frames.size(); ++i) {
    if (is_paired[i] || base.frames[i].self == 0) continue;
    flame->gone.push_back(
        {PathTo(base_report, base, parents, i), scale * static_cast<double>(base.frames[i].self)});
  }
}

}  // namespace

Result<void> AddBase(const Report& report, Flame* flame, Context& context) {
  TFPROF_ASSIGN(const Flame base, FlameOf(*report.base, context));
  if (base.measure != flame->measure) {
    return UsageError(fmt::format("the base has no {}", flame->title),
                      "-select a measure that both profiles have");
  }
  const bool is_time = IsTime(flame->measure);
  const auto per_us = [&](const Report& of) {
    return static_cast<double>(is_time ? of.scale.TimesPerUs() : 1);
  };
  const double scale = report.base_factor * static_cast<double>(flame->divisor) /
                       static_cast<double>(base.divisor) * per_us(report) / per_us(*report.base);
  TFPROF_ASSIGN(const std::vector<uint32_t> paired, Paired(report, *flame, base, context));
  std::vector<bool> is_paired(base.frames.size());
  for (uint32_t i = 0; i < paired.size(); ++i) {
    if (paired[i] == kNoFrame) continue;
    const FlameFrame& same = base.frames[paired[i]];
    is_paired[paired[i]] = true;
    flame->frames[i].base_total = scale * static_cast<double>(same.total);
    flame->frames[i].base_self = scale * static_cast<double>(same.self);
  }
  AddGone(*report.base, base, is_paired, scale, flame);
  flame->has_base = true;
  return {};
}

double ChangeOf(const FlameFrame& frame) {
  const auto now = static_cast<double>(frame.total);
  const double more = std::max(now, frame.base_total);
  return more > 0 ? std::clamp(2 * (now - frame.base_total) / more, -1.0, 1.0) : 0;
}

std::string ChangeText(const Flame& flame, const FlameFrame& frame) {
  const double change = static_cast<double>(frame.total) - frame.base_total;
  std::string text = change > 0 ? "+" : "";
  text += FlameAmount(flame, std::llround(change));
  if (frame.base_total > 0)
    text += fmt::format(", {:+.1f}%", RoundedPercent(100 * change / frame.base_total));
  return text;
}

}  // namespace tfprof
