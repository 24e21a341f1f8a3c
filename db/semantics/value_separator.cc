#include "db/semantics/value_separator.h"

#include "util/coding.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

ValueSeparator::ValueSeparator(Request request)
    : request_(std::move(request)),
      min_size_(request_.output.options->min_blob_size),
      outputs_(request_.output) {
  INVARIANT(request_.relocates_below == 0 || request_.blobs != nullptr);
}

void ValueSeparator::SetType(ValueType type, Slice* key) {
  assert(key->size() >= kInternalKeyTrailerBytes);
  const SequenceNumber sequence = ExtractSequence(*key);
  key_.assign(key->data(), key->size());
  EncodeFixed64(key_.data() + key_.size() - kInternalKeyTrailerBytes,
                PackSequenceAndType(sequence, type));
  *key = key_;
}

Status ValueSeparator::Separate(Slice* key, Slice* value) {
  assert(request_.separates);
  assert(!value->empty());
  Status s = outputs_.Add(ExtractUserKey(*key), *value, &reference_);
  if (!s.ok() || reference_.empty()) return s;
  SetType(kTypeBlobIndex, key);
  *value = reference_;
  return s;
}

Status ValueSeparator::IsToMove(const Slice& reference, bool* moves) const {
  INVARIANT(moves != nullptr);
  BlobIndex index;
  Status s = index.DecodeFrom(reference);
  *moves = s.ok() && index.file_number < request_.relocates_below;
  return s;
}

Status ValueSeparator::FetchMoved(const Slice& user_key, const Slice& reference,
                                  PinnableSlice* blob) {
  assert(request_.relocates_below > 0);
  blob->Reset();
  Status s = request_.blobs->Fetch(user_key, reference, blob);
  if (!s.ok()) return s;
  ++relocated_count_;
  relocated_bytes_ += blob->size();
  return s;
}

Status ValueSeparator::Relocate(Slice* key, Slice* value) {
  assert(ExtractType(*key) == kTypeBlobIndex);
  bool moves = false;
  Status s = IsToMove(*value, &moves);
  if (!s.ok() || !moves) return s;
  s = FetchMoved(ExtractUserKey(*key), *value, &blob_);
  if (!s.ok()) return s;
  SetType(kTypeValue, key);
  *value = blob_;
  return Goes(*value) ? Separate(key, value) : s;
}

// Each column as a value of its own.
Status ValueSeparator::ApplyToColumns(const Slice& user_key, Slice* entity) {
  const bool refers = RefersToBlobs(*entity);
  if (!refers && !Goes(*entity)) return Status::OK();
  StoredColumns stored;
  Status s = DecodeStoredColumns(*entity, &stored);
  if (!s.ok()) return s;
  const size_t count = stored.columns.size();
  assert(count == stored.is_reference.size());
  std::vector<PinnableSlice> moved(refers ? count : 0);
  std::vector<std::string> references(count);
  bool has_changed = false;
  for (size_t i = 0; i < count; ++i) {
    Slice& value = stored.columns[i].value();
    if (stored.is_reference[i]) {
      bool moves = false;
      s = IsToMove(value, &moves);
      if (s.ok() && moves) s = FetchMoved(user_key, value, &moved[i]);
      if (!s.ok()) return s;
      if (!moves) continue;
      value = moved[i];
      stored.is_reference[i] = false;
      has_changed = true;
    }
    if (!Goes(value)) continue;
    s = outputs_.Add(user_key, value, &references[i]);
    if (!s.ok()) return s;
    if (references[i].empty()) continue;
    value = references[i];
    stored.is_reference[i] = true;
    has_changed = true;
  }
  if (!has_changed) return s;
  entity_.clear();
  s = EncodeStoredColumns(stored, &entity_);
  if (s.ok()) *entity = entity_;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
