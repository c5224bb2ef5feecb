// SPDX-License-Identifier: Apache-2.0
#include "tests/support/facts/xspace_facts.h"

#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <map>

#include "tests/support/store_rows.h"

namespace tfprof {
namespace {

// One line per fact, from our store and from libprotobuf's message.
std::string PlaneLine(size_t index, std::string_view name, int64_t id, size_t names, size_t keys) {
  return fmt::format("plane {} '{}' {} {} {}", index, name, id, names, keys);
}
std::string LaneLine(size_t plane, size_t index, std::string_view name, std::string_view display,
                     int64_t id) {
  return fmt::format("line {}/{} '{}' '{}' {}", plane, index, name, display, id);
}
std::string EventLine(size_t plane, size_t line, std::string_view name, __int128 start_ps,
                      int64_t duration_ps, int64_t occurrences) {
  return fmt::format("event {}/{} '{}' {} {} {}", plane, line, name, start_ps, duration_ps,
                     occurrences);
}

constexpr __int128 kUnplaced = -1;

std::vector<std::string> Lines(const Store& store) {
  std::vector<std::string> lines;
  std::map<uint32_t, int64_t> occurrences;
  for (const Aggregate& row : store.aggregates) occurrences[row.event.value] = row.occurrences;
  for (const Process& process : store.processes) {
    lines.push_back(PlaneLine(process.index, store.Text(process.name), process.id,
                              static_cast<size_t>(process.names),
                              static_cast<size_t>(process.keys)));
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      const Lane& lane = store.lanes[process.lanes.first + k];
      lines.push_back(LaneLine(process.index, lane.index, store.Text(lane.name),
                               store.Text(lane.display), lane.id));
      for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
        const bool placed = store.events.start_ps[row] != kNoTime;
        const __int128 start = static_cast<__int128>(store.epoch_ns) * 1000;
        lines.push_back(EventLine(process.index, lane.index,
                                  store.Text(store.labels[store.events.label[row].value].name),
                                  placed ? start + store.events.start_ps[row] : kUnplaced,
                                  store.events.duration_ps[row], placed ? 1 : occurrences.at(row)));
      }
    }
  }
  return lines;
}

// Ranges of the program have their name beside the one that XProf reads.
std::string NameOf(const pb::XEventMetadata& metadata, const pb::XPlane& plane) {
  const bool is_host = plane.name().starts_with("/host:");
  for (const pb::XStat& stat : metadata.stats()) {
    const auto key = plane.stat_metadata().find(stat.metadata_id());
    const bool is_path = key != plane.stat_metadata().end() && key->second.name() == "range_path";
    if (is_host && is_path && !stat.str_value().empty()) return metadata.display_name();
  }
  return metadata.name();
}

std::vector<std::string> Lines(const pb::XSpace& space) {
  std::vector<std::string> lines;
  for (int p = 0; p < space.planes_size(); ++p) {
    const pb::XPlane& plane = space.planes(p);
    const auto at = static_cast<size_t>(p);
    lines.push_back(PlaneLine(at, plane.name(), plane.id(), plane.event_metadata().size(),
                              plane.stat_metadata().size()));
    for (int l = 0; l < plane.lines_size(); ++l) {
      const pb::XLine& line = plane.lines(l);
      const auto number = static_cast<size_t>(l);
      lines.push_back(LaneLine(at, number, line.name(),
                               line.display_name().empty() ? line.name() : line.display_name(),
                               line.id()));
      for (const pb::XEvent& event : line.events()) {
        const auto metadata = plane.event_metadata().find(event.metadata_id());
        const bool known = metadata != plane.event_metadata().end();
        const bool placed = event.data_case() != pb::XEvent::kNumOccurrences;
        const __int128 start = static_cast<__int128>(line.timestamp_ns()) * 1000;
        lines.push_back(EventLine(at, number, known ? NameOf(metadata->second, plane) : "",
                                  placed ? start + event.offset_ps() : kUnplaced,
                                  std::max<int64_t>(0, event.duration_ps()),
                                  placed ? 1 : event.num_occurrences()));
      }
    }
  }
  return lines;
}

// ---- stats

std::string ValueText(ValueKind kind, uint64_t bits, std::string_view text) {
  switch (kind) {
    case ValueKind::absent: return "-";
    case ValueKind::integer: return fmt::format("{}", static_cast<int64_t>(bits));
    case ValueKind::natural: return fmt::format("{}u", bits);
    case ValueKind::real: return fmt::format("{}r", std::bit_cast<double>(bits));
    case ValueKind::text: return fmt::format("'{}'", text);
    case ValueKind::bytes: return fmt::format("b'{}'", text);
  }
  return "?";
}

std::string ValueText(const pb::XStat& stat, const pb::XPlane& plane) {
  switch (stat.value_case()) {
    case pb::XStat::kDoubleValue:
      return ValueText(ValueKind::real, std::bit_cast<uint64_t>(stat.double_value()), "");
    case pb::XStat::kUint64Value: return ValueText(ValueKind::natural, stat.uint64_value(), "");
    case pb::XStat::kInt64Value:
      return ValueText(ValueKind::integer, static_cast<uint64_t>(stat.int64_value()), "");
    case pb::XStat::kStrValue: return ValueText(ValueKind::text, 0, stat.str_value());
    case pb::XStat::kBytesValue: return ValueText(ValueKind::bytes, 0, stat.bytes_value());
    case pb::XStat::kRefValue: {
      const auto name = plane.stat_metadata().find(static_cast<int64_t>(stat.ref_value()));
      return ValueText(ValueKind::text, 0,
                       name == plane.stat_metadata().end() ? "" : name->second.name());
    }
    case pb::XStat::kCompressedStrValue:  // random bytes are not gzip
      return ValueText(ValueKind::text, 0, "");
    case pb::XStat::VALUE_NOT_SET: break;
  }
  return "-";
}

