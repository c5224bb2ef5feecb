// SPDX-License-Identifier: Apache-2.0
#include "cli/unmatched.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "cli/message.h"
#include "core/any_case.h"
#include "core/option_values.h"
#include "views/place.h"

namespace tfprof {
namespace {

constexpr size_t kShownDevices = 8;

// What is looked for, -device or -host.
struct Asked {
  std::string_view what;
  const std::string& part;
  Query query = {};  // for it alone
};

Asked AskedFor(const std::string& part, bool host) {
  Asked asked{host ? "host" : "device", part};
  (host ? asked.query.host : asked.query.device) = part;
  return asked;
}

// What -device and -host are looked for in, as it is told. Of a trace: its hosts, or its processes.
std::vector<std::string> Places(const Store& store, const Asked& asked) {
  std::vector<std::string> places;
  if (store.processes.empty()) {
    for (const Lane& lane : store.lanes) places.emplace_back(store.Text(lane.display));
  } else if (asked.what == "host") {
    for (size_t i = 0; i < store.hosts.size(); ++i) {
      places.emplace_back(HostName(store, HostId(i)));
    }
  } else {
    for (const Process& process : store.processes) places.push_back(PlaceName(store, process));
  }
  return places;
}

bool IsAnywhere(const Store& store, const Asked& asked) {
  if (store.processes.empty()) {
    return std::any_of(store.lanes.begin(), store.lanes.end(), [&](const Lane& lane) {
      return lane.name.some() && ContainsAnyCase(store.Text(lane.name), asked.part);
    });
  }
  return std::any_of(store.processes.begin(), store.processes.end(),
                     [&](const Process& of) { return InPlace(store, of, asked.query); });
}

// Whether a process of a trace has events.
bool HasEvents(const Store& store, const Process& process) {
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    if (store.lanes[process.lanes.first + i].rows.count > 0) return true;
  }
  return false;
}

// "/device:GPU:0 has no events; devices with events: ...", when all that are asked for have none.
// Of hosts whose events were not read nobody knows.
std::string WithoutEvents(const Store& store, const Asked& asked) {
  std::string list, first;
  for (const Process& process : store.processes) {
    const bool is_read = process.kind != ProcessKind::host || store.events_read.hosts;
    const bool has_events = HasEvents(store, process);
    const std::string name = PlaceName(store, process);
    if (has_events) list.append(list.empty() ? " " : ", ").append(name);
    if (!InPlace(store, process, asked.query)) continue;
    if (has_events || !is_read) return {};
    if (first.empty()) first = name;
  }
  if (first.empty()) return {};
  return fmt::format("{} has no events; devices with events:{}\n", Printable(first),
                     list.empty() ? " none" : Printable(list));
}

// "no device contains PART; devices: ...", when that is so.
std::string UnmatchedPlace(const Store& store, const Asked& asked) {
  if (IsAnywhere(store, asked)) return asked.what == "device" ? WithoutEvents(store, asked) : "";
  const std::vector<std::string> places = Places(store, asked);
  std::string list = places.empty() ? " none" : " ";
  for (size_t i = 0; i < std::min(places.size(), kShownDevices); ++i) {
    list.append(i == 0 ? "" : ", ").append(places[i]);
  }
  if (places.size() > kShownDevices) {
    list += fmt::format(" and {} more", places.size() - kShownDevices);
  }
  const bool told_hosts = asked.what == "host" && !store.processes.empty();
  return fmt::format("no {} contains {}; {}:{}\n", asked.what, Printable(asked.part),
                     told_hosts ? "hosts" : "devices", Printable(list));
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
  const std::string& text = list.patterns().front();
  const std::string first = Printable(text);
  const auto containing = std::count_if(names.begin(), names.end(), [&](std::string_view name) {
    return ContainsAnyCase(name, text);
  });
  const bool whole = list.size() == 1 && !text.starts_with(".*");
  std::string hint;
  if (whole && containing > 0) {
    hint = fmt::format("; it is a part of {} name{}: .*{}.* matches {}", containing,
                       containing == 1 ? "" : "s", first, containing == 1 ? "it" : "them");
  } else if (whole) {
    const std::string part = first.find('|') == first.npos ? first : "(" + first + ")";
    hint = fmt::format(": .*{}.* matches part of a name", part);
  }
  return fmt::format("no name matches {} as a whole{}\n", Printable(JoinList(list.patterns())),
                     hint);
}

}  // namespace

Result<std::string> Unmatched(const Session& session, const View& view, const Query& query,
                              const Report& report, Context& context) {
  std::string lines;
  // Views of traces look for it elsewhere too: in allocators, say.
  const bool asks = session.store->processes.empty() || ShowsNone(report);
  if (asks && !query.device.empty())
    lines += UnmatchedPlace(*session.store, AskedFor(query.device, false));
  if (asks && !query.host.empty())
    lines += UnmatchedPlace(*session.store, AskedFor(query.host, true));
  if (ShowsNone(report) && !query.under.empty()) {
    lines += fmt::format("nothing that counts is in the scope {}\n", Printable(query.under));
  } else if (ShowsNone(report) && !query.focus.empty()) {
    lines += fmt::format("nothing that counts has {} in its name or type\n",
                         Printable(JoinList(query.focus)));
  }
  const bool all = query.start_name_regexes.MatchesAll() && query.show_name_regexes.MatchesAll();
  if (!lines.empty() || all || !ShowsNone(report)) return lines;

  Query any;  // leaves no name out
  any.select = query.select;
  any.step = query.step;
  any.last_step = query.last_step;
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
