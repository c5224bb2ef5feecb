// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/further_names.h"

#include <algorithm>

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

// Names of operations by the regions around launches: few texts, many rows.
class NamesOfAnnotations {
 public:
  NamesOfAnnotations(const DetailColumn& annotation, Names* names)
      : annotation_(annotation), names_(*names), known_(annotation.texts.size()) {}

  // Returns none if the regions name no operation.
  NameId Of(uint32_t row) {
    if (annotation_.rows.count == 0) return {};
    const NameId text = annotation_.TextId(row);
    if (!text.some()) return {};
    NameId& name = known_[text.value];
    if (!name.some()) name = names_.Intern(OpOfAnnotation(annotation_.texts[text]));
    return name.value == 0 ? NameId() : name;
  }

 private:
  const DetailColumn& annotation_;
  Names& names_;
  std::vector<NameId> known_;  // by text; 0: the text names no operation
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
                          const std::vector<uint32_t>& rows, FurtherNames* further,
                          Context& context) {
  TFPROF_ASSIGN(const auto launches, indexes.Get<LaunchOps>(context));
  for (const uint32_t row : rows) {
    const uint32_t op = launches->Around(row);
    if (op == kNoRow) continue;
    const Label& label = store.labels[store.events.label[op].value];
    const NameId name = further->names.Intern(store.Text(label.name));
    further->of_name.resize(further->names.size());
    further->of_name[name.value] = label.of;
    further->of_row.emplace_back(row, name);
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
  TFPROF_ASSIGN(const auto annotation, indexes.Details(device, AttributeKey::annotation, context));
  IndexPtr<DetailColumn> work;
  if (sources == OpSources::all) {
    TFPROF_ASSIGN(work, indexes.Details(device, AttributeKey::work, context));
  }
  const auto is_kernel = [&](uint32_t row) {
    return work->rows.count > 0 && work->Integer(row) == static_cast<int64_t>(WorkKind::kernel);
  };
  const FrameworkLanes framework(store, process);
  FurtherNames further;
  NamesOfAnnotations annotated(*annotation, &further.names);
  std::erase_if(rows, [&](uint32_t row) {
    NameId name = annotated.Of(row);
    if (!name.some() && work != nullptr && is_kernel(row) &&
        store.events.start_ps[row] != kNoTime) {
      const std::string around = framework.Around(row);
      if (!around.empty()) name = further.names.Intern(around);
    }
    if (name.some()) further.of_row.emplace_back(row, name);
    return name.some();
  });
  if (!rows.empty() && sources == OpSources::all) {
    TFPROF_TRY(NameByLaunch(store, indexes, rows, &further, context));
  }
  further.of_name.resize(further.names.size());
  return further;
}

}  // namespace tfprof
