#include "rocksdb/sst_file_writer.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "env/session_id.h"
#include "file/file_util.h"
#include "file/writable_file_writer.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/db.h"
#include "rocksdb/table.h"
#include "table/blob_embedder.h"
#include "table/embedded_blob_stats.h"
#include "table/format.h"
#include "table/properties_block.h"
#include "table/table_builder.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kExternalDbId[] = "SST Writer";
constexpr int32_t kExternalFileVersion = 2;

Options WithComparator(Options options, const Comparator* comparator) {
  if (comparator != nullptr) options.comparator = comparator;
  return options;
}

std::string Stamped(const Slice& user_key, const Slice& timestamp) {
  std::string stored = user_key.ToString();
  stored.append(timestamp.data(), timestamp.size());
  return stored;
}

}  // namespace

struct SstFileWriter::Rep {
  // How a writer writes, whatever the file.
  struct Settings {
    uint32_t family_id =
        TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
    std::string family_name;
    bool drops_pages = true;
    bool skip_filters = false;
    Env::IOPriority io_priority = Env::IO_TOTAL;
  };

  static Settings SettingsFor(ColumnFamilyHandle* family) {
    Settings settings;
    if (family != nullptr) {
      settings.family_id = family->GetID();
      settings.family_name = family->GetName();
    }
    return settings;
  }

  Rep(const EnvOptions& env_options, const Options& options,
      Settings writer_settings)
      : db(options),
        cf(SanitizeColumnFamilyOptions(db, options)),
        mutable_cf(SanitizeColumnFamilyOptions(db, options)),
        file_options(env_options),
        settings(std::move(writer_settings)),
        session_id(NewSessionId()) {
    INVARIANT(db.fs != nullptr);
    INVARIANT(mutable_cf.table_factory != nullptr);
  }
  ~Rep() {
    if (is_open()) Drop();
  }

  struct Range {
    std::string begin;
    std::string end;
  };

  bool is_open() const { return writer != nullptr; }
  const Comparator& order() const { return *cf.user_comparator; }
  // `blobs`: null: every value stays in its entry.
  Status Open(const std::string& path, Temperature temperature,
              const SstFileWriterEmbeddedBlobOptions* blobs);
  // `stored_key`: with its timestamp.
  Status Add(const Slice& stored_key, Slice value, ValueType type);
  Status AddPlain(const Slice& user_key, const Slice& value, ValueType type);
  Status AddRange(const Slice& begin, const Slice& end);
  // A call with a timestamp is for keys with one of that size.
  Status CheckTimestamp(const Slice& timestamp) const;
  Status CheckOpen() const;
  Status CheckTables() const;
  Status CheckBlobs(const SstFileWriterEmbeddedBlobOptions& blobs) const;
  TableBuilderOptions BuilderOptions();
  FileIoContext IoContext(Temperature temperature) const;
  void WriteRanges();
  Status Finish(ExternalSstFileInfo* result);
  Status CloseFile();
  void DropPages(bool is_last);
  void Drop();

  const ImmutableDBOptions db;
  const ImmutableCFOptions cf;
  const MutableCFOptions mutable_cf;
  const FileOptions file_options;
  const Settings settings;
  const std::string session_id;
  uint64_t file_count = 0;

  std::unique_ptr<WritableFileWriter> writer;  // null: no file is open
  std::unique_ptr<TableBuilder> builder;
  std::optional<BlobEmbedder> embedder;
  ExternalSstFileInfo info;
  std::vector<Range> ranges;
  std::string key;  // internal, reused
  uint64_t dropped_bytes = 0;
  uint64_t finished_size = 0;
};

FileIoContext SstFileWriter::Rep::IoContext(Temperature temperature) const {
  FileIoContext context;
  context.clock = db.clock;
  context.statistics = db.stats;
  context.rate_limiter = db.rate_limiter.get();
  context.io_options.rate_limiter_priority = settings.io_priority;
  context.checksum_factory = db.file_checksum_gen_factory.get();
  context.hands_checksums = db.checksum_handoff_file_types.Contains(kTableFile);
  context.temperature = temperature;
  return context;
}

