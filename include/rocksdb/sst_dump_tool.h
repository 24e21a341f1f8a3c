#pragma once

// `sst_dump`, the tool that looks into table files, inside another program.

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

class SSTDumpTool {
 public:
  // Runs what argv[1...] asks for. The process is never ended.
  //
  // Arguments  Of `options` the Env, the comparator, the table factory and the
  //            compression manager are used.
  // Result     0: all of it succeeded. 1: something failed, or a file is
  //            damaged. -1: --parse_internal_key with what is no internal key.
  int Run(int argc, char const* const* argv, Options options = Options());
};

}  // namespace ROCKSDB_NAMESPACE
