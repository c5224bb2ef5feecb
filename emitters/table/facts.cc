// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/units.h"
#include "emitters/name_lists.h"
#include "emitters/printable.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kUncutLines = 3;  // for a path that names the subject of the answer

bool IsAbsent(const Property& property) {
  if (property.type == CellType::text) return property.text.empty();
  if (property.type == CellType::texts) return property.texts.empty();
  return property.type == CellType::real ? std::isnan(property.real) : property.integer == kNoInt;
}

std::string ValueOf(const Property& property, bool utf8) {
  std::string text;
  if (!property.display_text.empty()) {
    text = property.display_text;
  } else if (property.type == CellType::text) {
    AppendPrintable(property.text, utf8, &text);
  } else if (property.type == CellType::texts) {
    AppendPrintable(fmt::format("{}", fmt::join(property.texts, "; ")), utf8, &text);
  } else if (property.type == CellType::boolean) {
    text = property.integer != 0 ? "yes" : "no";
  } else if (property.type == CellType::real) {
    AppendHumanReal(property.real, property.unit, &text);
    if (property.unit == Unit::percent) text += '%';
  } else {
    AppendHuman(property.integer, property.unit, &text, property.divisor);
  }
  return text;
}

// Returns "mean 552 us" or "2 devices".
std::string FactText(const Property& property, bool utf8) {
  const std::string value = ValueOf(property, utf8);
  if (property.title.empty()) return value;
  if (property.unit != Unit::count) return property.title + " " + value;
  if (property.integer == 1) return value + " " + property.title;
  return value + " " + property.title + (property.title.ends_with("ch") ? "es" : "s");
}

// Appends "/device:GPU:{0,1}", "/host:CPU and 2 more": a line breaks between names only. Unnamed
// members come last, as one item.
void AppendNames(const Property& property, bool utf8, std::vector<std::string>* facts) {
  std::vector<std::string_view> names(property.texts.begin(), property.texts.end());
  const size_t unnamed = std::erase(names, std::string_view());
  size_t shown = 0, more = 0;
  for (NamePiece& piece : NamePieces(names, true, utf8)) {
    if (shown == property.names_shown) {
      more += piece.names;
      continue;
    }
    facts->push_back(std::move(piece.text));
    ++shown;
  }
  if (more > 0) facts->back() += fmt::format(" and {} more", more);
  if (unnamed > 0)
    facts->push_back(unnamed == 1 ? "(unnamed)" : fmt::format("{} unnamed", unnamed));
}

// Returns the suggested next commands, each with its label.
std::vector<FactLine> CommandLines(const Report& report, bool utf8) {
  std::vector<FactLine> lines;
  for (const Property& property : report.properties) {
    if (!property.command) continue;
    const bool again = !lines.empty() && lines.front().head == property.head;
    lines.push_back({again ? "" : property.head, {ValueOf(property, utf8)}});
  }
  return lines;
}

void AppendLines(const std::vector<FactLine>& lines, const Style& style, std::string* out) {
  size_t width = 0;
  for (const FactLine& line : lines) width = std::max(width, line.head.size() + kGap);
  const size_t columns = static_cast<size_t>(style.columns);
  const size_t max = columns > width ? columns - width : columns;
  for (const FactLine& line : lines) {
    std::string text;
    for (const std::string& one : SideBySide(line.facts, max)) {
      AppendWrapped(one, width, style, &text, kUncutLines);
    }
    AppendPainted(line.head, kBold, style, out);
    out->append(text, line.head.size());  // `text` begins with `width` spaces
  }
}

}  // namespace

std::vector<std::string> SideBySide(const std::vector<std::string>& facts, size_t max) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < facts.size(); ++i) {
    const std::string fact = facts[i] + (i + 1 < facts.size() ? "," : "");
    const bool fits =
        !lines.empty() && (max == 0 || CellWidth(lines.back()) + 1 + CellWidth(fact) <= max);
    if (fits) {
      lines.back() += " " + fact;
    } else {
      lines.push_back(fact);
    }
  }
  return lines;
}

std::vector<FactLine> FactLines(const Report& report, bool utf8) {
  std::vector<FactLine> lines;
  for (const Property& property : report.properties) {
    if (property.head.empty() || property.command || IsAbsent(property)) continue;
    if (lines.empty() || lines.back().head != property.head) lines.push_back({property.head, {}});
    if (property.names_shown > 0) {
      AppendNames(property, utf8, &lines.back().facts);
    } else {
      lines.back().facts.push_back(FactText(property, utf8));
    }
  }
  return lines;
}

void AppendFacts(const Report& report, const Style& style, std::string* out) {
  AppendLines(FactLines(report, style.utf8), style, out);
}

void AppendCommands(const Report& report, const Style& style, std::string* out) {
  const std::vector<FactLine> lines = CommandLines(report, style.utf8);
  size_t widest = 0;
  for (const FactLine& line : lines) widest = std::max(widest, CellWidth(line.facts.front()));
  const size_t head = lines.empty() ? 0 : lines.front().head.size() + kGap;
  const bool fits = style.columns == 0 || head + widest <= static_cast<size_t>(style.columns);
  const Style uncut{.columns = 0, .utf8 = style.utf8, .color = style.color};
  if (fits) return AppendLines(lines, uncut, out);
  for (const FactLine& line : lines) {
    AppendPainted(line.head, kBold, style, out);
    out->append(line.head.empty() ? "" : "\n").append(line.facts.front()).push_back('\n');
  }
}

}  // namespace tfprof
