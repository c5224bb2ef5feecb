// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tfprof {

// The kind of an error; its value is the program's exit status.
enum class ErrorKind {
  internal = 1,
  usage = 2,       // also every command that the original refuses
  unreadable = 3,  // a path that cannot be opened or read
  corrupt = 4,     // damaged, unrecognized or ambiguous format
  unwritable = 5,
  limit = 6,  // a limit that the user set was exceeded
  cancelled = 130,
};

// The change that lets the caller succeed. Only cli/message.cc knows the matching options.
enum class Remedy : uint8_t {
  none,
  higher_limit,    // Limits::max_inflated_bytes
  keep_beginning,  // Limits::partial: keep the data before the damage; `hint`: its limitations
  leave_out,       // Limits::partial: skip one of several files
  choose_format,   // `hint`: the formats, with ", " between them
  other_output,    // Display::format: any view has it as a table or JSON; `hint`: what has this one
  select_measure,  // Display::select; `hint`: what else there is, or empty
  other_place,     // PlaceFilter: no step is marked at the selected hosts and devices
};

// Bytes [begin, end) of an option's value as typed; `nth` of the options of that name in a command.
// end 0: the whole value.
struct ValuePart {
  size_t nth = 0;
  size_t begin = 0;
  size_t end = 0;
};

// One sentence each; `where` is a file, offset and record, or empty.
struct Error {
  // Out of line: every function that can fail would contain copies of these.
  Error(ErrorKind of, std::string text, std::string place = {}, std::string advice = {},
        Remedy change = Remedy::none);
  Error();
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();

  ErrorKind kind = ErrorKind::internal;
  std::string what;
  std::string where;
  std::string hint;  // what to try, or empty
  Remedy remedy = Remedy::none;
  ValuePart part = {};  // the wrong part of an option's value
};

template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

Failure Fail(ErrorKind kind, std::string what, std::string where = {}, std::string hint = {});
Failure Fail(ErrorKind kind, std::string what, std::string where, Remedy remedy,
             std::string hint = {});

// The user asked for something that does not exist or does not fit; `hint`: what does.
Failure UsageError(std::string what, std::string hint = {});
Failure UsageError(std::string what, Remedy remedy, std::string hint = {});

inline int ExitStatus(const Error& error) { return static_cast<int>(error.kind); }

}  // namespace tfprof

// Returns the error of `expression`, if it has one, from the function.
#define TFPROF_TRY(expression)                                    \
  do {                                                            \
    if (auto tfprof_result = (expression); !tfprof_result)        \
      return ::tfprof::Failure(std::move(tfprof_result).error()); \
  } while (false)

#define TFPROF_CONCAT2(a, b) a##b
#define TFPROF_CONCAT(a, b) TFPROF_CONCAT2(a, b)

// TFPROF_ASSIGN(auto x, F()): assigns F()'s value to x, or returns F()'s error from the function.
#define TFPROF_ASSIGN(target, expression) \
  TFPROF_ASSIGN_AS(TFPROF_CONCAT(tfprof_result_, __LINE__), target, expression)
#define TFPROF_ASSIGN_AS(result, target, expression)                \
  auto result = (expression);                                       \
  if (!result) return ::tfprof::Failure(std::move(result).error()); \
  target = std::move(*result)
