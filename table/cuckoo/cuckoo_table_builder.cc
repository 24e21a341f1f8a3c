#include "table/cuckoo/cuckoo_table_builder.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "file/writable_file_writer.h"
#include "rocksdb/comparator.h"
#include "table/cuckoo/cuckoo_layout.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/entry_limit.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What stands where a bucket has no value.
constexpr char kFiller = 'a';
constexpr uint32_t kMostEntries = std::numeric_limits<uint32_t>::max() - 1;
// Buckets are written so many bytes at a time.
constexpr size_t kPieceBytes = 64 << 10;

// Files of this format say nothing of what ingestion would need.
TableBuilderOptions AsOfADatabase(TableBuilderOptions options) {
  options.is_external = false;
  return options;
}

// The key's bytes as a big-endian number, one more or one less. False: it would
// have to be longer, or negative.
bool StepKey(std::string* key, bool up) {
  const auto last = static_cast<unsigned char>(up ? 0xff : 0x00);
  for (size_t i = key->size(); i-- > 0;) {
    const auto byte = static_cast<unsigned char>((*key)[i]);
    (*key)[i] = static_cast<char>(up ? byte + 1 : byte - 1);
    if (byte != last) return true;
  }
  return false;
}

}  // namespace

CuckooTableBuilder::CuckooTableBuilder(const CuckooTableOptions& table_options,
                                       const TableBuilderOptions& options,
                                       WritableFileWriter* file)
    : table_options_(table_options),
      order_(options.cf->user_comparator),
      key_text_(KeyTextOf(options.db->allow_data_in_errors)),
      file_(file),
      gatherer_(AsOfADatabase(options)) {
  INVARIANT(file_ != nullptr);
  shape_.block_buckets = std::max(1u, table_options_.cuckoo_block_size);
  shape_.identity_is_first_hash = table_options_.identity_as_first_hash;
  shape_.uses_modulo = table_options_.use_module_hash;
  if (options.cf->user_comparator->timestamp_size() > 0) {
    Note(Status::NotSupported("CuckooTable: timestamps"));
  }
}

CuckooTableBuilder::~CuckooTableBuilder() {
  assert(is_closed_);  // Else a half table would look done.
}

void CuckooTableBuilder::Abandon() {
  assert(!is_closed_);
  is_closed_ = true;
}

bool CuckooTableBuilder::CheckEntry(const Slice& key, const Slice& value) {
  INVARIANT(!is_closed_);
  if (!status_.ok()) return false;
  if (key.size() < kInternalKeyTrailerBytes ||
      !IsStoredType(ExtractType(key))) {
    Note(Status::Corruption("table builder: not an internal key",
                            InternalKeyText(key, key_text_)));
  } else if (!last_key_.empty() && order_.Compare(last_key_, key) >= 0) {
    Note(Status::Corruption("table builder: keys out of order",
                            InternalKeyText(last_key_, key_text_) + " before " +
                                InternalKeyText(key, key_text_)));
  } else if (IsEntryTooLarge(key.size(), value.size())) {
    Note(EntryTooLarge(key.size(), value.size()));
  } else if (const char* what = LacksPlaceFor(key, value)) {
    Note(Status::NotSupported(what));
  }
  return status_.ok();
}

// Null: it has one.
const char* CuckooTableBuilder::LacksPlaceFor(const Slice& key,
                                              const Slice& value) const {
  const ValueType type = ExtractType(key);
  if (type != kTypeValue && type != kTypeDeletion) {
    return "Unsupported key type: CuckooTable has values and deletions only";
  }
  if (entry_count() >= kMostEntries) {
    return "Number of keys in a file must be < 2^32-1";
  }
  if (!first_key_.empty() && key.size() != first_key_.size()) {
    return "all keys have to be the same size";
  }
  if (type == kTypeValue && has_values_ && value.size() != shape_.value_bytes) {
    return "all values have to be the same size";
  }
  if (!last_key_.empty() && ExtractUserKey(last_key_) == ExtractUserKey(key)) {
    return "Same key is being inserted again.";
  }
  return nullptr;
}

void CuckooTableBuilder::Add(const Slice& key, const Slice& value) {
  if (!CheckEntry(key, value)) return;
  if (first_key_.empty()) first_key_ = key.ToString();
  last_key_.assign(key.data(), key.size());
  if (ExtractType(key) == kTypeDeletion) {
    deleted_keys_.append(key.data(), key.size());
    ++deletion_count_;
    is_plain_data_ = false;
  } else {
    has_values_ = true;
    shape_.value_bytes = static_cast<uint32_t>(value.size());
    put_keys_.append(key.data(), key.size());
    put_values_.append(value.data(), value.size());
    if (ExtractTrailer(key) >> 8 != 0) is_plain_data_ = false;
  }
  gatherer_.AddEntry(key, value, EstimatedFileSize());
}

void CuckooTableBuilder::AddTombstone(const Slice& /*key*/,
                                      const Slice& /*end*/) {
  INVARIANT(!is_closed_);
  Note(Status::NotSupported("CuckooTable: range deletions"));
}

