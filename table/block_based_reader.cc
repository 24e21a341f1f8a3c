#include "table/block_based_reader.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "file/input_stream.h"
#include "file/prefetch_buffer.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "table/block_batch.h"
#include "table/block_source.h"
#include "table/index_cursor.h"
#include "table/own_index.h"
#include "table/own_index_batch.h"
#include "table/point_feed.h"
#include "table/point_lookup.h"
#include "table/table_filter.h"
#include "table/table_iterator.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Read at once when every block of a file is verified.
constexpr size_t kVerifyReadaheadBytes = 256 << 10;

}  // namespace

BlockBasedTableReader::BlockBasedTableReader(
    std::unique_ptr<const TableParts> parts, MemoryCharge charge)
    : parts_(std::move(parts)), charge_(std::move(charge)) {
  INVARIANT(parts_->properties != nullptr);
  INVARIANT(parts_->tombstones != nullptr);
}

std::unique_ptr<InternalIterator> BlockBasedTableReader::NewIterator(
    const TableIteratorOptions& options) const {
  assert(options.read_options != nullptr);
  PERF_TIMER_GUARD(new_table_iterator_nanos);
  const ReadOptions& read = *options.read_options;
  if (IsAllNewer(*parts_, read)) {
    return NewEmptyInternalIterator(Status::OK());
  }
  const FilterCheck filter{.prefix_extractor = options.prefix_extractor,
                           .is_skipped = options.skip_filters};
  if (WantsOwnIndex(*parts_, read)) [[unlikely]] {
    OwnIndexCursor own(*parts_, read);
    if (Status s = own.Open(); !s.ok()) {
      return NewEmptyInternalIterator(std::move(s));
    }
    return std::make_unique<
        TableIterator<CachedBlocks, ReadTime::kAtOnce, OwnIndexCursor>>(
        *parts_, read, std::move(own), filter);
  }
  IndexCursor index(*parts_, read);
  Status s = index.Open();
  if (!s.ok()) return NewEmptyInternalIterator(std::move(s));
  if (options.puts_off_reads && parts_->index_encoding.has_first_keys) {
    return std::make_unique<TableIterator<CachedBlocks, ReadTime::kLate>>(
        *parts_, read, std::move(index), filter);
  }
  return std::make_unique<TableIterator<CachedBlocks>>(
      *parts_, read, std::move(index), filter);
}

void BlockBasedTableReader::BulkRange(const ReadOptions& options,
                                      const IndexBlock& index, uint64_t* begin,
                                      uint64_t* end) const {
  *begin = 0;
  *end = 0;
  if (index.size() == 0) return;
  size_t first = 0;
  size_t last = index.size() - 1;
  const auto block_of = [&](const Slice& bound) {
    const InternalKey key(WithMaxTimestamp(bound, parts_->timestamp_bytes),
                          kMaxSequenceNumber, kValueTypeForSeek);
    return index.Seek(parts_->order, key.Encode());
  };
  if (options.iterate_lower_bound != nullptr) {
    first = block_of(*options.iterate_lower_bound);
    if (first == index.size()) return;
  }
  if (options.iterate_upper_bound != nullptr) {
    last = std::min(last, block_of(*options.iterate_upper_bound));
  }
  assert(first < index.size() && last < index.size());
  *begin = index.handle(first).offset;
  *end = index.handle(std::max(first, last)).end_with_trailer();
}

Status BlockBasedTableReader::NewBulkIterator(
    const TableIteratorOptions& options, std::unique_ptr<InputStream> data,
    std::unique_ptr<InternalIterator>* result) const {
  assert(options.read_options != nullptr);
  assert(data != nullptr);
  const ReadOptions& read = *options.read_options;
  BlockRef<IndexBlock> index;
  if (parts_->index && !parts_->is_index_split()) {
    index = BlockRef<IndexBlock>::Borrowed(parts_->index.get());
  } else {
    // Not through the cache: a bulk read neither fills it nor counts there.
    std::unique_ptr<IndexBlock> loaded;
    Status s = LoadIndex(*parts_, {.read = &read}, &loaded);
    if (!s.ok()) return s;
    index = BlockRef<IndexBlock>::Owned(std::move(loaded));
  }
  assert(index);
  uint64_t begin = 0;
  uint64_t end = 0;
  BulkRange(read, *index, &begin, &end);
  if (begin < end) {
    if (end > parts_->file.size) {
      return parts_->file.Corrupt(begin, "the index reaches out of the file");
    }
    if (Status s = data->SetRange(begin, end); !s.ok()) return s;
  }
  data->Start();
  *result = std::make_unique<TableIterator<StreamedBlocks>>(
      *parts_, read, std::move(index), std::move(data));
  return Status::OK();
}

