#include "tests/fuzz/decoders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "db/blob/blob_format.h"
#include "db/version/version_edit.h"
#include "db/wal/log_reader.h"
#include "db/wal/write_batch_internal.h"
#include "file/sequential_file_reader.h"
#include "options/options_file.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/write_batch.h"
#include "table/block.h"
#include "table/block_builder.h"
#include "table/block_cursor.h"
#include "table/filter/builtin_policies.h"
#include "table/filter/filter_bits.h"
#include "table/format.h"
#include "table/index_block.h"
#include "table/index_encoder.h"
#include "table/metaindex.h"
#include "table/prefix_index.h"
#include "table/prefix_index_builder.h"
#include "table/properties_block.h"
#include "tests/fuzz/kept_files.h"
#include "tests/fuzz/kept_values.h"
#include "tests/fuzz/object_texts.h"
#include "tests/fuzz/top_level.h"
#include "tests/fuzz/traces.h"
#include "tests/fuzz/tries.h"
#include "tests/fuzz/whole_tables.h"
#include "util/builtin_compression.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/wide_columns_coding.h"
#include "utilities/backup/backup_description.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/copied_files.h"

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
  AppendInternalKey(&target, "key105", 7, kTypeValue);
  cursor.Seek(target);
  cursor.SeekForPrev(target);
  cursor.SeekForGet(target);
  return count;
}

