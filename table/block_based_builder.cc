#include "table/block_based_builder.h"

#include <cassert>
#include <cstring>

#include "file/writable_file_writer.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "table/properties_block.h"
#include "util/hash.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The first version that stores differences in index values.
constexpr uint32_t kFirstDeltaVersion = 4;
static_assert(kFirstDeltaVersion < kFirstContextChecksumVersion);

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
                                     const InternalKeyComparator* order) {
  return {.order = order,
          .format_version = table.format_version,
          .restart_interval = table.index_block_restart_interval,
          .shortening = table.index_shortening,
          .has_delta_values = table.format_version >= kFirstDeltaVersion};
}

std::unique_ptr<FilterBitsBuilder> FilterBuilderOf(
    const BlockBasedTableOptions& table, const TableBuilderOptions& options) {
  if (table.filter_policy == nullptr || options.skip_filters) return nullptr;
  if (options.is_bottommost && options.cf->optimize_filters_for_hits) {
    return nullptr;
  }
  FilterBuildingContext context(table);
  context.compaction_style = options.cf->compaction_style;
  context.num_levels = options.cf->num_levels;
  context.info_log = options.db->logger;
  context.level_at_creation = options.level;
  context.is_bottommost = options.is_bottommost;
  context.reason = options.reason;
  return std::unique_ptr<FilterBitsBuilder>(
      table.filter_policy->GetBuilderWithContext(context));
}

bool EndsBlocksBySize(const BlockBasedTableOptions& table) {
  return table.flush_block_policy_factory == nullptr ||
         table.flush_block_policy_factory->Name() ==
             std::string(FlushBlockBySizePolicyFactory::kClassName());
}

}  // namespace

BlockBasedTableBuilder::BlockBasedTableBuilder(
    const BlockBasedTableOptions& table_options,
    const TableBuilderOptions& options, WritableFileWriter* file)
    : table_options_(table_options),
      statistics_(options.db != nullptr ? options.db->stats : nullptr),
      order_(options.cf->user_comparator),
      timestamp_bytes_(options.cf->user_comparator->timestamp_size()),
      prefix_extractor_(options.mutable_cf->prefix_extractor),
      writer_(file, FooterOf(table_options, options)),
      compressor_({.type = options.compression,
                   .compression = options.compression_options,
                   .format_version = table_options.format_version,
                   .verifies = table_options.verify_compression}),
      gatherer_(options),
      flush_rule_(table_options.block_size, table_options.block_size_deviation),
      data_block_(table_options.block_restart_interval,
                  table_options.use_delta_encoding),
      tombstones_(1),
      index_(IndexOptionsOf(table_options, &order_)),
      filter_(FilterBuilderOf(table_options, options)) {
  INVARIANT(table_options.format_version >= 2);
  INVARIANT(table_options.format_version <= kLatestFormatVersion);
  INVARIANT(table_options.index_type == BlockBasedTableOptions::kBinarySearch);
  INVARIANT(file != nullptr);
  Note(compressor_.Prepare());
  if (!EndsBlocksBySize(table_options_)) {
    flush_policy_.reset(
        table_options_.flush_block_policy_factory->NewFlushBlockPolicy(
            table_options_, data_block_));
  }
  if (filter_ != nullptr) {
    filter_block_name_ = std::string(kFullFilterPrefix) +
                         table_options_.filter_policy->CompatibilityName();
  }
  if (table_options_.filter_policy != nullptr) {
    gatherer_.properties().filter_policy_name =
        table_options_.filter_policy->Name();
  }
  if (compressor_.WantsDictionary()) {
    buffer_.emplace();
    const uint64_t limit = options.compression_options.max_dict_buffer_bytes;
    buffer_->max_bytes = limit != 0 ? limit : options.target_file_size;
    if (buffer_->max_bytes == 0) buffer_->max_bytes = UINT64_MAX;
  }
}

