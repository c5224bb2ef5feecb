// SPDX-License-Identifier: Apache-2.0
#include "analysis/links/launch_links.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "analysis/indexes.h"
#include "core/base/parallel.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

using Processes = std::span<const ProcessId>;

struct NumberedLane {
  Range rows;
  const DetailColumn* numbers;
};

struct NumberedLanes {
  std::vector<IndexPtr<DetailColumn>> columns = {};
  std::vector<NumberedLane> lanes = {};  // those with recorded rows
};

Result<NumberedLanes> FindNumbered(const Store& store, const Indexes& indexes, Processes processes,
                                   Context& context) {
  NumberedLanes found;
  for (const ProcessId id : processes) {
    TFPROF_ASSIGN(auto column, indexes.Details(id, AttributeKey::correlation, context));
    if (column->rows.count == 0) continue;
    for (const Lane& lane : store.LanesOf(store.processes[id.value])) {
      if (!lane.derived && lane.rows.count > 0) found.lanes.push_back({lane.rows, column.get()});
    }
    found.columns.push_back(std::move(column));
  }
  return found;
}

// Calls take(row, number) for the rows of a lane that have a number.
template <class Take>
void EachNumber(const NumberedLane& lane, Take take) {
  DetailCursor numbers(*lane.numbers);
  for (const uint32_t row : lane.rows) {
    if (numbers.Has(row)) take(row, numbers.Integer(row));
  }
}

// The range of the numbers of a host's events.
struct Numbers {
  uint64_t count = 0;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();

  void Add(int64_t number) {
    ++count;
    min = std::min(min, number);
    max = std::max(max, number);
  }
  void Add(const Numbers& other) {
    count += other.count;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
  }
  uint64_t Span() const { return static_cast<uint64_t>(max) - static_cast<uint64_t>(min); }
};

Result<Numbers> NumbersOf(std::span<const NumberedLane> lanes, size_t threads, Context& context) {
  std::vector<Numbers> of_lane(lanes.size());
  TFPROF_TRY(ForEachTask(lanes.size(), threads, context, [&](size_t i) {
    Numbers of;
    EachNumber(lanes[i], [&](uint32_t, int64_t number) { of.Add(number); });
    of_lane[i] = of;
  }));
  Numbers all;
  for (const Numbers& of : of_lane) all.Add(of);
  return all;
}

// One of several launches with the same number.
struct Launch {
  uint64_t place;  // number - least
  uint32_t row;
};

// The launches of a host by number. The numbers count calls, per thread or globally, so they are
// clustered: a table of pages of slots, where a cluster exists.
class LaunchTable {
 public:
  explicit LaunchTable(const Numbers& numbers)
      : min_(static_cast<uint64_t>(numbers.min)),
        page_of_((numbers.Span() >> kPageBits) + 1, kNone),
        max_places_(std::max(numbers.count * kPlacesOfLaunch, kFewPlaces)) {}

  // Returns true if a table of the numbers may pay off.
  static bool IsApplicable(const Numbers& numbers) { return numbers.Span() <= 0xFFFFFFFFu; }

  // Returns false if the numbers span too wide a range for a table.
  bool Add(int64_t number, uint32_t row) {
    const uint64_t place = PlaceOf(number);
    uint32_t& page = page_of_[place >> kPageBits];
    if (page == kNone) {
      if (row_of_.size() >= max_places_) return false;
      page = static_cast<uint32_t>(row_of_.size() >> kPageBits);
      row_of_.Resize(row_of_.size() + kPlaces, kNone);
    }
    uint32_t& first = row_of_[size_t{page} << kPageBits | (place & (kPlaces - 1))];
    if (first == kNone) {
      first = row;
      return true;
    }
    if (first != kSeveral) several_.push_back({place, std::exchange(first, kSeveral)});
    several_.push_back({place, row});
    return true;
  }
  void Finish(const Column<int64_t>& start_ps) {
    std::sort(several_.begin(), several_.end(), [&](const Launch& a, const Launch& b) {
      return std::tuple(a.place, start_ps[a.row], a.row) <
             std::tuple(b.place, start_ps[b.row], b.row);
    });
  }
  // Returns the launch of the event; none: no launch has the number.
  EventId Find(int64_t number, uint32_t row, const Column<int64_t>& start_ps) const {
    const uint64_t place = PlaceOf(number);
    if (place >> kPageBits >= page_of_.size()) return {};
    const uint32_t page = page_of_[place >> kPageBits];
    if (page == kNone) return {};
    const uint32_t found = row_of_[size_t{page} << kPageBits | (place & (kPlaces - 1))];
    if (found == kSeveral) [[unlikely]]
      return LatestOf(place, start_ps[row], start_ps);
    return found == kNone ? EventId() : EventId(found);
  }

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  static constexpr uint32_t kSeveral = 0xFFFFFFFEu;
  static constexpr int kPageBits = 12;
  static constexpr size_t kPlaces = size_t{1} << kPageBits;
  // The maximum number of slots per launch; small tables may exceed it.
  static constexpr uint64_t kPlacesOfLaunch = 8;
  static constexpr uint64_t kFewPlaces = 1 << 16;

