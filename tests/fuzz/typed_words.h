// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cli/export/writing.h"
#include "cli/shell/commands.h"
#include "core/query/options.h"
#include "core/report/table_def.h"
#include "emitters/emitter.h"
#include "views/view.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// Words and lines that the program knows, so that a fuzzer need not guess them.

namespace tfprof {

inline void AddLines(std::string_view text, std::vector<std::string>* lines) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines->emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

inline std::vector<std::string> KnownWords() {
  std::vector<std::string> words = {" ",  "\n", "'",     "\"",           ",",      "1",  "3",
                                    "-1", ".*", "conv1", "layer_{0..1}", "MatMul", "cpu"};
  for (const std::string_view name : CommandNames()) words.emplace_back(name);
  for (const Emitter& emitter : Emitters()) words.push_back("-format " + std::string(emitter.name));
  for (const Option& option : Options()) {
    words.push_back(" -" + std::string(option.name) + " ");
    words.push_back(option.print({}));
  }
  for (const View& view : Views()) {
    AddLines(view.example, &words);
    for (const TableDef* table : view.tables()) {
      for (const ColumnDef& column : table->columns) words.emplace_back(column.id);
    }
  }
  for (const ShellCommand& command : ShellCommands()) AddLines(command.example, &words);
  return words;
}

// Every third time a known word is put somewhere.
inline size_t MutateTyped(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  static const std::vector<std::string> words = KnownWords();
  const std::string& word = words[seed / 3 % words.size()];
  if (seed % 3 != 0 || size + word.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  const size_t at = seed / 7 % (size + 1);
  std::memmove(data + at + word.size(), data + at, size - at);
  std::memcpy(data + at, word.data(), word.size());
  return size + word.size();
}

}  // namespace tfprof
