// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/attributes.h"
#include "core/query/condition.h"
#include "core/text/pattern.h"

namespace tfprof {

struct Store;

// The original's name of the root of a tree. Tables show kRootTitle instead; commands accept both.
constexpr std::string_view kRootName = "_TFProfRoot";
constexpr std::string_view kRootTitle = "(total)";
constexpr bool IsRoot(std::string_view name) { return name == kRootName || name == kRootTitle; }

// How flops are counted that no log has: -shape and -initializers.
struct FlopCounting {
  bool counts = false;       // a query needs them
  bool initializers = true;  // also of operations that only compute first values of variables
  std::vector<std::string> shapes = {};  // NAME=32,224,224,3

  bool operator==(const FlopCounting&) const = default;
};

// Filters of place and time: -host, -device and -step.
struct PlaceFilter {
  std::string host = {};    // part of a name, any case; empty: all
  std::string device = {};  // likewise
  int64_t step = -1;        // negative: all steps
  int64_t last_step = -1;   // end of a range `step` .. `last_step`; -1: no range
  bool sum_steps = false;   // -step all: the sum over the steps; else their mean
  // Nodes count as in core/report/measure_scale.h. False: by the original's rules.
  bool exact = false;
  bool whole_us = false;    // exact sums of the times that a saved profile keeps: see TimeOfRow
  FlopCounting flops = {};  // for exact sums

  bool operator==(const PlaceFilter&) const = default;

  bool SelectsSteps() const { return step >= 0; }
  bool TakesStep(int64_t number) const {
    return step < 0 || number == step || (number > step && number <= last_step);
  }
  std::string StepText() const {  // as typed: 3, 2:8, all
    if (sum_steps) return "all";
    return last_step < 0 ? std::to_string(step)
                         : std::to_string(step) + ":" + std::to_string(last_step);
  }
  static PlaceFilter OfStep(int64_t number) { return {.step = number}; }
  static PlaceFilter Exact() { return {.exact = true}; }
  PlaceFilter OfHosts() const { return {.host = host}; }  // any device, any step
  // The same places and steps, whatever counts there. `exact` selects among steps, too.
  PlaceFilter OfPlaces() const {
    return {.host = host,
            .device = device,
            .step = step,
            .last_step = last_step,
            .exact = exact && SelectsSteps()};
  }
  bool FiltersPlaces() const { return !device.empty() || !host.empty(); }
};

// Filters of the graph nodes that count, also in totals.
struct NodeFilter {
  // Out of line: every function that returns one would contain a copy of these.
  NodeFilter();
  NodeFilter(const NodeFilter&);
  NodeFilter(NodeFilter&&) noexcept;
  NodeFilter& operator=(const NodeFilter&);
  NodeFilter& operator=(NodeFilter&&) noexcept;
  ~NodeFilter();

  PatternList account_type_regexes{std::vector<std::string>{".*"}};
  std::vector<std::string> focus;   // keep nodes with one of these in name or type; empty: all
  std::vector<std::string> ignore;  // drop nodes with one of these
  std::string under;                // keep nodes in this scope, or of this name; empty: all

  bool FiltersNames() const { return !focus.empty() || !ignore.empty() || !under.empty(); }
};

// Filters of the counted rows that the original's views show. Sizes in bytes, times in us.
struct TreeFilter {
  TreeFilter();
  TreeFilter(const TreeFilter&);
  TreeFilter(TreeFilter&&) noexcept;
  TreeFilter& operator=(const TreeFilter&);
  TreeFilter& operator=(TreeFilter&&) noexcept;
  ~TreeFilter();

  static constexpr int32_t kAnyDepth = std::numeric_limits<int32_t>::max();

  int32_t max_depth = 10;
  int64_t min_bytes = 0;
  int64_t min_peak_bytes = 0;
  int64_t min_residual_bytes = 0;
  int64_t min_output_bytes = 0;
  int64_t min_micros = 0;
  int64_t min_accelerator_micros = 0;
  int64_t min_cpu_micros = 0;
  int64_t min_params = 0;
  int64_t min_float_ops = 0;
  int64_t min_occurrence = 0;
  PatternList start_name_regexes{std::vector<std::string>{".*"}};
  PatternList trim_name_regexes;
  PatternList show_name_regexes{std::vector<std::string>{".*"}};
  PatternList hide_name_regexes;
  bool account_displayed_op_only = false;
};

// The columns and rows of the output, and its format.
struct Display {
  Display();
  Display(const Display&);
  Display(Display&&) noexcept;
  Display& operator=(const Display&);
  Display& operator=(Display&&) noexcept;
  ~Display();

  std::vector<Attribute> select{Attribute::micros};  // in the given order, without duplicates
  std::vector<std::string> further;  // ids of other columns that -select names: FurtherColumn
  bool sums_times = false;  // -select names micros, the original's sum of device and host time
  OrderBy order_by = OrderBy::name;
  std::string order_column;          // -order_by for tables other than scope, graph, op, code
  std::string format;                // of Emitters(); empty: the mode's default
  bool original_ids = false;         // -ids original: the first version of JSON, CSV and TSV
  std::string table;                 // for csv and tsv; empty: the first table
  int64_t rows = -1;                 // -n; -1: no limit
  std::vector<std::string> columns;  // ids; empty: the selected ones
  Condition where;                   // of -where
  bool all_frames = true;            // -frames all: also those of frameworks and of Python
  bool fold = true;                  // fold rows that differ in a number: core/report/fold.h
  std::string unfold;       // show only the rows of the folded row of this name; empty: all
  bool full_names = false;  // -names full: kernels with their whole signature

