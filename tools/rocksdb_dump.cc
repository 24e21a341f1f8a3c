// rocksdb_dump: copies the keys of a database's default family to a file, which
// rocksdb_undump makes a database of again.

#include <cstdio>

#include "rocksdb/convenience.h"
#include "rocksdb/db_dump_tool.h"
#include "tools/common/flags.h"

int main(int argc, char** argv) {
  ROCKSDB_NAMESPACE::DumpOptions dump;
  std::string options_text;
  tools::Flags flags;
  flags.Add("db_path", &dump.db_path, "the database to be dumped");
  flags.Add("dump_location", &dump.dump_location, "the file to write");
  flags.Add("anonymous", &dump.anonymous,
            "leaves out where the dump comes from");
  flags.Add("db_options", &options_text, "options to open the database with");
  if (!flags.Parse("copies a database to a file", argc, argv))
    return flags.exit_status();
  if (dump.db_path.empty() || dump.dump_location.empty()) {
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
  return ROCKSDB_NAMESPACE::DbDumpTool().Run(dump, options) ? 0 : 1;
}
