// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/input_ops.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analysis/chosen_events.h"
#include "analysis/intervals/nesting.h"
#include "analysis/place.h"
#include "core/base/arith.h"
#include "core/base/parallel.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

constexpr std::string_view kReaders[] = {"::TFRecord", "::TextLine", "::FixedLengthRecord",
                                         "::SSTable",  "::RecordIO", "::ArrayRecord"};
constexpr std::string_view kReadAhead[] = {"::MemoryReader", "::MemoryWriter", "::Interleave",
                                           "::Prefetch", "::ParallelMap"};

enum class LabelKind : uint8_t { other, op, input };

struct InputLabel {
  LabelKind kind = LabelKind::other;
  InputKind of_input = InputKind::preprocessing;
  bool is_infeed = false;
  std::string_view name;
};

InputKind KindOfDataset(std::string_view name) {
  const bool reads = std::any_of(std::begin(kReaders), std::end(kReaders),
                                 [&](std::string_view end) { return name.ends_with(end); });
  if (!reads) return InputKind::preprocessing;
  const bool ahead =
      std::any_of(std::begin(kReadAhead), std::end(kReadAhead),
                  [&](std::string_view part) { return name.find(part) != name.npos; });
  return ahead ? InputKind::advanced_read : InputKind::demanded_read;
}

InputLabel FactsOf(std::string_view text) {
  InputLabel facts;
  const OpName op = ParseOpName(text);
  if (!op) return facts;
  // Threads name the launch of a copy "MemcpyH2D": it is not a copy.
  const bool copies_in =
      op.family == OpFamily::copy && CopyKindOf(text) == CopyKind::host_to_device;
  facts.name = op.name;
  facts.kind = LabelKind::op;
  facts.is_infeed = IsInfeed(op);
  if (facts.is_infeed || copies_in) {
    facts.kind = LabelKind::input;
    facts.of_input = InputKind::enqueue;
  } else if (op.family == OpFamily::dataset) {
    facts.kind = LabelKind::input;
    facts.of_input = KindOfDataset(op.name);
  }
  return facts;
}

std::vector<InputLabel> FactsOfLabels(const Store& store, const Process& process) {
  std::vector<InputLabel> facts;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    facts.push_back(FactsOf(store.Text(store.labels[process.labels.first + i].name)));
  }
  return facts;
}

// Sums over one thread.
struct LaneSums {
  std::unordered_map<uint32_t, InputOp> by_label;
  int64_t infeed_ps = 0;  // of all infeeds but the last
  int64_t infeed_gaps_ps = 0;
  bool keeps_durations = false;
  std::vector<RowDuration> durations = {};  // of single calls, by label
};

void AddInfeed(const Events& events, uint32_t row, uint32_t* last, LaneSums* sums) {
  if (*last != kNoRow) {
    sums->infeed_ps = SaturatingAdd(sums->infeed_ps, events.duration_ps[*last]);
    const int64_t gap_ps = SaturatingAdd(events.start_ps[row], -events.start_ps[*last]);
    sums->infeed_gaps_ps = SaturatingAdd(sums->infeed_gaps_ps, gap_ps);
  }
  *last = row;
}

void SumLane(const Store& store, const ChosenEvents& chosen, const Lane& lane,
             const std::vector<InputLabel>& facts, uint32_t first_label, LaneSums* sums) {
  const Events& events = store.events;
  const std::span<const LabelId> labels = events.label.Rows(lane.rows.first, lane.rows.count);
  const bool has_input = std::any_of(labels.begin(), labels.end(), [&](LabelId label) {
    return facts[label.value - first_label].kind == LabelKind::input;
  });
  if (!has_input) return;
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  // The innermost operation that is the event or encloses it.
  std::vector<uint32_t> inside(nesting.parent.size(), kNoRow);
  uint32_t last_infeed = kNoRow;
  for (const uint32_t row : nesting.order) {
    const uint32_t parent = nesting.ParentOf(row);
    const uint32_t around = parent == kNoRow ? kNoRow : inside[parent - nesting.first];
    const uint32_t label = events.label[row].value;
    const InputLabel& fact = facts[label - first_label];
    inside[row - nesting.first] = fact.kind == LabelKind::other ? around : row;
    if (fact.kind == LabelKind::other) continue;
    const int64_t duration_ps = events.duration_ps[row];
    if (around != kNoRow && chosen.Takes(around)) {
      const auto outer = sums->by_label.find(events.label[around].value);
      if (outer != sums->by_label.end()) {
        outer->second.self_ps = SaturatingAdd(outer->second.self_ps, -duration_ps);
      }
    }
    if (fact.kind != LabelKind::input || !chosen.Takes(row)) continue;
    InputOp& op = sums->by_label[label];
    ++op.count;
    op.total_ps = SaturatingAdd(op.total_ps, duration_ps);
    op.self_ps = SaturatingAdd(op.self_ps, duration_ps);
    if (sums->keeps_durations) sums->durations.push_back({label, duration_ps});
    if (fact.is_infeed) AddInfeed(events, row, &last_infeed, sums);
  }
}

struct InputTask {
  const Lane* lane;
  const std::vector<InputLabel>* facts;
  uint32_t first_label;
};

using NumberOfOp = std::unordered_map<std::string_view, size_t>;  // by name

