// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/store.h"
#include "loaders/loader.h"

namespace tfprof {

// A store as lines of text, one per fact, sorted: for comparison with another reader of the same
// file.
std::vector<std::string> StoreRows(const Store& store);

// One event and its related facts. Times in us, wall time.
struct RowText {
  std::string lane, label, node, memory;
  std::string runs;  // "(N)": an aggregate of N
  int64_t step = 0;
  int64_t start_us = 0;  // 0: not recorded
  int64_t duration_us = 0;
};
std::string Line(const RowText& row);
std::string MemoryText(const ExecMemory& row, int64_t time_us, std::vector<OutputMemory> outputs);
std::string AllocationText(std::string_view label, std::string_view allocator, int64_t time_us,
                           int64_t bytes);

// "" if equal; else the first lines that only one of them has.
std::string Difference(std::vector<std::string> ours, std::vector<std::string> theirs);

// A file with the contents `bytes`.
SourceFile MemoryFile(const std::string& bytes, const std::string& path = "test");

// The store that our reader makes from a ProfileProto. Checks its invariants.
StorePtr LoadProfile(const std::string& bytes);

// The complete files of `name_part` in the cases with known answers; none if they are absent.
std::vector<std::string> ReferenceFiles(const std::string& name_part);

// The bytes of a file, inflated.
std::string ReadWhole(const std::string& path);

}  // namespace tfprof
