// SPDX-License-Identifier: Apache-2.0
#include "cli/export/writing.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/answer/destination.h"
#include "cli/answer/output.h"
#include "cli/ask/checks.h"
#include "cli/message.h"
#include "cli/places.h"
#include "core/base/nearest.h"
#include "core/base/sink.h"
#include "core/text/units.h"
#include "views/diff/compared_tables.h"
#include "views/view.h"

namespace tfprof {
namespace {

struct Parsed {
  std::string out;
  Query query;
  OptionSet given;
};

// Suggests an explicit /dev/stdout if the file ending does not choose the format.
Failure NoStandardOutput(const WritingCommand& command, const Query& query, const CommandLine& line,
                         const Word& word) {
  const std::string path = "/dev/stdout", name(command.name);
  const bool fits = command.check == nullptr || command.check(path, query);
  return Refused(line, word, name + " writes a file, not standard output",
                 fits ? name + " " + path : std::string(command.usage));
}

// Endings of other formats: overwriting such a file, or a later reader of it, is likely a mistake.
// A name without one of these endings is accepted.
constexpr std::string_view kEndings[] = {".csv", ".folded", ".htm", ".html", ".json", ".jsonl",
                                         ".log", ".md",     ".pb",  ".py",   ".svg",  ".toml",
                                         ".tsv", ".txt",    ".xml", ".yaml", ".yml"};

Result<void> CheckEnding(const WritingCommand& command, const std::string& out) {
  std::string_view name = out;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  const bool other = std::any_of(std::begin(kEndings), std::end(kEndings), [&](auto ending) {
    return name.ends_with(ending) && ending != command.ending;
  });
  if (!other || command.ending.empty()) return {};
  return Fail(ErrorKind::usage,
              fmt::format("{} cannot write a file with that ending", command.name), out,
              std::string(command.usage));
}

Result<Parsed> Parse(const WritingCommand& command, const CommandLine& line, const Query& base,
                     bool classic) {
  const std::span<const Word> words = std::span(line.words).subspan(1);
  TFPROF_ASSIGN(ParsedOptions parsed, ParseOptions(line, words, base, classic));
  TFPROF_TRY(CheckOptions({command.name, command.options, false, 1}, line, parsed));
  if (parsed.words.empty()) {
    return Refused(line, line.words.front(), std::string(command.name) + " needs a file to write",
                   std::string(command.usage));
  }
  const std::string& out = parsed.words.front().text;
  if (out == "-") return NoStandardOutput(command, parsed.query, line, parsed.words.front());
  TFPROF_TRY(CheckEnding(command, out));
  if (command.check != nullptr) TFPROF_TRY(command.check(out, parsed.query));
  return Parsed{out, std::move(parsed.query), parsed.given};
}

// A load may take minutes.
Result<void> CheckFolder(const std::string& out) {
  struct stat status {};
  const size_t slash = out.rfind('/');
  if (slash == out.npos || stat(out.substr(0, slash + 1).c_str(), &status) == 0) return {};
  return Fail(ErrorKind::unwritable, fmt::format("cannot write: {}", std::strerror(errno)), out);
}

// Compresses the output if required.
Result<Written> WriteThrough(const WritingCommand& command, WritingJob job, Sink& sink) {
  if (!job.out.ends_with(".gz") && !command.always_gzip) return command.write(job);
  GzipSink gzip(sink);
  TFPROF_ASSIGN(Written written, command.write({job.session, job.query, job.given, job.out,
                                                job.line, gzip.sink(), job.context}));
  TFPROF_TRY(gzip.Finish());
  return written;
}

// Opens the base that the command compares with. `flame -diff` needs one, or -step and -with_step,
// two steps of the profile.
Result<void> TakeBaseOf(const WritingCommand& command, Session& session, Query* query) {
  const bool drawn = query->diff.drawn;
  if (!drawn && query->diff.with_step >= 0) {
    return UsageError("-with_step: needs -diff", "flame OUT.html -diff -step 3 -with_step 7");
  }
  if (!drawn && !command.takes_base) return {};
  if (!session.base_path.empty()) {
    TFPROF_TRY(OpenBase(session));
    if (drawn) query->diff.base = session.base;
    return {};
  }
  if (!drawn || (query->diff.with_step >= 0 && query->place.SelectsSteps())) return {};
  return UsageError("-diff: nothing to compare with",
                    "--base BASE, or load BASE as base; -step 3 -with_step 7 compares two steps");
}

bool InputExists(const Input& input) {
  struct stat status {};
  return input.path == "-" || stat(input.path.c_str(), &status) == 0 ||
         stat((input.path + ".index").c_str(), &status) == 0;
}

// Rejects `save PROFILE NEW`, the order of cp: an offer to overwrite the profile would be a trap.
Result<void> CheckOrder(const WritingCommand& command, const CommandLine& line,
                        const std::vector<Input>& inputs) {
  if (line.words.size() < 2 || std::any_of(inputs.begin(), inputs.end(), InputExists)) return {};
  const Word& out = line.words[1];
  if (CheckNoProfile(out.text)) return {};
  const std::string wanted = inputs.empty() ? "OUT" : inputs.back().path;
  return Refused(line, out, "the first file is the output, but this is a profile",
                 fmt::format("tfprof {} {} {}", command.name, wanted, out.text));
}

}  // namespace

std::vector<std::string_view> AdditiveViews() {
  std::vector<std::string_view> names;
  for (const View& view : Views()) {
    if (view.classic && (view.options & kSelectOptions) != 0) names.push_back(view.name);
  }
  return names;
}

Result<void> CheckView(const Query& query) {
  const std::vector<std::string_view> names = AdditiveViews();
  const bool known = std::find(names.begin(), names.end(), query.view) != names.end();
  if (query.view.empty() || known) return {};
  return UsageError("-view: rows are not additive: '" + query.view + "'", OneOf(query.view, names));
}

std::vector<std::string_view> ComparedViews() {
  std::vector<std::string_view> names = AdditiveViews();
  for (const std::string_view name : ComparedTableViews()) names.push_back(name);
  return names;
}

Result<void> CheckWriting(const WritingCommand& command, const CommandLine& line,
                          const std::vector<Input>& inputs, bool classic) {
  if (!classic) TFPROF_TRY(CheckOrder(command, line, inputs));
  TFPROF_ASSIGN(const Parsed parsed, Parse(command, line, {}, classic));
  TFPROF_TRY(CheckFolder(parsed.out));
  return CheckTarget(parsed.out, PathsOf(inputs), parsed.query.output.overwrite);
}

Result<int> WriteFile(Session& session, const WritingCommand& command, const CommandLine& line,
                      std::string_view place) {
  if (line.redirect.kind != Redirect::none) {
    return UsageError(std::string(command.name) + " writes its own file",
                      std::string(command.usage));
  }
  TFPROF_ASSIGN(const Parsed parsed, Parse(command, line, session.options, session.classic));
  TFPROF_TRY(
      CheckTarget(parsed.out, OpenFiles(*session.profile.store), parsed.query.output.overwrite));
  const std::vector<Error> invalid = InvalidRegexes(parsed.query, line);
  if (!invalid.empty()) return Failure(invalid.front());
  TFPROF_TRY(CheckPlaces(session, parsed.query, false));

  ReportChanges(&session.files, ChangeReporting::each_time, session.io);
  const OptionSet given = parsed.given | session.given;
  Query query = parsed.query;
  TFPROF_TRY(TakeBaseOf(command, session, &query));
  Work work(session);
  Destination destination;
  TFPROF_TRY(destination.OpenFile(parsed.out, false));
  int64_t written_bytes = 0;
  Sink sink{.buffer = {}, .write = [&](std::string_view bytes) {
              written_bytes += static_cast<int64_t>(bytes.size());
              destination.sink().Append(bytes);
              return destination.sink().MaybeFlush();
            }};
  TFPROF_ASSIGN(
      const Written written,
      WriteThrough(command, {session, query, given, parsed.out, line.text, sink, work.context},
                   sink));
  TFPROF_TRY(sink.Flush());
  TFPROF_TRY(destination.Commit());
  PrintNotes(session, written.notes);
  PrintMessage(fmt::format("{}{}: {}, {}", place, Printable(parsed.out), written.what,
                           Human(written_bytes, Unit::bytes)),
               session.io);
  return 0;
}

}  // namespace tfprof
