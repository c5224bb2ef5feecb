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

// The argument after the name of a view.
enum class Subject : uint8_t {
  none,   // none
  rows,   // number of rows to show; optional
  name,   // name of a graph node, scope, operation type or source line, or a row number of the last
          // answer
  text,   // any text
  scope,  // as name, but optional
  base,   // file to compare with; optional if one was named before
};

// The kind of rows in the first table.
enum class RowMeaning : uint8_t {
  facts,  // measurements, findings, events
  // In commands, a row's number means its name:
  entities,  // graph nodes, scopes, source lines, or several kinds
  types,     // operation types, whatever names nodes have
};

// What a profile must contain for a view to have rows. It decides which views `help` lists apart.
enum class Needs : uint8_t {
  nothing,
  trace,
  device,  // work of a device
  gpu,     // kernels of a GPU
  copies,  // likewise of a device, or copies that a run recorded
};

using MakeReport = Result<Report>(const StorePtr& store, const Indexes& indexes, const Query& query,
                                  Context& context);
using DeclareTables = TableDefs();
// Adds the tables of an answer by the categories of the recorder.
using AddTables = Result<void>(const StorePtr& store, const Indexes& indexes, Context& context,
                               Report* report);

// A view of a profile.
struct View {
  std::string_view name;     // the command
  std::string_view summary;  // one line for `help`
  std::string_view help;     // the meaning of rows and numbers, for `help NAME`
  std::string_view example;  // commands that run on any profile, one per line
  unsigned options;
  bool classic = false;  // one of the original's views: its classic text is fixed byte for byte
  bool tree = false;     // else rows are a list: -max_depth, if read, limits their number

  // Errors: usage (no such step; code without traces), cancelled.
  MakeReport* make;
  DeclareTables* tables;  // every table that an answer may have
  // With -ids original, the answer about a profile whose recorder gives categories to its events:
  // as the tools for such profiles count (views/categories/tables.h). Null: as of any other
  // profile.
  AddTables* by_category = nullptr;
  bool exports_one_step = false;  // its timeline is of one step: the average has none
  Subject subject = Subject::none;
  int rows_for_humans = 0;  // default of -n for tables; 0: as many as the screen has
  RowMeaning row_meaning = RowMeaning::facts;
  bool counts_flops = false;         // always, whatever is selected
  EventsRead reads = {};             // without -step; see ReadBy
  bool device_is_allocator = false;  // -device is a part of an allocator's name
  // It reads compiled programs: damage of these affects its answer. Views of nodes get such notes
  // with the nodes.
  bool reads_programs = false;
  bool shows_jobs = false;  // it reads Query::jobs
  Needs needs = Needs::nothing;
  std::span<const RowsBy> rows_by = {};  // the values of -by that it accepts, besides the default
};

// Returns in a few words what `store` lacks for the view: "needs a trace". Empty: nothing.
std::string_view Lacks(const View& view, const Store& store);

// Returns an empty answer with the notes of the store, then `further`.
Report NewReport(std::string_view view, const StorePtr& store, std::span<const Note> further = {});

// Returns every view, in the order of `help`.
std::span<const View> Views();
const View* FindView(std::string_view name);

// The views that commands select by themselves.
const View& ScopeView();
const View& OpView();
const View& CodeView();

// Returns the events that an answer needs. A store with only those gives the same answer.
EventsRead ReadBy(const View& view, const Query& query);

}  // namespace tfprof
