#include "table/table_parts.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "rocksdb/filter_policy.h"

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

BlockBytes CopyOf(const BlockBytes& bytes) {
  const size_t size = bytes.data().size();
  auto buffer = std::make_unique_for_overwrite<char[]>(size);
  std::copy_n(bytes.data().data(), size, buffer.get());
  const Slice copy(buffer.get(), size);
  return BlockBytes(std::move(buffer), size, copy);
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
  if (parts.caches_metadata && !bytes.is_owned()) bytes = CopyOf(bytes);
  assert(parts.options->filter_policy != nullptr);
  std::unique_ptr<FilterBitsReader> reader(
      parts.options->filter_policy->GetFilterBitsReader(bytes.data()));
  if (reader == nullptr) reader = NewBuiltinFilterBitsReader(bytes.data());
  if (*filter == nullptr) {
    *filter =
        std::make_unique<FilterBlock>(std::move(bytes), std::move(reader));
  } else {
    (*filter)->AddPartition(std::move(bytes), std::move(reader));
  }
  return s;
}

}  // namespace

Status LoadIndex(const TableParts& parts, const FetchOptions& base,
                 std::unique_ptr<IndexBlock>* result) {
  PERF_TIMER_GUARD(read_index_block_nanos);
  FetchOptions fetch = base;
  assert(fetch.read != nullptr && parts.index_decompressor != nullptr);
  fetch.decompressor = parts.index_decompressor.get();
  auto index = std::make_unique<IndexBlock>(parts.index_encoding);
  Status s;
  if (!parts.is_index_partitioned) {
    s = AppendIndexBlock(parts, parts.index_handle, fetch, index.get());
  } else {
    // Its values are handles of partitions, without first keys.
    IndexEncoding top_encoding = parts.index_encoding;
    top_encoding.has_first_keys = false;
    IndexBlock top(top_encoding);
    s = AppendIndexBlock(parts, parts.index_handle, fetch, &top);
    for (size_t i = 0; s.ok() && i < top.size(); ++i) {
      s = AppendIndexBlock(parts, top.handle(i), fetch, index.get());
    }
  }
  if (!s.ok()) return s;
  index->Finish(parts.order);
  *result = std::move(index);
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
  FetchOptions index_fetch = fetch;
  index_fetch.decompressor = parts.index_decompressor.get();
  IndexEncoding encoding = parts.index_encoding;
  encoding.has_first_keys = false;
  encoding.rewrite.sequence = KeyRewrite::kKeep;
  IndexBlock index(encoding);
  Status s = AppendIndexBlock(parts, facts.handle, index_fetch, &index);
  if (!s.ok()) return s;
  index.Finish(parts.order);
  assert(filter == nullptr);
  filter = std::make_unique<FilterBlock>(index);
  for (size_t i = 0; s.ok() && i < index.size(); ++i) {
    s = AppendFilterPart(parts, index.handle(i), fetch, &filter);
  }
  if (s.ok()) *result = std::move(filter);
  return s;
}

Status TableParts::FindIndex(const ReadOptions& read,
                             BlockRef<IndexBlock>* result) const {
  if (index) {
    *result = BlockRef<IndexBlock>::Borrowed(index.get());
    return Status::OK();
  }
  assert(caches_metadata);
  BlockRef<IndexBlock> found = cache.Lookup<IndexBlock>(index_handle.offset);
  if (!found) {
    if (read.read_tier == kBlockCacheTier) return NotInCache(file);
    std::unique_ptr<IndexBlock> loaded;
    Status s = LoadIndex(*this, {.read = &read}, &loaded);
    if (!s.ok()) return s;
    assert(loaded != nullptr);
    found = read.fill_cache ? cache.Insert(index_handle.offset,
                                           std::move(loaded), metadata_priority)
                            : BlockRef<IndexBlock>::Owned(std::move(loaded));
  }
  *result = std::move(found);
  return Status::OK();
}

Status TableParts::FindFilter(const ReadOptions& read,
                              BlockRef<FilterBlock>* result) const {
  if (filter) {
    *result = BlockRef<FilterBlock>::Borrowed(filter.get());
    return Status::OK();
  }
  if (filter_facts.kind == FilterFacts::Kind::kNone) return Status::OK();
  assert(caches_metadata);
  const uint64_t offset = filter_facts.handle.offset;
  BlockRef<FilterBlock> found = cache.Lookup<FilterBlock>(offset);
  if (!found) {
    // Without a read there is no filter: the caller goes on without.
    if (read.read_tier == kBlockCacheTier) return Status::OK();
    std::unique_ptr<FilterBlock> loaded;
    Status s = LoadFilter(*this, {.read = &read}, &loaded);
    if (!s.ok()) return s;
    assert(loaded != nullptr);
    found = read.fill_cache
                ? cache.Insert(offset, std::move(loaded), metadata_priority)
                : BlockRef<FilterBlock>::Owned(std::move(loaded));
  }
  *result = std::move(found);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
