// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/query/query.h"
#include "core/report/report.h"

// One page about a profile: a file that a browser opens from disk, without any network. It has the
// answers of many commands as compressed binary columns; its scripts (emitters/page/*.js) draw and
// filter them. They compute only sums: of a range of the trace, and of the parts of a flame.

namespace tfprof {

// An answer of the page.
struct PageAnswer {
  std::string key;    // the command without the filters of the page; kTraceKey: the trace
  std::string block;  // of AnswerBlock
};
constexpr std::string_view kTraceKey = "timeline";

// An entry of the navigation.
struct PageEntry {
  std::string view;
  std::string summary;               // one line
  std::string help;                  // the meaning of rows and numbers
  std::string lacks;                 // why it has no answer; empty: it has one
  std::vector<std::string> answers;  // keys; the first is the page's own
  std::vector<std::string> moments;  // keys of what was held at some times, by time
  bool empty = false;                // its only answer has neither rows nor facts
  std::vector<std::string> flames;   // keys of trees that a flame graph draws
};

struct Page {
  std::string title;
  std::string opened;                 // the command line that opens the profile
  std::string program;                // and its version
  std::string timeline;               // the command that writes the trace; empty: it has none
  std::vector<std::string> left_out;  // sentences about what the page lacks
  std::vector<PageEntry> entries;
  std::vector<PageAnswer> answers;
  // The page fetches answers from the server that it came from: those here have no blocks.
  bool live = false;
  bool has_others = false;  // that server has other profiles: a list of them is at ../
};

struct AboutAnswer {
  std::string command;  // prints the same answer
  std::string unread;   // a sentence about filters that do not apply to it, or nothing
};

// Returns the answer as a block (emitters/page/block.h); emitters/page/answer.cc documents its
// header. All texts are printable. Error: cancelled.
Result<std::string> AnswerBlock(const Report& report, const Query& query, const AboutAnswer& about,
                                Context& context);

// Writes the page.
Result<void> EmitPage(const Page& page, Sink& sink, Context& context);

}  // namespace tfprof
