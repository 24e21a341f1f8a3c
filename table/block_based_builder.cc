#include "table/block_based_builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "file/writable_file_writer.h"
#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "table/block_cursor.h"
#include "table/compression_tally.h"
#include "table/metaindex.h"
#include "table/own_index_builder.h"
#include "table/properties_block.h"
#include "table/table_filter_builder.h"
#include "util/hash.h"
#include "util/invariant.h"
#include "util/key/entry_limit.h"
#include "util/key/whole_block.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The first version that stores differences in index values.
constexpr uint32_t kFirstDeltaVersion = 4;
static_assert(kFirstDeltaVersion < kFirstContextChecksumVersion);
static_assert(kFirstEmbeddedBlobVersion <= kLatestFormatVersion);

// Not zero, below 2^31, and different from file to file, so that a block of
// another file does not verify in this one.
uint32_t BaseContextChecksum(const TableBuilderOptions& options) {
  std::string origin = options.db_id + "/" + options.db_session_id;
  PutFixed64(&origin, options.file_number);
  PutFixed64(&origin, options.file_creation_time);
  const uint32_t value = static_cast<uint32_t>(Hash64(origin)) & 0x7fffffff;
  assert(value < (1u << 31));
  return value != 0 ? value : 1;
}

Footer FooterOf(const BlockBasedTableOptions& table,
                const TableBuilderOptions& options) {
  Footer footer;
  footer.format_version = table.format_version;
  footer.checksum = table.checksum;
  if (table.format_version >= kFirstContextChecksumVersion) {
    footer.base_context_checksum = BaseContextChecksum(options);
  }
  return footer;
}

IndexBuilder::Options IndexOptionsOf(const BlockBasedTableOptions& table,
                                     const InternalKeyComparator* order,
                                     bool embeds_blobs) {
  return {.order = order,
          .format_version = table.format_version,
          .restart_interval = table.index_block_restart_interval,
          .shortening = table.index_shortening,
          .has_delta_values = table.format_version >= kFirstDeltaVersion &&
                              !table.block_align && !embeds_blobs,
          .has_first_keys = table.index_type ==
                            BlockBasedTableOptions::kBinarySearchWithFirstKey,
          .uniform_cv_threshold = table.uniform_cv_threshold,
          .partition_bytes =
              table.index_type == BlockBasedTableOptions::kTwoLevelIndexSearch
                  ? std::max<uint64_t>(table.metadata_block_size, 1)
                  : 0,
          .partition_deviation = table.block_size_deviation};
}

// A hash index looks keys up by their bytes.
double HashRatioOf(const BlockBasedTableOptions& table,
                   const InternalKeyComparator& order) {
  const bool has_hash_index =
      table.data_block_index_type ==
          BlockBasedTableOptions::kDataBlockBinaryAndHash &&
      BlockCursor::HashesKeys(order);
  return has_hash_index ? table.data_block_hash_table_util_ratio : 0;
}

size_t StoredTimestampBytes(const ImmutableCFOptions& family) {
  return family.user_comparator->timestamp_size() -
         family.left_out_timestamp_bytes();
}

// What filter policies and compression managers are told of the file.
FilterBuildingContext BuildingContextOf(const BlockBasedTableOptions& table,
                                        const TableBuilderOptions& options) {
  FilterBuildingContext context(table);
  context.column_family_name = options.column_family_name;
  context.compaction_style = options.cf->compaction_style;
  context.num_levels = options.cf->num_levels;
  context.info_log = options.db != nullptr ? options.db->logger : nullptr;
  context.level_at_creation = options.level;
  context.is_bottommost = options.is_bottommost;
  context.reason = options.reason;
  return context;
}

std::unique_ptr<TableFilterBuilder> FilterBuilderOf(
    const BlockBasedTableOptions& table, const TableBuilderOptions& options) {
  if (table.filter_policy == nullptr || options.skip_filters) return nullptr;
  if (options.is_bottommost && options.cf->optimize_filters_for_hits) {
    return nullptr;
  }
  return TableFilterBuilder::Create(
      {.context = BuildingContextOf(table, options),
       .prefix_extractor = options.mutable_cf->prefix_extractor,
       .timestamp_bytes = StoredTimestampBytes(*options.cf)});
}

