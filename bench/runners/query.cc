// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>

#include "analysis/nodes/scope_tree.h"
#include "bench/generators/generate.h"
#include "bench/runners/files.h"
#include "bench/runners/program.h"
#include "core/report/fold.h"
#include "emitters/emitter.h"
#include "loaders/io/mapping.h"
#include "loaders/open.h"
#include "views/view.h"

// bench_query: the cost of answers on graphs of growing size, in process, after loading. Constant
// times per node across sizes show that the cost is linear.

namespace tfprof {
namespace {

struct Options {
  std::vector<int64_t> nodes{10'000, 100'000, 1'000'000};
  int64_t steps = 2;
  int rounds = 9;
  std::string only;  // part of a line's name
};

struct Profile {
  StorePtr store;
  double load_s = 0;
};

// One file per step, as programs write them, and an op log that gives every node a code trace.
Result<std::vector<Input>> WriteInputs(const ScratchFolder& folder, int64_t nodes, int64_t steps) {
  std::vector<Input> inputs{{folder.File("graph"), "graphdef"}, {folder.File("log"), "op_log"}};
  TFPROF_TRY(WriteFile(inputs[0].path, [&](Sink& sink) { return WriteGraph(nodes, sink); }));
  TFPROF_TRY(WriteFile(inputs[1].path, [&](Sink& sink) { return WriteOpLog(nodes, sink); }));
  for (int64_t step = 0; step < steps; ++step) {
    inputs.push_back({folder.File(fmt::format("run_{}", step)), "run_metadata"});
    TFPROF_TRY(WriteFile(inputs.back().path, [&](Sink& sink) {
      return WriteRunMetadata({.nodes = nodes, .steps = 1}, step, sink);
    }));
  }
  return inputs;
}

Result<Profile> MakeProfile(int64_t nodes, int64_t steps) {
  const ScratchFolder folder;
  TFPROF_ASSIGN(const std::vector<Input> inputs, WriteInputs(folder, nodes, steps));
  Context context;
  const double start = CpuSeconds();
  TFPROF_ASSIGN(StorePtr store, Load(inputs, context));
  return Profile{std::move(store), CpuSeconds() - start};
}

// ---- queries ------------------------------------------------------------------------------------

struct Question {
  const char* view;
  const char* text;  // options that differ from the defaults, as typed
  void (*ask)(Query& query);
  bool first;  // before anything is derived from the store
};

void Shallow(Query& query) { query.tree.max_depth = 4; }

constexpr Question kQuestions[] = {
    {"scope", "first question, -max_depth 4", Shallow, true},
    {"scope", "-max_depth 4", Shallow, false},
    {"scope", "-max_depth 4 -step 1",
     [](Query& query) {
       Shallow(query);
       query.place.step = 1;
     },
     false},
    {"scope", "-max_depth 4 -account_type_regexes MatMul,.*gpu:0",
     [](Query& query) {
       Shallow(query);
       query.nodes.account_type_regexes = PatternList({"MatMul", ".*gpu:0"});
     },
     false},
    {"scope", "-max_depth 4 -order_by micros",
     [](Query& query) {
       Shallow(query);
       query.display.order_by = OrderBy::micros;
     },
     false},
    {"scope", "-max_depth 4 -show_name_regexes .*attention.*",
     [](Query& query) {
       Shallow(query);
       query.tree.show_name_regexes = PatternList({".*attention.*"});
     },
     false},
    {"scope", "-max_depth 10 -min_micros 5000", [](Query& query) { query.tree.min_micros = 5'000; },
     false},
    {"scope", "-max_depth 10 (every node)", [](Query&) {}, false},
    {"scope", "-order_by micros (every node)",
     [](Query& query) { query.display.order_by = OrderBy::micros; }, false},
    {"graph", "first question, -max_depth 4", Shallow, true},
    {"graph", "-max_depth 4", Shallow, false},
    {"op", "first question", [](Query&) {}, true},
    {"op", "-order_by micros", [](Query& query) { query.display.order_by = OrderBy::micros; },
     false},
    {"code", "first question", [](Query&) {}, true},
    {"code", "", [](Query&) {}, false},
};

struct Answer {
  double best_s = std::numeric_limits<double>::infinity();
  size_t rows = 0;
};

constexpr double kEnoughS = 5;  // time per query after which no further round starts

// The time to the first byte of output.
Result<Answer> Ask(const StorePtr& store, const Indexes& warm, const Question& question,
                   int rounds) {
  const View* view = FindView(question.view);
  if (view == nullptr) return Fail(ErrorKind::internal, "no such view", question.view);
  Answer answer;
  const double enough = CpuSeconds() + kEnoughS;
  for (int round = 0; round < rounds && (round == 0 || CpuSeconds() < enough); ++round) {
    Query query;
    question.ask(query);
    const Indexes cold(store);
    Context context;
    const double start = CpuSeconds();
    TFPROF_ASSIGN(const Report report,
                  view->make(store, question.first ? cold : warm, query, context));
    answer.best_s = std::min(answer.best_s, CpuSeconds() - start);
    answer.rows = report.tables.front().rows;
  }
  return answer;
}

// Prints classic text of every scope to memory; the time is that of 100,000 lines.
Result<Answer> PrintClassic(const StorePtr& store, const Indexes& indexes, int rounds) {
  const View* view = FindView("scope");
  const Emitter* emitter = FindEmitter("classic");
  if (view == nullptr || emitter == nullptr) return Fail(ErrorKind::internal, "no classic text");
  Query query;
  query.display.select = {Attribute::micros, Attribute::bytes, Attribute::params};
  Context context;
  TFPROF_ASSIGN(const Report report, view->make(store, indexes, query, context));
  Answer answer{.rows = report.tables.front().rows};
  for (int round = 0; round < rounds; ++round) {
    Sink sink;
    const double start = CpuSeconds();
    TFPROF_TRY(emitter->emit(report, query, Style{}, sink, context));
    answer.best_s =
        std::min(answer.best_s, (CpuSeconds() - start) * 1e5 / static_cast<double>(answer.rows));
  }
  return answer;
}

// Folds the rows of every scope into few rows.
Result<Answer> FoldScopes(const StorePtr& store, const Indexes& indexes, int rounds) {
  Answer answer;
  for (int round = 0; round < rounds; ++round) {
    Query query;
    query.display.order_by = OrderBy::micros;
    Context context;
    TFPROF_ASSIGN(Report report, FindView("scope")->make(store, indexes, query, context));
    answer.rows = report.tables.front().rows;
    const double start = CpuSeconds();
    TFPROF_TRY(Fold(&report, context));
    answer.best_s = std::min(answer.best_s, CpuSeconds() - start);
  }
  return answer;
}

Result<Answer> BuildTree(const StorePtr& store, int rounds) {
  Answer answer;
  for (int round = 0; round < rounds; ++round) {
    Context context;
    const double start = CpuSeconds();
    TFPROF_ASSIGN(const ScopeTree tree, ScopeTree::Build(*store, context));
    answer.best_s = std::min(answer.best_s, CpuSeconds() - start);
    answer.rows = tree.parent.size();
  }
  return answer;
}

// ---- the table: one line per query, one column per size -----------------------------------------

struct Line {
  std::string name;
  std::vector<Answer> by_size;
  bool per_node = true;
};

constexpr const char* kTree = "scope tree";
constexpr const char* kFold = "folding the rows of scope -order_by micros (every node)";
constexpr const char* kText = "100,000 lines of classic text";

Result<std::vector<Line>> MeasureSize(int64_t nodes, const Options& options) {
  TFPROF_ASSIGN(const Profile profile, MakeProfile(nodes, options.steps));
  const StorePtr& store = profile.store;
  const Indexes indexes(store);
  std::vector<Line> lines;
  const auto wants = [&](std::string_view name) { return name.find(options.only) != name.npos; };
  lines.push_back({"load graph, op log and steps", {{profile.load_s, store->nodes.size()}}});
  if (wants(kTree)) {
    TFPROF_ASSIGN(const Answer tree, BuildTree(store, options.rounds));
    lines.push_back({kTree, {tree}});
  }
  for (const Question& question : kQuestions) {
    const std::string name = fmt::format("{} {}", question.view, question.text);
    if (!wants(name)) continue;
    TFPROF_ASSIGN(const Answer answer, Ask(store, indexes, question, options.rounds));
    lines.push_back({name, {answer}});
  }
  if (wants(kFold)) {
    TFPROF_ASSIGN(const Answer folding, FoldScopes(store, indexes, options.rounds));
    lines.push_back({kFold, {folding}});
  }
  if (wants(kText)) {
    TFPROF_ASSIGN(const Answer text, PrintClassic(store, indexes, options.rounds));
    lines.push_back({kText, {text}, false});
  }
  return lines;
}

void Print(const std::vector<Line>& lines, const Options& options) {
  fmt::print("{:<57}", fmt::format("best of {}; {} steps; CPU ms (ns per node)", options.rounds,
                                   options.steps));
  for (const int64_t nodes : options.nodes) fmt::print("{:>11} nodes", nodes);
  fmt::print("{:>10}\n", "rows");
  for (const Line& line : lines) {
    fmt::print("{:<57}", line.name);
    for (size_t i = 0; i < line.by_size.size(); ++i) {
      const double ns = line.by_size[i].best_s * 1e9 / static_cast<double>(options.nodes[i]);
      const std::string per_node = line.per_node ? fmt::format("({:.0f})", ns) : "";
      fmt::print("{:>10.2f} {:>6}", line.by_size[i].best_s * 1e3, per_node);
    }
    fmt::print("{:>10}\n", line.by_size.back().rows);
  }
}

Result<void> MeasureAll(const Options& options) {
  std::vector<Line> lines;
  for (const int64_t nodes : options.nodes) {
    TFPROF_ASSIGN(std::vector<Line> of_size, MeasureSize(nodes, options));
    if (lines.empty()) {
      lines = std::move(of_size);
      continue;
    }
    for (size_t i = 0; i < lines.size(); ++i) lines[i].by_size.push_back(of_size[i].by_size[0]);
  }
  Print(lines, options);
  return {};
}

int Main(int argc, char** argv) {
  CLI::App app("What answers cost on graphs of growing size.");
  Options options;
  app.add_option("--nodes", options.nodes, "sizes of the graph")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--steps", options.steps, "recorded, one file each; at least 2")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "of which the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--only", options.only, "only lines that hold this");
  CLI11_PARSE(app, argc, argv);
  return Ended(MeasureAll(options));
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) {
  tfprof::CatchShrinkingFiles();  // or files would be read into memory
  return tfprof::Main(argc, argv);
}
