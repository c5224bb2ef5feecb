// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "views/view.h"

// The views, described where they are defined, and every table that each may answer with.

namespace tfprof {

MakeReport Scope, Graph, Op, Code, Advise;
DeclareTables ScopeTables, GraphTables, OpTables, CodeTables, AdviseTables;

MakeReport ProfileInfo, Summary, Top, Peek, Why, Find, ListScope;
DeclareTables ProfileInfoTables, SummaryTables, TopTables, PeekTables, WhyTables, FindTables,
    ListScopeTables;

MakeReport Collectives, Compile, CriticalPath, Hlo, InputView, Jobs, Kernels, Launch, OpStats,
    Overview, Planes, Pod, Roofline, Sync, Utilization;
DeclareTables CollectivesTables, CompileTables, CriticalPathTables, HloTables, InputTables,
    JobsTables, KernelsTables, LaunchTables, OpStatsTables, OverviewTables, PlanesTables, PodTables,
    RooflineTables, SyncTables, UtilizationTables;

MakeReport Diff, EventsView, Memory, Steps, TfData, Transfers;
DeclareTables DiffTables, EventsTables, MemoryTables, StepsTables, TfDataTables, TransfersTables;

}  // namespace tfprof
