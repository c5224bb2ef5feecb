// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tfprof/tfprof.h>

#include <atomic>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.h"
#include "cli/shell/session.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "loaders/open.h"
#include "views/answer.h"
#include "views/view.h"

// What is behind the types of the interface. In this folder, names without a qualifier are those of
// the interface, and tfprof::X is what the program uses.

namespace tfprof::v1 {

struct Profile::Behind {
  tfprof::Profile profile;
  std::vector<Input> inputs;  // what was named; `profile` is one job of it
  std::vector<Input> opened;  // those that `profile` was made from
  Limits limits = {};
  bool classic = false;  // answers by the original's rules
};

struct Report::Behind {
  Behind(tfprof::Report made, Query of);

  tfprof::Report report;
  Query query;
  std::string view;
  std::vector<Table> tables;
  std::vector<Property> properties;
  std::vector<Note> notes;
};

// A question of its own: the state that the program keeps between commands is new each time, so
// that no answer depends on another one.
struct Asking {
  Asking(const Profile::Behind& profile, const std::atomic<bool>* stop);

  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io;
  Session session{io};
};

Error ToPublic(const tfprof::Error& error);
template <class T>
Result<T> ToPublic(tfprof::Result<T> result) {
  if (!result) return ToPublic(result.error());
  return std::move(*result);
}

// Opens inputs. Errors: as Load.
tfprof::Result<Profile> OpenJob(std::vector<Input> inputs, const OpenOptions& options);

}  // namespace tfprof::v1