BlockBasedTableBuilder::~BlockBasedTableBuilder() {
  // Whoever drops a builder says so first: else a half table would look done.
  assert(is_closed_);
}

void BlockBasedTableBuilder::Abandon() {
  assert(!is_closed_);
  is_closed_ = true;
}

bool BlockBasedTableBuilder::CheckKey(const Slice& key) {
  INVARIANT(!is_closed_);
  if (!status_.ok()) return false;
  if (key.size() < kInternalKeyTrailerBytes ||
      !IsStoredType(ExtractType(key))) {
    Note(Status::Corruption("table builder: not an internal key",
                            key.ToString(true)));
    return false;
  }
  return true;
}

void BlockBasedTableBuilder::Add(const Slice& key, const Slice& value) {
  if (!CheckKey(key)) return;
  INVARIANT(ExtractType(key) != kTypeRangeDeletion);
  if (data_block_.last_key().size() != 0) {
    if (order_.Compare(data_block_.last_key(), key) >= 0) {
      Note(Status::Corruption("table builder: keys out of order",
                              data_block_.last_key().ToString(true) +
                                  " before " + key.ToString(true)));
      return;
    }
    if (ShouldEndBlock(key, value)) EndDataBlock();
    if (has_open_boundary_) EndBoundary(&key);
    if (!status_.ok()) return;
  }
  if (filter_ != nullptr) {
    AddToFilter(Slice(
        key.data(), key.size() - kInternalKeyTrailerBytes - timestamp_bytes_));
  }
  assert(!has_open_boundary_);
  data_block_.Add(key, value);
  gatherer_.AddEntry(key, value, writer_.offset());
}

void BlockBasedTableBuilder::AddTombstone(const Slice& key, const Slice& end) {
  if (!CheckKey(key)) return;
  INVARIANT(ExtractType(key) == kTypeRangeDeletion);
  if (tombstones_.last_key().size() != 0 &&
      order_.Compare(tombstones_.last_key(), key) > 0) {
    Note(Status::Corruption("table builder: range tombstones out of order"));
    return;
  }
  tombstones_.Add(key, end);
  gatherer_.AddEntry(key, end, writer_.offset());
}

inline void BlockBasedTableBuilder::AddToFilter(const Slice& user_key) {
  const bool has_prefix =
      prefix_extractor_ != nullptr && prefix_extractor_->InDomain(user_key);
  if (!has_prefix) {
    if (table_options_.whole_key_filtering) filter_->AddKey(user_key);
    return;
  }
  const Slice prefix = prefix_extractor_->Transform(user_key);
  assert(prefix.size() <= user_key.size());
  if (table_options_.whole_key_filtering) {
    filter_->AddKeyAndAlternate(user_key, prefix);
  } else {
    filter_->AddKey(prefix);
  }
}

inline bool BlockBasedTableBuilder::ShouldEndBlock(const Slice& key,
                                                   const Slice& value) {
  if (flush_policy_ != nullptr) [[unlikely]] {
    return flush_policy_->Update(key, value) && !data_block_.empty();
  }
  return flush_rule_.ShouldEnd(data_block_, key.size(), value.size());
}

// Ends the data block; where the next begins is settled by EndBoundary(), once
// its first key is known.
void BlockBasedTableBuilder::EndDataBlock() {
  assert(!has_open_boundary_);
  assert(!data_block_.empty());
  const Slice raw = data_block_.Finish();
  gatherer_.AddDataBlock(raw.size());
  if (buffer_.has_value()) {
    buffer_->blocks.push_back(raw.ToString());
    buffer_->bytes += raw.size();
    has_open_boundary_ = true;
    if (buffer_->bytes >= buffer_->max_bytes) StopBuffering();
  } else {
    WriteDataBlock(raw);
  }
  data_block_.Reset();
}

