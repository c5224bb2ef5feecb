// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/served_trace.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/export/page_answers.h"
#include "cli/serve/trace_parts.h"

namespace tfprof {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookForGone{10};
constexpr std::chrono::milliseconds kUntilPart{400};  // a page waits that long for more tracks
constexpr size_t kKeptSearches = 2;

}  // namespace

Result<std::unique_lock<std::mutex>> LockFor(std::mutex& mutex, Context& context) {
  std::unique_lock<std::mutex> locked(mutex, std::defer_lock);
  while (!locked.try_lock()) {
    TFPROF_TRY(Poll(context));
    std::this_thread::sleep_for(kLookForGone);
  }
  return locked;
}

Result<void> ServedTrace::Prepare(const Profile& profile, const PlaceFilter& place, bool all,
                                  Context& context) {
  if (!maker_) {
    Query query;
    query.place = place;
    TFPROF_ASSIGN(maker_, TraceOf(profile, query, false, context));
  }
  const auto until = all ? steady_clock::time_point::max() : steady_clock::now() + kUntilPart;
  TFPROF_ASSIGN(const bool is_ready, maker_->Prepare(until, context));
  if (!is_ready) return {};
  TFPROF_ASSIGN(PageTrace trace, maker_->Finish(context));
  whole_ = std::make_shared<const PageTrace>(std::move(trace));
  maker_.reset();
  return {};
}

Result<ServedTrace::MatchesPtr> ServedTrace::Find(const std::string& text, Context& context) {
  TFPROF_ASSIGN(const auto locked, LockFor(lock_, context));
  auto known = std::ranges::find(found_, text, &std::pair<std::string, MatchesPtr>::first);
  if (known != found_.end()) {
    std::rotate(known, known + 1, found_.end());
    return found_.back().second;
  }
  TFPROF_ASSIGN(SpanMatches matches, SpanMatches::Of(*whole_, text, context));
  if (found_.size() == kKeptSearches) found_.erase(found_.begin());
  found_.emplace_back(text, std::make_shared<const SpanMatches>(std::move(matches)));
  return found_.back().second;
}

Result<std::string> ServedTrace::Answer(const Profile& profile, const PlaceFilter& place,
                                        std::string_view kind, const HttpRequest& request,
                                        bool* is_whole, Context& context) {
  const auto text = request.values.find("text");
  const bool is_search = text != request.values.end();
  const bool is_window = kind == "trace" && !request.values.empty();
  {
    TFPROF_ASSIGN(const auto locked, LockFor(lock_, context));
    if (whole_ == nullptr && !(is_window && !is_search && maker_)) {
      TFPROF_TRY(Prepare(profile, place, kind != "trace" || is_search, context));
    }
    *is_whole = whole_ != nullptr;
    if (!*is_whole) return PartOfTrace(maker_->made(), kind, request, nullptr, context);
  }
  MatchesPtr matches;  // the trace stays as it is now
  if (is_search) {
    TFPROF_ASSIGN(matches, Find(text->second, context));
  }
  return PartOfTrace(*whole_, kind, request, matches.get(), context);
}

}  // namespace tfprof
