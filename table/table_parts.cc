#include "table/table_parts.h"

#include <cassert>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/info_log.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status NotInCache(const TableFile& file) {
  return Status::Incomplete("a block is not in the cache", file.name());
}

Status AppendIndexBlock(const TableParts& parts, const BlockHandle& handle,
                        const FetchOptions& fetch, IndexBlock* index) {
  BlockBytes bytes;
  Status s = FetchBlock(parts.file, handle, fetch, &bytes);
  if (!s.ok()) return s;
  PERF_COUNTER_ADD(index_block_read_count, 1);
  PERF_COUNTER_ADD(index_block_read_byte, handle.size);
  if (const char* problem = index->Append(bytes.data())) {
    return parts.file.Corrupt(handle.offset, problem);
  }
  return s;
}

Status AppendFilterPart(const TableParts& parts, const BlockHandle& handle,
                        const FetchOptions& fetch,
                        std::unique_ptr<FilterBlock>* filter) {
  BlockBytes bytes;
  Status s = FetchBlock(parts.file, handle, fetch, &bytes);
  if (!s.ok()) return s;
  PERF_COUNTER_ADD(filter_block_read_count, 1);
  PERF_COUNTER_ADD(filter_block_read_byte, handle.size);
  // In a block cache it may outlive the file's mapping.
  if (parts.caches_metadata && !bytes.is_owned()) {
    bytes = BlockBytes::CopyOf(bytes.data());
  }
  assert(parts.options->filter_policy != nullptr);
  std::unique_ptr<FilterBitsReader> reader(
      parts.options->filter_policy->GetFilterBitsReader(bytes.data()));
  if (reader == nullptr) reader = NewBuiltinFilterBitsReader(bytes.data());
  if (!reader->IsUsable() && !parts.has_told_of_filter.exchange(true)) {
    Warn(parts.logger,
         "%s: the filter at offset %llu is not used: unknown kind",
         parts.file.name().c_str(),
         static_cast<unsigned long long>(handle.offset));
  }
  if (*filter == nullptr) {
    *filter =
        std::make_unique<FilterBlock>(std::move(bytes), std::move(reader));
  } else {
    (*filter)->AddPartition(std::move(bytes), std::move(reader));
  }
  return s;
}

IndexEncoding TopEncoding(const TableParts& parts) {
  // Values are handles of partitions, without first keys.
  IndexEncoding encoding = parts.index_encoding;
  encoding.has_first_keys = false;
  return encoding;
}

IndexEncoding FilterIndexEncoding(const TableParts& parts) {
  IndexEncoding encoding = TopEncoding(parts);
  encoding.rewrite.sequence = KeyRewrite::kKeep;
  return encoding;
}

// One index block, with whatever its values are handles of.
Status LoadIndexBlock(const TableParts& parts, const BlockHandle& handle,
                      const FetchOptions& base, IndexBlock index,
                      std::unique_ptr<IndexBlock>* result) {
  FetchOptions fetch = base;
  assert(fetch.read != nullptr);
  fetch.decompressor = parts.index_decompressor.get();
  Status s = AppendIndexBlock(parts, handle, fetch, &index);
  if (!s.ok()) return s;
  index.Finish(parts.order);
  *result = std::make_unique<IndexBlock>(std::move(index));
  return s;
}

// The block over partitions, which lie in front of it. What led back to itself
// would be read as what it is not.
Status LoadTop(const TableParts& parts, const BlockHandle& handle,
               const FetchOptions& fetch, const IndexEncoding& encoding,
               std::unique_ptr<IndexBlock>* result) {
  std::unique_ptr<IndexBlock> top;
  Status s = LoadIndexBlock(parts, handle, fetch, IndexBlock(encoding), &top);
  if (!s.ok()) return s;
  for (size_t i = 0; i < top->size(); ++i) {
    if (top->handle(i).FitsBefore(handle.offset)) continue;
    return parts.file.Corrupt(handle.offset,
                              "partition " + top->handle(i).ToString() +
                                  " is not in front of its index");
  }
  *result = std::move(top);
  return s;
}