  bool Selects(Attribute attribute) const {
    for (const Attribute a : select) {
      if (a == attribute) return true;
    }
    return false;
  }
};

enum class OutputKind : uint8_t { stdout_text, file, timeline, pprof, proto, none };

struct Output {
  OutputKind kind = OutputKind::stdout_text;
  std::string path;  // outfile=
  bool overwrite = false;
};

struct DiffOptions {
  std::shared_ptr<const Store> base;  // the profile to compare with; null: this one
  int64_t with_step = -1;             // of this profile; the base is `place.step`. -1: none
  int64_t with_last_step = -1;  // end of a range `with_step` .. `with_last_step`; -1: no range
  bool drawn = false;           // -diff of flame: draws changes
  bool unchanged = false;       // tables for readers also show rows that did not change
};

// A job of several that were opened side by side.
struct Job {
  std::string name;                    // its folder or file, as the user gave it
  std::shared_ptr<const Store> store;  // null: it cannot be opened
  std::string error;                   // why not
};

// A process that uses a GPU of this machine now.
struct GpuProcess {
  int64_t pid = kNoInt;
  std::string program = {};  // empty: not visible; likewise the others
  std::string user = {};
  std::string began = {};  // UTC
  int64_t memory_bytes = kNoInt;
};

// A GPU of this machine now.
struct GpuNow {
  int64_t index = kNoInt;
  std::string name = {};
  double busy_pct = kNoReal;
  int64_t used_bytes = kNoInt;
  int64_t total_bytes = kNoInt;
  std::vector<GpuProcess> processes = {};
};

struct AdviseOptions {
  std::vector<std::string> checkers;  // by name; empty: all
  bool original = false;              // findings of the original's checkers, by its rules
};

// The rows of views with -by. each: kernels by name, operation and launch parameters; instructions.
enum class RowsBy : uint8_t { each, name, op, launch, category, program };

// Selects instructions of compiled programs, whether they ran or not.
struct ProgramOptions {
  bool all = false;         // also those that did not run
  std::string program;      // part of the name, or the ID; empty: all
  std::string stage;        // part of the stage; empty: the last one of each program
  std::string with_stage;   // of diff: the stage of this profile; `stage` is that of the base
  std::string instruction;  // the name; empty: all
  int64_t width = 1;        // around `instruction`: how many operands or users away
  std::string at;           // of memory: "peak", "times" or a time as typed; empty: events
  int64_t at_ps = kNoInt;   // that time, from time 0 of the profile; kNoInt: none

  bool Selects() const { return all || !program.empty() || !stage.empty() || !instruction.empty(); }
};

// A parsed and checked command: views cannot fail on it. Defaults are the original's.
struct Query {
  Query();
  Query(const Query&);
  Query(Query&&) noexcept;
  Query& operator=(const Query&);
  Query& operator=(Query&&) noexcept;
  ~Query();

  PlaceFilter place;
  NodeFilter nodes;
  TreeFilter tree;
  Display display;
  Output output;
  std::string subject;               // of a query about one thing: its name as typed
  std::string view;                  // of diff and of commands that export the rows of a view
  std::vector<std::string> fail_if;  // of advise: severities and checkers; of diff: limits
  DiffOptions diff;
  std::vector<Job> jobs;     // of the view jobs, in the given order; empty: the open profile alone
  std::vector<GpuNow> gpus;  // likewise, of this machine; empty: not known
  AdviseOptions advise;
  RowsBy rows_by = RowsBy::each;
  ProgramOptions programs;
  bool details = false;                 // of timeline: include all details of each execution
  bool oplog = false;                   // of save: write only the op log
  int64_t max_page_bytes = 20'000'000;  // of report
  std::string sources;                  // of report: a folder of source files; empty: none
};

struct MinOption {
  std::string_view option;
  int64_t TreeFilter::*min;
  Measure measure;
};

// By the original's rule, each threshold that is not given is 0, so that one negative value hides
// its row in every query. kNoInt: no value is too small.
inline constexpr MinOption kMinOptions[] = {
    {"min_bytes", &TreeFilter::min_bytes, Measure::bytes},
    {"min_peak_bytes", &TreeFilter::min_peak_bytes, Measure::peak_bytes},
    {"min_residual_bytes", &TreeFilter::min_residual_bytes, Measure::residual_bytes},
    {"min_output_bytes", &TreeFilter::min_output_bytes, Measure::output_bytes},
    {"min_micros", &TreeFilter::min_micros, Measure::micros},
    {"min_accelerator_micros", &TreeFilter::min_accelerator_micros, Measure::accelerator_micros},
    {"min_cpu_micros", &TreeFilter::min_cpu_micros, Measure::cpu_micros},
    {"min_params", &TreeFilter::min_params, Measure::params},
    {"min_float_ops", &TreeFilter::min_float_ops, Measure::float_ops},
    {"min_occurrence", &TreeFilter::min_occurrence, Measure::run_count},
};

// A filter that hides no row.
inline TreeFilter HidesNone() {
  TreeFilter tree;
  tree.max_depth = TreeFilter::kAnyDepth;
  for (const MinOption& one : kMinOptions) tree.*one.min = kNoInt;
  return tree;
}

}  // namespace tfprof
