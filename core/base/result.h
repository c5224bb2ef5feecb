// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tfprof {

// What went wrong, in the terms of the program's exit status.
enum class ErrorKind {
  internal = 1,
  usage = 2,       // also every command that the original refuses
  unreadable = 3,  // a path that cannot be opened or read
  corrupt = 4,     // damaged, of no known or of several formats
  unwritable = 5,
  limit = 6,  // a limit that the user set was passed
  cancelled = 130,
};

// What the caller can change so that it works. Only cli/message.cc knows the options for that.
enum class Remedy : uint8_t {
  none,
  higher_limit,    // Limits::max_inflated_bytes
  keep_beginning,  // Limits::partial: what comes before the damage; `hint`: but not all of it
  leave_out,       // Limits::partial: one of several files
  choose_format,   // `hint`: the formats, with ", " between them
};

// One sentence each; `where` is a file, offset and record, or empty.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string what;
  std::string where;
  std::string hint;  // what to try, or empty
  Remedy remedy = Remedy::none;
};

template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

inline Failure Fail(ErrorKind kind, std::string what, std::string where = {},
                    std::string hint = {}) {
  return Failure(Error{kind, std::move(what), std::move(where), std::move(hint)});
}
inline Failure Fail(ErrorKind kind, std::string what, std::string where, Remedy remedy,
                    std::string hint = {}) {
  return Failure(Error{kind, std::move(what), std::move(where), std::move(hint), remedy});
}

inline int ExitStatus(const Error& error) { return static_cast<int>(error.kind); }

}  // namespace tfprof

// Leaves the function with the error of `expression`, if it has one.
#define TFPROF_TRY(expression)                                    \
  do {                                                            \
    if (auto tfprof_result = (expression); !tfprof_result)        \
      return ::tfprof::Failure(std::move(tfprof_result).error()); \
  } while (false)

#define TFPROF_CONCAT2(a, b) a##b
#define TFPROF_CONCAT(a, b) TFPROF_CONCAT2(a, b)

// TFPROF_ASSIGN(auto x, F()): x is F()'s value, or the function is left with F()'s error.
#define TFPROF_ASSIGN(target, expression) \
  TFPROF_ASSIGN_AS(TFPROF_CONCAT(tfprof_result_, __LINE__), target, expression)
#define TFPROF_ASSIGN_AS(result, target, expression)                \
  auto result = (expression);                                       \
  if (!result) return ::tfprof::Failure(std::move(result).error()); \
  target = std::move(*result)
