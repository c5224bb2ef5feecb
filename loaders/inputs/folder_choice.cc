// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/folder_choice.h"

#include <algorithm>
#include <map>

#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

bool IsPart(const Loader& loader) {
  return loader.role == MergeRole::part || loader.role == MergeRole::extra;
}

// Other whole profiles are found by the ends of their names.
bool IsWholeProfile(const Loader& loader) {
  return loader.role == MergeRole::whole && loader.endings.empty();
}

void LeaveOut(size_t i, OpenedFiles* opened) {
  opened->notes.push_back({note::other_files_of_folders, opened->files[i].file.path});
  opened->files.erase(opened->files.begin() + static_cast<std::ptrdiff_t>(i));
}

// Marks the last part of each kind, binary before text: a graph, a log, a checkpoint.
void ChooseParts(std::span<const Result<Opened>> files, FolderFile mark,
                 std::vector<FolderFile>* chosen) {
  std::map<int, size_t> last;  // by Loader::order
  for (size_t i = 0; i < files.size(); ++i) {
    if (!files[i] || files[i]->has_other_rank || !IsPart(*files[i]->loader)) continue;
    const Loader& loader = *files[i]->loader;
    const auto [at, is_first] = last.try_emplace(loader.order, i);
    if (is_first || !loader.is_text || files[at->second]->loader->is_text) at->second = i;
  }
  for (const auto& [order, i] : last) (*chosen)[i] = mark;
}

}  // namespace

std::vector<FolderFile> ChooseFolderFiles(std::span<const Result<Opened>> files) {
  std::vector<FolderFile> chosen(files.size(), FolderFile::left_out);
  bool has_runs = false, has_any = false;
  const bool has_drawn_profile = std::ranges::any_of(files, [](const Result<Opened>& file) {
    return file && (file->loader->role == MergeRole::step || IsWholeProfile(*file->loader));
  });
  std::vector<size_t> profiles;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!files[i] || files[i]->has_other_rank) continue;
    const Loader& loader = *files[i]->loader;
    if (loader.draws_profiles && has_drawn_profile) continue;
    if (loader.found_by_content) {
      chosen[i] = FolderFile::read;
      has_any = true;
      has_runs |= loader.role == MergeRole::step;
    } else if (IsWholeProfile(loader)) {
      profiles.push_back(i);
    }
  }
  if (has_runs) {
    ChooseParts(files, FolderFile::read_beside, &chosen);
  } else if (!has_any && !profiles.empty()) {
    for (const size_t i : profiles) chosen[i] = FolderFile::other_profile;
    chosen[profiles.back()] = FolderFile::read;
  } else if (!has_any) {
    ChooseParts(files, FolderFile::read, &chosen);
  }
  return chosen;
}

void LeaveOutRepeated(OpenedFiles* opened) {
  std::vector<Opened>& files = opened->files;
  for (size_t i = 0; i < files.size();) {
    const auto has_facts = [&](const Opened& other) {
      return &other != &files[i] && other.loader->order == files[i].loader->order &&
             (!other.beside_runs || &other < &files[i]);
    };
    if (files[i].beside_runs && std::any_of(files.begin(), files.end(), has_facts)) {
      LeaveOut(i, opened);
    } else {
      ++i;
    }
  }
}

bool LeaveOutBeside(OpenedFiles* opened) {
  const size_t before = opened->files.size();
  for (size_t i = before; i-- > 0;) {
    if (opened->files[i].beside_runs) LeaveOut(i, opened);
  }
  return opened->files.size() < before;
}

}  // namespace tfprof
