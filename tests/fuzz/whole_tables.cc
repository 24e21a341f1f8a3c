#include "tests/fuzz/whole_tables.h"

#include <cstdint>
#include <memory>

#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "tests/table/table_fixture.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

size_t ReadWholeTable(TableFixture* fixture, const Slice& bytes) {
  fixture->is_mapped = true;
  fixture->db.allow_mmap_reads = true;
  std::unique_ptr<TableReader> reader;
  if (!fixture->Open(bytes.ToString(), &reader).ok()) return 0;
  ReadOptions read;
  read.total_order_seek = true;
  const auto it = reader->NewIterator({.read_options = &read});
  const KeyValues entries = ScanForward(it.get());
  ScanBackward(it.get());
  for (const char* key : {"key00001", "key00017", "other"}) {
    fixture->Get(*reader, key);
  }
  std::vector<TableReader::Anchor> anchors;
  IgnoreError(reader->Anchors(read, 5, &anchors), "it may be damaged");
  IgnoreError(reader->VerifyChecksum(read, nullptr), "it may be damaged");
  return entries.size();
}

void PreparePlain(bool stores_index, EncodingType encoding,
                  TableFixture* fixture) {
  PlainTableOptions options;
  options.store_index_in_file = stores_index;
  options.encoding_type = encoding;
  options.index_sparseness = 3;
  fixture->factory.reset(NewPlainTableFactory(options));
  fixture->family.prefix_extractor.reset(NewFixedPrefixTransform(7));
}

void PrepareCuckoo(bool uses_modulo, TableFixture* fixture) {
  CuckooTableOptions options;
  options.use_module_hash = uses_modulo;
  options.identity_as_first_hash = !uses_modulo;
  fixture->factory.reset(NewCuckooTableFactory(options));
}

}  // namespace

size_t RunPlainTable(const Slice& bytes) {
  TableFixture fixture;
  PreparePlain(false, kPlain, &fixture);
  return ReadWholeTable(&fixture, bytes);
}

size_t RunCuckooTable(const Slice& bytes) {
  TableFixture fixture;
  PrepareCuckoo(true, &fixture);
  return ReadWholeTable(&fixture, bytes);
}

std::vector<std::string> PlainTableSeeds() {
  std::vector<std::string> seeds;
  for (const bool stores_index : {false, true}) {
    for (const EncodingType encoding : {kPlain, kPrefix}) {
      TableFixture fixture;
      PreparePlain(stores_index, encoding, &fixture);
      seeds.push_back(fixture.Build(NumberedEntries(30)));
    }
  }
  return seeds;
}

std::vector<std::string> CuckooTableSeeds() {
  std::vector<std::string> seeds;
  for (const bool uses_modulo : {false, true}) {
    for (const bool is_last_level : {false, true}) {
      TableFixture fixture;
      PrepareCuckoo(uses_modulo, &fixture);
      std::vector<TableEntry> entries = NumberedEntries(30);
      for (TableEntry& entry : entries) {
        if (is_last_level) entry.sequence = 0;
      }
      seeds.push_back(fixture.Build(entries));
    }
  }
  return seeds;
}

}  // namespace ROCKSDB_NAMESPACE::fuzz