BlockBuilder::Options DataBlockOptionsOf(const BlockBasedTableOptions& table,
                                         const InternalKeyComparator& order) {
  return {.restart_interval = table.block_restart_interval,
          .use_delta_encoding = table.use_delta_encoding,
          .separates_values = table.separate_key_value_in_data_block,
          .hash_util_ratio = HashRatioOf(table, order)};
}

BlockCompressor::Options CompressorOptionsOf(
    const BlockBasedTableOptions& table, const TableBuilderOptions& options) {
  BlockCompressor::Options result;
  result.compression = options.compression_options;
  result.format_version = table.format_version;
  result.verifies = table.verify_compression;
  // Aligned blocks are as they are; a level may ask for a codec all the same.
  if (!table.block_align) {
    result.type = options.compression;
    result.manager = options.mutable_cf->compression_manager;
  }
  return result;
}

// How many bytes of blocks to hold back for the dictionary. Without a limit or
// a target size they are held back until the file ends.
uint64_t DictionaryInputBytes(const TableBuilderOptions& options) {
  const uint64_t limit = options.compression_options.max_dict_buffer_bytes;
  const uint64_t bytes = limit != 0 ? limit : options.target_file_size;
  return bytes != 0 ? bytes : UINT64_MAX;
}

bool EndsBlocksBySize(const BlockBasedTableOptions& table) {
  return table.flush_block_policy_factory == nullptr ||
         table.flush_block_policy_factory->Name() ==
             std::string(FlushBlockBySizePolicyFactory::kClassName());
}

}  // namespace

BlockBasedTableBuilder::BlockBasedTableBuilder(
    const BlockBasedTableOptions& table_options,
    const TableBuilderOptions& options, WritableFileWriter* file,
    const TableCharges& charges)
    : table_options_(table_options),
      statistics_(options.db != nullptr ? options.db->stats : nullptr),
      embeds_blobs_(options.embeds_blobs),
      prefix_extractor_(options.mutable_cf->prefix_extractor),
      keys_(*options.cf, KeyTextOf(options.db != nullptr &&
                                   options.db->allow_data_in_errors)),
      file_({.table = &table_options_,
             .file = file,
             .statistics = statistics_,
             .clock = options.db != nullptr ? options.db->clock : nullptr},
            FooterOf(table_options, options)),
      warmer_(table_options_, options),
      compressor_(CompressorOptionsOf(table_options_, options)),
      gatherer_(options),
      flush_rule_(table_options.block_size, table_options.block_size_deviation,
                  table_options.block_align),
      data_block_(DataBlockOptionsOf(table_options, keys_.order())),
      tombstones_(1),
      index_(IndexOptionsOf(table_options, &keys_.order(), embeds_blobs_)),
      filter_(FilterBuilderOf(table_options_, options)),
      filter_charge_(charges.filters) {
  INVARIANT(table_options.format_version >= 2);
  INVARIANT(table_options.format_version <= kLatestFormatVersion);
  INVARIANT(file != nullptr);
  Note(compressor_.Prepare(BuildingContextOf(table_options_, options)));
  Note(OwnIndexBuilder::Create(table_options_, keys_.order(),
                               keys_.left_out_bytes(), &own_index_));
  if (!EndsBlocksBySize(table_options_)) {
    flush_policy_.reset(
        table_options_.flush_block_policy_factory->NewFlushBlockPolicy(
            table_options_, data_block_));
  }
  if (table_options_.index_type == BlockBasedTableOptions::kHashSearch &&
      prefix_extractor_ != nullptr) {
    prefix_index_.emplace();
  }
  if (table_options_.filter_policy != nullptr) {
    gatherer_.properties().filter_policy_name =
        table_options_.filter_policy->Name();
  }
  INVARIANT(!embeds_blobs_ ||
            table_options_.format_version >= kFirstEmbeddedBlobVersion);
  DataBlockPipeline::Context context;
  context.file = &file_;
  context.compressor = &compressor_;
  context.index = &index_;
  context.own_index = own_index_.get();
  context.warmer = &warmer_;
  context.properties = &gatherer_.properties();
  context.statistics = statistics_;
  context.dictionary_memory = charges.dictionaries;
  context.sample_every = options.mutable_cf->sample_for_compression;
  // Where partitions of the index end depends on where blocks lie.
  if (compressor_.is_enabled() && !index_.is_partitioned() && !embeds_blobs_ &&
      own_index_ == nullptr && compressor_.thread_count() > 1) {
    context.thread_count = compressor_.thread_count();
  }
  if (compressor_.WantsDictionary()) {
    context.dictionary_input_bytes = DictionaryInputBytes(options);
  }
  blocks_.emplace(context);
}