Status BlockBasedTableReader::Get(const ReadOptions& options,
                                  const Slice& internal_key,
                                  const SliceTransform* prefix_extractor,
                                  PointLookup* lookup) const {
  if (!parts_->trace.is_on()) [[likely]]
    return GetUntold(options, internal_key, prefix_extractor, lookup);
  const BlockRequester requester{
      .caller = kUserGet,
      .lookup_id = lookup->TraceId(parts_->trace.tracer()),
      .has_user_snapshot = options.snapshot != nullptr,
      .sought_key = internal_key};
  const BlockRequesterScope scope(requester);
  return GetUntold(options, internal_key, prefix_extractor, lookup);
}

Status BlockBasedTableReader::GetUntold(const ReadOptions& options,
                                        const Slice& internal_key,
                                        const SliceTransform* prefix_extractor,
                                        PointLookup* lookup) const {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  const FilterCheck filter{.prefix_extractor = prefix_extractor};
  bool may_match = true;
  Status s = filter.MayMatchKey(*parts_, options, internal_key, &may_match);
  if (!s.ok() || !may_match) return s;
  if (WantsOwnIndex(*parts_, options)) [[unlikely]] {
    OwnIndexCursor own(*parts_, options);
    s = own.Open();
    if (s.ok()) s = own.Seek(internal_key);
    if (!s.ok() || !own.Valid()) return s;
    return FeedByOwnIndex(*parts_,
                          {.read = &options, .index = &own, .filter = &filter},
                          internal_key, lookup);
  }
  IndexCursor index(*parts_, options);
  s = index.Open();
  if (s.ok()) s = index.Seek(internal_key);
  if (!s.ok() || !index.Valid() ||
      index.BeginsBehind(ExtractUserKey(internal_key))) {
    return s;
  }
  return FeedFromBlocks(*parts_,
                        {.read = &options, .index = &index, .filter = &filter},
                        BlockRef<Block>(), internal_key, lookup);
}

std::unique_ptr<TableBatch> BlockBasedTableReader::NewBatch(
    const TableBatchOptions& options, TableLookup* lookups,
    size_t count) const {
  assert(options.read_options != nullptr);
  if (WantsOwnIndex(*parts_, *options.read_options)) [[unlikely]] {
    return std::make_unique<OwnIndexBatch>(*this, options, lookups, count);
  }
  return std::make_unique<BlockBatch>(*parts_, options, lookups, count);
}

uint64_t BlockBasedTableReader::ApproximateOffsetOf(
    const Slice& internal_key) const {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  const BlockRequester requester{.caller = kUserApproximateSize};
  const BlockRequesterScope scope(requester);
  const ReadOptions read;
  IndexCursor index(*parts_, read);
  Status s = index.Open();
  if (s.ok()) s = index.Seek(internal_key);
  if (s.ok() && index.Valid()) return index.handle().offset;
  // Behind all keys; or an estimate, still.
  return s.ok() ? index.DataRange(nullptr, nullptr).end
                : parts_->properties->data_size;
}

Status BlockBasedTableReader::Anchors(const ReadOptions& options,
                                      size_t max_count,
                                      std::vector<Anchor>* anchors) const {
  anchors->clear();
  BlockRef<IndexBlock> index;
  Status s = parts_->FindWholeIndex(options, &index);
  if (!s.ok() || max_count == 0) return s;
  const size_t blocks = index->size();
  const size_t parts = std::min(max_count, blocks);
  uint64_t done = 0;
  for (size_t i = 1; i <= parts; ++i) {
    // Written so that the last anchor is the last block.
    const size_t block = i * blocks / parts - 1;
    assert(block < blocks);
    const uint64_t end = index->handle(block).end_with_trailer();
    anchors->push_back({.user_key = index->user_key(block).ToString(),
                        .range_bytes = end - std::min(done, end)});
    done = end;
  }
  assert(anchors->size() <= max_count);
  return s;
}

FSRandomAccessFile* BlockBasedTableReader::file() const {
  return parts_->file.reader->file();
}

