#include <algorithm>
#include <cassert>
#include <deque>
#include <utility>
#include <vector>

#include "cache/three_queue_cache.h"
#include "file/prefetch_buffer.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/info_log.h"
#include "rocksdb/slice_transform.h"
#include "table/file_decompressor.h"
#include "table/guarded_decompressor.h"
#include "table/own_index.h"
#include "table/persistent_blocks.h"
#include "table/properties_block.h"
#include "table/table_parts.h"
#include "table/unique_id.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What is read at once from the end of a file: with it come, as a rule, all
// but a large index or filter.
constexpr size_t kTailBytes = 16 << 10;
static_assert(kTailBytes >= Footer::kBytes);

IndexSearch SearchOf(const BlockBasedTableOptions& options) {
  switch (options.index_block_search_type) {
    case BlockBasedTableOptions::kBinary:
      return IndexSearch::kBinary;
    case BlockBasedTableOptions::kInterpolation:
      return IndexSearch::kInterpolation;
    case BlockBasedTableOptions::kAuto:
      return IndexSearch::kAuto;
  }
  return IndexSearch::kBinary;
}

class TableOpener {
 public:
  TableOpener(const TableReaderOptions& options, TableParts* parts)
      : options_(options),
        parts_(*parts),
        prefetch_(parts->file.reader.get(),
                  TailOptions(parts->file.statistics)) {
    INVARIANT(options.db != nullptr && options.cf != nullptr);
    INVARIANT(options.mutable_cf != nullptr);
    fetch_.read = &read_;
    fetch_.prefetch = &prefetch_;
  }

  Status Open() {
    using Step = Status (TableOpener::*)();
    for (const Step step :
         {&TableOpener::ReadFooter, &TableOpener::ReadMetaindex,
          &TableOpener::ReadProperties, &TableOpener::CheckProperties,
          &TableOpener::CheckIdentity, &TableOpener::FindGlobalSequence,
          &TableOpener::FindDecompressors, &TableOpener::ReadDictionary,
          &TableOpener::ReadTombstones, &TableOpener::FindIndexAndFilter,
          &TableOpener::ReadPrefixes, &TableOpener::ReadOwnIndex,
          &TableOpener::SetUpCache, &TableOpener::HoldMetadata}) {
      if (Status s = (this->*step)(); !s.ok()) return s;
    }
    return Status::OK();
  }

 private:
  static PrefetchOptions TailOptions(Statistics* statistics) {
    PrefetchOptions options;
    options.max_auto_readahead_bytes = 0;
    options.statistics = statistics;
    options.reader = PrefetchReader::kOther;
    return options;
  }

  Status ReadFooter();
  Status ReadMetaindex();
  Status ReadProperties();
  Status CheckPropertiesTrailer(const BlockHandle& handle,
                                const TableProperties& properties,
                                BlockBytes* stored) const;
  Status CheckProperties();
  Status FindDecompressors();
  Status CheckIdentity();
  Status FindGlobalSequence();
  Status ReadDictionary();
  Status ReadTombstones();
  Status FindIndexAndFilter();
  Status ReadPrefixes();
  Status ReadOwnIndex();
  Status MissOwnIndex(const std::string& name) const;
  // How the file is called in a cache that others use, too.
  template <class AnyCache>
  FileCacheKey KeyIn(AnyCache* cache) const;
  Status SetUpCache();
  Status HoldMetadata();
  Status PinCached();
  Status FindIndexNow(BlockRef<IndexBlock>* index) const;
  Status FindFilterNow(BlockRef<FilterBlock>* filter) const;
  bool IsPinned(PinningTier tier, bool fallback) const;
  void FindFilter();
  Status ReadBlock(const BlockHandle& handle, BlockBytes* result) const {
    PERF_COUNTER_ADD(metadata_block_read_byte, handle.size);
    NoteTail(handle);
    return FetchBlock(parts_.file, handle, fetch_, result);
  }
  // Did the one read of the file's end bring the block too?
  void NoteTail(const BlockHandle& handle) const {
    RecordTick(parts_.file.statistics, handle.offset >= tail_begin_
                                           ? TABLE_OPEN_PREFETCH_TAIL_HIT
                                           : TABLE_OPEN_PREFETCH_TAIL_MISS);
  }
  Status Corrupt(const BlockHandle& handle, const std::string& what) const {
    return parts_.file.Corrupt(handle.offset, what);
  }