TableBuilderOptions SstFileWriter::Rep::BuilderOptions() {
  constexpr bool kIsBottommost = true;
  TableBuilderOptions options;
  options.db = &db;
  options.cf = &cf;
  options.mutable_cf = &mutable_cf;
  // Most files go to the last level.
  options.compression = mutable_cf.CompressionForLevel(
      std::max(1, cf.num_levels - 1), 1, kIsBottommost);
  options.compression_options =
      mutable_cf.CompressionOptionsForLevel(kIsBottommost);
  options.column_family_id = settings.family_id;
  options.column_family_name = settings.family_name;
  int64_t now = 0;
  IgnoreError(db.clock->GetCurrentTime(&now), "0 stands for unknown");
  options.creation_time = options.file_creation_time =
      static_cast<uint64_t>(std::max<int64_t>(now, 0));
  options.db_id = kExternalDbId;
  options.db_session_id = session_id;
  options.file_number = ++file_count;
  options.is_external = true;
  options.skip_filters = settings.skip_filters;
  return options;
}

// Nobody has looked at the options before, and a builder believes them.
Status SstFileWriter::Rep::CheckTables() const {
  const auto* table =
      mutable_cf.table_factory->GetOptions<BlockBasedTableOptions>();
  if (table == nullptr || table->format_version <= kLatestFormatVersion) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "Unsupported BlockBasedTable format_version. Please check "
      "include/rocksdb/table.h for more info",
      "format_version=" + std::to_string(table->format_version));
}

Status SstFileWriter::Rep::CheckBlobs(
    const SstFileWriterEmbeddedBlobOptions& blobs) const {
  const TableFactory& tables = *mutable_cf.table_factory;
  const auto* table = tables.GetOptions<BlockBasedTableOptions>();
  if (table == nullptr) {
    return Status::NotSupported("embedded blobs in the table format",
                                tables.Name());
  }
  if (table->format_version < kFirstEmbeddedBlobVersion) {
    return Status::InvalidArgument(
        "embedded blobs need format_version " +
            std::to_string(kFirstEmbeddedBlobVersion),
        "it is " + std::to_string(table->format_version));
  }
  const CompressionType type = blobs.compression_type;
  if (type != kDisableCompressionOption && type != kNoCompression) {
    return Status::NotSupported(
        "SstFileWriterEmbeddedBlobOptions::compression_type",
        "the format has no compressed embedded blobs");
  }
  return Status::OK();
}

Status SstFileWriter::Rep::Open(const std::string& path,
                                Temperature temperature,
                                const SstFileWriterEmbeddedBlobOptions* blobs) {
  if (is_open()) {
    return Status::InvalidArgument("a file is open", info.file_path);
  }
  Status s = CheckTables();
  if (s.ok() && blobs != nullptr) s = CheckBlobs(*blobs);
  if (!s.ok()) return s;
  FileOptions options = file_options;
  options.temperature = temperature;
  s = WritableFileWriter::Create(db.fs, path, options, &writer,
                                 IoContext(temperature));
  if (!s.ok()) return s;
  info = ExternalSstFileInfo();
  info.file_path = path;
  info.version = kExternalFileVersion;
  writer->writable_file()->SetIOPriority(settings.io_priority);
  TableBuilderOptions building = BuilderOptions();
  building.embeds_blobs = blobs != nullptr;
  builder.reset(
      mutable_cf.table_factory->NewTableBuilder(building, writer.get()));
  if (builder == nullptr) {
    Drop();
    return Status::NotSupported(
        path, std::string("table_factory=") + mutable_cf.table_factory->Name());
  }
  embedder.reset();
  if (blobs != nullptr) embedder.emplace(builder.get(), blobs->min_blob_size);
  ranges.clear();
  dropped_bytes = finished_size = 0;
  return s;
}

Status SstFileWriter::Rep::CheckOpen() const {
  if (!is_open()) return Status::InvalidArgument("File is not opened");
  return builder->status();
}

Status SstFileWriter::Rep::CheckTimestamp(const Slice& timestamp) const {
  const size_t size = order().timestamp_size();
  if (timestamp.size() == size) {
    if (cf.left_out_timestamp_bytes() == 0 ||
        timestamp == Slice(std::string(size, '\0'))) {
      return Status::OK();
    }
    return Status::InvalidArgument(
        "persist_user_defined_timestamps=false",
        "the file has no place for another timestamp than the oldest");
  }
  return Status::InvalidArgument(
      "Timestamp size mismatch",
      "a timestamp of " + std::to_string(timestamp.size()) +
          " bytes, those of the comparator have " + std::to_string(size));
}

Status SstFileWriter::Rep::AddPlain(const Slice& user_key, const Slice& value,
                                    ValueType type) {
  Status s = CheckOpen();
  if (s.ok()) s = CheckTimestamp(Slice());
  return s.ok() ? Add(user_key, value, type) : s;
}

