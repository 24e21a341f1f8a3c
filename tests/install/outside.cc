// A program of somebody else: opens a database, writes, reads, iterates.
//
// Built by tests/install/run.sh against an installed tree, as C++17, in each
// way that an application may choose.

#include <cstdio>
#include <memory>
#include <string>
#include <typeinfo>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/version.h"

#if !ROCKSDB_VERSION_GE(11, 9, 0) || !ROCKSDB_VERSION_GE(10, 99, 99) ||    \
    ROCKSDB_VERSION_GE(ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH + 1) || \
    ROCKSDB_VERSION_GE(ROCKSDB_MAJOR + 1, 0, 0)
#error "ROCKSDB_VERSION_GE"
#endif

namespace {

// Needs the library's type information, as many an application does.
class NullLogger : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

int Fail(const char* what, const rocksdb::Status& status) {
  fprintf(stderr, "%s: %s\n", what, status.ToString().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string path = argv[1];
  rocksdb::Options options;
  options.create_if_missing = true;
  options.info_log = std::make_shared<NullLogger>();

  std::unique_ptr<rocksdb::DB> db;
  rocksdb::Status s = rocksdb::DB::Open(options, path, &db);
  if (!s.ok()) return Fail("Open", s);
  s = db->Put(rocksdb::WriteOptions(), "outside", "inside");
  if (!s.ok()) return Fail("Put", s);

  std::string value;
  s = db->Get(rocksdb::ReadOptions(), "outside", &value);
  if (!s.ok()) return Fail("Get", s);
  if (value != "inside") return 1;

  std::unique_ptr<rocksdb::Iterator> it(
      db->NewIterator(rocksdb::ReadOptions()));
  it->SeekToFirst();
  if (!it->Valid() || it->key() != "outside") return 1;
  it.reset();

  s = db->Close();
  if (!s.ok()) return Fail("Close", s);
  printf("%s\n", rocksdb::GetRocksVersionAsString().c_str());
  return 0;
}
