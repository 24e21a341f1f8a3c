#include "rocksdb/db_stress_tool.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "db_stress_tool/flags.h"
#include "db_stress_tool/several_databases.h"
#include "rocksdb/version.h"

namespace ROCKSDB_NAMESPACE {

int db_stress_tool(int argc, char** argv) {
  const std::string path = argv[0];
  const std::string name = path.substr(path.rfind('/') + 1);
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    printf("%s version %s\n", name.c_str(), GetRocksVersionAsString().c_str());
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    // Packages look for the first line, and for the status of gflags' programs.
    printf("%s:\nUSAGE:\n%s [OPTIONS]...\n\n%s", name.c_str(), name.c_str(),
           stress::FlagHelp().c_str());
    return 1;
  }
  stress::Flags flags;
  const Status s = stress::ParseFlags(argc, argv, &flags);
  if (!s.ok()) {
    fprintf(stderr, "refused: %s\n", s.ToString().c_str());
    return static_cast<int>(stress::Outcome::kRefused);
  }
  return static_cast<int>(stress::RunDatabases(flags));
}

}  // namespace ROCKSDB_NAMESPACE
