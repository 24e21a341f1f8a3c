#include "table/block_trace.h"

#include <string>

#include "monitoring/io_activity.h"
#include "monitoring/trace/block_cache_tracer.h"
#include "table/block.h"
#include "table/block_cursor.h"
#include "table/table_parts.h"

namespace ROCKSDB_NAMESPACE {

BlockTrace::BlockTrace(BlockCacheTracer* tracer, uint64_t file_number)
    : tracer_(tracer),
      is_on_(tracer != nullptr ? tracer->on_switch() : nullptr),
      file_number_(file_number) {}

namespace {

TraceType TraceTypeOf(BlockKind kind) {
  switch (kind) {
    case BlockKind::kIndex:
      return kBlockTraceIndexBlock;
    case BlockKind::kFilter:
      return kBlockTraceFilterBlock;
    case BlockKind::kData:
      return kBlockTraceDataBlock;
  }
  return kTraceMax;
}

TableReaderCaller CallerOf(Env::IOActivity activity) {
  switch (activity) {
    case Env::IOActivity::kDBIterator:
      return kUserIterator;
    case Env::IOActivity::kVerifyDBChecksum:
    case Env::IOActivity::kVerifyFileChecksums:
      return kUserVerifyChecksum;
    case Env::IOActivity::kCompaction:
      return kCompaction;
    case Env::IOActivity::kFlush:
      return kFlush;
    case Env::IOActivity::kDBOpen:
      return kPrefetch;
    default:
      return kUncategorized;
  }
}

// What a record says of the keys in a data block.
struct FoundKeys {
  std::string first;  // internal, as stored; empty: none was found
  uint64_t bytes = 0;
};

// Merge operands are of use up to the value that they are merged onto.
void FindKey(const TableParts& parts, const Block& block, const Slice& sought,
             BlockCursor* cursor, FoundKeys* found) {
  const Slice user_key = ExtractUserKey(sought);
  cursor->Reset(&block.layout());
  for (cursor->SeekForGet(sought); cursor->Valid(); cursor->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(cursor->key(), &key) ||
        !parts.order.EqualUserKeys(key.user_key, user_key)) {
      return;
    }
    if (found->first.empty()) found->first = cursor->key().ToString();
    found->bytes += key.user_key.size() + cursor->value().size();
    if (key.type != kTypeMerge) return;
  }
}

uint64_t CountEntries(const Block& block, BlockCursor* cursor) {
  uint64_t count = 0;
  cursor->Reset(&block.layout());
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) ++count;
  return count;
}

void WriteAccess(const TableParts& parts, const ReadOptions& read,
                 const BlockAccess& access, const Slice& referenced_key,
                 BlockCacheTraceRecord record) {
  const CacheKey key = parts.cache.KeyOf(access.kind, access.offset);
  record.block_type = TraceTypeOf(access.kind);
  record.no_insert = !read.fill_cache || read.read_tier == kBlockCacheTier;
  record.block_size = access.is_hit || !record.no_insert ? access.bytes : 0;
  record.is_cache_hit = access.is_hit;
  record.cf_id = parts.properties->column_family_id;
  record.level =
      parts.level < 0 ? UINT32_MAX : static_cast<uint32_t>(parts.level);
  record.sst_fd_number = parts.trace.file_number();
  const BlockRequester* const requester = BlockRequesterScope::Current();
  if (requester == nullptr) {
    record.caller = CallerOf(IoActivityOr(read.io_activity));
  } else {
    record.caller = requester->caller;
    record.get_id = requester->lookup_id;
    record.get_from_user_specified_snapshot = requester->has_user_snapshot;
  }
  parts.trace.tracer()->Write(std::move(record),
                              {.block_key = key.AsSlice(),
                               .family = parts.properties->column_family_name,
                               .referenced_key = referenced_key});
}

bool IsWanted(const TableParts& parts, const BlockAccess& access) {
  if (!parts.cache.is_enabled() || !parts.trace.is_on()) return false;
  const CacheKey key = parts.cache.KeyOf(access.kind, access.offset);
  return parts.trace.tracer()->Wants(key.AsSlice());
}

}  // namespace

void TraceAccess(const TableParts& parts, const ReadOptions& read,
                 const BlockAccess& access) {
  if (!IsWanted(parts, access)) return;
  const BlockRequester* const requester = BlockRequesterScope::Current();
  WriteAccess(parts, read, access,
              requester != nullptr ? requester->sought_key : Slice(),
              BlockCacheTraceRecord());
}

void TraceDataAccess(const TableParts& parts, const ReadOptions& read,
                     const BlockAccess& access, const Block* block,
                     const SoughtKeys& sought) {
  if (!IsWanted(parts, access)) return;
  BlockCacheTraceRecord record;
  FoundKeys found;
  if (block != nullptr) {
    BlockCursor cursor(&parts.order, parts.rewrite);
    for (size_t i = 0; i < sought.count; ++i) {
      FindKey(parts, *block, sought.keys[i], &cursor, &found);
    }
    record.num_keys_in_block = CountEntries(*block, &cursor);
  }
  record.referenced_data_size = found.bytes;
  record.referenced_key_exist_in_block = !found.first.empty();
  Slice referenced = found.first;
  if (found.first.empty() && sought.count == 1) referenced = sought.keys[0];
  WriteAccess(parts, read, access, referenced, std::move(record));
}

}  // namespace ROCKSDB_NAMESPACE
