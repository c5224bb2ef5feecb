// SPDX-License-Identifier: Apache-2.0
#include <tfprof/profiler.h>

#include <initializer_list>
#include <mutex>
#include <optional>
#include <utility>

#include "api/behind.h"
#include "api/profile_nodes.h"
#include "cli/answer/answer.h"
#include "cli/ask/question.h"
#include "core/base/sink.h"
#include "core/query/options.h"
#include "emitters/classic/classic.h"
#include "emitters/emitter.h"
#include "loaders/detect/detect.h"
#include "loaders/io/source.h"
#include "loaders/loader.h"
#include "writers/profile.h"

namespace tfprof::v1 {
namespace {

constexpr std::string_view kGraphFlag = "--graph_path";
constexpr std::string_view kRunFlag = "--run_meta_path";

// What the original prints around its report.
constexpr std::string_view kOptionsHead =
    "\n=========================Options=============================\n";
constexpr std::string_view kReportHead =
    "\n==================Model Analysis Report======================\n";
constexpr std::string_view kReportEnd =
    "\n======================End of Report==========================\n";

std::shared_ptr<const std::string> Shared(std::string bytes) {
  return std::make_shared<const std::string>(std::move(bytes));
}

// A message; an empty one is valid, as under the original's path flags.
Input MessageOf(std::string name, std::string_view flag, std::shared_ptr<const std::string> bytes) {
  return {.path = std::move(name),
          .format = std::string(flag),
          .empty_is_message = true,
          .bytes = std::move(bytes)};
}

tfprof::Result<void> SetNumbers(const ProfileOptions& from, Query* query) {
  const std::pair<std::string_view, int64_t> numbers[] = {
      {"max_depth", from.max_depth},
      {"min_bytes", from.min_bytes},
      {"min_peak_bytes", from.min_peak_bytes},
      {"min_residual_bytes", from.min_residual_bytes},
      {"min_output_bytes", from.min_output_bytes},
      {"min_micros", from.min_micros},
      {"min_accelerator_micros", from.min_accelerator_micros},
      {"min_cpu_micros", from.min_cpu_micros},
      {"min_params", from.min_params},
      {"min_float_ops", from.min_float_ops},
      {"min_occurrence", from.min_occurrence},
      {"step", from.step}};
  for (const auto& [name, value] : numbers) {
    TFPROF_TRY(SetOption(*FindOption(name), std::to_string(value), *query));
  }
  return {};
}

// The original logs an invalid expression and goes on as if it matched nothing.
tfprof::Result<void> CheckExpressions(std::initializer_list<const PatternList*> lists) {
  for (const PatternList* list : lists) {
    if (list->invalid().empty()) continue;
    const auto& [pattern, reason] = list->invalid()[0];
    return Fail(tfprof::ErrorKind::usage, "invalid regular expression: " + reason, pattern);
  }
  return {};
}

// Expressions may have commas, which separate them only where they are typed.
tfprof::Result<Query> QueryOf(const ProfileOptions& from) {
  Query query;
  TFPROF_TRY(SetNumbers(from, &query));
  query.nodes.account_type_regexes = PatternList(from.account_type_regexes);
  query.tree.start_name_regexes = PatternList(from.start_name_regexes);
  query.tree.trim_name_regexes = PatternList(from.trim_name_regexes);
  query.tree.show_name_regexes = PatternList(from.show_name_regexes);
  query.tree.hide_name_regexes = PatternList(from.hide_name_regexes);
  TFPROF_TRY(CheckExpressions({&query.nodes.account_type_regexes, &query.tree.start_name_regexes,
                               &query.tree.trim_name_regexes, &query.tree.show_name_regexes,
                               &query.tree.hide_name_regexes}));
  query.tree.account_displayed_op_only = from.account_displayed_op_only;
  TFPROF_TRY(SetOption(*FindOption("order_by"), from.order_by, query));
  query.display.select.clear();
  if (!from.select.empty()) {
    TFPROF_TRY(SetOption(*FindOption("select"), JoinList(from.select), query));
  }
  TFPROF_TRY(SetOption(*FindOption("output"), from.output, query));
  return query;
}

// A question by the original's rules.
struct ClassicQuestion {
  const tfprof::View* view;
  CommandLine line;
  ParsedQuestion parsed;
};

tfprof::Result<ClassicQuestion> Prepare(Asking& asking, std::string_view name, Query query) {
  TFPROF_ASSIGN(const tfprof::View* view, ViewNamed(name));
  CommandLine line = JoinWords({std::string(name)});
  ParsedOptions options{.query = std::move(query), .given = {}, .given_words = {}, .words = {}};
  TFPROF_ASSIGN(ParsedQuestion parsed,
                CompleteQuestion(asking.session, *view, line, std::move(options)));
  TFPROF_TRY(AskAbout(asking.session, *view, line, &parsed));
  return ClassicQuestion{view, std::move(line), std::move(parsed)};
}

tfprof::Result<std::string> MessageIn(const tfprof::Report& report, Query query, Context& context) {
  query.output = {.kind = OutputKind::proto};
  Sink message;
  TFPROF_TRY(EmitProto(report, query, {}, message, context));
  return std::move(message.buffer);
}

tfprof::Result<ProfileResult> Ask(const Profile& profile, std::string_view view,
                                  const ProfileOptions& options, const std::atomic<bool>* stop) {
  Asking asking(profile.behind(), stop);
  Work work(asking.session);
  TFPROF_ASSIGN(Query query, QueryOf(options));
  TFPROF_ASSIGN(ClassicQuestion question, Prepare(asking, view, std::move(query)));
  const Query& asked = question.parsed.query;
  TFPROF_ASSIGN(const tfprof::Report report,
                tfprof::Answer(asking.session.profile, *question.view, asked, work.context));
  ProfileResult result;
  result.nodes = NodesOf(report);
  TFPROF_ASSIGN(result.message, MessageIn(report, asked, work.context));
  const OutputKind kind = asked.output.kind;
  if (kind == OutputKind::none) return result;
  const std::string listed = ListOptions(asked, true);
  TFPROF_TRY(
      WriteAnswers(asking.session, *question.view, question.line, std::move(question.parsed), ""));
  result.text = asking.out.str();
  if (kind == OutputKind::stdout_text) {
    result.text.insert(0, std::string(kOptionsHead) + listed + std::string(kReportHead));
    result.text += kReportEnd;
  }
  result.messages = asking.err.str();
  return result;
}

tfprof::Result<AdviceResult> AskAdvice(const Profile& profile, std::vector<std::string> checkers,
                                       const std::atomic<bool>* stop) {
  AdviceResult result;
  if (checkers.empty()) return result;
  Asking asking(profile.behind(), stop);
  Work work(asking.session);
  Query query;
  query.advise.checkers = std::move(checkers);
  TFPROF_ASSIGN(const ClassicQuestion question, Prepare(asking, "advise", std::move(query)));
  const Query& asked = question.parsed.query;
  TFPROF_ASSIGN(const tfprof::Report report,
                tfprof::Answer(asking.session.profile, *question.view, asked, work.context));
  TFPROF_ASSIGN(result.message, MessageIn(report, asked, work.context));
  TFPROF_ASSIGN(const std::vector<ClassicSection> sections, ClassicSections(report));
  for (const ClassicSection& section : sections) {
    result.checkers[std::string(section.name)] = section.reports;
  }
  Sink text;
  TFPROF_TRY(EmitClassicAdvice(report, text));
  result.text = std::move(text.buffer);
  return result;
}

// Readers look a little beyond the end: zeros follow the bytes meanwhile.
template <class Use>
auto Padded(std::string* bytes, Use use) {
  const size_t size = bytes->size();
  bytes->append(SourceFile::kPadding, '\0');
  const auto result = use(std::string_view(bytes->data(), size));
  bytes->resize(size);
  return result;
}

bool IsRunMetadata(std::string* bytes) {
  return Padded(bytes, [](std::string_view message) {
    return LoaderOfFlag(kRunFlag, false)->score(message) != 0;
  });
}

// Unlike a path flag, a profiler also takes the graph of a MetaGraphDef or a SavedModel.
std::string_view FormatOfGraph(std::string* bytes) {
  const Loader& graph = *LoaderOfFlag(kGraphFlag, false);
  const Loader* const other =
      Padded(bytes, [&](std::string_view message) { return CertainOther(graph, message); });
  const bool has_graph = other != nullptr && other->flag.empty() && other->order == graph.order &&
                         other->role == graph.role;
  return has_graph ? other->name : kGraphFlag;
}

tfprof::Result<std::string> Saved(const Profile& profile) {
  Context context;
  Sink bytes;
  TFPROF_TRY(WriteProfile(*profile.behind().profile.store, bytes, context));
  return std::move(bytes.buffer);
}

}  // namespace

// Each step is read once, by the first question after it. Only a graph or an op log that is new
// makes all of them be read again: they come before the steps.
//
// A store never changes, so that each step needs a new one. Where a program asks about a step after
// it has added it, that store has the records of this step only. Where it asks about others as
// well, the store of all steps is made once for all of these questions.
struct Profiler::Behind {
  std::shared_ptr<const std::string> graph;
  std::string_view graph_format;  // as Input::format
  std::vector<std::shared_ptr<const std::string>> op_logs;
  std::vector<std::pair<int64_t, std::shared_ptr<const std::string>>> runs;

