// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/attributes.h"
#include "core/base/pattern.h"

namespace tfprof {

struct Store;

enum class OutputKind : uint8_t { stdout_text, file, timeline, pprof, proto, none };

struct Output {
  OutputKind kind = OutputKind::stdout_text;
  std::string path;  // outfile=
};

// One term of -where: COLUMN OP VALUE, OP one of = != < <= > >= ~ (~ is a regular expression).
struct Where {
  std::string column;
  std::string op;
  std::string value;
  bool original = false;  // a bare number is in the unit of -ids original
};

// What a command asks for, parsed and checked: views cannot fail on it. Defaults are the
// original's. Sizes in bytes, times in us.
struct Query {
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
  int64_t step = -1;       // negative: the average over the steps in which a node ran
  int64_t last_step = -1;  // of a range `step` .. `last_step`, asked like the average; -1: no range
  OrderBy order_by = OrderBy::name;
  PatternList account_type_regexes{std::vector<std::string>{".*"}};
  PatternList start_name_regexes{std::vector<std::string>{".*"}};
  PatternList trim_name_regexes;
  PatternList show_name_regexes{std::vector<std::string>{".*"}};
  PatternList hide_name_regexes;
  bool account_displayed_op_only = false;
  std::vector<Attribute> select{Attribute::micros};  // in the asked order, each once
  Output output;

  // For people; the original has none of these.
  std::string format;                // of Emitters(); empty: the door's default
  bool original_ids = false;         // -ids original: the first version of JSON, CSV and TSV
  std::string table;                 // of csv and tsv; empty: the first of the answer
  int64_t rows = -1;                 // -n; -1: no limit
  std::vector<std::string> columns;  // ids; empty: the selected ones
  std::string order_column;          // -order_by of a table that is not scope, graph, op, code
  std::vector<Where> where;
  bool fold = true;    // rows alike but for a number stand as one: core/report/fold.h
  std::string unfold;  // only the rows that the one of this name stands for; empty: all
  std::string device;  // part of a device name, any case; empty: all
  std::string host;    // likewise
  // Which graph nodes count at all: parts of names or operation types, any case; and a scope.
  std::vector<std::string> focus;   // nodes that have one of them; empty: all
  std::vector<std::string> ignore;  // nodes that have none of them
  std::string under;                // nodes in this scope, or of this name; empty: all
  std::string subject;              // of a question about one thing: what it was called with
  std::string view;  // of a command that writes the rows of a view; empty: its default
  bool overwrite = false;
  bool details = false;               // of timeline: what the profile says of each execution
  bool oplog = false;                 // of save: the op log alone
  std::vector<std::string> checkers;  // of advise, by name; empty: all
  std::vector<std::string> fail_if;   // of advise: severities and checkers; of diff: limits
  std::shared_ptr<const Store> base;  // of diff: the profile to compare with
  bool original_advice = false;       // of advise: what the original's checkers find, by its rules

  bool AsksSteps() const { return step >= 0; }
  bool TakesStep(int64_t number) const {
    return step < 0 || number == step || (number > step && number <= last_step);
  }
  std::string StepText() const {  // as it is typed: 3, 2:8
    return last_step < 0 ? std::to_string(step)
                         : std::to_string(step) + ":" + std::to_string(last_step);
  }
  bool AsksNames() const { return !focus.empty() || !ignore.empty() || !under.empty(); }
  bool AsksPlaces() const { return !device.empty() || !host.empty(); }
  bool Selects(Attribute attribute) const {
    for (const Attribute a : select) {
      if (a == attribute) return true;
    }
    return false;
  }
};

}  // namespace tfprof
