// SPDX-License-Identifier: Apache-2.0
#include "core/report/report.h"

namespace tfprof {

ReportColumn::ReportColumn() = default;
ReportColumn::ReportColumn(const ReportColumn&) = default;
ReportColumn::ReportColumn(ReportColumn&&) noexcept = default;
ReportColumn& ReportColumn::operator=(const ReportColumn&) = default;
ReportColumn& ReportColumn::operator=(ReportColumn&&) noexcept = default;
ReportColumn::~ReportColumn() = default;

Table::Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;
Table::~Table() = default;

Report::Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;
Report::~Report() = default;

}  // namespace tfprof
