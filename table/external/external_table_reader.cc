#include "table/external/external_table_reader.h"

#include <cassert>
#include <utility>

#include "file/input_stream.h"
#include "file/random_access_file_reader.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "table/external/counted_reads.h"
#include "table/external/external_table_builder.h"
#include "table/external/external_table_iterator.h"
#include "table/point_lookup.h"
#include "table/properties_block.h"
#include "table/unique_id.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The file says nothing of how it was made. What is in it has sequence 0, as
// what SstFileWriter writes.
void AddExternalVersion(TableProperties* properties) {
  constexpr uint32_t kExternalVersion = 2;
  std::string version, sequence;
  PutFixed32(&version, kExternalVersion);
  PutFixed64(&sequence, 0);
  UserCollectedProperties& own = properties->user_collected_properties;
  own[kExternalSstVersionProperty] = version;
  own[kExternalSstGlobalSeqnoProperty] = sequence;
}

// Feeds what a format found of a key. `s` becomes OK where it has nothing.
Status FeedLookup(Status s, PinnableSlice* value, PointLookup* lookup) {
  if (s.IsNotFound()) return Status::OK();
  if (!s.ok()) return s;
  const ParsedInternalKey found(lookup->user_key(), 0, kTypeValue);
  lookup->Add(found, *value, value);
  return s;
}

}  // namespace

ExternalTableReaderAdapter::ExternalTableReaderAdapter(
    const TableReaderOptions& options,
    std::unique_ptr<ExternalTableReader> inner)
    : order_(options.cf->user_comparator), inner_(std::move(inner)) {
  INVARIANT(inner_ != nullptr);
  tombstones_ = FragmentedTombstones::Build({}, order_.user_comparator());
}

ExternalTableReaderAdapter::~ExternalTableReaderAdapter() = default;

Status ExternalTableReaderAdapter::Open(
    const ExternalTableFactory& factory, const ReadOptions& read_options,
    const TableReaderOptions& options,
    std::unique_ptr<RandomAccessFileReader>&& file,
    std::unique_ptr<TableReader>* result) {
  INVARIANT(file != nullptr && result != nullptr);
  INVARIANT(options.db != nullptr && options.cf != nullptr);
  const Comparator* order = options.cf->user_comparator;
  Status s = CheckExternalTableOrder(order, factory.Name());
  if (!s.ok()) return s;
  if (options.largest_sequence > 0 && options.largest_sequence != UINT64_MAX) {
    return Status::NotSupported(
        "Ingesting file with sequence number larger than 0", file->file_name());
  }
  const std::shared_ptr<FileSystem> fs =
      CountReads(options.db->env->GetFileSystem(), file->context());
  const ExternalTableOptions opening(options.mutable_cf->prefix_extractor,
                                     order, fs, options.file_options);
  std::unique_ptr<ExternalTableReader> inner;
  s = factory.NewTableReader(read_options, file->file_name(), opening, &inner);
  if (s.ok() && inner == nullptr) {
    s = Status::Corruption("an external table was opened without a reader",
                           file->file_name());
  }
  if (!s.ok()) return s;
  auto reader =
      std::make_unique<ExternalTableReaderAdapter>(options, std::move(inner));
  reader->file_ = std::move(file);
  s = reader->LoadProperties(options);
  if (s.ok()) {
    *result = std::move(reader);
  } else {
    file = std::move(reader->file_);
  }
  return s;
}

Status ExternalTableReaderAdapter::Named(Status status) const {
  return status.ok()
             ? status
             : Status::CopyAppendMessage(status, "; ", file_->file_name());
}

Status ExternalTableReaderAdapter::LoadProperties(
    const TableReaderOptions& options) {
  auto properties = std::make_shared<TableProperties>();
  std::unique_ptr<char[]> block;
  uint64_t size = 0, offset = 0;
  Status s = inner_->GetPropertiesBlock(&block, &size, &offset);
  if (s.IsNotSupported()) {
    const auto own = inner_->GetTableProperties();
    if (own != nullptr) *properties = *own;
    properties->key_smallest_seqno = properties->key_largest_seqno = 0;
    AddExternalVersion(properties.get());
  } else if (!s.ok()) {
    return Named(std::move(s));
  } else {
    const char* problem = block == nullptr
                              ? "there is none"
                              : DecodeProperties(Slice(block.get(), size),
                                                 offset, properties.get());
    if (problem != nullptr) {
      return Named(Status::Corruption("properties block", problem));
    }
  }
  const uint64_t* expected = options.expected_unique_id;
  TableUniqueId actual;
  if ((expected[0] != 0 || expected[1] != 0) &&
      (!InternalUniqueIdOf(*properties, &actual).ok() ||
       actual[0] != expected[0] || actual[1] != expected[1])) {
    return Named(Status::Corruption("unique id mismatch"));
  }
  // It could be written over only to be refused when the file is opened again.
  properties->external_sst_file_global_seqno_offset = kNoPlaceForSequence;
  properties_ = std::move(properties);
  return Status::OK();
}

