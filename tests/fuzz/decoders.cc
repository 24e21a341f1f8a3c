#include "tests/fuzz/decoders.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "db/version/version_edit.h"
#include "db/wal/log_reader.h"
#include "db/wal/write_batch_internal.h"
#include "file/sequential_file_reader.h"
#include "options/options_file.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"
#include "table/block.h"
#include "table/block_builder.h"
#include "table/block_cursor.h"
#include "table/filter/builtin_policies.h"
#include "table/filter/filter_bits.h"
#include "table/format.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

class BytesSource : public FSSequentialFile {
 public:
  explicit BytesSource(const Slice& bytes) : rest_(bytes) {}

  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    n = std::min(n, rest_.size());
    std::copy_n(rest_.data(), n, scratch);
    *result = Slice(scratch, n);
    rest_.remove_prefix(n);
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t n) override {
    rest_.remove_prefix(std::min<uint64_t>(n, rest_.size()));
    return IOStatus::OK();
  }

 private:
  Slice rest_;
};

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::string(BASALT_SOURCE_DIR) + "/tests/testdata/" + folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in),
                          std::istreambuf_iterator<char>());
  }
  std::sort(contents.begin(), contents.end());
  return contents;
}

std::vector<std::string> RecordsOf(const std::string& log) {
  log::Reader reader(std::make_unique<SequentialFileReader>(
                         std::make_unique<BytesSource>(log), "seed"),
                     nullptr, log::Reader::Options());
  std::vector<std::string> records;
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    records.push_back(record.ToString());
  }
  return records;
}

std::vector<std::string> RecordsIn(const std::string& folder) {
  std::vector<std::string> all;
  for (const std::string& file : FilesIn(folder)) {
    for (std::string& record : RecordsOf(file)) {
      all.push_back(std::move(record));
    }
  }
  return all;
}

// ---- Table files

size_t RunFooter(const Slice& bytes) {
  Footer footer;
  return footer.DecodeFrom(bytes, 1 << 20, "fuzz").ok() ? 1 : 0;
}

std::vector<std::string> FooterSeeds() {
  std::vector<std::string> seeds;
  for (uint32_t version : {2u, 5u, 6u, 7u}) {
    Footer footer;
    footer.format_version = version;
    footer.checksum = kCRC32c;
    constexpr uint64_t kFooterOffset = (1 << 20) - Footer::kBytes;
    footer.metaindex = BlockHandle{kFooterOffset - 100 - 5, 100};
    if (version < 6) footer.index = BlockHandle{1000, 50};
    if (version >= 6) footer.base_context_checksum = 1234567;
    std::string text;
    footer.EncodeTo(kFooterOffset, &text);
    seeds.push_back(text);
  }
  return seeds;
}

size_t RunBlock(const Slice& bytes) {
  // Its own memory, so that a read beyond it is seen.
  const char* problem = nullptr;
  const std::unique_ptr<Block> block =
      Block::Parse(BlockBytes::CopyOf(bytes), &problem);
  if (block == nullptr) return 0;
  const InternalKeyComparator order(BytewiseComparator());
  BlockCursor cursor(&order, KeyRewrite());
  cursor.Reset(&block->layout());
  size_t count = 0;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
  for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) ++count;
  std::string target;
  AppendInternalKey(&target, "key5", 7, kTypeValue);
  cursor.Seek(target);
  cursor.SeekForPrev(target);
  return count;
}

std::vector<std::string> BlockSeeds() {
  std::vector<std::string> seeds;
  for (int interval : {1, 4, 16}) {
    BlockBuilder builder(interval);
    for (int i = 0; i < 40; ++i) {
      std::string key;
      AppendInternalKey(&key, "key" + std::to_string(100 + i), 7, kTypeValue);
      builder.Add(key, std::string(static_cast<size_t>(i), 'v'));
    }
    seeds.push_back(builder.Finish().ToString());
  }
  return seeds;
}

size_t RunFilter(const Slice& bytes) {
  const std::unique_ptr<FilterBitsReader> reader =
      NewBuiltinFilterBitsReader(bytes);
  size_t count = 0;
  for (const char* key : {"", "key1", "another key"}) {
    if (reader->MayMatch(key)) ++count;
  }
  return count;
}

