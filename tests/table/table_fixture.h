// Table files in memory, for tests: what is needed to build one from entries
// and to open it again.
//
// Threads    One thread.
// Ownership  A fixture outlives the readers that it opens.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "file/input_stream.h"
#include "file/random_access_file_reader.h"
#include "file/writable_file_writer.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/table.h"
#include "table/blob_embedder.h"
#include "table/block_based_factory.h"
#include "table/point_lookup.h"
#include "table/table_builder.h"
#include "table/table_reader.h"
#include "table/table_reader_options.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class StringReadFile final : public FSRandomAccessFile {
 public:
  // With `is_mapped`, reads point into the string, as with mmap.
  explicit StringReadFile(std::string bytes, bool is_mapped = false)
      : bytes_(std::move(bytes)), is_mapped_(is_mapped) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    const size_t at = std::min<uint64_t>(offset, bytes_.size());
    const size_t size = std::min(n, bytes_.size() - at);
    if (is_mapped_) {
      *result = Slice(bytes_.data() + at, size);
      return IOStatus::OK();
    }
    memcpy(scratch, bytes_.data() + at, size);
    *result = Slice(scratch, size);
    return IOStatus::OK();
  }

 private:
  const std::string bytes_;
  const bool is_mapped_;
};

class StringWriteFile final : public FSWritableFile {
 public:
  // Appends that would make more than `limit` bytes fail.
  explicit StringWriteFile(std::string* bytes, size_t limit = SIZE_MAX)
      : bytes_(bytes), limit_(limit) {}
  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&,
                  IODebugContext*) override {
    if (data.size() > limit_ - bytes_->size()) {
      return IOStatus::IOError("no more bytes");
    }
    bytes_->append(data.data(), data.size());
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }

 private:
  std::string* const bytes_;
  const size_t limit_;
};

struct TableEntry {
  std::string user_key;
  std::string value;
  SequenceNumber sequence = 1;
  ValueType type = kTypeValue;

  std::string Key() const {
    std::string key;
    AppendInternalKey(&key, user_key, sequence, type);
    return key;
  }
};

using KeyValues = std::vector<std::pair<std::string, std::string>>;

inline KeyValues ToKeyValues(const std::vector<TableEntry>& entries) {
  KeyValues result;
  for (const TableEntry& e : entries) result.emplace_back(e.Key(), e.value);
  return result;
}

inline KeyValues ScanForward(InternalIterator* iterator) {
  KeyValues result;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    result.emplace_back(iterator->key().ToString(),
                        iterator->value().ToString());
  }
  return result;
}

inline KeyValues ScanBackward(InternalIterator* iterator) {
  KeyValues result;
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
    result.emplace_back(iterator->key().ToString(),
                        iterator->value().ToString());
  }
  std::reverse(result.begin(), result.end());
  return result;
}

// key00000, key00001, ... with values that compress somewhat.
inline std::vector<TableEntry> NumberedEntries(size_t count) {
  std::vector<TableEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    char key[32];
    char value[64];
    snprintf(key, sizeof(key), "key%05zu", i);
    snprintf(value, sizeof(value), "value-%05zu-abcabcabc", i);
    entries.push_back({.user_key = key, .value = value, .sequence = i + 1});
  }
  return entries;
}

class TableFixture {
 public:
  BlockBasedTableOptions table;
  std::shared_ptr<TableFactory> factory;  // null: block-based, of `table`
  ColumnFamilyOptions family;
  DBOptions db;
  CompressionType compression = kNoCompression;
  CompressionOptions compression_options;
  uint64_t file_number = 7;
  std::string db_session_id = "NVX5J2V5R5ORAM6WHLQV";
  uint64_t target_file_size = 0;
  // Appends that make the file of Build() larger than this fail.
  size_t write_limit = SIZE_MAX;
  size_t write_buffer_bytes = 1 << 20;
  uint64_t largest_sequence = UINT64_MAX;
  uint64_t expected_unique_id[2] = {0, 0};
  int level = -1;
  bool is_mapped = false;
  bool use_block_cache = true;
  // The file is built like one that is to be ingested.
  bool is_external = false;
  // Values of so many bytes become embedded blobs.
  std::optional<uint64_t> min_embedded_bytes;

  struct Tombstone {
    std::string begin;
    std::string end;
    SequenceNumber sequence;
  };
  std::vector<Tombstone> tombstones;
  // The value of an entry "z" behind the others; empty: there is none.
  Slice last_value;

