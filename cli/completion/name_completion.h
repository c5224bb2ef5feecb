// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/session.h"

namespace tfprof {

// The names to look for.
struct NamesAsked {
  enum Kinds : uint8_t { scopes, tree, types, all };  // tree: scopes and nodes

  std::string_view typed;  // prefix of the names
  Kinds kinds = all;
  std::string under;     // the scope to look in, by names relative to it
  bool anywhere = true;  // if the scope has none: of the whole profile
  size_t most = SIZE_MAX;
};

struct NamesFound {
  std::vector<std::string> names;  // the costliest first
  size_t more = 0;                 // names found beyond NamesAsked::most
  std::string shared;              // if `more`: the common prefix of all
};

// Names of the open profile: scopes (with a trailing slash) and nodes, one level below the last
// typed slash, and operation types. None if `context` was cancelled.
NamesFound NamesThatBegin(const Session& session, const NamesAsked& asked, Context& context);

// The values of -step, ascending. None if `context` was cancelled.
std::vector<std::string> StepTexts(const Session& session, Context& context);
// Names of lanes (or processes) and of hosts, as -device and -host match them.
std::vector<std::string> DeviceNames(const Session& session);
std::vector<std::string> HostNames(const Session& session);
// Ids and human-readable headings of the columns of the last answer if `command` made it, else of
// the columns that `command` can produce. Empty `command`: of the last answer, whichever command
// made it.
std::vector<std::string> ColumnNames(const Session& session, std::string_view command = {});

}  // namespace tfprof
