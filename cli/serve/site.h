// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run.h"
#include "cli/serve/answer_cache.h"
#include "cli/serve/http.h"
#include "cli/serve/served.h"
#include "cli/shell/session.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"

namespace tfprof {

// What applies to all pages.
struct ServedWith {
  std::string base_path;  // what they compare with; empty: nothing
  StorePtr base;
  Query options;    // with the filters
  OptionSet given;  // these
};

// The addresses below /TOKEN/:
//
//   (nothing)        the only profile that there can be, or the list of all
//   runs             that list: [{id, name, folder, modified_ns}...]
//   ID/              the page of a profile
//   ID/block?line=   the answer to a command, for this page (emitters/page/block.h)
//   ID/json?line=    the same, as -format json
//   ID/trace         the whole trace, a large one in few pieces; until it is ready, the tracks that
//                    are, and the next request has more of them
//   ID/trace?from=&to=&min=&first=&rows=   a part of it; times in ps from its first start, `min`
//                    the length below which neighbors are one; `rows` rows from `first`. `text`:
//                    marks what a search finds
//   ID/range?from=&to=          what ran in a part of it, by name
//   ID/flows?track=&from=&to=   flows that begin or end on a track there
//   ID/search?text=&row=&start=&nth=&back   how many spans have the text, or match /EXPRESSION/,
//                    and the next one after (`back`: before) a span, else the first. A span is that
//                    of a row and a start; `nth`, from 0, of several without length
//
// Errors of commands have the status 422 and are {error, where, hint}. Several threads may use it.
class Site {
 public:
  Site(std::vector<std::string> words, ServedWith with);

  const std::string& token() const { return token_; }
  void set_port(int port) { port_ = port; }

  HttpReply Reply(const HttpRequest& request, const std::atomic<bool>& gone);

 private:
  HttpReply ReplyBelow(std::string_view path, const HttpRequest& request, Context& context);
  HttpReply First();
  HttpReply Runs();
  Result<std::string> PageOf(size_t id, Context& context);
  Result<AnswerCache::Bytes> AnswerOf(size_t id, std::string_view kind, const HttpRequest& request,
                                      Context& context);

  const std::string token_;
  const ServedWith with_;
  int port_ = 0;
  ServedRuns runs_;
  AnswerCache answers_;
};

}  // namespace tfprof