  uint64_t PlaceOf(int64_t number) const { return static_cast<uint64_t>(number) - min_; }
  EventId LatestOf(uint64_t place, int64_t begun_ps, const Column<int64_t>& start_ps) const {
    const auto after = std::upper_bound(
        several_.begin(), several_.end(), begun_ps, [&](int64_t begun, const Launch& launch) {
          return std::tuple(place, begun) < std::tuple(launch.place, start_ps[launch.row]);
        });
    const bool any_before = after != several_.begin() && (after - 1)->place == place;
    return EventId(any_before ? (after - 1)->row : after->row);
  }

  uint64_t min_;
  std::vector<uint32_t> page_of_;  // by slot / kPlaces; kNone: no launch has such a number
  Column<uint32_t> row_of_;        // by page and slot in it
  std::vector<Launch> several_;    // launches that share their number; by number, then by start
  size_t max_places_;
};

// Range of the links to events of a lane.
struct LinkedLane {
  size_t first = 0;
  size_t count = 0;
};

// Adds the links of each lane: written in parallel, then moved together.
Result<void> AddLinks(const Store& store, const LaunchTable& table,
                      std::span<const NumberedLane> lanes, EventLinks* links, size_t threads,
                      Context& context) {
  const Column<int64_t>& start_ps = store.events.start_ps;
  std::vector<LinkedLane> linked(lanes.size());
  size_t room = links->size();
  const size_t begin = room;
  for (size_t i = 0; i < lanes.size(); ++i) {
    linked[i].first = room;
    room += lanes[i].rows.count;
  }
  links->from.Extend(room - begin);
  links->to.Extend(room - begin);
  TFPROF_TRY(ForEachTask(lanes.size(), threads, context, [&](size_t i) {
    EventId* const from = links->from.data() + linked[i].first;
    EventId* const to = links->to.data() + linked[i].first;
    size_t count = 0;
    EachNumber(lanes[i], [&](uint32_t row, int64_t number) {
      const EventId launch = table.Find(number, row, start_ps);
      if (!launch.some()) return;
      from[count] = launch;
      to[count++] = EventId(row);
    });
    linked[i].count = count;
  }));
  size_t end = begin;
  for (const LinkedLane& lane : linked) {
    if (lane.first != end) {
      std::copy_n(links->from.begin() + lane.first, lane.count, links->from.begin() + end);
      std::copy_n(links->to.begin() + lane.first, lane.count, links->to.begin() + end);
    }
    end += lane.count;
  }
  links->from.Resize(end);
  links->to.Resize(end);
  links->kind.Resize(end, LinkKind::launch);
  return {};
}

}  // namespace

Result<bool> LinkLaunches(const Store& store, const Indexes& indexes, Processes host,
                          Processes device, EventLinks* links, Context& context) {
  TFPROF_ASSIGN(const NumberedLanes from, FindNumbered(store, indexes, host, context));
  TFPROF_ASSIGN(const NumberedLanes to, FindNumbered(store, indexes, device, context));
  const size_t threads = ThreadsFor(store.EventCount() * sizeof(uint64_t));
  TFPROF_ASSIGN(const Numbers numbers, NumbersOf(from.lanes, threads, context));
  if (numbers.count == 0 || to.lanes.empty()) return true;
  if (!LaunchTable::IsApplicable(numbers)) return false;
  LaunchTable table(numbers);
  bool suits = true;
  for (const NumberedLane& lane : from.lanes) {
    TFPROF_TRY(Poll(context));
    EachNumber(lane,
               [&](uint32_t row, int64_t number) { suits = suits && table.Add(number, row); });
    if (!suits) return false;
  }
  table.Finish(store.events.start_ps);
  TFPROF_TRY(AddLinks(store, table, to.lanes, links, threads, context));
  return true;
}

}  // namespace tfprof