void TakeDurations(const std::vector<InputTask>& tasks, const std::vector<LaneSums>& lanes,
                   const NumberOfOp& number, InputOps* out) {
  for (size_t i = 0; i < tasks.size(); ++i) {
    for (const RowDuration& one : lanes[i].durations) {
      const InputLabel& fact = (*tasks[i].facts)[one.row - tasks[i].first_label];
      out->durations.push_back({static_cast<uint32_t>(number.find(fact.name)->second), one.ps});
    }
  }
}

// Names occur in several planes and labels; an operation is one name.
InputOps Combine(const std::vector<InputTask>& tasks, const std::vector<LaneSums>& lanes) {
  InputOps out;
  NumberOfOp known;
  int64_t infeed_ps = 0, gaps_ps = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    infeed_ps = SaturatingAdd(infeed_ps, lanes[i].infeed_ps);
    gaps_ps = SaturatingAdd(gaps_ps, lanes[i].infeed_gaps_ps);
    for (const auto& [label, sums] : lanes[i].by_label) {
      const InputLabel& fact = (*tasks[i].facts)[label - tasks[i].first_label];
      const auto [found, is_new] = known.try_emplace(fact.name, out.ops.size());
      if (is_new) out.ops.push_back({fact.name, fact.of_input});
      InputOp& op = out.ops[found->second];
      op.count += sums.count;
      op.total_ps = SaturatingAdd(op.total_ps, sums.total_ps);
      op.self_ps = SaturatingAdd(op.self_ps, sums.self_ps);
    }
  }
  out.infeed_ratio =
      gaps_ps > 0 ? static_cast<double>(infeed_ps) / static_cast<double>(gaps_ps) : kNoReal;
  TakeDurations(tasks, lanes, known, &out);
  std::sort(out.ops.begin(), out.ops.end(), [](const InputOp& a, const InputOp& b) {
    return a.self_ps != b.self_ps ? a.self_ps > b.self_ps : a.name < b.name;
  });
  out.durations = DurationsOfRows(out.durations, out.ops,
                                  [&](const InputOp& op) { return known.find(op.name)->second; });
  return out;
}

}  // namespace

std::string_view NameOf(InputKind kind) {
  constexpr std::string_view kNames[kInputKinds] = {"Enqueue", "Demanded file read",
                                                    "Advanced file read", "Preprocessing"};
  return kNames[static_cast<size_t>(kind)];
}

Result<InputOps> FindInputOps(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                              Context& context, bool durations) {
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  const PlaceFilter hosts = place.OfHosts();  // -device selects devices: the host feeds all of them
  std::vector<std::vector<InputLabel>> facts(store.processes.size());
  std::vector<InputTask> tasks;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::host || !MatchesPlace(store, process, hosts)) continue;
    facts[i] = FactsOfLabels(store, process);
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      const Lane& lane = store.lanes[process.lanes.first + k];
      tasks.push_back({&lane, &facts[i], process.labels.first});
    }
  }
  std::vector<LaneSums> lanes(tasks.size());
  for (LaneSums& lane : lanes) lane.keeps_durations = durations;
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  TFPROF_TRY(ForEachTask(tasks.size(), threads, context, [&](size_t i) {
    SumLane(store, chosen, *tasks[i].lane, *tasks[i].facts, tasks[i].first_label, &lanes[i]);
  }));
  return Combine(tasks, lanes);
}

bool HasInputOps(const Store& store, const PlaceFilter& place) {
  const PlaceFilter hosts = place.OfHosts();
  return std::any_of(store.processes.begin(), store.processes.end(), [&](const Process& process) {
    if (process.kind != ProcessKind::host || !MatchesPlace(store, process, hosts)) return false;
    const std::span<const Label> labels =
        std::span(store.labels).subspan(process.labels.first, process.labels.count);
    return std::any_of(labels.begin(), labels.end(), [&](const Label& label) {
      return label.role == EventRole::input_fetch ||
             FactsOf(store.Text(label.name)).kind == LabelKind::input;
    });
  });
}

const InputOp* InputOps::Costliest() const {
  const InputOp* costliest = nullptr;
  for (const InputOp& op : ops) {
    if (op.kind == InputKind::enqueue) continue;
    if (costliest == nullptr || op.OwnPs() > costliest->OwnPs()) costliest = &op;
  }
  return costliest;
}

InputTimes DistributeInputTime(const InputOps& ops, double ratio) {
  std::array<double, kInputKinds> self_us{};
  double all_us = 0;
  for (const InputOp& op : ops.ops) {
    const double us = static_cast<double>(op.self_ps) / kPsPerUs;
    self_us[static_cast<size_t>(op.kind)] += us;
    all_us += us;
  }
  const double enqueue_us = self_us[static_cast<size_t>(InputKind::enqueue)];
  const double r = std::isnan(ratio) ? 0 : std::min(1.0, ratio);
  const double outside_us = r > 0 ? enqueue_us * (1 - r) / r : all_us;
  InputTimes times;
  times.us[0] = enqueue_us;
  times.unclassified_us = outside_us;
  for (size_t kind = 1; kind < kInputKinds; ++kind) {
    times.us[kind] = all_us > 0 ? outside_us * self_us[kind] / all_us : 0;
    times.unclassified_us -= times.us[kind];
  }
  times.unclassified_us = std::max(0.0, times.unclassified_us);
  return times;
}

}  // namespace tfprof
