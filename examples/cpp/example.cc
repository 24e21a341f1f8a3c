// Opens a database, writes a batch, and reads what it wrote, in key order.
// Usage: example DIRECTORY

#include <cstdio>
#include <memory>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/write_batch.h"

namespace {

rocksdb::Status Run(const char* directory) {
  rocksdb::Options options;
  options.create_if_missing = true;
  // Compactions leave the page cache to this program.
  options.compaction_read_access = rocksdb::FileAccess::kAuto;
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::Status s = rocksdb::DB::Open(options, directory, &db);
  if (!s.ok()) return s;

  rocksdb::WriteBatch batch;
  s = batch.Put("stone", "basalt");
  if (s.ok()) s = batch.Put("sand", "quartz");
  if (s.ok()) s = db->Write(rocksdb::WriteOptions(), &batch);
  if (!s.ok()) return s;

  const std::unique_ptr<rocksdb::Iterator> it(
      db->NewIterator(rocksdb::ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    printf("%s = %s\n", it->key().ToString().c_str(),
           it->value().ToString().c_str());
  }
  return it->status();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const rocksdb::Status s = Run(argv[1]);
  if (!s.ok()) fprintf(stderr, "%s\n", s.ToString().c_str());
  return s.ok() ? 0 : 1;
}