std::vector<std::string> FilterSeeds() {
  const BloomFilterPolicy policy(10);
  const BlockBasedTableOptions table;
  const FilterBuildingContext context(table);
  const std::unique_ptr<FilterBitsBuilder> builder(
      policy.GetBuilderWithContext(context));
  for (int i = 0; i < 100; ++i) builder->AddKey("key" + std::to_string(i));
  std::unique_ptr<char[]> buffer;
  return {builder->Finish(&buffer).ToString()};
}

// ---- Logs and manifests

class CountingHandler : public WriteBatch::Handler {
 public:
  Status PutCF(uint32_t, const Slice&, const Slice&) override {
    return Count();
  }
  Status DeleteCF(uint32_t, const Slice&) override { return Count(); }
  Status SingleDeleteCF(uint32_t, const Slice&) override { return Count(); }
  Status DeleteRangeCF(uint32_t, const Slice&, const Slice&) override {
    return Count();
  }
  Status MergeCF(uint32_t, const Slice&, const Slice&) override {
    return Count();
  }
  void LogData(const Slice&) override { ++count_; }
  size_t count() const { return count_; }

 private:
  Status Count() {
    ++count_;
    return Status::OK();
  }
  size_t count_ = 0;
};

size_t RunWriteBatch(const Slice& bytes) {
  WriteBatch batch;
  if (!WriteBatchInternal::SetContents(&batch, bytes).ok()) return 0;
  CountingHandler handler;
  IgnoreError(batch.Iterate(&handler), "anything may be wrong with the bytes");
  return handler.count();
}

size_t RunLog(const Slice& bytes) {
  size_t count = 0;
  for (int mode = 0; mode < 4; ++mode) {
    log::Reader reader(std::make_unique<SequentialFileReader>(
                           std::make_unique<BytesSource>(bytes), "fuzz"),
                       nullptr, log::Reader::Options());
    Slice record;
    std::string scratch;
    while (reader.ReadRecord(&record, &scratch,
                             static_cast<WALRecoveryMode>(mode))) {
      ++count;
    }
  }
  return count;
}

size_t RunManifest(const Slice& bytes) {
  VersionEdit edit;
  return edit.DecodeFrom(bytes).ok() ? 1 : 0;
}

// ---- Options

size_t RunOptionString(const Slice& bytes) {
  const ConfigOptions config;
  size_t count = 0;
  ColumnFamilyOptions cf;
  if (GetColumnFamilyOptionsFromString(config, cf, bytes.ToString(), &cf)
          .ok()) {
    ++count;
  }
  DBOptions db;
  if (GetDBOptionsFromString(config, db, bytes.ToString(), &db).ok()) ++count;
  return count;
}

std::vector<std::string> OptionStringSeeds() {
  return {
      "write_buffer_size=1048576;compression=kSnappyCompression",
      "compression_opts={level=3;max_dict_bytes=100;};num_levels=4",
      "compression_per_level=kNoCompression:kZSTD:kLZ4Compression",
      "table_factory=BlockBasedTable;prefix_extractor=rocksdb.FixedPrefix.4",
      "block_based_table_factory={block_size=1000;"
      "filter_policy=bloomfilter:10:false;block_cache=1M}",
      "max_open_files=100;info_log_level=WARN_LEVEL;wal_dir=/somewhere"};
}

size_t RunOptionsFile(const Slice& bytes) {
  OptionsFile file;
  const Status s =
      ParseOptionsFile(ConfigOptions(), "fuzz", bytes.ToStringView(), &file);
  return s.ok() ? file.families.size() : 0;
}

const Decoder kDecoders[] = {
    {"footer", &RunFooter, &FooterSeeds},
    {"block", &RunBlock, &BlockSeeds},
    {"filter", &RunFilter, &FilterSeeds},
    {"write_batch", &RunWriteBatch, [] { return RecordsIn("wal"); }},
    {"log", &RunLog, [] { return FilesIn("wal"); }},
    {"manifest", &RunManifest, [] { return RecordsIn("manifest"); }},
    {"option_string", &RunOptionString, &OptionStringSeeds},
    {"options_file", &RunOptionsFile, [] { return FilesIn("options"); }},
};

}  // namespace

std::span<const Decoder> Decoders() { return kDecoders; }

}  // namespace ROCKSDB_NAMESPACE::fuzz
