// SPDX-License-Identifier: Apache-2.0
#include "cli/unmatched.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "cli/message.h"
#include "core/option_values.h"

namespace tfprof {
namespace {

constexpr size_t kShownDevices = 8;

bool Contains(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// What -device and -host are looked for in, each once. Of a trace: its processes with the models of
// their devices, and its hosts (views/place.h).
std::vector<std::string_view> Places(const Store& store, bool hosts) {
  std::vector<std::string_view> places;
  const auto add = [&](NameId name) {
    const std::string_view text = store.Text(name);
    const bool known = std::find(places.begin(), places.end(), text) != places.end();
    if (name.some() && !known) places.push_back(text);
  };
  for (const Host& host : store.hosts) {
    if (hosts && !store.processes.empty()) add(host.name);
  }
  for (const Process& process : store.processes) {
    if (hosts) break;
    add(process.name);
    if (process.device.some()) add(store.devices[process.device.value].model);
  }
  if (store.processes.empty()) {
    for (const Lane& lane : store.lanes) add(lane.name);
  }
  return places;
}

// "no device contains PART; devices: ...", when that is so.
std::string UnmatchedPlace(const Store& store, std::string_view what, const std::string& part) {
  const bool hosts = what == "host";
  const std::vector<std::string_view> places = Places(store, hosts);
  std::string list;
  for (size_t i = 0; i < places.size(); ++i) {
    if (Contains(places[i], part)) return {};
    if (i < kShownDevices) list.append(" ").append(places[i]);
  }
  if (places.size() > kShownDevices) {
    list += fmt::format(" and {} more", places.size() - kShownDevices);
  }
  const bool of_trace = hosts && !store.processes.empty();
  return fmt::format("no {} contains {}; {}:{}\n", what, Printable(part),
                     of_trace ? "hosts" : "devices", places.empty() ? " none" : Printable(list));
}

// No row, or the root of a tree alone.
bool ShowsNone(const Report& report) {
  if (report.tables.empty()) return false;
  const Table& table = report.tables.front();
  return table.PrintedRows() == 0 || (table.rows == 1 && table.tree);
}

std::string UnmatchedList(const PatternList& list, const std::vector<std::string_view>& names) {
  const auto matches = [&](std::string_view name) { return list.Matches(name); };
  if (list.MatchesAll() || list.empty()) return {};
  if (std::any_of(names.begin(), names.end(), matches)) return {};
  const std::string first = Printable(list.patterns().front());
  const bool whole = list.size() == 1 && !first.starts_with(".*");
  const std::string part = first.find('|') == first.npos ? first : "(" + first + ")";
  const std::string hint = whole ? fmt::format(": .*{}.* matches part of a name", part) : "";
  return fmt::format("no name matches {} as a whole{}\n", Printable(JoinList(list.patterns())),
                     hint);
}

}  // namespace

Result<std::string> Unmatched(const Session& session, const View& view, const Query& query,
                              const Report& report, Context& context) {
  std::string lines;
  if (!query.device.empty()) lines += UnmatchedPlace(*session.store, "device", query.device);
  if (!query.host.empty()) lines += UnmatchedPlace(*session.store, "host", query.host);
  const bool all = query.start_name_regexes.MatchesAll() && query.show_name_regexes.MatchesAll();
  if (!lines.empty() || all || !ShowsNone(report)) return lines;

  Query any;  // leaves no name out
  any.select = query.select;
  any.step = query.step;
  any.max_depth = Query::kAnyDepth;
  TFPROF_ASSIGN(const Report everything, view.make(session.store, *session.indexes, any, context));
  const Table& table = everything.tables.front();
  const ReportColumn* names = table.Find("name");
  if (names == nullptr) return lines;
  lines += UnmatchedList(query.start_name_regexes, names->texts);
  lines += UnmatchedList(query.show_name_regexes, names->texts);
  return lines;
}

}  // namespace tfprof