// The filter's index, whose partitions stay where they are.
Status LoadFilterTop(const TableParts& parts, const FetchOptions& fetch,
                     std::unique_ptr<FilterBlock>* result) {
  std::unique_ptr<IndexBlock> index;
  Status s = LoadTop(parts, parts.filter_facts.handle, fetch,
                     FilterIndexEncoding(parts), &index);
  if (!s.ok()) return s;
  *result = std::make_unique<FilterBlock>(std::move(*index),
                                          FilterBlock::Partitions::kApart);
  return s;
}

}  // namespace

Status LoadIndex(const TableParts& parts, const FetchOptions& base,
                 std::unique_ptr<IndexBlock>* result) {
  PERF_TIMER_GUARD(read_index_block_nanos);
  IndexBlock index(parts.index_encoding);
  if (!parts.is_index_partitioned) {
    return LoadIndexBlock(parts, parts.index_handle, base, std::move(index),
                          result);
  }
  std::unique_ptr<IndexBlock> top;
  Status s = LoadTop(parts, parts.index_handle, base, TopEncoding(parts), &top);
  FetchOptions fetch = base;
  fetch.decompressor = parts.index_decompressor.get();
  for (size_t i = 0; s.ok() && i < top->size(); ++i) {
    s = AppendIndexBlock(parts, top->handle(i), fetch, &index);
  }
  if (!s.ok()) return s;
  index.Finish(parts.order);
  *result = std::make_unique<IndexBlock>(std::move(index));
  assert(*result != nullptr);
  return s;
}

Status LoadFilter(const TableParts& parts, const FetchOptions& fetch,
                  std::unique_ptr<FilterBlock>* result) {
  PERF_TIMER_GUARD(read_filter_block_nanos);
  const FilterFacts& facts = parts.filter_facts;
  assert(facts.kind != FilterFacts::Kind::kNone);
  std::unique_ptr<FilterBlock> filter;
  if (facts.kind == FilterFacts::Kind::kFull) {
    Status s = AppendFilterPart(parts, facts.handle, fetch, &filter);
    if (s.ok()) *result = std::move(filter);
    return s;
  }
  std::unique_ptr<IndexBlock> index;
  Status s =
      LoadTop(parts, facts.handle, fetch, FilterIndexEncoding(parts), &index);
  if (!s.ok()) return s;
  assert(filter == nullptr);
  filter =
      std::make_unique<FilterBlock>(*index, FilterBlock::Partitions::kHeld);
  for (size_t i = 0; s.ok() && i < index->size(); ++i) {
    s = AppendFilterPart(parts, index->handle(i), fetch, &filter);
  }
  if (s.ok()) *result = std::move(filter);
  return s;
}

template <class T, class Load>
Status TableParts::LoadMissing(const ReadOptions& read, uint64_t offset,
                               const Load& load, BlockRef<T>* result) const {
  if (read.read_tier == kBlockCacheTier) return NotInCache(file);
  std::unique_ptr<T> loaded;
  Status s = load(FetchOptions{.read = &read}, &loaded);
  if (!s.ok()) return s;
  assert(loaded != nullptr);
  const StoredForm form{};  // Empty: the cache may save the form in memory.
  *result = read.fill_cache ? cache.Insert(offset, std::move(loaded),
                                           metadata_priority, &form)
                            : BlockRef<T>::Owned(std::move(loaded));
  return s;
}

template <class T, class Load>
Status TableParts::FindCached(const ReadOptions& read, uint64_t offset,
                              const Load& load, BlockRef<T>* result) const {
  assert(caches_metadata);
  BlockRef<T> found = cache.Lookup<T>(offset);
  const bool is_hit = static_cast<bool>(found);
  Status s;
  if (!is_hit) s = LoadMissing(read, offset, load, &found);
  if (trace.is_on()) [[unlikely]] {
    TraceAccess(*this, read,
                {.kind = kBlockKindOf<T>,
                 .offset = offset,
                 .bytes = found ? found->memory_bytes() : 0,
                 .is_hit = is_hit});
  }
  if (s.ok()) *result = std::move(found);
  return s;
}