  const TableReaderOptions& options_;
  TableParts& parts_;
  ReadOptions read_;
  FetchOptions fetch_;
  PrefetchBuffer prefetch_;
  uint64_t tail_begin_ = UINT64_MAX;  // where what was read at once begins
  std::shared_ptr<TableProperties> properties_;
};

Status TableOpener::ReadFooter() {
  const TableFile& file = parts_.file;
  const size_t tail =
      static_cast<size_t>(std::min<uint64_t>(file.size, kTailBytes));
  const size_t n =
      static_cast<size_t>(std::min<uint64_t>(file.size, Footer::kBytes));
  if (n < Footer::kLegacyBytes) {
    return parts_.file.footer.DecodeFrom(Slice(), file.size, file.name());
  }
  assert(n <= tail && tail <= file.size);
  Status s = prefetch_.Prefetch(IOOptions(), file.size - tail, tail);
  if (s.ok()) {
    tail_begin_ = file.size - tail;
    RecordInHistogram(file.statistics, TABLE_OPEN_PREFETCH_TAIL_READ_BYTES,
                      tail);
  }
  char scratch[Footer::kBytes];
  Slice bytes;
  if (!s.ok() || !prefetch_.TryRead(IOOptions(), file.size - n, n, &bytes)) {
    s = file.reader->Read(IOOptions(), file.size - n, n, &bytes, scratch,
                          nullptr);
    if (!s.ok()) return s;
  }
  if (bytes.size() != n) {
    return file.Corrupt(file.size - n, "file is shorter than expected: " +
                                           std::to_string(file.size) +
                                           " bytes");
  }
  s = parts_.file.footer.DecodeFrom(bytes, file.size, file.name());
  if (s.IsCorruption()) {
    RecordTick(file.statistics, SST_FOOTER_CORRUPTION_COUNT);
  }
  return s;
}

Status TableOpener::ReadMetaindex() {
  const BlockHandle& handle = parts_.file.footer.metaindex;
  assert(handle.FitsBefore(parts_.file.size));
  BlockBytes bytes;
  if (Status s = ReadBlock(handle, &bytes); !s.ok()) return s;
  if (const char* problem = parts_.metaindex.Decode(bytes.data())) {
    return Corrupt(handle, problem);
  }
  return Status::OK();
}

// The trailer of the properties block does not cover a global sequence number
// that was written into the file in place.
Status TableOpener::CheckPropertiesTrailer(const BlockHandle& handle,
                                           const TableProperties& properties,
                                           BlockBytes* stored) const {
  Status s = CheckTrailer(parts_.file, handle, stored->data().data());
  const uint64_t at = properties.external_sst_file_global_seqno_offset;
  if (s.ok() || at == 0) return s;
  assert(at >= handle.offset);
  std::string copy = stored->data().ToString();
  const size_t begin = static_cast<size_t>(at - handle.offset);
  if (begin + sizeof(uint64_t) > handle.size) return s;
  std::fill_n(copy.begin() + static_cast<ptrdiff_t>(begin), sizeof(uint64_t),
              '\0');
  return CheckTrailer(parts_.file, handle, copy.data());
}

Status TableOpener::ReadProperties() {
  const BlockHandle* handle = parts_.metaindex.Find(kPropertiesBlock);
  if (handle == nullptr) handle = parts_.metaindex.Find(kOldPropertiesBlock);
  if (handle == nullptr) {
    return Corrupt(parts_.file.footer.metaindex,
                   "the metaindex names no properties block");
  }
  BlockBytes stored;
  PERF_COUNTER_ADD(metadata_block_read_byte, handle->size);
  NoteTail(*handle);
  Status s = FetchStored(parts_.file, *handle, fetch_, &stored);
  if (!s.ok()) return s;
  assert(stored.data().size() == handle->size + kBlockTrailerBytes);
  properties_ = std::make_shared<TableProperties>();
  const Slice payload(stored.data().data(), handle->size);
  const char* problem =
      DecodeProperties(payload, handle->offset, properties_.get());
  s = CheckPropertiesTrailer(*handle, *properties_, &stored);
  if (!s.ok()) return s;
  if (problem != nullptr) return Corrupt(*handle, problem);
  if (payload.data()[handle->size] != kNoCompression) {
    return Corrupt(*handle, "properties block is compressed");
  }
  parts_.properties = properties_;
  return Status::OK();
}

