// Iterators that use prefixes only where they are asked to. The cases are
// tests/testdata/databases/reads/prefix_opt_in.txt, in the language of
// database_script.h: the first byte of a key is its prefix, and nothing but
// prefixes is in the filters of tables and memtables.
#include <gtest/gtest.h>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "tests/db/impl/database_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(PrefixOptInScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.prefix_extractor.reset(NewFixedPrefixTransform(1));
  options.memtable_prefix_bloom_size_ratio = 0.1;
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(20));
  table.whole_key_filtering = false;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  EXPECT_GE(RunDatabases("databases/reads/prefix_opt_in.txt", options), 6u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
