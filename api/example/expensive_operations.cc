// SPDX-License-Identifier: Apache-2.0
// Prints the operation types that take the most time, and what a reader should know about them.
#include <tfprof/tfprof.h>

#include <cstdio>
#include <string>

namespace {

int Complain(const tfprof::Error& error) {
  std::fprintf(stderr, "%s\n", error.Text().c_str());
  return static_cast<int>(error.kind);
}

void Print(const tfprof::Report& report) {
  const tfprof::Table& table = report.tables()[0];
  const tfprof::Column* const name = table.Find("name");
  const tfprof::Column* const time = table.Find("time_us");
  for (size_t row = 0; row < table.rows; ++row) {
    std::printf("%12.1f us  %s\n", time->Real(row), name->Text(row).c_str());
  }
  for (const tfprof::Note& note : report.notes()) std::printf("note: %s\n", note.text.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const tfprof::Result<tfprof::Profile> profile = tfprof::Open({argv + 1, argv + argc});
  if (!profile) return Complain(profile.error());
  const tfprof::Result<tfprof::Report> report =
      tfprof::Answer(*profile, {.view = "op", .options = {{"order_by", "micros"}, {"n", "3"}}});
  if (!report) return Complain(report.error());
  Print(*report);
}
