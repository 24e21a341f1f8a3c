// ldb: reads, changes and mends a database from the command line. See
// docs/tools/ldb.md.

#include "rocksdb/ldb_tool.h"

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::LDBTool().RunAndReturn(argc, argv);
}