Status TableOpener::FindDecompressors() {
  const TableFile& file = parts_.file;
  const Status s =
      FindDecompressor({.format_version = file.footer.format_version,
                        .property = properties_->compression_name,
                        .configured = options_.mutable_cf->compression_manager},
                       &parts_.index_decompressor);
  if (s.IsCorruption()) return file.Corrupt(0, s.ToString());
  if (!s.ok()) return Status::CopyAppendMessage(s, ": ", file.name());
  parts_.data_decompressor = parts_.index_decompressor;
  return s;
}

Status TableOpener::CheckProperties() {
  const TableFile& file = parts_.file;
  assert(parts_.properties == properties_);
  const TableProperties& p = *properties_;
  const std::string order = options_.cf->user_comparator->Name();
  const bool leaves_out = options_.cf->left_out_timestamp_bytes() != 0;
  const bool has_stamped_keys =
      p.user_defined_timestamps_persisted != 0 && p.comparator_name == order;
  const bool is_in_order =
      p.comparator_name.empty() || p.comparator_name == order ||
      // The file may be from a time when the family had no timestamps, or had
      // them in memory only.
      (leaves_out && HasTimestampsBeside(order, p.comparator_name)) ||
      (p.user_defined_timestamps_persisted == 0 &&
       HasTimestampsBeside(p.comparator_name, order));
  if (!is_in_order) {
    return Status::InvalidArgument(
        file.name(), "comparator of the file is " + p.comparator_name +
                         ", that of the column family is " + order);
  }
  if (leaves_out && has_stamped_keys) {
    return Status::InvalidArgument(
        file.name(),
        "holds timestamps, which files of the column family leave out");
  }
  if (leaves_out || p.user_defined_timestamps_persisted == 0) {
    parts_.rewrite.timestamp_bytes =
        static_cast<uint32_t>(parts_.timestamp_bytes);
  } else if (parts_.timestamp_bytes != 0) {
    const auto& collected = p.user_collected_properties;
    const auto oldest = collected.find(kTimestampMinProperty);
    if (oldest != collected.end() &&
        oldest->second.size() == parts_.timestamp_bytes) {
      parts_.oldest_timestamp = oldest->second;
    }
  }
  return Status::OK();
}

Status TableOpener::CheckIdentity() {
  const uint64_t* expected = options_.expected_unique_id;
  if (expected[0] == 0 && expected[1] == 0) return Status::OK();
  TableUniqueId actual;
  if (Status s = InternalUniqueIdOf(*properties_, &actual); !s.ok()) {
    return parts_.file.Corrupt(
        0, "the manifest records a unique id, the file has none");
  }
  if (actual[0] != expected[0] || actual[1] != expected[1]) {
    return parts_.file.Corrupt(
        0, "unique id mismatch: expected " + std::to_string(expected[0]) + "-" +
               std::to_string(expected[1]) + ", found " +
               std::to_string(actual[0]) + "-" + std::to_string(actual[1]));
  }
  return Status::OK();
}

// Files made for ingestion store sequence 0 where the one that ingestion chose
// is meant; it is in the properties, or in the manifest alone.
Status TableOpener::FindGlobalSequence() {
  constexpr uint32_t kNone = UINT32_MAX;
  const TableFile& file = parts_.file;
  assert(parts_.rewrite.sequence == KeyRewrite::kKeep);
  const auto& collected = properties_->user_collected_properties;
  const uint32_t version =
      CollectedFixed32(*properties_, kExternalSstVersionProperty, kNone);
  const auto found = collected.find(kExternalSstGlobalSeqnoProperty);
  if (version == kNone || version < 2) {
    if (found != collected.end()) {
      return file.Corrupt(0, "global sequence number without file version");
    }
    return Status::OK();
  }
  uint64_t sequence = 0;  // So it is where the property is missing.
  if (found != collected.end()) {
    if (found->second.size() != sizeof(sequence)) {
      return file.Corrupt(0, "global sequence number of another size");
    }
    sequence = DecodeFixed64(found->second.data());
  }
  const uint64_t largest = options_.largest_sequence;
  if (largest != UINT64_MAX) {
    if (sequence != 0 && sequence != largest) {
      return file.Corrupt(
          0, "global sequence number is " + std::to_string(sequence) +
                 ", the manifest says " + std::to_string(largest));
    }
    sequence = largest;
  }
  if (sequence > kMaxSequenceNumber) {
    return file.Corrupt(0, "global sequence number out of range");
  }
  if (sequence != 0) parts_.rewrite.sequence = sequence;
  assert(sequence == 0 || parts_.rewrite.is_active());
  return Status::OK();
}

