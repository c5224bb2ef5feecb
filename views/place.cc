// SPDX-License-Identifier: Apache-2.0
#include "views/place.h"

#include <algorithm>

namespace tfprof {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool Contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return Lower(a) == Lower(b); }) != text.end();
}

}  // namespace

bool InPlace(const Store& store, const Process& process, const Query& query) {
  const std::string_view host =
      process.host.some() ? store.Text(store.hosts[process.host.value].name) : "";
  if (!query.host.empty() && !Contains(host, query.host) &&
      !Contains(OwnName(store, process.host), query.host)) {
    return false;
  }
  if (query.device.empty() || Contains(store.Text(process.name), query.device)) return true;
  if (!process.device.some()) return false;
  return Contains(store.Text(store.devices[process.device.value].model), query.device);
}

std::string OwnName(const Store& store, HostId host) {
  if (!host.some()) return {};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    if (store.processes[i].host != host) continue;
    const auto details = DetailsOf(store, ProcessId(i));
    if (!details) break;  // the file cannot be read any more
    for (const Detail& detail : *details) {
      if (detail.key == "hostname" && !detail.text.empty()) return std::string(detail.text);
    }
  }
  return std::string(store.Text(store.hosts[host.value].name));
}

}  // namespace tfprof
