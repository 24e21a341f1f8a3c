// The options that a database was last opened with, read from its OPTIONS
// file: they are checked against those of the program, changed, and used.
//
//   options_file DIRECTORY
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"

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
  {
    rocksdb::BlockBasedTableOptions table;
    table.block_size = 8192;
    rocksdb::Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 1 << 20;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    std::unique_ptr<rocksdb::DB> db;
    Check(rocksdb::DB::Open(options, path, &db));
    Check(db->Put(rocksdb::WriteOptions(), "stone", "basalt"));
  }
  const rocksdb::ConfigOptions config;
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  Check(rocksdb::LoadLatestOptions(config, path, &db_options, &families));
  rocksdb::ColumnFamilyOptions& family = families[0].options;
  auto* table =
      family.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  printf("%s: memtables of %zu bytes, blocks of %llu\n",
         families[0].name.c_str(), family.write_buffer_size,
         static_cast<unsigned long long>(table->block_size));
  Check(rocksdb::CheckOptionsCompatibility(config, path, db_options, families));

  // What files do not hold, such as caches and objects of the program, is set
  // after they are read.
  table->block_cache = rocksdb::NewLRUCache(8 << 20);
  family.write_buffer_size *= 2;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(db_options, path, families, &handles, &db));
  std::string value;
  Check(db->Get(rocksdb::ReadOptions(), "stone", &value));
  printf("stone = %s, memtables now of %zu bytes\n", value.c_str(),
         db->GetOptions().write_buffer_size);
  Check(db->DestroyColumnFamilyHandle(handles[0]));
  return 0;
}
