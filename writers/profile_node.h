// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/wire_writer.h"
#include "writers/code_texts.h"
#include "writers/exec_tables.h"

namespace tfprof {

struct ProfileWriting {
  ExecTables tables;
  CodeTexts texts;
  int64_t other_slots = 0;  // inputs that are not output 0 of their producer
};

// Writes the fields of a ProfileNode.
void WriteNode(NodeId id, ProfileWriting& writing, WireWriter& out);

}  // namespace tfprof
