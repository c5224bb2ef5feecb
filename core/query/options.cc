// SPDX-License-Identifier: Apache-2.0
#include "core/query/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>

#include "core/base/arith.h"
#include "core/base/nearest.h"
#include "core/query/word_options.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

// The part of a query that contains a member.
template <class Part, class Value>
constexpr auto PartWith(Value Part::*) {
  if constexpr (std::is_same_v<Part, PlaceFilter>) return &Query::place;
  if constexpr (std::is_same_v<Part, NodeFilter>) return &Query::nodes;
  if constexpr (std::is_same_v<Part, TreeFilter>) return &Query::tree;
  if constexpr (std::is_same_v<Part, Display>) return &Query::display;
  if constexpr (std::is_same_v<Part, Output>) return &Query::output;
  if constexpr (std::is_same_v<Part, AdviseOptions>) return &Query::advise;
  if constexpr (std::is_same_v<Part, DiffOptions>) return &Query::diff;
  if constexpr (std::is_same_v<Part, ProgramOptions>) return &Query::programs;
}

// The member of a query or of one of its parts.
template <auto kField>
auto& Field(auto& query) {
  if constexpr (requires { query.*kField; }) {
    return query.*kField;
  } else {
    return (query.*PartWith(kField)).*kField;
  }
}

template <auto kField, Unit kUnit>
Result<void> SetNumber(Query& query, std::string_view text) {
  using Number = std::remove_reference_t<decltype(Field<kField>(query))>;
  constexpr int64_t low = std::numeric_limits<Number>::min();
  constexpr int64_t high = std::numeric_limits<Number>::max();
  TFPROF_ASSIGN(const int64_t number, ParseNumber(text, kUnit, low, high));
  Field<kField>(query) = static_cast<Number>(number);
  return {};
}

template <auto kField>
std::string PrintNumber(const Query& query) {
  return std::to_string(Field<kField>(query));
}

// A threshold that is not given prints as the original's default: 0.
template <auto kField>
std::string PrintMinimum(const Query& query) {
  const int64_t min = Field<kField>(query);
  return std::to_string(min == kNoInt ? 0 : min);
}

template <auto kField>
Result<void> SetPatterns(Query& query, std::string_view text) {
  Field<kField>(query) = PatternList(SplitList(text));
  return {};
}

template <auto kField>
std::string PrintPatterns(const Query& query) {
  return JoinList(Field<kField>(query).patterns());
}

template <auto kField>
Result<void> SetText(Query& query, std::string_view text) {
  Field<kField>(query) = text;
  return {};
}

Result<void> SetScope(Query& query, std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  query.nodes.under = text;
  return {};
}

template <auto kField>
std::string PrintText(const Query& query) {
  return Field<kField>(query);
}

template <auto kField>
Result<void> SetFlag(Query& query, std::string_view text) {
  TFPROF_ASSIGN(Field<kField>(query), ParseBoolean(text));
  return {};
}

template <auto kField>
std::string PrintFlag(const Query& query) {
  return Field<kField>(query) ? "true" : "false";
}

// -1, the default, is the only valid negative number.
Result<void> SetRows(Query& query, std::string_view text) {
  Query parsed;
  TFPROF_TRY((SetNumber<&Display::rows, Unit::count>(parsed, text)));
  if (parsed.display.rows < -1) {
    return UsageError(fmt::format("invalid row count '{}'", text), "0 or more, or -1 for all");
  }
  query.display.rows = parsed.display.rows;
  return {};
}

Result<void> SetWithStep(Query& query, std::string_view text) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  TFPROF_ASSIGN(query.diff.with_step, ParseNumber(text, Unit::none, -1, kMost));
  return {};
}

template <auto kField>
Result<void> SetNames(Query& query, std::string_view text) {
  Field<kField>(query) = SplitList(text);
  return {};
}

template <auto kField>
Result<void> SetTexts(Query& query, std::string_view text) {
  Field<kField>(query) = SplitNames(text);
  return {};
}

template <auto kField>
std::string PrintTexts(const Query& query) {
  return JoinNames(Field<kField>(query));
}