  mutable std::mutex opening;
  mutable std::optional<GrowingStore> grown;  // none: nothing was read
  mutable size_t runs_read = 0;               // of `runs`: those in `grown`
  mutable std::optional<Profile> opened;      // of all that was added; none: not yet
  // The step of the first question since then, if there is a store without the others.
  mutable std::optional<std::pair<int64_t, Profile>> opened_step;

  void Forget();
  void SetGraph(std::string bytes);
  void AddOpLog(std::string bytes);
  Input RunInput(size_t run) const;
  std::vector<Input> Inputs(bool is_first, size_t first_run) const;
  tfprof::Result<void> ReadNew(const std::atomic<bool>* stop) const;
  // `step`: the question is about it alone; none: about all.
  Result<Profile> Open(std::optional<int64_t> step, const std::atomic<bool>* stop) const;
  Result<ProfileResult> Ask(std::string_view view, const ProfileOptions& options,
                            const std::atomic<bool>* stop) const;
};

void Profiler::Behind::Forget() {
  opened.reset();
  opened_step.reset();
}

void Profiler::Behind::SetGraph(std::string bytes) {
  graph_format = FormatOfGraph(&bytes);
  graph = Shared(std::move(bytes));
  grown.reset();
}

// The op log of a step mostly equals the one before it.
void Profiler::Behind::AddOpLog(std::string bytes) {
  if (bytes.empty() || (!op_logs.empty() && *op_logs.back() == bytes)) return;
  op_logs.push_back(Shared(std::move(bytes)));
  grown.reset();
}

Input Profiler::Behind::RunInput(size_t run) const {
  const auto& [step, bytes] = runs[run];
  Input input = MessageOf("(step " + std::to_string(step) + ")", kRunFlag, bytes);
  input.step = step;
  return input;
}

// The runs from `first_run` on; `is_first`: with what is read before them.
std::vector<Input> Profiler::Behind::Inputs(bool is_first, size_t first_run) const {
  std::vector<Input> inputs;
  if (is_first) inputs.push_back(MessageOf("(graph)", graph_format, graph));
  for (size_t log = 0; is_first && log < op_logs.size(); ++log) {
    inputs.push_back(MessageOf("(op log)", "--op_log_path", op_logs[log]));
  }
  for (size_t run = first_run; run < runs.size(); ++run) inputs.push_back(RunInput(run));
  return inputs;
}

tfprof::Result<void> Profiler::Behind::ReadNew(const std::atomic<bool>* stop) const {
  Context context;
  context.stop = stop;
  const bool is_first = !grown;
  if (is_first) grown.emplace();
  const std::vector<Input> inputs = Inputs(is_first, is_first ? 0 : runs_read);
  tfprof::Result<void> read;
  if (!inputs.empty()) read = grown->Add(inputs, context);
  runs_read = runs.size();
  if (!read) grown.reset();
  return read;
}

Result<Profile> Profiler::Behind::Open(std::optional<int64_t> step,
                                       const std::atomic<bool>* stop) const {
  const std::lock_guard lock(opening);
  if (opened) return *opened;
  if (opened_step && step == opened_step->first) return opened_step->second;
  const tfprof::Result<void> read = ReadNew(stop);
  if (!read) return ToPublic(read.error());
  if (opened_step || (step && !grown->IsApart(*step))) step.reset();
  tfprof::Result<StorePtr> store = grown->Finish(step);
  if (!store) return ToPublic(store.error());
  Profile::Behind made{.profile = tfprof::Profile(*store), .classic = true};
  made.inputs = made.opened = Inputs(true, 0);
  const Profile profile(std::make_shared<const Profile::Behind>(std::move(made)));
  if (step) {
    opened_step.emplace(*step, profile);
  } else {
    opened = profile;
  }
  return profile;
}

Result<ProfileResult> Profiler::Behind::Ask(std::string_view view, const ProfileOptions& options,
                                            const std::atomic<bool>* stop) const {
  const auto step = options.step >= 0 ? std::optional(options.step) : std::nullopt;
  const Result<Profile> profile = Open(step, stop);
  if (!profile) return profile.error();
  return ToPublic(v1::Ask(*profile, view, options, stop));
}

Profiler::Profiler(std::string graph, std::string op_log) : behind_(std::make_unique<Behind>()) {
  behind_->SetGraph(std::move(graph));
  behind_->AddOpLog(std::move(op_log));
}

Profiler::Profiler(Profiler&&) noexcept = default;
Profiler& Profiler::operator=(Profiler&&) noexcept = default;
Profiler::~Profiler() = default;

Result<bool> Profiler::AddStep(int64_t step, std::string run_meta, std::string op_log) {
  if (step < 0) return Error{ErrorKind::usage, "a step has a negative number", {}, {}};
  if (!run_meta.empty() && !IsRunMetadata(&run_meta)) {
    return Error{
        ErrorKind::corrupt, "is not a RunMetadata", "(step " + std::to_string(step) + ")", {}};
  }
  behind_->runs.emplace_back(step, Shared(std::move(run_meta)));
  behind_->AddOpLog(std::move(op_log));
  behind_->Forget();
  return true;
}

void Profiler::UpdateGraph(std::string graph) {
  behind_->SetGraph(std::move(graph));
  behind_->Forget();
}

Result<Profile> Profiler::Open(const std::atomic<bool>* stop) const {
  return behind_->Open({}, stop);
}

Result<double> Profiler::Coverage() const {
  const std::lock_guard lock(behind_->opening);
  const tfprof::Result<void> read = behind_->ReadNew(nullptr);
  if (!read) return ToPublic(read.error());
  double coverage = 0;
  for (const Source& source : behind_->grown->sources()) {
    if (source.known_nodes <= 0) continue;
    coverage = static_cast<double>(source.covered_nodes) / static_cast<double>(source.known_nodes);
  }
  return coverage;
}

Result<ProfileResult> Profiler::ProfileNameScope(const ProfileOptions& options,
                                                 const std::atomic<bool>* stop) const {
  return behind_->Ask("scope", options, stop);
}

Result<ProfileResult> Profiler::ProfileGraph(const ProfileOptions& options,
                                             const std::atomic<bool>* stop) const {
  return behind_->Ask("graph", options, stop);
}

Result<ProfileResult> Profiler::ProfileOperations(const ProfileOptions& options,
                                                  const std::atomic<bool>* stop) const {
  return behind_->Ask("op", options, stop);
}

Result<ProfileResult> Profiler::ProfilePython(const ProfileOptions& options,
                                              const std::atomic<bool>* stop) const {
  return behind_->Ask("code", options, stop);
}

std::vector<std::string> Profiler::AllCheckers() {
  return {"ExpensiveOperationChecker", "AcceleratorUtilizationChecker", "JobChecker",
          "OperationChecker"};
}

Result<AdviceResult> Profiler::Advise(const std::vector<std::string>& checkers,
                                      const std::atomic<bool>* stop) const {
  const Result<Profile> profile = Open(stop);
  if (!profile) return profile.error();
  return ToPublic(AskAdvice(*profile, checkers, stop));
}

Result<std::string> Profiler::SerializeToString() const {
  const Result<Profile> profile = Open();
  if (!profile) return profile.error();
  return ToPublic(Saved(*profile));
}

}  // namespace tfprof::v1
