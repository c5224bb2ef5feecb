// SPDX-License-Identifier: Apache-2.0
#include "views/columns/properties.h"

#include <utility>

namespace tfprof {
namespace {

constexpr size_t kNamesShown = 4;

Property& Add(const PropertyName& name, CellType type, Unit unit, Report* report) {
  Property& property = report->properties.emplace_back();
  property.id = name.id;
  property.original = name.original;
  property.head = name.head;
  property.title = name.title;
  property.type = type;
  property.unit = unit;
  return property;
}

}  // namespace

Property& AddTextProperty(const PropertyName& name, std::string text, Report* report) {
  Property& property = Add(name, CellType::text, Unit::none, report);
  property.text = std::move(text);
  return property;
}

Property& AddIntegerProperty(const PropertyName& name, int64_t value, Unit unit, Report* report) {
  Property& property = Add(name, CellType::integer, unit, report);
  property.integer = value;
  return property;
}

Property& AddRealProperty(const PropertyName& name, double value, Unit unit, Report* report) {
  Property& property = Add(name, CellType::real, unit, report);
  property.real = value;
  return property;
}

Property& AddNamesProperty(const PropertyName& name, std::vector<std::string> names,
                           Report* report) {
  Property& property = Add(name, CellType::texts, Unit::none, report);
  property.texts = std::move(names);
  property.names_shown = kNamesShown;
  return property;
}

}  // namespace tfprof