BlockBasedTableBuilder::~BlockBasedTableBuilder() {
  // Whoever drops a builder says so first: else a half table would look done.
  assert(is_closed_);
}

void BlockBasedTableBuilder::Abandon() {
  assert(!is_closed_);
  is_closed_ = true;
  blocks_->Stop();
}

inline bool BlockBasedTableBuilder::CheckEntry(const Slice& key,
                                               const Slice& value) {
  INVARIANT(!is_closed_);
  if (!status_.ok()) return false;
  if (key.size() < kInternalKeyTrailerBytes ||
      !IsStoredType(ExtractType(key))) {
    Note(Status::Corruption("table builder: not an internal key",
                            keys_.Text(key)));
    return false;
  }
  if (IsEntryTooLarge(key.size(), value.size())) [[unlikely]] {
    Note(EntryTooLarge(key.size(), value.size()));
    return false;
  }
  return true;
}

void BlockBasedTableBuilder::Add(const Slice& key, const Slice& value) {
  if (!CheckEntry(key, value)) return;
  INVARIANT(ExtractType(key) != kTypeRangeDeletion);
  AddStored(keys_.Of(key), value);
  if (status_.ok()) gatherer_.AddEntry(key, value, file_.offset());
}

inline void BlockBasedTableBuilder::AddStored(const Slice& key,
                                              const Slice& value) {
  if (data_block_.last_key().size() != 0) {
    if (keys_.order().Compare(data_block_.last_key(), key) >= 0) {
      Note(Status::Corruption(
          "table builder: keys out of order",
          keys_.Text(data_block_.last_key()) + " before " + keys_.Text(key)));
      return;
    }
    if (ShouldEndBlock(key, value)) EndDataBlock(nullptr);
    if (blocks_->is_open()) EndBoundary(&key);
    if (!status_.ok()) return;
  } else if (flush_policy_ != nullptr) [[unlikely]] {
    // Policies hear of every entry; there is no block yet that this one ends.
    static_cast<void>(flush_policy_->Update(key, value));
  }
  if (filter_ != nullptr) filter_->Add(keys_.PlainUserKey(key));
  if (prefix_index_.has_value()) [[unlikely]]
    AddToPrefixIndex(key);
  // The application's index hears of blocks that are held back when they are
  // written.
  if (own_index_ != nullptr && !blocks_->holds_back()) [[unlikely]]
    own_index_->AddKey(key, value);
  if (index_.has_first_keys() && data_block_.empty()) {
    first_key_.assign(key.data(), key.size());
  }
  assert(!blocks_->is_open());
  data_block_.Add(key, value);
}

// A block that ends here would end with the next entry, too.
void BlockBasedTableBuilder::Reuse(const WholeBlock& source) {
  if (!status_.ok() || flush_policy_ != nullptr || blocks_->holds_back()) {
    return;
  }
  if (flush_rule_.IsFull(data_block_)) EndDataBlock(&source);
}

void BlockBasedTableBuilder::AddTombstone(const Slice& key, const Slice& end) {
  if (!CheckEntry(key, end)) return;
  INVARIANT(ExtractType(key) == kTypeRangeDeletion);
  const Slice stored = keys_.Of(key);
  const Slice stored_end = keys_.EndOf(end);
  if (tombstones_.last_key().size() != 0 &&
      keys_.order().Compare(tombstones_.last_key(), stored) > 0) {
    Note(Status::Corruption("table builder: range tombstones out of order"));
    return;
  }
  // They all are in one block.
  if (IsEntryTooLarge(tombstones_.SizeEstimate() + stored.size(),
                      stored_end.size())) [[unlikely]] {
    Note(Status::InvalidArgument(
        "range tombstones of more than 4 GiB in one file"));
    return;
  }
  tombstones_.Add(stored, stored_end);
  gatherer_.AddEntry(key, stored_end, file_.offset());
}

