// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/http.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

constexpr std::pair<int, std::string_view> kStatusTexts[] = {
    {200, "OK"},
    {302, "Found"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {414, "URI Too Long"},
    {422, "Unprocessable Content"},
    {500, "Internal Server Error"},
    {505, "HTTP Version Not Supported"},
};

bool DecodeQuery(std::string_view text, HttpRequest* request) {
  std::string with_blanks(text);
  std::ranges::replace(with_blanks, '+', ' ');
  std::string_view query = with_blanks;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const size_t equals = std::min(pair.find('='), pair.size());
    std::string key, value;
    if (!DecodePercent(pair.substr(0, equals), &key)) return false;
    if (!DecodePercent(pair.substr(std::min(equals + 1, pair.size())), &value)) return false;
    request->values[key] = value;
  }
  return true;
}

// Takes the next line without its end.
std::string_view TakeHttpLine(std::string_view* head) {
  const size_t end = std::min(head->find("\r\n"), head->size());
  const std::string_view line = head->substr(0, end);
  head->remove_prefix(std::min(end + 2, head->size()));
  return line;
}

bool IsHeader(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' && BeginsWithAnyCase(line, name);
}

int ParseTarget(std::string_view target, HttpRequest* request) {
  if (!target.starts_with('/')) return 400;
  const size_t query = std::min(target.find('?'), target.size());
  if (!DecodePercent(target.substr(0, query), &request->path)) return 400;
  if (query == target.size()) return 200;
  return DecodeQuery(target.substr(query + 1), request) ? 200 : 400;
}

}  // namespace

int ParseHttpHead(std::string_view head, HttpRequest* request) {
  const std::string_view line = TakeHttpLine(&head);
  const size_t method = line.find(' '), version = line.rfind(' ');
  if (method == line.npos || version == method) return 400;
  if (!line.substr(version + 1).starts_with("HTTP/1.")) return 505;
  if (line.substr(0, method) != "GET") return 405;
  int hosts = 0;
  while (!head.empty()) {
    const std::string_view header = TakeHttpLine(&head);
    if (header.empty()) break;
    if (!IsHeader(header, "host")) continue;
    request->host = Trimmed(header.substr(header.find(':') + 1));
    ++hosts;
  }
  if (hosts != 1) return 400;
  return ParseTarget(line.substr(method + 1, version - method - 1), request);
}

std::string HttpHeadOf(const HttpReply& reply) {
  const auto* const status =
      std::ranges::find(kStatusTexts, reply.status, &std::pair<int, std::string_view>::first);
  const std::string_view text = status == std::end(kStatusTexts) ? "" : status->second;
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", reply.status, text);
  head += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", reply.type, reply.body.size());
  if (!reply.location.empty()) head += fmt::format("Location: {}\r\n", reply.location);
  const std::string policy = reply.policy.empty() ? "default-src 'none'" : reply.policy;
  head += fmt::format("Content-Security-Policy: {}; frame-ancestors 'none'\r\n", policy);
  head +=
      "Cache-Control: no-store\r\n"
      "Connection: close\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n\r\n";
  return head;
}

bool IsLocalHost(std::string_view host, int port) {
  const std::string end = ":" + std::to_string(port);
  if (!host.ends_with(end)) return false;
  host.remove_suffix(end.size());
  return host == "127.0.0.1" || host == "localhost";
}

std::string RandomToken() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool IsToken(std::string_view given, std::string_view token) {
  if (given.size() != token.size() || token.empty()) return false;
  unsigned char differing = 0;
  for (size_t i = 0; i < token.size(); ++i) {
    differing |= static_cast<unsigned char>(given[i] ^ token[i]);
  }
  return differing == 0;
}

}  // namespace tfprof
