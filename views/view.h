// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/query/options.h"  // OptionGroup
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// What the word after the name of a view is.
enum class Subject : uint8_t {
  none,   // there is none
  rows,   // how many rows to show; may be left out
  name,   // of a graph node, scope or operation type, or the number of a row of the last answer
  text,   // anything
  scope,  // like a name; may be left out
  base,   // a file to compare with; may be left out where one was named before
};

// What the rows of the first table are.
enum class RowsAre : uint8_t {
  facts,  // measurements, findings, events
  // A row's number stands for its name in commands:
  things,  // graph nodes, scopes, or of several kinds
  types,   // operation types, whatever nodes are called
};

// One question about a profile.
struct View {
  std::string_view name;     // the command
  std::string_view summary;  // one line for `help`
  std::string_view help;     // what rows and numbers mean, for `help NAME`
  std::string_view example;  // commands that run on any profile, one per line
  unsigned options;
  bool classic;  // the original has it: its classic text is fixed byte for byte
  bool flat;     // rows are a list: -max_depth, where it is read, counts rows

  // Errors: usage (a step that is not there; code without traces), cancelled.
  Result<Report> (*make)(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context);
  TableDefs (*tables)();        // every table that an answer may have
  bool draws_one_step = false;  // its timeline is that of a step: there is none of the average
  Subject subject = Subject::none;
  int rows_for_people = 0;  // where -n says nothing; 0: as many as the screen has
  RowsAre rows_are = RowsAre::facts;
  EventsRead reads = {};             // without -step; see ReadBy
  bool device_is_allocator = false;  // -device is a part of the name of one
};

// Every view, in the order of `help`.
std::span<const View> Views();
const View* FindView(std::string_view name);

// The events that an answer is made of. A store that has only those gives the same answer.
EventsRead ReadBy(const View& view, const Query& query);

}  // namespace tfprof
