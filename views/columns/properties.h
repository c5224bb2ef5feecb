// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

// Properties that a view reports besides its tables. The caller also declares how they are
// displayed.

namespace tfprof {

struct PropertyName {
  std::string_view id;             // id in machine-readable formats
  std::string_view head = {};      // Property::head
  std::string_view title = {};     // Property::title; for a count its noun, in the singular
  std::string_view original = {};  // Property::original
};

// Each appends a property; kNoInt and NaN mean unknown. The result is valid until the next call.
Property& AddTextProperty(const PropertyName& name, std::string text, Report* report);
Property& AddIntegerProperty(const PropertyName& name, int64_t value, Unit unit, Report* report);
Property& AddRealProperty(const PropertyName& name, double value, Unit unit, Report* report);

// Adds names, of which tables show a few.
Property& AddNamesProperty(const PropertyName& name, std::vector<std::string> names,
                           Report* report);

}  // namespace tfprof
