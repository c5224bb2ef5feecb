// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

namespace tfprof {

Error::Error(ErrorKind of, std::string text, std::string place, std::string advice, Remedy change)
    : kind(of),
      what(std::move(text)),
      where(std::move(place)),
      hint(std::move(advice)),
      remedy(change) {}
Error::Error() = default;
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

Failure Fail(ErrorKind kind, std::string what, std::string where, std::string hint) {
  return Fail(kind, std::move(what), std::move(where), Remedy::none, std::move(hint));
}

Failure Fail(ErrorKind kind, std::string what, std::string where, Remedy remedy, std::string hint) {
  return Failure(Error(kind, std::move(what), std::move(where), std::move(hint), remedy));
}

Failure UsageError(std::string what, std::string hint) {
  return Fail(ErrorKind::usage, std::move(what), {}, std::move(hint));
}

Failure UsageError(std::string what, Remedy remedy, std::string hint) {
  return Fail(ErrorKind::usage, std::move(what), {}, remedy, std::move(hint));
}

}  // namespace tfprof
