// Several column families: made, listed, opened together, written in one
// batch, and dropped.
//
//   column_families DIRECTORY
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/write_batch.h"

namespace {

void Check(const rocksdb::Status& s) {
  if (s.ok()) return;
  fprintf(stderr, "%s\n", s.ToString().c_str());
  exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string path = std::string(argv[1]) + "/db";
  rocksdb::Options options;
  options.create_if_missing = true;
  {
    std::unique_ptr<rocksdb::DB> db;
    Check(rocksdb::DB::Open(options, path, &db));
    rocksdb::ColumnFamilyHandle* stones = nullptr;
    Check(db->CreateColumnFamily(rocksdb::ColumnFamilyOptions(), "stones",
                                 &stones));
    Check(db->DestroyColumnFamilyHandle(stones));
  }
  // Opening names every family that there is.
  std::vector<std::string> names;
  Check(rocksdb::DB::ListColumnFamilies(options, path, &names));
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) {
    families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(rocksdb::DBOptions(), path, families, &handles, &db));
  printf("families: %zu, the second is %s\n", handles.size(),
         handles[1]->GetName().c_str());

  // Both families change, or neither does.
  rocksdb::WriteBatch batch;
  Check(batch.Put(handles[0], "count", "1"));
  Check(batch.Put(handles[1], "stone", "basalt"));
  Check(db->Write(rocksdb::WriteOptions(), &batch));
  std::string value;
  Check(db->Get(rocksdb::ReadOptions(), handles[1], "stone", &value));
  printf("stone = %s\n", value.c_str());
  const rocksdb::Status other =
      db->Get(rocksdb::ReadOptions(), handles[0], "stone", &value);
  printf("in the default family: %s\n", other.IsNotFound() ? "none" : "some");

  Check(db->DropColumnFamily(handles[1]));
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    Check(db->DestroyColumnFamilyHandle(handle));
  }
  db.reset();
  Check(rocksdb::DB::ListColumnFamilies(options, path, &names));
  printf("families left: %zu\n", names.size());
  return 0;
}
