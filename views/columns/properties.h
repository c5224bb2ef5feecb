// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/listed.h"
#include "core/report/report.h"

// What a view tells besides its tables. How people read it is declared where it is told.

namespace tfprof {

struct PropertyName {
  std::string_view id;             // for programs
  std::string_view head = {};      // Property::head
  std::string_view title = {};     // Property::title; of a count its noun, in the singular
  std::string_view original = {};  // Property::original
};

// Each appends a property; kNoInt, NaN: not known. The result is valid until the next call.
Property& TellText(const PropertyName& name, std::string text, Report* report);
Property& TellInteger(const PropertyName& name, int64_t value, Unit unit, Report* report);
Property& TellReal(const PropertyName& name, double value, Unit unit, Report* report);

// Names, of which people see a few.
Property& TellNames(const PropertyName& name, std::vector<std::string> names, Report* report);

}  // namespace tfprof