Status TableParts::FindIndex(const ReadOptions& read,
                             BlockRef<IndexBlock>* result) const {
  if (index) {
    *result = BlockRef<IndexBlock>::Borrowed(index.get());
    return Status::OK();
  }
  return FindCached<IndexBlock>(
      read, index_handle.offset,
      [this](const FetchOptions& fetch, std::unique_ptr<IndexBlock>* loaded) {
        return is_index_split() ? LoadTop(*this, index_handle, fetch,
                                          TopEncoding(*this), loaded)
                                : LoadIndex(*this, fetch, loaded);
      },
      result);
}

Status TableParts::FindIndexPartition(const ReadOptions& read,
                                      const IndexBlock& top, size_t number,
                                      BlockRef<IndexBlock>* result) const {
  assert(is_index_split() && number < top.size());
  if (number < index_partitions.size()) {
    *result = BlockRef<IndexBlock>::Borrowed(index_partitions[number].get());
    return Status::OK();
  }
  const BlockHandle& handle = top.handle(number);
  return FindCached<IndexBlock>(
      read, handle.offset,
      [&](const FetchOptions& fetch, std::unique_ptr<IndexBlock>* loaded) {
        PERF_TIMER_GUARD(read_index_block_nanos);
        return LoadIndexBlock(*this, handle, fetch, IndexBlock(index_encoding),
                              loaded);
      },
      result);
}

Status TableParts::FindWholeIndex(const ReadOptions& read,
                                  BlockRef<IndexBlock>* result) const {
  if (!is_index_split()) return FindIndex(read, result);
  std::unique_ptr<IndexBlock> loaded;
  Status s = LoadIndex(*this, {.read = &read}, &loaded);
  if (s.ok()) *result = BlockRef<IndexBlock>::Owned(std::move(loaded));
  return s;
}

Status TableParts::PassOverFilter(const Status& why) const {
  // Without a read there is no filter: the caller goes on without.
  if (why.IsIncomplete()) return Status::OK();
  if (!why.IsCorruption()) return why;
  if (!has_told_of_filter.exchange(true)) {
    Warn(logger, "%s: its filter is not used: %s", file.name().c_str(),
         why.ToString().c_str());
  }
  return Status::OK();
}

Status TableParts::FindFilter(const ReadOptions& read,
                              BlockRef<FilterBlock>* result) const {
  if (filter) {
    *result = BlockRef<FilterBlock>::Borrowed(filter.get());
    return Status::OK();
  }
  if (filter_facts.kind == FilterFacts::Kind::kNone) return Status::OK();
  // What is not cached was held when the file was opened, unless it is damaged.
  if (!caches_metadata) return Status::OK();
  Status s = FindCached<FilterBlock>(
      read, filter_facts.handle.offset,
      [this](const FetchOptions& fetch, std::unique_ptr<FilterBlock>* loaded) {
        return is_filter_split() ? LoadFilterTop(*this, fetch, loaded)
                                 : LoadFilter(*this, fetch, loaded);
      },
      result);
  return PassOverFilter(s);
}

Status TableParts::FindFilterPartition(const ReadOptions& read,
                                       const FilterBlock& top, size_t number,
                                       BlockRef<FilterBlock>* result) const {
  assert(is_filter_split());
  if (number < filter_partitions.size() && filter_partitions[number]) {
    *result = BlockRef<FilterBlock>::Borrowed(filter_partitions[number].get());
    return Status::OK();
  }
  const BlockHandle& handle = top.PartitionAt(number);
  Status s = FindCached<FilterBlock>(
      read, handle.offset,
      [&](const FetchOptions& fetch, std::unique_ptr<FilterBlock>* loaded) {
        PERF_TIMER_GUARD(read_filter_block_nanos);
        return AppendFilterPart(*this, handle, fetch, loaded);
      },
      result);
  return PassOverFilter(s);
}

}  // namespace ROCKSDB_NAMESPACE
