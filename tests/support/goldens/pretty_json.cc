// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens/pretty_json.h"

#include <algorithm>
#include <cctype>

namespace tfprof {
namespace {

class Printer {
 public:
  explicit Printer(std::string* out) : out_(out) {}

  // Prints the value at the start of `text`; returns its length.
  size_t Print(std::string_view text) {
    size_t at = 0;
    do {
      at += Token(text.substr(at));
    } while (depth_ > 0 && at < text.size());
    return at;
  }

 private:
  size_t Token(std::string_view text) {
    const char c = text[0];
    if (c == '"') return String(text);
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return 1;
    if (c == '}' || c == ']') --depth_;
    if ((c == '}' || c == ']') && !empty_) Break();
    if (c == '}' || c == ']') Close();
    out_->push_back(c);
    if (c == '{' || c == '[') ++depth_;
    if (c == '{' && key_ == "columns" && flat_from_ == 0) flat_from_ = depth_;
    empty_ = c == '{' || c == '[';
    const bool closes = text.size() > 1 && (text[1] == '}' || text[1] == ']');
    if (c == ',' || (empty_ && !closes)) Break();
    if (c == ':') out_->push_back(' ');
    return 1;
  }

  size_t String(std::string_view text) {
    size_t end = 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    end = std::min(end + 1, text.size());
    out_->append(text.substr(0, end));
    if (end < text.size() && text[end] == ':') key_ = text.substr(1, end - 2);
    empty_ = false;
    return end;
  }

  void Break() {
    if (flat_from_ > 0) return;
    out_->push_back('\n');
    out_->append(depth_, ' ');
  }

  // The keys of a column end with its object.
  void Close() {
    if (flat_from_ == 0 || depth_ >= flat_from_) return;
    flat_from_ = 0;
    key_ = "columns";
  }

  std::string* out_;
  std::string_view key_;
  size_t depth_ = 0;
  size_t flat_from_ = 0;  // the depth from which values share a line; 0: none
  bool empty_ = false;    // the last character opened a container that is still empty
};

}  // namespace

std::string PrettyJson(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("{\"view\":")) at += Printer(&out).Print(text.substr(at));
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (at < text.size()) out.append(text.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace tfprof