  // The bytes of a file with these entries; its status in *status if given.
  std::string Build(const std::vector<TableEntry>& entries,
                    Status* status = nullptr) {
    Refresh();
    std::string bytes;
    FileOptions file_options;
    file_options.writable_file_max_buffer_size = write_buffer_bytes;
    WritableFileWriter file(
        std::make_unique<StringWriteFile>(&bytes, write_limit), "000007.sst",
        file_options);
    TableBuilderOptions options;
    options.db = db_.get();
    options.cf = cf_.get();
    options.mutable_cf = mutable_.get();
    options.compression = compression;
    options.compression_options = compression_options;
    options.column_family_name = "default";
    options.creation_time = 1700000000;
    options.oldest_key_time = 1700000000;
    options.file_creation_time = 1700000001;
    options.target_file_size = target_file_size;
    options.db_id = "faa7a530-9e8f-4116-8439-3195a5c928ab";
    options.db_session_id = db_session_id;
    options.file_number = file_number;
    options.is_external = is_external;
    options.embeds_blobs = min_embedded_bytes.has_value();
    const std::unique_ptr<TableBuilder> builder(
        factory_->NewTableBuilder(options, &file));
    for (const TableEntry& e : entries) {
      TableEntry stored = e;
      Slice value = e.value;
      if (min_embedded_bytes.has_value()) {
        BlobEmbedder embedder(builder.get(), *min_embedded_bytes);
        if (!embedder.Apply(&stored.type, &value).ok()) break;
        stored.value = value.ToString();
      }
      builder->Add(stored.Key(), stored.value);
    }
    if (!last_value.empty()) {
      builder->Add(TableEntry{"z", ""}.Key(), last_value);
    }
    for (const Tombstone& t : tombstones) {
      const InternalKey key(t.begin, t.sequence, kTypeRangeDeletion);
      builder->AddTombstone(key.Encode(), t.end);
    }
    Status s = builder->Finish();
    built_properties = builder->properties();
    built_size = builder->FileSize();
    tail_size = builder->TailSize();
    if (s.ok()) s = file.Close();
    if (status != nullptr) {
      *status = s;
    } else if (!s.ok()) {
      fprintf(stderr, "building a table: %s\n", s.ToString().c_str());
      abort();
    }
    return bytes;
  }

  Status Open(const std::string& bytes, std::unique_ptr<TableReader>* reader) {
    Refresh();
    TableReaderOptions options;
    options.db = db_.get();
    options.cf = cf_.get();
    options.mutable_cf = mutable_.get();
    options.file_number = file_number;
    options.level = level;
    options.use_block_cache = use_block_cache;
    options.db_session_id = db_session_id;
    options.largest_sequence = largest_sequence;
    options.expected_unique_id[0] = expected_unique_id[0];
    options.expected_unique_id[1] = expected_unique_id[1];
    FileIoContext context;
    return factory_->NewTableReader(
        ReadOptions(), options,
        std::make_unique<RandomAccessFileReader>(
            std::make_unique<StringReadFile>(bytes, is_mapped), "000007.sst",
            context),
        bytes.size(), reader, true);
  }

  std::unique_ptr<InputStream> Stream(const std::string& bytes) {
    InputStreamOptions options;
    options.file_size = bytes.size();
    return std::make_unique<InputStream>(
        std::make_unique<StringReadFile>(bytes), "000007.sst", options);
  }

  // What a lookup at `sequence` finds: "=value", "deleted", "none", or the
  // status of the call.
  std::string Get(const TableReader& reader, const std::string& user_key,
                  SequenceNumber sequence = kMaxSequenceNumber,
                  ReadOptions read = ReadOptions()) {
    PointLookup::Context context;
    context.order = &cf_->internal_comparator;
    context.merge_operator = cf_->merge_operator.get();
    PinnableSlice value;
    PointLookup lookup(context, user_key, &value, nullptr);
    const InternalKey target(user_key, sequence, kValueTypeForSeek);
    Status s = reader.Get(read, target.Encode(), family.prefix_extractor.get(),
                          &lookup);
    if (!s.ok()) return s.ToString();
    s = lookup.Finish();
    if (lookup.state() == PointLookup::State::kDeleted) return "deleted";
    if (s.IsNotFound()) return "none";
    return s.ok() ? "=" + value.ToString() : s.ToString();
  }

  void Refresh() {
    factory_ = factory;
    if (factory_ == nullptr) {
      factory_ = std::make_shared<BlockBasedTableFactory>(table);
    }
    family.table_factory = factory_;
    db_ = std::make_unique<ImmutableDBOptions>(db);
    cf_ = std::make_unique<ImmutableCFOptions>(family);
    mutable_ = std::make_unique<MutableCFOptions>(family);
  }

  TableProperties built_properties;
  uint64_t built_size = 0;
  uint64_t tail_size = 0;

 private:
  std::shared_ptr<TableFactory> factory_;
  std::unique_ptr<ImmutableDBOptions> db_;
  std::unique_ptr<ImmutableCFOptions> cf_;
  std::unique_ptr<MutableCFOptions> mutable_;
};

}  // namespace ROCKSDB_NAMESPACE
