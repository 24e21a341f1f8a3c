// sst_dump: looks into table files. See docs/tools/sst_dump.md.

#include "rocksdb/sst_dump_tool.h"
#include "tools/common/lean_heap.h"
#include "tools/common/output_buffer.h"

int main(int argc, char** argv) {
  tools::KeepHeapLean();
  tools::TakeLargeOutputBuffer();
  return ROCKSDB_NAMESPACE::SSTDumpTool().Run(argc, argv);
}
