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

// Returns every loader that accepts the bytes, best score first.
std::vector<Candidate> Candidates(std::string_view bytes);

// Returns true if the bytes look like the beginning of a text file: printable, with white space.
bool LooksLikeTextFile(std::string_view bytes);

// Returns false if the beginning shows that the bytes are not a profile.
bool MayBeProfile(std::string_view beginning);

// Returns error corrupt: the bytes look like `beginning` and are not a profile.
Failure NotAProfile(std::string_view beginning, const std::string& path);

// Describes bytes that are not a profile by their beginning: "a JSON text", "an ELF program or
// library" ... "unknown binary data".
std::string_view DescribeContent(std::string_view bytes);

// Returns null if `bytes` may have the format of `loader`, else the format that they certainly
// have.
const Loader* CertainOther(const Loader& loader, std::string_view bytes);

}  // namespace tfprof
