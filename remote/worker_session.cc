// SPDX-License-Identifier: Apache-2.0
#include "remote/worker_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/text/units.h"
#include "loaders/io/source.h"
#include "loaders/loader.h"
#include "loaders/xspace/recorded.h"
#include "proto/profiler_service_fields.h"
#include "remote/interrupt.h"
#include "remote/stream.h"
#include "remote/trace_file.h"

namespace tfprof::remote {
namespace {

using std::chrono::steady_clock;

constexpr milliseconds kFirstPause{250};
constexpr milliseconds kLongestPause{5000};
constexpr milliseconds kLookAgain{1000};  // whether another session has ended
// A server answers Terminate at once, and then sends what it recorded.
constexpr milliseconds kEndsWithin{10'000};

// What an attempt ended with, and what may follow.
enum class Next : uint8_t { done, again, wait, give_up };
struct Attempt {
  Next next = Next::done;
  Error error;
};

Attempt GiveUp(Error error) { return {Next::give_up, std::move(error)}; }
Attempt Again(Error error) { return {Next::again, std::move(error)}; }

// An idle program: its trace, if there is one, is kept until there is a better one.
Error NothingRecorded() {
  return Error(ErrorKind::unreadable, "the trace is empty: nothing was recorded", {},
               "a longer -duration sees slow steps");
}

// The server runs another session, by the words of its answer.
bool IsBusy(const CallStatus& status) {
  return !status.Is(Code::ok) && status.message.find("profiling session") != status.message.npos;
}

Attempt FromStatus(const CallStatus& status) {
  if (IsBusy(status)) {
    return {Next::wait, Error(ErrorKind::unreadable,
                              "another profiling session runs on this server: " + status.message,
                              {}, "-wait waits for its end")};
  }
  Error error(ErrorKind::unreadable,
              NameOf(status.code) + (status.message.empty() ? "" : ": " + status.message));
  if (status.Is(Code::unimplemented)) error.hint = "is it the port of a profiler server?";
  if (status.Is(Code::unauthenticated) || status.Is(Code::permission_denied))
    error.hint = "-metadata, -cert";
  return status.Is(Code::unavailable) || status.Is(Code::internal) ? Again(error) : GiveUp(error);
}

// One Profile call.
class ProfileCall {
 public:
  explicit ProfileCall(WorkerSession& session) : session_(session), file_(session.path) {
    namespace service = field::service;
    fields_.bytes = [this](FieldNumber field, std::string_view part) {
      if (field.value != FieldNumber(service::ProfileResponse::xspace).value) return true;
      written_ = file_.Append(part);
      session_.progress.Arrived(part.size());
      return written_.has_value();
    };
    call_.take = [this](std::string_view bytes) {
      if (answered_ns_ == 0) answered_ns_ = NowNs();
      return fields_.Take(bytes);
    };
  }

  Attempt Run() {
    const Options& options = session_.options;
    const auto deadline = steady_clock::now() + options.duration + options.timeout;
    const Session request{session_.session_id, session_.worker.address.Text(),
                          options.duration.count(), options.levels};
    sent_ns_ = NowNs();
    const Result<void> begun = session_.connection->Begin(
        call_, kProfilePath, ProfileRequest(request), options.metadata, deadline);
    if (!begun) return Again(begun.error());
    Result<CallStatus> status = session_.connection->Finish(call_, deadline, session_.interrupt);
    if (!status && status.error().kind == ErrorKind::cancelled) status = Terminate();
    if (!written_) return GiveUp(written_.error());
    if (fields_.malformed()) return GiveUp(Error(ErrorKind::corrupt, "the answer is malformed"));
    if (!status) return FromError(status.error());
    return status->Is(Code::ok) ? Keep() : FromStatus(*status);
  }

 private:
  // Ends the session on the server, and takes what it has recorded.
  Result<CallStatus> Terminate() {
    session_.ended_early = true;
    const auto deadline = steady_clock::now() + kEndsWithin;
    Call end;
    end.take = [](std::string_view) { return true; };
    const Result<void> begun =
        session_.connection->Begin(end, kTerminatePath, TerminateRequest(session_.session_id),
                                   session_.options.metadata, deadline);
    if (!begun) return Failure(begun.error());
    Result<CallStatus> status = session_.connection->Finish(call_, deadline, -1);
    if (!end.closed) session_.connection->Abandon(end);
    return status;
  }

  Attempt FromError(Error error) {
    const std::string arrived =
        file_.bytes() == 0 ? std::string()
                           : fmt::format(" after {} of the trace",
                                         Human(static_cast<int64_t>(file_.bytes()), Unit::bytes));
    if (session_.ended_early) return GiveUp(Error(ErrorKind::cancelled, "interrupted" + arrived));
    error.what += arrived;
    if (error.kind == ErrorKind::corrupt) return GiveUp(error);
    if (error.kind != ErrorKind::limit) return Again(error);
    // A server that is only slow sends what it has; the session must not go on without us.
    const Result<CallStatus> ended = Terminate();
    if (ended && ended->Is(Code::ok) && file_.bytes() > 0) return Keep();
    session_.ended_early = false;
    return GiveUp(error);
  }

  Attempt Keep() {
    if (file_.bytes() == 0) return Again(NothingRecorded());
    if (!fields_.complete()) return Again(Error(ErrorKind::unreadable, "the answer is incomplete"));
    if (const Result<void> kept = file_.Commit(); !kept) return GiveUp(kept.error());
    session_.bytes = file_.bytes();
    return Examine();
  }

  // Whether it is a trace, and what it says about the server's clock.
  Attempt Examine() {
    const Loader* const loader = FindLoader("xspace");
    Context context;
    Result<SourceFile> file = OpenSource(session_.path, context);
    if (!file || loader->score(file->bytes) == 0) {
      std::remove(session_.path.c_str());
      session_.bytes = 0;
      return GiveUp(Error(ErrorKind::corrupt,
                          fmt::format("what it sent is not a trace ({})",
                                      Human(static_cast<int64_t>(session_.bytes), Unit::bytes))));
    }
    if (const std::optional<Recorded> recorded = loader->recorded(file->bytes)) {
      session_.offset = OffsetOf({sent_ns_, answered_ns_}, {recorded->begin_ns, recorded->end_ns});
    }
    if (!xspace::HasEvents(file->bytes)) return Again(NothingRecorded());
    return {};
  }

  WorkerSession& session_;
  TraceFile file_;
  FieldStream fields_;
  Call call_;
  Result<void> written_ = {};
  int64_t sent_ns_ = 0;
  int64_t answered_ns_ = 0;
};

Attempt OneAttempt(WorkerSession& session) {
  if (const Result<void> connected = session.Connect(); !connected) {
    return connected.error().kind == ErrorKind::usage ? GiveUp(connected.error())
                                                      : Again(connected.error());
  }
  Attempt attempt = ProfileCall(session).Run();
  if (attempt.next != Next::done) session.connection.reset();
  return attempt;
}

}  // namespace

Result<void> WorkerSession::Connect() {
  if (connection != nullptr) return {};
  const auto deadline = steady_clock::now() + options.connect;
  TFPROF_ASSIGN(connection,
                Connection::Open(worker.address, options.security, deadline, interrupt));
  return {};
}

void WorkerSession::Run() {
  const std::string name = worker.address.Text();
  milliseconds pause = kFirstPause;
  bool waits = false;
  for (int64_t failures = 0;;) {
    Attempt attempt = OneAttempt(*this);
    error.reset();
    if (attempt.next == Next::done) return;
    error = std::move(attempt.error);
    if (error->kind == ErrorKind::cancelled || attempt.next == Next::give_up) return;
    if (attempt.next == Next::wait) {
      if (!options.wait) return;
      if (!std::exchange(waits, true))
        progress.Line(fmt::format("{}: waits for the end of another session", name));
      pause = kLookAgain;
    } else if (++failures > options.retries) {
      return;
    } else {
      progress.Line(fmt::format("{}: {}; again in {} ms", name, error->what, pause.count()));
    }
    if (!Sleep(pause, interrupt)) {
      error = Error(ErrorKind::cancelled, "interrupted");
      return;
    }
    pause = std::min(pause * 2, kLongestPause);
  }
}

}  // namespace tfprof::remote
