// SPDX-License-Identifier: Apache-2.0
// PrecisionChecker: products of float32 matrices on GPUs with tensor cores that do not use them.
#include <algorithm>

#include "analysis/ops/kernels/kernel_rows.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "analysis/place.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

constexpr int64_t kFirstWithTensorCores = 7;  // CUDA compute capability: Volta

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

struct Products {
  int64_t all_ps = 0;      // of all kernels of the host
  int64_t float32_ps = 0;  // of products in float32 without tensor cores
};

Products ProductsOn(std::string_view host, const KernelRows& kernels) {
  Products found;
  for (const auto& row : kernels.rows) {
    if (row.host != host) continue;
    found.all_ps = SaturatingAdd(found.all_ps, row.total_ps);
    if (MultipliesFloat32(row.name)) {
      found.float32_ps = SaturatingAdd(found.float32_ps, row.total_ps);
    }
  }
  return found;
}

}  // namespace

Result<void> CheckPrecision(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  for (const HostWall* wall : WallsOf(facts, *times)) {
    if (!HasTensorCores(facts.trace, *wall)) continue;
    const KernelRows::Key key{facts.place, OpAccounting::exact};
    TFPROF_ASSIGN(const auto kernels, facts.indexes.Get<KernelRows>(key, facts.context));
    const Products of = ProductsOn(HostName(facts.trace, wall->host), *kernels);
    const double share = Percent(of.float32_ps, of.all_ps) / 100;
    const auto ps =
        static_cast<int64_t>(share * static_cast<double>(wall->PartPs(WallKind::compute)));
    if (wall->Percent(ps) < kMuchOfWall) continue;
    findings->push_back(DescribeCause(facts, FindingId::float32_products, *wall, ps));
    findings->back().values.push_back({"of_kernels", share, Unit::fraction});
    return {};
  }
  return {};
}

}  // namespace tfprof