Status BlockBasedTableBuilder::AddBlob(const Slice& value,
                                       std::string* reference) {
  INVARIANT(!is_closed_);
  INVARIANT(embeds_blobs_);
  if (!status_.ok()) return status_;
  // Blocks cannot be larger than this either.
  if (value.size() > UINT32_MAX) {
    return Status::InvalidArgument("a value of more than 4 GiB");
  }
  BlockHandle record;
  Note(file_.WriteBlob(value, &record));
  if (!status_.ok()) return status_;
  assert(record.size == value.size());
  BlobIndex index;
  index.offset = record.offset;
  index.size = record.size;
  index.EncodeEmbedded(reference);
  ++blobs_.count;
  blobs_.payload_bytes += value.size();
  return status_;
}

void BlockBasedTableBuilder::AddToPrefixIndex(const Slice& key) {
  const Slice user_key = keys_.PlainUserKey(key);
  if (!prefix_extractor_->InDomain(user_key)) return;
  const uint64_t block = gatherer_.properties().num_data_blocks;
  INVARIANT(block <= UINT32_MAX);
  prefix_index_->Add(prefix_extractor_->Transform(user_key),
                     static_cast<uint32_t>(block));
}

inline bool BlockBasedTableBuilder::ShouldEndBlock(const Slice& key,
                                                   const Slice& value) {
  // Whatever the rule says, the size of a block has 32 bits.
  const bool has_no_room =
      IsEntryTooLarge(data_block_.SizeEstimate() + key.size(), value.size());
  if (flush_policy_ != nullptr) [[unlikely]] {
    const bool should_end = flush_policy_->Update(key, value);
    return (should_end || has_no_room) && !data_block_.empty();
  }
  if (has_no_room) [[unlikely]]
    return !data_block_.empty();
  return flush_rule_.ShouldEnd(data_block_, key.size(), value.size());
}

// Ends the data block; where the next begins is settled by EndBoundary(), once
// its first key is known.
void BlockBasedTableBuilder::EndDataBlock(const WholeBlock* source) {
  assert(!data_block_.empty());
  const Slice raw = data_block_.Finish();
  if (raw.size() > UINT32_MAX) [[unlikely]] {
    Note(Status::InvalidArgument("a block of more than 4 GiB"));
    data_block_.Reset();
    return;
  }
  gatherer_.AddDataBlock(raw.size());
  ChargeFilter();
  Note(blocks_->Put(raw, source));
  data_block_.Reset();
}

void BlockBasedTableBuilder::ChargeFilter() {
  if (filter_ == nullptr) return;
  if (!filter_charge_.Update(filter_->memory_bytes())) filter_.reset();
}

void BlockBasedTableBuilder::EndBoundary(const Slice* next_key) {
  const Slice last_key = data_block_.last_key();
  IndexBuilder::Block block;
  block.separator = index_.Separator(last_key, next_key);
  block.first_key = first_key_;
  if (index_.is_partitioned()) [[unlikely]] {
    block.handle = blocks_->OpenHandle();
    EndPartitions(next_key, &block);
  }
  Note(blocks_->Close(block, last_key, next_key));
}

// Ends partitions of index and filter that are full.
void BlockBasedTableBuilder::EndPartitions(const Slice* next_key,
                                           IndexBuilder::Block* block) {
  if (next_key == nullptr) return;  // The last one joins those before it.
  const bool is_coupled = filter_ != nullptr && filter_->is_coupled();
  block->starts_partition =
      index_.StartsPartition(*block, is_coupled && filter_->WantsCut());
  if (is_coupled && block->starts_partition) {
    filter_->CutAt(block->separator, ExtractUserKey(*next_key));
  }
}

uint64_t BlockBasedTableBuilder::EstimatedFileSize() const {
  return file_.offset() + blocks_->WaitingBytes() +
         (data_block_.empty() ? 0 : data_block_.SizeEstimate());
}

