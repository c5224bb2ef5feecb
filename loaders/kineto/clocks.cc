// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/clocks.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"
#include "loaders/kineto/entry.h"
#include "loaders/kineto/keys.h"

namespace tfprof::kineto {
namespace {

constexpr size_t kMinCollectives = 3;
constexpr int64_t kClearly = 3;  // the difference of clocks is so many times the residual

// As NCCL, RCCL and PyTorch's regions call them.
constexpr std::string_view kSymmetric[] = {"AllReduce",      "AllGather",  "ReduceScatter",
                                           "AllToAll",       "all_reduce", "all_gather",
                                           "reduce_scatter", "all_to_all", "barrier"};

bool IsSymmetric(const StoreBuilder& store, const Label& label) {
  const std::string_view name = store.Text(label.name);
  const bool is_kernel =
      label.of == EventClass::kernel && (name.starts_with("nccl") || name.starts_with("rccl"));
  if (!is_kernel && label.role != EventRole::collective) return false;
  return std::ranges::any_of(kSymmetric,
                             [&](std::string_view part) { return name.find(part) != name.npos; });
}

// A rank with all its files.
struct Rank {
  int64_t number = kNoInt;
  std::vector<const RankRows*> files = {};
  CollectiveCalls calls = {};
  int64_t ahead_ps = 0;  // its clock, of that of the first rank that it is linked to
  bool is_linked = false;
};

std::vector<Rank> RanksOf(const std::vector<RankRows>& files) {
  std::vector<Rank> ranks;
  std::map<int64_t, size_t> at;
  for (const RankRows& file : files) {
    if (file.rank == kNoInt) continue;
    const auto [found, is_new] = at.try_emplace(file.rank, ranks.size());
    if (is_new) ranks.push_back({file.rank});
    Rank& rank = ranks[found->second];
    rank.files.push_back(&file);
    for (const auto& [op, calls] : file.calls) {
      std::vector<CollectiveCall>& all = rank.calls[op];
      all.insert(all.end(), calls.begin(), calls.end());
    }
  }
  for (Rank& rank : ranks) {
    for (auto& [op, calls] : rank.calls) {
      std::ranges::stable_sort(calls, {}, &CollectiveCall::end_ps);
    }
  }
  return ranks;
}

bool RecordsGroups(const Rank& rank) {
  return std::ranges::any_of(rank.calls, [](const auto& of) { return !of.first.group.empty(); });
}

struct Difference {
  int64_t ps = 0;  // 0: not clear
  int64_t residual_ps = 0;
};

// How much later the collectives of `rank` end than those of the reference; none: nothing shows
// that they ran the same ones.
std::optional<Difference> DifferenceOf(const Rank& rank, const Rank& reference) {
  const bool has_groups = RecordsGroups(rank) || RecordsGroups(reference);
  std::vector<int64_t> differences, durations;
  for (const auto& [op, calls] : rank.calls) {
    const auto found = reference.calls.find(op);
    if (op.group.empty() == has_groups || found == reference.calls.end()) continue;
    if (found->second.size() != calls.size()) continue;
    for (size_t i = 0; i < calls.size(); ++i) {
      const CollectiveCall& other = found->second[i];
      differences.push_back(SaturatingAdd(calls[i].end_ps, -other.end_ps));
      durations.push_back(std::max(calls[i].duration_ps, other.duration_ps));
    }
  }
  if (differences.size() < kMinCollectives) return {};
  Difference difference{Median(differences), 0};
  for (int64_t& of : differences) of = std::abs(SaturatingAdd(of, -difference.ps));
  difference.residual_ps = Median(std::move(differences));
  // Ranks of two groups run the same operations as well, but do not end them together.
  const bool fits = difference.residual_ps <= Median(std::move(durations)) / kClearly;
  if (!has_groups && !fits) return {};
  if (std::abs(difference.ps) / kClearly <= difference.residual_ps) difference.ps = 0;
  return difference;
}

void MoveRows(const RankRows& file, int64_t by_ps, StoreBuilder* store) {
  int64_t* const start_ps = store->Rows(file.first).start_ps;
  for (size_t i = 0; i < file.count; ++i) {
    if (start_ps[i] != kNoTime) start_ps[i] = SaturatingAdd(start_ps[i], by_ps);
  }
}

// Links the ranks that share a group with `first`, or with one that is linked to it. Returns the
// largest residual of those whose clock differs.
int64_t LinkTo(size_t first, std::vector<Rank>* ranks) {
  int64_t residual_ps = 0;
  std::vector<size_t> linked{first};
  (*ranks)[first].is_linked = true;
  for (size_t next = 0; next < linked.size(); ++next) {
    for (size_t i = 0; i < ranks->size(); ++i) {
      Rank& rank = (*ranks)[i];
      const Rank& reference = (*ranks)[linked[next]];
      if (rank.is_linked) continue;
      const std::optional<Difference> difference = DifferenceOf(rank, reference);
      if (!difference) continue;
      rank.is_linked = true;
      rank.ahead_ps = SaturatingAdd(reference.ahead_ps, difference->ps);
      if (difference->ps != 0) residual_ps = std::max(residual_ps, difference->residual_ps);
      linked.push_back(i);
    }
  }
  return residual_ps;
}

// Reads the process group that events record.
class Groups {
 public:
  Groups() : keys_({spelling_.names.begin(), spelling_.names.begin() + spelling_.count()}) {}

  // Empty: none.
  std::string Of(const json::Cursor& arguments, std::string_view name, EventClass of) {
    keys_.Read(arguments, values_);
    const KeyValue group = spelling_.make(name, of, values_.data(), &buffer_);
    if (group.kind == ValueKind::absent) return {};
    return group.kind == ValueKind::text ? std::string(group.text) : std::to_string(group.bits);
  }

 private:
  const Spelling spelling_ = SpellingOf(AttributeKey::process_group);
  const ArgumentKeys keys_;
  std::array<json::Value, Spelling::kMaxNames> values_;
  std::string buffer_;
};

}  // namespace

void FindCollectives(const StoreBuilder& store, const Places& places, const uint32_t* details,
                     RankRows* rows) {
  Groups groups;
  for (size_t i = 0; i < rows->count; ++i) {
    const EventId event(rows->first.value + i);
    const Label& label = store.label(store.label_of(event));
    if (store.start_of(event) == kNoTime || !IsSymmetric(store, label)) continue;
    const int64_t duration_ps = store.duration_of(event);
    const std::string name(store.Text(label.name));
    const std::string group = details[i] == Places::kNone
                                  ? std::string()
                                  : groups.Of(places.At(details[i]), name, label.of);
    rows->calls[{name, group}].push_back(
        {SaturatingAdd(store.start_of(event), duration_ps), duration_ps});
  }
}

void AlignClocks(const std::vector<RankRows>& files, StoreBuilder* store) {
  std::vector<Rank> ranks = RanksOf(files);
  int64_t residual_ps = 0, difference_ps = 0, moved = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (!ranks[i].is_linked) residual_ps = std::max(residual_ps, LinkTo(i, &ranks));
  }
  for (const Rank& rank : ranks) {
    if (rank.ahead_ps == 0) continue;
    for (const RankRows* file : rank.files) MoveRows(*file, -rank.ahead_ps, store);
    difference_ps = std::max(difference_ps, std::abs(rank.ahead_ps));
    ++moved;
  }
  if (moved == 0) return;
  store->AddNote(note::With(note::clocks_of_ranks,
                            {Human(difference_ps, Unit::ps), Human(residual_ps, Unit::ps)}),
                 "", kNoInt, moved);
}

}  // namespace tfprof::kineto
