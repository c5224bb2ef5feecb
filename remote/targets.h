// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/http2/socket.h"

// The servers that a command line names.

namespace tfprof::remote {

constexpr std::string_view kGrpc = "grpc://", kTpu = "tpu:";

// Returns true if the word begins as names of servers do. Defined in options.cc: tfprof links it,
// too.
bool IsTarget(std::string_view word);

struct Worker {
  Address address;
  std::string name;  // as in file names: the address without what is no letter of a file's name
};

using Variable = std::function<const char*(const char* name)>;  // getenv

// Returns the workers of the words, in order and each once:
//   grpc://h1:6009,h2:6009   addresses; [::1]:6009 too
//   grpc://@FILE             addresses in a file, one a line
//   tpu:, tpu:NAME, tpu:NAME:PORT   the hosts of the TPU that the environment's variables name
// Errors: usage, unreadable.
Result<std::vector<Worker>> WorkersOf(const std::vector<std::string>& words,
                                      const Variable& variable);

}  // namespace tfprof::remote
