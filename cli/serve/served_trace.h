// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/serve/http.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "emitters/page/trace/matches.h"
#include "emitters/page/trace/page_trace.h"
#include "views/answer.h"

namespace tfprof {

// Locks a mutex, unless the one who waits is gone. Error: cancelled.
Result<std::unique_lock<std::mutex>> LockFor(std::mutex& mutex, Context& context);

// What ran, prepared as pictures request it: the first requests for the trace get the tracks that
// are ready, and each goes on with the others. Several threads may use it.
class ServedTrace {
 public:
  // Answers a request of a kind about the trace (cli/serve/site.h). `is_whole`: no track was
  // missing.
  Result<std::string> Answer(const Profile& profile, const PlaceFilter& place,
                             std::string_view kind, const HttpRequest& request, bool* is_whole,
                             Context& context);

 private:
  using TracePtr = std::shared_ptr<const PageTrace>;
  using MatchesPtr = std::shared_ptr<const SpanMatches>;

  Result<void> Prepare(const Profile& profile, const PlaceFilter& place, bool all,
                       Context& context);
  Result<MatchesPtr> Find(const std::string& text, Context& context);

  std::mutex lock_;
  std::optional<PageTraceMaker> maker_;  // until all is there
  TracePtr whole_;
  std::vector<std::pair<std::string, MatchesPtr>> found_;  // of the latest searches
};

}  // namespace tfprof
