#include "table/table_filter_builder.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "table/index_encoder.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::unique_ptr<FilterBitsBuilder> NewBits(
    const FilterBuildingContext& context) {
  return std::unique_ptr<FilterBitsBuilder>(
      context.table_options.filter_policy->GetBuilderWithContext(context));
}

}  // namespace

std::unique_ptr<TableFilterBuilder> TableFilterBuilder::Create(
    Options options) {
  assert(options.context.table_options.filter_policy != nullptr);
  std::unique_ptr<FilterBitsBuilder> bits = NewBits(options.context);
  if (bits == nullptr) return nullptr;
  return std::make_unique<TableFilterBuilder>(std::move(options),
                                              std::move(bits));
}

TableFilterBuilder::TableFilterBuilder(Options options,
                                       std::unique_ptr<FilterBitsBuilder> bits)
    : options_(std::move(options)),
      has_whole_keys_(options_.context.table_options.whole_key_filtering),
      is_decoupled_(
          options_.context.table_options.decouple_partitioned_filters),
      verifies_(
          options_.context.table_options.detect_filter_construct_corruption),
      bits_(std::move(bits)) {
  assert(bits_ != nullptr);
  const BlockBasedTableOptions& table = options_.context.table_options;
  if (!table.partition_filters) return;
  const auto deviation =
      static_cast<uint64_t>(std::clamp(table.block_size_deviation, 0, 100));
  const uint64_t bytes = std::max<uint64_t>(
      (table.metadata_block_size * (100 - deviation) + 99) / 100, 1);
  assert(bytes > 0);
  partition_capacity_ = bits_->CapacityOf(static_cast<size_t>(bytes));
  // Room for the prefix of the key behind the partition.
  if (options_.prefix_extractor != nullptr && partition_capacity_ > 1) {
    --partition_capacity_;
  }
  INVARIANT(partition_capacity_ > 0);
}

uint64_t TableFilterBuilder::EstimatedBytes() const {
  constexpr size_t kSampleBytes = 64 << 10;
  uint64_t bytes = payload_bytes_;
  if (bits_ != nullptr) {
    bytes += kFilterMetadataBytes + bits_->EntryCount() * kSampleBytes /
                                        bits_->CapacityOf(kSampleBytes);
  }
  // Partitions have an index.
  for (const Partition& done : partitions_) bytes += done.key.size() + 24;
  return bytes;
}

void TableFilterBuilder::AddPrefixOf(const Slice& user_key) {
  if (!HasPrefix(user_key)) return;
  const Slice prefix = options_.prefix_extractor->Transform(user_key);
  if (has_whole_keys_) {
    bits_->AddKeyAndAlternate(prefix, prefix);
  } else {
    bits_->AddKey(prefix);
  }
}

// Sorts behind every version of the last key, and before the next user key.
std::string TableFilterBuilder::LastKey() const {
  std::string user_key = last_key_;
  user_key.append(options_.timestamp_bytes, '\0');
  std::string key;
  AppendInternalKey(&key, user_key, 0, kTypeDeletion);
  return key;
}

void TableFilterBuilder::BeforeKeyOfPartition(const Slice& user_key) {
  assert(is_partitioned());
  if (is_decoupled_ && bits_->EntryCount() >= partition_capacity_ &&
      user_key != Slice(last_key_)) {
    assert(has_last_key_);
    Cut(LastKey(), user_key);
  }
  last_key_.assign(user_key.data(), user_key.size());
  has_last_key_ = true;
}

void TableFilterBuilder::CutAt(const Slice& separator, const Slice& next) {
  assert(is_coupled());
  assert(separator.size() >= kInternalKeyTrailerBytes);
  assert(next.size() >= options_.timestamp_bytes);
  Cut(separator.ToString(),
      Slice(next.data(), next.size() - options_.timestamp_bytes));
}

// Ends the partition at `key`; `next` is the key behind.
void TableFilterBuilder::Cut(std::string key, const Slice& next) {
  AddPrefixOf(next);
  EndPartition(std::move(key));
  bits_ = NewBits(options_.context);
  INVARIANT(bits_ != nullptr);
  assert(has_last_key_);
  AddPrefixOf(last_key_);
}

void TableFilterBuilder::EndPartition(std::string key) {
  assert(bits_ != nullptr);
  entry_count_ += bits_->EntryCount();
  Partition done;
  done.key = std::move(key);
  done.payload = bits_->Finish(&done.buffer);
  assert(done.payload.data() == done.buffer.get());
  payload_bytes_ += done.payload.size();
  if (verifies_ && status_.ok() && !bits_->MatchesAll(done.payload)) {
    status_ = Status::Corruption("a filter does not match what it is made of");
  }
  bits_.reset();
  partitions_.push_back(std::move(done));
}

Status TableFilterBuilder::Finish(const IndexForm& form, const Writer& write,
                                  BlockHandle* filter) {
  *filter = BlockHandle();
  if (bits_ != nullptr && bits_->EntryCount() > 0) {
    EndPartition(is_partitioned() ? LastKey() : std::string());
  }
  if (!status_.ok()) return status_;
  assert(is_partitioned() || partitions_.size() <= 1);
  // Partitions without any entry: as if there were no filter.
  if (entry_count_ == 0) return status_;
  std::vector<BlockHandle> handles;
  for (const Partition& partition : partitions_) {
    Status s = write(partition.payload, filter);
    if (!s.ok()) return s;
    handles.push_back(*filter);
  }
  return is_partitioned() ? WriteIndex(form, write, handles, filter)
                          : Status::OK();
}

Status TableFilterBuilder::WriteIndex(const IndexForm& form,
                                      const Writer& write,
                                      const std::vector<BlockHandle>& handles,
                                      BlockHandle* filter) {
  assert(handles.size() == partitions_.size());
  IndexEncoder index(form.restart_interval, form.has_delta_values);
  for (size_t i = 0; i < handles.size(); ++i) {
    const Slice key(partitions_[i].key);
    index.Add({.key = form.has_user_keys ? ExtractUserKey(key) : key,
               .handle = handles[i]});
  }
  const Slice payload = index.Finish();
  payload_bytes_ += payload.size();
  return write(payload, filter);
}

}  // namespace ROCKSDB_NAMESPACE
