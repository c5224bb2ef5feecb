// SPDX-License-Identifier: Apache-2.0
#include "emitters/data/json_members.h"

#include "emitters/printable.h"

namespace tfprof {

void JsonMembers::Key(std::string_view key) {
  if (json.back() != '{') json += ',';
  AppendJsonString(key, &json);
  json += ':';
}

void JsonMembers::Member(std::string_view key, std::string_view text) {
  Key(key);
  AppendJsonString(PrintableText(text), &json);
}

void JsonMembers::Number(std::string_view key, int64_t value) {
  Key(key);
  AppendJsonNumber(value, &json);
}

void JsonMembers::Flag(std::string_view key, bool value) {
  Key(key);
  json += value ? "true" : "false";
}

void JsonMembers::Texts(const std::vector<std::string>& texts) {
  AppendJsonList(texts, &json,
                 [&](const std::string& text) { AppendJsonString(PrintableText(text), &json); });
}

void JsonMembers::List(std::string_view key, const std::vector<std::string>& texts) {
  Key(key);
  Texts(texts);
}

}  // namespace tfprof