Status SstFileWriter::Rep::Add(const Slice& stored_key, Slice value,
                               ValueType type) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (info.num_entries == 0) {
    info.smallest_key = stored_key.ToString();
  } else if (order().Compare(stored_key, info.largest_key) <= 0) {
    return Status::InvalidArgument(
        "Keys must be added in strict ascending order.");
  }
  assert(type != kTypeRangeDeletion);
  if (embedder.has_value()) {
    if (Status s = embedder->Apply(&type, &value); !s.ok()) return s;
  }
  key.assign(stored_key.data(), stored_key.size());
  PutFixed64(&key, PackSequenceAndType(0, type));
  builder->Add(key, value);
  info.largest_key.assign(stored_key.data(), stored_key.size());
  ++info.num_entries;
  DropPages(/*is_last=*/false);
  return builder->status();
}

Status SstFileWriter::Rep::AddRange(const Slice& begin, const Slice& end) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  const int ends_after = order().Compare(begin, end);
  if (ends_after > 0) {
    return Status::InvalidArgument("end key comes before start key");
  }
  if (ends_after == 0) return Status::OK();
  const auto extends = [&](const std::string& bound, int sign,
                           const Slice& with) {
    return ranges.empty() || sign * order().Compare(with, bound) > 0;
  };
  if (extends(info.smallest_range_del_key, -1, begin)) {
    info.smallest_range_del_key = begin.ToString();
  }
  if (extends(info.largest_range_del_key, 1, end)) {
    info.largest_range_del_key = end.ToString();
  }
  ranges.push_back({begin.ToString(), end.ToString()});
  info.num_range_del_entries = ranges.size();
  return Status::OK();
}

// All have one sequence: of those that begin alike the longest says it all.
void SstFileWriter::Rep::WriteRanges() {
  std::sort(
      ranges.begin(), ranges.end(), [this](const Range& a, const Range& b) {
        const int by_begin = order().Compare(a.begin, b.begin);
        return by_begin != 0 ? by_begin < 0 : order().Compare(a.end, b.end) > 0;
      });
  const auto alike = std::unique(
      ranges.begin(), ranges.end(), [this](const Range& a, const Range& b) {
        return order().Compare(a.begin, b.begin) == 0;
      });
  ranges.erase(alike, ranges.end());
  for (const Range& range : ranges) {
    assert(order().Compare(range.begin, range.end) < 0);
    const InternalKey begin(range.begin, 0, kTypeRangeDeletion);
    builder->AddTombstone(begin.Encode(), range.end);
  }
  info.num_range_del_entries = ranges.size();
}

Status SstFileWriter::Rep::Finish(ExternalSstFileInfo* result) {
  if (!is_open()) return Status::InvalidArgument("File is not opened");
  Status s = builder->status();
  if (s.ok() && info.num_entries == 0 && ranges.empty()) {
    s = Status::InvalidArgument("Cannot create sst file with no entries");
  }
  if (!s.ok()) {
    Drop();
    return s;
  }
  WriteRanges();
  s = builder->Finish();
  // What a builder says of it may be an application's word.
  finished_size = writer->GetFileSize();
  builder.reset();
  if (s.ok()) s = CloseFile();
  if (!s.ok()) {
    Drop();
    return s;
  }
  info.file_size = finished_size;
  if (db.file_checksum_gen_factory != nullptr) {
    info.file_checksum = writer->GetFileChecksum();
    info.file_checksum_func_name = writer->GetFileChecksumFuncName();
  }
  writer.reset();
  if (result != nullptr) *result = info;
  return s;
}

Status SstFileWriter::Rep::CloseFile() {
  Status s = writer->Sync(db.use_fsync);
  // Pages can be dropped once they are on the device.
  DropPages(/*is_last=*/true);
  const Status closed = writer->Close();
  return s.ok() ? closed : s;
}

// The file is read again when it is ingested, if at all.
void SstFileWriter::Rep::DropPages(bool is_last) {
  constexpr uint64_t kDropBytes = 1 << 20;
  if (!settings.drops_pages) return;
  const uint64_t bytes = writer->GetFlushedSize();
  if (!is_last && bytes < dropped_bytes + kDropBytes) return;
  IgnoreError(writer->InvalidateCache(0, 0), "pages that stay do no harm");
  dropped_bytes = bytes;
}

