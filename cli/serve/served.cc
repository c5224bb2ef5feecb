// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/served.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "cli/arguments.h"
#include "core/store/note_catalogue.h"
#include "loaders/inputs/opened.h"
#include "loaders/inputs/run_folder.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOpen = 4;

// The profiles that the files of a folder are: each, or the folder, whose files are parts of one.
std::vector<std::string> ProfilesOfFiles(const std::string& folder) {
  Context context;
  const Result<OpenedFiles> opened = OpenAll({{folder, {}}}, context);
  if (!opened) return {};  // other files
  std::vector<std::string> found;
  for (const Opened& file : opened->files) {
    if (file.loader->role != MergeRole::whole) return {folder};
    found.push_back(file.input.path);
  }
  for (const FileNote& note : opened->notes) {
    if (note.what == note::other_profiles_of_folders) found.push_back(note.place);
  }
  return found;
}

int64_t NewestOf(const Input& input) {
  int64_t newest = 0;
  for (const WatchedFile& file : WatchedFiles({input})) {
    newest = std::max(newest, file.modified_ns);
  }
  return newest;
}

}  // namespace

std::vector<std::string> ServedRuns::ProfilesAt(const std::string& path) {
  std::vector<std::string> found = RunFoldersOf(path);
  std::error_code failed;
  if (!found.empty() || !fs::is_directory(path, failed) || LooksLikeProfile(path)) {
    return found.empty() ? std::vector<std::string>{path} : found;
  }
  std::vector<WatchedFile> files;
  for (fs::directory_iterator at(path, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string inner = at->path().string();
    if (!at->is_directory(failed)) {
      const std::vector<WatchedFile> file = WatchedFiles({{inner, {}}});
      files.insert(files.end(), file.begin(), file.end());
    } else if (LooksLikeProfile(inner)) {
      found.push_back(inner);
    }
  }
  const std::lock_guard<std::mutex> guard(looking_);
  LookedInto& known = looked_into_[path];
  if (known.files != files) known = {files, ProfilesOfFiles(path)};
  for (const std::string& profile : known.profiles) {
    if (profile != path || found.empty()) found.push_back(profile);
  }
  return found;
}

ServedList ServedRuns::List() {
  ServedList list;
  std::vector<ServedRun>& runs = list.runs;
  std::vector<std::string> paths;
  for (const std::string& word : words_) {
    std::error_code failed;
    list.may_grow |= !fs::exists(word, failed);
    const std::vector<std::string> files = FilesLike(word);
    paths.insert(paths.end(), files.begin(), files.end());
    if (files.empty()) paths.push_back(word);
  }
  for (const std::string& path : paths) {
    const std::vector<std::string> profiles = ProfilesAt(path);
    list.may_grow |= profiles != std::vector<std::string>{path};
    for (const std::string& profile : profiles) {
      const std::lock_guard<std::mutex> guard(lock_);
      const auto [known, is_new] = ids_.try_emplace(profile, inputs_.size());
      if (is_new) {
        inputs_.push_back({profile, {}});
        slots_.push_back(std::make_shared<Slot>());
      }
      const size_t id = known->second;
      const auto same = [id](const ServedRun& run) { return run.id == id; };
      if (std::ranges::none_of(runs, same)) runs.push_back({id, {profile, {}}, 0});
    }
  }
  for (ServedRun& run : runs) run.modified_ns = NewestOf(run.input);
  std::ranges::stable_sort(runs, std::ranges::greater(), &ServedRun::modified_ns);
  return list;
}

std::shared_ptr<ServedRuns::Slot> ServedRuns::SlotOf(size_t id, Input* input) {
  const std::lock_guard<std::mutex> guard(lock_);
  if (id >= slots_.size()) return nullptr;
  *input = inputs_[id];
  slots_[id]->used = ++uses_;
  return slots_[id];
}

void ServedRuns::CloseUnused() {
  const std::lock_guard<std::mutex> guard(lock_);
  std::vector<Slot*> open;
  for (const auto& slot : slots_) {
    if (slot->open != nullptr) open.push_back(slot.get());
  }
  std::ranges::sort(open, std::ranges::greater(), &Slot::used);
  for (size_t i = kMostOpen; i < open.size(); ++i) open[i]->open.reset();
}

Result<ServedProfilePtr> ServedRuns::Open(size_t id, bool again, Context& context) {
  Input input;
  const std::shared_ptr<Slot> slot = SlotOf(id, &input);
  if (slot == nullptr) return UsageError("no such profile", "the list of profiles has those there");
  TFPROF_ASSIGN(const auto opening, LockFor(slot->opening, context));
  ServedProfilePtr open;
  {
    const std::lock_guard<std::mutex> guard(lock_);
    open = slot->open;
  }
  if (open != nullptr && !again) return open;
  std::vector<WatchedFile> files = WatchedFiles({input});
  if (open != nullptr && open->files == files) return open;
  TFPROF_ASSIGN(StorePtr store, Load({input}, context));
  auto made = std::make_shared<ServedProfile>();
  made->profile = Profile(std::move(store));
  made->trace = std::make_shared<ServedTrace>();
  made->files = std::move(files);
  made->input = input;
  {
    const std::lock_guard<std::mutex> guard(lock_);
    made->number = ++opened_;
    slot->open = made;
  }
  CloseUnused();
  return made;
}

}  // namespace tfprof
