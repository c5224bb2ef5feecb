// SPDX-License-Identifier: Apache-2.0
// PrecisionChecker: products of float32 matrices on GPUs with tensor cores that do not use them.
#include <algorithm>

#include "analysis/ops/kernels/tensor_cores.h"
#include "analysis/place.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

// CUDA compute capabilities.
constexpr int64_t kFirstWithTensorCores = 7;  // Volta
constexpr int64_t kFirstWithTf32 = 8;         // Ampere: tensor cores take TF32 and bfloat16

bool HasTensorCores(const Store& store, const HostWall& wall) {
  return wall.has_devices && std::ranges::all_of(wall.devices, [&](const WallDevice& of) {
           const DeviceId id = store.processes[of.process.value].device;
           if (!id.some()) return false;
           const Device& device = store.devices[id.value];
           const bool is_new = device.capability_major == kNoInt ||
                               device.capability_major >= kFirstWithTensorCores;
           return device.kind == DeviceKind::gpu &&
                  NamesShowTensorCores(store.Text(device.vendor)) && is_new;
         });
}

bool IsOlderThanTf32(const Store& store, const HostWall& wall) {
  return std::ranges::any_of(wall.devices, [&](const WallDevice& of) {
    const Device& device = store.devices[store.processes[of.process.value].device.value];
    return device.capability_major != kNoInt && device.capability_major < kFirstWithTf32;
  });
}

struct Products {
  int64_t all_ps = 0;      // of all kernels of the host
  int64_t float32_ps = 0;  // of products in float32 without tensor cores
};

std::vector<bool> Float32Labels(const Store& store, const Process& process) {
  std::vector<bool> is_float32;
  for (const Label& label : store.LabelsOf(process)) {
    is_float32.push_back(MultipliesFloat32(store.Text(label.name)));
  }
  return is_float32;
}

Result<Products> ProductsOn(const HostWall& wall, const StepFacts& facts) {
  const Store& store = facts.trace;
  std::vector<std::vector<bool>> labels;  // by device
  bool any = false;
  for (const WallDevice& of : wall.devices) {
    labels.push_back(Float32Labels(store, store.processes[of.process.value]));
    any |= std::ranges::find(labels.back(), true) != labels.back().end();
  }
  Products found;
  for (size_t device = 0; any && device < labels.size(); ++device) {
    const ProcessId id = wall.devices[device].process;
    const Process& process = store.processes[id.value];
    TFPROF_ASSIGN(const auto work, facts.indexes.Details(id, AttributeKey::work, facts.context));
    if (work->rows.count == 0 || !MatchesPlace(store, process, facts.place)) continue;
    for (const uint32_t i : process.lanes) {
      const Lane& lane = store.lanes[i];
      if (lane.measures != Measures::accelerator_time || lane.derived) continue;
      for (const uint32_t row : lane.rows) {
        if (work->Integer(row) != static_cast<int64_t>(WorkKind::kernel)) continue;
        const int64_t ps = store.events.duration_ps[row];
        const size_t label = store.events.label[row].value - process.labels.first;
        found.all_ps = SaturatingAdd(found.all_ps, ps);
        if (labels[device][label]) found.float32_ps = SaturatingAdd(found.float32_ps, ps);
      }
    }
  }
  return found;
}

}  // namespace

Result<void> CheckPrecision(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  for (const HostWall* wall : WallsOf(facts, *times)) {
    if (!HasTensorCores(facts.trace, *wall)) continue;
    TFPROF_ASSIGN(const Products of, ProductsOn(*wall, facts));
    const double share = Percent(of.float32_ps, of.all_ps) / 100;
    const auto ps =
        static_cast<int64_t>(share * static_cast<double>(wall->PartPs(WallKind::compute)));
    if (wall->Percent(ps) < kMuchOfWall) continue;
    findings->push_back(DescribeCause(facts, FindingId::float32_products, *wall, ps));
    const bool only_float16 = IsOlderThanTf32(facts.trace, *wall);
    std::vector<Value>& values = findings->back().values;
    values.push_back({"of_kernels", share, Unit::fraction});
    values.push_back(When("only_float16", only_float16));
    values.push_back(When("has_tf32", !only_float16));
    return {};
  }
  return {};
}

}  // namespace tfprof
