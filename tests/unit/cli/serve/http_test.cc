// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/http.h"

#include <catch2/catch.hpp>
#include <string>

namespace tfprof::http_test {
namespace {

int Parse(const std::string& first, HttpRequest* request, const std::string& headers = "") {
  return ParseHttpHead(first + "\r\nHost: 127.0.0.1:80\r\n" + headers + "\r\n", request);
}

TEST_CASE("the head of a request") {
  HttpRequest request;
  REQUIRE(Parse("GET /t/0/json?line=op+-n%203&x=%26&y HTTP/1.1", &request, "Accept: */*\r\n") ==
          200);
  CHECK(request.path == "/t/0/json");
  CHECK(request.host == "127.0.0.1:80");
  CHECK(request.values.at("line") == "op -n 3");
  CHECK(request.values.at("x") == "&");
  CHECK(request.values.at("y").empty());
  CHECK(request.values.size() == 3);
}

TEST_CASE("names of headers have no case, and values no blanks around them") {
  HttpRequest request;
  CHECK(ParseHttpHead("GET / HTTP/1.0\r\nhOsT:  a:1 \t\r\n\r\n", &request) == 200);
  CHECK(request.host == "a:1");
}

TEST_CASE("a plus is a blank in a query alone") {
  HttpRequest request;
  REQUIRE(Parse("GET /a+b?c=d+e HTTP/1.1", &request) == 200);
  CHECK(request.path == "/a+b");
  CHECK(request.values.at("c") == "d e");
}

TEST_CASE("requests that are refused") {
  HttpRequest request;
  CHECK(Parse("POST / HTTP/1.1", &request) == 405);
  CHECK(Parse("get / HTTP/1.1", &request) == 405);
  CHECK(Parse("GET / HTTP/2", &request) == 505);
  CHECK(Parse("GET /", &request) == 400);
  CHECK(Parse("GET", &request) == 400);
  CHECK(Parse("", &request) == 400);
  CHECK(Parse("GET http://elsewhere/ HTTP/1.1", &request) == 400);
  CHECK(Parse("GET /%4 HTTP/1.1", &request) == 400);
  CHECK(Parse("GET /%4g HTTP/1.1", &request) == 400);
  CHECK(Parse("GET /?a=%x HTTP/1.1", &request) == 400);
  CHECK(Parse("GET / HTTP/1.1", &request, "Host: other\r\n") == 400);  // a second one
  CHECK(ParseHttpHead("GET / HTTP/1.1\r\n\r\n", &request) == 400);     // none
}

TEST_CASE("this computer has two names, with the port") {
  CHECK(IsLocalHost("127.0.0.1:8000", 8000));
  CHECK(IsLocalHost("localhost:8000", 8000));
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:800", "127.0.0.1:80000", "127.0.0.1:8001", "evil.example:8000",
        "127.0.0.1.evil.example:8000", "a127.0.0.1:8000", "[::1]:8000", ":8000"}) {
    CAPTURE(host);
    CHECK_FALSE(IsLocalHost(host, 8000));
  }
}

TEST_CASE("a token is random, and only itself") {
  const std::string token = RandomToken();
  CHECK(token.size() == 32);
  CHECK(token.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(token != RandomToken());
  CHECK(IsToken(token, token));
  for (size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = other[i] == '0' ? '1' : '0';
    CHECK_FALSE(IsToken(other, token));
  }
  CHECK_FALSE(IsToken(token.substr(1), token));
  CHECK_FALSE(IsToken(token + "0", token));
  CHECK_FALSE(IsToken("", ""));  // no token: nobody may enter
}

TEST_CASE("the head of a reply") {
  const std::string head = HttpHeadOf({.status = 302, .body = "abc", .location = "/t/0/"});
  CHECK(head.starts_with("HTTP/1.1 302 Found\r\n"));
  CHECK(head.ends_with("\r\n\r\n"));
  for (const char* line :
       {"Content-Length: 3\r\n", "Location: /t/0/\r\n", "X-Content-Type-Options: nosniff\r\n",
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n",
        "Cache-Control: no-store\r\n", "Connection: close\r\n"}) {
    CAPTURE(line);
    CHECK(head.find(line) != std::string::npos);
  }
  CHECK(HttpHeadOf({.policy = "script-src 'self'"}).find("script-src 'self'; frame-ancestors") !=
        std::string::npos);
}

}  // namespace
}  // namespace tfprof::http_test
