// db_stress: works on a database from many threads, knows what every read may
// answer, and what must be there after the process was killed.
//
// It uses the public interface only, and so also runs on a stock librocksdb.
// Exit status: 0 all is right, 1 something is wrong, 2 the engine refuses the
// options.

#include "rocksdb/db_stress_tool.h"

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::db_stress_tool(argc, argv);
}