Status TableOpener::ReadDictionary() {
  const BlockHandle* handle = parts_.metaindex.Find(kDictionaryBlock);
  if (handle == nullptr) return Status::OK();
  BlockBytes bytes;
  Status s = ReadBlock(*handle, &bytes);
  if (!s.ok()) return s;
  PERF_COUNTER_ADD(compression_dict_block_read_count, 1);
  PERF_COUNTER_ADD(compression_dict_block_read_byte, handle->size);
  if (bytes.data().empty()) {
    return Corrupt(*handle, "compression dictionary is empty");
  }
  Decompressor* const plain = parts_.index_decompressor.get();
  if (plain == nullptr) return s;  // no block is compressed
  s = GuardedForDictionary(plain, bytes.data(), &parts_.data_decompressor);
  return s.ok() ? s : Status::CopyAppendMessage(s, ": ", parts_.file.name());
}

Status TableOpener::ReadTombstones() {
  std::vector<RangeTombstone> tombstones;
  std::deque<std::string> texts;  // Keeps what the tombstones point to.
  const BlockHandle* handle = parts_.metaindex.Find(kTombstoneBlock);
  BlockBytes bytes;
  if (handle != nullptr) {
    if (Status s = ReadBlock(*handle, &bytes); !s.ok()) return s;
    BlockWalker walker(bytes.data());
    while (walker.Next()) {
      ParsedInternalKey key;
      const bool is_key = walker.key().size() >= kInternalKeyTrailerBytes;
      if (is_key) parts_.rewrite.Apply(walker.key(), &texts.emplace_back());
      if (!is_key || !ParseInternalKey(texts.back(), &key) ||
          key.type != kTypeRangeDeletion) {
        return Corrupt(*handle, "bad key of a range tombstone");
      }
      std::string& end = texts.emplace_back(walker.value().ToString());
      end.append(parts_.rewrite.timestamp_bytes, '\0');
      if (std::min(key.user_key.size(), end.size()) < parts_.timestamp_bytes) {
        return Corrupt(*handle, "range tombstone without its timestamp");
      }
      tombstones.push_back(
          {.begin = key.user_key,
           .end = end,
           .sequence = key.sequence,
           .timestamp = TimestampOf(key.user_key, parts_.timestamp_bytes)});
    }
    if (walker.problem() != nullptr) {
      return Corrupt(*handle, walker.problem());
    }
  }
  parts_.tombstones =
      FragmentedTombstones::Build(tombstones, parts_.order.user_comparator());
  INVARIANT(parts_.tombstones != nullptr);
  return Status::OK();
}

// What a policy of another name has made.
void TellOfOtherFilters(const TableParts& parts) {
  for (const auto& [name, handle] : parts.metaindex.blocks()) {
    const Slice block(name);
    if (!block.starts_with(kFullFilterPrefix) &&
        !block.starts_with(kPartitionedFilterPrefix) &&
        !block.starts_with(kLegacyFilterPrefix)) {
      continue;
    }
    Warn(parts.logger, "%s: %s at offset %llu is not used: unknown kind",
         parts.file.name().c_str(), name.c_str(),
         static_cast<unsigned long long>(handle.offset));
    parts.has_told_of_filter.store(true);
  }
}

void TableOpener::FindFilter() {
  const FilterPolicy* policy = parts_.options->filter_policy.get();
  if (policy == nullptr || options_.skip_filters) return;
  FilterFacts& facts = parts_.filter_facts;
  assert(facts.kind == FilterFacts::Kind::kNone);
  const std::string name = policy->CompatibilityName();
  const BlockHandle* full = parts_.metaindex.Find(kFullFilterPrefix + name);
  const BlockHandle* parted =
      parts_.metaindex.Find(kPartitionedFilterPrefix + name);
  if (full != nullptr) {
    facts.kind = FilterFacts::Kind::kFull;
    facts.handle = *full;
  } else if (parted != nullptr) {
    facts.kind = FilterFacts::Kind::kPartitioned;
    facts.handle = *parted;
  } else {
    TellOfOtherFilters(parts_);
  }
  using Names = BlockBasedTablePropertyNames;
  facts.has_whole_keys = CollectedFlag(*properties_, Names::kWholeKeyFiltering);
  facts.has_prefixes = CollectedFlag(*properties_, Names::kPrefixFiltering);
  facts.prefix_extractor = properties_->prefix_extractor_name;
  const auto& extractor = options_.mutable_cf->prefix_extractor;
  if (extractor != nullptr && extractor->AsString() == facts.prefix_extractor) {
    facts.opened_with = extractor;
  }
}

