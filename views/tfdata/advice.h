// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "analysis/tfdata/iterator_facts.h"

namespace tfprof {

// Returns the cause of a pipeline that is slow because of an iterator of this kind ("Map"), and the
// fix.
std::string AdviceFor(std::string_view iterator, const IteratorFacts& facts = {});

}  // namespace tfprof
