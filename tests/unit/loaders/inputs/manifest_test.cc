// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/manifest.h"

#include <filesystem>

#include "core/store/note_catalogue.h"
#include "loaders/inputs/run_folder.h"
#include "tests/support/opening.h"
#include "tests/support/source_of.h"

// Folders of a capture: the manifest decides what is opened.

namespace tfprof::manifest_test {
namespace {

const std::string kTrace = "testdata/xspace/copies.xplane.pb";
const std::string kOther = "testdata/xspace/gpu_train.xplane.pb";

// A process of a manifest. Empty texts are left out.
std::string Process(const std::string& source, const std::string& more = {}) {
  return "{\"source\": \"" + source +
         "\", \"host\": \"node7\", \"exe\": \"/bin/train\", \"pid\": 12" + more + "}";
}

std::string ManifestOf(const std::string& processes) {
  return "{\"format\": 1, \"processes\": [" + processes + "]}";
}

std::vector<std::string> PathsOf(const Store& store) {
  std::vector<std::string> paths;
  for (const Source& source : store.sources) paths.push_back(source.path);
  return paths;
}

int64_t CountOf(const Store& store, const NoteRow& row) {
  for (const Note& note : store.notes) {
    if (note.what.row == &row) return note.count;
  }
  return 0;
}

TEST_CASE("a folder with a manifest opens the trace of each process, and nothing beside them") {
  const TestFolder folder;
  WriteFile(folder / "b.xplane.pb", ReadFile(kTrace));
  WriteFile(folder / "a.xplane.pb", ReadFile(kOther));
  WriteFile(folder / "old.xplane.pb", ReadFile(kOther));
  WriteFile(folder / "a.run_meta_step0", ReadFile(kCase + "run_meta_0"));
  WriteFile(folder / "a.graph", ReadFile(kCase + "graph.pb"));
  WriteFile(folder / "manifest.json",
            ManifestOf(Process("b.xplane.pb", ", \"complete\": true") + "," +
                       Process("a.xplane.pb", ", \"running\": true") + "," + Process("")));
  const StorePtr store = Open({{folder / ""}}).value();
  CHECK(PathsOf(*store) ==
        std::vector<std::string>{folder / "a.xplane.pb", folder / "b.xplane.pb"});
  CHECK(CountOf(*store, note::traces_without_process) == 1);
  CHECK(CountOf(*store, note::processes_still_running) == 1);
  CHECK(CountOf(*store, note::other_files_of_folders) == 0);
  REQUIRE(store->capture.has_value());
  const Capture& capture = *store->capture;
  REQUIRE(capture.processes.size() == 3);
  CHECK(capture.processes[0].trace == folder / "b.xplane.pb");
  CHECK(capture.processes[0].host == "node7");
  CHECK(capture.processes[0].program == "train");
  CHECK(capture.processes[0].pid == 12);
  CHECK(capture.processes[0].is_complete);
  CHECK(!capture.processes[0].is_running);
  CHECK(capture.processes[1].is_running);
  CHECK(capture.processes[2].trace.empty());
  CHECK(capture.IsRunning());
  CHECK(capture.last_ns == kNoInt);
  CHECK(CountOf(*store, note::part_of_recording) == 0);
}

TEST_CASE("traces of the end of a recording say so") {
  const TestFolder folder;
  WriteFile(folder / "a.xplane.pb", ReadFile(kTrace));
  WriteFile(folder / "manifest.json", "{\"format\": 1, \"last_ns\": 60000000000, \"processes\": [" +
                                          Process("a.xplane.pb") + "]}");
  const StorePtr store = Open({{folder / ""}}).value();
  CHECK(store->capture->last_ns == 60'000'000'000);
  CHECK(CountOf(*store, note::part_of_recording) == 1);
}

TEST_CASE("losses and errors of a manifest are notes, unless the trace reports them itself") {
  const TestFolder folder;
  WriteFile(folder / "a.xplane.pb", ReadFile(kTrace));
  WriteFile(folder / "manifest.json",
            ManifestOf(Process("a.xplane.pb", ", \"losses\": [\"5 records dropped\"]") + "," +
                       Process("",
                               ", \"losses\": [\"5 records dropped\", \"1 block missing\"], "
                               "\"cupti.error\": \"no libcupti\", \"error\": \"disk full\"")));
  const StorePtr store = Open({{folder / ""}}).value();
  CHECK(HasNote(*store, "recorder warning: 5 records dropped"));
  CHECK(HasNote(*store, "recorder warning: 1 block missing"));
  CHECK(HasNote(*store, "recorder error: GPU work is not recorded: no libcupti"));
  CHECK(HasNote(*store, "process without a trace: train, process 12: disk full"));
  CHECK(CountOf(*store, note::recorder_warning) == 2);  // the same words of two processes

  StoreBuilder reported;
  const SourceId source = reported.AddSource({.path = "a"});
  reported.source(source).warnings = {"5 records dropped"};
  Manifest manifest;
  manifest.losses = {{"a", "", {}, {"5 records dropped", "1 block missing"}}};
  AddCapture(manifest, reported);
  const StorePtr one = reported.Finish().value();
  REQUIRE(one->notes.size() == 1);
  CHECK(one->notes[0].what.Text() == "recorder warning: 1 block missing");
}

TEST_CASE("a manifest that names files outside of its folder, absent ones or one twice") {
  const TestFolder folder;
  WriteFile(folder / "a.xplane.pb", ReadFile(kTrace));
  std::filesystem::create_directory(folder / "sub");
  WriteFile(folder / "sub/b.xplane.pb", ReadFile(kOther));
  WriteFile(folder / "manifest.json",
            ManifestOf(Process("a.xplane.pb") + "," + Process("sub/b.xplane.pb") + "," +
                       Process("a.xplane.pb") + "," + Process("../a.xplane.pb") + "," +
                       Process("sub/../../a.xplane.pb") + "," + Process("/etc/passwd") + "," +
                       Process("absent.xplane.pb") + "," + Process("sub")));
  const StorePtr store = Open({{folder / ""}}).value();
  CHECK(PathsOf(*store) ==
        std::vector<std::string>{folder / "a.xplane.pb", folder / "sub/b.xplane.pb"});
  CHECK(CountOf(*store, note::manifest_names_other_folder) == 3);
  CHECK(CountOf(*store, note::manifest_names_absent_file) == 2);
}

TEST_CASE("a manifest without one usable trace, or that is broken: the folder opens by names") {
  const TestFolder folder;
  WriteFile(folder / "a.xplane.pb", ReadFile(kTrace));
  WriteFile(folder / "manifest.json", ManifestOf(Process("absent.xplane.pb")));
  StorePtr store = Open({{folder / ""}}).value();
  CHECK(PathsOf(*store) == std::vector<std::string>{folder / "a.xplane.pb"});
  CHECK(CountOf(*store, note::manifest_names_absent_file) == 1);
  CHECK(!store->capture.has_value());
  WriteFile(folder / "manifest.json", "{\"format\": 1,\n \"processes\": [");
  CHECK(!IsCapture(folder / ""));
  store = Open({{folder / ""}}).value();
  CHECK(PathsOf(*store) == std::vector<std::string>{folder / "a.xplane.pb"});
  CHECK(HasNote(*store, "manifest not used, malformed JSON in line 2: it ends early"));
  WriteFile(folder / "manifest.json", "{\"name\": \"a web page\"}");
  store = Open({{folder / ""}}).value();
  CHECK(store->notes.empty());
}

TEST_CASE("a folder of a capture without a trace says what to do") {
  const TestFolder folder;
  WriteFile(folder / "manifest.json", ManifestOf(""));
  CHECK(ErrorOf({{folder / ""}}).what == "no process of this recording has a trace");
  std::filesystem::create_directory(folder / "spool");
  WriteFile(folder / "spool/node7-12-1.tfs", "x");
  const Error error = ErrorOf({{folder / ""}});
  CHECK(error.kind == ErrorKind::unreadable);
  CHECK(error.what == "no traces of this recording yet");
  CHECK(error.hint.find("tfprof-capture convert " + folder / "") == 0);
  std::filesystem::remove(folder / "manifest.json");
  CHECK(ErrorOf({{folder / ""}}).what == "no traces of this recording yet");
}

TEST_CASE("captures are jobs of their own; a file of one can be opened with others") {
  const TestFolder one, two;
  for (const TestFolder* folder : {&one, &two}) {
    WriteFile(*folder / "a.xplane.pb", ReadFile(folder == &one ? kTrace : kOther));
    WriteFile(*folder / "manifest.json", ManifestOf(Process("a.xplane.pb")));
  }
  const Error error = ErrorOf({{one / ""}, {two / ""}});
  CHECK(error.kind == ErrorKind::usage);
  CHECK(error.where == one / "");
  CHECK(ErrorOf({{kOther}, {one / ""}}).kind == ErrorKind::usage);
  const auto jobs = JobsOf({{kOther}, {two / ""}, {kTrace}, {one / ""}});
  REQUIRE(jobs.size() == 3);
  CHECK(jobs[0].size() == 2);  // files are hosts of one job
  CHECK(jobs[0][1].path == kTrace);
  CHECK(jobs[1][0].path == two / "");
  CHECK(jobs[2][0].path == one / "");
  const StorePtr named = Open({{one / "", "", false, "a.xplane.pb"}}).value();
  CHECK(PathsOf(*named) == std::vector<std::string>{one / "a.xplane.pb"});
  CHECK(!named->capture.has_value());
}

TEST_CASE("a folder of captures stands for these, unless it is a profile itself") {
  const TestFolder folder;
  for (const char* name : {"run10", "run9"}) {
    std::filesystem::create_directory(folder / name);
    WriteFile(folder / name + "/a.xplane.pb", ReadFile(kTrace));
    WriteFile(folder / name + "/manifest.json", ManifestOf(Process("a.xplane.pb")));
  }
  std::filesystem::create_directory(folder / "other");
  WriteFile(folder / "notes.txt", "hello");
  CHECK(CapturesIn(folder / "") == std::vector<std::string>{folder / "run9", folder / "run10"});
  CHECK(CapturesIn(folder / "run9").empty());
  CHECK(CapturesIn(folder / "absent").empty());
  WriteFile(folder / "a.xplane.pb", ReadFile(kTrace));
  CHECK(CapturesIn(folder / "").empty());
}

}  // namespace
}  // namespace tfprof::manifest_test
