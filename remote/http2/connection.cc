// SPDX-License-Identifier: Apache-2.0
#include "remote/http2/connection.h"

#include <fmt/core.h>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "core/base/ascii.h"

namespace tfprof::remote {
namespace {

constexpr std::string_view kCodes[] = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

// What a server may send before we have taken it: it is written to disk at once, so little waits.
constexpr int32_t kWindow = 8 << 20;
constexpr uint32_t kFrame = 1 << 20;
constexpr size_t kReadBytes = size_t{256} << 10;

int Number(std::string_view text, int otherwise) {
  int value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// A request in gRPC's frame: not compressed, its length, its bytes.
std::string Framed(std::string_view message) {
  const auto size = static_cast<uint32_t>(message.size());
  std::string framed = {'\0', static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                        static_cast<char>(size >> 8), static_cast<char>(size)};
  return framed.append(message);
}

nghttp2_nv Header(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

std::string_view Text(const uint8_t* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

std::string NameOf(int code) {
  const auto index = static_cast<size_t>(code);
  return code >= 0 && index < std::size(kCodes) ? std::string(kCodes[index])
                                                : fmt::format("code {}", code);
}

// What nghttp2 calls; each gets the connection.
struct Connection::Callbacks {
  static Call* Find(void* connection, int32_t stream) {
    const auto& calls = static_cast<Connection*>(connection)->calls_;
    const auto found = calls.find(stream);
    return found == calls.end() ? nullptr : found->second;
  }

  static int OnHeader(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                      size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                      void* connection) {
    Call* const call = Find(connection, frame->hd.stream_id);
    if (call == nullptr) return 0;
    const std::string_view key = Text(name, name_size), text = Text(value, value_size);
    if (key == ":status") call->http_status = Number(text, 0);
    if (key == "grpc-status") call->code = Number(text, 2);
    if (key == "grpc-message") DecodePercent(text, &call->message);
    return 0;
  }

  static int OnData(nghttp2_session* session, uint8_t, int32_t stream, const uint8_t* bytes,
                    size_t size, void* connection) {
    Call* const call = Find(connection, stream);
    if (call == nullptr || call->refused) return 0;
    call->refused = !call->take(Text(bytes, size));
    if (call->refused)
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL);
    return 0;
  }

  static int OnClose(nghttp2_session*, int32_t stream, uint32_t reason, void* connection) {
    Call* const call = Find(connection, stream);
    if (call == nullptr) return 0;
    call->closed = true;
    call->closed_by = reason;
    static_cast<Connection*>(connection)->calls_.erase(stream);
    return 0;
  }

  static ssize_t OnRequest(nghttp2_session*, int32_t stream, uint8_t* to, size_t most,
                           uint32_t* flags, nghttp2_data_source*, void* connection) {
    Call* const call = Find(connection, stream);
    if (call == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const size_t bytes = std::min(most, call->unsent.size() - call->sent);
    std::memcpy(to, call->unsent.data() + call->sent, bytes);
    call->sent += bytes;
    if (call->sent == call->unsent.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(bytes);
  }
};

Connection::~Connection() {
  if (session_ != nullptr) nghttp2_session_del(session_);
}

Result<std::unique_ptr<Connection>> Connection::Open(const Address& address,
                                                     const Security& security, Deadline deadline,
                                                     Interrupt interrupt) {
  std::unique_ptr<Connection> connection(new Connection);
  TFPROF_ASSIGN(connection->socket_, Socket::Open(address, security, deadline, interrupt));
  connection->authority_ = address.Text();
  connection->tls_ = security.tls;
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, Callbacks::OnHeader);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Callbacks::OnData);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Callbacks::OnClose);
  nghttp2_session_client_new(&connection->session_, callbacks, connection.get());
  nghttp2_session_callbacks_del(callbacks);
  const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
                                             {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kWindow},
                                             {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, kFrame}};
  nghttp2_submit_settings(connection->session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
  nghttp2_session_set_local_window_size(connection->session_, NGHTTP2_FLAG_NONE, 0, kWindow);
  return connection;
}

Result<void> Connection::Begin(Call& call, const std::string& path, std::string_view message,
                               const Metadata& metadata, Deadline deadline) {
  // After our deadline, a caller may end the session and take what it has recorded: until then the
  // server must not give up.
  constexpr std::chrono::seconds kRoomForTheRest{30};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline + kRoomForTheRest - std::chrono::steady_clock::now());
  const std::string timeout = fmt::format("{}m", std::clamp<int64_t>(left.count(), 1, 99'999'999));
  std::vector<nghttp2_nv> headers = {
      Header(":method", "POST"),      Header(":scheme", tls_ ? "https" : "http"),
      Header(":path", path),          Header(":authority", authority_),
      Header("te", "trailers"),       Header("content-type", "application/grpc"),
      Header("user-agent", "tfprof"), Header("grpc-timeout", timeout)};
  for (const auto& [name, value] : metadata) headers.push_back(Header(name, value));
  call.unsent = Framed(message);
  nghttp2_data_provider provider{{.ptr = nullptr}, Callbacks::OnRequest};
  call.stream =
      nghttp2_submit_request(session_, nullptr, headers.data(), headers.size(), &provider, nullptr);
  if (call.stream < 0) return Fail(ErrorKind::unreadable, nghttp2_strerror(call.stream));
  calls_[call.stream] = &call;
  return {};
}

void Connection::Abandon(Call& call) {
  if (call.closed) return;
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, call.stream, NGHTTP2_CANCEL);
  static_cast<void>(Send());
  calls_.erase(call.stream);
  call.closed = true;
}

Result<void> Connection::Send() {
  while (true) {
    while (unsent_.size() < kReadBytes) {
      const uint8_t* bytes = nullptr;
      const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
      if (size < 0) return Fail(ErrorKind::unreadable, nghttp2_strerror(static_cast<int>(size)));
      if (size == 0) break;
      unsent_.append(Text(bytes, static_cast<size_t>(size)));
    }
    if (unsent_.empty()) return {};
    TFPROF_ASSIGN(const Socket::Moved moved, socket_->Write(unsent_.data(), unsent_.size()));
    unsent_.erase(0, moved.bytes);
    if (moved.bytes == 0) return {};
  }
}

Result<void> Connection::Receive() {
  static thread_local std::array<char, kReadBytes> bytes;
  TFPROF_ASSIGN(const Socket::Moved moved, socket_->Read(bytes.data(), bytes.size()));
  ended_ = moved.closed;
  if (moved.bytes == 0) return {};
  const ssize_t read = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const uint8_t*>(bytes.data()), moved.bytes);
  if (read < 0) return Fail(ErrorKind::corrupt, "the answer is not gRPC: no HTTP/2");
  return {};
}

CallStatus Connection::StatusOf(const Call& call) const {
  constexpr int kHttpOk = 200;
  if (call.code) return {*call.code, call.message};
  if (call.http_status != 0 && call.http_status != kHttpOk) {
    return {static_cast<int>(Code::unimplemented), fmt::format("HTTP status {}", call.http_status)};
  }
  return {static_cast<int>(Code::unavailable), fmt::format("the call ended without a status ({})",
                                                           nghttp2_http2_strerror(call.closed_by))};
}

Result<CallStatus> Connection::Finish(Call& call, Deadline deadline, Interrupt interrupt) {
  while (true) {
    TFPROF_TRY(Send());
    if (call.closed) return StatusOf(call);
    if (ended_) return Fail(ErrorKind::unreadable, "the server closed the connection");
    if (nghttp2_session_want_read(session_) == 0) {
      return Fail(ErrorKind::corrupt, "the answer is not gRPC: no HTTP/2");
    }
    TFPROF_TRY(socket_->Wait(!unsent_.empty(), deadline, interrupt));
    TFPROF_TRY(Receive());
  }
}

}  // namespace tfprof::remote
