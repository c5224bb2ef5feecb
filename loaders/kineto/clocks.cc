// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/clocks.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/base/units.h"
#include "core/store/note_catalogue.h"

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

// How much later the collectives of `rank` end than those of the reference.
std::vector<int64_t> DifferencesOf(const RankRows& rank, const RankRows& reference) {
  std::vector<int64_t> differences;
  for (const auto& [name, ends] : rank.ends) {
    const auto of_reference = reference.ends.find(name);
    if (of_reference == reference.ends.end() || of_reference->second.size() != ends.size())
      continue;
    for (size_t i = 0; i < ends.size(); ++i) {
      differences.push_back(SaturatingAdd(ends[i], -of_reference->second[i]));
    }
  }
  return differences;
}

void MoveRows(const RankRows& rank, int64_t by_ps, StoreBuilder* store) {
  int64_t* const start_ps = store->Rows(rank.first).start_ps;
  for (size_t i = 0; i < rank.count; ++i) {
    if (start_ps[i] != kNoTime) start_ps[i] = SaturatingAdd(start_ps[i], by_ps);
  }
}

// The largest of all ranks.
struct Alignment {
  int64_t difference_ps = 0;
  int64_t residual_ps = 0;
  int64_t ranks = 0;
};

void Align(const RankRows& rank, const RankRows& reference, StoreBuilder* store, Alignment* all) {
  std::vector<int64_t> differences = DifferencesOf(rank, reference);
  if (differences.size() < kMinCollectives) return;
  const int64_t difference_ps = Median(differences);
  for (int64_t& of : differences) of = std::abs(SaturatingAdd(of, -difference_ps));
  const int64_t residual_ps = Median(std::move(differences));
  if (std::abs(difference_ps) / kClearly <= residual_ps) return;
  MoveRows(rank, -difference_ps, store);
  all->difference_ps = std::max(all->difference_ps, std::abs(difference_ps));
  all->residual_ps = std::max(all->residual_ps, residual_ps);
  ++all->ranks;
}

}  // namespace

void FindCollectiveEnds(const StoreBuilder& store, RankRows* rows) {
  for (size_t i = 0; i < rows->count; ++i) {
    const EventId event(rows->first.value + i);
    const Label& label = store.label(store.label_of(event));
    if (store.start_of(event) == kNoTime || !IsSymmetric(store, label)) continue;
    rows->ends[std::string(store.Text(label.name))].push_back(
        SaturatingAdd(store.start_of(event), store.duration_of(event)));
  }
  for (auto& [name, ends] : rows->ends) std::ranges::sort(ends);
}

void AlignClocks(const std::vector<RankRows>& ranks, StoreBuilder* store) {
  Alignment all;
  for (const RankRows& rank : ranks) {
    if (rank.rank == kNoInt || rank.rank == ranks[0].rank) continue;
    Align(rank, ranks[0], store, &all);
  }
  if (all.ranks == 0) return;
  store->AddNote(note::With(note::clocks_of_ranks,
                            {Human(all.difference_ps, Unit::ps), Human(all.residual_ps, Unit::ps)}),
                 "", kNoInt, all.ranks);
}

}  // namespace tfprof::kineto