Result<void> SetIds(Query& query, std::string_view text) {
  if (text != "vocabulary" && text != "original") {
    return UsageError(fmt::format("'{}' is not a set of ids", text), "vocabulary or original");
  }
  query.display.original_ids = text == "original";
  return {};
}

std::string PrintIds(const Query& query) {
  return query.display.original_ids ? "original" : "vocabulary";
}

Result<void> SetFrames(Query& query, std::string_view text) {
  if (text != "own" && text != "all") {
    return UsageError(fmt::format("'{}' is not a set of frames", text), "own or all");
  }
  query.display.all_frames = text == "all";
  return {};
}

std::string PrintFrames(const Query& query) { return query.display.all_frames ? "all" : "own"; }

// NAME=1,2,3: the dimensions are numbers from 0 on, or ?.
Result<void> AddShape(Query& query, std::string_view text) {
  if (text.empty()) {
    query.place.flops.shapes.clear();
    return {};
  }
  const size_t equals = text.rfind('=');
  const std::string_view dims = equals == text.npos ? "" : text.substr(equals + 1);
  const bool has_name = equals != text.npos && equals > 0;
  if (!has_name || dims.find_first_not_of("0123456789,?") != dims.npos) {
    return UsageError(fmt::format("'{}' is not a shape", text), "input=32,224,224,3");
  }
  query.place.flops.shapes.emplace_back(text);
  return {};
}

std::string PrintShapes(const Query& query) {
  std::string all;
  for (const std::string& shape : query.place.flops.shapes) {
    if (!all.empty()) all += ' ';
    all += shape;
  }
  return all;
}

Result<void> SetInitializers(Query& query, std::string_view text) {
  TFPROF_ASSIGN(query.place.flops.initializers, ParseBoolean(text));
  return {};
}

std::string PrintInitializers(const Query& query) {
  return query.place.flops.initializers ? "true" : "false";
}

constexpr std::string_view kFrameSets[] = {"own", "all"};
constexpr std::string_view kNameSets[] = {"short", "full"};
constexpr std::string_view kMoments[] = {"peak", "times"};
constexpr std::string_view kRowsBy[] = {"",       "name",     "op",
                                        "launch", "category", "program"};  // by RowsBy

Result<void> SetBy(Query& query, std::string_view text) {
  const auto found = std::find(std::begin(kRowsBy), std::end(kRowsBy), text);
  if (found == std::end(kRowsBy)) {
    return UsageError(fmt::format("'{}' is not a way to group rows", text),
                      "name, op or launch for kernels; category or program for hlo");
  }
  query.rows_by = static_cast<RowsBy>(found - std::begin(kRowsBy));
  return {};
}

std::string PrintBy(const Query& query) {
  return std::string(kRowsBy[static_cast<size_t>(query.rows_by)]);
}

Result<void> SetNamesShown(Query& query, std::string_view text) {
  if (text != "short" && text != "full") {
    return UsageError(fmt::format("'{}' is not a set of names", text), "short or full");
  }
  query.display.full_names = text == "full";
  return {};
}

std::string PrintNamesShown(const Query& query) {
  return query.display.full_names ? "full" : "short";
}

Result<void> SetAt(Query& query, std::string_view text) {
  int64_t at_ps = kNoInt;
  if (std::ranges::count(kMoments, text) == 0) {
    const bool bare = !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
    const Result<int64_t> time_ps =
        ParseQuantity(bare ? std::string(text) + "us" : std::string(text), Unit::ps);
    if (!time_ps || *time_ps < 0) {
      return UsageError(fmt::format("'{}' is not a moment", text),
                        "peak, times, or a time from the start of the profile such as 12.5ms");
    }
    at_ps = *time_ps;
  }
  query.programs.at = text;
  query.programs.at_ps = at_ps;
  return {};
}

Result<void> SetWidth(Query& query, std::string_view text) {
  constexpr int64_t kMost = 1'000'000;
  TFPROF_ASSIGN(query.programs.width, ParseNumber(text, Unit::count, 0, kMost));
  return {};
}

Result<void> SetMaxSize(Query& query, std::string_view text) {
  constexpr int64_t kLeast = 1, kMost = int64_t{1} << 40;
  TFPROF_ASSIGN(query.max_page_bytes, ParseNumber(text, Unit::bytes, kLeast, kMost));
  return {};
}