Status TableOpener::FindIndexAndFilter() {
  using Options = BlockBasedTableOptions;
  const TableFile& file = parts_.file;
  const uint32_t type =
      CollectedFixed32(*properties_, BlockBasedTablePropertyNames::kIndexType,
                       Options::kBinarySearch);
  if (type > Options::kBinarySearchWithFirstKey) {
    return Status::NotSupported(file.name(),
                                "index type " + std::to_string(type));
  }
  static_assert(Options::kBinarySearch == 0 && Options::kHashSearch == 1);
  static_assert(Options::kTwoLevelIndexSearch == 2);
  parts_.is_index_partitioned = type == Options::kTwoLevelIndexSearch;
  parts_.index_handle = file.footer.index;
  if (file.footer.format_version >= kFirstContextChecksumVersion) {
    const BlockHandle* handle = parts_.metaindex.Find(kIndexBlock);
    if (handle == nullptr) {
      return Corrupt(file.footer.metaindex, "the metaindex names no index");
    }
    parts_.index_handle = *handle;
  }
  IndexEncoding& encoding = parts_.index_encoding;
  encoding.has_user_keys = properties_->index_key_is_user_key != 0;
  encoding.has_delta_values = properties_->index_value_is_delta_encoded != 0;
  encoding.has_first_keys = type == Options::kBinarySearchWithFirstKey;
  encoding.rewrite = parts_.rewrite;
  encoding.search = SearchOf(*parts_.options);
  FindFilter();
  return CheckHandle(file, parts_.index_handle);
}

Status TableOpener::ReadPrefixes() {
  const auto& extractor = options_.mutable_cf->prefix_extractor;
  const BlockHandle* names = parts_.metaindex.Find(kHashPrefixesBlock);
  const BlockHandle* metadata = parts_.metaindex.Find(kHashMetadataBlock);
  if (options_.skip_filters || extractor == nullptr || names == nullptr ||
      metadata == nullptr ||
      extractor->AsString() != properties_->prefix_extractor_name) {
    return Status::OK();
  }
  FetchOptions fetch = fetch_;
  fetch.decompressor = parts_.index_decompressor.get();
  BlockBytes name_bytes;
  BlockBytes metadata_bytes;
  Status s = FetchBlock(parts_.file, *names, fetch, &name_bytes);
  if (s.ok()) s = FetchBlock(parts_.file, *metadata, fetch, &metadata_bytes);
  if (!s.ok()) return s;
  const char* problem = nullptr;
  parts_.prefixes = PrefixIndex::Parse(name_bytes.data(), metadata_bytes.data(),
                                       extractor, &problem);
  return parts_.prefixes != nullptr ? s : Corrupt(*metadata, problem);
}

// The built-in index is there all the same.
Status TableOpener::MissOwnIndex(const std::string& name) const {
  const BlockBasedTableOptions& options = *parts_.options;
  RecordTick(parts_.file.statistics, SST_USER_DEFINED_INDEX_LOAD_FAIL_COUNT);
  if (options.fail_if_no_udi_on_open || options.use_udi_as_primary_index) {
    return Corrupt(parts_.file.footer.metaindex,
                   "the metaindex does not name " + name);
  }
  Warn(parts_.logger, "%s: has no %s: read by its built-in index",
       parts_.file.name().c_str(), name.c_str());
  return Status::OK();
}

