// rocksdb_undump: puts the keys of a file of rocksdb_dump into a database,
// which is made if it is not there.

#include <cstdio>

#include "rocksdb/convenience.h"
#include "rocksdb/db_dump_tool.h"
#include "tools/common/flags.h"

int main(int argc, char** argv) {
  ROCKSDB_NAMESPACE::UndumpOptions undump;
  std::string options_text;
  tools::Flags flags;
  flags.Add("db_path", &undump.db_path, "the database to write to");
  flags.Add("dump_location", &undump.dump_location, "the file to read");
  flags.Add("compact", &undump.compact_db, "compacts the database at the end");
  flags.Add("db_options", &options_text, "options to open the database with");
  if (!flags.Parse("makes a database of a file", argc, argv))
    return flags.exit_status();
  if (undump.db_path.empty() || undump.dump_location.empty()) {
    std::fprintf(stderr, "Please set --db_path and --dump_location\n");
    return 1;
  }
  ROCKSDB_NAMESPACE::Options options;
  if (!options_text.empty()) {
    const ROCKSDB_NAMESPACE::Status s = ROCKSDB_NAMESPACE::GetOptionsFromString(
        ROCKSDB_NAMESPACE::ConfigOptions(), options, options_text, &options);
    if (!s.ok()) {
      std::fprintf(stderr, "Cannot parse provided db_options: %s\n",
                   s.ToString().c_str());
      return 1;
    }
  }
  return ROCKSDB_NAMESPACE::DbUndumpTool().Run(undump, options) ? 0 : 1;
}
