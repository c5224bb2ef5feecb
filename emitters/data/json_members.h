// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emitters/data/json_values.h"

namespace tfprof {

// A JSON object while it is written: `json` lacks its end. Texts become printable.
struct JsonMembers {
  std::string json = "{";

  // Begins a member of the innermost object.
  void Key(std::string_view key);
  void Member(std::string_view key, std::string_view text);
  void Number(std::string_view key, int64_t value);
  void Flag(std::string_view key, bool value);
  void Texts(const std::vector<std::string>& texts);
  void List(std::string_view key, const std::vector<std::string>& texts);

  // A list of objects. `add_members` adds those of an item. Also the whole text: `json` is empty
  // before.
  template <class Items, class AddMembers>
  void Objects(const Items& items, AddMembers add_members) {
    AppendJsonList(items, &json, [&](const auto& item) {
      json += '{';
      add_members(item);
      json += '}';
    });
  }
};

}  // namespace tfprof
