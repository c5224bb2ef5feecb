// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/store/note_catalogue.h"
#include "tests/support/opening.h"
#include "tests/support/source_of.h"

// What opening a folder, or a model that holds a graph, reads.

namespace tfprof::open_folder_test {
namespace {

TEST_CASE("a folder opens the run metadata in it, by number; other files are noted") {
  const TestFolder folder;
  for (const char* name : {"run_meta_10", "run_meta_2", "run_meta_1"}) {
    const std::string number = std::string(name).substr(9);
    WriteFile(folder / name, ReadFile("testdata/models/run_metas/run_meta_" + number));
  }
  WriteFile(folder / "graph.pb", ReadFile(kCase + "graph.pb"));
  WriteFile(folder / "notes.txt", "hello");
  WriteFile(folder / ".hidden", "hello");
  WriteFile(folder / "empty", "");  // as files of /proc, some of which have no end
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_directory(folder / "run_meta_0");
  const StorePtr store = Open({{"testdata/models/linear.meta"}, {folder / ""}}).value();
  REQUIRE(Formats(*store) ==
          std::vector<std::string>{"metagraph", "run_metadata", "run_metadata", "run_metadata"});
  REQUIRE(store->sources[1].path == folder / "run_meta_1");
  REQUIRE(store->sources[3].path == folder / "run_meta_10");
  REQUIRE(store->steps.size() == 3);
  REQUIRE(HasNote(*store, "files in a folder that are not part of its profile"));
  REQUIRE(store->notes[0].count == 2);
  REQUIRE(store->notes[0].first_place == folder / "notes.txt");
}

TEST_CASE(
    "a folder opens run metadata with its graph and op log; the profile of both is left out") {
  const TestFolder folder;
  for (const char* name : {"run_meta_0", "graph.pb", "op_log", "profile.pb"}) {
    WriteFile(folder / name, ReadFile(kCase + name));
  }
  const StorePtr store = Open({{folder / ""}}).value();
  CHECK(Formats(*store) == std::vector<std::string>{"graphdef", "op_log", "run_metadata"});
  CHECK(store->nodes[0].defined);
  REQUIRE(store->notes.size() >= 1);
  CHECK(store->notes[0].what == note::other_files_of_folders);
  CHECK(store->notes[0].count == 1);
  CHECK(store->notes[0].first_place == folder / "profile.pb");
}

TEST_CASE("pictures of a profile in its folder are left out, and noted") {
  constexpr std::string_view kTimeline =
      R"([{"ph":"X","ts":1,"dur":2,"pid":0,"tid":0,"name":"a"}])";
  const TestFolder folder;
  WriteFile(folder / "profile.pb", ReadFile(kCase + "profile.pb"));
  WriteFile(folder / "timeline.json", kTimeline);
  const auto opens = [&](const std::vector<std::string>& formats) {
    const StorePtr store = Open({{folder / ""}}).value();
    CHECK(Formats(*store) == formats);
    CHECK(std::ranges::any_of(store->notes, [&](const Note& one) {
      return one.what == note::other_files_of_folders &&
             one.first_place == folder / "timeline.json";
    }));
  };
  opens({"profile"});
  WriteFile(folder / "run_meta_0", ReadFile(kCase + "run_meta_0"));
  std::filesystem::remove(folder / "profile.pb");
  opens({"run_metadata"});
  std::filesystem::remove(folder / "run_meta_0");
  CHECK(Formats(*Open({{folder / ""}}).value()) == std::vector<std::string>{"kineto"});
}

TEST_CASE("of a folder with run metadata, the last graph by name counts, if it is of the program") {
  const TestFolder folder;
  WriteFile(folder / "run_meta_0", ReadFile(kCase + "run_meta_0"));
  WriteFile(folder / "a.meta", ReadFile("testdata/models/linear.meta"));
  WriteFile(folder / "graph.pb", ReadFile(kCase + "graph.pb"));
  CHECK(Formats(*Open({{folder / ""}}).value()) ==
        std::vector<std::string>{"graphdef", "run_metadata"});
  WriteFile(folder / "graph.pb", "");
  WriteFile(folder / "a.meta", "");
  WriteFile(folder / "other.pbtxt", "node { name: 'other' op: 'Const' }");
  const StorePtr store = Open({{folder / ""}}).value();
  CHECK(Formats(*store) == std::vector<std::string>{"run_metadata"});
  CHECK(store->notes[0].first_place == folder / "other.pbtxt");
}

TEST_CASE("of a folder with profiles only, the last by name is opened, or the one of --run") {
  const TestFolder folder;
  WriteFile(folder / "profile_9", ReadFile(kCase + "profile.pb"));
  WriteFile(folder / "profile_10", ReadFile("testdata/tensorflow/convnet/profile.pb"));
  WriteFile(folder / "graph.pb", ReadFile(kCase + "graph.pb"));
  const StorePtr store = Open({{folder / ""}}).value();
  REQUIRE(store->sources.size() == 1);
  CHECK(store->sources[0].path == folder / "profile_10");
  CHECK(HasNote(*store, "other profiles in a folder, skipped"));
  const StorePtr named = Open({{folder / "", "", false, "profile_9"}}).value();
  CHECK(named->sources[0].path == folder / "profile_9");
}

TEST_CASE("a folder with a graph only opens it") {
  const TestFolder folder;
  WriteFile(folder / "graph.pb", ReadFile(kCase + "graph.pb"));
  CHECK(Formats(*Open({{folder / ""}}).value()) == std::vector<std::string>{"graphdef"});
}

TEST_CASE("the newest run of the log directories below a folder is opened") {
  const TestFolder folder;
  const auto add = [&](const std::string& run) {
    std::filesystem::create_directories(folder / run);
    WriteFile(folder / (run + "/a.xplane.pb"), ReadFile("testdata/xspace/copies.xplane.pb"));
  };
  add("fit/train/plugins/profile/2025_02_01");
  add("fit/validation/plugins/profile/2025_01_01");
  WriteFile(folder / "events.out", "hello");
  CHECK(Open({{folder / ""}}).value()->sources[0].path ==
        folder / "fit/train/plugins/profile/2025_02_01/a.xplane.pb");
  CHECK(Open({{folder / "", "", false, "2025_01_01"}}).value()->sources[0].path ==
        folder / "fit/validation/plugins/profile/2025_01_01/a.xplane.pb");
  CHECK(ErrorOf({{folder / "", "", false, "x"}}).hint == "runs: 2025_01_01 2025_02_01");
  WriteFile(folder / "run_meta_0", ReadFile(kCase + "run_meta_0"));  // is of the folder itself
  CHECK(Formats(*Open({{folder / ""}}).value()) == std::vector<std::string>{"run_metadata"});
}

TEST_CASE("a folder without profiles, and a folder after a path flag, are errors") {
  const TestFolder folder;
  WriteFile(folder / "notes.txt", "hello");
  REQUIRE(ErrorOf({{folder / ""}}).kind == ErrorKind::unreadable);
  REQUIRE(ErrorOf({{folder / ""}}).what == "no profiles in this directory");
  const Error flag = ErrorOf({Flag("testdata/models/run_metas", "run_metadata")});
  REQUIRE(flag.kind == ErrorKind::unreadable);
  REQUIRE(flag.what == "is a directory");
  REQUIRE(ErrorOf({{"testdata/models/saved_model", "", false, "other"}}).what ==
          "has no run 'other'");
}

TEST_CASE("a folder with files of endless length is an error, without waiting") {
  REQUIRE(ErrorOf({{"/proc"}}).what == "no profiles in this directory");
}

TEST_CASE("a trace of a folder that is not a regular file is an error, as is one that is damaged") {
  const TestFolder folder;
  WriteFile(folder / "a.xplane.pb", ReadFile("testdata/xspace/copies.xplane.pb"));
  const std::string b = folder / "b.xplane.pb";
  const std::pair<const char*, std::function<void()>> makers[] = {
      {"cannot be read", [&] { std::filesystem::create_symlink(folder / "nowhere", b); }},
      {"is not a regular file", [&] { REQUIRE(mkfifo(b.c_str(), 0600) == 0); }},
      {"is a directory", [&] { std::filesystem::create_directory(b); }},
  };
  for (const auto& [what, make] : makers) {
    make();
    const Error error = ErrorOf({{folder / ""}});
    REQUIRE(error.kind == ErrorKind::unreadable);
    REQUIRE(error.what.find(what) == 0);
    REQUIRE(error.where.find(b) != std::string::npos);
    Context context;
    context.limits.partial = true;
    const StorePtr store = Load({{folder / ""}}, context).value();
    REQUIRE(HasNote(*store, "files in a folder that cannot be read: skipped"));
    std::filesystem::remove(b);
  }
}

TEST_CASE("a damaged file in a folder is an error, not omitted") {
  const TestFolder folder;
  const std::string bytes = ReadFile("testdata/models/run_metas/run_meta_1");
  WriteFile(folder / "run_meta_1", std::string_view(bytes).substr(0, bytes.size() - 9));
  const Error cut = ErrorOf({{folder / ""}});
  REQUIRE(cut.kind == ErrorKind::corrupt);
  REQUIRE(cut.where.find(folder / "run_meta_1") == 0);
}

TEST_CASE("a MetaGraphDef, a SavedModel and its folder are graphs for runs") {
  for (const char* path : {"linear.meta", "linear.meta.gz", "linear.meta.pbtxt"}) {
    INFO(path);
    const StorePtr store =
        Open({{"testdata/models/run_metas/run_meta_1"}, {"testdata/models/" + std::string(path)}})
            .value();
    REQUIRE(store->nodes.size() == 65);
    REQUIRE(store->steps.size() == 1);
  }
  for (const char* path : {"saved_model", "saved_model/", "saved_model/saved_model.pb",
                           "saved_model_text", "saved_model_text/saved_model.pbtxt"}) {
    INFO(path);
    const StorePtr store = Open({{"testdata/models/" + std::string(path)}}).value();
    REQUIRE(store->nodes.size() == 36);
    REQUIRE(
        HasNote(*store, "of the 2 graphs in the saved model only the one tagged serve is read"));
  }
  const Error flag = ErrorOf({Flag("testdata/models/linear.meta", "--graph_path")});
  REQUIRE(flag.what == "the file is a MetaGraphDef, not a GraphDef");
}

}  // namespace
}  // namespace tfprof::open_folder_test
