// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "loaders/loader.h"

namespace tfprof {

struct Candidate {
  const Loader* loader;
  int score;  // of Loader::score
};

// Every loader that does not rule the bytes out, the surest first.
std::vector<Candidate> Candidates(std::string_view bytes);

// False for what is no profile, as far as the beginning of it tells.
bool MayBeProfile(std::string_view beginning);

// Error: corrupt, what looks like `beginning` is no profile.
Failure NoProfileHere(std::string_view beginning, const std::string& path);

// What the bytes are when they are no profile, as far as their beginning tells: "a JSON text", "an
// ELF program or library" ... "binary data of an unknown kind".
std::string_view DescribeContent(std::string_view bytes);

// Null when `bytes` may be of the format of `loader`; else the format that they surely are.
const Loader* SurelyOther(const Loader& loader, std::string_view bytes);

}  // namespace tfprof