void BlockBasedTableBuilder::WriteDataBlock(const Slice& raw) {
  if (!status_.ok()) return;
  BlockCompressor::Stored stored;
  Note(compressor_.CompressData(raw, &stored));
  if (!status_.ok()) return;
  assert(stored.payload.size() <= raw.size());
  TableProperties& p = gatherer_.properties();
  if (!compressor_.is_enabled()) {
    ++p.num_data_blocks_compression_bypassed;
  } else if (stored.type == kNoCompression) {
    ++p.num_data_blocks_compression_rejected;
  }
  CountCompression(raw.size(), stored);
  Note(writer_.WriteBlock(stored.payload, stored.type, &open_handle_));
  // A block that was not written has no place in the index.
  has_open_boundary_ = status_.ok();
}

void BlockBasedTableBuilder::CountCompression(
    size_t raw_size, const BlockCompressor::Stored& stored) const {
  assert(stored.payload.size() <= raw_size);
  if (statistics_ == nullptr) return;
  if (!compressor_.is_enabled()) {
    RecordTick(statistics_, NUMBER_BLOCK_COMPRESSION_BYPASSED);
    RecordTick(statistics_, BYTES_COMPRESSION_BYPASSED, raw_size);
  } else if (stored.type == kNoCompression) {
    RecordTick(statistics_, NUMBER_BLOCK_COMPRESSION_REJECTED);
    RecordTick(statistics_, BYTES_COMPRESSION_REJECTED, raw_size);
  } else {
    RecordTick(statistics_, NUMBER_BLOCK_COMPRESSED);
    RecordTick(statistics_, BYTES_COMPRESSED_FROM, raw_size);
    RecordTick(statistics_, BYTES_COMPRESSED_TO, stored.payload.size());
  }
}

void BlockBasedTableBuilder::EndBoundary(const Slice* next_key) {
  assert(has_open_boundary_);
  has_open_boundary_ = false;
  const Slice separator = index_.Separator(data_block_.last_key(), next_key);
  if (buffer_.has_value()) {
    buffer_->separators.push_back(separator.ToString());
  } else {
    index_.Add(separator, open_handle_);
  }
}

// Makes the dictionary and writes what was held back for it. The last block's
// boundary may still be open; it then stays so.
void BlockBasedTableBuilder::StopBuffering() {
  INVARIANT(buffer_.has_value());
  const DictionaryBuffer held = std::move(*buffer_);
  buffer_.reset();
  assert(held.separators.size() + 1 >= held.blocks.size());
  Note(compressor_.MakeDictionary(held.blocks));
  has_open_boundary_ = false;
  for (size_t i = 0; i < held.blocks.size() && status_.ok(); ++i) {
    WriteDataBlock(held.blocks[i]);
    if (i < held.separators.size() && status_.ok()) {
      index_.Add(held.separators[i], open_handle_);
      has_open_boundary_ = false;
    }
  }
}

uint64_t BlockBasedTableBuilder::EstimatedFileSize() const {
  return writer_.offset() + (buffer_.has_value() ? buffer_->bytes : 0) +
         (data_block_.empty() ? 0 : data_block_.SizeEstimate());
}

uint64_t BlockBasedTableBuilder::TailSize() const {
  return is_closed_ ? writer_.offset() - tail_start_ : 0;
}

Status BlockBasedTableBuilder::Finish() {
  INVARIANT(!is_closed_);
  if (status_.ok()) {
    if (!data_block_.empty()) EndDataBlock();
    if (has_open_boundary_) EndBoundary(nullptr);
    if (buffer_.has_value()) StopBuffering();
    assert(!has_open_boundary_ || !status_.ok());
    tail_start_ = writer_.offset();
  }
  for (void (BlockBasedTableBuilder::*write)() :
       {&BlockBasedTableBuilder::WriteFilter,
        &BlockBasedTableBuilder::WriteIndex,
        &BlockBasedTableBuilder::WriteDictionary,
        &BlockBasedTableBuilder::WriteTombstones,
        &BlockBasedTableBuilder::WriteProperties,
        &BlockBasedTableBuilder::WriteMetaindexAndFooter}) {
    if (status_.ok()) (this->*write)();
  }
  is_closed_ = true;
  return status_;
}

