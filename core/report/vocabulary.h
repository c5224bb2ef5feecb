// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "core/report/report.h"

namespace tfprof {

// An id that several tables have. It has the same meaning in each: tables join on it.
struct Term {
  std::string_view id;
  CellType type;
  Unit unit;  // as written: WrittenUnit
  std::string_view meaning;
};

// Sorted by id.
std::span<const Term> Vocabulary();

// Null: at most one table has it.
const Term* FindTerm(std::string_view id);

}  // namespace tfprof
