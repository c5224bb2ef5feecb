// SPDX-License-Identifier: Apache-2.0
// golden_test [--update] [PREFIX...]: runs every command below tests/golden (golden_case.h), or
// those whose path there starts with a PREFIX. --update rewrites what differs, but never
// golden/classic: those files are the original's words.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/run.h"
#include "tests/support/goldens/golden_case.h"
#include "tests/support/goldens/golden_file.h"
#include "tests/support/goldens/pretty_json.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = "tests/golden";

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Relative to tests/golden, sorted by name.
std::vector<fs::path> Cases(const std::vector<std::string>& prefixes) {
  std::vector<fs::path> cases;
  if (!fs::exists(kFolder)) return cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kFolder)) {
    const fs::path path = entry.path().lexically_relative(kFolder);
    const auto starts = [&](const std::string& prefix) {
      return path.string().starts_with(prefix);
    };
    if (path.extension() != ".test") continue;
    if (prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), starts)) {
      cases.push_back(path);
    }
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

// The folder that OUT stands for: exists, and is empty when a command begins.
class OutFolder {
 public:
  OutFolder() {
    std::string name = (fs::temp_directory_path() / "golden.XXXXXX").string();
    path_ = mkdtemp(name.data()) == nullptr ? fs::path() : fs::path(name);
  }
  ~OutFolder() { fs::remove_all(path_); }
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  std::string Enter(std::string word) const { return Replaced(std::move(word), "OUT/", Prefix()); }
  std::string Leave(std::string text) const { return Replaced(std::move(text), Prefix(), "OUT/"); }
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
      files[entry.path().filename().string()] = Leave(GoldenText(ReadAll(entry.path())));
    }
    return files;
  }

 private:
  std::string Prefix() const { return path_.string() + "/"; }
  static std::string Replaced(std::string text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
    return text;
  }

  fs::path path_;
};

GoldenRun RunCase(const GoldenCase& golden) {
  const OutFolder folder;
  std::vector<std::string> args;
  for (const std::string& word : golden.args) args.push_back(folder.Enter(word));
  std::istringstream in(
      folder.Enter(golden.in_path.empty() ? std::string() : ReadAll(golden.in_path)));
  std::ostringstream out, err;
  Io io;
  io.in = &in;
  io.out = &out;
  io.err = &err;
  const int exit_status = Run(args, io);
  return {.out = PrettyJson(folder.Leave(out.str())),
          .err = WithoutCompressedSizes(folder.Leave(err.str())),
          .files = folder.Files(),
          .exit_status = exit_status};
}

// Empty: as expected, or rewritten. Otherwise what is wrong.
std::string CheckCase(const fs::path& path, bool update) {
  const bool classic = path.begin()->string() == "classic";
  const std::string text = ReadAll(kFolder / path);
  // To be updated, a file needs a command only.
  const bool rewrite = update && !classic;
  const auto golden = ParseGolden(text, classic || rewrite);
  if (!golden) return golden.error().what + "\n";
  const GoldenRun run = RunCase(*golden);
  if (!rewrite) return CompareGolden(*golden, run, classic);
  const auto updated = FormatGolden(text, run);
  if (!updated) return updated.error().what + "\n";
  if (*updated == text) return {};
  fmt::print("rewritten: {}\n", path.string());
  std::ofstream(kFolder / path, std::ios::binary) << *updated;
  return {};
}

// The same answers on every machine: no user's configuration, time zone or language.
void FixEnvironment() {
  for (const char* name :
       {"TFPROF_NVML_LIB", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"}) {
    setenv(name, "/nonexistent", 1);
  }
  for (const char* name : {"NO_COLOR", "PAGER", "COLUMNS", "LINES"}) unsetenv(name);
  setenv("LC_ALL", "C.UTF-8", 1);
  setenv("TZ", "UTC", 1);
}

int Main(std::vector<std::string> words) {
  const bool update = std::erase(words, "--update") > 0;
  FixEnvironment();
  const std::vector<fs::path> cases = Cases(words);
  int failed = 0;
  for (const fs::path& path : cases) {
    const std::string wrong = CheckCase(path, update);
    if (wrong.empty()) continue;
    ++failed;
    fmt::print("FAILED {}\n{}", (kFolder / path).string(), wrong);
  }
  fmt::print("{} golden cases, {} failed\n", cases.size(), failed);
  return failed > 0 || cases.empty() ? 1 : 0;
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) {
  if (argc < 1 || !std::filesystem::exists("tests/golden")) {
    fmt::print(stderr, "golden_test: run me in the repository's root\n");
    return 2;
  }
  return tfprof::Main({argv + 1, argv + argc});
}