std::unique_ptr<InternalIterator> ExternalTableReaderAdapter::NewIterator(
    const TableIteratorOptions& options) const {
  static const ReadOptions kDefaults;
  const ReadOptions& read =
      options.read_options != nullptr ? *options.read_options : kDefaults;
  std::unique_ptr<ExternalTableIterator> inner(
      inner_->NewIterator(read, options.prefix_extractor));
  if (inner == nullptr) {
    return NewEmptyInternalIterator(
        Named(Status::NotSupported("the external table makes no iterators")));
  }
  return NewExternalTableCursor(std::move(inner), order_,
                                options.puts_off_reads);
}

Status ExternalTableReaderAdapter::NewBulkIterator(
    const TableIteratorOptions& options, std::unique_ptr<InputStream> data,
    std::unique_ptr<InternalIterator>* result) const {
  INVARIANT(result != nullptr);
  data.reset();
  *result = NewIterator(options);
  return Status::OK();
}

Status ExternalTableReaderAdapter::Get(const ReadOptions& options,
                                       const Slice& internal_key,
                                       const SliceTransform* prefix_extractor,
                                       PointLookup* lookup) const {
  PinnableSlice value;
  Status s = inner_->Get(options, ExtractUserKey(internal_key),
                         prefix_extractor, &value);
  return Named(FeedLookup(std::move(s), &value, lookup));
}

// The format's own batch; what it reads it reads in Finish().
class ExternalTableReaderAdapter::Batch final : public TableBatch {
 public:
  Batch(const ExternalTableReaderAdapter& table,
        const TableBatchOptions& options, TableLookup* lookups, size_t count)
      : table_(table), options_(options), lookups_(lookups), count_(count) {}
  void Start() override {}
  bool ReadsFile() const override { return true; }
  void Finish() override {
    std::vector<TableLookup*> wanted;
    std::vector<Slice> keys;
    for (size_t i = 0; i < count_; ++i) {
      if (lookups_[i].is_fed) continue;
      wanted.push_back(&lookups_[i]);
      keys.push_back(ExtractUserKey(lookups_[i].internal_key));
    }
    if (wanted.empty()) return;
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    table_.inner_->MultiGet(*options_.read_options, keys,
                            options_.prefix_extractor, &values, &statuses);
    const bool is_whole =
        values.size() == keys.size() && statuses.size() == keys.size();
    for (size_t i = 0; i < wanted.size(); ++i) {
      TableLookup& one = *wanted[i];
      one.status =
          is_whole ? FeedLookup(std::move(statuses[i]), &values[i], one.lookup)
                   : Status::Corruption(
                         "MultiGet() of an external table has "
                         "not an answer for each key");
      one.status = table_.Named(std::move(one.status));
    }
  }

 private:
  const ExternalTableReaderAdapter& table_;
  const TableBatchOptions options_;
  TableLookup* const lookups_;
  const size_t count_;
};

std::unique_ptr<TableBatch> ExternalTableReaderAdapter::NewBatch(
    const TableBatchOptions& options, TableLookup* lookups,
    size_t count) const {
  assert(options.read_options != nullptr);
  return std::make_unique<Batch>(*this, options, lookups, count);
}

uint64_t ExternalTableReaderAdapter::ApproximateOffsetOf(
    const Slice& /*internal_key*/) const {
  return 0;
}

Status ExternalTableReaderAdapter::Anchors(const ReadOptions& /*options*/,
                                           size_t /*max_count*/,
                                           std::vector<Anchor>* anchors) const {
  INVARIANT(anchors != nullptr);
  anchors->clear();
  return Status::OK();
}

Status ExternalTableReaderAdapter::CollectHeat(const KeyBounds& /*bounds*/,
                                               KeyHeat* /*heat*/) const {
  return Status::OK();
}

Status ExternalTableReaderAdapter::InheritHeat(
    const KeyBounds& /*bounds*/, KeyHeat* /*heat*/,
    std::vector<HotBlock>* blocks) const {
  INVARIANT(blocks != nullptr);
  return Status::OK();
}

Status ExternalTableReaderAdapter::CacheBlock(const HotBlock& /*block*/,
                                              const Slice& /*stored*/) const {
  return Status::OK();
}

FSRandomAccessFile* ExternalTableReaderAdapter::file() const {
  return file_->file();
}

size_t ExternalTableReaderAdapter::ApproximateMemoryUsage() const {
  return sizeof(*this) + properties_->ApproximateMemoryUsage();
}

Status ExternalTableReaderAdapter::VerifyChecksum(const ReadOptions& options,
                                                  InputStream* /*data*/) const {
  Status s = inner_->VerifyChecksum(options);
  return s.IsNotSupported() ? Status::OK() : Named(std::move(s));
}

}  // namespace ROCKSDB_NAMESPACE