// The first stat with the key and a value; "": none.
template <class Stats>
std::string FirstValue(const Stats& stats, const std::string& key, const pb::XPlane& plane) {
  for (const pb::XStat& stat : stats) {
    const auto name = plane.stat_metadata().find(stat.metadata_id());
    if (name == plane.stat_metadata().end() || name->second.name() != key) continue;
    return ValueText(stat, plane);
  }
  return "";
}

// The values of a key in a plane, sorted: from our column, and from libprotobuf's message.
std::vector<std::string> Values(const Store& store, ProcessId process, const std::string& key) {
  Context context;
  const DetailColumn column = ReadColumn(store, process, DetailKey::Named(key), context).value();
  std::vector<std::string> values;
  for (uint32_t row = column.rows.first; row < column.rows.first + column.rows.count; ++row) {
    const std::string_view text = column.Text(row);
    const uint64_t bits = text.data() == nullptr ? column.Bits(row) : 0;
    values.push_back(ValueText(column.Kind(row), bits, text));
  }
  std::erase(values, "-");
  return values;
}

std::vector<std::string> Values(const pb::XPlane& plane, const std::string& key) {
  std::vector<std::string> values;
  for (const pb::XLine& line : plane.lines()) {
    for (const pb::XEvent& event : line.events()) {
      std::string value = FirstValue(event.stats(), key, plane);
      const auto metadata = plane.event_metadata().find(event.metadata_id());
      if ((value.empty() || value == "-") && metadata != plane.event_metadata().end()) {
        value = FirstValue(metadata->second.stats(), key, plane);
      }
      if (!value.empty() && value != "-") values.push_back(value);
    }
  }
  return values;
}

// Every third event of the process, read alone, must have the value of the full column.
void CompareChosenEvents(const Store& store, ProcessId process, const std::string& key) {
  Context context;
  const DetailColumn all = ReadColumn(store, process, DetailKey::Named(key), context).value();
  std::vector<EventId> events;
  for (uint32_t i = 0; i < all.rows.count; i += 3) events.emplace_back(all.rows.first + i);
  const DetailKey keys[] = {DetailKey::Named(key)};
  const DetailColumn some =
      std::move(ReadColumns(store, process, events, keys, context).value()[0]);
  REQUIRE(some.rows.count == events.size());
  for (uint32_t i = 0; i < events.size(); ++i) {
    const uint32_t row = events[i].value;
    REQUIRE(some.Kind(i) == all.Kind(row));
    REQUIRE(some.Integer(i) == all.Integer(row));
    REQUIRE(some.Text(i) == all.Text(row));
  }
}

// Keys read together must equal keys read alone.
void CompareAllAtOnce(const Store& store, ProcessId process, const std::vector<std::string>& keys) {
  Context context;
  std::vector<DetailKey> wanted;
  for (const std::string& key : keys) wanted.push_back(DetailKey::Named(key));
  const std::vector<DetailColumn> together = ReadColumns(store, process, wanted, context).value();
  REQUIRE(together.size() == keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    INFO("key " << keys[i]);
    const DetailColumn alone = ReadColumn(store, process, wanted[i], context).value();
    REQUIRE(together[i].rows.first == alone.rows.first);
    REQUIRE(together[i].rows.count == alone.rows.count);
    for (uint32_t row = alone.rows.first; row < alone.rows.first + alone.rows.count; ++row) {
      REQUIRE(together[i].Kind(row) == alone.Kind(row));
      REQUIRE(together[i].Text(row) == alone.Text(row));
      if (!alone.TextId(row).some()) REQUIRE(together[i].Bits(row) == alone.Bits(row));
    }
  }
}

}  // namespace

std::vector<std::string> ValuesOf(const Store& store, ProcessId process, const std::string& key) {
  return Values(store, process, key);
}

void RequireSameFacts(const Store& store, const pb::XSpace& space) {
  REQUIRE(Difference(Lines(store), Lines(space)) == "");
  for (int p = 0; p < space.planes_size(); ++p) {
    std::map<std::string, int> keys;
    for (const auto& [id, metadata] : space.planes(p).stat_metadata()) ++keys[metadata.name()];
    const ProcessId process(static_cast<uint64_t>(p));
    std::vector<std::string> all = {"no such key", "work", "allocator", "grid", "registers"};
    for (const auto& [key, times] : keys) all.push_back(key);
    CompareAllAtOnce(store, process, all);
    for (const auto& [key, times] : keys) {
      if (key.empty() || times > 1) continue;
      INFO("plane " << p << " key " << key);
      REQUIRE(Difference(Values(store, process, key), Values(space.planes(p), key)) == "");
      CompareChosenEvents(store, process, key);
    }
  }
}

}  // namespace tfprof
