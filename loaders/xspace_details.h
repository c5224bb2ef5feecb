// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/details.h"
#include "core/hash_text.h"
#include "loaders/source.h"
#include "loaders/xspace_layout.h"
#include "loaders/xspace_stats.h"

namespace tfprof::xspace {

// Texts that columns of several planes have: devices that do the same name the same operations.
class CommonTexts {
 public:
  struct Text {
    std::string_view text;  // stays where it is
    uint32_t number = 0;    // 0.., in the order in which they came
  };
  Text Keep(std::string_view text);

 private:
  std::unordered_map<std::string, uint32_t, HashText, std::equal_to<>> numbers_;
};

// What the details of an XSpace are read from. Process i of the store (Process::index) is plane i,
// lane i of a process its line i, label i of a process its event metadata i.
struct DetailState {
  SourceFile file;
  Layout layout;
  std::vector<StatNames> names;  // by plane
  mutable std::mutex common_lock;
  mutable CommonTexts common;  // names of stats that columns have as texts
};

// Reads stats from the file, which must not have become shorter.
DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state);

}  // namespace tfprof::xspace
