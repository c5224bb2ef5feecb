// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/indexes.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"
#include "views/advice/finding.h"

namespace tfprof {

// What a job does, by its profile at one time.
struct Observation {
  int64_t steps = 0;                                // with a time, of all hosts
  int64_t step_ps = kNoInt;                         // their median
  double busy_pct = kNoReal;                        // of the devices, as in `jobs`
  int64_t memory_bytes = kNoInt;                    // the highest peak of an allocator
  std::vector<int64_t> spans_ps;                    // of the steps, in order of their start
  int64_t first_step = kNoInt, last_step = kNoInt;  // their numbers
  bool sees_all = true;                             // no step of the profile was seen before
  std::vector<std::pair<FindingId, std::string>> findings;  // as in `summary`

  bool HasNothingNew() const { return steps == 0 && !sees_all; }
};

// The steps that were observed before: a recording that grows has them still.
class SeenSteps {
 public:
  // Removes the steps that were seen in this profile; all stay if it is another one, or was written
  // anew: all end earlier. Remembers them. Returns true if it removed some.
  bool KeepNew(const Store& store, std::vector<struct StepRow>* steps);

 private:
  std::string source_;
  std::map<uint32_t, int64_t> until_ps_;  // by host: the end of the last one, from epoch_ns_
  int64_t epoch_ns_ = 0;                  // of the first profile
};

// Errors: those of the analyses; cancelled. `seen` null: all steps count.
Result<Observation> Observe(const StorePtr& store, const Indexes& indexes, SeenSteps* seen,
                            Context& context);

}  // namespace tfprof
