#include "db/read/stored_entries.h"

#include <string>

#include "db/family/column_family.h"
#include "db/read/scan_source.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

Status VisitStoredEntries(const SuperVersion& state, const EntryRange& range,
                          KeyText key_text, const VisitEntry& visit) {
  const InternalKeyComparator& order = state.cfd->order();
  ReadOptions options = range.read;
  options.total_order_seek = true;
  options.fill_cache = false;
  ScanSource source;
  // Told that there are no tombstones, the source skips nothing for them.
  if (Status s = NewScanSource(
          {.options = &options, .state = &state, .has_tombstones = false},
          &source);
      !s.ok()) {
    return s;
  }
  InternalIterator& entries = *source.entries;
  if (range.begin.has_value()) {
    const InternalKey first(
        WithMaxTimestamp(*range.begin, order.timestamp_size()),
        kMaxSequenceNumber, kValueTypeForSeek);
    entries.Seek(first.Encode());
  } else {
    entries.SeekToFirst();
  }
  for (; entries.Valid(); entries.Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(entries.key(), &key)) {
      return Status::Corruption("Corrupted Key",
                                InternalKeyText(entries.key(), key_text));
    }
    if (range.end.has_value() &&
        order.CompareToGiven(key.user_key, *range.end) > 0) {
      break;
    }
    Slice value;
    if (!entries.GetValue(&value) || !visit(key, value)) break;
  }
  return entries.status();
}

}  // namespace ROCKSDB_NAMESPACE