Status TableOpener::ReadOwnIndex() {
  const BlockBasedTableOptions& options = *parts_.options;
  const UserDefinedIndexFactory* factory =
      options.user_defined_index_factory.get();
  if (factory == nullptr) return Status::OK();
  const std::string name = OwnIndexBlockName(*factory);
  const BlockHandle* handle = parts_.metaindex.Find(name);
  if (handle == nullptr) return MissOwnIndex(name);
  if (handle->size == 0) return Status::OK();  // Its maker left it out.
  auto index = std::make_shared<OwnIndex>();
  index->name = factory->Name();
  index->is_primary = options.use_udi_as_primary_index;
  if (Status s = ReadBlock(*handle, &index->block); !s.ok()) return s;
  UserDefinedIndexOption option;
  option.comparator = parts_.order.user_comparator();
  Slice content = index->block.data();
  Status s = factory->NewReader(option, content, index->reader);
  if (s.ok() && index->reader == nullptr) {
    s = Status::InvalidArgument(name, "has no reader");
  }
  if (!s.ok()) return Status::CopyAppendMessage(s, ": ", parts_.file.name());
  parts_.own_index = std::move(index);
  return s;
}

template <class AnyCache>
FileCacheKey TableOpener::KeyIn(AnyCache* cache) const {
  if (!properties_->db_session_id.empty() &&
      properties_->orig_file_number != 0) {
    return FileCacheKey(properties_->db_session_id,
                        properties_->orig_file_number);
  }
  if (!options_.db_session_id.empty() && options_.file_number != 0) {
    return FileCacheKey(options_.db_session_id, options_.file_number);
  }
  // Nothing tells this file from others: a key of this opening alone.
  return FileCacheKey("opened once", cache->NewId() + 1);
}

Status TableOpener::SetUpCache() {
  const BlockBasedTableOptions& options = *parts_.options;
  if (options_.use_block_cache && options.persistent_cache != nullptr) {
    parts_.persistent = std::make_shared<const PersistentBlocks>(
        options.persistent_cache, KeyIn(options.persistent_cache.get()));
  }
  if (!options_.use_block_cache || options.no_block_cache ||
      options.block_cache == nullptr) {
    return Status::OK();
  }
  parts_.cache = BlockCacheView(options.block_cache.get(),
                                KeyIn(options.block_cache.get()),
                                parts_.file.statistics, parts_.level);
  assert(parts_.cache.is_enabled());
  parts_.cache.ProtectEntries(
      {&parts_.order, options_.mutable_cf->block_protection_bytes_per_key});
  // A rewritten index is not that of others who opened the same file.
  parts_.caches_metadata =
      options.cache_index_and_filter_blocks && !parts_.rewrite.is_active();
  parts_.metadata_priority =
      options.cache_index_and_filter_blocks_with_high_priority
          ? Cache::Priority::HIGH
          : Cache::Priority::LOW;
  if (options_.db->lowest_used_cache_tier != CacheTier::kVolatileTier) {
    parts_.cache.UseSecondary(options.filter_policy.get(),
                              parts_.metadata_priority);
  }
  if (options_.db->lowest_used_cache_tier == CacheTier::kNonVolatileBlockTier &&
      KeepsStoredForms(options.block_cache.get())) {
    parts_.cache.KeepStoredForms(parts_.data_decompressor.get());
  }
  return Status::OK();
}

bool TableOpener::IsPinned(PinningTier tier, bool fallback) const {
  switch (tier) {
    case PinningTier::kFallback:
      return fallback;
    case PinningTier::kNone:
      return false;
    case PinningTier::kAll:
      return true;
    case PinningTier::kFlushedAndSimilar:
      break;
  }
  // One memtable makes a file of about its size.
  const size_t memtable_bytes = options_.mutable_cf->write_buffer_size;
  return parts_.level == 0 &&
         parts_.file.size <= memtable_bytes + memtable_bytes / 2;
}

Status TableOpener::FindIndexNow(BlockRef<IndexBlock>* index) const {
  NoteTail(parts_.index_handle);
  return parts_.FindIndex(read_, index);
}

Status TableOpener::FindFilterNow(BlockRef<FilterBlock>* filter) const {
  if (parts_.filter_facts.kind != FilterFacts::Kind::kNone) {
    NoteTail(parts_.filter_facts.handle);
  }
  return parts_.FindFilter(read_, filter);
}

