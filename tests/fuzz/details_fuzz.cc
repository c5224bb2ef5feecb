// SPDX-License-Identifier: Apache-2.0
// Any bytes as an XSpace: the columns of its attributes have what single events say.
#include <algorithm>
#include <set>

#include "core/store/details.h"
#include "loaders/formats.h"
#include "proto/xplane.pb.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate_message.h"

namespace tfprof {
namespace {

bool HasOwnSpelling(std::string_view key) { return !DetailKey::Named(key).IsShared(); }

bool IsSame(const Detail& detail, const DetailColumn& column, uint32_t row) {
  if (detail.kind == ValueKind::text || detail.kind == ValueKind::bytes) {
    return column.TextId(row).some() && column.Text(row) == detail.text;
  }
  return detail.kind == column.Kind(row) && detail.bits == column.Bits(row);
}

// The value of an event is one that it says itself; else one of its label; else it has none.
void CheckCell(const Store& store, EventId event, std::string_view key, const DetailColumn& column,
               uint32_t row) {
  const auto of_key = [&](const Detail& detail) { return detail.key == key; };
  std::vector<Detail> details = DetailsOf(store, event).value();
  std::erase_if(details, [&](const Detail& detail) { return !of_key(detail); });
  if (details.empty()) {
    details = DetailsOf(store, store.events.label[event.value]).value();
    std::erase_if(details, [&](const Detail& detail) { return !of_key(detail); });
  }
  const bool has = column.rows.count > 0 && column.Has(row);
  const bool same = has && std::any_of(details.begin(), details.end(), [&](const Detail& detail) {
                      return IsSame(detail, column, row);
                    });
  const bool only_absent = std::all_of(details.begin(), details.end(), [](const Detail& detail) {
    return detail.kind == ValueKind::absent;
  });
  Require(has ? same : only_absent,
          "an attribute that the event does not have: " + std::string(key));
}

void CheckProcess(const Store& store, ProcessId process, std::span<const EventId> events) {
  Context context;
  std::set<std::string> keys;
  for (const EventId event : events) {
    const std::vector<Detail> details = DetailsOf(store, event).value();
    for (const Detail& detail : details) keys.emplace(detail.key);
  }
  for (const std::string& key : keys) {
    if (key.empty() || !HasOwnSpelling(key)) continue;
    const DetailKey name = DetailKey::Named(key);
    const DetailColumn all = ReadColumn(store, process, name, context).value();
    const std::vector<DetailColumn> chosen =
        ReadColumns(store, process, events, {&name, 1}, context).value();
    for (uint32_t i = 0; i < events.size(); ++i) {
      CheckCell(store, events[i], key, all, events[i].value);
      CheckCell(store, events[i], key, chosen[0], i);
    }
  }
}

// Every third event of each process, and all keys that have one name for all formats.
void CheckStore(const Store& store) {
  std::vector<std::vector<EventId>> events(store.processes.size());
  for (uint32_t row = 0; row < store.EventCount(); row += 3) {
    const LaneId lane = LaneOf(store, EventId(row));
    if (lane.some()) events[store.lanes[lane.value].process.value].push_back(EventId(row));
  }
  std::vector<DetailKey> keys;
  for (const AttributeKeyInfo& info : AttributeKeys()) keys.push_back(info.key);
  for (uint32_t i = 0; i < store.processes.size(); ++i) {
    Context context;
    (void)ReadColumns(store, ProcessId(i), keys, context);
    (void)DetailsOf(store, ProcessId(i));
    if (!events[i].empty()) CheckProcess(store, ProcessId(i), events[i]);
  }
  for (uint32_t row = 0; row < store.labels.size(); ++row) (void)DetailsOf(store, LabelId(row));
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateMessage(tfprof::pb::XSpace(), data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const StorePtr store = LoadAny(kXSpaceLoader, BytesOf(data, size));
  if (store != nullptr) CheckStore(*store);
  return 0;
}
