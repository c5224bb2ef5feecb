// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/attributes.h"
#include "core/base/result.h"
#include "core/query/query.h"

namespace tfprof {

// Parses and prints the values of options. Errors are of kind usage.

// Parses an integer in [low, high] with an optional sign and leading zeros; with a unit of time or
// size also "1ms", "10KiB" (core/base/units.h), in us or bytes.
Result<int64_t> ParseNumber(std::string_view text, Unit unit, int64_t low, int64_t high);

// "a,,b" is a, b. Quotes around the whole list are removed at both ends, paired or not.
std::vector<std::string> SplitList(std::string_view text);
std::string JoinList(const std::vector<std::string>& pieces);

// Parses "3", "2:8", or a negative number.
Result<void> SetStep(Query& query, std::string_view text);
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

std::vector<std::string_view> AttributeNames();

}  // namespace tfprof
