// SPDX-License-Identifier: Apache-2.0
#include "analysis/transfers/overlapped_time.h"

#include <algorithm>

#include "analysis/intervals/interval.h"
#include "analysis/intervals/lanes_by_start.h"

namespace tfprof {
namespace {

int64_t EndOf(const Copy& copy) { return SaturatingAdd(copy.start_ps, copy.duration_ps); }

using KernelsByStart = LanesByStart<IsKernel>;

// Returns how long kernels have run up to a time. REQUIRES: times ascend.
class Busy {
 public:
  explicit Busy(KernelsByStart kernels) : kernels_(std::move(kernels)) {}

  Result<int64_t> BusyPsUntil(const Events& events, int64_t time_ps, Context& context) {
    while (!kernels_.Done()) {
      const uint32_t row = kernels_.row();
      if (events.start_ps[row] >= time_ps) break;
      if (++steps_ % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      ExtendUnion(events.start_ps[row], events.EndPs(row), &end_ps_, &sum_ps_);
      kernels_.Next();
    }
    // The kernel that runs beyond that time started before it.
    return end_ps_ <= time_ps ? sum_ps_ : SaturatingAdd(sum_ps_, -SpanOf(time_ps, end_ps_));
  }

 private:
  KernelsByStart kernels_;
  uint32_t steps_ = 0;
  int64_t end_ps_ = kMinPs;  // of the kernels already read
  int64_t sum_ps_ = 0;       // length of their union
};

struct Moment {
  int64_t time_ps;
  uint32_t copy;
  bool is_end;
};

}  // namespace

Result<void> MeasureOverlapped(const Store& store, std::span<const LaneId> lanes,
                               const IsKernel& is_kernel, std::vector<Copy>* copies,
                               Context& context) {
  std::vector<Moment> moments;
  moments.reserve(2 * copies->size());
  for (uint32_t i = 0; i < copies->size(); ++i) {
    moments.push_back({(*copies)[i].start_ps, i, false});
    moments.push_back({EndOf((*copies)[i]), i, true});
  }
  std::ranges::sort(moments, {}, &Moment::time_ps);
  KernelsByStart kernels(store.events, is_kernel);
  for (const LaneId lane : lanes) kernels.Add(store.lanes[lane.value]);
  Busy busy(std::move(kernels));
  for (const Moment& moment : moments) {
    TFPROF_ASSIGN(const int64_t busy_ps, busy.BusyPsUntil(store.events, moment.time_ps, context));
    Copy& copy = (*copies)[moment.copy];
    (moment.is_end ? copy.kernels_until_ps : copy.kernels_before_ps) = busy_ps;
  }
  return {};
}

}  // namespace tfprof