uint64_t BlockBasedTableBuilder::EstimatedTailSize() const {
  // Properties, metaindex, footer, and what tells one file from another.
  constexpr uint64_t kFixedBytes = 4096;
  // Bytes of an index entry beside its keys: lengths, handle, restart.
  constexpr uint64_t kEntryBytes = 24;
  uint64_t bytes = kFixedBytes + index_.SizeEstimate() +
                   index_.entry_count() * kEntryBytes +
                   tombstones_.SizeEstimate();
  // The block that is open, and those that the index does not know yet.
  const uint64_t ahead = 1 + blocks_->WaitingBlocks();
  const uint64_t keys = index_.has_first_keys() ? 2 : 1;
  bytes += ahead * (keys * data_block_.last_key().size() + kEntryBytes);
  if (filter_ != nullptr) bytes += filter_->EstimatedBytes();
  if (own_index_ != nullptr) bytes += own_index_->EstimatedSize();
  if (prefix_index_.has_value()) {
    bytes +=
        prefix_index_->prefixes().size() + prefix_index_->metadata().size();
  }
  if (compressor_.is_enabled()) {
    bytes +=
        std::max<uint64_t>(compressor_.options().compression.max_dict_bytes,
                           compressor_.dictionary().size());
  }
  return bytes;
}

uint64_t BlockBasedTableBuilder::TailSize() const {
  return is_closed_ ? file_.offset() - tail_start_ : 0;
}

Status BlockBasedTableBuilder::Finish() {
  INVARIANT(!is_closed_);
  if (status_.ok()) {
    if (!data_block_.empty()) EndDataBlock(nullptr);
    if (status_.ok() && blocks_->is_open()) EndBoundary(nullptr);
    if (status_.ok()) Note(blocks_->Finish());
    tail_start_ = file_.offset();
  }
  for (void (BlockBasedTableBuilder::*write)() :
       {&BlockBasedTableBuilder::WriteFilter,
        &BlockBasedTableBuilder::WriteOwnIndex,
        &BlockBasedTableBuilder::WriteIndex,
        &BlockBasedTableBuilder::WriteDictionary,
        &BlockBasedTableBuilder::WriteTombstones,
        &BlockBasedTableBuilder::WriteProperties,
        &BlockBasedTableBuilder::WriteEnd}) {
    if (status_.ok()) (this->*write)();
  }
  is_closed_ = true;
  blocks_->Stop();
  return status_;
}

Status BlockBasedTableBuilder::WriteFilterPart(const Slice& payload,
                                               BlockHandle* handle) {
  assert(filter_ != nullptr);
  Status s = file_.Write({payload, kNoCompression}, handle);
  if (s.ok() && warmer_.wants_partitions() && filter_->is_partitioned()) {
    warmer_.AddFilterPart(handle->offset, payload);
  }
  return s;
}

void BlockBasedTableBuilder::WriteFilter() {
  if (filter_ == nullptr) return;
  BlockHandle handle;
  Note(filter_->Finish(
      {.restart_interval = table_options_.index_block_restart_interval,
       .has_user_keys = index_.has_user_keys(),
       .has_delta_values = index_.has_delta_values()},
      [this](const Slice& payload, BlockHandle* at) {
        return WriteFilterPart(payload, at);
      },
      &handle));
  if (!status_.ok()) return;
  warmer_.EndFilter();
  TableProperties& p = gatherer_.properties();
  p.num_filter_entries = filter_->entry_count();
  p.filter_size = filter_->payload_bytes();
  if (!handle.IsNull()) {
    const char* prefix = filter_->is_partitioned() ? kPartitionedFilterPrefix
                                                   : kFullFilterPrefix;
    file_.Name(
        prefix + std::string(table_options_.filter_policy->CompatibilityName()),
        handle);
  }
  filter_.reset();
  static_cast<void>(filter_charge_.Update(0));
}

Status BlockBasedTableBuilder::WriteIndexBlock(const Slice& payload,
                                               BlockHandle* handle) {
  BlockCompressor::Stored stored{payload, kNoCompression};
  if (table_options_.enable_index_compression) {
    const CompressionWatch watch(compressor_, statistics_);
    Status s = compressor_.CompressIndex(payload, &stored);
    if (!s.ok()) return s;
    if (compressor_.is_enabled()) {
      CountCompression(statistics_, payload.size(), stored);
    }
  }
  assert(stored.payload.size() <= payload.size());
  return file_.Write(stored, handle);
}

Status BlockBasedTableBuilder::WriteIndexPart(const Slice& payload,
                                              BlockHandle* handle) {
  Status s = WriteIndexBlock(payload, handle);
  if (s.ok() && warmer_.wants_partitions() && index_.is_partitioned()) {
    warmer_.AddIndexPart(handle->offset, payload,
                         {.has_user_keys = index_.has_user_keys(),
                          .has_delta_values = index_.has_delta_values(),
                          .has_first_keys = index_.has_first_keys()});
  }
  return s;
}

