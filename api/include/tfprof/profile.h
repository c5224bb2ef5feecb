// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tfprof/report.h>

namespace TFPROF_NAMESPACE {

struct OpenOptions {
  std::string format;    // a name of Formats of files (`tfprof help formats`); empty: by content
  std::string run;       // the run in a folder of several; empty: the newest
  std::string ranks;     // reads only the files of these ranks of a job: 0,8:16; empty: all
  bool partial = false;  // keep what is before the first damage of a file
  uint64_t max_inflated_bytes = uint64_t{64} << 30;  // of one compressed file
  const std::atomic<bool>* stop = nullptr;           // true cancels; null: never
};

// An open profile. Copies share it. Several threads may ask about one profile at once: what is
// costly to derive from it is derived once, by the first question that needs it.
class TFPROF_EXPORT Profile {
 public:
  struct Behind;
  explicit Profile(std::shared_ptr<const Behind> behind);

  const Behind& behind() const { return *behind_; }

 private:
  std::shared_ptr<const Behind> behind_;
};

// Opens files and folders as one profile, as the program does: formats are found by content, files
// of several hosts are merged, .gz is inflated. Errors: unreadable, corrupt, usage (files that do
// not belong together), cancelled.
TFPROF_EXPORT Result<Profile> Open(const std::vector<std::string>& paths,
                                   const OpenOptions& options = {});

// The same for bytes in memory; names are for messages.
struct NamedBytes {
  std::string name;
  std::string bytes;
};
TFPROF_EXPORT Result<Profile> OpenBytes(std::vector<NamedBytes> files,
                                        const OpenOptions& options = {});

// Options by name, without dashes, with values as they are typed: {"order_by", "time_us"}.
using Options = std::vector<std::pair<std::string, std::string>>;

struct Question {
  std::string view;   // a name of Views()
  std::string about;  // the word after it: a name, a scope, a file; empty: none
  Options options;
  const Profile* base = nullptr;            // of diff, instead of a file
  const std::atomic<bool>* stop = nullptr;  // true cancels; null: never
};

// Answers a question. All rows, unfolded, unless options say otherwise. Errors: usage (no such
// view, option or name; the view needs what the profile lacks), cancelled.
TFPROF_EXPORT Result<Report> Answer(const Profile& profile, const Question& question);

// The same for a line as it is typed in the shell: "op -order_by time_us -n 10".
TFPROF_EXPORT Result<Report> Answer(const Profile& profile, std::string_view line);

// Writes a file: `command` is a name of FileCommands(). Options are those of the command. An
// existing profile is replaced only with {"overwrite", "true"}. Returns a sentence about what was
// written. Errors: as Answer; unwritable.
TFPROF_EXPORT Result<std::string> Write(const Profile& profile, std::string_view command,
                                        const std::string& path, const Options& options = {},
                                        const std::atomic<bool>* stop = nullptr);

// ---- What there is, from the tables that the program itself uses.

struct OptionInfo {
  std::string name;
  std::string value;  // a placeholder: N, A,B, NAME
  // number, flag, expressions, list, names (all three separated by commas), text
  std::string type;
  std::string unit;  // of numbers: us, B, ...; empty: none
  std::string meaning;
  std::vector<std::string> words;  // the valid values, if they are few
};

struct TableInfo {
  std::string name;
  std::string title;
  std::vector<ColumnInfo> columns;
};

struct ViewInfo {
  std::string name;
  std::string summary;
  std::string help;
  std::string example;
  std::string about;  // what Question::about is: rows, name, text, scope, base; empty: nothing
  bool needs_about = false;
  std::vector<const OptionInfo*> options;
  std::vector<TableInfo> tables;  // that an answer may have
};

struct FileCommandInfo {
  std::string name;
  std::string usage;
  std::string summary;
  std::string help;
  std::vector<const OptionInfo*> options;
};

struct FormatInfo {
  std::string name;
  std::string summary;
};

TFPROF_EXPORT const std::vector<ViewInfo>& Views();
TFPROF_EXPORT const std::vector<FileCommandInfo>& FileCommands();
TFPROF_EXPORT const std::vector<FormatInfo>& Formats();
TFPROF_EXPORT std::string_view Version();

}  // namespace TFPROF_NAMESPACE
