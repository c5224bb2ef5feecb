// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/arith.h"
#include "core/base/attributes.h"
#include "core/base/result.h"
#include "core/query/query.h"

namespace tfprof {

// One -fail-if of diff: WHAT > +N% or WHAT > +N. WHAT is `step` (mean duration), or one of op:NAME,
// scope:NAME, code:NAME, graph:NAME, with an optional measure after a dot (default: micros):
// "step>+5%", "op:MatMul.micros>+10%", "scope:model/loss.bytes > +1MiB". `<` with a minus limits a
// decrease. A final `p<N` ("step>+5% p<0.05") adds a condition: the p of the change is less than N.
struct DiffLimit {
  std::string text;  // as it was typed
  std::string view;  // empty: steps
  std::string name;
  Measure measure = Measure::micros;
  bool is_share = false;
  double amount = 0;       // a fraction of the base, or in the measure's unit (steps: us)
  bool above = true;       // exceeded by a larger increase; else by a larger decrease
  double max_p = kNoReal;  // exceeded only with a smaller p; NaN: with any

  // `per_unit` converts: so many units of the values are one unit of the amount. kNoInt: absent. A
  // value that was absent in the base exceeds every share.
  bool Exceeded(int64_t before, int64_t after, int64_t per_unit = 1) const;
};

// Error: usage, with the reason.
Result<DiffLimit> ParseLimit(const std::string& text);

// Parses those of -fail-if. Error: usage, about this option.
Result<std::vector<DiffLimit>> LimitsOf(const Query& query);

}  // namespace tfprof
