#include "table/block_based_builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "file/writable_file_writer.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "table/block_cursor.h"
#include "table/own_index_builder.h"
#include "table/parallel_compressor.h"
#include "table/properties_block.h"
#include "table/table_filter_builder.h"
#include "util/hash.h"
#include "util/invariant.h"
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
      clock_(options.db != nullptr ? options.db->clock : nullptr),
      left_out_bytes_(options.cf->left_out_timestamp_bytes()),
      given_order_(options.cf->user_comparator),
      order_(left_out_bytes_ != 0 ? &given_order_
                                  : options.cf->user_comparator),
      timestamp_bytes_(StoredTimestampBytes(*options.cf)),
      embeds_blobs_(options.embeds_blobs),
      key_text_(
          KeyTextOf(options.db != nullptr && options.db->allow_data_in_errors)),
      prefix_extractor_(options.mutable_cf->prefix_extractor),
      writer_(file, FooterOf(table_options, options)),
      warmer_(table_options_, options),
      compressor_(CompressorOptionsOf(table_options_, options)),
      gatherer_(options),
      flush_rule_(table_options.block_size, table_options.block_size_deviation,
                  table_options.block_align),
      data_block_(DataBlockOptionsOf(table_options, order_)),
      tombstones_(1),
      index_(IndexOptionsOf(table_options, &order_, embeds_blobs_)),
      filter_(FilterBuilderOf(table_options_, options)),
      filter_charge_(charges.filters),
      dictionary_charge_(charges.dictionaries) {
  INVARIANT(table_options.format_version >= 2);
  INVARIANT(table_options.format_version <= kLatestFormatVersion);
  INVARIANT(file != nullptr);
  Note(compressor_.Prepare(BuildingContextOf(table_options_, options)));
  Note(OwnIndexBuilder::Create(table_options_, options.cf->user_comparator,
                               left_out_bytes_, &own_index_));
  if (!EndsBlocksBySize(table_options_)) {
    flush_policy_.reset(
        table_options_.flush_block_policy_factory->NewFlushBlockPolicy(
            table_options_, data_block_));
  }
  if (table_options_.index_type == BlockBasedTableOptions::kHashSearch &&
      prefix_extractor_ != nullptr) {
    prefix_index_.emplace();
  }
  if (options.mutable_cf->sample_for_compression > 0) {
    sampler_.emplace(options.mutable_cf->sample_for_compression);
  }
  if (table_options_.filter_policy != nullptr) {
    gatherer_.properties().filter_policy_name =
        table_options_.filter_policy->Name();
  }
  INVARIANT(!embeds_blobs_ ||
            table_options_.format_version >= kFirstEmbeddedBlobVersion);
  // Where partitions of the index end depends on where blocks lie.
  if (compressor_.is_enabled() && !index_.is_partitioned() && !embeds_blobs_ &&
      own_index_ == nullptr && compressor_.thread_count() > 1) {
    thread_count_ = compressor_.thread_count();
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
  threads_.reset();
}

bool BlockBasedTableBuilder::CheckKey(const Slice& key) {
  INVARIANT(!is_closed_);
  if (!status_.ok()) return false;
  if (key.size() < kInternalKeyTrailerBytes ||
      !IsStoredType(ExtractType(key))) {
    Note(Status::Corruption("table builder: not an internal key",
                            InternalKeyText(key, key_text_)));
    return false;
  }
  return true;
}

Slice BlockBasedTableBuilder::Stored(const Slice& key) {
  if (left_out_bytes_ == 0) [[likely]]
    return key;
  INVARIANT(key.size() >= kInternalKeyTrailerBytes + left_out_bytes_);
  const Slice user_key = ExtractUserKey(key);
  const Slice given = WithoutTimestamp(user_key, left_out_bytes_);
  INVARIANT(std::all_of(given.data() + given.size(),
                        user_key.data() + user_key.size(),
                        [](char byte) { return byte == 0; }));
  stored_key_.assign(given.data(), given.size());
  PutFixed64(&stored_key_, ExtractTrailer(key));
  return stored_key_;
}

void BlockBasedTableBuilder::Add(const Slice& key, const Slice& value) {
  if (!CheckKey(key)) return;
  INVARIANT(ExtractType(key) != kTypeRangeDeletion);
  AddStored(Stored(key), value);
  if (status_.ok()) gatherer_.AddEntry(key, value, writer_.offset());
}

inline void BlockBasedTableBuilder::AddStored(const Slice& key,
                                              const Slice& value) {
  if (data_block_.last_key().size() != 0) {
    if (order_.Compare(data_block_.last_key(), key) >= 0) {
      Note(Status::Corruption(
          "table builder: keys out of order",
          InternalKeyText(data_block_.last_key(), key_text_) + " before " +
              InternalKeyText(key, key_text_)));
      return;
    }
    if (ShouldEndBlock(key, value)) EndDataBlock(nullptr);
    if (has_open_boundary_) EndBoundary(&key);
    if (!status_.ok()) return;
  } else if (flush_policy_ != nullptr) [[unlikely]] {
    // Policies hear of every entry; there is no block yet that this one ends.
    static_cast<void>(flush_policy_->Update(key, value));
  }
  if (filter_ != nullptr) AddToFilter(key);
  if (prefix_index_.has_value()) [[unlikely]]
    AddToPrefixIndex(key);
  // Of blocks that are held back it hears when they are written.
  if (own_index_ != nullptr && !buffer_.has_value()) [[unlikely]]
    own_index_->AddKey(key, value);
  if (index_.has_first_keys() && data_block_.empty()) {
    first_key_.assign(key.data(), key.size());
  }
  assert(!has_open_boundary_);
  data_block_.Add(key, value);
}

// A block that ends here would end with the next entry, too.
void BlockBasedTableBuilder::Reuse(const WholeBlock& source) {
  if (!status_.ok() || flush_policy_ != nullptr || buffer_.has_value()) return;
  if (flush_rule_.IsFull(data_block_)) EndDataBlock(&source);
}

void BlockBasedTableBuilder::AddTombstone(const Slice& key, const Slice& end) {
  if (!CheckKey(key)) return;
  INVARIANT(ExtractType(key) == kTypeRangeDeletion);
  const Slice stored = Stored(key);
  const Slice stored_end = WithoutTimestamp(end, left_out_bytes_);
  if (tombstones_.last_key().size() != 0 &&
      order_.Compare(tombstones_.last_key(), stored) > 0) {
    Note(Status::Corruption("table builder: range tombstones out of order"));
    return;
  }
  tombstones_.Add(stored, stored_end);
  gatherer_.AddEntry(key, stored_end, writer_.offset());
}

Status BlockBasedTableBuilder::AddBlob(const Slice& value,
                                       std::string* reference) {
  INVARIANT(!is_closed_);
  INVARIANT(embeds_blobs_);
  if (!status_.ok()) return status_;
  // Of such a size no block can be either.
  if (value.size() > UINT32_MAX) {
    return Status::InvalidArgument("a value of more than 4 GiB");
  }
  BlockHandle record;
  Note(writer_.WriteBlock(value, kNoCompression, &record));
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

inline void BlockBasedTableBuilder::AddToFilter(const Slice& key) {
  assert(key.size() >= kInternalKeyTrailerBytes + timestamp_bytes_);
  filter_->Add(Slice(key.data(),
                     key.size() - kInternalKeyTrailerBytes - timestamp_bytes_));
}

void BlockBasedTableBuilder::AddToPrefixIndex(const Slice& key) {
  const Slice user_key(
      key.data(), key.size() - kInternalKeyTrailerBytes - timestamp_bytes_);
  if (!prefix_extractor_->InDomain(user_key)) return;
  const uint64_t block = gatherer_.properties().num_data_blocks;
  INVARIANT(block <= UINT32_MAX);
  prefix_index_->Add(prefix_extractor_->Transform(user_key),
                     static_cast<uint32_t>(block));
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
void BlockBasedTableBuilder::EndDataBlock(const WholeBlock* source) {
  assert(!has_open_boundary_);
  assert(!data_block_.empty());
  const Slice raw = data_block_.Finish();
  gatherer_.AddDataBlock(raw.size());
  ChargeFilter();
  if (buffer_.has_value()) {
    buffer_->blocks.push_back(raw.ToString());
    buffer_->bytes += raw.size();
    has_open_boundary_ = true;
    // Without room what there is has to do.
    if (!dictionary_charge_.Update(buffer_->bytes) ||
        buffer_->bytes >= buffer_->max_bytes) {
      StopBuffering();
    }
  } else if (thread_count_ > 0) {
    SubmitDataBlock(raw, source);
    has_open_boundary_ = status_.ok();
  } else {
    WriteDataBlock(raw, source);
  }
  data_block_.Reset();
}

void BlockBasedTableBuilder::ChargeFilter() {
  if (filter_ == nullptr) return;
  if (!filter_charge_.Update(filter_->memory_bytes())) filter_.reset();
}

bool BlockBasedTableBuilder::TakeStored(const WholeBlock* source,
                                        const Slice& raw,
                                        BlockCompressor::Stored* stored) {
  if (source == nullptr || source->raw != raw) return false;
  if (!compressor_.WouldMake(*source)) return false;
  compressor_.NoteUsed(source->type);
  *stored = {source->stored, source->type, /*is_reused=*/true};
  return true;
}

void BlockBasedTableBuilder::WriteDataBlock(const Slice& raw,
                                            const WholeBlock* source) {
  if (!status_.ok()) return;
  if (sampler_.has_value()) sampler_->Note(raw);
  BlockCompressor::Stored stored;
  if (!TakeStored(source, raw, &stored)) CompressDataBlock(raw, &stored);
  if (!status_.ok()) return;
  WriteStored(raw, stored);
  // A block that was not written has no place in the index.
  has_open_boundary_ = status_.ok();
}

namespace {

// Tells the statistics of the nanoseconds of its scope, in which a block is
// compressed.
class CompressionWatch {
 public:
  CompressionWatch(const BlockCompressor& compressor, Statistics* statistics)
      : statistics_(statistics) {
    const bool is_timed =
        compressor.is_enabled() && statistics != nullptr &&
        statistics->get_stats_level() > StatsLevel::kExceptDetailedTimers;
    if (is_timed) start_ = PerfNowNanos();
  }
  ~CompressionWatch() {
    if (start_ == 0) return;
    RecordInHistogram(statistics_, COMPRESSION_TIMES_NANOS,
                      PerfNowNanos() - start_);
  }
  CompressionWatch(const CompressionWatch&) = delete;
  CompressionWatch& operator=(const CompressionWatch&) = delete;

 private:
  Statistics* const statistics_;
  uint64_t start_ = 0;
};

}  // namespace

void BlockBasedTableBuilder::CompressDataBlock(
    const Slice& raw, BlockCompressor::Stored* stored) {
  const CompressionWatch watch(compressor_, statistics_);
  Note(compressor_.CompressData(raw, stored));
}

void BlockBasedTableBuilder::SubmitDataBlock(const Slice& raw,
                                             const WholeBlock* source) {
  if (!status_.ok()) return;
  if (sampler_.has_value()) sampler_->Note(raw);
  if (threads_ == nullptr) {
    threads_ = std::make_unique<ParallelCompressor>(compressor_, thread_count_);
    Note(threads_->Start());
    if (!status_.ok()) return;
  }
  BlockCompressor::Stored stored;
  if (TakeStored(source, raw, &stored)) {
    threads_->SubmitDone(raw, stored);
  } else {
    threads_->Submit(raw, compressor_.ChooseEffort(raw));
  }
}

// Writes the oldest blocks: those that are done, and as many more as make room
// for others; or all of which the boundary is known.
void BlockBasedTableBuilder::WriteSubmitted(Which which) {
  while (status_.ok() && !submitted_.empty()) {
    const bool must_wait = which == Which::kAll || threads_->IsFull();
    if (!must_wait && !threads_->IsOldestDone()) return;
    const std::unique_ptr<ParallelCompressor::Block> block = threads_->Take();
    Note(block->status);
    if (!status_.ok()) return;
    if (block->type != kNoCompression) compressor_.NoteUsed(block->type);
    WriteStored(block->raw, block->stored());
    if (!status_.ok()) return;
    raw_written_ += block->raw.size();
    stored_ += block->payload().size();
    const DictionaryBuffer::Boundary& boundary = submitted_.front();
    index_.Add({.separator = boundary.separator,
                .handle = open_handle_,
                .first_key = boundary.first_key});
    submitted_.pop_front();
  }
}

void BlockBasedTableBuilder::WriteStored(
    const Slice& raw, const BlockCompressor::Stored& stored) {
  assert(stored.payload.size() <= raw.size());
  TableProperties& p = gatherer_.properties();
  p.uncompressed_data_size += raw.size();
  if (stored.is_bypassed) {
    ++p.num_data_blocks_compression_bypassed;
  } else if (stored.type == kNoCompression) {
    ++p.num_data_blocks_compression_rejected;
  }
  CountCompression(raw.size(), stored);
  Note(writer_.Pad(PaddingBefore(stored.payload.size())));
  if (!status_.ok()) return;
  Note(WriteBlock(stored, &open_handle_));
  if (warmer_.is_enabled() && status_.ok()) [[unlikely]]
    warmer_.AddData(open_handle_.offset, raw);
  if (table_options_.block_align && status_.ok()) {
    Note(writer_.Pad(PaddingAfter()));
  }
}

Status BlockBasedTableBuilder::WriteBlock(const BlockCompressor::Stored& stored,
                                          BlockHandle* handle) {
  assert(!is_closed_);
  const StopWatch watch(clock_, statistics_, WRITE_RAW_BLOCK_MICROS);
  return writer_.WriteBlock(stored.payload, stored.type, handle);
}

// A block that would cross a multiple of the super block size begins there
// instead, if that wastes little enough.
size_t BlockBasedTableBuilder::PaddingBefore(size_t payload_bytes) const {
  const uint64_t unit = table_options_.super_block_alignment_size;
  if (unit == 0) [[likely]]
    return 0;
  const uint64_t bytes = payload_bytes + kBlockTrailerBytes;
  const uint64_t left = unit - writer_.offset() % unit;
  assert(left > 0 && left <= unit);
  if (bytes <= left || bytes > unit) return 0;
  const uint64_t ratio =
      table_options_.super_block_alignment_space_overhead_ratio;
  return ratio != 0 && left <= unit / ratio ? static_cast<size_t>(left) : 0;
}

size_t BlockBasedTableBuilder::PaddingAfter() const {
  const uint64_t unit =
      std::min<uint64_t>(table_options_.block_size, kDefaultPageSize);
  assert(unit > 0);
  return static_cast<size_t>((unit - writer_.offset() % unit) % unit);
}

void BlockBasedTableBuilder::CountCompression(
    size_t raw_size, const BlockCompressor::Stored& stored) const {
  assert(stored.payload.size() <= raw_size);
  if (statistics_ == nullptr) return;
  if (stored.is_bypassed) {
    RecordTick(statistics_, NUMBER_BLOCK_COMPRESSION_BYPASSED);
    RecordTick(statistics_, BYTES_COMPRESSION_BYPASSED, raw_size);
  } else if (stored.type == kNoCompression) {
    RecordTick(statistics_, NUMBER_BLOCK_COMPRESSION_REJECTED);
    RecordTick(statistics_, BYTES_COMPRESSION_REJECTED, raw_size);
  } else if (stored.is_reused) {
    RecordTick(statistics_, NUMBER_BLOCK_COMPRESSION_REUSED);
    RecordTick(statistics_, BYTES_COMPRESSION_REUSED, raw_size);
  } else {
    RecordTick(statistics_, NUMBER_BLOCK_COMPRESSED);
    RecordTick(statistics_, BYTES_COMPRESSED_FROM, raw_size);
    RecordTick(statistics_, BYTES_COMPRESSED_TO, stored.payload.size());
  }
}

void BlockBasedTableBuilder::EndBoundary(const Slice* next_key) {
  assert(has_open_boundary_);
  has_open_boundary_ = false;
  IndexBuilder::Block block;
  block.separator = index_.Separator(data_block_.last_key(), next_key);
  block.first_key = first_key_;
  block.handle = open_handle_;
  if (index_.is_partitioned()) [[unlikely]] {
    // Where a block that is held back will lie is not known.
    if (buffer_.has_value()) block.handle = {.offset = buffer_->bytes};
    EndPartitions(next_key, &block);
  }
  if (buffer_.has_value()) {
    buffer_->boundaries.push_back({block.separator.ToString(),
                                   block.first_key.ToString(),
                                   block.starts_partition});
  } else if (thread_count_ > 0) {
    submitted_.push_back(
        {block.separator.ToString(), block.first_key.ToString()});
    WriteSubmitted(Which::kDone);
  } else {
    index_.Add(block);
    if (own_index_ != nullptr) [[unlikely]]
      own_index_->EndBlock(data_block_.last_key(), next_key, block.handle);
  }
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

// Makes the dictionary and writes what was held back for it. The last block's
// boundary may still be open; it then stays so.
void BlockBasedTableBuilder::StopBuffering() {
  INVARIANT(buffer_.has_value());
  const DictionaryBuffer held = std::move(*buffer_);
  buffer_.reset();
  assert(held.boundaries.size() + 1 >= held.blocks.size());
  Note(compressor_.MakeDictionary(held.blocks));
  has_open_boundary_ = false;
  if (thread_count_ > 0) return SubmitHeld(held);
  for (size_t i = 0; i < held.blocks.size() && status_.ok(); ++i) {
    WriteDataBlock(held.blocks[i], nullptr);
    if (own_index_ != nullptr && status_.ok()) IndexHeldBlock(held, i);
    if (i < held.boundaries.size() && status_.ok()) {
      const DictionaryBuffer::Boundary& boundary = held.boundaries[i];
      index_.Add({.separator = boundary.separator,
                  .handle = open_handle_,
                  .first_key = boundary.first_key,
                  .starts_partition = boundary.starts_partition});
      has_open_boundary_ = false;
    }
  }
  static_cast<void>(dictionary_charge_.Update(0));
}

// The boundary of the last one may be open.
void BlockBasedTableBuilder::IndexHeldBlock(const DictionaryBuffer& held,
                                            size_t number) {
  Note(own_index_->AddKeysOf(held.blocks[number]));
  if (number >= held.boundaries.size() || !status_.ok()) return;
  std::string unused;
  std::string last;
  std::string next;
  Note(FindBorders(held.blocks[number], &unused, &last));
  const bool is_last = number + 1 == held.blocks.size();
  if (!is_last) Note(FindBorders(held.blocks[number + 1], &next, &unused));
  if (!status_.ok()) return;
  const Slice next_key(next);
  own_index_->EndBlock(last, is_last ? nullptr : &next_key, open_handle_);
}

void BlockBasedTableBuilder::SubmitHeld(const DictionaryBuffer& held) {
  INVARIANT(thread_count_ > 0 && submitted_.empty());
  for (size_t i = 0; i < held.blocks.size() && status_.ok(); ++i) {
    SubmitDataBlock(held.blocks[i], nullptr);
    if (i == held.boundaries.size()) break;  // The last, which is open.
    submitted_.push_back(held.boundaries[i]);
    WriteSubmitted(Which::kDone);
  }
  has_open_boundary_ =
      status_.ok() && held.boundaries.size() < held.blocks.size();
}

// What threads have to compress, at the rate of what they have compressed.
uint64_t BlockBasedTableBuilder::SubmittedBytes() const {
  if (threads_ == nullptr) return 0;
  const uint64_t bytes = threads_->pending_bytes();
  if (raw_written_ == 0) return bytes;
  return static_cast<uint64_t>(static_cast<double>(bytes) *
                               static_cast<double>(stored_) /
                               static_cast<double>(raw_written_));
}

uint64_t BlockBasedTableBuilder::EstimatedFileSize() const {
  return writer_.offset() + (buffer_.has_value() ? buffer_->bytes : 0) +
         SubmittedBytes() +
         (data_block_.empty() ? 0 : data_block_.SizeEstimate());
}

uint64_t BlockBasedTableBuilder::EstimatedTailSize() const {
  // Properties, metaindex, footer, and what tells one file from another.
  constexpr uint64_t kFixedBytes = 4096;
  // Of an index entry beside its keys: lengths, handle, restart.
  constexpr uint64_t kEntryBytes = 24;
  uint64_t bytes = kFixedBytes + index_.SizeEstimate() +
                   index_.entry_count() * kEntryBytes +
                   tombstones_.SizeEstimate();
  // The block that is open, and those that the index does not know yet.
  const uint64_t ahead = 1 + submitted_.size() +
                         (buffer_.has_value() ? buffer_->blocks.size() : 0);
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
  return is_closed_ ? writer_.offset() - tail_start_ : 0;
}

Status BlockBasedTableBuilder::Finish() {
  INVARIANT(!is_closed_);
  if (status_.ok()) {
    if (!data_block_.empty()) EndDataBlock(nullptr);
    if (has_open_boundary_) EndBoundary(nullptr);
    if (buffer_.has_value()) StopBuffering();
    if (thread_count_ > 0) WriteSubmitted(Which::kAll);
    assert(!has_open_boundary_ || !status_.ok());
    tail_start_ = writer_.offset();
  }
  for (void (BlockBasedTableBuilder::*write)() :
       {&BlockBasedTableBuilder::WriteFilter,
        &BlockBasedTableBuilder::WriteOwnIndex,
        &BlockBasedTableBuilder::WriteIndex,
        &BlockBasedTableBuilder::WriteDictionary,
        &BlockBasedTableBuilder::WriteTombstones,
        &BlockBasedTableBuilder::WriteProperties,
        &BlockBasedTableBuilder::WriteMetaindexAndFooter}) {
    if (status_.ok()) (this->*write)();
  }
  is_closed_ = true;
  threads_.reset();
  return status_;
}

void BlockBasedTableBuilder::WriteMetaBlock(const std::string& name,
                                            const Slice& payload) {
  assert(!payload.empty());
  BlockHandle handle;
  Note(WriteBlock({payload, kNoCompression}, &handle));
  const bool is_new = metaindex_.emplace(name, handle).second;
  INVARIANT(is_new);
}

Status BlockBasedTableBuilder::WriteFilterPart(const Slice& payload,
                                               BlockHandle* handle) {
  assert(filter_ != nullptr);
  Status s = WriteBlock({payload, kNoCompression}, handle);
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
    const bool is_new =
        metaindex_
            .emplace(
                prefix + std::string(
                             table_options_.filter_policy->CompatibilityName()),
                handle)
            .second;
    INVARIANT(is_new);
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
    if (compressor_.is_enabled()) CountCompression(payload.size(), stored);
  }
  assert(stored.payload.size() <= payload.size());
  return WriteBlock(stored, handle);
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
    metaindex_.emplace(name, handle);
    gatherer_.properties().index_size += payload.size();
  }
}

void BlockBasedTableBuilder::WriteOwnIndex() {
  if (own_index_ == nullptr) return;
  Slice contents;
  Note(own_index_->Finish(&contents));
  BlockHandle handle;
  if (status_.ok()) Note(WriteBlock({contents, kNoCompression}, &handle));
  if (!status_.ok()) return;
  metaindex_.emplace(own_index_->block_name(), handle);
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
  warmer_.EndIndex(order_);
  if (table_options_.format_version >= kFirstContextChecksumVersion) {
    metaindex_.emplace(kIndexBlock, index_handle_);
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
  if (sampler_.has_value()) sampler_->Store(&p);
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
  WriteMetaBlock(kPropertiesBlock, EncodeProperties(p));
}

void BlockBasedTableBuilder::WriteMetaindexAndFooter() {
  assert(metaindex_.count(kPropertiesBlock) == 1);
  BlockHandle handle;
  const std::string payload = Metaindex::Encode(metaindex_);
  Note(WriteBlock({payload, kNoCompression}, &handle));
  if (status_.ok()) Note(writer_.WriteFooter(handle, index_handle_));
}

}  // namespace ROCKSDB_NAMESPACE
