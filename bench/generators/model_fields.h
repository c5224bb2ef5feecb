// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/generators/model.h"
#include "core/base/wire_writer.h"

// Parts of a model node that several formats share.

namespace tfprof {

int64_t FloatOpsOfModel(int64_t index);  // 0: not logged

// Entries of map<string, AttrValue> as field `field`: T, _output_shapes, and `shape` of variables.
void WriteAttributes(WireWriter& out, FieldNumber field, int64_t index);

// Fields of a CodeDef: nine frames; nodes at the same place in a layer share theirs. Texts are ids.
void WriteTrace(WireWriter& out, int64_t index);
// The texts of those ids, as map<int64, string>.
void WriteIdToString(WireWriter& out, FieldNumber field);

}  // namespace tfprof
