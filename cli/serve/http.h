// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

// HTTP/1.1 as far as our own pages need it: GET requests without a body, one per connection.

namespace tfprof {

constexpr size_t kMaxHttpHead = 32 << 10;  // bytes of a request

struct HttpRequest {
  std::string path;                           // decoded; begins with a slash
  std::map<std::string, std::string> values;  // of the query, decoded
  std::string host;                           // of the header
};

struct HttpReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::string policy = {};    // of content security; empty: nothing may be loaded
  std::string location = {};  // of a redirection
};

// Parses the head of a request, up to its empty line. Returns 200, or the status to refuse it with.
int ParseHttpHead(std::string_view head, HttpRequest* request);

// Returns the head of a reply. Whatever it is: browsers do not keep it, show it in no frame, guess
// no type, and tell no other site where it was.
std::string HttpHeadOf(const HttpReply& reply);

// Returns true if the header names this computer, so that no other name leads a page elsewhere to
// us (DNS rebinding).
bool IsLocalHost(std::string_view host, int port);

// Returns 128 random bits as hexadecimal digits; empty: the system has none.
std::string RandomToken();
// Takes as long for any `given` of one length.
bool IsToken(std::string_view given, std::string_view token);

}  // namespace tfprof
