// ldb: reads, changes and mends a database from the command line. See
// docs/tools/ldb.md.

#include "rocksdb/ldb_tool.h"
#include "tools/common/lean_heap.h"
#include "tools/common/output_buffer.h"

int main(int argc, char** argv) {
  tools::KeepHeapLean();
  tools::TakeLargeOutputBuffer();
  return ROCKSDB_NAMESPACE::LDBTool().RunAndReturn(argc, argv);
}
