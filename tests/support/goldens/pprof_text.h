// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "proto/pprof.pb.h"

// A pprof profile in words, for tests and goldens.

namespace tfprof {

// "time/nanoseconds" for every sample type.
std::vector<std::string> PprofTypes(const pb::pprof::Profile& profile);

// "inner@file:line < outer@file:line | key=text ... | value ..." for every sample.
std::vector<std::string> PprofSamples(const pb::pprof::Profile& profile);

// The whole profile: sample types, the default one, mappings, comments, duration, then one sample
// per line.
std::string PprofText(const pb::pprof::Profile& profile);

}  // namespace tfprof
