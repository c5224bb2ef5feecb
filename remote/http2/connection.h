// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "remote/http2/socket.h"

struct nghttp2_session;

// gRPC over HTTP/2: what it takes for calls with one request. The bytes of an answer are passed on
// as they arrive, which gRPC's own library does not offer: it holds a message whole.

namespace tfprof::remote {

using Metadata = std::vector<std::pair<std::string, std::string>>;

// The codes of gRPC that we distinguish.
enum class Code : int {
  ok = 0,
  permission_denied = 7,
  unimplemented = 12,
  internal = 13,
  unavailable = 14,
  unauthenticated = 16,
};
std::string NameOf(int code);  // "UNAVAILABLE"

// How a call ended, by its trailers.
struct CallStatus {
  int code = 0;
  std::string message;

  bool Is(Code other) const { return code == static_cast<int>(other); }
};

// A call that runs.
struct Call {
  // Takes some bytes of the answer; false: the call is cancelled, the rest is not wanted.
  std::function<bool(std::string_view bytes)> take;
  std::string unsent;  // of the request, with its frame
  size_t sent = 0;
  int32_t stream = -1;
  int http_status = 0;
  bool refused = false;     // `take` wanted no more
  std::optional<int> code;  // of the trailers
  std::string message;
  bool closed = false;
  uint32_t closed_by = 0;  // HTTP/2's reason; 0: none
};

class Connection {
 public:
  static Result<std::unique_ptr<Connection>> Open(const Address& address, const Security& security,
                                                  Deadline deadline, Interrupt interrupt);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Begins a call; `message` is its request. The call must live until it is closed or the
  // connection ends.
  Result<void> Begin(Call& call, const std::string& path, std::string_view message,
                     const Metadata& metadata, Deadline deadline);
  // Moves bytes until the call has ended. Errors: unreadable (broken connection, no gRPC), corrupt
  // (no HTTP/2), limit (the deadline), cancelled (the interrupt; the call goes on).
  Result<CallStatus> Finish(Call& call, Deadline deadline, Interrupt interrupt);
  // Drops a call.
  void Abandon(Call& call);

 private:
  struct Callbacks;
  Connection() = default;
  Result<void> Send();
  Result<void> Receive();
  CallStatus StatusOf(const Call& call) const;

  std::unique_ptr<Socket> socket_;
  nghttp2_session* session_ = nullptr;
  std::string authority_;
  bool tls_ = false;
  bool ended_ = false;  // the server has closed the stream
  std::string unsent_;
  std::map<int32_t, Call*> calls_;
};

}  // namespace tfprof::remote
