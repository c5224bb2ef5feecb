// SPDX-License-Identifier: Apache-2.0
#include "cli/export/writing.h"

#include <sys/stat.h>

#include "cli/shell/session.h"
#include "loaders/io/source.h"
#include "loaders/loader.h"

namespace tfprof {
namespace {

bool IsRegularFile(const std::string& path, struct stat* status) {
  return stat(path.c_str(), status) == 0 && S_ISREG(status->st_mode);
}

}  // namespace

std::vector<std::string> OpenFiles(const Store& store) {
  std::vector<std::string> paths;
  for (const Source& source : store.sources) {
    paths.push_back(source.path);
    const Loader* loader = FindLoader(source.format);
    if (loader == nullptr || loader->beside == nullptr) continue;
    for (std::string& path : loader->beside(source.path)) paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<std::string> PathsOf(const std::vector<Input>& inputs) {
  std::vector<std::string> paths;
  for (const Input& input : inputs) paths.push_back(input.path);
  return paths;
}

Result<void> CheckNoProfile(const std::string& out) {
  struct stat status {};
  if (!IsRegularFile(out, &status)) return {};
  Context context;
  const Result<SourceFile> file = OpenSource(out, context);
  if (!file || file->bytes.empty()) return {};
  const Result<std::string> format = DetectFormat(file->bytes, out);
  if (!format) return {};
  const auto is_answer = FindLoader(*format)->is_answer;
  const auto may_be_replaced = [&]() -> Result<bool> { return is_answer(file->bytes); };
  if (is_answer != nullptr && GuardReads(*file, may_be_replaced).value_or(false)) return {};
  return Fail(ErrorKind::usage, "the file exists and is a profile (" + *format + ")", out,
              "choose another file name, or add -overwrite");
}

Result<void> CheckTarget(const std::string& out, const std::vector<std::string>& open,
                         bool overwrite) {
  struct stat target {
  }, other{};
  if (!IsRegularFile(out, &target)) return {};
  for (const std::string& path : open) {
    if (stat(path.c_str(), &other) != 0 || !IsSameFile(other, target)) continue;
    return Fail(ErrorKind::usage, "the answer would overwrite a file that is open", out,
                "choose another file name");
  }
  return overwrite ? Result<void>() : CheckNoProfile(out);
}

}  // namespace tfprof