size_t BlockBasedTableReader::ApproximateMemoryUsage() const {
  size_t total = sizeof(*this) + sizeof(TableParts) +
                 parts_->properties->ApproximateMemoryUsage() +
                 (parts_->data_decompressor != parts_->index_decompressor
                      ? parts_->data_decompressor->ApproximateOwnedMemoryUsage()
                      : 0) +
                 (parts_->heat ? parts_->heat->memory_bytes() : 0) +
                 (parts_->prefixes ? parts_->prefixes->memory_bytes() : 0) +
                 (parts_->own_index ? parts_->own_index->memory_bytes() : 0) +
                 parts_->tombstones->memory_bytes();
  if (!parts_->caches_metadata) {
    if (parts_->index) total += parts_->index->memory_bytes();
    if (parts_->filter) total += parts_->filter->memory_bytes();
  }
  return total;
}

Status BlockBasedTableReader::IndexPartitions(
    const ReadOptions& options, std::vector<BlockHandle>* handles) const {
  std::vector<BlockHandle> tops;
  if (parts_->is_index_partitioned) tops.push_back(parts_->index_handle);
  if (parts_->filter_facts.kind == FilterFacts::Kind::kPartitioned) {
    tops.push_back(parts_->filter_facts.handle);
  }
  IndexEncoding encoding = parts_->index_encoding;
  encoding.has_first_keys = false;
  for (const BlockHandle& top : tops) {
    BlockBytes bytes;
    Status s = FetchBlock(
        parts_->file, top,
        {.read = &options, .decompressor = parts_->index_decompressor.get()},
        &bytes);
    if (!s.ok()) return s;
    IndexBlock index(encoding);
    if (const char* problem = index.Append(bytes.data())) {
      return parts_->file.Corrupt(top.offset, problem);
    }
    for (size_t i = 0; i < index.size(); ++i) {
      handles->push_back(index.handle(i));
    }
  }
  return Status::OK();
}

Status BlockBasedTableReader::VerifyBlocks(
    const ReadOptions& options, const std::vector<BlockHandle>& handles) const {
  PrefetchOptions ahead;
  ahead.readahead_bytes =
      std::max(options.readahead_size, kVerifyReadaheadBytes);
  ahead.statistics = parts_->file.statistics;
  ahead.reader = PrefetchReader::kOther;
  PrefetchBuffer prefetch(parts_->file.reader.get(), ahead);
  for (const BlockHandle& handle : handles) {
    BlockBytes stored;
    Status s = FetchStored(parts_->file, handle,
                           {.read = &options, .prefetch = &prefetch}, &stored);
    assert(!s.ok() || stored.data().size() > handle.size);
    if (s.ok()) s = CheckTrailer(parts_->file, handle, stored.data().data());
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status BlockBasedTableReader::VerifyStream(
    const ReadOptions& options, const std::vector<BlockHandle>& handles,
    InputStream* data) const {
  for (const BlockHandle& handle : handles) {
    IOOptions unused;  // A stream has its own; whether it is over counts.
    Status s = IoOptionsOf(options, parts_->file.clock, &unused);
    if (s.ok()) s = CheckHandle(parts_->file, handle);
    if (!s.ok()) return s;
    Slice stored;
    s = data->Read(handle.offset, handle.size + kBlockTrailerBytes, &stored);
    if (s.ok()) s = CheckTrailer(parts_->file, handle, stored.data());
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status BlockBasedTableReader::VerifyChecksum(const ReadOptions& options,
                                             InputStream* data) const {
  ReadOptions read = options;
  read.verify_checksums = true;
  read.read_tier = kReadAllTier;
  read.fill_cache = false;
  BlockRef<IndexBlock> index;
  Status s = parts_->FindWholeIndex(read, &index);
  if (!s.ok()) return s;
  std::vector<BlockHandle> handles;
  for (size_t i = 0; i < index->size(); ++i) {
    handles.push_back(index->handle(i));
  }
  s = IndexPartitions(read, &handles);
  if (!s.ok()) return s;
  handles.push_back(parts_->index_handle);
  for (const auto& [name, handle] : parts_->metaindex.blocks()) {
    // Opening the file has verified the properties; an ingested file's may
    // differ from their trailer. A handle of size 0 stands for no block.
    const bool is_checked = name == kPropertiesBlock ||
                            name == kOldPropertiesBlock || name == kIndexBlock;
    if (!is_checked && handle.size != 0) handles.push_back(handle);
  }
  handles.push_back(parts_->file.footer.metaindex);
  // By offset, so that the file is read once, from front to back.
  std::sort(handles.begin(), handles.end(),
            [](const BlockHandle& a, const BlockHandle& b) {
              return a.offset < b.offset;
            });
  return data != nullptr ? VerifyStream(read, handles, data)
                         : VerifyBlocks(read, handles);
}

}  // namespace ROCKSDB_NAMESPACE
