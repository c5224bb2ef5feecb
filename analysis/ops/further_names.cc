// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/further_names.h"

#include <algorithm>
#include <map>

#include "analysis/links/launch_ops.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// The events of the derived lanes that lie around the kernels of framework operations.
class FrameworkLanes {
 public:
  FrameworkLanes(const Store& store, const Process& process) : store_(store) {
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const Lane& lane = store.lanes[process.lanes.first + i];
      if (lane.role == LaneRole::framework_ops) lanes_.push_back(&lane);
    }
  }
  // Returns the operation around the event, NAME:TYPE; empty: there is none.
  std::string Around(uint32_t row) const {
    const Events& events = store_.events;
    for (const Lane* lane : lanes_) {
      const uint32_t first = lane->rows.first + lane->unplaced;
      const int64_t* const begin = events.start_ps.data() + first;
      const int64_t* const end = events.start_ps.data() + lane->rows.first + lane->rows.count;
      const int64_t* const after = std::upper_bound(begin, end, events.start_ps[row]);
      if (after == begin) continue;
      const auto around = static_cast<uint32_t>(first + (after - 1 - begin));
      if (EndOf(around) >= EndOf(row)) return NameOf(store_.labels[events.label[around].value]);
    }
    return {};
  }

 private:
  int64_t EndOf(uint32_t row) const { return store_.events.EndPs(row); }
  // The recorder displays the type of "a/b:Relu".
  std::string NameOf(const Label& label) const {
    const std::string_view name = store_.Text(label.name);
    const size_t colon = std::min(name.find(':'), name.size());
    const std::string_view type = name.substr(std::min(colon + 1, name.size()));
    const std::string_view shown = label.display.some() ? store_.Text(label.display) : "";
    return std::string(name.substr(0, colon)) + ":" + std::string(shown.empty() ? type : shown);
  }

  const Store& store_;
  std::vector<const Lane*> lanes_;
};

// Gives names to rows.
class NamedRows {
 public:
  void Name(uint32_t row, std::string name) {
    const auto [known, is_new] =
        numbers_.try_emplace(std::move(name), static_cast<uint32_t>(found_.names.size()));
    if (is_new) found_.names.push_back(known->first);
    found_.of_row.emplace_back(row, known->second);
  }
  FurtherNames Finish() { return std::move(found_); }

 private:
  FurtherNames found_;
  std::map<std::string, uint32_t> numbers_;
};

std::vector<uint32_t> RowsWithoutName(const Store& store, const Process& process,
                                      const std::function<bool(uint32_t)>& lacks_name) {
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const Lane& lane = store.lanes[process.lanes.first + i];
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t k = 0; k < lane.rows.count; ++k) {
      if (lacks_name(lane.rows.first + k)) rows.push_back(lane.rows.first + k);
    }
  }
  return rows;
}

Result<void> NameByLaunch(const Store& store, const Indexes& indexes,
                          const std::vector<uint32_t>& rows, NamedRows* named, Context& context) {
  TFPROF_ASSIGN(const auto launches, indexes.Get<LaunchOps>(context));
  for (const uint32_t row : rows) {
    const uint32_t op = launches->Around(row);
    if (op == kNoRow) continue;
    named->Name(row, std::string(store.Text(store.labels[store.events.label[op].value].name)));
  }
  return {};
}

}  // namespace

std::string_view OpOfAnnotation(std::string_view annotation) {
  std::string_view found;
  while (!annotation.empty()) {
    const size_t end = std::min(annotation.find("::"), annotation.size());
    const std::string_view region = annotation.substr(0, end);
    const std::string_view name = region.substr(0, region.find('#'));
    if (ParseOpName(name) && !name.ends_with(':')) found = name;
    annotation.remove_prefix(std::min(end + 2, annotation.size()));
  }
  return found;
}

Result<FurtherNames> FindFurtherNames(const Store& store, const Indexes& indexes, ProcessId device,
                                      OpSources sources,
                                      const std::function<bool(uint32_t row)>& lacks_name,
                                      Context& context) {
  const Process& process = store.processes[device.value];
  std::vector<uint32_t> rows = RowsWithoutName(store, process, lacks_name);
  if (rows.empty()) return FurtherNames();
  TFPROF_TRY(Poll(context));
  constexpr DetailKey kKeys[] = {AttributeKey::annotation, AttributeKey::work};
  TFPROF_ASSIGN(const auto columns, indexes.Details(device, kKeys, context));
  const DetailColumn &annotation = *columns[0], &work = *columns[1];
  const FrameworkLanes framework(store, process);
  NamedRows named;
  std::erase_if(rows, [&](uint32_t row) {
    const std::string_view regions =
        annotation.rows.count == 0 ? std::string_view() : annotation.Text(row);
    std::string name(OpOfAnnotation(regions));
    const bool is_kernel =
        work.rows.count > 0 && work.Integer(row) == static_cast<int64_t>(WorkKind::kernel);
    const bool may_lie_within = is_kernel && sources == OpSources::all;
    if (name.empty() && may_lie_within && store.events.start_ps[row] != kNoTime) {
      name = framework.Around(row);
    }
    if (name.empty()) return false;
    named.Name(row, std::move(name));
    return true;
  });
  if (!rows.empty() && sources == OpSources::all) {
    TFPROF_TRY(NameByLaunch(store, indexes, rows, &named, context));
  }
  return named.Finish();
}

}  // namespace tfprof
