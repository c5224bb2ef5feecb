// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/export/writing.h"
#include "cli/shell/commands.h"
#include "cli/shell/session.h"
#include "tests/fuzz/fuzz.h"
#include "views/answer.h"

// An open profile, and lines about it.

namespace tfprof {

// A session that writes into texts. The same store may be in several.
struct Asker {
  explicit Asker(StorePtr store) : session(io) {
    io.in = &in;
    io.out = &out;
    io.err = &err;
    session.base = store;  // of diff
    session.base_path = "base";
    session.profile = Profile(std::move(store));
  }
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // What the line writes to standard output. What it writes to standard error is readable.
  std::string Ask(std::string_view line) {
    out.str({});
    err.str({});
    status = Execute(session, line, "");
    const std::string output = err.str();
    for (const char byte : output) {
      const auto code = static_cast<unsigned char>(byte);
      Require(byte == '\n' || (code >= 32 && code != 127), "a control byte in a message");
    }
    Require(status != 1, "an internal error: " + output);
    return out.str();
  }

  std::istringstream in;
  std::ostringstream out, err;
  Io io;
  Session session;
  int status = 0;  // of the last line
};

// A small profile that was made up: a graph with scopes, steps, devices, memory and code.
StorePtr SmallProfile();

// A line that asks nothing of the computer but answers: it opens, writes and runs no file.
inline bool IsHarmless(const CommandLine& line) {
  if (line.redirect.kind != Redirect::none) return false;
  for (const Word& word : line.words) {
    if (word.text.find("outfile") != std::string::npos) return false;
  }
  if (line.words.empty()) return true;
  const std::string& name = line.words[0].text;
  if (name == "load" || name == "source" || name == "time") return false;
  if (FindWritingCommand(name) != nullptr) return false;
  return name != "diff" || line.words.size() < 2 || line.words[1].text.starts_with('-');
}

}  // namespace tfprof
