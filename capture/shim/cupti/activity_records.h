// SPDX-License-Identifier: Apache-2.0
// Decoded activities to records of the spool: places and launch shapes are written once, and named
// by their ID then.
#pragma once

#include <cstdint>

#include "capture/abi/decode.h"

namespace tfprof::capture {

// Where records go.
struct RecordSink {
  void* context;
  void (*add)(void* context, const void* record, uint32_t bytes);

  template <class Record>
  void Add(const Record& record) const {
    static_assert(sizeof record % 8 == 0);
    add(context, &record, sizeof record);
  }
};

// Interns a text that CUPTI owns.
using InternText = uint32_t (*)(const char* text);

// Adds the record of an activity, after the definitions that it needs and that were not added
// before.
void AddActivity(const Activity& activity, InternText intern, const RecordSink& sink);

// Starts anew, for another spool.
void ForgetDefinitions();

}  // namespace tfprof::capture