void BlockBasedTableBuilder::WriteMetaBlock(const std::string& name,
                                            const Slice& payload) {
  assert(!payload.empty());
  BlockHandle handle;
  Note(writer_.WriteBlock(payload, kNoCompression, &handle));
  const bool is_new = metaindex_.emplace(name, handle).second;
  INVARIANT(is_new);
}

void BlockBasedTableBuilder::WriteFilter() {
  if (filter_ == nullptr || filter_->EntryCount() == 0) return;
  TableProperties& p = gatherer_.properties();
  p.num_filter_entries = filter_->EntryCount();
  std::unique_ptr<char[]> buffer;
  const Slice payload = filter_->Finish(&buffer);
  assert(payload.data() == buffer.get());
  p.filter_size = payload.size();
  WriteMetaBlock(filter_block_name_, payload);
  filter_.reset();
}

void BlockBasedTableBuilder::WriteIndex() {
  BlockCompressor::Stored stored{index_.Finish(), kNoCompression};
  const size_t raw_size = stored.payload.size();
  if (table_options_.enable_index_compression) {
    Note(compressor_.CompressIndex(stored.payload, &stored));
  }
  if (!status_.ok()) return;
  Note(writer_.WriteBlock(stored.payload, stored.type, &index_handle_));
  if (table_options_.format_version >= kFirstContextChecksumVersion) {
    metaindex_.emplace(kIndexBlock, index_handle_);
  }
  TableProperties& p = gatherer_.properties();
  p.index_size = raw_size + kBlockTrailerBytes;
  p.index_key_is_user_key = index_.has_user_keys() ? 1 : 0;
  p.index_value_is_delta_encoded = index_.has_delta_values() ? 1 : 0;
}

void BlockBasedTableBuilder::WriteDictionary() {
  if (compressor_.dictionary().empty()) return;
  WriteMetaBlock(kDictionaryBlock, compressor_.dictionary());
}

void BlockBasedTableBuilder::WriteTombstones() {
  if (tombstones_.empty()) return;
  WriteMetaBlock(kTombstoneBlock, tombstones_.Finish());
}

void BlockBasedTableBuilder::WriteProperties() {
  assert(tail_start_ <= writer_.offset());
  gatherer_.Finish();
  TableProperties& p = gatherer_.properties();
  p.data_size = tail_start_;
  p.tail_start_offset = tail_start_;
  p.format_version = table_options_.format_version;
  p.compression_name = compressor_.NameProperty();
  p.compression_options = compressor_.OptionsProperty();
  p.data_block_restart_interval =
      static_cast<uint64_t>(table_options_.block_restart_interval);
  p.index_block_restart_interval =
      static_cast<uint64_t>(table_options_.index_block_restart_interval);

  using Names = BlockBasedTablePropertyNames;
  UserCollectedProperties& own = p.user_collected_properties;
  std::string& index_type = own[Names::kIndexType];
  index_type.clear();
  PutFixed32(&index_type, BlockBasedTableOptions::kBinarySearch);
  own[Names::kWholeKeyFiltering] =
      table_options_.whole_key_filtering ? "1" : "0";
  own[Names::kPrefixFiltering] = prefix_extractor_ != nullptr ? "1" : "0";
  if (table_options_.decouple_partitioned_filters) {
    own[Names::kDecoupledPartitionedFilters] = "1";
  }
  WriteMetaBlock(kPropertiesBlock, EncodeProperties(p));
}

void BlockBasedTableBuilder::WriteMetaindexAndFooter() {
  assert(metaindex_.count(kPropertiesBlock) == 1);
  BlockHandle handle;
  Note(writer_.WriteBlock(Metaindex::Encode(metaindex_), kNoCompression,
                          &handle));
  if (status_.ok()) Note(writer_.WriteFooter(handle, index_handle_));
}

}  // namespace ROCKSDB_NAMESPACE
