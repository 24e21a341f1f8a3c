// The options that db_stress opens its database with.
//
// In this order: what --options_file says; what db_stress sets unlike the
// engine's defaults; the engine's options of the command line, by the engine's
// names or the reference tool's. Options reach the engine as text, so any that
// the linked engine knows can be set, and no list of them is kept here.
//
// Errors     InvalidArgument with the flag, its value and the engine's answer.

#pragma once

#include "db_stress_tool/flags.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

Status MakeEngineOptions(const Flags& flags, Options* options);

}  // namespace ROCKSDB_NAMESPACE::stress
