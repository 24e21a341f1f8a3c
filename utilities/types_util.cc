#include "rocksdb/utilities/types_util.h"

#include "util/key/entry_type.h"
#include "util/key/internal_key.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckSeekArguments(const Comparator* comparator,
                          const std::string* buf) {
  if (comparator == nullptr) {
    return Status::InvalidArgument("comparator is null");
  }
  if (buf == nullptr) return Status::InvalidArgument("buf is null");
  return Status::OK();
}

}  // namespace

Status GetInternalKeyForSeek(const Slice& user_key,
                             const Comparator* comparator, std::string* buf) {
  if (Status s = CheckSeekArguments(comparator, buf); !s.ok()) return s;
  std::string key;
  AppendInternalKey(&key,
                    WithMaxTimestamp(user_key, comparator->timestamp_size()),
                    kMaxSequenceNumber, kValueTypeForSeek);
  buf->swap(key);
  return Status::OK();
}

Status GetInternalKeyForSeekForPrev(const Slice& user_key,
                                    const Comparator* comparator,
                                    std::string* buf) {
  if (Status s = CheckSeekArguments(comparator, buf); !s.ok()) return s;
  std::string key;
  AppendInternalKey(&key,
                    WithMinTimestamp(user_key, comparator->timestamp_size()), 0,
                    kValueTypeForSeekForPrev);
  buf->swap(key);
  return Status::OK();
}

Status ParseEntry(const Slice& internal_key, const Comparator* comparator,
                  ParsedEntryInfo* parsed_entry) {
  if (comparator == nullptr) {
    return Status::InvalidArgument("comparator is null");
  }
  if (parsed_entry == nullptr) {
    return Status::InvalidArgument("parsed_entry is null");
  }
  return ParseStoredEntry(internal_key, comparator, parsed_entry);
}

}  // namespace ROCKSDB_NAMESPACE
