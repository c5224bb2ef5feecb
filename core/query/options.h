// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/base/attributes.h"
#include "core/base/result.h"
#include "core/query/query.h"

namespace tfprof {

// The options that a view reads; the command line rejects the others in one place.
enum OptionGroup : unsigned {
  kTreeOptions = 1,       // max_depth, start/trim/show/hide, min_*, account_*
  kStepOption = 2,        // step
  kSelectOptions = 4,     // select, order_by of attributes
  kTableOptions = 8,      // order_by COLUMN, n, columns, where
  kPlaceOptions = 16,     // host, device
  kAnswerOptions = 32,    // output, format
  kWritingOptions = 64,   // overwrite
  kViewOption = 128,      // view
  kSaveOptions = 256,     // oplog
  kAdviseOptions = 512,   // checker, fail-if
  kEventOptions = 1024,   // those tree options that also select single executions
  kDetailsOption = 2048,  // details
  kNameOptions = 4096,    // focus, ignore, under
  kDiffOptions = 8192,    // select, view, fail-if
  kFoldOptions = 16384,   // fold, unfold
};
// Options that leave out data: listed below answers, counted in the prompt, cleared by `reset`.
constexpr unsigned kNarrowingOptions = kTreeOptions | kStepOption | kPlaceOptions | kNameOptions;
// Options of single commands, which `set` cannot keep.
constexpr unsigned kUnkeptOptions =
    kWritingOptions | kViewOption | kSaveOptions | kAdviseOptions | kDetailsOption;

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
  std::string (*print)(const Query& query);  // in the syntax of `set`
  std::string_view default_elsewhere = {};   // describes a default that differs elsewhere
};

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

}  // namespace tfprof
