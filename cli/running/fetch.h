// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

// Files elsewhere, and the tools that copy them.

namespace tfprof {

// Returns true for gs://, s3://, ssh://, http:// and https://.
bool IsUrl(std::string_view text);

// How a URL is copied.
struct FetchPlan {
  // Below the cache folder; no two URLs share one: gs/BUCKET/0c4f9e12ab3d5678/run.
  std::string place;
  std::string name;  // its last part
  // Commands that copy it into an empty folder, as its only entry. If one fails, the next one is
  // tried.
  std::vector<std::vector<std::string>> commands;
};

// `has`: whether a program is installed. Errors: usage (a malformed URL), unreadable (no tool is
// installed).
Result<FetchPlan> PlanFetch(const std::string& url, const std::string& folder,
                            const std::function<bool(const std::string& program)>& has);

}  // namespace tfprof