// A gate without a limit would never fail: an empty value, as from a script's unset variable, is an
// error.
Result<void> SetLimits(Query& query, std::string_view text) {
  std::vector<std::string> limits = SplitList(text);
  if (limits.empty()) {
    return UsageError(
        "no limit",
        "of diff for example step>+5%, of advise a severity or a checker; without -fail-if nothing "
        "fails");
  }
  query.fail_if = std::move(limits);
  return {};
}

template <auto kField>
std::string PrintNames(const Query& query) {
  return JoinList(Field<kField>(query));
}

// An option that hides rows below a threshold.
template <auto kField, Unit kUnit>
constexpr Option Minimum(std::string_view name, std::string_view value, std::string_view meaning,
                         unsigned groups = kTreeOptions) {
  return {name,
          value,
          OptionType::number,
          kUnit,
          true,
          groups | kRowFilters,
          meaning,
          SetNumber<kField, kUnit>,
          PrintMinimum<kField>};
}

template <auto kField>
constexpr Option Regexes(std::string_view name, std::string_view meaning, unsigned groups) {
  return {name,   "A,B",   OptionType::patterns, Unit::none,           true,
          groups, meaning, SetPatterns<kField>,  PrintPatterns<kField>};
}

constexpr Option kOptions[] = {
    {"max_depth", "N", OptionType::number, Unit::count, true, kTreeOptions | kRowFilters,
     "Number of tree levels shown, including the root; in op, the number of rows minus one.",
     SetNumber<&TreeFilter::max_depth, Unit::count>, PrintNumber<&TreeFilter::max_depth>},
    Minimum<&TreeFilter::min_bytes, Unit::bytes>(
        "min_bytes", "SIZE", "Shows rows that requested at least this much memory."),
    Minimum<&TreeFilter::min_peak_bytes, Unit::bytes>("min_peak_bytes", "SIZE",
                                                      "Shows rows with at least this peak memory."),
    Minimum<&TreeFilter::min_residual_bytes, Unit::bytes>(
        "min_residual_bytes", "SIZE", "Shows rows that left at least this much memory allocated."),
    Minimum<&TreeFilter::min_output_bytes, Unit::bytes>(
        "min_output_bytes", "SIZE", "Shows rows whose outputs take at least this much memory."),
    Minimum<&TreeFilter::min_micros, Unit::us>(
        "min_micros", "TIME", "Shows rows with at least this time on accelerator plus cpu.",
        kTreeOptions | kEventOptions),
    Minimum<&TreeFilter::min_accelerator_micros, Unit::us>(
        "min_accelerator_micros", "TIME", "Shows rows with at least this time on accelerators."),
    Minimum<&TreeFilter::min_cpu_micros, Unit::us>(
        "min_cpu_micros", "TIME", "Shows rows with at least this time on the cpu."),
    Minimum<&TreeFilter::min_params, Unit::params>(
        "min_params", "N", "Shows rows with at least this many parameters."),
    Minimum<&TreeFilter::min_float_ops, Unit::flops>(
        "min_float_ops", "N", "Shows rows with at least this many floating-point operations."),
    Minimum<&TreeFilter::min_occurrence, Unit::count>("min_occurrence", "N",
                                                      "Shows rows that occur at least this often."),
    {"step", "N", OptionType::number, Unit::none, true, kStepOption | kCountFilters,
     "Step to show, or a range such as 2:8, whose mean is shown. all: the sum over all steps. "
     "Negative: all steps of a trace, the mean over all steps of a TensorFlow profile (in classic "
     "mode, over the steps in which a node ran).",
     SetStep, [](const Query& query) { return query.place.StepText(); }},
    {"order_by", "COLUMN", OptionType::order, Unit::none, true, kSelectOptions | kTableOptions,
     "Column that orders the rows: names ascending, numbers descending. In default mode tables "
     "show it.",
     SetOrder, PrintOrder, "in default mode the first selected measure"},
    Regexes<&NodeFilter::account_type_regexes>(
        "account_type_regexes",
        "Counts the nodes with a type (operation, device, tag) that matches one of these.",
        kTreeOptions | kEventOptions | kCountFilters),
    Regexes<&TreeFilter::start_name_regexes>("start_name_regexes",
                                             "Starts the tree at names that match one of these.",
                                             kTreeOptions | kRowFilters),
    Regexes<&TreeFilter::trim_name_regexes>("trim_name_regexes",
                                            "Cuts the tree below names that match one of these.",
                                            kTreeOptions | kRowFilters),
    Regexes<&TreeFilter::show_name_regexes>("show_name_regexes",
                                            "Shows names that match one of these.",
                                            kTreeOptions | kEventOptions | kRowFilters),
    Regexes<&TreeFilter::hide_name_regexes>("hide_name_regexes",
                                            "Hides names that match one of these.",
                                            kTreeOptions | kEventOptions | kRowFilters),
    {"account_displayed_op_only", "BOOL", OptionType::flag, Unit::none, true,
     kTreeOptions | kCountFilters, "Counts only shown rows in totals.",
     SetFlag<&TreeFilter::account_displayed_op_only>,
     PrintFlag<&TreeFilter::account_displayed_op_only>},
    {"select", "A,B", OptionType::attributes, Unit::none, true, kSelectOptions | kDiffOptions,
     "Attributes shown for each row; of `op` and the like also share_pct, median_us and p95_us.",
     SetSelect, PrintSelect},
    {"output", "KIND", OptionType::output, Unit::none, true, kAnswerOptions,
     "Destination of the answer: stdout, none or file:outfile=FILE; as in the original also "
     "timeline:, pprof: or proto:outfile=FILE. dot and text, also with :outfile=FILE, set -format.",
     SetOutput, PrintOutput},
    {"format", "NAME", OptionType::format, Unit::none, false, kAnswerOptions, "Output format.",
     SetText<&Display::format>, PrintText<&Display::format>},
    {"ids", "SET", OptionType::text, Unit::none, false, kAnswerOptions,
     "Ids and shape of json, jsonl, csv and tsv: vocabulary, or original (the ids of the original "
     "tools).",
     SetIds, PrintIds},
    {"table", "NAME", OptionType::text, Unit::none, false, kAnswerOptions,
     "Table that csv and tsv write, if the answer has several.", SetText<&Display::table>,
     PrintText<&Display::table>, "the first table of the answer"},
    {"n", "ROWS", OptionType::number, Unit::count, false, kTableOptions | kRowFilters,
     "Limits the number of rows; -1 shows all.", SetRows, PrintNumber<&Display::rows>},
    {"columns", "A,B", OptionType::columns, Unit::none, false, kTableOptions,
     "Shows only these columns, in this order.", SetNames<&Display::columns>,
     PrintNames<&Display::columns>},
    {"where", "'COLUMN OP VALUE'", OptionType::text, Unit::none, false, kTableOptions | kRowFilters,
     "Filters rows; OP is one of = != < <= > >= ~ (~ finds a regular expression in the text). and, "
     "or, not and parentheses join conditions; of several -where, all must hold.",
     AddWhere, PrintWhere},
    {"frames", "SET", OptionType::text, Unit::none, false, kFrameOption,
     "Frames of code: own (those of frameworks and of Python count for their caller) or all.",
     SetFrames, PrintFrames, "own in default mode, all in classic text and with -ids original",
     kFrameSets},
    {"shape", "NAME=DIMS", OptionType::text, Unit::none, false, kFlopsOptions,
     "Shape of a node of the graph, from which flops are counted: input=32,224,224,3. Several "
     "-shape "
     "add up; ? is an unknown dimension.",
     AddShape, PrintShapes},
    {"initializers", "BOOL", OptionType::flag, Unit::none, false, kFlopsOptions,
     "Counts flops of operations that only compute the first value of a variable.", SetInitializers,
     PrintInitializers},
    {"fold", "BOOL", OptionType::flag, Unit::none, false, kFoldOptions,
     "Folds rows that are alike except for a number into one: layer_{0..23}.",
     SetFlag<&Display::fold>, PrintFlag<&Display::fold>, "true for the table format, else false"},
    {"unfold", "NAME", OptionType::text, Unit::none, false, kFoldOptions | kRowFilters,
     "Shows only the rows folded into the row of this name.", SetText<&Display::unfold>,
     PrintText<&Display::unfold>},
    {"device", "NAME", OptionType::text, Unit::none, false, kPlaceOptions | kCountFilters,
     "Selects devices whose name contains this.", SetText<&PlaceFilter::device>,
     PrintText<&PlaceFilter::device>},
    {"host", "NAME", OptionType::text, Unit::none, false, kPlaceOptions | kCountFilters,
     "Selects the host with this name, else hosts whose name contains it.",
     SetText<&PlaceFilter::host>, PrintText<&PlaceFilter::host>},
    {"focus", "A,B", OptionType::text, Unit::none, false, kNameOptions | kCountFilters,
     "Counts only nodes whose name or operation type contains one of these, in any case; =TEXT "
     "matches a whole name, scope or type. `\\,` is a comma of a name.",
     SetTexts<&NodeFilter::focus>, PrintTexts<&NodeFilter::focus>},
    {"ignore", "A,B", OptionType::text, Unit::none, false, kNameOptions | kCountFilters,
     "Excludes nodes whose name or operation type contains one of these.",
     SetTexts<&NodeFilter::ignore>, PrintTexts<&NodeFilter::ignore>},
    {"under", "SCOPE", OptionType::text, Unit::none, false, kNameOptions | kCountFilters,
     "Counts only nodes in this scope; `cd` sets it.", SetScope, PrintText<&NodeFilter::under>},
    {"by",
     "KEY",
     OptionType::text,
     Unit::none,
     false,
     kByOption,
     "For kernels: one row per name of a kernel (name), per operation that launched it (op), or "
     "per "
     "launch site (launch): the innermost operation of the launching thread, else the call; "
     "without "
     "it also per launch parameters. For hlo: a tree of categories and their instructions "
     "(category), or of programs, categories and instructions (program).",
     SetBy,
     PrintBy,
     {},
     std::span(kRowsBy).subspan(1)},
    {"names",
     "SET",
     OptionType::text,
     Unit::none,
     false,
     kKernelOptions,
     "Names of kernels in tables: short (without return type, namespaces, arguments and most "
     "template arguments) or full.",
     SetNamesShown,
     PrintNamesShown,
     {},
     kNameSets},
    {"view", "NAME", OptionType::view, Unit::none, false, kViewOption | kDiffOptions,
     "View whose rows are written or compared: scope, graph, op or code; for diff also any other "
     "view that needs no name.",
     SetText<&Query::view>, PrintText<&Query::view>,
     "code, or scope if the profile has no code traces; op for diff"},
    {"diff", "BOOL", OptionType::flag, Unit::none, false, kDrawOptions,
     "Draws changes against the base: that of --base, or of `load FILE as base`.",
     SetFlag<&DiffOptions::drawn>, PrintFlag<&DiffOptions::drawn>},
    {"with_step", "N", OptionType::number, Unit::none, false, kDiffOptions | kDrawOptions,
     "Compares step -step (of the base, if there is one) with this step of the profile.",
     SetWithStep, [](const Query& query) { return std::to_string(query.diff.with_step); }},
    {"unchanged", "BOOL", OptionType::flag, Unit::none, false, kDiffOptions,
     "Shows rows that did not change in tables, too.", SetFlag<&DiffOptions::unchanged>,
     PrintFlag<&DiffOptions::unchanged>},
    {"all", "BOOL", OptionType::flag, Unit::none, false, kProgramOptions,
     "Shows all instructions of the programs, also those that did not run.",
     SetFlag<&ProgramOptions::all>, PrintFlag<&ProgramOptions::all>},
    {"program", "NAME", OptionType::text, Unit::none, false,
     kProgramOptions | kMomentOptions | kPairOptions,
     "Shows all instructions of the programs whose name contains this, or with this ID.",
     SetText<&ProgramOptions::program>, PrintText<&ProgramOptions::program>},
    {"stage", "NAME", OptionType::text, Unit::none, false,
     kProgramOptions | kMomentOptions | kPairOptions,
     "Shows the programs in the stages of compilation whose name contains this.",
     SetText<&ProgramOptions::stage>, PrintText<&ProgramOptions::stage>,
     "the last stage of each program"},
    {"with_stage", "NAME", OptionType::text, Unit::none, false, kPairOptions,
     "Compares the instructions of -stage with those of this stage.",
     SetText<&ProgramOptions::with_stage>, PrintText<&ProgramOptions::with_stage>},
    {"instruction", "NAME", OptionType::text, Unit::none, false, kProgramOptions,
     "Shows this instruction with its operands, its users and what it fuses.",
     SetText<&ProgramOptions::instruction>, PrintText<&ProgramOptions::instruction>},
    {"width", "N", OptionType::number, Unit::count, false, kProgramOptions,
     "Shows instructions that are up to N operands or users away from -instruction.", SetWidth,
     PrintNumber<&ProgramOptions::width>},
    {"at",
     "MOMENT",
     OptionType::text,
     Unit::none,
     false,
     kMomentOptions,
     "peak: also what compiled programs hold in memory when they hold most. times: memory over "
     "time, in use, reserved, on the heap and free, with fragmentation. A time from time 0 of the "
     "profile (microseconds, or with a unit: 500us, 12.5ms, 2s): what allocators held then.",
     SetAt,
     PrintText<&ProgramOptions::at>,
     {},
     kMoments},
    {"overwrite", "BOOL", OptionType::flag, Unit::none, false, kWritingOptions | kAnswerOptions,
     "Overwrites a file even if it is a profile.", SetFlag<&Output::overwrite>,
     PrintFlag<&Output::overwrite>},
    {"details", "BOOL", OptionType::flag, Unit::none, false, kDetailsOption,
     "Adds all recorded attributes of each execution.", SetFlag<&Query::details>,
     PrintFlag<&Query::details>},
    {"oplog", "BOOL", OptionType::flag, Unit::none, false, kSaveOptions,
     "Saves only types, float operations and code traces, as an OpLogProto.",
     SetFlag<&Query::oplog>, PrintFlag<&Query::oplog>},
    {"max-size", "SIZE", OptionType::number, Unit::bytes, false, kPageOptions,
     "Keeps a page below this size: its trace then has the longest spans and those that findings "
     "name one by one, and short neighbors as one; if need be, tables have fewer rows.",
     SetMaxSize, PrintNumber<&Query::max_page_bytes>},
    {"sources", "DIR", OptionType::text, Unit::none, false, kPageOptions,
     "Shows the source lines of code beside its numbers, read from the files below this folder "
     "whose paths end as those in the profile.",
     SetText<&Query::sources>, PrintText<&Query::sources>},
    {"checker", "A,B", OptionType::checkers, Unit::none, false, kAdviseOptions | kRowFilters,
     "Shows only findings of these checkers.", SetNames<&AdviseOptions::checkers>,
     PrintNames<&AdviseOptions::checkers>},
    {"fail-if", "A,B", OptionType::limits, Unit::none, false, kAdviseOptions | kDiffOptions,
     "Sets a limit that gives exit status 6: for advise a severity (high, medium, low, info; worse "
     "ones included) or a checker with a finding; for diff a change, such as step>+5% or "
     "op:MatMul.micros>+10%, with ' p<0.05' only a significant one.",
     SetLimits, PrintNames<&Query::fail_if>},
};

}  // namespace

std::span<const Option> Options() { return kOptions; }

const Option* FindOption(std::string_view name) { return FindNamed(kOptions, name); }

size_t OptionIndex(const Option& option) { return static_cast<size_t>(&option - kOptions); }

Result<void> SetOption(const Option& option, std::string_view value, Query& query) {
  Result<void> done = option.set(query, value);
  if (!done) return Failure(AboutValue(option.name, std::move(done).error()));
  return done;
}

std::string ListOptions(const Query& query, bool original) {
  Query sorted = query;
  // The original keeps a sorted set of names.
  const auto by_name = [](Attribute a, Attribute b) { return Info(a).name < Info(b).name; };
  if (original) std::sort(sorted.display.select.begin(), sorted.display.select.end(), by_name);
  std::string out;
  for (const Option& option : kOptions) {
    if ((original && !option.original) || Reads(kUnkeptOptions, option)) continue;
    out += fmt::format("{:<28}{}\n", fmt::format("-{}", option.name), option.print(sorted));
  }
  return out;
}

}  // namespace tfprof
