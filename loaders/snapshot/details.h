// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/store/details.h"
#include "loaders/io/source.h"
#include "loaders/snapshot/history.h"

namespace tfprof::snapshot {

// An event of the store, by Events::detail.
struct Row {
  Change change;
  uint32_t allocator = 0;  // index into DetailState::allocators; kNoRow: a region
};

struct DetailState {
  SourceFile file;  // owns the texts
  std::vector<std::string> allocators;
  Facts facts;
  std::vector<Row> rows;
};

// What is known of each event: see DetailReader.
DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state);

// The line of the program that requested the memory, "train.py:12 step": the innermost frame of
// Python that is in no installed package; without one the innermost frame of Python. Empty: the
// stack has no Python.
std::string SourceOf(const Facts& facts, uint32_t stack);
// The outermost operator of PyTorch on the stack, "aten::mm". Empty: C++ was not recorded.
std::string OperatorOf(const Facts& facts, uint32_t stack);

}  // namespace tfprof::snapshot