std::vector<std::string> BlockSeeds() {
  std::vector<std::string> seeds;
  using Options = BlockBuilder::Options;
  for (const Options& options :
       {Options{.restart_interval = 1}, Options{.restart_interval = 4},
        Options{}, Options{.use_delta_encoding = false},
        Options{.restart_interval = 4, .hash_util_ratio = 0.75},
        Options{.separates_values = true}}) {
    BlockBuilder builder(options);
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

// The first byte says how the index is encoded and searched.
constexpr uint8_t kHasUserKeys = 1, kHasDeltaValues = 2, kHasFirstKeys = 4,
                  kInterpolates = 8;

IndexEncoding IndexEncodingOf(uint8_t kinds) {
  IndexEncoding encoding;
  encoding.has_user_keys = (kinds & kHasUserKeys) != 0;
  encoding.has_delta_values = (kinds & kHasDeltaValues) != 0;
  encoding.has_first_keys = (kinds & kHasFirstKeys) != 0;
  if ((kinds & kInterpolates) != 0) encoding.search = IndexSearch::kAuto;
  return encoding;
}

size_t RunIndex(const Slice& bytes) {
  if (bytes.empty()) return 0;
  IndexBlock index(IndexEncodingOf(static_cast<uint8_t>(bytes[0])));
  const std::string payload(bytes.data() + 1, bytes.size() - 1);
  if (index.Append(payload) != nullptr) return 0;
  const InternalKeyComparator order(BytewiseComparator());
  index.Finish(order);
  size_t known_bytes = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    known_bytes += index.user_key(i).size() + index.first_key(i).size();
  }
  for (const char* key : {"", "key105", "l"}) {
    std::string target;
    AppendInternalKey(&target, key, 7, kTypeValue);
    if (index.Seek(order, target) < index.size()) ++known_bytes;
  }
  std::string saved;
  index.SaveTo(&saved);
  // What was taken once is taken again.
  if (IndexBlock::FromSaved(saved) == nullptr) std::abort();
  return known_bytes;
}

std::vector<std::string> IndexSeeds() {
  std::vector<std::string> seeds;
  for (uint8_t kinds = 0; kinds < 16; ++kinds) {
    const IndexEncoding encoding = IndexEncodingOf(kinds);
    IndexEncoder encoder(1 + kinds % 3, encoding.has_delta_values);
    uint64_t offset = 0;
    for (int i = 0; i < 20; ++i) {
      std::string first;
      AppendInternalKey(&first, "key" + std::to_string(100 + 2 * i), 7,
                        kTypeValue);
      std::string key = "key" + std::to_string(101 + 2 * i);
      if (!encoding.has_user_keys) key += std::string(8, '\1');
      const Slice first_key(first);
      encoder.Add({key, BlockHandle{offset, static_cast<uint64_t>(4000 + i)},
                   encoding.has_first_keys ? &first_key : nullptr});
      offset += static_cast<uint64_t>(4000 + i) + 5;
    }
    seeds.push_back(static_cast<char>(kinds) + encoder.Finish().ToString());
  }
  return seeds;
}

size_t RunProperties(const Slice& bytes) {
  TableProperties properties;
  const std::string payload = bytes.ToString();
  if (DecodeProperties(payload, 1000, &properties) != nullptr) return 0;
  const std::string again = EncodeProperties(properties);
  TableProperties same;
  if (DecodeProperties(again, 1000, &same) != nullptr) std::abort();
  return 1;
}

std::vector<std::string> PropertiesSeeds() {
  TableProperties properties;
  properties.num_entries = 1234567;
  properties.raw_key_size = 99;
  properties.comparator_name = "leveldb.BytewiseComparator";
  properties.filter_policy_name = "rocksdb.BuiltinBloomFilter";
  properties.user_collected_properties["a collector's"] = "1";
  return {EncodeProperties(properties), EncodeProperties(TableProperties())};
}

size_t RunMetaindex(const Slice& bytes) {
  Metaindex metaindex;
  const std::string payload = bytes.ToString();
  if (metaindex.Decode(payload) != nullptr) return 0;
  if (metaindex.Find("") != nullptr) return 0;  // Nobody writes such a name.
  const std::string again = Metaindex::Encode(metaindex.blocks());
  Metaindex same;
  if (same.Decode(again) != nullptr || same.blocks() != metaindex.blocks()) {
    std::abort();
  }
  return metaindex.blocks().size();
}

std::vector<std::string> MetaindexSeeds() {
  return {
      Metaindex::Encode({{kPropertiesBlock, {100000, 1000}}}),
      Metaindex::Encode({{kPropertiesBlock, {100000, 1000}},
                         {kIndexBlock, {90000, 500}},
                         {kDictionaryBlock, {80000, 50}},
                         {kTombstoneBlock, {80055, 60}},
                         {"fullfilter.rocksdb.BuiltinBloomFilter", {70000, 9}},
                         {"of a later release", {0, 0}}}),
  };
}

// The first four bytes are the size of the prefixes, which metadata follow.
size_t RunPrefixIndex(const Slice& bytes) {
  Slice rest = bytes;
  uint32_t size = 0;
  if (!GetFixed32(&rest, &size) || size > rest.size()) return 0;
  const std::string prefixes(rest.data(), size);
  rest.remove_prefix(size);
  const std::shared_ptr<const SliceTransform> extractor(
      NewFixedPrefixTransform(3));
  const char* problem = nullptr;
  const std::unique_ptr<const PrefixIndex> index =
      PrefixIndex::Parse(prefixes, rest.ToString(), extractor, &problem);
  if (index == nullptr) return 0;
  return index->Lacks(extractor.get(), "absent") ? 1 : 2;
}

std::vector<std::string> PrefixIndexSeeds() {
  PrefixIndexBuilder builder;
  for (uint32_t i = 0; i < 30; ++i) {
    builder.Add(std::to_string(100 + i / 2), i);
  }
  builder.Finish();
  std::string seed;
  PutFixed32(&seed, static_cast<uint32_t>(builder.prefixes().size()));
  return {seed + builder.prefixes() + builder.metadata()};
}

// The first byte is the codec, the second the format version.
size_t RunCompressed(const Slice& bytes) {
  if (bytes.size() < 2) return 0;
  const auto type = static_cast<CompressionType>(bytes[0]);
  const uint32_t version = static_cast<uint8_t>(bytes[1]) % 8;
  const std::string payload(bytes.data() + 2, bytes.size() - 2);
  Decompressor& decompressor = *BuiltinDecompressor::Shared(version);
  Decompressor::Args args;
  args.compression_type = type;
  args.compressed_data = payload;
  if (!decompressor.ExtractUncompressedSize(args).ok()) return 0;
  // Some codecs can make much of little: that is for the caller to charge.
  constexpr size_t kMostBytes = 64 << 20;
  if (args.uncompressed_size > kMostBytes) return 0;
  const auto out = std::make_unique_for_overwrite<char[]>(
      static_cast<size_t>(args.uncompressed_size));
  return decompressor.DecompressBlock(args, out.get()).ok() ? 1 : 0;
}

std::vector<std::string> CompressedSeeds() {
  std::vector<std::string> seeds;
  std::string raw;
  for (int i = 0; i < 200; ++i) raw += "value " + std::to_string(i % 17);
  for (CompressionType type :
       {kSnappyCompression, kZlibCompression, kBZip2Compression,
        kLZ4Compression, kLZ4HCCompression, kZSTD}) {
    const auto compressor = GetBuiltinV2CompressionManager()->GetCompressor(
        CompressionOptions(), type);
    if (compressor == nullptr) continue;
    constexpr uint32_t kVersion = 5;
    std::string payload;
    if (!CompressInto(compressor.get(), raw, raw.size(), nullptr, &payload)) {
      continue;
    }
    seeds.push_back(
        std::string{static_cast<char>(type), static_cast<char>(kVersion)} +
        payload);
  }
  return seeds;
}

// ---- Values

size_t RunWideColumns(const Slice& bytes) {
  const std::string entity = bytes.ToString();
  WideColumns columns;
  StoredColumns stored;
  Slice value;
  IgnoreError(DefaultColumnOf(entity, &value), "the bytes may be no entity");
  if (!DecodeStoredColumns(entity, &stored).ok()) return 0;
  std::string again;
  if (!EncodeStoredColumns(stored, &again).ok()) std::abort();
  const bool refers = RefersToBlobs(again);
  if (DecodeWideColumns(entity, &columns).ok() == refers) std::abort();
  return 1 + stored.columns.size();
}

std::vector<std::string> WideColumnsSeeds() {
  std::string one;
  std::string none;
  IgnoreError(
      EncodeWideColumns(
          {{"", "default"}, {"a", "1"}, {"b", std::string(200, 'v')}}, &one),
      "these columns ascend");
  IgnoreError(EncodeWideColumns({}, &none), "nothing is in no order");
  // Version 2: two inline columns, or one of them a reference.
  const std::string two("\2\2\2\2\1\1\1\0\1\1\1aVW", 14);
  std::string reference = two;
  reference[6] = '\x11';
  return {one, none, two, reference};
}

size_t RunBlob(const Slice& bytes) {
  const std::string copy = bytes.ToString();
  size_t count = 0;
  BlobFileHeader header;
  if (header.DecodeFrom(copy).ok()) ++count;
  BlobFileFooter footer;
  if (footer.DecodeFrom(copy).ok()) ++count;
  BlobIndex index;
  if (index.DecodeFrom(copy).ok()) ++count;
  BlobRecordHeader record;
  if (record.DecodeFrom(copy).ok()) ++count;
  for (const uint64_t value_size : {uint64_t{5}, uint64_t{0}, UINT64_MAX}) {
    if (CheckBlobRecord(copy, "key", value_size).ok()) ++count;
  }
  return count;
}

std::vector<std::string> BlobSeeds() {
  std::vector<std::string> seeds(4);
  BlobFileHeader().EncodeTo(&seeds[0]);
  BlobFileFooter().EncodeTo(&seeds[1]);
  BlobIndex{.file_number = 7, .offset = 100, .size = 5}.EncodeTo(&seeds[2]);
  BlobRecordHeader::Encode("key", "value", &seeds[3]);
  seeds[3] += "keyvalue";
  return seeds;
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

// ---- Backups

// Whatever it makes, encoding and decoding again makes the same.
size_t RunBackup(const Slice& bytes) {
  const std::vector<std::string> paths = PathsIn(bytes);
  for (const std::string& path : paths) {
    INVARIANT(IsBackupPath(path));
    SharedNameParts parts;
    if (ParseSharedName(NameInPath(path), &parts)) {
      INVARIANT(!DbNameOf(path).empty());
    }
  }
  size_t count = DecodeCopiedFiles(bytes).size() + paths.size();
  BackupDescription backup;
  if (!DecodeBackup(bytes, &backup).ok()) return count;
  const std::string text = EncodeBackup(backup, BackupDescription::kMaxSchema);
  BackupDescription again;
  const bool is_good = DecodeBackup(text, &again).ok();
  INVARIANT(is_good &&
            EncodeBackup(again, BackupDescription::kMaxSchema) == text);
  return count + 1;
}

std::vector<std::string> BackupSeeds() {
  const std::string schema1 =
      "1795207416\n3\nmetadata 6D65746121\n2\n"
      "shared_checksum/000009_sKMPNB5UTQWPFLDOLJNAX_1014.sst crc32 2792082920\n"
      "private/1/CURRENT crc32 2659179228\n";
  return {schema1, "schema_version 2.1\n" + schema1,
          "schema_version 2.1\n1\n2\nnew field\n1\n"
          "private/1/CURRENT crc32 7 size 16 temp kHot xx 1\n"
          "shared_checksum/000010_17_7.sst ni::excluded true\n"
          "// FOOTER\nand more\n"};
}

const Decoder kDecoders[] = {
    {"footer", &RunFooter, &FooterSeeds},
    {"block", &RunBlock, &BlockSeeds},
    {"filter", &RunFilter, &FilterSeeds},
    {"index", &RunIndex, &IndexSeeds},
    {"properties", &RunProperties, &PropertiesSeeds},
    {"metaindex", &RunMetaindex, &MetaindexSeeds},
    {"top_level", &RunTopLevel, &TopLevelSeeds},
    {"prefix_index", &RunPrefixIndex, &PrefixIndexSeeds},
    {"compressed", &RunCompressed, &CompressedSeeds},
    {"wide_columns", &RunWideColumns, &WideColumnsSeeds},
    {"blob", &RunBlob, &BlobSeeds},
    {"write_batch", &RunWriteBatch, [] { return RecordsIn("wal"); }},
    {"log", &RunLog, [] { return FilesIn("wal"); }},
    {"manifest", &RunManifest, [] { return RecordsIn("manifest"); }},
    {"option_string", &RunOptionString, &OptionStringSeeds},
    {"options_file", &RunOptionsFile, [] { return FilesIn("options"); }},
    {"backup", &RunBackup, &BackupSeeds},
    {"trace_record", &RunTraceRecord, &TraceRecordSeeds},
    {"block_access_text", &RunBlockAccessText, &BlockAccessTextSeeds},
    {"plain_table", &RunPlainTable, &PlainTableSeeds},
    {"cuckoo_table", &RunCuckooTable, &CuckooTableSeeds},
    {"trie", &RunTrie, &TrieSeeds},
    {"dump_file", &RunDumpFile, &DumpFileSeeds},
    {"cache_dump", &RunCacheDump, &CacheDumpSeeds},
    {"encrypted_file", &RunEncryptedFile, &EncryptedFileSeeds},
    {"trace_file", &RunTraceFile, &TraceFileSeeds},
    {"ttl_values", &RunTtlValues, &TtlValuesSeeds},
    {"agg_values", &RunAggValues, &AggValuesSeeds},
    {"query_filter", &RunQueryFilter, &QueryFilterSeeds},
    {"compression_mark", &RunCompressionMark, &CompressionMarkSeeds},
    {"object_text", &RunObjectText, &ObjectTextSeeds},
    {"option_types", &RunOptionTypes, &OptionTypesSeeds},
};

}  // namespace

std::span<const Decoder> Decoders() { return kDecoders; }

}  // namespace ROCKSDB_NAMESPACE::fuzz