// Read now, so that a file with a damaged index does not open; held only if
// asked for. What is neither wanted now nor held is left to the first who reads
// it.
Status TableOpener::PinCached() {
  const BlockRequester requester{.caller = kPrefetch};
  const BlockRequesterScope scope(requester);
  const BlockBasedTableOptions& table = *parts_.options;
  const MetadataCacheOptions& tiers = table.metadata_cache_options;
  const bool pins_young = table.pin_l0_filter_and_index_blocks_in_cache &&
                          IsPinned(PinningTier::kFlushedAndSimilar, false);
  const bool pins_top = IsPinned(tiers.top_level_index_pinning,
                                 table.pin_top_level_index_and_filter);
  const bool pins_whole = IsPinned(tiers.unpartitioned_pinning, pins_young);
  const bool pins_parts = IsPinned(tiers.partition_pinning, pins_young);
  BlockRef<IndexBlock> index;
  BlockRef<FilterBlock> filter;
  assert(!parts_.index && !parts_.filter);
  const bool keeps_index =
      parts_.is_index_split() ? pins_top || pins_parts : pins_whole;
  const bool keeps_filter =
      parts_.is_filter_split() ? pins_top || pins_parts : pins_whole;
  Status s;
  // What is held is held in the cache, so that it counts there.
  if (keeps_index || options_.prefetches_metadata) {
    read_.fill_cache = keeps_index || options_.fill_cache;
    s = FindIndexNow(&index);
  }
  if (s.ok() && (keeps_filter || options_.prefetches_metadata)) {
    read_.fill_cache = keeps_filter || options_.fill_cache;
    s = FindFilterNow(&filter);
  }
  if (!s.ok()) return s;
  read_.fill_cache = true;
  if (index && pins_parts && parts_.is_index_split()) {
    std::vector<BlockRef<IndexBlock>> pins(index->size());
    for (size_t i = 0; s.ok() && i < pins.size(); ++i) {
      s = parts_.FindIndexPartition(read_, *index, i, &pins[i]);
    }
    if (s.ok()) parts_.index_partitions = std::move(pins);
  }
  if (s.ok() && filter && pins_parts && filter->is_split()) {
    std::vector<BlockRef<FilterBlock>> pins(filter->partition_count());
    for (size_t i = 0; s.ok() && i < pins.size(); ++i) {
      s = parts_.FindFilterPartition(read_, *filter, i, &pins[i]);
    }
    if (s.ok()) parts_.filter_partitions = std::move(pins);
  }
  if (index && (parts_.is_index_split() ? pins_top : pins_whole)) {
    parts_.index = std::move(index);
  }
  if (filter && (filter->is_split() ? pins_top : pins_whole)) {
    parts_.filter = std::move(filter);
  }
  return s;
}

Status TableOpener::HoldMetadata() {
  if (parts_.caches_metadata) return PinCached();
  NoteTail(parts_.index_handle);
  std::unique_ptr<IndexBlock> index;
  Status s = LoadIndex(parts_, fetch_, &index);
  if (!s.ok()) return s;
  assert(index != nullptr);
  parts_.index = BlockRef<IndexBlock>::Owned(std::move(index));
  if (parts_.filter_facts.kind == FilterFacts::Kind::kNone) return s;
  NoteTail(parts_.filter_facts.handle);
  std::unique_ptr<FilterBlock> filter;
  s = LoadFilter(parts_, fetch_, &filter);
  if (!s.ok()) return parts_.PassOverFilter(s);
  parts_.filter = BlockRef<FilterBlock>::Owned(std::move(filter));
  return s;
}

}  // namespace

Status OpenTable(const TableReaderOptions& options,
                 std::shared_ptr<const BlockBasedTableOptions> table_options,
                 std::unique_ptr<RandomAccessFileReader> file,
                 uint64_t file_size, std::unique_ptr<TableParts>* result) {
  auto parts = std::make_unique<TableParts>();
  parts->file.reader = std::move(file);
  parts->file.size = file_size;
  parts->file.statistics = options.db->stats;
  parts->file.clock = options.db->clock;
  parts->file.fs = options.db->fs;
  parts->file.is_mapped = options.db->allow_mmap_reads;
  parts->options = std::move(table_options);
  parts->logger = options.db->logger;
  parts->order = InternalKeyComparator(options.cf->user_comparator);
  parts->timestamp_bytes = options.cf->user_comparator->timestamp_size();
  parts->level = options.level;
  parts->trace = BlockTrace(options.db->block_tracer, options.file_number);
  parts->key_text = KeyTextOf(options.db->allow_data_in_errors);
  if (options.keeps_heat) {
    parts->heat =
        std::make_unique<HeatMap>(file_size, options.level, options.db->clock);
  }
  INVARIANT(parts->file.reader != nullptr && parts->options != nullptr);
  TableOpener opener(options, parts.get());
  Status s = opener.Open();
  if (s.ok()) *result = std::move(parts);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
