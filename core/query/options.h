// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/attributes.h"
#include "core/base/result.h"
#include "core/query/query.h"

namespace tfprof {

// The options that a view reads; the command line rejects the others in one place.
enum OptionGroup : unsigned {
  kTreeOptions = 1,           // max_depth, start/trim/show/hide, min_*, account_*
  kStepOption = 2,            // step
  kSelectOptions = 4,         // select, order_by of attributes
  kTableOptions = 8,          // order_by COLUMN, n, columns, where
  kPlaceOptions = 16,         // host, device
  kAnswerOptions = 32,        // output, format
  kWritingOptions = 64,       // overwrite
  kViewOption = 128,          // view
  kSaveOptions = 256,         // oplog
  kAdviseOptions = 512,       // checker, fail-if
  kEventOptions = 1024,       // those tree options that also select single executions
  kDetailsOption = 2048,      // details
  kNameOptions = 4096,        // focus, ignore, under
  kDiffOptions = 8192,        // select, view, fail-if
  kFoldOptions = 16384,       // fold, unfold
  kFrameOption = 32768,       // frames
  kDrawOptions = 65536,       // diff, with_step
  kKernelOptions = 131072,    // names
  kProgramOptions = 1048576,  // all, program, stage, instruction, width
  kPairOptions = 2097152,     // with_stage
  kMomentOptions = 4194304,   // at
  kByOption = 8388608,        // by
  kFlopsOptions = 16777216,   // shape, initializers
  kPageOptions = 33554432,    // max-size
  // Marks of filters, which no view lists: docs/filters.md.
  kCountFilters = 262144,  // leave data out: totals, shares and means change
  kRowFilters = 524288,    // hide rows: totals, shares and means stay
};
// Options that leave out data: listed below answers, counted in the prompt, cleared by `reset`.
constexpr unsigned kNarrowingOptions = kTreeOptions | kStepOption | kPlaceOptions | kNameOptions;
// Options of single commands, which `set` cannot keep.
constexpr unsigned kUnkeptOptions = kWritingOptions | kViewOption | kSaveOptions | kAdviseOptions |
                                    kDetailsOption | kProgramOptions | kPairOptions |
                                    kMomentOptions | kPageOptions;

// The type of a value: determines its completion and whether it may be omitted.
enum class OptionType : uint8_t {
  number,
  flag,        // true if given without a value
  patterns,    // regular expressions, A,B
  attributes,  // of Attributes(), A,B
  order,       // of OrderNames(), or a column
  output,      // KIND or KIND:outfile=FILE
  format,
  columns,   // column ids, A,B
  view,      // of Views() whose rows add up
  checkers,  // names of the checkers of advise, A,B
  limits,    // of severities and checkers, A,B
  text,
};

// One option of a command. This table is the only list of them: flags, `set`, `help`, completion
// and docs/options.md come from it.
struct Option {
  std::string_view name;   // without dashes
  std::string_view value;  // the placeholder of the value in help: N, TIME, A,B
  OptionType type;
  Unit unit;  // of numbers: us and bytes accept a unit
  bool original;
  unsigned groups;  // of OptionGroup
  std::string_view meaning;
  // Error: usage, with the cause and the valid values; then `query` is unchanged.
  Result<void> (*set)(Query& query, std::string_view value);
  std::string (*print)(const Query& query);      // in the syntax of `set`
  std::string_view default_elsewhere = {};       // describes a default that differs elsewhere
  std::span<const std::string_view> words = {};  // the valid values, if they are few words
};

// The one rule about filters, for help and docs/filters.md.
constexpr std::string_view kFilterRule =
    "A filter that leaves data out changes totals, shares and means: only the rest counts. A "
    "filter "
    "that hides rows changes none of them: hidden rows still count in TOTAL, in shares and in the "
    "rows above them. One option changes this: with -account_displayed_op_only, rows that "
    "expressions and thresholds hide do not count.";

// Returns true if a command that reads the groups `options` reads this option.
inline bool Reads(unsigned options, const Option& option) { return (options & option.groups) != 0; }

// In the order of help and of the listing for an empty line: the original's 21 first.
std::span<const Option> Options();
const Option* FindOption(std::string_view name);
size_t OptionIndex(const Option& option);  // in Options()

// Calls option.set and adds the option's name to errors.
Result<void> SetOption(const Option& option, std::string_view value, Query& query);

// Parses true t yes y 1, false f no n 0, in any case.
Result<bool> ParseBoolean(std::string_view text);

// One line per option, "-name" padded to 28 columns and the value. `original`: only the
// original's options, in its words.
std::string ListOptions(const Query& query, bool original);

// Parses and prints the values of options. Errors are of kind usage.

// Parses an integer in [low, high] with an optional sign and leading zeros; with a unit of time or
// size also "1ms", "10KiB" (core/text/units.h), in us or bytes.
Result<int64_t> ParseNumber(std::string_view text, Unit unit, int64_t low, int64_t high);

// "a,,b" is a, b. Quotes around the whole list are removed at both ends, paired or not.
std::vector<std::string> SplitList(std::string_view text);
std::string JoinList(const std::vector<std::string>& pieces);
// As above, for names: `\,` is a comma of a name, and only quotes around the whole list are
// removed.
std::vector<std::string> SplitNames(std::string_view text);
std::string JoinNames(const std::vector<std::string>& names);

// Parses "3", "2:8", "all", or a negative number.
Result<void> SetStep(Query& query, std::string_view text);
// The id of a column of graph nodes that is no attribute, by id or heading: answers have it only if
// -select, -columns, -where or -order_by names it. Empty: there is none.
std::string_view FurtherColumn(std::string_view name);

// The order of that name, or by the attribute with that heading. None: the name may still be a
// column.
std::optional<OrderBy> OrderCalled(std::string_view name);
Result<void> SetOrder(Query& query, std::string_view text);
std::string PrintOrder(const Query& query);
Result<void> SetSelect(Query& query, std::string_view text);
std::string PrintSelect(const Query& query);
Result<void> SetOutput(Query& query, std::string_view text);
std::string PrintOutput(const Query& query);
Result<void> AddWhere(Query& query, std::string_view text);
std::string PrintWhere(const Query& query);

// The text as one word of a command, with quotes if a shell needs them.
std::string AsWord(std::string_view text);
// The option and its value as they would be typed: -focus '=a b'.
std::string AsTyped(const Option& option, const Query& query);

std::vector<std::string_view> AttributeNames();

}  // namespace tfprof