uint32_t CuckooTableBuilder::put_count() const {
  return first_key_.empty()
             ? 0
             : static_cast<uint32_t>(put_keys_.size() / first_key_.size());
}

Slice CuckooTableBuilder::KeyOf(uint32_t entry) const {
  const size_t size = first_key_.size();
  const uint32_t puts = put_count();
  return entry < puts
             ? Slice(put_keys_.data() + entry * size, size)
             : Slice(deleted_keys_.data() + (entry - puts) * size, size);
}

Slice CuckooTableBuilder::UserKeyOf(uint32_t entry) const {
  return ExtractUserKey(KeyOf(entry));
}

uint64_t CuckooTableBuilder::HomeCount() const {
  const double wanted = entry_count() / table_options_.hash_table_ratio;
  if (table_options_.use_module_hash) {
    return std::max<uint64_t>(1, static_cast<uint64_t>(wanted));
  }
  uint64_t count = 2;
  while (static_cast<double>(count) < wanted) count *= 2;
  return count;
}

uint64_t CuckooTableBuilder::EstimatedFileSize() const {
  if (is_closed_ || first_key_.empty()) return offset_;
  return HomeCount() * (first_key_.size() + shape_.value_bytes);
}

// A user key in front of all others or behind them.
bool CuckooTableBuilder::ChooseEmptyKey() {
  const Comparator& order = *order_.user_comparator();
  const Slice first = ExtractUserKey(first_key_);
  const Slice last = ExtractUserKey(last_key_);
  for (const bool up : {false, true}) {
    std::string before = first.ToString();
    std::string after = last.ToString();
    std::string* chosen = nullptr;
    if (StepKey(&before, up) && order.Compare(before, first) < 0) {
      chosen = &before;
    } else if (StepKey(&after, !up) && order.Compare(after, last) > 0) {
      chosen = &after;
    }
    if (chosen == nullptr) continue;
    shape_.empty_key = *chosen;
    if (!shape_.is_last_level) {
      PutFixed64(&shape_.empty_key, kTypeValue);  // with sequence 0
    }
    return true;
  }
  return false;
}

Status CuckooTableBuilder::AppendBucket(uint32_t entry, std::string* bucket) {
  if (entry == CuckooLayout::kEmpty) {
    bucket->append(shape_.empty_key).append(shape_.value_bytes, kFiller);
  } else {
    const Slice key = shape_.is_last_level ? UserKeyOf(entry) : KeyOf(entry);
    bucket->append(key.data(), key.size());
    if (entry < put_count()) {
      bucket->append(put_values_, size_t{entry} * shape_.value_bytes,
                     shape_.value_bytes);
    } else {
      bucket->append(shape_.value_bytes, kFiller);
    }
  }
  if (bucket->size() < kPieceBytes) return Status::OK();
  const Status s = file_->Append(*bucket);
  offset_ += bucket->size();
  bucket->clear();
  return s;
}

Status CuckooTableBuilder::WriteBuckets() {
  CuckooLayout layout(&shape_, table_options_.max_search_depth,
                      [this](uint32_t entry) { return UserKeyOf(entry); });
  const uint32_t count = entry_count();
  for (uint32_t entry = 0; entry < count; ++entry) {
    if (Status s = layout.Insert(entry); !s.ok()) return s;
  }
  std::string piece;
  for (const uint32_t entry : layout.buckets()) {
    if (Status s = AppendBucket(entry, &piece); !s.ok()) return s;
  }
  Status s = piece.empty() ? Status::OK() : Status(file_->Append(piece));
  offset_ += piece.size();
  return s;
}

Status CuckooTableBuilder::Finish() {
  INVARIANT(!is_closed_);
  if (status_.ok() && !first_key_.empty()) {
    shape_.is_last_level = is_plain_data_;
    shape_.user_key_bytes =
        static_cast<uint32_t>(first_key_.size() - kInternalKeyTrailerBytes);
    shape_.key_bytes = static_cast<uint32_t>(
        shape_.is_last_level ? shape_.user_key_bytes : first_key_.size());
    shape_.home_count = HomeCount();
    Note(ChooseEmptyKey() ? WriteBuckets()
                          : Status::NotSupported(
                                "CuckooTable: no key is left for empty buckets",
                                "all are in use, or the order is none of "
                                "numbers"));
  }
  is_closed_ = true;
  if (!status_.ok()) return status_;
  gatherer_.Finish();
  TableProperties& p = gatherer_.properties();
  p.data_size = offset_;
  p.tail_start_offset = offset_;
  p.num_data_blocks = 1;
  p.raw_key_size = p.num_entries * shape_.key_bytes;
  p.raw_value_size = p.num_entries * shape_.value_bytes;
  shape_.AddTo(&p);
  const std::string tail = EncodeCuckooTail(offset_, p);
  Note(file_->Append(tail));
  if (!status_.ok()) return status_;
  tail_bytes_ = tail.size();
  offset_ += tail.size();
  return status_;
}

}  // namespace ROCKSDB_NAMESPACE
