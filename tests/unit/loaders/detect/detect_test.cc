// SPDX-License-Identifier: Apache-2.0
#include "loaders/detect/detect.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "loaders/open.h"
#include "tests/support/source_of.h"

namespace tfprof::detect_test {
namespace {

namespace fs = std::filesystem;

// The format that a recorded file has by its name; empty: none.
std::string FormatOfName(const std::string& name) {
  if (name == "graph.pb" || name == "graph.pb.gz") return "graphdef";
  if (name == "graph.pbtxt") return "graphdef-text";
  if (name.ends_with(".meta") || name.ends_with(".meta.gz")) return "metagraph";
  if (name.ends_with(".meta.pbtxt")) return "metagraph-text";
  if (name == "saved_model.pb") return "saved_model";
  if (name == "saved_model.pbtxt") return "saved_model-text";
  if (name == "op_log") return "op_log";
  if (name == "ckpt.index") return "checkpoint";
  if (name == "profile.pb" || name == "profile.pb.gz") return "profile";
  if (name.ends_with(".xplane.pb")) return "xspace";
  if (name.starts_with("module_") || name.starts_with("train_step.")) return "hlo";
  return name.starts_with("run_meta_") ? "run_metadata" : "";
}

// Calls use(path, format, file) for every recorded file that is not empty.
template <class Use>
void ForEachRecorded(Use use) {
  for (const fs::path& folder : CaseFolders()) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      const std::string format = FormatOfName(entry.path().filename().string());
      Context context;
      if (format.empty()) continue;
      const SourceFile file = OpenSource(entry.path().string(), context).value();
      if (!file.bytes.empty()) use(entry.path().string(), format, file);
    }
  }
}

}  // namespace

TEST_CASE("every recorded file is detected correctly or reported as ambiguous") {
  int files = 0, unclear = 0;
  ForEachRecorded([&](const std::string& path, const std::string& format, const SourceFile& file) {
    INFO(path << " of " << file.bytes.size() << " bytes");
    const Result<std::string> found = DetectFormat(file.bytes, path);
    ++files;
    if (found) {
      REQUIRE(*found == format);
    } else {
      ++unclear;
      REQUIRE(found.error().what.find(format) != std::string::npos);
      REQUIRE(file.bytes.size() < 2000);
    }
  });
  REQUIRE(files >= 15);
  REQUIRE(unclear * 20 <= files);
}

TEST_CASE("a flag accepts its own files and no file of another known format") {
  int wrong = 0, refused = 0;
  ForEachRecorded([&](const std::string& path, const std::string& format, const SourceFile& file) {
    for (const Loader& loader : Loaders()) {
      INFO(path << " as " << loader.name);
      const Loader* other = CertainOther(loader, file.bytes);
      if (loader.name == format) {
        REQUIRE(other == nullptr);
      } else {
        ++wrong;
        if (other == nullptr) continue;
        ++refused;
        REQUIRE(other->name == format);
      }
    }
  });
  REQUIRE(refused * 100 >= wrong * 90);
}

TEST_CASE("a truncated file keeps its format") {
  for (const char* name : {"graph.pb", "run_meta_0", "op_log", "profile.pb"}) {
    const std::string bytes = ReadFile(fs::path("testdata/tensorflow/mnist_softmax") / name);
    for (const size_t percent : {20, 50, 90, 99}) {
      INFO(name << " cut to " << percent << " %");
      const SourceFile file =
          SourceOf(std::string_view(bytes).substr(0, bytes.size() * percent / 100));
      REQUIRE(DetectFormat(file.bytes, name).value() == FormatOfName(name));
    }
  }
}

TEST_CASE("files that are not profiles are described") {
  const auto error_of = [](std::string_view bytes) {
    const SourceFile file = SourceOf(bytes);
    const Result<std::string> found = DetectFormat(file.bytes, "file");
    REQUIRE(!found.has_value());
    REQUIRE(found.error().kind == ErrorKind::corrupt);
    REQUIRE(found.error().where == "file");
    return found.error().what;
  };
  REQUIRE(error_of("").find("empty") != std::string::npos);
  REQUIRE(error_of("[{\"name\": \"a\", \"ph\": \"X\"}]").find("a Chrome trace") !=
          std::string::npos);
  REQUIRE(error_of("{\"events\": []}").find("a JSON text") != std::string::npos);
  REQUIRE(error_of("\x7F"
                   "ELF\2\1\1")
              .find("an ELF program") != std::string::npos);
  REQUIRE(error_of("hello, world\n").find("a text") != std::string::npos);
  REQUIRE(error_of("import tensorflow as tf\n\nprint('node {')\n").find("a text") !=
          std::string::npos);
  REQUIRE(error_of("  \n ").find("white space") != std::string::npos);
  REQUIRE(error_of(std::string("\xFF\xFE\x00\x12", 4)).find("binary data") != std::string::npos);
  REQUIRE(error_of(ReadFile("CMakeLists.txt")).find("a text") != std::string::npos);
  REQUIRE(error_of(ReadFile("/proc/self/exe")).find("an ELF program") != std::string::npos);
}

TEST_CASE(
    "a trace of planes and lines is not a graph, though its fields hold texts at the same places") {
  // XSpace: planes (1) of id (1), name (2), lines (3), each of id (1), name (2), events (4).
  const std::string line("\x08\x01\x12\x04main\x22\x06\x08\x01\x10\x05\x18\x07", 16);
  const std::string plane = "\x08\x01\x12\x09/host:CPU\x1A\x10" + line;
  std::string space;
  for (int i = 0; i < 3; ++i) space += "\x0A\x1F" + plane;
  REQUIRE(plane.size() == 0x1F);
  const SourceFile file = SourceOf(space);
  const Result<std::string> found = DetectFormat(file.bytes, "trace.xplane.pb");
  REQUIRE((!found || *found == "xspace"));
}

TEST_CASE("a text graph is detected by its first field") {
  REQUIRE(DetectFormat("# made by hand\nnode { name: 'a' }", "g").value() == "graphdef-text");
  REQUIRE(DetectFormat("versions { producer: 27 }\n", "g").value() == "graphdef-text");
  REQUIRE(!DetectFormat("nodes { name: 'a' }", "g").has_value());
}

TEST_CASE("every format has a noun and a flag") {
  std::set<std::string_view> names;
  for (const Loader& loader : Loaders()) {
    REQUIRE(names.insert(loader.name).second);
    REQUIRE(FindLoader(loader.name) == &loader);
    REQUIRE(!loader.summary.empty());
    REQUIRE(!loader.noun.empty());
    // What the original did not read has no flag.
    const bool original =
        loader.name != "xspace" && loader.name != "hlo" && loader.name != "kineto" &&
        loader.name != "snapshot" && loader.name != "execution_trace" &&
        !loader.name.starts_with("metagraph") && !loader.name.starts_with("saved_model");
    REQUIRE(loader.flag.starts_with("--") == original);
  }
  REQUIRE(FindLoader("graph") == nullptr);
}

}  // namespace tfprof::detect_test
