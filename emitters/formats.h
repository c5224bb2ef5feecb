// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "emitters/emitter.h"

// The emit functions that the registry names. Each function's file documents its format.

namespace tfprof {

#define TFPROF_FORMAT(name)                                                                   \
  Result<void> name(const Report& report, const Query& query, const Style& style, Sink& sink, \
                    Context& context)

TFPROF_FORMAT(EmitClassic);
TFPROF_FORMAT(EmitClassicTimeline);
TFPROF_FORMAT(EmitTable);
TFPROF_FORMAT(EmitJson);
TFPROF_FORMAT(EmitJsonLines);
TFPROF_FORMAT(EmitCsv);
TFPROF_FORMAT(EmitTsv);
TFPROF_FORMAT(EmitMarkdown);
TFPROF_FORMAT(EmitDot);
TFPROF_FORMAT(EmitClassicPprof);
TFPROF_FORMAT(EmitPprof);
TFPROF_FORMAT(EmitFlameHtml);
TFPROF_FORMAT(EmitFlameSvg);
TFPROF_FORMAT(EmitFolded);
TFPROF_FORMAT(EmitSpeedscope);
TFPROF_FORMAT(EmitProto);

#undef TFPROF_FORMAT

}  // namespace tfprof
