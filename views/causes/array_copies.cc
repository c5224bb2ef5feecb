// SPDX-License-Identifier: Apache-2.0
#include "views/causes/array_copies.h"

#include <algorithm>
#include <map>
#include <string>

#include "analysis/intervals/nesting.h"
#include "analysis/links/launch_ops.h"
#include "analysis/wall/python_names.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

// Copies for one reason: a role of operations, array_layout or array_type.
struct CopiesFor {
  int64_t ps = 0;
  std::map<std::string, int64_t> ops, functions;
};

class CopyReader {
 public:
  CopyReader(const Store& store, const HostWall& wall, const LaunchOps& launches)
      : store_(store), wall_(wall), launches_(launches) {}

  // Adds the work of a device within the window of the wall time.
  void AddDevice(const Process& device) {
    for (const Lane& lane : store_.LanesOf(device)) {
      if (lane.measures != Measures::accelerator_time) continue;
      for (const uint32_t row : lane.PlacedRows()) {
        if (MayCopy(LabelOf(row))) AddWork(row);
      }
    }
  }

  const CopiesFor& layout() const { return layout_; }
  const CopiesFor& type() const { return type_; }

 private:
  const Label& LabelOf(uint32_t row) const { return store_.labels[store_.events.label[row].value]; }

  // True for kernels, and copies within a device.
  static bool MayCopy(const Label& label) {
    return label.role == EventRole::none || label.role == EventRole::copy_on_device;
  }

  void AddWork(uint32_t row) {
    const Interval& window = wall_.steps.window;
    const int64_t start_ps = std::max(store_.events.start_ps[row], window.start_ps);
    const int64_t end_ps = std::min(store_.events.EndPs(row), window.end_ps);
    const uint32_t op = end_ps <= start_ps ? kNoRow : launches_.Around(row);
    if (op == kNoRow || LabelOf(op).role != EventRole::array_copy) return;
    const LaneNesting& nesting = NestingOf(LaneOf(store_, EventId(op)));
    uint32_t reason = kNoRow;  // the outermost operation of the innermost kind
    for (uint32_t above = nesting.ParentOf(op);
         above != kNoRow && LabelOf(above).of == EventClass::op; above = nesting.ParentOf(above)) {
      const EventRole role = LabelOf(above).role;
      if (role != EventRole::array_layout && role != EventRole::array_type) continue;
      if (reason == kNoRow || LabelOf(reason).role == role) reason = above;
    }
    if (reason == kNoRow) return;
    CopiesFor& copies = LabelOf(reason).role == EventRole::array_type ? type_ : layout_;
    const int64_t ps = SpanOf(start_ps, end_ps);
    copies.ps = SaturatingAdd(copies.ps, ps);
    copies.ops[std::string(store_.Text(LabelOf(reason).name))] += ps;
    const uint32_t launch = LaunchOf(*launches_.links, row).value;  // functions may be within `op`
    const uint32_t caller = ProgramFunctionAround(store_, nesting, launch);
    if (caller != kNoRow) copies.functions[DisplayText(PythonNameOfEvent(store_, caller))] += ps;
  }

  const LaneNesting& NestingOf(LaneId lane) {
    const auto [at, is_new] = nestings_.try_emplace(lane.value);
    if (is_new) NestEvents(store_, store_.lanes[lane.value], &at->second);
    return at->second;
  }

  const Store& store_;
  const HostWall& wall_;
  const LaunchOps& launches_;
  std::map<uint32_t, LaneNesting> nestings_;  // by lane that launches
  CopiesFor layout_, type_;
};

void AddCopies(const StepFacts& facts, const HostWall& wall, const CopiesFor& copies, bool of_type,
               std::vector<Finding>* findings) {
  const int64_t ps = copies.ps / static_cast<int64_t>(wall.devices.size());
  if (wall.Percent(ps) < kMuchOfWall) return;
  Finding finding = DescribeCause(facts, FindingId::array_copies, wall, ps);
  const std::vector<NamedAmount> functions = LargestFirst(copies.functions);
  finding.values.push_back(When("layout", !of_type));
  finding.values.push_back(When("type", of_type));
  finding.values.push_back(Text("ops", LargestNames(LargestFirst(copies.ops), 2)));
  finding.values.push_back(TextIfAny("function", functions.empty() ? "" : functions[0].name));
  findings->push_back(std::move(finding));
}

}  // namespace

Result<void> AddArrayCopies(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                            std::vector<Finding>* findings) {
  const Store& store = facts.trace;
  const bool any = std::ranges::any_of(
      store.labels, [](const Label& label) { return label.role == EventRole::array_copy; });
  if (!any) return {};
  TFPROF_ASSIGN(const auto launches, facts.indexes.Get<LaunchOps>(facts.context));
  for (const HostWall* wall : walls) {
    if (!wall->has_devices) continue;
    CopyReader reader(store, *wall, *launches);
    for (const WallDevice& of : wall->devices) {
      TFPROF_TRY(Poll(facts.context));
      reader.AddDevice(store.processes[of.process.value]);
    }
    const size_t before = findings->size();
    AddCopies(facts, *wall, reader.layout(), false, findings);
    AddCopies(facts, *wall, reader.type(), true, findings);
    if (findings->size() > before) return {};
  }
  return {};
}

}  // namespace tfprof
