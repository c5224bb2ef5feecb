// SPDX-License-Identifier: Apache-2.0
#include "views/transfers/hidden_time.h"

#include <algorithm>
#include <queue>

namespace tfprof {
namespace {

constexpr uint32_t kPollRows = 1 << 20;

int64_t EndOf(const Copy& copy) { return SaturatingAdd(copy.start_ps, copy.duration_ps); }

int64_t LengthPs(int64_t start_ps, int64_t end_ps) { return SaturatingAdd(end_ps, -start_ps); }

// The kernels of several lanes, one after the other by start.
class Kernels {
 public:
  Kernels(const Store& store, std::span<const LaneId> lanes, const IsKernel& is_kernel)
      : events_(store.events), is_kernel_(&is_kernel) {
    for (const LaneId id : lanes) {
      const Lane& lane = store.lanes[id.value];
      Push({0, lane.rows.first + lane.unplaced, lane.rows.first + lane.rows.count});
    }
  }

  bool Done() const { return queue_.empty(); }
  uint32_t row() const { return queue_.top().row; }
  void Next() {
    Place next = queue_.top();
    queue_.pop();
    ++next.row;
    Push(next);
  }

 private:
  struct Place {
    int64_t start_ps;
    uint32_t row;
    uint32_t end;
    bool operator>(const Place& other) const { return start_ps > other.start_ps; }
  };

  void Push(Place place) {
    while (place.row < place.end && !(*is_kernel_)(place.row)) ++place.row;
    if (place.row == place.end) return;
    place.start_ps = events_.start_ps[place.row];
    queue_.push(place);
  }

  const Events& events_;
  const IsKernel* is_kernel_;
  std::priority_queue<Place, std::vector<Place>, std::greater<>> queue_;
};

// For how long a kernel has run up to a time, asked in ascending order of times.
class Busy {
 public:
  explicit Busy(Kernels kernels) : kernels_(std::move(kernels)) {}

  Result<int64_t> UpTo(const Events& events, int64_t time_ps, Context& context) {
    while (!kernels_.Done()) {
      const uint32_t row = kernels_.row();
      if (events.start_ps[row] >= time_ps) break;
      if (++steps_ % kPollRows == 0) TFPROF_TRY(Poll(context));
      Add(events.start_ps[row], SaturatingAdd(events.start_ps[row], events.duration_ps[row]));
      kernels_.Next();
    }
    if (end_ps_ == kNoTime) return 0;
    const int64_t last_ps = std::min(time_ps, end_ps_);
    return last_ps <= start_ps_ ? before_ps_
                                : SaturatingAdd(before_ps_, LengthPs(start_ps_, last_ps));
  }

 private:
  void Add(int64_t start_ps, int64_t end_ps) {
    if (end_ps_ != kNoTime && start_ps <= end_ps_) {
      end_ps_ = std::max(end_ps_, end_ps);
      return;
    }
    if (end_ps_ != kNoTime) before_ps_ = SaturatingAdd(before_ps_, LengthPs(start_ps_, end_ps_));
    start_ps_ = start_ps;
    end_ps_ = end_ps;
  }

  Kernels kernels_;
  uint32_t steps_ = 0;
  int64_t before_ps_ = 0;  // of the intervals before the last one
  int64_t start_ps_ = kNoTime;
  int64_t end_ps_ = kNoTime;
};

struct Moment {
  int64_t time_ps;
  uint32_t copy;
  bool is_end;
};

}  // namespace

Result<void> MeasureHidden(const Store& store, std::span<const LaneId> lanes,
                           const IsKernel& is_kernel, std::vector<Copy>* copies, Context& context) {
  std::vector<Moment> moments;
  moments.reserve(2 * copies->size());
  for (uint32_t i = 0; i < copies->size(); ++i) {
    moments.push_back({(*copies)[i].start_ps, i, false});
    moments.push_back({EndOf((*copies)[i]), i, true});
  }
  std::sort(moments.begin(), moments.end(),
            [](const Moment& a, const Moment& b) { return a.time_ps < b.time_ps; });
  Busy busy(Kernels(store, lanes, is_kernel));
  for (const Moment& moment : moments) {
    TFPROF_ASSIGN(const int64_t busy_ps, busy.UpTo(store.events, moment.time_ps, context));
    int64_t& hidden_ps = (*copies)[moment.copy].hidden_ps;
    hidden_ps = SaturatingAdd(hidden_ps, moment.is_end ? busy_ps : -busy_ps);
  }
  return {};
}

}  // namespace tfprof
