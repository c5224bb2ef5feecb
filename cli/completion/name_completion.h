// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/session.h"

namespace tfprof {

// Which names are looked for.
struct NamesAsked {
  enum Kinds : uint8_t { scopes, tree, types, all };  // tree: scopes and nodes

  std::string_view typed;  // what they begin with
  Kinds kinds = all;
  std::string under;     // the scope that they are looked for in, by their names in it
  bool anywhere = true;  // else of the whole profile, where there is none
  size_t most = SIZE_MAX;
};

struct NamesFound {
  std::vector<std::string> names;  // the costliest first
  size_t more = 0;                 // that were found beyond NamesAsked::most
  std::string shared;              // where there are more: what all begin with
};

// Names of the open profile: scopes (with a slash behind them) and nodes, one level below the last
// slash in what is typed, and operation types. None when `context` was cancelled.
NamesFound NamesThatBegin(const Session& session, const NamesAsked& asked, Context& context);

// What -step takes, ascending. None when `context` was cancelled.
std::vector<std::string> StepTexts(const Session& session, Context& context);
// Of lanes, or of processes; as -device and -host look for them.
std::vector<std::string> DeviceNames(const Session& session);
std::vector<std::string> HostNames(const Session& session);
// Ids and headings that people name of the columns of the last answer, if `command` made it, else
// of those that an answer of `command` has; empty: of the last answer, whatever made it.
std::vector<std::string> ColumnNames(const Session& session, std::string_view command = {});

}  // namespace tfprof
