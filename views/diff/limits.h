// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/attributes.h"
#include "core/base/result.h"

namespace tfprof {

// One -fail-if of diff: WHAT > +N% or WHAT > +N, where WHAT is `step` (mean duration), or one of
// op:NAME, scope:NAME, code:NAME, graph:NAME, with a measure behind a dot (micros where there is
// none): "step>+5%", "op:MatMul.micros>+10%", "scope:model/loss.bytes > +1MiB". `<` with a minus
// is for what must not shrink.
struct DiffLimit {
  std::string text;  // as it was given
  std::string view;  // empty: steps
  std::string name;
  Measure measure = Measure::micros;
  bool is_share = false;
  double amount = 0;  // of before, as a fraction, or in the measure's unit (steps: us)
  bool above = true;  // exceeded by more than that; else by less

  // Of values of which `per_unit` are one of the amount's. kNoInt: nothing is there. What was not
  // there before exceeds every share.
  bool Exceeded(int64_t before, int64_t after, int64_t per_unit = 1) const;
};

// Error: usage, says what is wrong with it.
Result<DiffLimit> ParseLimit(const std::string& text);

}  // namespace tfprof
