// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "api/behind.h"
#include "cli/arguments.h"
#include "cli/message.h"
#include "loaders/inputs/ranks.h"

namespace tfprof::v1 {

Profile::Profile(std::shared_ptr<const Behind> behind) : behind_(std::move(behind)) {}

Error ToPublic(const tfprof::Error& error) {
  return {static_cast<ErrorKind>(error.kind), error.what, error.where, HintOf(error)};
}

std::string Error::Text() const {
  std::string text = what;
  if (where.find('\n') != where.npos) {
    text += "\n" + where;  // a line with a mark
  } else if (!where.empty()) {
    text = where + ": " + text;
  }
  return hint.empty() ? text : text + "\n" + hint;
}

Asking::Asking(const Profile::Behind& profile, const std::atomic<bool>* stop) {
  static const std::atomic<bool> kNever{false};
  io.in = &in;
  io.out = &out;
  io.err = &err;
  session.classic = profile.classic;
  session.limits = profile.limits;
  session.stop = stop != nullptr ? stop : &kNever;
  session.profile = profile.profile;
  session.inputs = profile.inputs;
  session.opened = profile.opened;
}

tfprof::Result<Profile> OpenJob(std::vector<Input> inputs, const OpenOptions& options) {
  Profile::Behind behind;
  behind.limits.partial = options.partial;
  behind.limits.max_inflated_bytes = options.max_inflated_bytes;
  Asking opening(behind, options.stop);
  TFPROF_TRY(OpenInputs(opening.session, inputs));
  behind.profile = opening.session.profile;
  behind.inputs = std::move(opening.session.inputs);
  behind.opened = std::move(opening.session.opened);
  return Profile(std::make_shared<const Profile::Behind>(std::move(behind)));
}

Result<Profile> Open(const std::vector<std::string>& paths, const OpenOptions& options) {
  std::vector<RankRange> ranks;
  if (!options.ranks.empty()) {
    auto parsed = ParseRanks(options.ranks);
    if (!parsed) return ToPublic(parsed.error());
    ranks = *std::move(parsed);
  }
  return ToPublic(OpenJob(FileInputs(paths, options.format, options.run, ranks), options));
}

Result<Profile> OpenBytes(std::vector<NamedBytes> files, const OpenOptions& options) {
  std::vector<Input> inputs;
  for (NamedBytes& file : files) {
    inputs.push_back({.path = std::move(file.name),
                      .format = options.format,
                      .bytes = std::make_shared<const std::string>(std::move(file.bytes))});
  }
  return ToPublic(OpenJob(std::move(inputs), options));
}

}  // namespace tfprof::v1
