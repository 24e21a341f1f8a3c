#include "table/embedded_blobs.h"

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "file/input_stream.h"
#include "table/blob_fetcher.h"
#include "table/block_based_reader.h"
#include "table/embedded_blob_stats.h"
#include "table/entity_blobs.h"
#include "table/point_lookup.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class EmbeddedBlobs final : public BlobFetcher {
 public:
  EmbeddedBlobs(const TableParts& parts, const ReadOptions& read)
      : parts_(parts), read_(read) {}

  // The record is a block that no index tells of.
  Status Fetch(const Slice& /*user_key*/, const Slice& reference,
               PinnableSlice* value) const override {
    assert(value != nullptr);
    BlobIndex index;
    Status s = index.DecodeEmbedded(reference);
    if (!s.ok()) return parts_.file.Corrupt(0, s.ToString());
    if (read_.read_tier == kBlockCacheTier) {
      return Status::Incomplete("an embedded blob is not in memory",
                                parts_.file.name());
    }
    const BlockHandle record{index.offset, index.size};
    BlockBytes bytes;
    s = CheckHandle(parts_.file, record);
    if (s.ok()) s = FetchBlock(parts_.file, record, {.read = &read_}, &bytes);
    if (s.ok()) value->PinSelf(bytes.data());
    return s;
  }

 private:
  const TableParts& parts_;
  const ReadOptions& read_;
};

// The entries of `base`, whole.
class EmbeddedBlobsIterator final : public InternalIterator {
 public:
  EmbeddedBlobsIterator(const TableParts& parts, const ReadOptions& read,
                        std::unique_ptr<InternalIterator> base)
      : blobs_(parts, read), base_(std::move(base)) {
    INVARIANT(base_ != nullptr);
  }

  bool Valid() const override { return failure_.ok() && base_->Valid(); }
  void SeekToFirst() override { base_->SeekToFirst(), Load(); }
  void SeekToLast() override { base_->SeekToLast(), Load(); }
  // An entry that is shown as a value stands before values of its sequence.
  void Seek(const Slice& target) override {
    SeekBy(&InternalIterator::Seek, target);
  }
  void SeekInPrefix(const Slice& target) override {
    SeekBy(&InternalIterator::SeekInPrefix, target);
  }
  // The same the other way: what is stored before the target may be shown as
  // something that stands behind it.
  void SeekForPrev(const Slice& target) override {
    base_->SeekForPrev(target), Load();
    while (IsOfWrite(target) && ExtractType(key()) < ExtractType(target)) {
      Prev();
    }
  }
  void Next() override { base_->Next(), Load(); }
  void Prev() override { base_->Prev(), Load(); }
  Slice key() const override { return is_own_ ? Slice(key_) : base_->key(); }
  Slice value() const override {
    return is_own_ ? Slice(value_) : base_->value();
  }
  Status status() const override {
    return failure_.ok() ? base_->status() : failure_;
  }
  ReadaheadProgress readahead_progress() const override {
    return base_->readahead_progress();
  }
  void ResumeReadahead(const ReadaheadProgress& progress) override {
    base_->ResumeReadahead(progress);
  }
  void Prepare(const ScanPart& part) override { base_->Prepare(part); }

 private:
  void SeekBy(void (InternalIterator::*seek)(const Slice&),
              const Slice& target) {
    const ValueType type = ExtractType(target);
    if (type < kTypeValue || type >= kTypeBlobIndex) {
      (base_.get()->*seek)(target);
    } else {
      const InternalKey stored(ExtractUserKey(target), ExtractSequence(target),
                               kTypeBlobIndex);
      (base_.get()->*seek)(stored.Encode());
    }
    Load();
    while (IsOfWrite(target) && ExtractType(key()) > ExtractType(target)) {
      Next();
    }
  }
  // Is an entry shown that differs from `target` in its type alone, if at all?
  bool IsOfWrite(const Slice& target) const {
    return Valid() && key().size() >= kInternalKeyTrailerBytes &&
           ExtractUserKey(key()) == ExtractUserKey(target) &&
           ExtractSequence(key()) == ExtractSequence(target);
  }
  void Load() {
    is_own_ = false;
    failure_ = Status::OK();
    if (!base_->Valid()) return;
    const Slice key = base_->key();
    // What is no internal key is for the reader to find.
    if (key.size() < kInternalKeyTrailerBytes) return;
    ValueType type = ExtractType(key);
    if (!MayReferToBlobs(type)) return;
    const Slice value = base_->value();
    if (!RefersToBlobs(type, value)) return;
    key_.assign(key.data(), key.size());
    value_.assign(value.data(), value.size());
    failure_ = InlineBlobs(&blobs_, ExtractUserKey(key), &type, &value_);
    EncodeFixed64(key_.data() + key_.size() - kInternalKeyTrailerBytes,
                  PackSequenceAndType(ExtractSequence(key), type));
    is_own_ = true;
  }

  const EmbeddedBlobs blobs_;
  const std::unique_ptr<InternalIterator> base_;
  bool is_own_ = false;  // what is shown
  std::string key_;
  std::string value_;
  Status failure_;
};

class EmbeddedBlobsBatch final : public TableBatch {
 public:
  EmbeddedBlobsBatch(const TableParts& parts, const ReadOptions& read,
                     std::unique_ptr<TableBatch> base,
                     std::vector<PointLookup*> lookups)
      : blobs_(parts, read),
        base_(std::move(base)),
        lookups_(std::move(lookups)) {
    INVARIANT(base_ != nullptr);
  }