void SstFileWriter::Rep::Drop() {
  if (builder != nullptr) builder->Abandon();
  builder.reset();
  IgnoreError(writer->Close(), "the file goes away");
  writer.reset();
  IgnoreError(DeleteFileIfExists(db.fs, info.file_path),
              "the first error is the one to report");
}

SstFileWriter::SstFileWriter(const EnvOptions& env_options,
                             const Options& options,
                             ColumnFamilyHandle* column_family,
                             bool invalidate_page_cache,
                             Env::IOPriority io_priority, bool skip_filters)
    : SstFileWriter(env_options, options, options.comparator, column_family,
                    invalidate_page_cache, io_priority, skip_filters) {}

SstFileWriter::SstFileWriter(const EnvOptions& env_options,
                             const Options& options,
                             const Comparator* user_comparator,
                             ColumnFamilyHandle* column_family,
                             bool invalidate_page_cache,
                             Env::IOPriority io_priority, bool skip_filters) {
  Rep::Settings settings = Rep::SettingsFor(column_family);
  settings.drops_pages = invalidate_page_cache;
  settings.io_priority = io_priority;
  settings.skip_filters = skip_filters;
  rep_ = std::make_unique<Rep>(
      env_options, WithComparator(options, user_comparator), settings);
}

SstFileWriter::~SstFileWriter() = default;

Status SstFileWriter::Open(const std::string& file_path,
                           Temperature temperature) {
  return rep_->Open(file_path, temperature, nullptr);
}

Status SstFileWriter::OpenWithEmbeddedBlobs(
    const std::string& file_path, const SstFileWriterEmbeddedBlobOptions& blobs,
    Temperature temperature) {
  return rep_->Open(file_path, temperature, &blobs);
}

Status SstFileWriter::Put(const Slice& user_key, const Slice& value) {
  return rep_->AddPlain(user_key, value, kTypeValue);
}

Status SstFileWriter::PutEntity(const Slice& user_key,
                                const WideColumns& columns) {
  WideColumns sorted(columns);
  std::sort(sorted.begin(), sorted.end(),
            [](const WideColumn& a, const WideColumn& b) {
              return a.name().compare(b.name()) < 0;
            });
  std::string entity;
  if (Status s = EncodeWideColumns(sorted, &entity); !s.ok()) return s;
  return rep_->AddPlain(user_key, entity, kTypeWideColumnEntity);
}

Status SstFileWriter::Merge(const Slice& user_key, const Slice& value) {
  return rep_->AddPlain(user_key, value, kTypeMerge);
}

Status SstFileWriter::Delete(const Slice& user_key) {
  return rep_->AddPlain(user_key, Slice(), kTypeDeletion);
}

Status SstFileWriter::DeleteRange(const Slice& begin_key,
                                  const Slice& end_key) {
  Status s = rep_->CheckTimestamp(Slice());
  return s.ok() ? rep_->AddRange(begin_key, end_key) : s;
}

Status SstFileWriter::Put(const Slice& user_key, const Slice& timestamp,
                          const Slice& value) {
  Status s = rep_->CheckTimestamp(timestamp);
  return s.ok() ? rep_->Add(Stamped(user_key, timestamp), value, kTypeValue)
                : s;
}

Status SstFileWriter::Delete(const Slice& user_key, const Slice& timestamp) {
  if (Status s = rep_->CheckTimestamp(timestamp); !s.ok()) return s;
  return rep_->Add(
      Stamped(user_key, timestamp), Slice(),
      timestamp.empty() ? kTypeDeletion : kTypeDeletionWithTimestamp);
}

Status SstFileWriter::DeleteRange(const Slice& begin_key, const Slice& end_key,
                                  const Slice& timestamp) {
  if (Status s = rep_->CheckTimestamp(timestamp); !s.ok()) return s;
  return rep_->AddRange(Stamped(begin_key, timestamp),
                        Stamped(end_key, timestamp));
}

Status SstFileWriter::Finish(ExternalSstFileInfo* file_info) {
  return rep_->Finish(file_info);
}

bool SstFileWriter::CreatedBySstFileWriter(const TableProperties& properties) {
  return properties.user_collected_properties.contains(
      kExternalSstVersionProperty);
}

uint64_t SstFileWriter::FileSize() {
  return rep_->builder != nullptr ? rep_->builder->FileSize()
                                  : rep_->finished_size;
}

}  // namespace ROCKSDB_NAMESPACE
