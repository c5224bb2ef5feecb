// SPDX-License-Identifier: Apache-2.0
#include "core/text/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/append_format.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr size_t kNoPart = std::string::npos;

struct Placeholder {
  std::string_view name;
  std::string_view noun;  // empty: none
};

Placeholder Parsed(std::string_view text) {
  const size_t bar = text.find('|');
  if (bar == text.npos) return {text, {}};
  return {text.substr(0, bar), text.substr(bar + 1)};
}

const Value* Find(std::span<const Value> values, std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const Value& value) { return value.name == name; });
  return found == values.end() ? nullptr : &*found;
}

void Append(const Value& value, std::string_view noun, std::string* out) {
  if (const auto* text = std::get_if<std::string>(&value.of)) {
    out->append(*text);
  } else if (const auto* real = std::get_if<double>(&value.of)) {
    if (value.unit != Unit::none) return AppendHumanReal(*real, value.unit, out);
    AppendFormat(out, "{:.1f}", *real);
  } else if (!noun.empty()) {
    out->append(Counted(std::get<int64_t>(value.of), noun));
  } else {
    AppendHuman(std::get<int64_t>(value.of), value.unit, out);
  }
}

}  // namespace

bool Value::IsAbsent() const {
  if (const auto* integer = std::get_if<int64_t>(&of)) return *integer == kNoInt;
  const auto* real = std::get_if<double>(&of);
  return real != nullptr && std::isnan(*real);
}

std::string Worded(std::string_view wording, std::span<const Value> values) {
  std::string out;
  size_t part = kNoPart;  // the start of the open part in `out`
  bool lacks = false;     // a value of the open part is absent
  for (size_t at = 0; at < wording.size(); ++at) {
    if (wording[at] == '[') {
      part = out.size();
      lacks = false;
    } else if (wording[at] == ']' && part != kNoPart) {
      if (lacks) out.resize(part);
      part = kNoPart;
    } else if (const size_t end = wording.find('}', at);
               wording[at] == '{' && end != wording.npos) {
      const Placeholder place = Parsed(wording.substr(at + 1, end - at - 1));
      const Value* value = Find(values, place.name);
      lacks = lacks || value == nullptr || value->IsAbsent();
      if (value == nullptr) {
        out.append(wording.substr(at, end - at + 1));
      } else if (value->IsAbsent()) {
        out.push_back('-');
      } else {
        Append(*value, place.noun, &out);
      }
      at = end;
    } else {
      out.push_back(wording[at]);
    }
  }
  return out;
}

}  // namespace tfprof