  void Start() override { base_->Start(); }
  bool ReadsFile() const override { return base_->ReadsFile(); }
  void Finish() override {
    for (PointLookup* lookup : lookups_) lookup->SetEmbedded(&blobs_);
    base_->Finish();
    for (PointLookup* lookup : lookups_) lookup->SetEmbedded(nullptr);
  }

 private:
  const EmbeddedBlobs blobs_;
  const std::unique_ptr<TableBatch> base_;
  const std::vector<PointLookup*> lookups_;
};

class EmbeddedBlobsReader final : public TableReader {
 public:
  explicit EmbeddedBlobsReader(std::unique_ptr<BlockBasedTableReader> base)
      : base_(std::move(base)) {
    INVARIANT(base_ != nullptr);
  }

  std::unique_ptr<InternalIterator> NewIterator(
      const TableIteratorOptions& options) const override {
    if (options.keeps_references) return base_->NewIterator(options);
    TableIteratorOptions whole = options;
    whole.puts_off_reads = false;
    return std::make_unique<EmbeddedBlobsIterator>(
        base_->parts(), *options.read_options, base_->NewIterator(whole));
  }
  Status NewBulkIterator(
      const TableIteratorOptions& options, std::unique_ptr<InputStream> data,
      std::unique_ptr<InternalIterator>* result) const override {
    std::unique_ptr<InternalIterator> entries;
    Status s = base_->NewBulkIterator(options, std::move(data), &entries);
    if (!s.ok()) return s;
    if (options.keeps_references) {
      *result = std::move(entries);
      return s;
    }
    *result = std::make_unique<EmbeddedBlobsIterator>(
        base_->parts(), *options.read_options, std::move(entries));
    return s;
  }
  Status Get(const ReadOptions& options, const Slice& internal_key,
             const SliceTransform* prefix_extractor,
             PointLookup* lookup) const override {
    const EmbeddedBlobs blobs(base_->parts(), options);
    lookup->SetEmbedded(&blobs);
    Status s = base_->Get(options, internal_key, prefix_extractor, lookup);
    lookup->SetEmbedded(nullptr);
    return s;
  }
  std::unique_ptr<TableBatch> NewBatch(const TableBatchOptions& options,
                                       TableLookup* lookups,
                                       size_t count) const override {
    std::vector<PointLookup*> all;
    for (size_t i = 0; i < count; ++i) all.push_back(lookups[i].lookup);
    return std::make_unique<EmbeddedBlobsBatch>(
        base_->parts(), *options.read_options,
        base_->NewBatch(options, lookups, count), std::move(all));
  }
  const std::shared_ptr<const FragmentedTombstones>& range_tombstones()
      const override {
    return base_->range_tombstones();
  }
  std::shared_ptr<const TableProperties> properties() const override {
    return base_->properties();
  }
  uint64_t ApproximateOffsetOf(const Slice& internal_key) const override {
    return base_->ApproximateOffsetOf(internal_key);
  }
  Status Anchors(const ReadOptions& options, size_t max_count,
                 std::vector<Anchor>* anchors) const override {
    return base_->Anchors(options, max_count, anchors);
  }
  Status CollectHeat(const KeyBounds& bounds, KeyHeat* heat) const override {
    return base_->CollectHeat(bounds, heat);
  }
  Status InheritHeat(const KeyBounds& bounds, KeyHeat* heat,
                     std::vector<HotBlock>* blocks) const override {
    return base_->InheritHeat(bounds, heat, blocks);
  }
  Status CacheBlock(const HotBlock& block, const Slice& stored) const override {
    return base_->CacheBlock(block, stored);
  }
  void EraseCachedBlocks(uint32_t aggressiveness) const override {
    base_->EraseCachedBlocks(aggressiveness);
  }
  FSRandomAccessFile* file() const override { return base_->file(); }
  size_t ApproximateMemoryUsage() const override {
    return base_->ApproximateMemoryUsage();
  }
  // The blocks, and then every record that an entry refers to.
  Status VerifyChecksum(const ReadOptions& options,
                        InputStream* data) const override {
    Status s = base_->VerifyChecksum(options, data);
    if (!s.ok()) return s;
    ReadOptions read = options;
    read.verify_checksums = true;
    read.read_tier = kReadAllTier;
    read.fill_cache = false;
    read.total_order_seek = true;
    TableIteratorOptions all;
    all.read_options = &read;
    all.skip_filters = true;
    const std::unique_ptr<InternalIterator> entries = NewIterator(all);
    entries->SeekToFirst();
    while (entries->Valid()) entries->Next();
    return entries->status();
  }
  const BlockBasedTableReader* AsBlockBased() const override {
    return base_.get();
  }

 private:
  const std::unique_ptr<BlockBasedTableReader> base_;
};

}  // namespace

bool HasEmbeddedBlobs(const TableProperties& properties) {
  return properties.user_collected_properties.count(
             kEmbeddedBlobStatsProperty) != 0;
}

std::unique_ptr<TableReader> NewEmbeddedBlobsReader(
    std::unique_ptr<BlockBasedTableReader> base) {
  return std::make_unique<EmbeddedBlobsReader>(std::move(base));
}

}  // namespace ROCKSDB_NAMESPACE
