// db_stress: works on a database from many threads, knows what every read may
// answer, and what must be there after the process was killed.
//
// It uses the public interface only, and so also runs on a stock librocksdb.
// Exit status: 0 all is right, 1 something is wrong, 2 the engine refuses the
// options.

#include <cstdio>
#include <cstring>

#include "db_stress_tool/flags.h"
#include "db_stress_tool/stress_run.h"

int main(int argc, char** argv) {
  namespace stress = ROCKSDB_NAMESPACE::stress;
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    printf("%s", stress::FlagHelp().c_str());
    return 0;
  }
  stress::Flags flags;
  const ROCKSDB_NAMESPACE::Status s = stress::ParseFlags(argc, argv, &flags);
  if (!s.ok()) {
    fprintf(stderr, "refused: %s\n", s.ToString().c_str());
    return static_cast<int>(stress::Outcome::kRefused);
  }
  return static_cast<int>(stress::StressRun(flags).Run());
}
