// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <sstream>

#include "cli/shell/commands.h"
#include "loaders/open.h"
#include "tests/unit/views/advice/advise_cases.h"
#include "views/views.h"

// A finding is worth what its command shows: each is run, and has to print the number that the
// evidence begins with.

namespace tfprof::advise_commands_test {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What the program prints for `command`, and its status.
std::string Answer(const StorePtr& store, const std::string& command, int* status) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{.in = &in, .out = &out, .err = &err};
  Session session(io);
  session.profile.store = store;
  session.profile.indexes = std::make_unique<Indexes>(store);
  *status = Execute(session, command, "");
  INFO(err.str());
  return out.str() + (*status == 0 ? "" : err.str());
}

// "12.0 us", "3.00 KiB", "7": the first number, with its unit where it has one.
std::string NumberOf(std::string_view evidence) {
  size_t begin = 0;
  while (!(IsDigit(evidence[begin]) && (begin == 0 || evidence[begin - 1] == ' '))) ++begin;
  evidence.remove_prefix(begin);
  const size_t digits = std::min(evidence.find_first_of(" ;:"), evidence.size());
  if (digits == evidence.size()) return std::string(evidence);
  const size_t end = std::min(evidence.find_first_of(" ;:,", digits + 1), evidence.size());
  const std::string_view unit = evidence.substr(digits + 1, end - digits - 1);
  for (const std::string_view known : {"ps", "ns", "us", "ms", "s", "B", "KiB", "MiB", "GiB"}) {
    if (unit == known) return std::string(evidence.substr(0, end));
  }
  return std::string(evidence.substr(0, digits));
}

bool IsPartOfNumber(char c) { return IsDigit(c) || c == '.'; }

// Whether `number` stands in `text` as a whole.
bool Prints(const std::string& text, const std::string& number) {
  for (size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + 1)) {
    const bool begins = at == 0 || !IsPartOfNumber(text[at - 1]);
    const size_t end = at + number.size();
    const bool ends = end == text.size() || !IsPartOfNumber(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

// Tables of means print three digits: "9.00 us" for the "9 us" of a sum.
std::string AsMean(const std::string& number) {
  const size_t digits = number.find(' ');
  if (digits > 2 || number.find('.') != std::string::npos) return number;
  return number.substr(0, digits) + (digits == 1 ? ".00" : ".0") + number.substr(digits);
}

void CheckCommands(const StorePtr& store, const std::string& what) {
  Query query;
  Context context;
  const Indexes indexes(store);
  const Report report = Advise(store, indexes, query, context).value();
  const Table& table = report.tables.at(0);
  for (size_t row = 0; row < table.rows; ++row) {
    const std::string command(table.Find("command")->texts[row]);
    const std::string evidence(table.Find("evidence")->texts[row]);
    int status = 0;
    const std::string answer = Answer(store, command, &status);
    INFO(what << ": " << table.Find("finding")->texts[row] << "\n" << evidence);
    INFO(command << "\n" << answer);
    CHECK(status == 0);
    const std::string number = NumberOf(evidence);
    const bool prints_none = number == "0" && answer.find("(no rows)") != std::string::npos;
    CHECK((prints_none || Prints(answer, number) || Prints(answer, AsMean(number))));
  }
}

StorePtr LoadAll(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  for (const std::string& path : paths) inputs.push_back({path, {}, false});
  Context context;
  return tfprof::Load(inputs, context).value();
}

}  // namespace

TEST_CASE("the first number of the evidence is parsed with its unit") {
  CHECK(NumberOf("12.0 us busy") == "12.0 us");
  CHECK(NumberOf("7 of 9 nodes") == "7");
  CHECK(NumberOf("3 B; then") == "3 B");
  CHECK(NumberOf("longest gap 9.00 us (step 3)") == "9.00 us");
  CHECK(Prints("a 12 b", "12"));
  CHECK_FALSE(Prints("a 112 b 12.5", "12"));
}

TEST_CASE("the command of every finding prints its number: small profiles of every checker") {
  for (const AdviseCase& test : AdviseCases()) {
    CheckCommands(test.fires, std::string(TextOf(test.id).name));
    CheckCommands(test.silent, std::string(TextOf(test.id).name));
  }
}

TEST_CASE("the command of every finding prints its number: recorded profiles") {
  for (const std::string name : {"convnet", "mnist_softmax", "rnn_while", "two_devices"}) {
    CheckCommands(LoadAll({"testdata/tensorflow/" + name + "/profile.pb"}), name);
  }
}

TEST_CASE("commands find nodes with unusual names") {
  for (const std::string name : {"a b/c'd|e", "x\"y", "(a)[b]{c}", "föö/bär", "$(rm)"}) {
    CheckCommands(StoreOf({{.name = name, .type = name}},
                          {{.node = name, .us = 50, .bytes = 10, .peak_bytes = 4000},
                           {.node = name, .start_us = 2000, .us = 50}}),
                  name);
  }
}

}  // namespace tfprof::advise_commands_test
