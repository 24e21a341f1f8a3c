#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/db_dump_tool.h"
#include "rocksdb/env.h"
#include "utilities/dump/dump_reader.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// `*problem` begins the line that is told, in RocksDB's words; it stays as it
// is where those say no more than the status.
Status PutPairs(DumpReader* dump, DB* db, std::string* problem) {
  std::string about;
  Status s = dump->ReadChunk("what is said about the dump", &about);
  std::string key;
  std::string value;
  while (s.ok() && !dump->AtEnd()) {
    s = dump->ReadChunk("a key", &key);
    if (!s.ok()) {
      *problem = "Key read failure: insufficient data: ";
      break;
    }
    s = dump->ReadChunk("a value", &value);
    if (!s.ok()) *problem = "Unable to read value: insufficient data: ";
    if (s.ok()) s = db->Put(WriteOptions(), key, value);
  }
  return s;
}

Status UndumpDatabase(const UndumpOptions& undump, Options options,
                      std::string* problem) {
  std::unique_ptr<DumpReader> dump;
  Status s = DumpReader::Open(options.env->GetFileSystem().get(),
                              undump.dump_location, &dump);
  if (!s.ok()) {
    const std::string& file = undump.dump_location;
    *problem = s.IsCorruption() || s.IsNotSupported()
                   ? "File '" + file + "' is not a recognizable dump file. "
                   : "Unable to open dump file '" + file + "' for reading: ";
    return s;
  }
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  s = DB::Open(options, undump.db_path, &db);
  if (!s.ok()) {
    *problem = "Unable to open database '" + undump.db_path + "' for writing: ";
    return s;
  }
  s = PutPairs(dump.get(), db.get(), problem);
  // Success means that it is there after a power cut too.
  if (s.ok()) s = db->FlushWAL(true);
  if (s.ok() && undump.compact_db) {
    s = db->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  }
  const Status closed = db->Close();
  return s.ok() ? closed : s;
}

}  // namespace

bool DbUndumpTool::Run(const UndumpOptions& undump_options, Options options) {
  std::string problem = "Unable to undump " + undump_options.dump_location +
                        " to " + undump_options.db_path + ": ";
  const Status s = UndumpDatabase(undump_options, std::move(options), &problem);
  if (!s.ok()) {
    fprintf(stderr, "%s%s\n", problem.c_str(), s.ToString().c_str());
  }
  return s.ok();
}

}  // namespace ROCKSDB_NAMESPACE