void BlockBasedTableBuilder::WritePrefixIndex() {
  if (!prefix_index_.has_value()) return;
  prefix_index_->Finish();
  for (const auto& [name, payload] :
       {std::pair<const char*, Slice>(kHashMetadataBlock,
                                      prefix_index_->metadata()),
        std::pair<const char*, Slice>(kHashPrefixesBlock,
                                      prefix_index_->prefixes())}) {
    BlockHandle handle;
    Note(WriteIndexBlock(payload, &handle));
    if (!status_.ok()) return;
    file_.Name(name, handle);
    gatherer_.properties().index_size += payload.size();
  }
}

void BlockBasedTableBuilder::WriteOwnIndex() {
  if (own_index_ == nullptr) return;
  Slice contents;
  Note(own_index_->Finish(&contents));
  BlockHandle handle;
  if (status_.ok()) Note(file_.Write({contents, kNoCompression}, &handle));
  if (!status_.ok()) return;
  file_.Name(own_index_->block_name(), handle);
  if (table_options_.use_udi_as_primary_index) {
    gatherer_.properties().udi_is_primary_index = 1;
  }
}

void BlockBasedTableBuilder::WriteIndex() {
  WritePrefixIndex();
  if (!status_.ok()) return;
  Note(index_.Finish(
      [this](const Slice& payload, BlockHandle* handle) {
        return WriteIndexPart(payload, handle);
      },
      &index_handle_));
  if (!status_.ok()) return;
  warmer_.EndIndex(keys_.order());
  if (table_options_.format_version >= kFirstContextChecksumVersion) {
    file_.Name(kIndexBlock, index_handle_);
  }
  TableProperties& p = gatherer_.properties();
  p.index_size += index_.raw_bytes() + kBlockTrailerBytes;
  p.index_partitions = index_.partition_count();
  p.top_level_index_size = index_.top_level_bytes();
  p.num_uniform_blocks = index_.uniform_count();
  p.index_key_is_user_key = index_.has_user_keys() ? 1 : 0;
  p.index_value_is_delta_encoded = index_.has_delta_values() ? 1 : 0;
}

void BlockBasedTableBuilder::WriteDictionary() {
  if (compressor_.dictionary().empty()) return;
  Note(file_.WriteNamed(kDictionaryBlock, compressor_.dictionary()));
}

void BlockBasedTableBuilder::WriteTombstones() {
  if (tombstones_.empty()) return;
  Note(file_.WriteNamed(kTombstoneBlock, tombstones_.Finish()));
}

void BlockBasedTableBuilder::WriteProperties() {
  assert(tail_start_ <= file_.offset());
  gatherer_.Finish();
  TableProperties& p = gatherer_.properties();
  blocks_->StoreSamples(&p);
  p.data_size = tail_start_;
  p.tail_start_offset = tail_start_;
  p.format_version = table_options_.format_version;
  p.compression_name = compressor_.NameProperty();
  p.compression_options = compressor_.OptionsProperty();
  p.data_block_restart_interval =
      static_cast<uint64_t>(table_options_.block_restart_interval);
  p.index_block_restart_interval =
      static_cast<uint64_t>(table_options_.index_block_restart_interval);
  p.separate_key_value_in_data_block =
      table_options_.separate_key_value_in_data_block ? 1 : 0;

  using Names = BlockBasedTablePropertyNames;
  UserCollectedProperties& own = p.user_collected_properties;
  std::string& index_type = own[Names::kIndexType];
  index_type.clear();
  PutFixed32(&index_type, static_cast<uint32_t>(table_options_.index_type));
  own[Names::kWholeKeyFiltering] =
      table_options_.whole_key_filtering ? "1" : "0";
  own[Names::kPrefixFiltering] = prefix_extractor_ != nullptr ? "1" : "0";
  if (table_options_.decouple_partitioned_filters) {
    own[Names::kDecoupledPartitionedFilters] = "1";
  }
  if (blobs_.count > 0) own[kEmbeddedBlobStatsProperty] = blobs_.Encode();
  Note(file_.WriteNamed(kPropertiesBlock, EncodeProperties(p)));
}

void BlockBasedTableBuilder::WriteEnd() { Note(file_.Finish(index_handle_)); }

}  // namespace ROCKSDB_NAMESPACE
