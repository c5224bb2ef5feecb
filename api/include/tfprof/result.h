// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>

// Callers write tfprof::Report. Types carry the version of the interface in their linked names.
#ifdef TFPROF_IN_LIBRARY  // inside of the library, the same names mean what is behind the interface
#define TFPROF_NAMESPACE tfprof::v1
#else
#define TFPROF_NAMESPACE tfprof::inline v1
#endif
#define TFPROF_EXPORT __attribute__((visibility("default")))

namespace TFPROF_NAMESPACE {

// The values are the exit statuses of the program.
enum class ErrorKind {
  internal = 1,
  usage = 2,       // an option, a name or a view that does not exist or does not fit
  unreadable = 3,  // a path that cannot be opened or read
  corrupt = 4,     // damaged, unrecognized or ambiguous format
  unwritable = 5,
  limit = 6,  // a limit that the caller set was exceeded
  cancelled = 130,
};

// Errors are values: no function of this library throws, except std::bad_alloc.
struct TFPROF_EXPORT Error {
  ErrorKind kind = ErrorKind::internal;
  std::string what;   // one sentence
  std::string where;  // a file and an offset, or the marked word of a question; may be empty
  std::string hint;   // what to try; may be empty

  std::string Text() const;  // all of it
};

// A value or an error. Check ok() before the value is taken.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : is_(std::move(value)) {}
  Result(Error error) : is_(std::move(error)) {}

  bool ok() const { return is_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& operator*() { return *std::get_if<0>(&is_); }
  const T& operator*() const { return *std::get_if<0>(&is_); }
  T* operator->() { return std::get_if<0>(&is_); }
  const T* operator->() const { return std::get_if<0>(&is_); }
  const Error& error() const { return *std::get_if<1>(&is_); }

 private:
  std::variant<T, Error> is_;
};

}  // namespace TFPROF_NAMESPACE
